// SPDX-License-Identifier: Apache-2.0
// From files to tensors to the operators. What a file holds is known at run time only, which strew/dynamic.hpp is for.
#include "scatter.hpp"

#include "file_error.hpp"
#include "npy_file.hpp"
#include "output_file.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strew_npy {
namespace {

struct operands {
  const npy_file& data;
  const npy_file* indices;  // null for slice_scatter
  const npy_file& updates;
  std::span<std::byte> output;  // the elements; those of data itself when in place
};

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
    throw file_error(file.path(), "is " + to_string(file.element()) + ", which is moved but not reduced");
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

strew::dynamic::const_tensor input_of(const npy_file& file, const command& what) {
  return {file.element_bytes().data(), element_of(file, what), file.layout().extents(), file.layout().strides()};
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

// The bytes of the indices in this machine's order. Indices are numbers, so here the order counts; files of the other
// one, which are few and seldom big, are read into memory.
std::vector<std::byte> swapped_indices(const npy_file& file) try {
  const std::span<const std::byte> from = file.element_bytes();
  std::vector<std::byte> bytes(from.begin(), from.end());
  const auto width = static_cast<std::ptrdiff_t>(file.element().width);
  for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
  return bytes;
} catch (const std::bad_alloc&) {
  throw file_error(file.path(), "not enough memory to swap its indices");
}

strew::status scatter(const command& what, const operands& on) {
  const strew::dynamic::const_tensor data = input_of(on.data, what);
  const strew::dynamic::const_tensor updates = input_of(on.updates, what);
  const strew::dynamic::tensor output{on.output.data(), data.type(), data.extents(), data.strides()};
  if (what.op == operation::slice_scatter) return strew::try_slice_scatter(data, updates, what.slice, output);

  const npy_file& file = *on.indices;
  const bool is_native = file.element().order == std::endian::native;
  const std::vector<std::byte> swapped = is_native ? std::vector<std::byte>{} : swapped_indices(file);
  const strew::dynamic::index_tensor indices{is_native ? file.element_bytes().data() : swapped.data(),
                                             index_type_of(file.element()), file.layout().extents(),
                                             file.layout().strides()};
  const strew::dynamic::reduction reduction{what.reduction, !what.without_init};
  const std::int64_t axis = what.axis[0];
  switch (what.op) {
    case operation::scatter_elements:
      return strew::v12::try_scatter_elements_update(data, indices, updates, axis, reduction, output);
    case operation::scatter_nd:
      return strew::v15::try_scatter_nd_update(data, indices, updates, reduction, output);
    case operation::index_reduce:
      return strew::try_index_reduce(data, axis, indices, updates, reduction, output);
    case operation::put:
      return strew::try_put(data, indices, updates, reduction, output);
    case operation::scatter_update:
      return strew::try_scatter_update(data, indices, updates, what.axis, output);
    case operation::scatter_elements_update:
      return strew::try_scatter_elements_update(data, indices, updates, what.axis, output);
    default:
      return strew::onnx::try_scatter(data, indices, updates, what.axis, output);
  }
}

// The operators convert nothing, so the updates' bits must mean what data's do, their byte order included.
void check_types(const npy_file& data, const npy_file* indices, const npy_file& updates) {
  if (updates.element() != data.element()) {
    throw file_error(updates.path(), "is " + to_string(updates.element()) + ", but " + data.path() + " is " +
                                         to_string(data.element()) + " (elements are not converted)");
  }
  if (indices == nullptr) return;
  const element_kind kind = indices->element().kind;
  if (kind != element_kind::signed_integer && kind != element_kind::unsigned_integer) {
    throw file_error(indices->path(), "is " + to_string(indices->element()) + "; indices are integers");
  }
}

// Two mappings of one file have different addresses: the operators could not see that they overlap.
void check_apart(const npy_file& data, const npy_file* input) {
  if (input != nullptr && data.file().is_same_file(input->file())) {
    throw file_error(input->path(), "is the same file as data, which --in-place changes while it is read");
  }
}

// Blames the file of the operand that the operator's message is about.
[[noreturn]] void fail(const strew::status& outcome, const operands& on) {
  const std::string_view operand = outcome.operand();
  const npy_file& blamed = operand == "updates"                            ? on.updates
                           : operand == "indices" && on.indices != nullptr ? *on.indices
                                                                           : on.data;
  throw file_error(blamed.path(), outcome.message().c_str());
}

void scatter_or_fail(const command& what, const operands& on) {
  const strew::status outcome = scatter(what, on);
  if (!outcome.ok()) fail(outcome, on);
}

}  // namespace

std::string run(const command& what) {
  const npy_file data(what.data, what.in_place ? access::read_write : access::read);
  std::optional<npy_file> indices_file;
  if (what.op != operation::slice_scatter) indices_file.emplace(what.indices, access::read);
  const npy_file* const indices = indices_file ? &*indices_file : nullptr;
  const npy_file updates(what.updates, access::read);
  check_types(data, indices, updates);

  if (what.in_place) {
    check_apart(data, indices);
    check_apart(data, &updates);
    data.file().fill_holes();
    scatter_or_fail(what, {data, indices, updates, data.element_bytes()});
  } else {
    output_file output(what.output, data.file().bytes().size());
    const std::span<std::byte> header = data.header_bytes();
    std::copy(header.begin(), header.end(), output.bytes().begin());
    scatter_or_fail(what, {data, indices, updates, output.bytes().subspan(header.size())});
    output.commit();
  }
  return (what.in_place ? what.data : what.output) + ": " + to_string(data.element()) + ' ' +
         to_string(data.layout().extents()) + ", " + std::to_string(updates.layout().size()) + " elements from " +
         what.updates;
}

}  // namespace strew_npy
