// SPDX-License-Identifier: Apache-2.0
// What ScatterElementsUpdate and ONNX Scatter have in common: all but the index rule and one bound.
#ifndef STREW_SCATTER_ELEMENTS_HPP
#define STREW_SCATTER_ELEMENTS_HPP

#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/index_scan.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/kernel/elements.hpp>
#include <strew/operands.hpp>
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

struct scatter_elements_plan {
  copy_plan data;
  elements_plan updates;
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

template <class D, class I, class U, class T>
constexpr bool plan_scatter_elements(const elements_rules& rules, const tensor_view<D>& data,
                                     const tensor_view<I>& indices, const tensor_view<U>& updates,
                                     const index_list& axis_argument, const tensor_view<T>& output,
                                     scatter_elements_plan& plan, status& error) noexcept {
  const char* const operation = rules.operation;
  int axis = 0;
  if (!(check_data_rank(operation, data.rank(), error) && check_output(operation, data, output, error) &&
        check_single_axis(operation, axis_argument, data.rank(), axis, error) &&
        check_indices_extents(rules, indices.extents(), data.extents(), axis, error) &&
        check_extents(operation, "updates", updates.extents(), indices.extents(), "indices", error) &&
        check_apart(operation, output, "indices", indices, error) &&
        check_apart(operation, output, "updates", updates, error) &&
        check_indices<std::remove_const_t<I>>(operation, indices.data(), indices.layout(), axis, data.extent(axis),
                                              rules.rule, error))) {
    return false;
  }
  plan_data_copy(data, output, plan.data);
  plan.updates.axis_stride = output.stride(axis);
  plan.updates.axis_extent = data.extent(axis);
  for (int k = 0; k < data.rank(); ++k) {
    loop_nest<3>& nest = k < axis ? plan.updates.outer : plan.updates.block;
    nest.add_inner(indices.extent(k), {k == axis ? 0 : output.stride(k), updates.stride(k), indices.stride(k)});
    if (k >= axis) plan.updates.block_size *= data.extent(k);
  }
  return true;
}

template <class D, class I, class U, class T>
constexpr status try_scatter_elements(const elements_rules& rules, const tensor_view<D>& data,
                                      const tensor_view<I>& indices, const tensor_view<U>& updates,
                                      const index_list& axis,
                                      const tensor_view<T>& output) noexcept(assigns_without_throwing<T>) {
  status error;
  scatter_elements_plan plan;
  if (plan_scatter_elements(rules, data, indices, updates, axis, output, plan, error)) {
    run<T, std::remove_const_t<I>>(plan.data, plan.updates, output.data(), data.data(), indices.data(), updates.data());
  }
  return error;
}

}  // namespace strew::detail

#endif  // STREW_SCATTER_ELEMENTS_HPP
