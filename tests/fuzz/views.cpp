// SPDX-License-Identifier: Apache-2.0
// Layouts, views, their transforms and the search for overlaps. Small views of memory in which each element holds its
// own position are compared with models that know coordinates only; layouts and views of any 64-bit extents and strides
// with the rules in 128 bits, without memory: of these no element is read.
#include "fail.hpp"
#include "layout_rules.hpp"
#include "support/coordinates.hpp"
#include "support/oracle.hpp"
#include "support/random_source.hpp"
#include "support/wide.hpp"

#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

using element = std::uint16_t;
using view = tensor_view<const element>;

constexpr std::int64_t memory_size = 1024;
const element* memory() {
  static const auto positions = [] {
    std::array<element, memory_size> result{};
    std::iota(result.begin(), result.end(), element{0});
    return result;
  }();
  return positions.data();
}

// The positions of a view's elements, in row-major order.
struct model {
  coordinate extents;
  std::vector<std::int64_t> elements;
};
// The element at `at` is that of `from` at source(at).
template <class Source>
model remapped(const model& from, const coordinate& extents, const Source& source) {
  model result{extents, {}};
  for_each_coordinate(extents, [&](const coordinate& at) {
    result.elements.push_back(from.elements[oracle::position_of(source(at), from.extents)]);
  });
  return result;
}

void compare(const char* what, const view& found, const model& expected) {
  if (!(found.extents() == index_list(expected.extents))) fail(std::string(what) + ": other extents");
  std::size_t position = 0;
  for_each_coordinate(expected.extents, [&](const coordinate& at) {
    if (found[at] != expected.elements[position++]) fail(std::string(what) + ": other elements");
  });
}

// ---- Arguments of transforms

// Whether they are legal, and each axis from the beginning.
std::optional<std::vector<std::size_t>> axes_of(const coordinate& axes, std::int64_t rank) {
  std::vector<std::size_t> result;
  for (const std::int64_t axis : axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    result.push_back(oracle::axis_of(axis, static_cast<std::size_t>(rank)));
    if (std::count(result.begin(), result.end(), result.back()) > 1) return std::nullopt;
  }
  return result;
}

// A stop that means 'to the end' or 'to the beginning' of any axis is beyond both.
template <class Stop>
wide stop_of(Stop stop) {
  if (std::is_same_v<Stop, std::int32_t> && stop == std::numeric_limits<Stop>::max()) return wide(1) << 80;
  if (std::is_same_v<Stop, std::int32_t> && stop == std::numeric_limits<Stop>::min()) return -(wide(1) << 80);
  return stop;
}

// Calls body(integer) with an integer type for the bounds of a slice.
template <class Body>
auto with_integer_type(random_source& random, const Body& body) {
  switch (random.below(4)) {
    case 0:
      return body(std::int8_t{});
    case 1:
      return body(std::int32_t{});
    case 2:
      return body(std::uint64_t{});
    default:
      return body(std::int64_t{});
  }
}

// One transform; the model becomes nothing if an argument is illegal.
status transform(random_source& random, const view& from, const model& of, view& result,
                 std::optional<model>& expected) {
  const std::int64_t rank = from.rank();
  const std::int64_t axis = random.mostly_between(-rank - 1, rank);
  const bool is_axis = axis >= -rank && axis < rank;
  const std::size_t a = is_axis ? oracle::axis_of(axis, of.extents.size()) : 0;
  switch (random.below(6)) {
    case 0: {
      coordinate axes;
      for (const std::size_t k : random.order(of.extents.size())) {
        axes.push_back(static_cast<std::int64_t>(k) - (random.one_in(2) ? rank : 0));
      }
      if (random.one_in(6)) axes.push_back(axis);
      if (!axes.empty() && random.one_in(6)) random.pick_any(axes) = axis;
      if (const auto order = axes_of(axes, rank); order && order->size() == of.extents.size()) {
        coordinate extents;
        for (const std::size_t k : *order) extents.push_back(of.extents[k]);
        expected = remapped(of, extents, [&](const coordinate& at) {
          coordinate source(at.size());
          for (std::size_t k = 0; k < at.size(); ++k) source[(*order)[k]] = at[k];
          return source;
        });
      }
      return try_permute(from, axes, result);
    }
    case 1:
      result = transpose(from);
      expected = remapped(of, {of.extents.rbegin(), of.extents.rend()},
                          [](const coordinate& at) { return coordinate(at.rbegin(), at.rend()); });
      return {};
    case 2: {
      if (is_axis) {
        expected = remapped(of, of.extents, [&](coordinate at) {
          at[a] = of.extents[a] - 1 - at[a];
          return at;
        });
      }
      return try_reverse(from, axis, result);
    }
    case 3:
      return with_integer_type(random, [&]<class Integer>(Integer) {
        const auto start = static_cast<Integer>(random.mostly_between(-6, 6));
        const auto stop = static_cast<Integer>(random.mostly_between(-6, 6));
        const auto step = static_cast<Integer>(random.mostly_between(-3, 3));
        if (is_axis && step != 0) {
          const auto selected = python_slice(start, stop_of(stop), step, of.extents[a]);
          coordinate extents = of.extents;
          extents[a] = static_cast<std::int64_t>(selected.size());
          expected = remapped(of, extents, [&](coordinate at) {
            at[a] = selected[static_cast<std::size_t>(at[a])];
            return at;
          });
        }
        return try_slice(from, axis, start, stop, step, result);
      });
    case 4: {
      slice_spec spec{.start = {}, .stop = {}, .step = {}, .axes = {}};
      coordinate axes;
      std::vector<oracle::slice> slices;
      bool is_legal = true;
      for (std::int64_t count = random.below(rank + 2); count > 0; --count) {
        slices.push_back({random.mostly_between(-6, 6), random.mostly_between(-6, 6), random.mostly_between(-3, 3),
                          random.mostly_between(-rank, rank - 1)});
        axes.push_back(slices.back().axis);
        spec.start.push_back(static_cast<std::int64_t>(slices.back().start));
        spec.stop.push_back(static_cast<std::int64_t>(slices.back().stop));
        spec.step.push_back(static_cast<std::int64_t>(slices.back().step));
        spec.axes.push_back(slices.back().axis);
        is_legal = is_legal && !(slices.back().step == 0);
      }
      if (is_legal && axes_of(axes, rank)) {
        const auto selected = oracle::selected_on_each_axis(of.extents, slices);
        expected = remapped(of, oracle::slice_scatter_updates(of.extents, slices), [&](coordinate at) {
          for (std::size_t k = 0; k < at.size(); ++k) at[k] = selected[k][static_cast<std::size_t>(at[k])];
          return at;
        });
      }
      return try_slice(from, spec, result);
    }
    default: {
      coordinate extents = of.extents;
      for (std::int64_t& extent : extents) {
        if (extent == 1 || random.one_in(16)) extent = random.between(-1, 3);
      }
      while (random.one_in(3) && extents.size() < 6) extents.insert(extents.begin(), random.between(0, 3));
      if (!extents.empty() && random.one_in(16)) extents.pop_back();
      bool is_legal = extents.size() >= of.extents.size();
      for (std::size_t k = 1; k <= extents.size(); ++k) {
        const std::int64_t extent = extents[extents.size() - k];
        const std::int64_t source = k <= of.extents.size() ? of.extents[of.extents.size() - k] : 1;
        is_legal = is_legal && extent >= 0 && (source == 1 || source == extent);
      }
      if (is_legal && oracle::count_of(extents) > 2000) return expected = of, status();
      if (is_legal) {
        expected = remapped(of, extents, [&](const coordinate& at) {
          coordinate source(at.end() - static_cast<std::ptrdiff_t>(of.extents.size()), at.end());
          for (std::size_t k = 0; k < source.size(); ++k) source[k] = of.extents[k] == 1 ? 0 : source[k];
          return source;
        });
      }
      return try_broadcast(from, extents, result);
    }
  }
}

// ---- Small views

bool find_small_view(random_source& random, view& result, model& of) {
  const std::int64_t first = random.below(memory_size);
  coordinate strides;
  for (std::int64_t rank = random.below(5); rank > 0; --rank) {
    of.extents.push_back(random.one_in(8) ? random.between(0, 12) : random.between(1, 4));
    strides.push_back(of.extents.back() < 2 ? random.mostly_between(-40, 40) : random.between(-40, 40));
  }
  if (random.one_in(3)) {  // dense
    std::int64_t stride = 1;
    for (const std::size_t k : random.order(of.extents.size())) {
      strides[k] = random.one_in(4) ? -stride : stride;
      stride *= std::max<std::int64_t>(of.extents[k], 1);
    }
  }
  std::int64_t lowest = first;
  std::int64_t highest = first;
  for_each_coordinate(of.extents, [&](coordinate at) {
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = of.extents[k] == 1 ? 0 : at[k];
    std::int64_t position = first;
    for (std::size_t k = 0; k < at.size(); ++k) position += at[k] == 0 ? 0 : at[k] * strides[k];
    of.elements.push_back(position);
    lowest = std::min(lowest, position);
    highest = std::max(highest, position);
  });
  if (of.elements.size() > 2000) return false;
  const status made = view::try_make(memory() + first, of.extents, strides, result);
  if (!made.ok()) {
    // Only an axis that is not used may have a stride of any size, and in an empty view the others count as if it were
    // not there.
    fail("a small view is refused", made);
  }
  const strided_layout& layout = result.layout();
  if (layout.size() != static_cast<std::int64_t>(of.elements.size())) fail("the number of elements");
  if (!result.empty() && (first + layout.lowest_offset() != lowest || first + layout.highest_offset() != highest)) {
    fail("the range of addresses");
  }
  bool is_row_major = true;
  for (std::size_t k = 0; k < of.elements.size(); ++k) {
    is_row_major = is_row_major && of.elements[k] == first + static_cast<std::int64_t>(k);
  }
  if (!result.empty() && layout.is_row_major() != is_row_major) fail("is_row_major");
  return lowest >= 0 && highest < memory_size;
}

void check_coordinates(random_source& random, const view& of, const model& expected) {
  coordinate at;
  bool is_inside = true;
  for (const std::int64_t extent : expected.extents) {
    at.push_back(random.mostly_between(-1, extent));
    is_inside = is_inside && at.back() >= 0 && at.back() < extent;
  }
  if (of.layout().contains(at) != is_inside) fail("contains");
  try {
    if (of.at(at) != expected.elements[oracle::position_of(at, expected.extents)] || !is_inside) fail("at");
  } catch (const scatter_error& error) {
    if (is_inside) fail("at", error.status());
    check_message(error.status());
  }
}

void check_overlaps(random_source& random, const view& a, const model& of_a, const view& b, const model& of_b) {
  using strew::detail::overlap_result;
  const std::set<std::int64_t> distinct(of_a.elements.begin(), of_a.elements.end());
  const bool repeats = distinct.size() < of_a.elements.size();
  const overlap_result repeated = strew::detail::find_repeated(a.layout());
  if (repeated != overlap_result::undecided && (repeated == overlap_result::yes) != repeats) fail("repeated elements");
  if (has_distinct_elements(a.layout()) && repeats) fail("an element twice is not found");

  // Of elements of other sizes, whose bytes overlap in parts.
  const std::int64_t size_a = random.between(1, 5);
  const std::int64_t size_b = random.between(1, 5);
  const std::int64_t distance = random.between(-60, 60);  // from the first element of a to that of b
  std::set<std::int64_t> bytes;
  for (const std::int64_t at : of_a.elements) {
    for (std::int64_t k = 0; k < size_a; ++k) bytes.insert((at - (a.data() - memory())) * size_a + k);
  }
  bool share = false;
  for (const std::int64_t at : of_b.elements) {
    for (std::int64_t k = 0; k < size_b; ++k) {
      share = share || bytes.count(distance + (at - (b.data() - memory())) * size_b + k) > 0;
    }
  }
  const overlap_result shared = strew::detail::find_shared(distance, a.layout(), static_cast<std::uint64_t>(size_a),
                                                           b.layout(), static_cast<std::uint64_t>(size_b));
  if (shared != overlap_result::undecided && (shared == overlap_result::yes) != share) fail("shared memory");
}

void check_small_views(random_source& random) {
  view now;
  model of;
  if (!find_small_view(random, now, of)) return;
  compare("a view", now, of);
  const view first = now;
  const model of_first = of;
  for (std::int64_t links = random.below(6); links > 0; --links) {
    view result = now;
    std::optional<model> expected;
    const status outcome = transform(random, now, of, result, expected);
    check_message(outcome);
    if (outcome.ok() != expected.has_value()) fail("a transform accepts other arguments than its rules", outcome);
    if (!expected) expected = of;  // then the result stays as it was
    compare("a transform", result, *expected);
    now = result;
    of = *expected;
  }
  check_coordinates(random, now, of);
  check_overlaps(random, now, of, first, of_first);
  check_overlaps(random, first, of_first, now, of);
}

// ---- Layouts and views of any extents and strides

// Whether the elements of a view are among those of another.
void check_range(const view& inner, const view& outer) {
  if (inner.empty()) return;
  const auto address = [](const view& of, std::int64_t offset) {
    return wide(reinterpret_cast<std::uintptr_t>(of.data())) + wide(offset) * wide(sizeof(element));
  };
  if (address(inner, inner.layout().lowest_offset()) < address(outer, outer.layout().lowest_offset()) ||
      address(inner, inner.layout().highest_offset()) > address(outer, outer.layout().highest_offset())) {
    fail("a transform leaves the memory of its view");
  }
}

coordinate draw_any_list(random_source& random, std::int64_t least, std::int64_t count) {
  coordinate result;
  for (; count > 0; --count) result.push_back(random.one_in(2) ? random.between(least, 9) : random.any());
  return result;
}

void check_slice(random_source& random, std::int64_t extent) {
  with_integer_type(random, [&]<class Integer>(Integer) {
    const auto start = static_cast<Integer>(random.mostly_between(-9, 9));
    const auto stop = static_cast<Integer>(random.one_in(2) ? random.any() : random.between(-9, 9));
    const auto step = static_cast<Integer>(random.one_in(2) ? random.any() : random.between(-9, 9));
    slice_range found;
    const status outcome = try_resolve_slice(start, stop, step, extent, found);
    check_message(outcome);
    if (outcome.ok() != (step != 0 && extent >= 0)) fail("a slice is accepted or refused", outcome);
    if (!outcome.ok()) return;
    const wide first = first_of_slice(start, step, extent);
    const wide end = stop_of(stop);
    const wide last = wide(found.first) + wide(found.count - 1) * wide(found.step);
    const bool is_right = found.count == 0 ? !slice_selects(first, end, step, extent)
                                           : first == wide(found.first) && slice_selects(last, end, step, extent) &&
                                                 !slice_selects(last + wide(step), end, step, extent);
    if (!is_right || found.count < 0) fail("a slice of an axis of any extent");
  });
}

void check_any_layouts(random_source& random) {
  const std::int64_t rank = random.one_in(8) ? random.between(0, max_rank + 2) : random.below(5);
  const coordinate extents = draw_any_list(random, -1, rank);
  const coordinate strides = draw_any_list(random, -9, random.one_in(16) ? random.between(0, max_rank + 2) : rank);
  auto element_size = static_cast<std::size_t>(random.one_in(4) ? random.any() : random.between(1, 9));
  if (element_size == 0) element_size = 1;  // no type has size 0
  strided_layout layout;
  const status outcome = strided_layout::try_make(extents, strides, element_size, layout);
  check_message(outcome);
  const errc expected = code_of_layout(extents, strides, element_size);
  if (outcome.code() != expected) {
    fail("a layout of extents " + text_of_list(extents) + " and strides " + text_of_list(strides) +
             " for elements of " + std::to_string(element_size) + " bytes, expected error " +
             std::to_string(static_cast<int>(expected)),
         outcome);
  }
  if (outcome.ok()) static_cast<void>(has_distinct_elements(layout));
  status row_major = strided_layout::try_make(extents, element_size, layout);
  check_message(row_major);

  // A view whose memory would begin at some address, so that its pointers do not overflow.
  if (code_of_layout(extents, strides, sizeof(element)) != errc::ok) return;
  static_cast<void>(strided_layout::try_make(extents, strides, sizeof(element), layout));
  const auto address = std::uintptr_t{4096} - static_cast<std::uintptr_t>(layout.lowest_offset()) * sizeof(element);
  const auto* const data = reinterpret_cast<const element*>(layout.empty() && random.one_in(2) ? 0 : address);
  view from;
  if (const status made = view::try_make(data, extents, strides, from); !made.ok()) fail("a view is refused", made);
  for (std::int64_t links = random.below(6); links > 0; --links) {
    view result = from;
    status made;
    const std::int64_t axis = random.mostly_between(-from.rank(), from.rank());
    if (from.rank() > 0) check_slice(random, from.extent(static_cast<int>(random.below(from.rank()))));
    switch (random.below(4)) {
      case 0:
        made = try_broadcast(from, draw_any_list(random, -1, random.below(max_rank + 2)), result);
        break;
      case 1:
        made = try_reverse(from, axis, result);
        break;
      case 2: {
        const std::int64_t start = random.any();
        const std::int64_t stop = random.any();
        made = try_slice(from, axis, start, stop, random.any(), result);
        break;
      }
      default: {
        const std::int64_t count = random.below(max_rank + 2);
        made = try_slice(from,
                         {.start = draw_any_list(random, -9, count),
                          .stop = draw_any_list(random, -9, count),
                          .step = draw_any_list(random, -9, count),
                          .axes = draw_any_list(random, -from.rank(), count)},
                         result);
        break;
      }
    }
    check_message(made);
    check_range(result, from);
    check_range(transpose(result), result);
    static_cast<void>(strew::detail::find_shared(result.data(), result.layout(), from.data(), from.layout()));
    from = result;
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  if (random.one_in(2)) {
    strew::test::check_small_views(random);
  } else {
    strew::test::check_any_layouts(random);
  }
  return 0;
}
