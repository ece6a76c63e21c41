// SPDX-License-Identifier: Apache-2.0
// Scatters by a mask, for each loop over the mask: widths, lengths around a word of 64, shares of selected elements,
// strides of each operand, sources of one value, in runs that end anywhere, and with nothing behind the last element.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace strew::test {
namespace {

struct three_bytes {
  unsigned char value[3];
  friend bool operator==(const three_bytes&, const three_bytes&) = default;
};

template <class T>
T number(std::uint64_t n) {
  return static_cast<T>(static_cast<int>(n % 127));
}
template <>
three_bytes number<three_bytes>(std::uint64_t n) {
  const auto low = static_cast<unsigned char>(n);
  return {{low, static_cast<unsigned char>(n >> 8), static_cast<unsigned char>(low ^ 85U)}};
}

// A vector of strided elements with no memory beyond the first and the last one.
template <class T>
struct strided {
  std::int64_t stride;
  std::vector<T> memory;

  strided(std::int64_t count, std::int64_t step)
      : stride{step}, memory(static_cast<std::size_t>(count == 0 ? 0 : (count - 1) * std::max(step, -step) + 1)) {}
  std::int64_t first() const { return stride < 0 ? static_cast<std::int64_t>(memory.size()) - 1 : 0; }
  T& operator[](std::int64_t i) { return memory[static_cast<std::size_t>(first() + i * stride)]; }
  tensor_view<T> view(std::int64_t count) {
    return {memory.empty() ? nullptr : memory.data() + first(), {count}, {stride}};
  }
};

std::mt19937_64 random_numbers(19);
std::int64_t below(std::int64_t bound) {
  return static_cast<std::int64_t>(random_numbers() % static_cast<std::uint64_t>(bound));
}
std::int64_t a_stride() {
  constexpr std::int64_t steps[] = {1, 1, 1, 2, -1, -3};
  return steps[below(6)];
}

template <class T>
void check_masks() {
  for (int round = 0; round < 400; ++round) {
    const std::int64_t count = below(round % 4 == 0 ? 600 : 140);
    strided<char> mask(count, below(8) == 0 ? 0 : a_stride());
    constexpr int shares[] = {0, 3, 20, 50, 80, 97, 100};
    const int share = shares[below(7)];
    for (char& each : mask.memory) each = below(100) < share ? static_cast<char>(1 + below(255)) : '\0';
    strided<T> data(count, a_stride());
    for (T& each : data.memory) each = number<T>(random_numbers());
    std::int64_t selected = 0;
    for (std::int64_t i = 0; i < count; ++i) selected += mask[i] != 0 ? 1 : 0;

    // The source: one run that ends with the last update, rows that end anywhere, or rows of one value.
    const bool is_run = selected > 0 && below(3) == 0;
    const std::int64_t row = is_run ? selected : 1 + below(90);
    const std::int64_t rows = is_run ? 1 : selected / row + 1;
    const bool repeats = below(5) == 0;
    const std::int64_t step = repeats ? 0 : a_stride();
    const std::int64_t apart = below(3) == 0 ? std::max<std::int64_t>(1, row * std::max(step, -step)) : 700;
    std::vector<T> source(static_cast<std::size_t>((rows - 1) * apart + (row - 1) * std::max(step, -step) + 1));
    for (T& each : source) each = number<T>(random_numbers());
    const T* const first = source.data() + (step < 0 ? (row - 1) * -step : 0);
    const tensor_view<const T> values{first, {rows, row}, {apart, step}};

    std::vector<T> filled;
    std::vector<T> scattered;
    const T one = number<T>(random_numbers());
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      filled.push_back(mask[i] != 0 ? one : data[i]);
      scattered.push_back(mask[i] != 0 ? first[next / row * apart + next % row * step] : data[i]);
      next += mask[i] != 0 ? 1 : 0;
    }

    const bool in_place = below(2) == 0;
    const bool fills = below(2) == 0;
    strided<T> output = in_place ? data : strided<T>(count, a_stride());
    const std::vector<T> before = output.memory;
    const tensor_view<const char> these = mask.view(count);
    const tensor_view<const T> one_element{&one, {}};
    if (in_place && fills) masked_fill(output.view(count), these, one_element);
    if (in_place && !fills) masked_scatter(output.view(count), these, values);
    if (!in_place && fills) masked_fill(tensor_view<const T>(data.view(count)), these, one_element, output.view(count));
    if (!in_place && !fills) masked_scatter(tensor_view<const T>(data.view(count)), these, values, output.view(count));
    bool is_right = true;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      is_right = is_right && output[i] == (fills ? filled[k] : scattered[k]);
    }
    // What is between the elements is as it was.
    const std::int64_t gap = output.stride < 0 ? -output.stride : output.stride;
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (static_cast<std::int64_t>(k) % gap != 0) is_right = is_right && output.memory[k] == before[k];
    }
    INFO("round " << round << ", " << count << " elements, " << selected << " selected");
    REQUIRE(is_right);
  }
}

TEST_CASE("masks of elements of every width", "[masks]") {
  check_masks<std::uint8_t>();
  check_masks<std::int16_t>();
  check_masks<float>();
  check_masks<double>();
  check_masks<std::complex<double>>();
  check_masks<three_bytes>();
}

// [1, S, 1] over [B, S, D]: each position of S selects a row.
TEST_CASE("a mask that is expanded over rows", "[masks]") {
  constexpr std::int64_t batches = 3;
  constexpr std::int64_t length = 40;
  constexpr std::int64_t width = 70;
  std::vector<char> mask(length);
  for (std::size_t s = 0; s < mask.size(); ++s) mask[s] = s % 3 == 1 ? '\2' : '\0';
  std::vector<float> source(batches * length * width);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  std::vector<float> output(source.size(), -1);
  std::vector<float> expected = output;
  std::size_t next = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (mask[i / std::size_t{width} % mask.size()] != '\0') expected[i] = source[next++];
  }
  const index_list extents{batches, length, width};
  const tensor_view<const char> expanded{mask.data(), extents, {0, 1, 0}};
  masked_scatter(tensor_view<float>{output.data(), extents}, expanded,
                 tensor_view<const float>{source.data(), extents});
  CHECK(output == expected);
}

// The order of a fill is free, that of masked_scatter is row-major whatever the strides are.
TEST_CASE("masks of column-major tensors", "[masks]") {
  constexpr std::int64_t rows = 90;
  constexpr std::int64_t columns = 70;
  std::vector<char> mask(rows * columns);
  for (char& each : mask) each = below(2) == 0 ? '\0' : '\1';
  std::vector<double> source(mask.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<double>(i);
  for (const bool fills : {false, true}) {
    std::vector<double> output(mask.size(), -1);
    std::vector<double> expected = output;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t at = j * std::size_t{rows} + i;
        if (mask[at] != '\0') expected[at] = fills ? 7 : source[next++];
      }
    }
    const tensor_view<double> view{output.data(), {rows, columns}, {1, rows}};
    const tensor_view<const char> these{mask.data(), {rows, columns}, {1, rows}};
    if (fills) {
      masked_fill(view, these, 7.0);
    } else {
      masked_scatter(view, these, tensor_view<const double>{source.data(), {rows * columns}});
    }
    CHECK(output == expected);
  }
}

}  // namespace
}  // namespace strew::test
