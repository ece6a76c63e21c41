// SPDX-License-Identifier: Apache-2.0
// Cases as rows of the comparison.
#ifndef STREW_COMPARE_ADD_CASE_HPP
#define STREW_COMPARE_ADD_CASE_HPP

#include "arguments.hpp"
#include "buffers.hpp"
#include "calls.hpp"
#include "cases.hpp"
#include "rows.hpp"
#include "versions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace strew::bench {

template <class Call>
inline constexpr compare::operators operator_of{};
template <class T>
inline constexpr auto operator_of<slice_scatter_call<T>> = compare::operators::slice_scatter;
template <class T, class I>
inline constexpr auto operator_of<scatter_update_call<T, I>> = compare::operators::scatter_update;
template <class T, class I>
inline constexpr auto operator_of<scatter_elements_update_call<T, I>> = compare::operators::scatter_elements_update;
template <class T, class I>
inline constexpr auto operator_of<onnx_scatter_call<T, I>> = compare::operators::onnx_scatter;

template <class T>
compare::tensor<T> plain(const tensor_view<T>& view) {
  return {view.data(), {view.extents().begin(), view.extents().end()}};
}

template <class T>
auto arguments_of(const slice_scatter_call<T>& call) {
  const tensors<T>& t = call.operands;
  const slice_spec& s = call.slice;
  return compare::arguments<T, std::int64_t>{plain(t.data),   {nullptr, {0}}, plain(t.updates),
                                             plain(t.output), s.axes[0],      {s.start[0], s.stop[0], s.step[0]}};
}
template <class T, class I>
auto arguments_of(const indexed_call<T, I>& call) {
  const tensors<T>& t = call.operands;
  return compare::arguments<T, I>{plain(t.data), plain(call.indices), plain(t.updates), plain(t.output), call.axis, {}};
}

// Memory for the workspace of either version.
template <class T, class I>
std::byte* workspace_of(const compare::arguments<T, I>& a) {
  const auto most = std::max(compare::old_headers::workspace_bytes(a.data.extents, a.axis),
                             compare::new_headers::workspace_bytes(a.data.extents, a.axis));
  return shared_buffers().scratch.at_least<std::byte>(static_cast<std::int64_t>(most));
}

// A row with the name and means of one that exists is not added again.
template <class T, class Prepare>
void add_row(const case_description& c, compare::means how, Prepare prepare) {
  const std::string name = full_name<T>(c);
  const auto is_same = [&](const compare::row& row) { return row.name == name && row.how == how; };
  if (std::ranges::any_of(compare::all_rows(), is_same)) return;

  const auto prepare_calls = [=] {
    const tensors<T> t(c);
    const auto operation = prepare(t);
    constexpr auto op = operator_of<std::remove_cvref_t<decltype(operation.call)>>;
    auto arguments = arguments_of(operation.call);
    if (how == compare::means::workspace) arguments.workspace = workspace_of(arguments);
    const compare::version_calls calls{compare::old_headers::prepare<op>(arguments, how),
                                       compare::new_headers::prepare<op>(arguments, how)};
    check(c, t, calls.of_old, operation);
    check(c, t, calls.of_new, operation);
    return calls;
  };
  compare::all_rows().push_back({name, byte_count<T>(c), how, prepare_calls});
}

// Adds the rows of a case on each of its means; those of at most 256 KiB also in place.
template <class T, class Prepare>
void add_case(const case_description& c, Prepare prepare) {
  add_row<T>(c, compare::means::serial, prepare);
  if (c.options.two_threads) add_row<T>(c, compare::means::two_threads, prepare);
  if (c.options.workspace) add_row<T>(c, compare::means::workspace, prepare);
  if (byte_count<T>(c) <= 256 * KiB && !c.options.in_place) {
    case_description in_place = c;
    in_place.options.in_place = true;
    add_row<T>(in_place, compare::means::serial, prepare);
  }
}

}  // namespace strew::bench

#endif  // STREW_COMPARE_ADD_CASE_HPP
