// SPDX-License-Identifier: Apache-2.0
// Reductions of users' types of 1 to 300 bytes, on every path that a reduction may take: along an axis that is not the
// innermost one they may go by tiles, of which not every element divides a row.
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/operators/reduction.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {

// A number of one byte in front of others that say whether all of the element was moved.
template <std::size_t Size>
struct padded_number {
  unsigned char bytes[Size] = {};

  padded_number() = default;
  constexpr explicit padded_number(int value) noexcept {
    for (std::size_t i = 0; i < Size; ++i) bytes[i] = static_cast<unsigned char>(value + static_cast<int>(i));
  }
  constexpr explicit operator int() const noexcept { return bytes[0]; }
  [[nodiscard]] bool is_whole() const {
    const padded_number same(bytes[0]);
    return std::memcmp(bytes, same.bytes, Size) == 0;
  }
};

}  // namespace strew::test

template <std::size_t Size>
struct strew::reduction::floating<strew::test::padded_number<Size>> {
  using accumulator = int;
  static constexpr bool is_nan(const strew::test::padded_number<Size>&) noexcept { return false; }
};

namespace strew::test {
namespace {

namespace red = strew::reduction;

// The values of elements are those of bytes; a mean of them is their integer quotient.
template <class T>
T make(std::int64_t value) {
  return static_cast<T>(static_cast<int>(value));
}
template <class T>
std::int64_t value_of(const T& element) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<std::int64_t>(element);
  } else if constexpr (requires { element.real(); }) {
    return static_cast<std::int64_t>(element.real());
  } else {
    return static_cast<int>(element);
  }
}
template <class T>
bool is_whole(const T& element) {
  if constexpr (requires { element.is_whole(); }) {
    return element.is_whole();
  } else {
    return true;
  }
}

enum class how { sum, sub, prod, min, max, mean };

std::int64_t combine(how reduce, std::int64_t a, std::int64_t b) {
  switch (reduce) {
    case how::sum:
      return a + b;
    case how::sub:
      return a - b;
    case how::prod:
      return a * b;
    case how::min:
      return a < b ? a : b;
    default:
      return a > b ? a : b;
  }
}

// What data[indices[i, j], j] becomes; numbers stay in [0, 255] since `modulus` is that of the element.
std::vector<std::int64_t> expected(how reduce, bool init, const std::vector<std::int64_t>& data, std::int64_t lanes,
                                   const std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& updates,
                                   std::int64_t modulus) {
  std::map<std::size_t, std::vector<std::int64_t>> all;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto lane = static_cast<std::int64_t>(i) % lanes;
    all[static_cast<std::size_t>(indices[i] * lanes + lane)].push_back(updates[i]);
  }
  std::vector<std::int64_t> result = data;
  const auto wrap = [modulus](std::int64_t value) {
    return modulus == 0 ? value : (value % modulus + modulus) % modulus;
  };
  for (const auto& [at, values] : all) {
    std::vector<std::int64_t> in_order = values;
    if (init) in_order.insert(in_order.begin(), data[at]);
    std::int64_t value = in_order[0];
    for (std::size_t i = 1; i < in_order.size(); ++i) {
      value = reduce == how::mean ? value + in_order[i] : wrap(combine(reduce, value, in_order[i]));
    }
    result[at] = reduce == how::mean ? value / static_cast<std::int64_t>(in_order.size()) : value;
  }
  return result;
}

template <class T, class Reduction>
void check(how reduce, bool init, const Reduction& reduction, std::int64_t rows, std::int64_t lanes, std::int64_t count,
           std::int64_t modulus) {
  random_source random(static_cast<std::uint64_t>(rows + lanes + count));
  std::vector<std::int64_t> data_values;
  std::vector<std::int64_t> update_values;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < rows * lanes; ++i) data_values.push_back(random.between(0, 3));
  for (std::int64_t i = 0; i < count * lanes; ++i) update_values.push_back(random.between(0, 2));
  for (std::int64_t i = 0; i < count * lanes; ++i) indices.push_back(random.below(rows));
  if (modulus == 0 && reduce == how::prod) {
    for (std::int64_t& value : update_values) value = 1 + value % 2;
  }
  std::vector<T> data;
  std::vector<T> updates;
  for (const std::int64_t value : data_values) data.push_back(make<T>(value));
  for (const std::int64_t value : update_values) updates.push_back(make<T>(value));
  const std::vector<std::int64_t> right = expected(reduce, init, data_values, lanes, indices, update_values, modulus);
  const tensor_view<const T> in{data.data(), {rows, lanes}};
  const tensor_view<const T> with{updates.data(), {count, lanes}};
  const tensor_view<const std::int64_t> at{indices.data(), {count, lanes}};
  guarded_workspace memory(200'000);
  for (const std::int64_t lent : {0, 20'000, 200'000}) {
    std::vector<T> output(data.size());
    const tensor_view<T> out{output.data(), {rows, lanes}};
    memory.restore();
    v12::scatter_elements_update(workspace{memory.lend(lent)}, in, at, with, 0, reduction, out);
    CAPTURE(sizeof(T), static_cast<int>(reduce), init, rows, lanes, lent);
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (value_of(output[i]) != right[i] || !is_whole(output[i]))
        FAIL("element " << i << " is " << value_of(output[i]));
    }
    if (memory.was_written_around()) FAIL("written beside the workspace");
  }
}

template <class T>
void check_size() {
  constexpr std::int64_t modulus = std::is_same_v<decltype(make<T>(0)), T> && !requires(T t) {
    t.bytes;
  }
  ? 0 : 256;
  // [100, 1000] += [20, 1000] was the first that went wrong; the others are as odd.
  const auto check_shape = [](std::int64_t rows, std::int64_t lanes, std::int64_t count) {
    check<T>(how::sum, true, red::sum, rows, lanes, count, modulus);
    check<T>(how::prod, true, red::prod, rows, lanes, count, modulus);
    check<T>(how::mean, true, red::mean, rows, lanes, count, modulus);
    check<T>(how::sum, false, red::without_init(red::sum), rows, lanes, count, modulus);
    check<T>(how::mean, false, red::without_init(red::mean), rows, lanes, count, modulus);
    if constexpr (!requires(T t) { t.real(); }) {
      check<T>(how::min, true, red::min, rows, lanes, count, modulus);
      check<T>(how::max, true, red::max, rows, lanes, count, modulus);
      check<T>(how::max, false, red::without_init(red::max), rows, lanes, count, modulus);
    }
  };
  check_shape(100, sizeof(T) < 24 ? 1000 : 200, 20);
  limits_for_test limits;
  for (int setting = 0; setting < 8; ++setting) {
    random_source random(static_cast<std::uint64_t>(setting));
    if (setting == 0) limits.set_smallest();
    if (setting == 1) limits.set_largest();
    if (setting > 1) limits.draw(random);
    check_shape(7, 13, 9);
    check_shape(3, 70, 12);
    check_shape(2, 1, 3);
  }
}

template <std::size_t... Sizes>
void check_sizes(std::index_sequence<Sizes...>) {
  (check_size<padded_number<Sizes>>(), ...);
}

TEST_CASE("reductions of users' types of 3, 12 and 300 bytes", "[sizes]") {
  check_sizes(std::index_sequence<3, 12, 300>());
}
#if STREW_TEST_AT_LENGTH
TEST_CASE("reductions of users' types of 1 to 8 bytes", "[sizes]") {
  check_sizes(std::index_sequence<1, 2, 4, 6, 7, 8>());
}
TEST_CASE("reductions of users' types of 9 to 64 bytes", "[sizes]") {
  check_sizes(std::index_sequence<16, 24, 31, 48, 64>());
}
TEST_CASE("reductions of users' types of 65 to 257 bytes", "[sizes]") {
  check_sizes(std::index_sequence<96, 257>());
}
// 12 and 24 bytes on 32-bit x86, 16 and 32 elsewhere.
TEST_CASE("reductions of long double and complex long double", "[sizes]") {
  check_size<long double>();
  check_size<std::complex<long double>>();
  check_size<std::complex<double>>();
}
#endif

}  // namespace
}  // namespace strew::test
