// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15 against its oracle on random cases.
#include "property.hpp"

#include "support/python_slice.hpp"

#include <strew/operators/extents.hpp>

#include <cstdlib>

namespace strew::test {
namespace {

// Near the axis, on either side of it and far beyond; an unsigned type has no negative bounds.
template <class I>
I draw_bound(random_source& random, std::int64_t extent) {
  if (random.one_in(12)) return std::numeric_limits<I>::max();
  if (random.one_in(12)) return std::numeric_limits<I>::min();
  const std::int64_t bound = random.between(-extent - 3, extent + 3);
  return static_cast<I>(std::numeric_limits<I>::is_signed ? bound : std::abs(bound));
}

// Two bounds drawn alone mostly select nothing; so most are put in the order that selects something.
template <class I>
void order_bounds(random_source& random, I& start, I& stop, I step, std::int64_t extent) {
  const auto from_the_beginning = [&](I bound) { return bound < 0 ? wide{bound} + extent : wide{bound}; };
  const bool forward = from_the_beginning(start) <= from_the_beginning(stop);
  if (forward != (step > 0) && !random.one_in(4)) std::swap(start, stop);
}

template <class I>
I draw_step(random_source& random) {
  const I step = random.one_in(10) ? draw_bound<I>(random, 0) : static_cast<I>(random.between(1, 4));
  if (step == 0) return 1;
  return std::numeric_limits<I>::is_signed && step > 0 && random.one_in(2) ? static_cast<I>(-step) : step;
}

// The arguments of a call, each list of its own type.
template <class I>
struct bounds {
  std::vector<I> start;
  std::vector<I> stop;
  std::vector<I> step;
  std::vector<signed char> axes;

  [[nodiscard]] slice_spec spec(bool leading_axes, bool scalars) const {
    if (scalars && leading_axes) return {.start = start[0], .stop = stop[0], .step = step[0]};
    if (scalars) return {.start = start[0], .stop = stop[0], .step = step[0], .axes = axes[0]};
    if (leading_axes) return {.start = start, .stop = stop, .step = step};
    return {.start = start, .stop = stop, .step = step, .axes = axes};
  }
  [[nodiscard]] std::vector<oracle::slice> slices() const {
    std::vector<oracle::slice> result;
    for (std::size_t k = 0; k < start.size(); ++k) result.push_back({start[k], stop[k], step[k], axes[k]});
    return result;
  }
};

// Some of the lists, one at least stays.
void leave_out(random_source& random, const shape& data, slice_spec& spec, std::vector<oracle::slice>& slices) {
  const bool has_axes = !spec.axes.is_left_out();
  const bool no_start = random.one_in(2);
  const bool no_stop = random.one_in(2);
  const bool no_step = random.one_in(2) && (has_axes || !no_start || !no_stop);
  if (no_start) spec.start = optional_list::left_out();
  if (no_stop) spec.stop = stop_list::left_out();
  if (no_step) spec.step = optional_list::left_out();
  for (oracle::slice& each : slices) {
    const std::int64_t extent = data[oracle::axis_of(each.axis, data.size())];
    if (no_step) each.step = 1;
    const std::int64_t step = each.step > 0 ? 1 : -1;
    if (no_start) each.start = start_of_none(step, extent);
    if (no_stop) each.stop = stop_of_none(step, extent);
  }
}

template <class T, class I>
std::string deviation_of_random_case(random_source& random) {
  const form how = random.pick(all_forms);
  const std::int64_t rank = random.between(1, 7);
  const shape data = draw_shape(random, rank);
  const bool leading_axes = random.one_in(3);
  const std::vector<std::size_t> order = random.order(data.size());
  bounds<I> arguments;
  for (std::int64_t k = random.between(0, rank); k > 0; --k) {
    const std::size_t position = arguments.start.size();
    const std::size_t axis = leading_axes ? position : order[position];
    arguments.start.push_back(draw_bound<I>(random, data[axis]));
    arguments.stop.push_back(draw_bound<I>(random, data[axis]));
    arguments.step.push_back(draw_step<I>(random));
    order_bounds(random, arguments.start.back(), arguments.stop.back(), arguments.step.back(), data[axis]);
    const auto from_the_beginning = static_cast<std::int64_t>(axis);
    const bool from_the_end = !leading_axes && random.one_in(2);
    arguments.axes.push_back(static_cast<signed char>(from_the_end ? from_the_beginning - rank : from_the_beginning));
  }
  const bool scalars = arguments.start.size() == 1 && random.one_in(2);
  slice_spec spec = arguments.spec(leading_axes, scalars);
  std::vector<oracle::slice> slices = arguments.slices();
  if (random.one_in(3)) leave_out(random, data, spec, slices);
  const shape updates = oracle::slice_scatter_updates(data, slices);
  if (!(updates_extents(slice_scatter, data, spec) == index_list(updates))) return "the extents of updates are wrong";

  operands<T> on = draw_operands<T, int>(random, how, data, {0}, updates);
  const operands<T> before = on;
  const status outcome = run<slice_scatter_operator>(how, on, spec);
  if (!outcome.ok()) return "refused: " + std::string(outcome.message().view());
  return deviation(how, before, on, oracle::slice_scatter(data, slices));
}

TEMPLATE_LIST_TEST_CASE("slice_scatter does on any operands what its oracle says", "", element_and_index_types) {
  for_each_seed<TestType>(deviation_of_random_case<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
