// SPDX-License-Identifier: Apache-2.0
// Random cases for the property tests: shapes, placements and indices, drawn so that what is rare in real tensors (zero
// extents, duplicates, odd strides, illegal indices) is common here; some have hundreds of elements. Each case has
// thresholds of its own (kernel_limits.hpp). STREW_PROPERTY_CASES is how many times as many cases are drawn.
#ifndef STREW_TESTS_PROPERTY_PROPERTY_HPP
#define STREW_TESTS_PROPERTY_PROPERTY_HPP

#include "support/catch.hpp"
#include "support/element_values.hpp"
#include "support/guarded_buffer.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/operator_calls.hpp"
#include "support/oracle.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {

// How many random cases each pair of types gets.
inline constexpr std::uint64_t cases_per_types = 1000;

template <class Element, class Index>
struct types {
  using element = Element;
  using index = Index;
};

// Every index type, and every kind of element.
using element_and_index_types =
    std::tuple<types<short, signed char>, types<short, short>, types<short, int>, types<short, long>,
               types<short, long long>, types<short, unsigned char>, types<short, unsigned short>,
               types<short, unsigned int>, types<short, unsigned long>, types<short, unsigned long long>,
               types<bool, int>, types<signed char, long>, types<unsigned long, int>, types<float, long>,
               types<double, int>, types<std::complex<float>, long>, types<colour, int>, types<record, long>,
               types<std::string, int>>;

// Extents of some hundred elements on few axes.
inline shape draw_middle_shape(random_source& random, std::int64_t rank) {
  static const std::vector<std::int64_t> some{2, 2, 3, 4, 8, 12, 16, 17, 33, 64, 100};
  for (;;) {
    shape extents;
    for (std::int64_t k = 0; k < rank; ++k)
      extents.push_back(rank == 1 ? random.between(200, 1500) : random.pick(some));
    const std::int64_t count = oracle::count_of(extents);
    if (count >= 100 && count <= 1500) return extents;
  }
}

// Extents whose product stays small whatever the rank; one in thirty is zero. One shape in thirty is larger.
inline shape draw_shape(random_source& random, std::int64_t rank) {
  if (rank >= 1 && rank <= 4 && random.one_in(30)) return draw_middle_shape(random, rank);
  static const shape largest{0, 12, 7, 5, 4, 3, 3, 2};
  shape extents;
  for (std::int64_t k = 0; k < rank; ++k) {
    extents.push_back(random.one_in(30) ? 0 : random.between(1, largest[static_cast<std::size_t>(rank)]));
  }
  return extents;
}

inline std::int64_t draw_axis(random_source& random, std::int64_t rank) {
  return random.between(-rank, rank - 1);
}

inline arrangement draw_arrangement(random_source& random, bool may_repeat_elements) {
  return static_cast<arrangement>(random.below(may_repeat_elements ? 7 : 6));
}

// Half of the buffers end where their elements do, for the address sanitizer; the others have guards.
template <class T>
guarded_buffer<T> draw_buffer(random_source& random, const shape& extents, bool may_repeat_elements) {
  const std::int64_t guard = random.one_in(2) ? 0 : guarded_buffer<T>::default_guard;
  return guarded_buffer<T>(place(draw_arrangement(random, may_repeat_elements), extents, random), guard);
}

// In place, data is the output, so it may not repeat elements.
template <class T, class I>
operands<T, I> draw_operands(random_source& random, form how, const shape& data, const shape& indices,
                             const shape& updates) {
  operands<T, I> result{draw_buffer<T>(random, data, !is_in_place(how)), draw_buffer<I>(random, indices, true),
                        draw_buffer<T>(random, updates, true), draw_buffer<T>(random, data, false)};
  result.data.fill_from(1);
  result.updates.fill_from(20000);
  return result;
}

// Fills the indices with legal ones, of which on a small axis many are the same, and now and then with illegal ones.
template <class I>
void draw_indices(random_source& random, guarded_buffer<I>& indices, std::int64_t extent, bool negatives_allowed) {
  const bool negatives = negatives_allowed && std::numeric_limits<I>::is_signed;
  if (extent > 0) {
    indices.for_each_element(
        [&](I& index) { index = static_cast<I>(random.between(negatives ? -extent : 0, extent - 1)); });
  }
  if (extent > 0 && !random.one_in(6)) return;
  std::vector<I> illegal;
  const auto add = [&](auto value) {
    if (std::in_range<I>(value) && !oracle::is_legal(static_cast<I>(value), extent, negatives_allowed)) {
      illegal.push_back(static_cast<I>(value));
    }
  };
  add(extent);
  add(-1);
  add(-extent - 1);
  add(std::int64_t{1} << 32);
  add(std::int64_t{1} << 62);
  add(std::uint64_t{1} << 63);
  add(std::numeric_limits<I>::max());
  add(std::numeric_limits<I>::min());
  if (illegal.empty()) return;  // all values of a narrow type are legal on a long axis
  indices.for_each_element([&](I& index) {
    if (extent == 0 || random.one_in(4)) index = random.pick(illegal);
  });
}

// How the outcome of a call on indices differs from what the oracle says; empty when it does not.
template <class Operator, class T, class I>
std::string deviation_of_indexed_call(form how, operands<T, I>& on, std::int64_t axis, std::int64_t extent,
                                      oracle::provenance (*expected)(const shape&, const shape&, const std::vector<I>&,
                                                                     std::int64_t)) {
  const operands<T, I> before = on;
  const std::vector<I> indices = on.indices.values();
  const std::optional<shape> illegal =
      oracle::first_illegal(on.indices.extents(), indices, extent, Operator::negatives_allowed);
  const status outcome = run<Operator>(how, on, axis);
  if (illegal) {
    if (outcome.code() != errc::index_out_of_bounds) return "an illegal index was not reported";
    if (!(outcome.coordinate() == index_list(*illegal))) return "not the first illegal index was reported";
    return traces_of_refused_call(before, on);
  }
  if (!outcome.ok()) return "refused: " + std::string(outcome.message().view());
  return deviation(how, before, on, expected(on.data.extents(), on.indices.extents(), indices, axis));
}

template <class Types, class... All>
constexpr std::uint64_t position_in(const std::tuple<All...>*) {
  std::uint64_t position = 0;
  bool found = false;
  ((found = found || std::is_same_v<Types, All>, position += found ? 0U : 1U), ...);
  return position;
}

// A random call of an operator on rows, on tensors of up to `Most` axes.
template <class Operator, class T, class I, std::int64_t Most = 7>
std::string deviation_of_rows(random_source& random) {
  const form how = random.pick(all_forms);
  const std::int64_t rank = random.between(1, Most);
  const shape data = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  shape indices;
  for (std::int64_t q = random.below(4); q > 0; --q) indices.push_back(random.one_in(15) ? 0 : random.between(1, 3));
  if (oracle::count_of(data) >= 100) indices = {random.between(1, data[oracle::axis_of(axis, data.size())])};
  operands<T, I> on =
      draw_operands<T, I>(random, how, data, indices, oracle::scatter_update_updates(data, indices, axis));
  const std::int64_t extent = data[oracle::axis_of(axis, data.size())];
  draw_indices(random, on.indices, extent, false);
  return deviation_of_indexed_call<Operator>(how, on, axis, extent, oracle::scatter_update<I>);
}

// The same of an operator on elements.
template <class Operator, class T, class I, std::int64_t Most = 7>
std::string deviation_of_elements(random_source& random) {
  const form how = random.pick(all_forms);
  const std::int64_t rank = random.between(1, Most);
  const shape data = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(axis, data.size());
  shape indices;
  for (std::size_t k = 0; k < data.size(); ++k) {
    const std::int64_t most = k == a && Operator::indices_may_exceed_axis ? 2 * data[k] : data[k];
    indices.push_back(random.one_in(15) ? 0 : most - random.below(std::min<std::int64_t>(most, 2) + 1));
  }
  operands<T, I> on = draw_operands<T, I>(random, how, data, indices, indices);
  draw_indices(random, on.indices, data[a], Operator::negatives_allowed);
  return deviation_of_indexed_call<Operator>(how, on, axis, data[a], oracle::scatter_elements<I>);
}

inline std::uint64_t property_cases() {
  static const char* const factor = std::getenv("STREW_PROPERTY_CASES");
  return factor == nullptr ? 1 : std::strtoull(factor, nullptr, 10);
}

// Draws and checks `count` cases with seeds from `first` on, or more with further ones.
template <class Case>
void check_random_cases(std::uint64_t first, std::uint64_t count, const Case& deviation_of_case) {
  limits_for_test limits;
  for (std::uint64_t round = 0; round < property_cases(); ++round) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      const std::uint64_t seed_of_case = seed + round * 1'000'000;
      random_source choices(~seed_of_case);
      limits.draw(choices, true);
      begin_random_case();
      random_source random(seed_of_case);
      const std::string found = deviation_of_case(random);
      if (found.empty()) continue;  // an assertion of Catch2 takes longer than many a case
      CAPTURE(seed_of_case);
      FAIL(found);
    }
  }
}

// Draws and checks cases with seeds that no other pair of types has.
template <class Types, class Case>
void for_each_seed(Case deviation_of_case) {
  constexpr const element_and_index_types* all = nullptr;
  constexpr std::uint64_t first = cases_per_types * position_in<Types>(all);
  check_random_cases(first, cases_per_types, deviation_of_case);
}

}  // namespace strew::test

#endif  // STREW_TESTS_PROPERTY_PROPERTY_HPP
