// SPDX-License-Identifier: Apache-2.0
// Calls of all operators on tensors of run-time types.
#ifndef STREW_TESTS_ATTACK_DYNAMIC_CALLS_HPP
#define STREW_TESTS_ATTACK_DYNAMIC_CALLS_HPP

#include "cases.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace attack {
// Unnamed, since units of one program have different back ends behind the same names.
namespace {

inline strew::index_list list_of(const extents& from) {
  strew::index_list result;
  for (int k = 0; k < from.rank; ++k) result.push_back(from.at[k]);
  return result;
}
inline strew::index_list strides_of(const operand& from) {
  strew::index_list result;
  for (int k = 0; k < from.shape.rank; ++k) result.push_back(from.strides[k]);
  return result;
}
inline strew::dynamic::element_type type_of(element from) {
  return {static_cast<strew::dynamic::element_kind>(from.is), from.size};
}
inline strew::dynamic::tensor tensor_of(const operand& from, element of) {
  return {from.first, type_of(of), list_of(from.shape), strides_of(from)};
}
inline strew::dynamic::index_tensor indices_of(const operand& from, index_kind of) {
  return {from.first, static_cast<strew::index_type>(of), list_of(from.shape), strides_of(from)};
}
inline strew::dynamic::reduction_without_nan reduction_of(const call_case& from) {
  return {static_cast<strew::reduction_kind>(from.by), from.with_init, from.skips_nan};
}
inline strew::slice_spec slice_of(const call_case& from) {
  strew::slice_spec spec;
  if (from.has_start) spec.start = list_of(from.slice_start);
  if (from.has_stop) spec.stop = list_of(from.slice_stop);
  if (from.has_step) spec.step = list_of(from.slice_step);
  if (from.has_axes) spec.axes = list_of(from.slice_axes);
  return spec;
}

inline void set_outcome(const strew::status& from, outcome& to, std::string& text) {
  to.is_ok = from.ok();
  if (from.ok()) return;
  text = from.message().c_str();
  to.message = text.c_str();
  to.is_index_error = from.code() == strew::errc::index_out_of_bounds;
  const strew::index_list& at = from.coordinate();
  to.bad_rank = at.size();
  for (int k = 0; k < at.size() && k < most_axes; ++k) to.bad[k] = at[k];
}

// Bound calls do not draw positions.
template <class Ex>
constexpr bool has_positions = !requires {
  typename std::remove_cvref_t<Ex>::schedule_step;
};

// The call, with `ex` first and, unless it is in place without naming it, the output last. With `bound` in place of an
// executor, too.
template <class Ex>
strew::status call_dynamic(Ex&& ex, const call_case& c) {
  using strew::dynamic::const_tensor;
  using strew::dynamic::index_tensor;
  const strew::dynamic::tensor output = tensor_of(c.output, c.of);
  const strew::dynamic::tensor data_to_write = tensor_of(c.data, c.of);
  const const_tensor updates = tensor_of(c.updates, c.of);
  index_tensor indices[most_axes + 1];
  for (int j = 0; j < c.index_count && has_indices(c.which); ++j) indices[j] = indices_of(c.indices[j], c.index);
  const strew::dynamic::reduction_without_nan by = reduction_of(c);
  const bool leaves_out = c.in_place && !c.names_output;

  // Calls an operator whose last operands are those of `rest`.
  const auto call = [&](const auto& scatter, const auto&... rest) {
    return leaves_out ? scatter(ex, data_to_write, rest...) : scatter(ex, const_tensor(data_to_write), rest..., output);
  };
  // The same with positions, which are in the place of a reduction or stand behind all else.
  const auto with_positions = [&](strew::reduction_kind named) {
    const auto kind = is_signed(c.numbers_type) ? strew::dynamic::element_kind::signed_integer
                                                : strew::dynamic::element_kind::unsigned_integer;
    return strew::reduction::with_positions(strew::dynamic::reduction{named, true},
                                            strew::dynamic::tensor(c.numbers.first, {kind, size_of(c.numbers_type)},
                                                                   list_of(c.numbers.shape), strides_of(c.numbers)));
  };
  const auto assign = [&](const auto& scatter, const auto&... rest) {
    if constexpr (has_positions<Ex>) {
      if (c.has_numbers) return call(scatter, rest..., with_positions(strew::reduction_kind::none));
    }
    return call(scatter, rest...);
  };
  const auto combine = [&](const auto& scatter, const auto&... rest) {
    if constexpr (has_positions<Ex>) {
      if (c.has_numbers) return call(scatter, rest..., with_positions(by.kind));
    }
    return call(scatter, rest..., by);
  };
  const auto with_policy = [&](const auto& from, const auto& body) {
    switch (c.how) {
      case policy::drop:
        return body(strew::drop(from));
      case policy::clip:
        return body(strew::clip(from));
      case policy::wrap:
        return body(strew::wrap(from));
      case policy::assume_valid:
        return body(strew::assume_valid(from));
      default:
        return body(from);
    }
  };
  const auto by_indices = [&](const auto& body) { return with_policy(indices[0], body); };
  const auto mask = [&] {
    return strew::tensor_view<const bool>(reinterpret_cast<const bool*>(c.indices[0].first),
                                          list_of(c.indices[0].shape), strides_of(c.indices[0]));
  };
  switch (c.which) {
    case op::slice:
      return call(strew::try_slice_scatter, updates, slice_of(c));
    case op::select:
      return call(strew::try_select_scatter, updates, c.axis, c.number);
    case op::diagonal:
      return call(strew::try_diagonal_scatter, updates, c.number, c.axis, c.axis2);
    case op::cache: {
      const strew::onnx::tensor_scatter_options chosen{
          c.is_circular ? strew::onnx::cache_mode::circular : strew::onnx::cache_mode::linear, c.axis};
      if (!c.has_starts) return call(strew::onnx::try_tensor_scatter, updates, chosen);
      return call(strew::onnx::try_tensor_scatter, updates, indices_of(c.indices[0], c.index), chosen);
    }
    case op::masked_scatter:
      return call(strew::try_masked_scatter, mask(), updates);
    case op::masked_fill:
      return call(strew::try_masked_fill, mask(), updates);
    case op::scatter_update:
      return by_indices([&](const auto& at) { return assign(strew::try_scatter_update, at, updates, c.axis); });
    case op::index_copy:
      return by_indices([&](const auto& at) { return assign(strew::try_index_copy, c.axis, at, updates); });
    case op::index_add:
      return by_indices([&](const auto& at) { return call(strew::try_index_add, c.axis, at, updates); });
    case op::index_reduce:
      return by_indices([&](const auto& at) { return combine(strew::try_index_reduce, c.axis, at, updates); });
    case op::index_fill:
      return by_indices([&](const auto& at) { return call(strew::try_index_fill, c.axis, at, updates); });
    case op::elements_v3:
      return by_indices(
          [&](const auto& at) { return assign(strew::try_scatter_elements_update, at, updates, c.axis); });
    case op::elements_v12:
      return by_indices(
          [&](const auto& at) { return combine(strew::v12::try_scatter_elements_update, at, updates, c.axis); });
    case op::onnx_scatter:
      return by_indices([&](const auto& at) { return assign(strew::onnx::try_scatter, at, updates, c.axis); });
    case op::onnx_elements:
      return by_indices(
          [&](const auto& at) { return combine(strew::onnx::try_scatter_elements, at, updates, c.axis); });
    case op::torch_scatter:
      return by_indices([&](const auto& at) { return assign(strew::try_scatter, c.axis, at, updates); });
    case op::scatter_add:
      return by_indices([&](const auto& at) { return call(strew::try_scatter_add, c.axis, at, updates); });
    case op::scatter_reduce:
      return by_indices([&](const auto& at) { return combine(strew::try_scatter_reduce, c.axis, at, updates); });
    case op::put_along_axis:
      return by_indices([&](const auto& at) { return assign(strew::try_put_along_axis, at, updates, c.axis); });
    case op::nd_v3:
      return by_indices([&](const auto& at) { return assign(strew::v3::try_scatter_nd_update, at, updates); });
    case op::nd_v14:
      return by_indices([&](const auto& at) { return combine(strew::v14::try_scatter_nd_update, at, updates); });
    case op::onnx_nd:
      return by_indices([&](const auto& at) { return combine(strew::onnx::try_scatter_nd, at, updates); });
    case op::index_put: {
      const std::span<const index_tensor> all(indices, static_cast<std::size_t>(c.index_count));
      return with_policy(all, [&](const auto& at) { return combine(strew::try_index_put, at, updates); });
    }
    default:
      return by_indices([&](const auto& at) { return combine(strew::try_put, at, updates); });
  }
}

}  // namespace
}  // namespace attack

#endif  // STREW_TESTS_ATTACK_DYNAMIC_CALLS_HPP
