// SPDX-License-Identifier: Apache-2.0
// From files to tensors to the operators. What a file holds is known at run time only, which strew/dynamic.hpp is for.
#include "scatter.hpp"

#include "file_error.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <bit>
#include <cstdint>

namespace strew_npy {
namespace {

// Elements that are moved are never looked at: opaque ones serve every kind and both byte orders. That the files agree
// is for check_types to say.
strew::dynamic::element_type opaque_element_of(const npy_file& file) {
  return {strew::dynamic::element_kind::opaque, static_cast<std::int64_t>(file.element().width)};
}

// Where elements are reduced, what they are matters.
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

}  // namespace

strew::status scatter(const command& what, const operands& on, std::span<const std::byte> data_elements,
                      std::span<std::byte> output_elements, counting_pool& pool) {
  const auto input_of = [&what](const npy_file& file, std::span<const std::byte> elements) {
    return strew::dynamic::const_tensor{elements.data(), element_of(file, what), file.layout().extents(),
                                        file.layout().strides()};
  };
  const strew::dynamic::const_tensor data = input_of(on.data, data_elements);
  const strew::dynamic::const_tensor updates = input_of(on.updates, on.updates.element_bytes());
  const strew::dynamic::tensor output{output_elements.data(), data.type(), data.extents(), data.strides()};
  if (what.op == operation::slice_scatter) return strew::try_slice_scatter(pool, data, updates, what.slice, output);

  const npy_file& file = *on.indices;
  const strew::dynamic::index_tensor indices{on.index_elements.data(), index_type_of(file.element()),
                                             file.layout().extents(), file.layout().strides()};
  const strew::dynamic::reduction reduction{what.reduction, !what.without_init};
  const std::int64_t axis = what.axis[0];
  switch (what.op) {
    case operation::scatter_elements:
      return strew::v12::try_scatter_elements_update(pool, data, indices, updates, axis, reduction, output);
    case operation::scatter_nd:
      return strew::v15::try_scatter_nd_update(pool, data, indices, updates, reduction, output);
    case operation::index_reduce:
      return strew::try_index_reduce(pool, data, axis, indices, updates, reduction, output);
    case operation::put:
      return strew::try_put(pool, data, indices, updates, reduction, output);
    case operation::scatter_update:
      return strew::try_scatter_update(pool, data, indices, updates, what.axis, output);
    case operation::scatter_elements_update:
      return strew::try_scatter_elements_update(pool, data, indices, updates, what.axis, output);
    default:
      return strew::onnx::try_scatter(pool, data, indices, updates, what.axis, output);
  }
}

}  // namespace strew_npy
