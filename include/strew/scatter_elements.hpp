// SPDX-License-Identifier: Apache-2.0
// What ScatterElementsUpdate and ONNX Scatter have in common: all but the index rule and one bound.
#ifndef STREW_SCATTER_ELEMENTS_HPP
#define STREW_SCATTER_ELEMENTS_HPP

#include <strew/box.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/index_scan.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/elements.hpp>
#include <strew/operands.hpp>
#include <strew/partition.hpp>
#include <strew/slice_copy.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::detail {

// Where the documents of the two operators differ.
struct elements_rules {
  const char* operation;
  index_rule rule;
  bool axis_may_exceed_data;  // whether `indices` may be longer than data along the axis
};

// indices has the rank of data and nowhere a larger extent, but on the axis where the rules allow it.
constexpr bool check_indices_extents(const elements_rules& rules, const index_list& indices, const index_list& data,
                                     int axis, status& error) noexcept {
  if (indices.size() != data.size()) {
    return refuse(error, errc::rank_mismatch, rules.operation, "indices", " has rank {0}, expected {1} as data has",
                  {indices.size(), data.size()});
  }
  for (int k = 0; k < data.size(); ++k) {
    if (k == axis && rules.axis_may_exceed_data) continue;
    if (indices[k] > data[k]) {
      return refuse(error, errc::extent_mismatch, rules.operation, "indices",
                    " has extent {0} on axis {1}, expected at most {2} as data has", {indices[k], k, data[k]});
    }
  }
  return true;
}

template <class Ex, class D, class I, class U, class T>
constexpr bool check_scatter_elements(const elements_rules& rules, Ex& ex, const tensor_view<D>& data,
                                      const tensor_view<I>& indices, const tensor_view<U>& updates,
                                      const index_list& axis_argument, const tensor_view<T>& output, bool in_place,
                                      int& axis, index_facts& facts, status& error) noexcept {
  const char* const operation = rules.operation;
  return check_data_rank(operation, data.rank(), error) && check_output(operation, data, output, in_place, error) &&
         check_single_axis(operation, axis_argument, data.rank(), axis, error) &&
         check_indices_extents(rules, indices.extents(), data.extents(), axis, error) &&
         check_extents(operation, "updates", updates.extents(), indices.extents(), "indices", error) &&
         check_apart(operation, output, "indices", indices, error) &&
         check_apart(operation, output, "updates", updates, error) &&
         check_indices<std::remove_const_t<I>>(ex, operation, indices.data(), indices.layout(), axis, data.extent(axis),
                                               rules.rule, facts, error);
}

// Plans the scatter of the elements that lie in the box.
constexpr void plan_elements(const strided_layout& data, const strided_layout& indices, const strided_layout& updates,
                             int axis, bool wraps, const strided_layout& output, const box& part,
                             elements_plan& plan) noexcept {
  plan.axis = {output.extent(axis), output.stride(axis), part[axis], wraps, false};
  plan.count = indices.extent(axis);
  plan.update_stride = updates.stride(axis);
  plan.index_stride = indices.stride(axis);
  plan.data_stride = data.stride(axis);
  for (int k = 0; k < output.rank(); ++k) {
    if (k >= axis) plan.block_size *= part[k].count;
    if (k == axis) continue;
    // Where indices are shorter than data, the box may reach beyond them or lie there altogether.
    const std::int64_t rest = indices.extent(k) - part[k].begin;
    const std::int64_t count = rest < 0 ? 0 : rest < part[k].count ? rest : part[k].count;
    plan.covers_lanes = plan.covers_lanes && count == part[k].count;
    const per_operand<4> stride{output.stride(k), updates.stride(k), indices.stride(k), data.stride(k)};
    (k < axis ? plan.outer : plan.inner).add_inner(count, stride);
    if (count == 0) continue;
    for (std::size_t i = 0; i < 4; ++i) plan.first[i] += part[k].begin * stride[i];
  }
}

template <class Ex, class D, class I, class U, class T>
constexpr status try_scatter_elements(const elements_rules& rules, Ex& ex, const tensor_view<D>& data,
                                      const tensor_view<I>& indices, const tensor_view<U>& updates,
                                      const index_list& axis,
                                      const tensor_view<T>& output) noexcept(assigns_without_throwing<T>) {
  status error;
  const bool in_place = is_same_view(data, output);
  int k = 0;
  index_facts facts;
  if (!check_scatter_elements(rules, ex, data, indices, updates, axis, output, in_place, k, facts, error)) return error;
  if (facts.is_slice && indices.size() == indices.extent(k)) {
    resolved_slice slice(indices.extents());
    slice.narrow(k, {facts.first, facts.step, indices.size()});
    copy_with_slice(ex, data, updates, slice, output, in_place);
    return error;
  }
  const std::int64_t moved = in_place ? updates.size() : data.size() + updates.size();
  const bool ascends = facts.ascends && indices.size() == indices.extent(k);
  for_each_part<T>(ex, {data.extents(), moved, k, true, ascends}, [&](const box& part, const scratch& memory) {
    elements_plan plan;
    plan_elements(data.layout(), indices.layout(), updates.layout(), k, facts.wraps, output.layout(), part, plan);
    if (ascends) plan.keep_own(indices.data());
    if (in_place) {
      run(plan, output.data(), indices.data(), static_cast<const T*>(updates.data()));
    } else {
      copy_plan data_plan;
      plan_data_copy(data.layout(), output.layout(), part, data_plan);
      run<T, std::remove_const_t<I>>(data_plan, plan, output.data(), data.data(), indices.data(), updates.data(),
                                     memory);
    }
  });
  return error;
}

}  // namespace strew::detail

#endif  // STREW_SCATTER_ELEMENTS_HPP
