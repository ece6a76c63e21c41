// SPDX-License-Identifier: Apache-2.0
// The extents that an operator requires of its updates, and the size of the workspace with which it is fastest.
#ifndef STREW_OPERATORS_EXTENTS_HPP
#define STREW_OPERATORS_EXTENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/shapes.hpp>
#include <strew/detail/kernels/wanted_memory.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/plan/workspace_bytes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// ---- What updates_extents takes for an operator

template <class Operator>
concept has_updates_extents = requires {
  &Operator::shapes::find_updates;
};
template <class Operator>
concept has_default_axis = requires {
  requires Operator::shapes::axis_may_be_left_out;
};

template <class Function>
struct extents_arguments;
template <class... Argument>
struct extents_arguments<bool (*)(const char*, index_list&, status&, const Argument&...) noexcept> {
  static constexpr std::size_t count = sizeof...(Argument);
  template <std::size_t Position>
  using at = std::tuple_element_t<Position, std::tuple<Argument...>>;
};
template <class Operator>
using extents_arguments_of = extents_arguments<decltype(&Operator::shapes::find_updates)>;

// The type of argument number Position, for an operator with Count arguments; for any other there is no type, and so no
// overload.
template <class Operator, std::size_t Count, std::size_t Position>
struct extents_argument_at {};
template <has_updates_extents Operator, std::size_t Count, std::size_t Position>
  requires(extents_arguments_of<Operator>::count == Count)
struct extents_argument_at<Operator, Count, Position> {
  using type = typename extents_arguments_of<Operator>::template at<Position>;
};
template <class Operator, std::size_t Count, std::size_t Position>
using extents_argument = typename extents_argument_at<Operator, Count, Position>::type;

// "updates_extents(scatter_update)", built at compile time.
template <class Shapes>
struct name_of_extents {
  static constexpr const char* before = "updates_extents(";
  static constexpr std::size_t length = [] {
    std::size_t letters = 0;
    for (const char* c = before; *c != '\0'; ++c) ++letters;
    for (const char* c = Shapes::name; *c != '\0'; ++c) ++letters;
    return letters + 1;
  }();
  struct text {
    char letters[length + 1];
  };
  static constexpr text value = [] {
    text made{};
    char* to = made.letters;
    for (const char* c = before; *c != '\0'; ++c) *to++ = *c;
    for (const char* c = Shapes::name; *c != '\0'; ++c) *to++ = *c;
    *to = ')';
    return made;
  }();
};

template <class Operator, class... Argument>
constexpr status find_extents(index_list& result, const Argument&... arguments) noexcept {
  using shapes = typename Operator::shapes;
  status error;
  static_cast<void>(shapes::find_updates(name_of_extents<shapes>::value.letters, result, error, arguments...));
  return error;
}
template <class Operator, class... Argument>
constexpr index_list extents_or_throw(const Argument&... arguments) {
  index_list result;
  raise_if_error(find_extents<Operator>(result, arguments...));
  return result;
}
template <class Operator>
constexpr void refuse_without_updates() noexcept {
  explain<none_if(std::is_void_v<Operator>, mistake::no_updates_extents)>();
}

// ---- What workspace_bytes takes for an operator

template <class Operator>
inline constexpr addressing addressing_of = Operator::shapes::by;
// Whether an integer follows the extents of the indices: the axis, or the number of tensors.
template <class Operator>
concept asks_memory_with_number = (addressing_of<Operator> == addressing::rows) ||
                                  (addressing_of<Operator> == addressing::elements) ||
                                  (addressing_of<Operator> == addressing::tensors);
template <class Operator>
concept asks_memory_by_indices = (addressing_of<Operator> == addressing::multi_indices) ||
                                 (addressing_of<Operator> == addressing::numbers);
template <class Operator>
concept asks_no_memory = (addressing_of<Operator> == addressing::slices);

template <class Operator, class T, class R>
constexpr bool check_memory_option() noexcept {
  constexpr bool is_right = [] {
    if constexpr (named_reduction<R>) {
      return reducible_by<T, R>;
    } else {
      return true;
    }
  }();
  constexpr mistake of_type = none_if(is_right, mistake::not_reducible_bytes);
  constexpr mistake found = Operator::form.has_option ? of_type : mistake::no_reduction_of_bytes;
  return explain<found>();
}

// `number`: the axis, or the number of tensors.
template <class Operator, class T, class R>
constexpr std::size_t memory_of(const index_list& data, const index_list& indices, std::int64_t number,
                                std::size_t threads) noexcept {
  using element = std::remove_cv_t<T>;
  constexpr addressing by = addressing_of<Operator>;
  // A fill moves one value and sorts nothing.
  if constexpr (!has_updates_extents<Operator> || !is_bytewise<element>) {
    return 0;
  } else {
    index_list positions = indices;
    index_list extents = data;
    std::int64_t components = 1;
    if constexpr (by == addressing::tensors) components = number;
    if constexpr (by == addressing::multi_indices) {
      components = indices.size() > 0 ? indices[indices.size() - 1] : 0;
      positions = index_list();
      for (int k = 0; k + 1 < indices.size(); ++k) positions.push_back(indices[k]);
    }
    if constexpr (by == addressing::numbers) {
      strided_layout all;  // as one axis
      if (!strided_layout::try_make(data, sizeof(element), all).ok()) return 0;
      extents = index_list(all.size());
    }
    if (components < 1 || components > max_rank) return 0;
    const index_list axis(by == addressing::tensors ? 0 : number);
    // Operators without a reduction assign or sum.
    constexpr bool assigns = !Operator::op.has(role::reduction) && Operator::op.combines == reduction_kind::none;
    using reduce = std::conditional_t<assigns, reduction::none_type, reduction_for<element, R>>;
    const std::uint64_t bytes = wanted_memory<Operator::op.rules>(
        {extents, positions, axis, static_cast<int>(components)}, sizeof(element),
        uses_of_call<Operator::op.rules, element, reduce>(index_policy::error), saturate(threads));
    return saturated_size(bytes);
  }
}

}  // namespace detail

// The extents that an operator requires of its updates, values or source. The first argument is the operator's object,
// followed by what determines these extents, in the order of the operator's own arguments. Lists and slices may be
// braced.
//
//   updates_extents(slice_scatter, data, {.start = .., .stop = .., .step = ..})  data's, with the length of each slice
//   updates_extents(select_scatter, data, axis)                                  data without the axis
//   updates_extents(diagonal_scatter, data, offset, axis1, axis2)                data without both, then the length
//   updates_extents(scatter_update, data, indices, axis)                         data[:axis] + indices + data[axis+1:]
//   updates_extents(index_add, data, axis, indices)                              the same; index_copy, index_reduce
//   updates_extents(scatter_elements_update, data, indices, axis)                indices; v12::, put_along_axis,
//                                                                                onnx::scatter, onnx::scatter_elements
//   updates_extents(scatter_add, data, axis, indices)                            indices; scatter_reduce
//   updates_extents(onnx::scatter_nd, data, indices)                             indices[:-1] + data[k:];
//                                                                                scatter_nd_update
//   updates_extents(index_put, data, indices, tensors)                           indices + data[tensors:]
//   updates_extents(put, data, indices)                                          indices
//
// where data and indices are extents; k is the last extent of the indices, and `tensors` the number of tensors of these
// extents that index_put takes. For onnx::scatter and onnx::scatter_elements the axis may be left out and is then 0.
// masked_scatter, masked_fill, index_fill and onnx::tensor_scatter do not compile: no other operand determines the
// extents of their updates.
//
// try_updates_extents returns a status and takes the result as its last argument, which stays as it was on an error.
// O(rank), no heap. Errors, those of the operator for the extents of data and indices, axes and slices: rank_mismatch,
// too_many_axes (also of the result), negative_extent, extent_mismatch, count_mismatch, axis_out_of_range,
// repeated_axis, zero_step. Whether a tensor of these extents fits in the address space is checked when a view is made
// of it, not here.
template <class Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr index_list updates_extents(
    const detail::call_object<Operator, Report>&, const detail::extents_argument<Operator, 2, 0>& data_extents,
    const detail::extents_argument<Operator, 2, 1>& second) {
  return detail::extents_or_throw<Operator>(data_extents, second);
}
template <class Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr index_list updates_extents(
    const detail::call_object<Operator, Report>&, const detail::extents_argument<Operator, 3, 0>& data_extents,
    const detail::extents_argument<Operator, 3, 1>& second, const detail::extents_argument<Operator, 3, 2>& third) {
  return detail::extents_or_throw<Operator>(data_extents, second, third);
}
template <class Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr index_list updates_extents(
    const detail::call_object<Operator, Report>&, const detail::extents_argument<Operator, 4, 0>& data_extents,
    const detail::extents_argument<Operator, 4, 1>& second, const detail::extents_argument<Operator, 4, 2>& third,
    const detail::extents_argument<Operator, 4, 3>& fourth) {
  return detail::extents_or_throw<Operator>(data_extents, second, third, fourth);
}
template <detail::has_default_axis Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr index_list updates_extents(const detail::call_object<Operator, Report>& call,
                                                               const index_list& data_extents,
                                                               const index_list& indices_extents) {
  return updates_extents(call, data_extents, indices_extents, 0);
}
template <class Operator, class Report>
  requires(!detail::has_updates_extents<Operator>)
STREW_KEYED index_list updates_extents(const detail::call_object<Operator, Report>&,
                                       const detail::braced_argument& = {}, const detail::braced_argument& = {},
                                       const detail::braced_argument& = {}, const detail::braced_argument& = {}) {
  detail::refuse_without_updates<Operator>();
  return {};
}

// Without exceptions: returns what updates_extents throws.
template <class Operator, class Report>
STREW_KEYED constexpr status try_updates_extents(const detail::call_object<Operator, Report>&,
                                                 const detail::extents_argument<Operator, 2, 0>& data_extents,
                                                 const detail::extents_argument<Operator, 2, 1>& second,
                                                 index_list& result) noexcept {
  return detail::find_extents<Operator>(result, data_extents, second);
}
template <class Operator, class Report>
STREW_KEYED constexpr status try_updates_extents(const detail::call_object<Operator, Report>&,
                                                 const detail::extents_argument<Operator, 3, 0>& data_extents,
                                                 const detail::extents_argument<Operator, 3, 1>& second,
                                                 const detail::extents_argument<Operator, 3, 2>& third,
                                                 index_list& result) noexcept {
  return detail::find_extents<Operator>(result, data_extents, second, third);
}
template <class Operator, class Report>
STREW_KEYED constexpr status try_updates_extents(const detail::call_object<Operator, Report>&,
                                                 const detail::extents_argument<Operator, 4, 0>& data_extents,
                                                 const detail::extents_argument<Operator, 4, 1>& second,
                                                 const detail::extents_argument<Operator, 4, 2>& third,
                                                 const detail::extents_argument<Operator, 4, 3>& fourth,
                                                 index_list& result) noexcept {
  return detail::find_extents<Operator>(result, data_extents, second, third, fourth);
}
template <detail::has_default_axis Operator, class Report>
STREW_KEYED constexpr status try_updates_extents(const detail::call_object<Operator, Report>& call,
                                                 const index_list& data_extents, const index_list& indices_extents,
                                                 index_list& result) noexcept {
  return try_updates_extents(call, data_extents, indices_extents, 0, result);
}
template <class Operator, class Report>
  requires(!detail::has_updates_extents<Operator>)
STREW_KEYED status try_updates_extents(const detail::call_object<Operator, Report>&,
                                       const detail::braced_argument& = {}, const detail::braced_argument& = {},
                                       const detail::braced_argument& = {}, const detail::braced_argument& = {},
                                       const detail::braced_argument& = {}) {
  detail::refuse_without_updates<Operator>();
  return {};
}

// The bytes of a workspace (strew/execution/workspace.hpp) with which an operator is fastest on dense tensors of T with
// these extents, on an executor of `threads` threads; 0 if none helps, and if data, indices or the axis are not legal.
// With less memory, or none, the output is the same.
//
//   workspace_bytes<T>(scatter_update, data_extents, indices_extents, axis, reduction, threads)
//   workspace_bytes<T>(onnx::scatter_nd, data_extents, indices_extents, reduction, threads)
//   workspace_bytes<T>(index_put, data_extents, extents_of_each_tensor, tensors, reduction, threads)
//   workspace_bytes<T>(slice_scatter, data_extents, threads)
//
// The first form is that of scatters on an axis, whatever the order of their own arguments; the second that of scatters
// by multi-indices and of put; the last that of slice_scatter, select_scatter, diagonal_scatter, masked_scatter,
// masked_fill and onnx::tensor_scatter, where the extents of a mask or of write_indices may precede the threads.
// `reduction` is that of the call: it is left out for operators without one, and is scaled_by for index_add. If it is
// left out it is none or a sum, which need the same memory. `threads` is 1 if it is left out; the axis may be left out
// for onnx::scatter and onnx::scatter_elements and is then 0.
//
// A workspace is used
//
// - for random targets in an output of some MiB, where the rows, elements or slices have at most 32 bytes (rows: a
//   single element, or T and the row both have a power of two of bytes). The updates of one position of the axes before
//   the scattered one are sorted by block of the output: about 4 bytes and a row for each index. Not with callables and
//   not with scaled_by;
// - otherwise for single elements along an axis that is not the innermost one: 64 to 256 bytes for each element along
//   it and for each part of the call, in which a few columns at a time are scattered. Up to 1024 elements along the
//   axis fit on the stack, with fewer columns;
// - for mean and without_init, which keep a state for each element or row; 1,365 to 32,768 states fit on the stack.
//
// slice_scatter, select_scatter, diagonal_scatter, masked_scatter, masked_fill, index_fill and onnx::tensor_scatter use
// none. O(rank), no heap.
template <class T, detail::asks_memory_with_number Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list& data_extents,
                                                                const index_list& indices_extents,
                                                                const detail::whole_number& axis_or_tensors,
                                                                std::size_t threads = 1) noexcept {
  return detail::memory_of<Operator, T, reduction::sum_type>(data_extents, indices_extents, axis_or_tensors.value(),
                                                             threads);
}
template <class T, detail::asks_memory_with_number Operator, class Report, class R>
  requires(!index_integer<R>)
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list& data_extents,
                                                                const index_list& indices_extents,
                                                                const detail::whole_number& axis_or_tensors, const R&,
                                                                std::size_t threads = 1) noexcept {
  if constexpr (detail::check_memory_option<Operator, T, R>()) {
    return detail::memory_of<Operator, T, R>(data_extents, indices_extents, axis_or_tensors.value(), threads);
  } else {
    return 0;
  }
}
template <class T, detail::has_default_axis Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list& data_extents,
                                                                const index_list& indices_extents) noexcept {
  return detail::memory_of<Operator, T, reduction::sum_type>(data_extents, indices_extents, 0, 1);
}
template <class T, detail::asks_memory_by_indices Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list& data_extents,
                                                                const index_list& indices_extents,
                                                                std::size_t threads = 1) noexcept {
  return detail::memory_of<Operator, T, reduction::sum_type>(data_extents, indices_extents, 0, threads);
}
template <class T, detail::asks_memory_by_indices Operator, class Report, class R>
  requires(!index_integer<R>)
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list& data_extents,
                                                                const index_list& indices_extents, const R&,
                                                                std::size_t threads = 1) noexcept {
  if constexpr (detail::check_memory_option<Operator, T, R>()) {
    return detail::memory_of<Operator, T, R>(data_extents, indices_extents, 0, threads);
  } else {
    return 0;
  }
}
template <class T, detail::asks_no_memory Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list&, std::size_t = 1) noexcept {
  return 0;
}
template <class T, detail::asks_no_memory Operator, class Report>
STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes(const detail::call_object<Operator, Report>&,
                                                                const index_list&, const index_list&,
                                                                std::size_t = 1) noexcept {
  return 0;
}

}  // namespace strew

#endif  // STREW_OPERATORS_EXTENTS_HPP
