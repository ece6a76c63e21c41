// SPDX-License-Identifier: Apache-2.0
// The operators that write to places which no reduction meets twice (a coordinate of an axis, a diagonal, what a mask
// selects, a run of a cache), and those that write one value, against naive loops on random cases.
#include "property_reductions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// What a case of any operator starts from, and what it is to write.
template <class T>
struct written_case {
  random_source& random;
  bool is_dense = random.one_in(3);
  shape extents;
  std::vector<oracle::update_of<T>> met{};
  bool is_error = false;

  written_case(random_source& source, std::int64_t least_rank, std::int64_t most_rank)
      : random(source), extents(draw_shape(source, source.between(least_rank, most_rank))) {}

  template <class U = T>
  guarded_buffer<U> draw(const shape& of) {
    auto result = draw_operand<U>(random, is_dense, of, true);
    result.for_each_element([&](U& element) { element = draw_value<U>(random); });
    return result;
  }
  void write(const shape& at, const T& value) { met.push_back({oracle::position_of(at, extents), value}); }

  template <class Call>
  std::string deviation_of(const Call& call) {
    return deviation_of_call<T>(random, is_dense, extents, kind::none, true, is_error, met, call);
  }
};

shape without_axes(const shape& extents, std::size_t first, std::size_t second) {
  shape result;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (k != first && k != second) result.push_back(extents[k]);
  }
  return result;
}

template <class T, class I>
std::string deviation_of_select(random_source& random) {
  written_case<T> each(random, 1, 5);
  const std::int64_t axis = draw_axis(random, static_cast<std::int64_t>(each.extents.size()));
  const std::size_t a = oracle::axis_of(axis, each.extents.size());
  const std::int64_t extent = each.extents[a];
  std::int64_t index = random.between(-extent, std::max<std::int64_t>(extent, 1) - 1);
  if (random.one_in(6)) index = random.pick<std::int64_t>({extent, -extent - 1, std::int64_t{1} << 40});
  each.is_error = index < -extent || index >= extent;
  auto source = each.template draw<T>(without_axes(each.extents, a, a));
  if (!each.is_error) {
    const std::vector<T> values = source.values();
    for_each_coordinate(source.extents(), [&](const shape& at) {
      shape target = at;
      target.insert(target.begin() + static_cast<std::ptrdiff_t>(a), index < 0 ? index + extent : index);
      each.write(target, values[oracle::position_of(at, source.extents())]);
    });
  }
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return try_select_scatter(ex, d, source.const_view(), axis, index, output...);
  });
}

template <class T, class I>
std::string deviation_of_diagonal(random_source& random) {
  written_case<T> each(random, 2, 5);
  const std::int64_t rank = static_cast<std::int64_t>(each.extents.size());
  const std::int64_t first_axis = draw_axis(random, rank);
  const std::size_t first = oracle::axis_of(first_axis, each.extents.size());
  std::int64_t second_axis = draw_axis(random, rank);
  std::size_t second = oracle::axis_of(second_axis, each.extents.size());
  if (first == second) second_axis = static_cast<std::int64_t>(second = (first + 1) % each.extents.size());
  std::int64_t offset = random.between(-4, 4);
  if (random.one_in(8)) {
    offset = random.pick<std::int64_t>(
        {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), 1000, -1000});
  }
  // Which of the two coordinates a diagonal's element has: found by trying all.
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (std::int64_t i = 0; i < each.extents[first]; ++i) {
    for (std::int64_t j = 0; j < each.extents[second]; ++j) {
      if (j - i == offset) places.emplace_back(i, j);
    }
  }
  shape source_extents = without_axes(each.extents, first, second);
  source_extents.push_back(static_cast<std::int64_t>(places.size()));
  auto source = each.template draw<T>(source_extents);
  const std::vector<T> values = source.values();
  for_each_coordinate(source_extents, [&](const shape& at) {
    const auto [i, j] = places[static_cast<std::size_t>(at.back())];
    shape target(at.begin(), at.end() - 1);
    target.insert(target.begin() + static_cast<std::ptrdiff_t>(std::min(first, second)), first < second ? i : j);
    target.insert(target.begin() + static_cast<std::ptrdiff_t>(std::max(first, second)), first < second ? j : i);
    each.write(target, values[oracle::position_of(at, source_extents)]);
  });
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return try_diagonal_scatter(ex, d, source.const_view(), offset, first_axis, second_axis, output...);
  });
}

template <class T, class I>
std::string deviation_of_masked(random_source& random) {
  written_case<T> each(random, 0, 5);
  const bool fills = random.one_in(3);
  auto mask = draw_operand<bool>(random, each.is_dense, each.extents, true);
  const bool is_mostly_set = random.one_in(2);
  mask.for_each_element([&](bool& element) { element = random.one_in(3) != is_mostly_set; });
  const std::vector<bool> selected = [&] {
    std::vector<bool> all;
    mask.for_each_element([&](const bool& element) { all.push_back(element); });
    return all;
  }();
  const T value = draw_value<T>(random);
  // More elements than are selected are legal, and so is any shape.
  const auto count = static_cast<std::int64_t>(std::count(selected.begin(), selected.end(), true));
  const std::int64_t lines = random.between(1, 3);
  auto source = each.template draw<T>(random.one_in(2) ? shape{count}
                                                       : shape{lines, (count + lines - 1) / lines + random.below(2)});
  const std::vector<T> values = source.values();
  std::size_t position = 0;
  std::size_t next = 0;
  for_each_coordinate(each.extents, [&](const shape& at) {
    if (selected[position++]) each.write(at, fills ? value : values[next++]);
  });
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return fills ? try_masked_fill(ex, d, mask.const_view(), value, output...)
                 : try_masked_scatter(ex, d, mask.const_view(), source.const_view(), output...);
  });
}

template <class T, class I>
std::string deviation_of_index_fill(random_source& random) {
  written_case<T> each(random, 1, 5);
  const std::int64_t axis = draw_axis(random, static_cast<std::int64_t>(each.extents.size()));
  const std::size_t a = oracle::axis_of(axis, each.extents.size());
  shape counts;
  for (std::int64_t q = random.below(3); q > 0; --q) counts.push_back(random.one_in(15) ? 0 : random.between(1, 4));
  auto indices = draw_operand<I>(random, each.is_dense, counts, true);
  draw_some_indices(random, indices, each.extents[a], true, random.one_in(6));
  const T value = draw_value<T>(random);
  indices.for_each_element([&](const I& index) {
    const auto element = find_element(index, each.extents[a], true, index_policy::error, each.is_error);
    for_each_coordinate(each.extents, [&](const shape& at) {
      if (element && at[a] == *element) each.write(at, value);
    });
  });
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return try_index_fill(ex, d, axis, indices.const_view(), value, output...);
  });
}

template <class T, class I>
std::string deviation_of_put_along_axis(random_source& random) {
  written_case<T> each(random, 1, 5);
  const std::int64_t axis = draw_axis(random, static_cast<std::int64_t>(each.extents.size()));
  const std::size_t a = oracle::axis_of(axis, each.extents.size());
  shape counts = each.extents;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    counts[k] = k == a ? random.between(0, 2 * counts[k]) : random.between(0, counts[k]);
  }
  auto indices = draw_operand<I>(random, each.is_dense, counts, true);
  draw_some_indices(random, indices, each.extents[a], true, random.one_in(6));
  auto values = each.template draw<T>(counts);
  const std::vector<I> index_values = indices.values();
  const std::vector<T> update_values = values.values();
  for_each_coordinate(counts, [&](const shape& at) {
    const std::size_t i = oracle::position_of(at, counts);
    shape target = at;
    const auto element = find_element(index_values[i], each.extents[a], true, index_policy::error, each.is_error);
    if (!element) return;
    target[a] = *element;
    each.write(target, update_values[i]);
  });
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return try_put_along_axis(ex, d, indices.const_view(), values.const_view(), axis, output...);
  });
}

template <class T, class I>
std::string deviation_of_tensor_scatter(random_source& random) {
  written_case<T> each(random, 2, 5);
  const std::int64_t rank = static_cast<std::int64_t>(each.extents.size());
  const std::int64_t axis = random.one_in(2) ? random.between(1, rank - 1) : random.between(1 - rank, -1);
  const std::size_t a = oracle::axis_of(axis, each.extents.size());
  const std::int64_t extent = each.extents[a];
  shape update_extents = each.extents;
  update_extents[a] = random.between(0, extent);
  const std::int64_t length = update_extents[a];
  const bool is_circular = random.one_in(2);
  auto writes = draw_operand<I>(random, each.is_dense, {each.extents[0]}, true);
  writes.for_each_element([&](I& at) {
    const std::int64_t most = is_circular ? std::min<std::int64_t>(3 * extent, 100) : extent - length;
    at = static_cast<I>(random.between(0, most));
    if (random.one_in(25)) at = random.one_in(2) ? std::numeric_limits<I>::min() : std::numeric_limits<I>::max();
  });
  const std::vector<I> starts = writes.values();
  auto update = each.template draw<T>(update_extents);
  const std::vector<T> values = update.values();
  for (const I& start : starts) {
    const wide w(start);
    each.is_error = each.is_error || w < wide(0) || (!is_circular && w > wide(extent - length));
  }
  if (!each.is_error) {
    for_each_coordinate(update_extents, [&](const shape& at) {
      // Step by step, which needs no arithmetic that could overflow: the largest is 2^64 - 1.
      auto place =
          static_cast<std::uint64_t>(starts[static_cast<std::size_t>(at[0])]) % static_cast<std::uint64_t>(extent);
      for (std::int64_t j = 0; j < at[a]; ++j) place = place + 1 == static_cast<std::uint64_t>(extent) ? 0 : place + 1;
      shape target = at;
      target[a] = static_cast<std::int64_t>(place);
      each.write(target, values[oracle::position_of(at, update_extents)]);
    });
  }
  onnx::tensor_scatter_options options;
  options.mode = is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear;
  options.axis = axis;
  return each.deviation_of([&](const auto& ex, const auto& d, const auto&... output) {
    return onnx::try_tensor_scatter(ex, d, update.const_view(), writes.const_view(), options, output...);
  });
}

using written_types =
    std::tuple<types<float, int>, types<signed char, unsigned char>, types<unsigned short, short>,
               types<double, unsigned long>, types<std::complex<double>, long>, types<std::string, signed char>>;

TEMPLATE_LIST_TEST_CASE("a coordinate of an axis is written as its oracle says", "", written_types) {
  for_each_reduced_case(1, deviation_of_select<typename TestType::element, typename TestType::index>);
}
TEMPLATE_LIST_TEST_CASE("a diagonal is written as its oracle says", "", written_types) {
  for_each_reduced_case(1, deviation_of_diagonal<typename TestType::element, typename TestType::index>);
}
TEMPLATE_LIST_TEST_CASE("what a mask selects is written as its oracle says", "", written_types) {
  for_each_reduced_case(1, deviation_of_masked<typename TestType::element, typename TestType::index>);
}
TEMPLATE_LIST_TEST_CASE("index_fill equals its oracle", "", written_types) {
  for_each_reduced_case(1, deviation_of_index_fill<typename TestType::element, typename TestType::index>);
}
TEMPLATE_LIST_TEST_CASE("put_along_axis equals its oracle", "", written_types) {
  for_each_reduced_case(1, deviation_of_put_along_axis<typename TestType::element, typename TestType::index>);
}
TEMPLATE_LIST_TEST_CASE("tensor_scatter equals its oracle", "", written_types) {
  for_each_reduced_case(1, deviation_of_tensor_scatter<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
