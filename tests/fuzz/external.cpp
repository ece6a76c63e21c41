// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries with whatever is in DLPack's fields, and tensors of run-time types from strides in bytes
// and elements of any size. Refused are those that the rules forbid, each with an error that names one of its faults;
// from the others come the address, type, extents and strides that they have. Operators on these are compared with the
// oracle.
#include "arena.hpp"
#include "layout_rules.hpp"
#include "support/dl_tensor.hpp"

#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <optional>

namespace strew::test {
namespace {

using dynamic::const_tensor;
using dynamic::element_kind;
using dynamic::element_type;
using dynamic::index_tensor;
using dynamic::tensor;

struct managed_tensor {
  ::dl_tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(managed_tensor*);
};
struct versioned_tensor {
  struct {
    std::uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(versioned_tensor*);
  std::uint64_t flags;
  ::dl_tensor dl_tensor;
};

// The faults of a tensor; any of them may be the one that is reported.
using faults = std::vector<errc>;

void check_outcome(const char* what, const status& outcome, const faults& expected) {
  check_message(outcome);
  const bool is_right =
      outcome.ok() ? expected.empty() : std::find(expected.begin(), expected.end(), outcome.code()) != expected.end();
  if (!is_right) fail(std::string(what) + " with " + std::to_string(expected.size()) + " faults", outcome);
}

// A tensor of another library.
struct external {
  operand of;  // its elements, if it is accepted
  element_type type;
  bool has_strides = true;
  bool is_read_only = false;
  bool is_empty = false;
  faults found;
  std::vector<std::int64_t> shape;  // what the structure points to, no entry more
  std::vector<std::int64_t> strides;
  versioned_tensor fields{};
  std::int64_t form = 0;  // plain, managed, versioned
};

element_kind kind_of(std::int64_t code) {
  static constexpr element_kind kinds[] = {
      element_kind::signed_integer, element_kind::unsigned_integer, element_kind::floating_point, element_kind::opaque,
      element_kind::brain_float,    element_kind::complex,          element_kind::boolean};
  return code < 7 ? kinds[code] : element_kind::opaque;
}

external draw_external(random_source& random, std::int64_t element_size, std::int64_t code) {
  external result;
  result.of = draw_operand(random, element_size);
  const auto wrong = [&](std::int64_t one_in) { return random.one_in(one_in); };
  const auto add = [&](bool is_fault, errc fault) {
    if (is_fault) result.found.push_back(fault);
  };
  ::dl_tensor& fields = result.fields.dl_tensor;
  result.form = random.below(3);
  std::int64_t ndim = static_cast<std::int64_t>(result.of.extents.size());
  if (wrong(32)) ndim = random.one_in(2) ? random.between(-2, max_rank + 2) : static_cast<std::int32_t>(random.any());
  const std::int64_t rank = std::clamp<std::int64_t>(ndim, 0, max_rank);
  while (static_cast<std::int64_t>(result.of.extents.size()) > rank) {
    result.of.extents.pop_back(), result.of.strides.pop_back();
  }
  while (static_cast<std::int64_t>(result.of.extents.size()) < rank) {
    result.of.extents.push_back(random.mostly_between(0, 2)), result.of.strides.push_back(random.mostly_between(-9, 9));
  }
  result.shape = result.of.extents;
  result.strides = result.of.strides;
  result.has_strides = !random.one_in(4);
  fields.ndim = static_cast<int>(ndim);
  fields.shape = wrong(32) ? nullptr : result.shape.data();
  fields.strides = result.has_strides ? result.strides.data() : nullptr;
  fields.device.device_type = wrong(16) ? static_cast<int>(random.mostly_between(-1, 20)) : 1;
  fields.dtype.code = static_cast<std::uint8_t>(code);
  fields.dtype.bits = static_cast<std::uint8_t>(wrong(32) ? random.below(256) : 8 * element_size);
  fields.dtype.lanes = static_cast<std::uint16_t>(wrong(32) ? random.any() : 1);
  fields.byte_offset = random.one_in(2) ? 0 : static_cast<std::uint64_t>(random.any());
  // The sum is the address, though neither part need be one.
  fields.data = wrong(32) ? nullptr
                          : reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(result.of.data()) -
                                                    static_cast<std::uintptr_t>(fields.byte_offset));
  result.fields.version.major = static_cast<std::uint32_t>(wrong(16) ? random.any() : 1);
  result.fields.version.minor = static_cast<std::uint32_t>(random.below(3));
  result.fields.flags = static_cast<std::uint64_t>(wrong(8) ? random.any() : 0);
  result.fields.deleter = [](versioned_tensor*) { fail("the deleter is called"); };

  const int device = fields.device.device_type;
  result.of.element_size = std::max(fields.dtype.bits / 8, 1);
  result.type = {kind_of(code), result.of.element_size};
  if (!result.has_strides) result.of.strides = row_major(result.of.extents);
  add(result.form == 2 && result.fields.version.major != 1, errc::type_mismatch);
  add(device != 1 && device != 3 && device != 11, errc::unreachable_memory);
  add(fields.dtype.lanes != 1 || fields.dtype.bits < 8 || fields.dtype.bits % 8 != 0, errc::type_mismatch);
  add(ndim != rank, errc::too_many_axes);
  add(rank > 0 && fields.shape == nullptr, errc::null_data);
  for (const std::int64_t extent : result.of.extents) result.is_empty = result.is_empty || extent == 0;
  coordinate strides = result.of.strides;
  if (!result.has_strides) {
    // Row-major ones of extents that hold too many elements would be larger than these.
    wide stride = 1;
    for (std::size_t k = strides.size(); k-- > 0;) {
      strides[k] = static_cast<std::int64_t>(std::min(stride, wide(std::numeric_limits<std::int64_t>::max())));
      result.of.strides[k] = strides[k];
      stride = std::min(stride * wide(std::max<std::int64_t>(result.of.extents[k], 1)), wide(1) << 63);
    }
  }
  const errc layout = code_of_layout(result.of.extents, strides, static_cast<std::size_t>(result.of.element_size));
  add(layout != errc::ok, layout);
  add(fields.data == nullptr && !result.is_empty, errc::null_data);
  result.is_read_only = result.form == 2 && (result.fields.flags & 1) != 0;
  return result;
}

// Calls body(tensor) with the structure in the form that was drawn.
template <class Body>
status with_structure(const external& from, const Body& body) {
  if (from.form == 0) return body(from.fields.dl_tensor);
  if (from.form == 2) return body(from.fields);
  return body(managed_tensor{from.fields.dl_tensor, nullptr, [](managed_tensor*) { fail("the deleter is called"); }});
}

void check_operand(const external& of, const void* data, const strided_layout& layout) {
  const bool is_null = of.fields.dl_tensor.data == nullptr;
  if (!is_null && data != of.of.data()) fail("another address");
  if (!(layout.extents() == index_list(of.of.extents)) || !(layout.strides() == index_list(of.of.strides))) {
    fail("another layout");
  }
}

// Typed views of the same tensor.
template <class T>
void check_view(const external& from) {
  tensor_view<T> view;
  const status outcome = with_structure(from, [&](const auto& structure) { return try_as_view<T>(structure, view); });
  faults expected = from.found;
  const element_type wanted = dynamic::element_type_of<T>;
  const bool is_kind = wanted.kind == element_kind::opaque || wanted.kind == from.type.kind;
  if (!is_kind || wanted.size != from.type.size) expected.push_back(errc::type_mismatch);
  if (from.is_read_only && !std::is_const_v<T>) expected.push_back(errc::unreachable_memory);
  if (from.fields.dl_tensor.data != nullptr && static_cast<std::size_t>(from.of.at) % alignof(T) != 0) {
    expected.push_back(errc::unreachable_memory);
  }
  check_outcome("as_view", outcome, expected);
  if (outcome.ok()) check_operand(from, view.data(), view.layout());
}

template <class Tensor>
bool accept(const external& from, Tensor& result) {
  faults expected = from.found;
  if (std::is_same_v<Tensor, tensor> && from.is_read_only) expected.push_back(errc::unreachable_memory);
  const bool is_integer =
      from.type.kind == element_kind::signed_integer || from.type.kind == element_kind::unsigned_integer;
  const bool is_index = is_integer && from.type.size <= 8 && (from.type.size & (from.type.size - 1)) == 0;
  if (std::is_same_v<Tensor, index_tensor> && !is_index) expected.push_back(errc::type_mismatch);
  const status outcome = with_structure(from, [&](const auto& structure) {
    if constexpr (std::is_same_v<Tensor, tensor>) {
      return dynamic::try_as_tensor(structure, result);
    } else if constexpr (std::is_same_v<Tensor, const_tensor>) {
      return dynamic::try_as_const_tensor(structure, result);
    } else {
      return dynamic::try_as_index_tensor(structure, result);
    }
  });
  check_outcome("a tensor", outcome, expected);
  if (!outcome.ok()) return false;
  check_operand(from, result.data(), result.layout());
  if constexpr (std::is_same_v<Tensor, index_tensor>) {
    const bool is_signed = from.type.kind == element_kind::signed_integer;
    if ((result.type() < index_type::uint8) != is_signed) fail("another type of indices");
  } else if (!(result.type() == from.type)) {
    fail("another type");
  }
  return true;
}

// ---- Operators on what was accepted

void check_operators(random_source& random) {
  const std::int64_t element_size = random.one_in(4) ? random.between(1, 31) : std::int64_t{1} << random.below(4);
  const std::int64_t code = random.below(8);
  external data = draw_external(random, element_size, code);
  const std::int64_t index_size = std::int64_t{1} << random.below(4);
  external indices = draw_external(random, index_size, random.one_in(8) ? code : random.below(2));
  external updates = draw_external(random, element_size, random.one_in(16) ? random.below(9) : code);
  external output = random.one_in(2) ? data : draw_external(random, element_size, code);
  output.fields.dl_tensor.shape = output.fields.dl_tensor.shape == nullptr ? nullptr : output.shape.data();
  output.fields.dl_tensor.strides = output.has_strides ? output.strides.data() : nullptr;
  const std::int64_t axis = random.mostly_between(-4, 3);
  const bool is_rows = random.one_in(2);
  // Most calls have the shapes that the operator needs.
  const auto reshape = [&](external& of, const coordinate& extents) {
    if (of.of.extents == extents || !of.found.empty() || extents.size() > max_rank) return;
    of.of.extents = of.shape = extents;
    of.of.strides = of.strides = of.has_strides ? draw_strides(random, extents) : row_major(extents);
    of.fields.dl_tensor.ndim = static_cast<int>(extents.size());
    of.fields.dl_tensor.shape = of.shape.data();
    of.fields.dl_tensor.strides = of.has_strides ? of.strides.data() : nullptr;
    of.is_empty = std::find(extents.begin(), extents.end(), 0) != extents.end();
    const errc layout = code_of_layout(extents, of.of.strides, static_cast<std::size_t>(of.of.element_size));
    if (layout != errc::ok) of.found.push_back(layout);
    if (of.fields.dl_tensor.data == nullptr && !of.is_empty) of.found.push_back(errc::null_data);
  };
  const auto rank = static_cast<std::int64_t>(data.of.extents.size());
  const bool is_on_axis = axis >= -rank && axis < rank;
  if (is_on_axis && is_inside(data.of) && is_inside(indices.of) && !random.one_in(8)) {
    reshape(output, data.of.extents);
    reshape(updates,
            is_rows ? oracle::scatter_update_updates(data.of.extents, indices.of.extents, axis) : indices.of.extents);
  }
  const_tensor data_tensor;
  const_tensor updates_tensor;
  index_tensor indices_tensor;
  tensor output_tensor;
  check_view<const std::uint32_t>(data);
  check_view<float>(output);
  const bool has_data = accept(data, data_tensor);
  const bool has_updates = accept(updates, updates_tensor);
  const bool has_indices = accept(indices, indices_tensor);
  if (!accept(output, output_tensor) || !has_data || !has_updates || !has_indices) return;
  const auto has_memory = [](const external& of) { return is_inside(of.of) && of.fields.dl_tensor.data != nullptr; };
  if (!has_memory(data) || !has_memory(updates) || !has_memory(indices) || !has_memory(output)) return;

  fill_arena(random);
  if (is_on_axis) {
    put_legal_indices(random, indices.of, data.of.extents[oracle::axis_of(axis, data.of.extents.size())]);
  }
  const arena_bytes before = arena();
  const auto values = read_indices(before, indices.of, indices_tensor.type() < index_type::uint8);
  const status outcome = is_rows ? try_scatter_update(data_tensor, indices_tensor, updates_tensor, axis, output_tensor)
                                 : onnx::try_scatter(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
  check_message(outcome);
  if (!outcome.ok()) {
    if (arena() != before) fail("written in spite of an error", outcome);
    return;
  }
  const std::int64_t extent = data.of.extents[oracle::axis_of(axis, data.of.extents.size())];
  if (data.of.element_size != updates.of.element_size ||
      oracle::first_illegal(indices.of.extents, values, extent, !is_rows)) {
    fail("types or indices were not checked");
  }
  check_moves(before, data.of, updates.of, output.of,
              is_rows ? oracle::scatter_update(data.of.extents, indices.of.extents, values, axis)
                      : oracle::scatter_elements(data.of.extents, indices.of.extents, values, axis));
}

// ---- Strides in bytes

void check_byte_strides(random_source& random) {
  const std::int64_t size = random.one_in(4) ? random.any() : random.between(0, 9);
  coordinate extents;
  coordinate byte_strides;
  const std::int64_t rank = random.one_in(16) ? random.between(0, max_rank + 2) : random.below(5);
  for (std::int64_t k = 0; k < rank; ++k) extents.push_back(random.mostly_between(-1, 6));
  const std::int64_t count = random.one_in(16) ? random.between(0, max_rank + 2) : rank;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto multiple =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(random.between(-9, 9)) * static_cast<std::uint64_t>(size));
    byte_strides.push_back(random.one_in(8) ? random.mostly_between(-64, 64) : multiple);
  }
  const bool is_null = random.one_in(8);
  faults expected;
  coordinate strides = byte_strides;
  if (size < 1) expected.push_back(errc::type_mismatch);
  for (std::size_t k = 0; k < strides.size() && size > 0; ++k) {
    if (k < extents.size() && extents[k] <= 1) strides[k] = 0;
    if (strides[k] % size != 0) expected.push_back(errc::misaligned_stride);
    strides[k] /= size;
  }
  bool is_empty = false;
  for (const std::int64_t extent : extents) is_empty = is_empty || extent == 0;
  const errc layout = code_of_layout(extents, strides, static_cast<std::size_t>(std::max<std::int64_t>(size, 1)));
  if (layout != errc::ok) expected.push_back(layout);
  if (extents.size() > max_rank || byte_strides.size() > max_rank) expected.push_back(errc::too_many_axes);
  if (is_null && !is_empty) expected.push_back(errc::null_data);
  std::byte* const data = is_null ? nullptr : arena().data();
  tensor result;
  const status outcome =
      tensor::try_make_from_byte_strides(data, {element_kind::opaque, size}, extents, byte_strides, result);
  check_outcome("strides in bytes", outcome, expected);
  if (!outcome.ok()) return;
  if (result.data() != data || result.type().size != size || !(result.extents() == index_list(extents)) ||
      !(result.strides() == index_list(strides))) {
    fail("another tensor than its strides in bytes");
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  if (random.one_in(8)) {
    strew::test::check_byte_strides(random);
  } else {
    strew::test::check_operators(random);
  }
  return 0;
}
