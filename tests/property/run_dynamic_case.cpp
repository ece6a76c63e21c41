// SPDX-License-Identifier: Apache-2.0
// The calls of random cases: every operator on tensors whose types are known at run time only.
#include "support/scatter_case.hpp"
#include "support/with_policy.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace strew::test {
namespace {

dynamic::index_tensor indices_of(const scatter_case& on, std::size_t k = 0) {
  const placed_bytes& from = on.indices[k];
  return {from.origin(), on.integers, index_list(from.extents()), index_list(from.strides())};
}
dynamic::tensor tensor_of(const placed_bytes& from, const dynamic::element_type& type) {
  return {from.origin(), type, index_list(from.extents()), index_list(from.strides())};
}

template <class Updates, class... Output>
status call_on(const scatter_case& on, const Updates& updates, const auto& ex, const auto& data,
               const Output&... output) {
  const dynamic::reduction_without_nan reduce{on.reduce, on.include_init, on.skips_nan};
  const auto with_indices = [&](const auto& body) { return with_policy(on.policy, indices_of(on), body); };
  switch (on.which) {
    case operation::slice_scatter:
      return try_slice_scatter(ex, data, updates, on.slice, output...);
    case operation::select_scatter:
      return try_select_scatter(ex, data, updates, on.axis, on.number, output...);
    case operation::diagonal_scatter:
      return try_diagonal_scatter(ex, data, updates, on.number, on.axis, on.second_axis, output...);
    case operation::scatter_update:
      return try_scatter_update(ex, data, indices_of(on), updates, on.axis, output...);
    case operation::index_copy:
      return with_indices([&](const auto& i) { return try_index_copy(ex, data, on.axis, i, updates, output...); });
    case operation::index_add:
      return with_indices([&](const auto& i) { return try_index_add(ex, data, on.axis, i, updates, output...); });
    case operation::index_reduce:
      return with_indices(
          [&](const auto& i) { return try_index_reduce(ex, data, on.axis, i, updates, reduce, output...); });
    case operation::index_fill:
      return try_index_fill(ex, data, on.axis, indices_of(on), tensor_of(*on.updates, on.type), output...);
    case operation::scatter_elements_update:
      return try_scatter_elements_update(ex, data, indices_of(on), updates, on.axis, output...);
    case operation::onnx_scatter:
      return onnx::try_scatter(ex, data, indices_of(on), updates, on.axis, output...);
    case operation::v12_scatter_elements_update:
      return with_indices([&](const auto& i) {
        return v12::try_scatter_elements_update(ex, data, i, updates, on.axis, reduce, output...);
      });
    case operation::onnx_scatter_elements:
      return onnx::try_scatter_elements(ex, data, indices_of(on), updates, on.axis, reduce, output...);
    case operation::scatter:
      return try_scatter(ex, data, on.axis, indices_of(on), updates, output...);
    case operation::scatter_add:
      return try_scatter_add(ex, data, on.axis, indices_of(on), updates, output...);
    case operation::scatter_reduce:
      return try_scatter_reduce(ex, data, on.axis, indices_of(on), updates, reduce, output...);
    case operation::put_along_axis:
      return try_put_along_axis(ex, data, indices_of(on), updates, on.axis, output...);
    case operation::v3_scatter_nd_update:
      return v3::try_scatter_nd_update(ex, data, indices_of(on), updates, output...);
    case operation::v15_scatter_nd_update:
      return with_indices(
          [&](const auto& i) { return v15::try_scatter_nd_update(ex, data, i, updates, reduce, output...); });
    case operation::onnx_scatter_nd:
      return onnx::try_scatter_nd(ex, data, indices_of(on), updates, reduce, output...);
    case operation::index_put: {
      std::array<dynamic::index_tensor, max_rank> all;
      for (std::size_t k = 0; k < on.indices.size(); ++k) all[k] = indices_of(on, k);
      const std::span<const dynamic::index_tensor> tensors(all.data(), on.indices.size());
      return try_index_put(ex, data, tensors, updates, reduce, output...);
    }
    case operation::put:
      return with_indices([&](const auto& i) { return try_put(ex, data, i, updates, reduce, output...); });
    case operation::masked_scatter:
    case operation::masked_fill: {
      const auto mask = view_of<const bool>(*on.mask);
      return on.which == operation::masked_fill
                 ? try_masked_fill(ex, data, mask, tensor_of(*on.updates, on.type), output...)
                 : try_masked_scatter(ex, data, mask, updates, output...);
    }
    case operation::tensor_scatter: {
      onnx::tensor_scatter_options options;
      options.mode = on.is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear;
      options.axis = on.axis;
      return onnx::try_tensor_scatter(ex, data, updates, indices_of(on), options, output...);
    }
  }
  return {};
}

template <class... Output>
status call(const scatter_case& on, const auto& ex, const auto& data, const Output&... output) {
  const dynamic::const_tensor updates = tensor_of(*on.updates, on.type);
  return call_on(on, updates, ex, data, output...);
}
template <class... Output>
status call_converted(const scatter_case& on, const auto& ex, const auto& data, const Output&... output) {
  const dynamic::const_tensor updates = tensor_of(*on.given_updates, *on.given);
  return call_on(on, converted(updates), ex, data, output...);
}

bool has_schedule(const scatter_case& on) {
  if (on.given) return false;
  switch (on.which) {
    case operation::slice_scatter:
    case operation::select_scatter:
    case operation::diagonal_scatter:
    case operation::masked_scatter:
    case operation::masked_fill:
    case operation::tensor_scatter:
      return false;
    default:
      // Half of the cases.
      return on.updates->extents().empty() || on.updates->extents().back() % 2 == 1;
  }
}

// With bound indices, in memory without alignment.
template <class... Output>
status call_by_schedule(const scatter_case& on, const auto& ex, const auto& data, const Output&... output) {
  dynamic::schedule bound;
  if (status error = call(on, bound.measure(), data, output...); !error.ok()) return error;
  const auto size = static_cast<std::size_t>(bound.bytes());
  const std::unique_ptr<std::byte[]> memory(new std::byte[size + 1]);
  if (size > 0) {
    const status error = call(on, bound.make({memory.get(), size - 1}), data, output...);
    if (error.code() != errc::too_little_memory)
      return {errc::too_little_memory, "schedule", "memory", " may be short"};
  }
  if (status error = call(on, bound.make({memory.get() + 1, size}), data, output...); !error.ok()) return error;
  return call(on, bound.run(ex), data, output...);
}

}  // namespace

status run_dynamic_case(const scatter_case& on, const circumstances_of_call& in) {
  const chosen_threads ex{in};
  const dynamic::tensor data = tensor_of(*on.data, on.type);
  const dynamic::tensor output = tensor_of(on.written(), on.type);
  if (on.given) {
    return on.in_place && !on.names_output ? call_converted(on, ex, data)
                                           : call_converted(on, ex, dynamic::const_tensor(data), output);
  }
  if (has_schedule(on)) {
    return on.in_place && !on.names_output ? call_by_schedule(on, ex, data)
                                           : call_by_schedule(on, ex, dynamic::const_tensor(data), output);
  }
  if (on.in_place && !on.names_output) return call(on, ex, data);
  return call(on, ex, dynamic::const_tensor(data), output);
}

}  // namespace strew::test
