// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3 (OpenVINO): a copy of data with whole rows of one axis replaced.
#ifndef STREW_SCATTER_UPDATE_HPP
#define STREW_SCATTER_UPDATE_HPP

#include <strew/box.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/index_scan.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/rows.hpp>
#include <strew/operands.hpp>
#include <strew/partition.hpp>
#include <strew/slice_copy.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew {

namespace detail {

// updates is shaped data[:axis] + indices + data[axis + 1:].
constexpr bool check_updates_extents(const char* operation, const index_list& updates, const index_list& data,
                                     const index_list& indices, int axis, status& error) noexcept {
  const int inserted = indices.size();
  const int rank = data.size() + inserted - 1;
  if (updates.size() != rank) {
    return refuse(error, errc::rank_mismatch, operation, "updates",
                  " has rank {0}, expected {1} (the ranks of data and indices less one)", {updates.size(), rank});
  }
  for (int k = 0; k < updates.size(); ++k) {
    const bool from_indices = k >= axis && k < axis + inserted;
    const int source = k < axis ? k : from_indices ? k - axis : k - inserted + 1;
    const std::int64_t expected = from_indices ? indices[source] : data[source];
    if (updates[k] != expected) {
      return refuse(error, errc::extent_mismatch, operation, "updates",
                    " has extent {0} on axis {1}, expected {2} as {o} has on axis {3}",
                    {updates[k], k, expected, source}, {}, from_indices ? "indices" : "data");
    }
  }
  return true;
}

template <class Ex, class D, class I, class U, class T>
constexpr bool check_scatter_update(Ex& ex, const tensor_view<D>& data, const tensor_view<I>& indices,
                                    const tensor_view<U>& updates, const index_list& axis_argument,
                                    const tensor_view<T>& output, bool in_place, int& axis, index_facts& facts,
                                    status& error) noexcept {
  constexpr const char* operation = "scatter_update";
  return check_data_rank(operation, data.rank(), error) && check_output(operation, data, output, in_place, error) &&
         check_single_axis(operation, axis_argument, data.rank(), axis, error) &&
         check_updates_extents(operation, updates.extents(), data.extents(), indices.extents(), axis, error) &&
         check_apart(operation, output, "indices", indices, error) &&
         check_apart(operation, output, "updates", updates, error) &&
         check_indices<std::remove_const_t<I>>(ex, operation, indices.data(), indices.layout(), axis, data.extent(axis),
                                               index_rule::strict, facts, error);
}

// Plans the scatter of the rows that lie in the box.
constexpr void plan_rows(const strided_layout& indices, const strided_layout& updates, int axis,
                         const strided_layout& output, const box& part, rows_plan& plan) noexcept {
  const int inserted = indices.rank();
  plan.axis = {output.extent(axis), output.stride(axis), part[axis], false, false};
  for (int k = 0; k < output.rank(); ++k) {
    if (k == axis) continue;
    const std::int64_t update_stride = updates.stride(k < axis ? k : k + inserted - 1);
    plan.first[rows_plan::output] += part[k].begin * output.stride(k);
    plan.first[rows_plan::updates] += part[k].begin * update_stride;
    (k < axis ? plan.outer : plan.row).add_inner(part[k].count, {output.stride(k), update_stride});
  }
  for (int k = 0; k < inserted; ++k) {
    plan.indices.add_inner(indices.extent(k), {indices.stride(k), updates.stride(axis + k)});
  }
  plan.finish();
}

}  // namespace detail

// output = data; output[.., indices[i...], ..] = updates[.., i..., ..] for each coordinate i of `indices`, which stand
// on `axis`.
//
//   data[d0, .., dr-1], indices[i0, .., iq-1], updates[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
// r >= 1; q >= 0, so `indices` may be of rank 0. `axis`, a scalar or one element, lies in [-r, r-1]. Each index lies in
// [0, d_axis - 1]: a negative one is an error.
//
// Duplicates: the update that comes last in row-major order of `indices` wins. `output` may be exactly the view `data`
// (in place: only updated elements are written) and must otherwise share no memory with an input; its elements
// are distinct. Errors, all found before the first write: rank_mismatch, too_many_axes, count_mismatch,
// axis_out_of_range, extent_mismatch, repeated_element, overlap, index_out_of_bounds (the first in row-major order is
// named). Should an assignment of T throw, each element of the output holds its old or a new value.
// O(data.size() + updates.size()), no heap. Document: ScatterUpdate-3, OpenVINO.
//
// The forms that take an executor first share the work out to it, where there is enough; the output is the same.
template <executor Ex, class D, index_integer I, class U, class T>
  requires scatters_into<T, D, U>
constexpr status try_scatter_update(Ex&& ex, const tensor_view<D>& data, const tensor_view<I>& indices,
                                    const tensor_view<U>& updates, const index_list& axis,
                                    const tensor_view<T>& output) noexcept(detail::assigns_without_throwing<T>) {
  status error;
  const bool in_place = detail::is_same_view(data, output);
  int k = 0;
  detail::index_facts facts;
  if (!detail::check_scatter_update(ex, data, indices, updates, axis, output, in_place, k, facts, error)) return error;
  if (facts.is_slice && indices.rank() == 1) {
    detail::resolved_slice slice(data.extents());
    slice.narrow(k, {facts.first, facts.step, indices.size()});
    detail::copy_with_slice(ex, data, updates, slice, output, in_place);
    return error;
  }
  const std::int64_t moved = in_place ? updates.size() : data.size() + updates.size();
  const detail::work job{data.extents(), moved, k, in_place, facts.ascends};
  detail::for_each_part<T>(ex, job, [&](const detail::box& part, const detail::scratch&) {
    detail::rows_plan plan;
    detail::plan_rows(indices.layout(), updates.layout(), k, output.layout(), part, plan);
    const std::remove_const_t<I>* index = indices.data();
    if (facts.ascends && plan.indices.rank() == 1) index = plan.keep_own(index);
    if (in_place) {
      detail::run<T>(plan, output.data(), index, updates.data());
    } else {
      detail::copy_plan data_plan;
      detail::plan_data_copy(data.layout(), output.layout(), part, data_plan);
      detail::run<T>(data_plan, plan, output.data(), data.data(), index, updates.data());
    }
  });
  return error;
}

template <class D, index_integer I, class U, class T>
  requires scatters_into<T, D, U>
constexpr status try_scatter_update(const tensor_view<D>& data, const tensor_view<I>& indices,
                                    const tensor_view<U>& updates, const index_list& axis,
                                    const tensor_view<T>& output) noexcept(detail::assigns_without_throwing<T>) {
  return try_scatter_update(serial, data, indices, updates, axis, output);
}

// In place: only the rows that `indices` name are written.
template <executor Ex, class T, index_integer I, class U>
  requires scatters_into<T, U>
constexpr status try_scatter_update(Ex&& ex, const tensor_view<T>& data, const tensor_view<I>& indices,
                                    const tensor_view<U>& updates,
                                    const index_list& axis) noexcept(detail::assigns_without_throwing<T>) {
  return try_scatter_update(ex, data, indices, updates, axis, data);
}

template <class T, index_integer I, class U>
  requires scatters_into<T, U>
constexpr status try_scatter_update(const tensor_view<T>& data, const tensor_view<I>& indices,
                                    const tensor_view<U>& updates,
                                    const index_list& axis) noexcept(detail::assigns_without_throwing<T>) {
  return try_scatter_update(serial, data, indices, updates, axis, data);
}

// The throwing forms: as above, errors as scatter_error.
template <executor Ex, class D, index_integer I, class U, class T>
  requires scatters_into<T, D, U>
constexpr void scatter_update(Ex&& ex, const tensor_view<D>& data, const tensor_view<I>& indices,
                              const tensor_view<U>& updates, const index_list& axis, const tensor_view<T>& output) {
  detail::raise_if_error(try_scatter_update(ex, data, indices, updates, axis, output));
}

template <class D, index_integer I, class U, class T>
  requires scatters_into<T, D, U>
constexpr void scatter_update(const tensor_view<D>& data, const tensor_view<I>& indices, const tensor_view<U>& updates,
                              const index_list& axis, const tensor_view<T>& output) {
  detail::raise_if_error(try_scatter_update(serial, data, indices, updates, axis, output));
}

template <executor Ex, class T, index_integer I, class U>
  requires scatters_into<T, U>
constexpr void scatter_update(Ex&& ex, const tensor_view<T>& data, const tensor_view<I>& indices,
                              const tensor_view<U>& updates, const index_list& axis) {
  detail::raise_if_error(try_scatter_update(ex, data, indices, updates, axis, data));
}

template <class T, index_integer I, class U>
  requires scatters_into<T, U>
constexpr void scatter_update(const tensor_view<T>& data, const tensor_view<I>& indices, const tensor_view<U>& updates,
                              const index_list& axis) {
  detail::raise_if_error(try_scatter_update(serial, data, indices, updates, axis, data));
}

// The extents that scatter_update asks of `updates`: data[:axis] + indices + data[axis + 1:]. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, count_mismatch, axis_out_of_range.
constexpr status try_scatter_update_updates_extents(const index_list& data_extents, const index_list& indices_extents,
                                                    const index_list& axis, index_list& result) noexcept {
  constexpr const char* operation = "scatter_update_updates_extents";
  status error;
  int k = 0;
  if (!(detail::check_shape(operation, "data_extents", data_extents, error) &&
        detail::check_shape(operation, "indices_extents", indices_extents, error) &&
        detail::check_data_rank(operation, data_extents.size(), error) &&
        detail::check_single_axis(operation, axis, data_extents.size(), k, error))) {
    return error;
  }
  index_list extents;
  for (int i = 0; i < k; ++i) extents.push_back(data_extents[i]);
  for (int i = 0; i < indices_extents.size(); ++i) extents.push_back(indices_extents[i]);
  for (int i = k + 1; i < data_extents.size(); ++i) extents.push_back(data_extents[i]);
  if (detail::check_shape(operation, "updates", extents, error)) result = extents;
  return error;
}

[[nodiscard]] constexpr index_list scatter_update_updates_extents(const index_list& data_extents,
                                                                  const index_list& indices_extents,
                                                                  const index_list& axis) {
  index_list result;
  detail::raise_if_error(try_scatter_update_updates_extents(data_extents, indices_extents, axis, result));
  return result;
}

}  // namespace strew

#endif  // STREW_SCATTER_UPDATE_HPP
