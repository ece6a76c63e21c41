// SPDX-License-Identifier: Apache-2.0
// Makes tensors of files and calls the operators. Types of files are known at run time only, hence strew/dynamic.hpp.
#include "scatter.hpp"

#include "file_error.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

namespace strew_npy {
namespace {

// Elements that are only moved are opaque: that works for every kind and for both byte orders. check_types checks that
// the files agree.
strew::dynamic::element_type opaque_element_of(const npy_file& file) {
  return {strew::dynamic::element_kind::opaque, static_cast<std::int64_t>(file.element().width)};
}

// The element type for reductions, or opaque without one.
strew::dynamic::element_type element_of(const npy_file& file, const command& what) {
  strew::dynamic::element_type type = opaque_element_of(file);
  if (what.reduction == strew::reduction_kind::none) return type;
  if (file.element().order != std::endian::native) {
    throw file_error(file.name(), "is " + to_string(file.element()) + ", which is moved but not reduced");
  }
  switch (file.element().kind) {
    case element_kind::boolean:
      type.kind = strew::dynamic::element_kind::boolean;
      break;
    case element_kind::signed_integer:
      type.kind = strew::dynamic::element_kind::signed_integer;
      break;
    case element_kind::unsigned_integer:
      type.kind = strew::dynamic::element_kind::unsigned_integer;
      break;
    case element_kind::floating_point:
      type.kind = strew::dynamic::element_kind::floating_point;
      break;
    case element_kind::complex:
      type.kind = strew::dynamic::element_kind::complex;
      break;
  }
  return type;
}

strew::index_type index_type_of(const element_type& element) {
  const bool is_signed = element.kind == element_kind::signed_integer;
  switch (element.width) {
    case 1:
      return is_signed ? strew::index_type::int8 : strew::index_type::uint8;
    case 2:
      return is_signed ? strew::index_type::int16 : strew::index_type::uint16;
    case 4:
      return is_signed ? strew::index_type::int32 : strew::index_type::uint32;
    default:
      return is_signed ? strew::index_type::int64 : strew::index_type::uint64;
  }
}

strew::dynamic::const_tensor updates_of(const command& what, const operands& on) {
  return {on.update_elements.data(), element_of(on.data, what), on.update_layout.extents(), on.update_layout.strides()};
}

strew::dynamic::index_tensor tensor_of(const index_operand& indices) {
  const strew::strided_layout& layout = indices.file.layout();
  return {indices.elements.data(), index_type_of(indices.file.element()), layout.extents(), layout.strides()};
}

bool is_uint64(const index_operand& indices) {
  return index_type_of(indices.file.element()) == strew::index_type::uint64;
}

template <class Index>
std::int64_t widened(const std::byte* from) {
  Index index{};
  std::memcpy(&index, from, sizeof index);
  return static_cast<std::int64_t>(index);
}

// The index at an offset, in elements; for uint64 its bits.
std::int64_t index_at(const index_operand& indices, std::int64_t offset) {
  const std::byte* const from =
      indices.elements.data() + offset * static_cast<std::int64_t>(indices.file.element().width);
  switch (index_type_of(indices.file.element())) {
    case strew::index_type::int8:
      return widened<std::int8_t>(from);
    case strew::index_type::uint8:
      return widened<std::uint8_t>(from);
    case strew::index_type::int16:
      return widened<std::int16_t>(from);
    case strew::index_type::uint16:
      return widened<std::uint16_t>(from);
    case strew::index_type::int32:
      return widened<std::int32_t>(from);
    case strew::index_type::uint32:
      return widened<std::uint32_t>(from);
    default:
      return widened<std::int64_t>(from);
  }
}

struct tensors {
  strew::dynamic::const_tensor data;
  strew::dynamic::const_tensor updates;
  strew::dynamic::tensor output;
};

// Indices may have a policy.
template <class Indices>
strew::status scatter_by_indices(const command& what, const tensors& on, const Indices& indices, counting_pool& pool) {
  const auto& [data, updates, output] = on;
  const strew::dynamic::reduction reduction{what.reduction, !what.without_init};
  const std::int64_t axis = what.axis;
  switch (what.op->which) {
    case operation::scatter_update:
      return strew::try_scatter_update(pool, data, indices, updates, axis, output);
    case operation::scatter_elements_update:
      return strew::try_scatter_elements_update(pool, data, indices, updates, axis, output);
    case operation::onnx_scatter:
      return strew::onnx::try_scatter(pool, data, indices, updates, axis, output);
    case operation::scatter_elements:
      return strew::v12::try_scatter_elements_update(pool, data, indices, updates, axis, reduction, output);
    case operation::onnx_scatter_elements:
      return strew::onnx::try_scatter_elements(pool, data, indices, updates, axis, reduction, output);
    case operation::scatter:
      return strew::try_scatter(pool, data, axis, indices, updates, output);
    case operation::scatter_add:
      return strew::try_scatter_add(pool, data, axis, indices, updates, output);
    case operation::scatter_reduce:
      return strew::try_scatter_reduce(pool, data, axis, indices, updates, reduction, output);
    case operation::put_along_axis:
      return strew::try_put_along_axis(pool, data, indices, updates, axis, output);
    case operation::index_copy:
      return strew::try_index_copy(pool, data, axis, indices, updates, output);
    case operation::index_add:
      return strew::try_index_add(pool, data, axis, indices, updates, output);
    case operation::index_reduce:
      return strew::try_index_reduce(pool, data, axis, indices, updates, reduction, output);
    case operation::index_fill:
      return strew::try_index_fill(pool, data, axis, indices, updates, output);
    case operation::scatter_nd_update:
      return strew::v3::try_scatter_nd_update(pool, data, indices, updates, output);
    case operation::scatter_nd:
      return strew::v15::try_scatter_nd_update(pool, data, indices, updates, reduction, output);
    case operation::onnx_scatter_nd:
      return strew::onnx::try_scatter_nd(pool, data, indices, updates, reduction, output);
    default:
      return strew::try_put(pool, data, indices, updates, reduction, output);
  }
}

// Calls body(indices) with the indices wrapped by the policy.
template <class Indices, class Body>
strew::status with_policy(strew::index_policy policy, const Indices& indices, const Body& body) {
  switch (policy) {
    case strew::index_policy::drop:
      return body(strew::drop(indices));
    case strew::index_policy::clip:
      return body(strew::clip(indices));
    case strew::index_policy::wrap:
      return body(strew::wrap(indices));
    default:
      return body(indices);
  }
}

strew::status put_by_several_indices(const command& what, const tensors& on, const operands& files,
                                     counting_pool& pool) {
  static std::vector<strew::dynamic::index_tensor> indices;  // since a rehearsal leaves by a jump, which frees nothing
  indices.clear();
  for (const index_operand& one : files.indices) indices.push_back(tensor_of(one));
  const strew::dynamic::reduction reduction{what.reduction, true};
  return with_policy(what.bad_indices, std::span<const strew::dynamic::index_tensor>(indices), [&](const auto& all) {
    return strew::try_index_put(pool, on.data, all, on.updates, reduction, on.output);
  });
}

strew::status scatter_by_mask(const command& what, const tensors& on, const npy_file& file, counting_pool& pool) {
  const auto* const selected = reinterpret_cast<const bool*>(file.element_bytes().data());
  const strew::tensor_view<const bool> mask(selected, file.layout().extents(), file.layout().strides());
  return what.op->writes == written::value ? strew::try_masked_fill(pool, on.data, mask, on.updates, on.output)
                                           : strew::try_masked_scatter(pool, on.data, mask, on.updates, on.output);
}

// The operator needs the first positions in memory, one for each sample: they are read into it.
template <class Index>
strew::status update_cache(const command& what, const tensors& on, const index_operand& indices, counting_pool& pool) {
  const strew::strided_layout& layout = indices.file.layout();
  static std::vector<Index> positions;  // since a rehearsal leaves by a jump, which frees nothing
  positions.assign(static_cast<std::size_t>(layout.size()), 0);
  if (layout.rank() == 1) {  // any other is an error
    std::int64_t at = 0;
    for (Index& position : positions) position = static_cast<Index>(index_at(indices, at++ * layout.stride(0)));
  }
  const strew::tensor_view<const Index> view(positions.data(), layout.extents());
  return strew::onnx::try_tensor_scatter(pool, on.data, on.updates, view, {.mode = what.mode, .axis = what.axis},
                                         on.output);
}

// The file in messages about the updates.
const npy_file& file_of_updates(const operands& on) {
  return on.updates != nullptr ? *on.updates : on.data;
}

// Returns false on an error, and for operators whose updates have no extents that follow from the other operands.
bool find_extents_of_updates(const command& what, const operands& on, strew::index_list& result) {
  const strew::index_list& data = on.data.layout().extents();
  const strew::index_list indices = on.indices.empty() ? strew::index_list() : on.indices[0].file.layout().extents();
  const auto by_axis_last = [&](const auto& op) {
    return try_updates_extents(op, data, indices, what.axis, result).ok();
  };
  const auto by_axis_first = [&](const auto& op) {
    return try_updates_extents(op, data, what.axis, indices, result).ok();
  };
  const auto by_indices = [&](const auto& op) { return try_updates_extents(op, data, indices, result).ok(); };
  switch (what.op->which) {
    case operation::slice_scatter:
      return try_updates_extents(strew::slice_scatter, data, what.slice, result).ok();
    case operation::select_scatter:
      return try_updates_extents(strew::select_scatter, data, what.axis, result).ok();
    case operation::diagonal_scatter:
      return try_updates_extents(strew::diagonal_scatter, data, what.offset, what.axis1, what.axis2, result).ok();
    case operation::scatter_update:
      return by_axis_last(strew::scatter_update);
    case operation::index_copy:
      return by_axis_first(strew::index_copy);
    case operation::index_add:
      return by_axis_first(strew::index_add);
    case operation::index_reduce:
      return by_axis_first(strew::index_reduce);
    case operation::scatter_elements_update:
      return by_axis_last(strew::scatter_elements_update);
    case operation::scatter_elements:
      return by_axis_last(strew::v12::scatter_elements_update);
    case operation::onnx_scatter:
      return by_axis_last(strew::onnx::scatter);
    case operation::onnx_scatter_elements:
      return by_axis_last(strew::onnx::scatter_elements);
    case operation::scatter:
      return by_axis_first(strew::scatter);
    case operation::scatter_add:
      return by_axis_first(strew::scatter_add);
    case operation::scatter_reduce:
      return by_axis_first(strew::scatter_reduce);
    case operation::put_along_axis:
      return by_axis_last(strew::put_along_axis);
    case operation::scatter_nd_update:
      return by_indices(strew::v3::scatter_nd_update);
    case operation::scatter_nd:
      return by_indices(strew::v15::scatter_nd_update);
    case operation::onnx_scatter_nd:
      return by_indices(strew::onnx::scatter_nd);
    case operation::index_put:
      return try_updates_extents(strew::index_put, data, indices, on.indices.size(), result).ok();
    case operation::put:
      return by_indices(strew::put);
    case operation::index_fill:
    case operation::masked_fill:
    case operation::masked_scatter:
    case operation::onnx_tensor_scatter:
      break;
  }
  return false;
}

}  // namespace

strew::strided_layout layout_of_value(const command& what, const operands& on) {
  strew::index_list extents;
  if (!find_extents_of_updates(what, on, extents)) extents = {};
  strew::index_list no_steps = extents;
  for (int k = 0; k < no_steps.size(); ++k) no_steps[k] = 0;
  strew::strided_layout layout;
  const strew::status outcome = strew::strided_layout::try_make(extents, no_steps, on.data.element().width, layout);
  if (!outcome.ok()) throw file_error(on.data.name(), outcome.message().c_str());
  return layout;
}

strew::status scatter(const command& what, const operands& on, std::span<const std::byte> data_elements,
                      std::span<std::byte> output_elements, counting_pool& pool) {
  const strew::strided_layout& layout = on.data.layout();
  const strew::dynamic::element_type type = element_of(on.data, what);
  const tensors all{{data_elements.data(), type, layout.extents(), layout.strides()},
                    updates_of(what, on),
                    {output_elements.data(), type, layout.extents(), layout.strides()}};
  const auto& [data, updates, output] = all;
  switch (what.op->which) {
    case operation::slice_scatter:
      return strew::try_slice_scatter(pool, data, updates, what.slice, output);
    case operation::select_scatter:
      return strew::try_select_scatter(pool, data, updates, what.axis, what.index, output);
    case operation::diagonal_scatter:
      return strew::try_diagonal_scatter(pool, data, updates, what.offset, what.axis1, what.axis2, output);
    case operation::masked_scatter:
    case operation::masked_fill:
      return scatter_by_mask(what, all, *on.mask, pool);
    case operation::index_put:
      return put_by_several_indices(what, all, on, pool);
    case operation::onnx_tensor_scatter:
      if (on.indices.empty()) {
        return strew::onnx::try_tensor_scatter(pool, data, updates, {.mode = what.mode, .axis = what.axis}, output);
      }
      return is_uint64(on.indices[0]) ? update_cache<std::uint64_t>(what, all, on.indices[0], pool)
                                      : update_cache<std::int64_t>(what, all, on.indices[0], pool);
    default:
      return with_policy(what.bad_indices, tensor_of(on.indices[0]),
                         [&](const auto& indices) { return scatter_by_indices(what, all, indices, pool); });
  }
}

// By scatter_nd_update with an empty multi-index, which addresses all of the updates, and alpha broadcast to all
// coordinates.
std::vector<std::byte> scaled_updates(const command& what, const operands& on, std::span<const std::byte> alpha,
                                      counting_pool& pool) try {
  const strew::dynamic::element_type type = element_of(on.data, what);
  const bool is_scalar = on.update_layout.rank() == 0;
  const strew::index_list extents = is_scalar ? strew::index_list(1) : on.update_layout.extents();
  const strew::index_list strides = is_scalar ? strew::index_list(1) : on.update_layout.strides();
  strew::index_list no_steps = extents;
  for (int k = 0; k < no_steps.size(); ++k) no_steps[k] = 0;
  std::vector<std::byte> scaled(on.update_elements.size());
  const strew::status outcome = strew::v15::try_scatter_nd_update(
      pool, strew::dynamic::const_tensor{on.update_elements.data(), type, extents, strides},
      strew::dynamic::index_tensor{nullptr, strew::index_type::int64, 0},
      strew::dynamic::const_tensor{alpha.data(), type, extents, no_steps},
      strew::dynamic::reduction{strew::reduction_kind::prod, true},
      strew::dynamic::tensor{scaled.data(), type, extents, strides});
  if (!outcome.ok()) throw file_error(file_of_updates(on).name(), outcome.message().c_str());
  return scaled;
} catch (const std::bad_alloc&) {
  throw file_error(file_of_updates(on).name(), "not enough memory to multiply the updates by alpha");
}

const npy_file& blamed_indices(const operands& on, const strew::status& error) {
  const strew::index_list& data = on.data.layout().extents();
  const strew::index_list& at = error.coordinate();
  const strew::index_list& expected = on.indices[0].file.layout().extents();
  for (std::size_t j = 0; j < on.indices.size(); ++j) {
    const index_operand& indices = on.indices[j];
    const strew::strided_layout& layout = indices.file.layout();
    const bool is_surplus = j >= static_cast<std::size_t>(data.size());
    if (is_surplus || layout.extents() != expected) return indices.file;
    if (error.code() != strew::errc::index_out_of_bounds || at.size() != layout.rank()) continue;
    std::int64_t offset = 0;
    for (int k = 0; k < at.size(); ++k) offset += at[k] * layout.stride(k);
    const std::int64_t index = index_at(indices, offset);
    const std::int64_t extent = data[static_cast<int>(j)];
    const bool is_huge = is_uint64(indices) && index < 0;
    if (is_huge || index >= extent || index < -extent) return indices.file;
  }
  return on.indices[0].file;
}

}  // namespace strew_npy
