// SPDX-License-Identifier: Apache-2.0
// Views made from views: permute, transpose, slice, reverse, broadcast. No element is read or copied.
#ifndef STREW_VIEW_VIEW_TRANSFORM_HPP
#define STREW_VIEW_VIEW_TRANSFORM_HPP

#include <strew/config.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// A view of the same memory with another layout, whose element at coordinate 0 is `offset` elements further.
template <class T>
constexpr status try_rearranged(const char* operation, const tensor_view<T>& view, std::int64_t offset,
                                const index_list& extents, const index_list& strides, tensor_view<T>& result) noexcept {
  strided_layout arranged;
  status error;
  if (!make_layout({operation}, extents, strides, sizeof(T), arranged, error)) return error;
  // The pointer of an empty view may be null.
  T* const data = arranged.empty() ? view.data() : view.data() + offset;
  return tensor_view<T>::try_bind(data, arranged, result);
}

template <index_integer Axis>
constexpr bool check_axis_of_view(const char* operation, Axis axis, int rank, int& result, status& error) noexcept {
  return check_axis({operation, "axis", {}}, saturate(axis), {"the view", rank}, result, error) ||
         refuse_as_given(error, axis, 0);
}

}  // namespace detail

// Axis k of the result is axis axes[k] of `view`. `axes` holds each axis of the view once; negative ones count from the
// end. On an error `result` stays as it was, as for all functions of this header. O(rank), no heap. Errors:
// too_many_axes, count_mismatch, axis_out_of_range, repeated_axis.
template <class T>
STREW_KEYED constexpr status try_permute(const tensor_view<T>& view, const index_list& axes,
                                         tensor_view<T>& result) noexcept {
  const int rank = view.rank();
  status error;
  if (!detail::check_length("permute", "axes", axes, rank, error, " (the rank of the view)")) return error;
  index_list extents = axes;
  index_list strides = axes;
  detail::axis_set used;
  for (int k = 0; k < rank; ++k) {
    int axis = 0;
    if (!used.insert("permute", k, axes[k], {"the view", rank}, axis, error)) {
      static_cast<void>(detail::refuse_as_given(error, axes, k));
      return error;
    }
    extents[k] = view.extent(axis);
    strides[k] = view.stride(axis);
  }
  return detail::try_rearranged("permute", view, 0, extents, strides, result);
}

// The view with its axes in reverse order: the transpose of a matrix. O(rank), no heap.
template <class T>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> transpose(const tensor_view<T>& view) noexcept {
  index_list axes;
  for (int k = view.rank(); k-- > 0;) axes.push_back(k);
  tensor_view<T> result;
  static_cast<void>(try_permute(view, axes, result));  // cannot fail: a permutation by construction
  return result;
}

// The slice start:stop:step of one axis, by the rules of resolve_slice. O(rank), no heap. Errors: axis_out_of_range,
// zero_step.
template <class T, index_integer Axis, index_integer Start, index_integer Stop, index_integer Step>
STREW_KEYED constexpr status try_slice(const tensor_view<T>& view, Axis axis, Start start, Stop stop, Step step,
                                       tensor_view<T>& result) noexcept {
  status error;
  int k = 0;
  if (!detail::check_axis_of_view("slice", axis, view.rank(), k, error) ||
      (step == 0 && !detail::refuse_zero_step("slice", {}, error))) {
    return error;
  }
  const slice_range range = detail::clamp_slice(saturate(start), open_ended(stop), saturate(step), view.extent(k));
  index_list extents = view.extents();
  index_list strides = view.strides();
  extents[k] = range.count;
  strides[k] = detail::sliced_stride(view.stride(k), range);
  return detail::try_rearranged("slice", view, range.first * view.stride(k), extents, strides, result);
}

// Slices of any axes, with the parameters of SliceScatter:
//
//   strew::slice(data, {.start = 1})                              // data[1:]
//   strew::slice(data, {.step = -1, .axes = -1})                  // data[..., ::-1]
//   strew::slice(data, {.start = {0, 2}, .stop = {4, 6}})         // data[0:4, 2:6]
//
// O(rank), no heap. Errors: too_many_axes, count_mismatch, axis_out_of_range, repeated_axis, zero_step.
template <class T>
STREW_KEYED constexpr status try_slice(const tensor_view<T>& view, const slice_spec& slices,
                                       tensor_view<T>& result) noexcept {
  status error;
  std::int64_t offset = 0;
  index_list extents = view.extents();
  index_list strides = view.strides();
  const auto narrow = [&](int axis, const slice_range& range) {
    offset += range.first * view.stride(axis);
    extents[axis] = range.count;
    strides[axis] = detail::sliced_stride(view.stride(axis), range);
  };
  if (!detail::check_slices("slice", slices, view.extents(), error, narrow)) return error;
  return detail::try_rearranged("slice", view, offset, extents, strides, result);
}

// The view with one axis reversed. O(rank), no heap. Errors: axis_out_of_range.
template <class T, index_integer Axis>
STREW_KEYED constexpr status try_reverse(const tensor_view<T>& view, Axis axis, tensor_view<T>& result) noexcept {
  status error;
  int k = 0;
  if (!detail::check_axis_of_view("reverse", axis, view.rank(), k, error)) return error;
  return try_slice(view, k, int64_max, int64_min, -1, result);
}

// The view broadcast to the given extents, by NumPy's rule: extents are matched from the last axis; an axis of extent
// 1, or one that the view does not have, is repeated with stride 0. O(rank), no heap. Errors: rank_mismatch,
// extent_mismatch, negative_extent, size_overflow, too_many_axes.
template <class T>
STREW_KEYED constexpr status try_broadcast(const tensor_view<T>& view, const index_list& extents,
                                           tensor_view<T>& result) noexcept {
  status error;
  if (!detail::check_capacity("broadcast", "extents", extents, error)) return error;
  const int added = extents.size() - view.rank();
  if (added < 0) {
    return {errc::rank_mismatch,
            "broadcast",
            "extents",
            " has length {0}, expected at least {1} (the rank of the view)",
            {extents.size(), view.rank()}};
  }
  index_list strides = extents;
  for (int k = 0; k < extents.size(); ++k) {
    const bool repeated = k < added || (view.extent(k - added) == 1 && extents[k] != 1);
    strides[k] = repeated ? 0 : view.stride(k - added);
    if (!repeated && view.extent(k - added) != extents[k]) {
      static_cast<void>(detail::refuse(error, errc::extent_mismatch, "broadcast", "extents",
                                       "{c} = {0}, expected {1} or a view with extent 1 there",
                                       {extents[k], view.extent(k - added)}, k) ||
                        detail::refuse_as_given(error, extents, k));
      return error;
    }
  }
  return detail::try_rearranged("broadcast", view, 0, extents, strides, result);
}

// The throwing forms of try_permute, try_slice, try_reverse and try_broadcast: they return the result and throw errors
// as scatter_error. O(rank), no heap.
template <class T>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> permute(const tensor_view<T>& view, const index_list& axes) {
  tensor_view<T> result;
  detail::raise_if_error(try_permute(view, axes, result));
  return result;
}

template <class T, index_integer Axis, index_integer Start, index_integer Stop, index_integer Step = int>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> slice(const tensor_view<T>& view, Axis axis, Start start, Stop stop,
                                                         Step step = 1) {
  tensor_view<T> result;
  detail::raise_if_error(try_slice(view, axis, start, stop, step, result));
  return result;
}

template <class T>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> slice(const tensor_view<T>& view, const slice_spec& slices) {
  tensor_view<T> result;
  detail::raise_if_error(try_slice(view, slices, result));
  return result;
}

template <class T, index_integer Axis>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> reverse(const tensor_view<T>& view, Axis axis) {
  tensor_view<T> result;
  detail::raise_if_error(try_reverse(view, axis, result));
  return result;
}

template <class T>
STREW_KEYED [[nodiscard]] constexpr tensor_view<T> broadcast(const tensor_view<T>& view, const index_list& extents) {
  tensor_view<T> result;
  detail::raise_if_error(try_broadcast(view, extents, result));
  return result;
}

}  // namespace strew

#endif  // STREW_VIEW_VIEW_TRANSFORM_HPP
