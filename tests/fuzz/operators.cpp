// SPDX-License-Identifier: Apache-2.0
// Operators on whatever layouts, overlaps, axes, indices, offsets of segments and numbers libFuzzer comes up with, in
// one block of memory. After an error no byte may have changed; after success the output must be what the oracle's
// loops say, and no other byte may have changed.
#include "arena.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

namespace strew::test {
namespace {

using dynamic::const_tensor;
using dynamic::element_type;
using dynamic::index_tensor;
using dynamic::tensor;

// Integers as elements of a tensor.
element_type element_type_of(index_type integers) {
  const bool is_signed = integers < index_type::uint8;
  return {is_signed ? dynamic::element_kind::signed_integer : dynamic::element_kind::unsigned_integer,
          dynamic::size_of(integers)};
}

// The indices for which the offsets of segments stand.
std::vector<std::int64_t> expanded(const std::vector<std::int64_t>& offsets, std::int64_t updates) {
  if (offsets.front() != 0 || offsets.back() != updates) fail("the first or the last offset was not checked");
  std::vector<std::int64_t> indices;
  for (std::size_t s = 1; s < offsets.size(); ++s) {
    if (offsets[s] < offsets[s - 1]) fail("an illegal offset");
    indices.resize(static_cast<std::size_t>(offsets[s]), static_cast<std::int64_t>(s) - 1);
  }
  return indices;
}

// Compares numbers with the oracle's, and leaves what was there before them.
void check_numbers(const arena_bytes& before, const operand& data, const operand& updates, const operand& numbers,
                   std::size_t axis, const oracle::provenance& provenance) {
  if (numbers.extents != data.extents) fail("the shape of numbers");
  std::int64_t lanes = 1;
  for (std::size_t k = axis + 1; k < updates.extents.size(); ++k) lanes *= updates.extents[k];
  std::size_t position = 0;
  for_each_coordinate(data.extents, [&](const coordinate& where) {
    const std::int64_t update = provenance[position++];
    const std::int64_t number = update == oracle::kept ? -1 : update / lanes % updates.extents[axis];
    std::byte* const found = arena().data() + numbers.offset(where);
    const auto size = static_cast<std::size_t>(numbers.element_size);
    if (std::memcmp(found, &number, size) != 0) fail("not the number that the oracle says");
    std::memcpy(found, before.data() + numbers.offset(where), size);
  });
}

void run_one(random_source& random) {
  const std::int64_t operation = random.below(6);
  const bool has_segments = operation == 4;
  const bool has_numbers = operation == 5;
  const std::int64_t element_size = random.between(1, 8);
  const auto index = static_cast<index_type>(random.below(8));
  const operand data = draw_operand(random, element_size);
  operand updates = draw_operand(random, element_size);
  operand indices = draw_operand(random, dynamic::size_of(index));
  const auto number = static_cast<index_type>(has_numbers ? random.below(8) : 0);
  operand numbers = has_numbers ? draw_operand(random, dynamic::size_of(number)) : indices;
  const std::int64_t length = has_segments ? random.below(4) : 0;  // of each segment
  operand output = random.one_in(2) ? data : draw_operand(random, element_size);
  const std::int64_t axis = random.mostly_between(-4, 3);
  slice_spec spec;
  std::vector<oracle::slice> slices;
  spec.axes = {};
  for (std::int64_t k = random.below(4); k > 0; --k) {
    const std::int64_t start = random.mostly_between(-8, 8);
    const std::int64_t stop = random.mostly_between(-8, 8);
    const std::int64_t step = random.mostly_between(-3, 3);
    const std::int64_t on = random.mostly_between(-4, 3);
    spec.start.push_back(start);
    spec.stop.push_back(stop);
    spec.step.push_back(step);
    spec.axes.push_back(on);
    slices.push_back({start, stop, step, on});
  }
  // Most calls are to be legal in their shapes.
  const auto reshape = [&](operand& of, const coordinate& extents) {
    of.extents = extents;
    of.strides = draw_strides(random, extents);
  };
  const auto rank = static_cast<std::int64_t>(data.extents.size());
  const bool is_on_axis = axis >= -rank && axis < rank;
  if (!random.one_in(8)) {
    if (output.extents != data.extents) reshape(output, data.extents);
    if (operation == 0 && is_inside(data)) {
      bool are_legal = true;
      for (const oracle::slice& s : slices) are_legal = are_legal && s.axis >= -rank && s.axis < rank && !(s.step == 0);
      if (are_legal) reshape(updates, oracle::slice_scatter_updates(data.extents, slices));
    } else if (operation == 1 && is_on_axis) {
      reshape(updates, oracle::scatter_update_updates(data.extents, indices.extents, axis));
    } else if (has_segments && is_on_axis && is_inside(data)) {
      coordinate extents = data.extents;
      std::int64_t& along = extents[oracle::axis_of(axis, extents.size())];
      reshape(indices, {along + 1});
      along *= length;
      reshape(updates, extents);
    } else if (operation > 1) {
      reshape(updates, indices.extents);
    }
    if (has_numbers) reshape(numbers, data.extents);
  }
  const bool has_legal_indices = !random.one_in(4);
  fill_arena(random);
  if (has_segments && is_inside(indices) && has_legal_indices) {
    std::int64_t offset = 0;
    for_each_coordinate(indices.extents, [&](const coordinate& where) {
      std::memcpy(arena().data() + indices.offset(where), &offset, static_cast<std::size_t>(indices.element_size));
      offset += length;
    });
  } else if (is_on_axis && is_inside(indices) && has_legal_indices) {
    put_legal_indices(random, indices, data.extents[oracle::axis_of(axis, data.extents.size())]);
  }
  const arena_bytes before = arena();

  const element_type element{dynamic::element_kind::opaque, element_size};
  const_tensor data_tensor;
  const_tensor updates_tensor;
  index_tensor indices_tensor;
  tensor output_tensor;
  tensor numbers_tensor;
  const auto make = [&](const operand& of, auto type, auto& result) {
    return std::remove_reference_t<decltype(result)>::try_make(of.data(), type, of.extents, of.strides, result).ok();
  };
  if (!make(data, element, data_tensor) || !make(updates, element, updates_tensor) ||
      !make(indices, index, indices_tensor) || !make(output, element, output_tensor) ||
      !make(numbers, element_type_of(number), numbers_tensor)) {
    return;
  }
  if (!is_inside(data) || !is_inside(updates) || !is_inside(indices) || !is_inside(output) || !is_inside(numbers)) {
    return;
  }

  const std::vector<std::int64_t> values = read_indices(before, indices, index < index_type::uint8);
  status outcome;
  switch (operation) {
    case 0:
      outcome = try_slice_scatter(data_tensor, updates_tensor, spec, output_tensor);
      break;
    case 1:
      outcome = try_scatter_update(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
    case 2:
      outcome = try_scatter_elements_update(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
    case 4:
      outcome = try_scatter_update(data_tensor, segments(indices_tensor), updates_tensor, axis, output_tensor);
      break;
    case 5:
      outcome = try_scatter_elements_update(
          data_tensor, indices_tensor, updates_tensor, axis,
          reduction::with_positions(dynamic::reduction{reduction_kind::none, true}, numbers_tensor), output_tensor);
      break;
    default:
      outcome = onnx::try_scatter(data_tensor, indices_tensor, updates_tensor, axis, output_tensor);
      break;
  }
  check_message(outcome);
  if (!outcome.ok()) {
    if (arena() != before) fail("written in spite of an error", outcome);
    return;
  }
  if (data.extents.empty() || data.extents != output.extents) fail("a rank or a shape was not checked");
  if (operation == 0) {
    if (updates.extents != oracle::slice_scatter_updates(data.extents, slices)) fail("the shape of updates");
    return check_moves(before, data, updates, output, oracle::slice_scatter(data.extents, slices));
  }
  const std::size_t along = oracle::axis_of(axis, data.extents.size());
  const std::int64_t extent = data.extents[along];
  if (has_segments) {
    if (indices.extents != coordinate{extent + 1}) fail("the shape of offsets");
    const std::int64_t count = updates.extents[along];
    const std::vector<std::int64_t> targets = expanded(values, count);
    return check_moves(before, data, updates, output, oracle::scatter_update(data.extents, {count}, targets, axis));
  }
  if (oracle::first_illegal(indices.extents, values, extent, operation == 3)) fail("an illegal index");
  const oracle::provenance expected = operation == 1
                                          ? oracle::scatter_update(data.extents, indices.extents, values, axis)
                                          : oracle::scatter_elements(data.extents, indices.extents, values, axis);
  if (has_numbers) check_numbers(before, data, updates, numbers, along, expected);
  check_moves(before, data, updates, output, expected);
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
