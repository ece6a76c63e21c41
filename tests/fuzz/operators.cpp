// SPDX-License-Identifier: Apache-2.0
// Operators on whatever layouts, overlaps, axes and indices libFuzzer comes up with, in one block of memory.
// After an error no byte may have changed; after success the output must be what the oracle's loops say, and no other
// byte may have changed.
#include "support/oracle.hpp"

#include <fuzzer/FuzzedDataProvider.h>
#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using strew::index_type;
using strew::status;
using strew::test::coordinate;
using strew::test::for_each_coordinate;
using strew::test::offset_of;

constexpr std::size_t memory_size = 65536;
using memory_block = std::array<std::byte, memory_size>;

struct operand {
  std::int64_t at = 0;  // of the coordinate 0, a byte of the memory
  std::int64_t element_size = 1;
  coordinate extents;
  coordinate strides;  // in elements

  [[nodiscard]] std::int64_t offset(const coordinate& where) const {
    return at + offset_of(where, strides) * element_size;
  }
  // The bytes of an element in a block, as a number.
  [[nodiscard]] std::uint64_t element(const memory_block& memory, const coordinate& where) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory.data() + offset(where), static_cast<std::size_t>(element_size));
    return bits;
  }
};

[[noreturn]] void fail(const char* why, const status& outcome) {
  std::fprintf(stderr, "%s: %s\n", why, outcome.ok() ? "ok" : outcome.message().c_str());
  std::abort();
}

std::int64_t draw_number(FuzzedDataProvider& from, std::int64_t least, std::int64_t most) {
  return from.ConsumeIntegralInRange(0, 63) == 0 ? from.ConsumeIntegral<std::int64_t>()
                                                 : from.ConsumeIntegralInRange(least, most);
}

coordinate row_major(const coordinate& extents) {
  coordinate strides(extents.size());
  std::uint64_t stride = 1;
  for (std::size_t k = extents.size(); k-- > 0;) {
    strides[k] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(extents[k]);
  }
  return strides;
}

// Dense with the axes in any order in memory, or any strides.
coordinate draw_strides(FuzzedDataProvider& from, const coordinate& extents) {
  coordinate strides = row_major(extents);
  switch (from.ConsumeIntegralInRange(0, 2)) {
    case 0:
      break;
    case 1: {
      std::uint64_t stride = 1;
      std::vector<std::size_t> left;
      for (std::size_t k = 0; k < extents.size(); ++k) left.push_back(k);
      while (!left.empty()) {
        const auto next = from.ConsumeIntegralInRange<std::size_t>(0, left.size() - 1);
        strides[left[next]] = static_cast<std::int64_t>(stride);
        stride *= static_cast<std::uint64_t>(extents[left[next]]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
      }
      break;
    }
    default:
      for (std::int64_t& stride : strides) stride = draw_number(from, -40, 40);
      break;
  }
  return strides;
}

operand draw_operand(FuzzedDataProvider& from, std::int64_t element_size) {
  operand result;
  result.element_size = element_size;
  result.at = from.ConsumeIntegralInRange<std::int64_t>(0, std::int64_t{memory_size} - element_size);
  const int rank = from.ConsumeIntegralInRange(0, 4);
  const bool is_small = from.ConsumeBool();
  for (int k = 0; k < rank; ++k) {
    static constexpr std::int64_t some[] = {2, 4, 12, 17, 33};
    result.extents.push_back(is_small ? draw_number(from, 0, 6) : from.PickValueInArray(some));
  }
  result.strides = draw_strides(from, result.extents);
  return result;
}

// Whether all elements lie in the memory; callers vouch for that.
bool is_inside(const operand& of) {
  std::int64_t count = 1;
  for (const std::int64_t extent : of.extents) {
    if (extent < 0 || extent > 64 || (count *= extent) > 20000) return false;
  }
  for (const std::int64_t stride : of.strides) {
    if (stride > 65536 || stride < -65536) return false;
  }
  bool inside = true;
  for_each_coordinate(of.extents, [&](const coordinate& where) {
    const std::int64_t offset = of.offset(where);
    inside = inside && offset >= 0 && offset + of.element_size <= static_cast<std::int64_t>(memory_size);
  });
  return inside;
}

std::vector<std::int64_t> read_indices(const memory_block& memory, const operand& from, bool is_signed) {
  std::vector<std::int64_t> result;
  for_each_coordinate(from.extents, [&](const coordinate& where) {
    const std::uint64_t bits = from.element(memory, where);
    const auto unused = static_cast<unsigned>(64 - 8 * from.element_size);
    const auto value =
        is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
    result.push_back(!is_signed && value < 0 ? INT64_MAX : value);
  });
  return result;
}

// Compares what a call left with what the oracle says of what was there before.
void check(const memory_block& before, const memory_block& after, const operand& data, const operand& updates,
           const operand& output, const oracle::provenance& provenance, const status& outcome) {
  std::vector<std::uint64_t> sources;
  for_each_coordinate(updates.extents, [&](const coordinate& w) { sources.push_back(updates.element(before, w)); });
  memory_block expected = before;
  std::size_t position = 0;
  for_each_coordinate(data.extents, [&](const coordinate& where) {
    const std::int64_t source = provenance[position++];
    const std::uint64_t bits =
        source == oracle::kept ? data.element(before, where) : sources[static_cast<std::size_t>(source)];
    std::memcpy(expected.data() + output.offset(where), &bits, static_cast<std::size_t>(output.element_size));
  });
  if (expected != after) fail("not what the oracle says", outcome);
}

strew::index_list list_of(const coordinate& numbers) {
  return strew::index_list(numbers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider from(bytes, size);
  const int operation = from.ConsumeIntegralInRange(0, 3);
  const auto element_size = from.ConsumeIntegralInRange<std::int64_t>(1, 8);
  const auto index = static_cast<index_type>(from.ConsumeIntegralInRange(0, 7));
  const operand data = draw_operand(from, element_size);
  operand updates = draw_operand(from, element_size);
  const operand indices = draw_operand(from, strew::dynamic::size_of(index));
  operand output = from.ConsumeBool() ? data : draw_operand(from, element_size);
  const std::int64_t axis = draw_number(from, -4, 3);
  strew::slice_spec spec;
  std::vector<oracle::slice> slices;
  const int slice_count = from.ConsumeIntegralInRange(0, 3);
  spec.axes = {};
  for (int k = 0; k < slice_count; ++k) {
    const std::int64_t start = draw_number(from, -8, 8);
    const std::int64_t stop = draw_number(from, -8, 8);
    const std::int64_t step = draw_number(from, -3, 3);
    const std::int64_t on = draw_number(from, -4, 3);
    spec.start.push_back(start);
    spec.stop.push_back(stop);
    spec.step.push_back(step);
    spec.axes.push_back(on);
    slices.push_back({start, stop, step, on});
  }
  // Most calls are to be legal in their shapes.
  const auto reshape = [&](operand& of, const coordinate& extents) {
    of.extents = extents;
    of.strides = draw_strides(from, extents);
  };
  const auto rank = static_cast<std::int64_t>(data.extents.size());
  const bool is_on_axis = axis >= -rank && axis < rank;
  if (from.ConsumeIntegralInRange(0, 7) > 0) {
    if (output.extents != data.extents) reshape(output, data.extents);
    if (operation == 0 && is_inside(data)) {
      bool are_legal = true;
      for (const oracle::slice& s : slices) are_legal = are_legal && s.axis >= -rank && s.axis < rank && !(s.step == 0);
      if (are_legal) reshape(updates, oracle::slice_scatter_updates(data.extents, slices));
    } else if (operation == 1 && is_on_axis) {
      reshape(updates, oracle::scatter_update_updates(data.extents, indices.extents, axis));
    } else if (operation > 1) {
      reshape(updates, indices.extents);
    }
  }
  for (const operand* each : {static_cast<const operand*>(&data), static_cast<const operand*>(&updates), &indices,
                              static_cast<const operand*>(&output)}) {
    for (const std::int64_t extent : each->extents) {
      if (extent < 0) return 0;  // try_make's tests have those
    }
  }

  const bool has_legal_indices = from.ConsumeIntegralInRange(0, 3) > 0;
  static memory_block memory;
  const std::vector<std::uint8_t> rest = from.ConsumeRemainingBytes<std::uint8_t>();
  for (std::size_t k = 0; k < memory_size; ++k) {
    memory[k] = static_cast<std::byte>(rest.empty() ? k : rest[k % rest.size()]);
  }
  if (is_on_axis && is_inside(indices) && has_legal_indices) {
    std::uint64_t number = 0;
    const std::int64_t extent = data.extents[oracle::axis_of(axis, data.extents.size())];
    for_each_coordinate(indices.extents, [&](const coordinate& where) {
      const std::uint64_t legal = extent < 1 ? 0 : (number++ * 5 + rest.size()) % static_cast<std::uint64_t>(extent);
      std::memcpy(memory.data() + indices.offset(where), &legal, static_cast<std::size_t>(indices.element_size));
    });
  }
  const memory_block before = memory;

  using strew::dynamic::const_tensor;
  using strew::dynamic::element_kind;
  using strew::dynamic::index_tensor;
  using strew::dynamic::tensor;
  const strew::dynamic::element_type element{element_kind::opaque, element_size};
  const_tensor data_tensor;
  const_tensor updates_tensor;
  index_tensor indices_tensor;
  tensor output_tensor;
  if (!const_tensor::try_make(memory.data() + data.at, element, list_of(data.extents), list_of(data.strides),
                              data_tensor)
           .ok() ||
      !const_tensor::try_make(memory.data() + updates.at, element, list_of(updates.extents), list_of(updates.strides),
                              updates_tensor)
           .ok() ||
      !index_tensor::try_make(memory.data() + indices.at, index, list_of(indices.extents), list_of(indices.strides),
                              indices_tensor)
           .ok() ||
      !tensor::try_make(memory.data() + output.at, element, list_of(output.extents), list_of(output.strides),
                        output_tensor)
           .ok()) {
    return 0;
  }
  if (!is_inside(data) || !is_inside(updates) || !is_inside(indices) || !is_inside(output)) return 0;

  const bool is_signed = index < index_type::uint8;
  const std::vector<std::int64_t> values = read_indices(before, indices, is_signed);
  status outcome;
  switch (operation) {
    case 0:
      outcome = strew::try_slice_scatter(data_tensor, updates_tensor, spec, output_tensor);
      break;
    case 1:
      outcome = strew::try_scatter_update(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
    case 2:
      outcome = strew::try_scatter_elements_update(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
    default:
      outcome = strew::onnx::try_scatter(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
  }
  if (!outcome.ok()) {
    if (outcome.message().view().empty()) fail("no message", outcome);
    if (memory != before) fail("written in spite of an error", outcome);
    return 0;
  }
  if (data.extents.empty() || data.extents != output.extents) fail("a rank or a shape was not checked", outcome);
  if (operation == 0) {
    if (updates.extents != oracle::slice_scatter_updates(data.extents, slices)) fail("updates' shape", outcome);
    check(before, memory, data, updates, output, oracle::slice_scatter(data.extents, slices), outcome);
    return 0;
  }
  const std::int64_t extent = data.extents[oracle::axis_of(axis, data.extents.size())];
  if (oracle::first_illegal(indices.extents, values, extent, operation == 3)) fail("an illegal index", outcome);
  check(before, memory, data, updates, output,
        operation == 1 ? oracle::scatter_update(data.extents, indices.extents, values, axis)
                       : oracle::scatter_elements(data.extents, indices.extents, values, axis),
        outcome);
  return 0;
}
