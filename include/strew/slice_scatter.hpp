// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15 (OpenVINO): a copy of data with a slice of it replaced.
#ifndef STREW_SLICE_SCATTER_HPP
#define STREW_SLICE_SCATTER_HPP

#include <strew/index_list.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/overlay.hpp>
#include <strew/operands.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>

namespace strew {

namespace detail {

// The slice of the output is itself a strided view, so the operator is two strided copies.
struct slice_scatter_plan {
  copy_plan data;
  copy_plan updates;
};

template <class D, class U, class T>
constexpr bool plan_slice_scatter(const tensor_view<D>& data, const tensor_view<U>& updates, const slice_spec& slice,
                                  const tensor_view<T>& output, slice_scatter_plan& plan, status& error) noexcept {
  constexpr const char* operation = "slice_scatter";
  if (!(check_data_rank(operation, data.rank(), error) && check_output(operation, data, output, error))) return false;

  index_list extents = data.extents();
  index_list strides = output.strides();
  std::int64_t first = 0;
  const auto narrow = [&](int axis, const slice_range& range) {
    extents[axis] = range.count;
    if (range.count == 0) return;
    first += range.first * output.stride(axis);
    strides[axis] = sliced_stride(output.stride(axis), range);
  };
  if (!(check_slices(operation, slice, data.extents(), error, narrow) &&
        check_extents(operation, "updates", updates.extents(), extents, "the slice of data", error) &&
        check_apart(operation, output, "updates", updates, error))) {
    return false;
  }
  plan_data_copy(data, output, plan.data);
  plan.updates.first[copy_plan::target] = first;
  for (int k = 0; k < extents.size(); ++k) {
    plan.updates.nest.add_inner(extents[k], {strides[k], updates.stride(k)});
  }
  plan.updates.finish();
  return true;
}

}  // namespace detail

// output = data; output[..., start:stop:step, ...] = updates, the slices as NumPy takes them.
//
//   data[d0, ..., dr-1], updates[d0, .., n, .., dr-1] -> output[d0, ..., dr-1], r >= 1
//
// where each sliced axis of `updates` has the length n of its slice. Bounds are elements; a negative one counts from
// the end once, then both clamp to the axis (see resolve_slice). With step < 0, start < -d and stop < -d the slice is
// empty, as in NumPy. `updates` is not broadcast: pass broadcast(updates, ...) to repeat it.
//
// `output` may be exactly the view `data` (in place: only the slice is written) and must otherwise share no memory
// with an input; its elements are distinct. No two updates have the same target.
// Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range,
// repeated_axis, zero_step, extent_mismatch, repeated_element, overlap. Should an assignment of T throw, each element
// of the output holds its old or its new value. O(data.size() + updates.size()), no heap. Document: SliceScatter-15,
// OpenVINO.
template <class D, class U, class T>
  requires scatters_into<T, D, U>
constexpr status try_slice_scatter(const tensor_view<D>& data, const tensor_view<U>& updates, const slice_spec& slice,
                                   const tensor_view<T>& output) noexcept(detail::assigns_without_throwing<T>) {
  status error;
  detail::slice_scatter_plan plan;
  if (detail::plan_slice_scatter(data, updates, slice, output, plan, error)) {
    detail::run<T>(plan.data, plan.updates, output.data(), data.data(), updates.data());
  }
  return error;
}

// In place: only the elements of the slice are written.
template <class T, class U>
  requires scatters_into<T, U>
constexpr status try_slice_scatter(const tensor_view<T>& data, const tensor_view<U>& updates,
                                   const slice_spec& slice) noexcept(detail::assigns_without_throwing<T>) {
  return try_slice_scatter(data, updates, slice, data);
}

// The throwing forms: as above, errors as scatter_error.
template <class D, class U, class T>
  requires scatters_into<T, D, U>
constexpr void slice_scatter(const tensor_view<D>& data, const tensor_view<U>& updates, const slice_spec& slice,
                             const tensor_view<T>& output) {
  detail::raise_if_error(try_slice_scatter(data, updates, slice, output));
}

template <class T, class U>
  requires scatters_into<T, U>
constexpr void slice_scatter(const tensor_view<T>& data, const tensor_view<U>& updates, const slice_spec& slice) {
  detail::raise_if_error(try_slice_scatter(data, updates, slice));
}

// The extents that slice_scatter asks of `updates`. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, count_mismatch, axis_out_of_range, repeated_axis, zero_step.
constexpr status try_slice_scatter_updates_extents(const index_list& data_extents, const slice_spec& slice,
                                                   index_list& result) noexcept {
  constexpr const char* operation = "slice_scatter_updates_extents";
  status error;
  index_list extents = data_extents;
  const auto narrow = [&](int axis, const slice_range& range) { extents[axis] = range.count; };
  if (detail::check_shape(operation, "data_extents", data_extents, error) &&
      detail::check_data_rank(operation, data_extents.size(), error) &&
      detail::check_slices(operation, slice, data_extents, error, narrow)) {
    result = extents;
  }
  return error;
}

[[nodiscard]] constexpr index_list slice_scatter_updates_extents(const index_list& data_extents,
                                                                 const slice_spec& slice) {
  index_list result;
  detail::raise_if_error(try_slice_scatter_updates_extents(data_extents, slice, result));
  return result;
}

}  // namespace strew

#endif  // STREW_SLICE_SCATTER_HPP
