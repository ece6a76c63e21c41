// SPDX-License-Identifier: Apache-2.0
// Operators on whatever layouts, overlaps, axes and indices libFuzzer comes up with, in one block of memory.
// After an error no byte may have changed; after success the output must be what the oracle's loops say, and no other
// byte may have changed.
#include "arena.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

namespace strew::test {
namespace {

using dynamic::const_tensor;
using dynamic::element_type;
using dynamic::index_tensor;
using dynamic::tensor;

void run_one(random_source& random) {
  const std::int64_t operation = random.below(4);
  const std::int64_t element_size = random.between(1, 8);
  const auto index = static_cast<index_type>(random.below(8));
  const operand data = draw_operand(random, element_size);
  operand updates = draw_operand(random, element_size);
  const operand indices = draw_operand(random, dynamic::size_of(index));
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
    } else if (operation > 1) {
      reshape(updates, indices.extents);
    }
  }
  const bool has_legal_indices = !random.one_in(4);
  fill_arena(random);
  if (is_on_axis && is_inside(indices) && has_legal_indices) {
    put_legal_indices(random, indices, data.extents[oracle::axis_of(axis, data.extents.size())]);
  }
  const arena_bytes before = arena();

  const element_type element{dynamic::element_kind::opaque, element_size};
  const_tensor data_tensor;
  const_tensor updates_tensor;
  index_tensor indices_tensor;
  tensor output_tensor;
  const auto make = [&](const operand& of, auto type, auto& result) {
    return std::remove_reference_t<decltype(result)>::try_make(of.data(), type, of.extents, of.strides, result).ok();
  };
  if (!make(data, element, data_tensor) || !make(updates, element, updates_tensor) ||
      !make(indices, index, indices_tensor) || !make(output, element, output_tensor)) {
    return;
  }
  if (!is_inside(data) || !is_inside(updates) || !is_inside(indices) || !is_inside(output)) return;

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
  const std::int64_t extent = data.extents[oracle::axis_of(axis, data.extents.size())];
  if (oracle::first_illegal(indices.extents, values, extent, operation == 3)) fail("an illegal index");
  check_moves(before, data, updates, output,
              operation == 1 ? oracle::scatter_update(data.extents, indices.extents, values, axis)
                             : oracle::scatter_elements(data.extents, indices.extents, values, axis));
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
