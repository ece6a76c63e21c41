// SPDX-License-Identifier: Apache-2.0
// Scatters by a mask, for each loop over the mask: widths, lengths around a word of 64, shares of selected elements,
// strides of each operand, sources of one value, in runs that end anywhere, and with nothing behind the last element.
#include "support/catch.hpp"

#include <strew/detail/typed/typed_masked.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

// Runs too short for words of the mask, as many at a time as lie along the axis around them.
TEST_CASE("masks of short runs, whose rows lie apart and which are expanded or permuted", "[masks]") {
  for (int round = 0; round < 600; ++round) {
    const std::int64_t extents[3] = {1 + below(6), 1 + below(7), 1 + below(20)};
    const std::int64_t size = extents[0] * extents[1] * extents[2];
    const std::int64_t gap = below(3);
    const std::int64_t strides[3] = {extents[1] * (extents[2] + gap) + below(2), extents[2] + gap, 1};
    const bool in_place = below(2) == 0;
    const std::int64_t wide = in_place ? strides[1] : strides[1] + below(3);  // rows of the output
    const std::int64_t of_output[3] = {in_place ? strides[0] : extents[1] * wide, wide, 1};
    std::int64_t of_mask[3];
    int order[3] = {0, 1, 2};
    std::shuffle(std::begin(order), std::end(order), random_numbers);
    std::int64_t step = 1;
    for (const int k : order) {
      of_mask[k] = below(4) == 0 ? 0 : step;
      if (of_mask[k] != 0) step *= extents[k];
    }
    std::vector<char> mask(static_cast<std::size_t>(step));
    for (char& each : mask) each = below(2) == 0 ? '\0' : '\1';
    // Two axes of the source, each of which may be expanded.
    const std::int64_t width = 1 + below(40);
    const std::int64_t of_source[2] = {below(4) == 0 ? 0 : width, below(4) == 0 ? 0 : 1};
    std::vector<std::int16_t> source(static_cast<std::size_t>(size + width));
    for (std::int16_t& each : source) each = number<std::int16_t>(random_numbers());
    std::vector<std::int16_t> data(static_cast<std::size_t>(extents[0] * strides[0]), std::int16_t{-1});
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int16_t>(-1 - static_cast<int>(i));
    const bool fills = below(2) == 0;
    std::vector<std::int16_t> output(static_cast<std::size_t>(extents[0] * of_output[0]), std::int16_t{-2});
    if (in_place) output = data;
    std::vector<std::int16_t> expected = output;
    std::int64_t taken = 0;
    const auto next = [&] {
      const std::int64_t at = taken / width * of_source[0] + taken % width * of_source[1];
      ++taken;
      return source[static_cast<std::size_t>(at)];
    };
    for (std::int64_t i = 0; i < extents[0]; ++i) {
      for (std::int64_t j = 0; j < extents[1]; ++j) {
        for (std::int64_t k = 0; k < extents[2]; ++k) {
          const auto at = static_cast<std::size_t>(i * strides[0] + j * strides[1] + k);
          const bool is_selected =
              mask[static_cast<std::size_t>(i * of_mask[0] + j * of_mask[1] + k * of_mask[2])] != '\0';
          std::int16_t& element = expected[static_cast<std::size_t>(i * of_output[0] + j * of_output[1] + k)];
          element = !is_selected ? data[at] : fills ? std::int16_t{7} : next();
        }
      }
    }
    const index_list shape{extents[0], extents[1], extents[2]};
    const index_list steps{strides[0], strides[1], strides[2]};
    const tensor_view<const char> these{mask.data(), shape, {of_mask[0], of_mask[1], of_mask[2]}};
    const tensor_view<std::int16_t> out{output.data(), shape, {of_output[0], of_output[1], 1}};
    const tensor_view<const std::int16_t> from{in_place ? output.data() : data.data(), shape, steps};
    if (fills) {
      masked_fill(from, these, std::int16_t{7}, out);
    } else {
      const index_list of{(size + width - 1) / width, width};
      masked_scatter(from, these, tensor_view<const std::int16_t>{source.data(), of, {of_source[0], of_source[1]}},
                     out);
    }
    INFO("round " << round);
    REQUIRE(output == expected);
  }
}

TEST_CASE("blocks of runs are the elements of a nest from one to another, in order", "[masks]") {
  for (int round = 0; round < 2000; ++round) {
    detail::loop_nest<1> nest;
    std::vector<std::int64_t> all{0};
    for (std::int64_t k = below(4); k > 0; --k) {
      const std::int64_t extent = 1 + below(5);
      const std::int64_t stride = below(20) - 10;
      nest.add_inner(extent, {{stride}});
      std::vector<std::int64_t> inside;
      for (const std::int64_t at : all) {
        for (std::int64_t i = 0; i < extent; ++i) inside.push_back(at + i * stride);
      }
      all = inside;
    }
    const auto size = static_cast<std::int64_t>(all.size());
    const std::int64_t begin = below(size + 1);
    const std::int64_t end = begin + below(size - begin + 1);
    std::vector<std::int64_t> found;
    detail::for_each_block(
        nest, begin, end, [&](const detail::per_operand<1>& at, std::int64_t count, std::int64_t rows) {
          for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t i = 0; i < count; ++i) {
              found.push_back(at[0] + row * nest.second().strides[0] + i * nest.innermost().strides[0]);
            }
          }
        });
    REQUIRE(found == std::vector<std::int64_t>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                               all.begin() + static_cast<std::ptrdiff_t>(end)));
  }
}

}  // namespace
}  // namespace strew::test
