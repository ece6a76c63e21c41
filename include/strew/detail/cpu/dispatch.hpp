// SPDX-License-Identifier: Apache-2.0
// The choice of leaves at run time, by element size and index type: for the compiled library and for tensors whose
// types are known at run time only.
#ifndef STREW_DETAIL_CPU_DISPATCH_HPP
#define STREW_DETAIL_CPU_DISPATCH_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/cpu/calls.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/scatter_leaves.hpp>
#include <strew/detail/cpu/sharing.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline const copy_leaves* find_copy_leaves(std::int64_t size) noexcept {
  return with_width(size, [](auto width) { return &copy_leaves_of<width()>; });
}

template <index_rule Rule>
const index_leaves* find_index_leaves(index_type type) noexcept {
  switch (type) {
    case index_type::int8:
      return &index_leaves_of<std::int8_t, Rule>;
    case index_type::int16:
      return &index_leaves_of<std::int16_t, Rule>;
    case index_type::int32:
      return &index_leaves_of<std::int32_t, Rule>;
    case index_type::int64:
      return &index_leaves_of<std::int64_t, Rule>;
    case index_type::uint8:
      return &index_leaves_of<std::uint8_t, Rule>;
    case index_type::uint16:
      return &index_leaves_of<std::uint16_t, Rule>;
    case index_type::uint32:
      return &index_leaves_of<std::uint32_t, Rule>;
    case index_type::uint64:
      break;
  }
  STREW_ASSERT(type == index_type::uint64);
  return &index_leaves_of<std::uint64_t, Rule>;
}

// The leaves of any call that reaches as far.
template <scatter_reach Reach>
leaves find_leaves(const erased::call& call) noexcept {
  constexpr index_rule rule = Reach.wraps ? index_rule::wrapping : index_rule::strict;
  const index_leaves* const index = find_index_leaves<rule>(call.indices.type);
  const scatter_leaves* const scatter = with_width(call.element_size, [&](auto width) {
    return index->loop_size == 4 ? &scatter_leaves_of<width(), std::int32_t, Reach>
                                 : &scatter_leaves_of<width(), std::int64_t, Reach>;
  });
  return {find_copy_leaves(call.element_size), index, scatter};
}

// The calls of compiled.hpp.

inline workers workers_of(const executor_ref& ex) noexcept {
  return {ex, ex.run == nullptr ? nullptr : &sharing_by_executor};
}
inline void dispatch_slice_scatter(const erased::call& call, const slice_spec& slice, const executor_ref& ex,
                                   status& error) {
  const workers who = workers_of(ex);
  if (slice_few(who, call, slice)) return;
  slice_scatter(who, call, {find_copy_leaves(call.element_size), nullptr, nullptr}, slice, error);
}
inline void dispatch_scatter_rows(const erased::call& call, const char* operation, const index_list& axis,
                                  const executor_ref& ex, status& error) {
  constexpr scatter_reach reach{scatter_kind::row, false, true, true};
  const leaves with = find_leaves<reach>(call);
  const workers who = workers_of(ex);
  if (scatter_dense(who, call, with, axis, nullptr)) return;
  scatter_rows(who, call, with, operation, axis, error);
}
template <const elements_rules& Rules>
void dispatch_scatter_elements(const erased::call& call, const index_list& axis, const executor_ref& ex,
                               status& error) {
  constexpr scatter_reach reach{scatter_kind::element, Rules.rule == index_rule::wrapping, true, true};
  const leaves with = find_leaves<reach>(call);
  const workers who = workers_of(ex);
  if (scatter_dense(who, call, with, axis, &Rules)) return;
  scatter_elements(who, call, with, Rules, axis, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_DISPATCH_HPP
