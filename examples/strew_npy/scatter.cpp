// SPDX-License-Identifier: Apache-2.0
// From files to views to the operators. Element types known at run time become types known at compile time here, five
// widths for elements and eight integers for indices.
#include "scatter.hpp"

#include "file_error.hpp"
#include "npy_file.hpp"
#include "output_file.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

namespace strew_npy {
namespace {

// An element that is moved and never looked at. So one type serves all element types of a width and both byte orders,
// and, being bytes, it may lie at any address, whatever its file's header says.
template <std::size_t Width>
struct opaque {
  std::byte bytes[Width];
};

struct operands {
  const npy_file& data;
  const npy_file* indices;  // null for slice_scatter
  const npy_file& updates;
  std::span<std::byte> output;  // the elements; those of data itself when in place
};

// Indices are numbers, so here byte order and alignment count. Files that are not as this machine needs them, which
// are few and seldom big, are read into memory.
template <class I>
std::vector<I> native_indices(const npy_file& file) try {
  const std::span<const std::byte> from = file.element_bytes();
  std::vector<I> indices(from.size() / sizeof(I));
  if (indices.empty()) return indices;
  std::memcpy(indices.data(), from.data(), from.size());
  if (file.element().order != std::endian::native) {
    auto* const bytes = reinterpret_cast<std::byte*>(indices.data());
    for (std::size_t at = 0; at < from.size(); at += sizeof(I)) std::reverse(bytes + at, bytes + at + sizeof(I));
  }
  return indices;
} catch (const std::bad_alloc&) {
  throw file_error(file.path(), "not enough memory to swap or align its indices");
}

// Calls body(view of the indices).
template <class I, class Body>
strew::status with_indices_of(const npy_file& file, const Body& body) {
  const std::span<std::byte> bytes = file.element_bytes();
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(I) == 0;
  if (aligned && file.element().order == std::endian::native) return body(view_of<const I>(bytes, file.layout()));
  std::vector<I> copy = native_indices<I>(file);
  return body(view_of<const I>(std::as_writable_bytes(std::span(copy)), file.layout()));
}

template <class Body>
strew::status with_indices(const npy_file& file, const Body& body) {
  const bool is_signed = file.element().kind == element_kind::signed_integer;
  switch (file.element().width) {
    case 1:
      return is_signed ? with_indices_of<std::int8_t>(file, body) : with_indices_of<std::uint8_t>(file, body);
    case 2:
      return is_signed ? with_indices_of<std::int16_t>(file, body) : with_indices_of<std::uint16_t>(file, body);
    case 4:
      return is_signed ? with_indices_of<std::int32_t>(file, body) : with_indices_of<std::uint32_t>(file, body);
    default:
      return is_signed ? with_indices_of<std::int64_t>(file, body) : with_indices_of<std::uint64_t>(file, body);
  }
}

template <std::size_t Width>
strew::status scatter_elements_of(const command& what, const operands& on) {
  const auto data = view_of<const opaque<Width>>(on.data.element_bytes(), on.data.layout());
  const auto updates = view_of<const opaque<Width>>(on.updates.element_bytes(), on.updates.layout());
  const auto output = view_of<opaque<Width>>(on.output, on.data.layout());
  switch (what.op) {
    case operation::slice_scatter:
      return strew::try_slice_scatter(data, updates, what.slice, output);
    case operation::scatter_update:
      return with_indices(*on.indices, [&](const auto& indices) {
        return strew::try_scatter_update(data, indices, updates, what.axis, output);
      });
    case operation::scatter_elements_update:
      return with_indices(*on.indices, [&](const auto& indices) {
        return strew::try_scatter_elements_update(data, indices, updates, what.axis, output);
      });
    default:
      return with_indices(*on.indices, [&](const auto& indices) {
        return strew::onnx::try_scatter(data, indices, updates, what.axis, output);
      });
  }
}

strew::status scatter(const command& what, const operands& on) {
  switch (on.data.element().width) {
    case 1:
      return scatter_elements_of<1>(what, on);
    case 2:
      return scatter_elements_of<2>(what, on);
    case 4:
      return scatter_elements_of<4>(what, on);
    case 8:
      return scatter_elements_of<8>(what, on);
    default:
      return scatter_elements_of<16>(what, on);
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
