// SPDX-License-Identifier: Apache-2.0
// Rows of any length, element by element beside a loop that has the rules in words: sums and products wrap; min and max
// keep the first NaN and the current one of equal elements.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

template <class T>
struct is_complex : std::false_type {};
template <class P>
struct is_complex<std::complex<P>> : std::true_type {};

template <class T>
T draw_element(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  const std::uint64_t bits = state >> 20;
  if constexpr (is_complex<T>::value) {
    using part = typename T::value_type;
    return T(static_cast<part>(bits % 64) - 32, static_cast<part>(bits / 64 % 64));
  } else if constexpr (std::is_floating_point_v<T>) {
    switch (bits % 9) {
      case 0:
        return std::numeric_limits<T>::quiet_NaN();
      case 1:
        return static_cast<T>(bits % 2 == 0 ? -0.0 : 0.0);
      case 2:
        return -std::numeric_limits<T>::infinity();
      default:
        return static_cast<T>(bits / 16 % 7) - 3;
    }
  } else {
    return bits % 3 == 0 ? static_cast<T>(bits) : static_cast<T>(bits / 8 % 5 - 2);
  }
}

enum class rule { sum, prod, min, max };

template <class T>
T expected_of(rule by, T current, T update) {
  if (by == rule::sum || by == rule::prod) {
    if constexpr (std::is_integral_v<T>) {
      const auto a = static_cast<std::uint64_t>(current);
      const auto b = static_cast<std::uint64_t>(update);
      return static_cast<T>(by == rule::sum ? a + b : a * b);
    } else {
      return by == rule::sum ? current + update : current * update;
    }
  }
  if constexpr (is_complex<T>::value) {
    return current;
  } else {
    if (current != current) return current;
    if (update != update) return update;
    const bool replaces = by == rule::min ? update < current : current < update;
    return replaces ? update : current;
  }
}

// Of a NaN only that it is one is promised for sums and products.
template <class T>
bool are_alike(const T& a, const T& b, bool are_bits) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (!are_bits && a != a && b != b);
}

template <class T>
void check_rows(std::int64_t length, rule by) {
  constexpr std::int64_t rows = 5;
  const std::int64_t indices[] = {3, 0, 3, 4, 3, 1};
  std::uint64_t state = static_cast<std::uint64_t>(length) * 7 + static_cast<std::uint64_t>(by);
  // One element ahead of the first and one behind the last, which stay.
  std::vector<T> data(static_cast<std::size_t>(rows * length + 2));
  std::vector<T> updates(static_cast<std::size_t>(6 * length + 1));
  for (T& element : data) element = draw_element<T>(state);
  for (T& element : updates) element = draw_element<T>(state);
  std::vector<T> expected = data;
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t k = 0; k < length; ++k) {
      T& element = expected[static_cast<std::size_t>(1 + indices[i] * length + k)];
      element = expected_of(by, element, updates[static_cast<std::size_t>(1 + i * length + k)]);
    }
  }
  const tensor_view<T> table{data.data() + 1, {rows, length}};
  const tensor_view<const T> values{updates.data() + 1, {6, length}};
  const tensor_view<const std::int64_t> named{indices, {6}};
  if (by == rule::sum) index_add(table, 0, named, values);
  if (by == rule::prod) index_reduce(table, 0, named, values, reduction::prod);
  if constexpr (!is_complex<T>::value) {
    if (by == rule::min) index_reduce(table, 0, named, values, reduction::min);
    if (by == rule::max) index_reduce(table, 0, named, values, reduction::max);
  }
  bool are_right = true;
  const bool are_bits = by == rule::min || by == rule::max;
  for (std::size_t i = 0; i < data.size(); ++i) are_right = are_right && are_alike(data[i], expected[i], are_bits);
  INFO(length << " elements of " << sizeof(T) << " bytes, rule " << static_cast<int>(by));
  CHECK(are_right);
}

TEMPLATE_TEST_CASE("rows of any length are combined element by element", "[rows]", float, double, std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
                   std::complex<float>, std::complex<double>) {
  for (std::int64_t length = 0; length < 70; ++length) {
    for (const rule by : {rule::sum, rule::prod, rule::min, rule::max}) {
      if (is_complex<TestType>::value && by != rule::sum) continue;
      check_rows<TestType>(length, by);
    }
  }
}

// An element and a callable of a caller that have names which the library's own states and steps might be known by.
struct named_element {
  using words = int;
  using has_no_state = void;
  float value;
};
struct named_callable {
  using words = int;
  using has_no_state = void;
  float factor = 1;
  float operator()(const float& current, const float& update) const noexcept { return current * factor + update; }
};

TEST_CASE("members of callers' types mean nothing to reductions", "[rows]") {
  const std::int64_t indices[] = {1, 3};
  const tensor_view<const std::int64_t> named{indices, {2}};
  std::vector<named_element> elements(8, {1});
  const std::vector<named_element> more(2, {5});
  index_reduce(
      tensor_view<named_element>{elements.data(), {8}}, 0, named, tensor_view<const named_element>{more.data(), {2}},
      [](const named_element& a, const named_element& b) noexcept { return named_element{a.value + b.value}; });
  CHECK(elements[3].value == 6);
  std::vector<float> numbers(8, 1);
  const std::vector<float> updates(2, 5);
  index_reduce(tensor_view<float>{numbers.data(), {8}}, 0, named, tensor_view<const float>{updates.data(), {2}},
               named_callable{10});
  CHECK(numbers[3] == 15);
}

// An output beyond the small calls, with lines that are reduced at once and a step that is not.
TEST_CASE("long rows, and rows of alternate elements", "[rows]") {
  for (const std::int64_t step : {1, 2}) {
    constexpr std::int64_t length = 5003;
    std::vector<double> data(static_cast<std::size_t>(3 * length * step), 1.5);
    std::vector<double> updates(static_cast<std::size_t>(2 * length));
    for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<double>(i % 5) - 2;
    std::vector<double> expected = data;
    const std::int64_t indices[] = {2, 2};
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t k = 0; k < length; ++k) {
        double& element = expected[static_cast<std::size_t>((2 * length + k) * step)];
        element = expected_of(rule::max, element, updates[static_cast<std::size_t>(i * length + k)]);
      }
    }
    index_reduce(tensor_view<double>{data.data(), {3, length}, {length * step, step}}, 0,
                 tensor_view<const std::int64_t>{indices, {2}}, tensor_view<const double>{updates.data(), {2, length}},
                 reduction::max);
    CHECK(data == expected);
  }
}

}  // namespace
}  // namespace strew::test
