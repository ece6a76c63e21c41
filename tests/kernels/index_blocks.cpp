// SPDX-License-Identifier: Apache-2.0
// Indices that are read some at a time, or checked in another order than that of their positions.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"

#include <strew/detail/kernels/divide_numbers.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

// Of circular starts some are beyond 2^63. Updates that wrap around are copied in two pieces.
void check_samples(std::int64_t width, std::int64_t count, bool wraps) {
  constexpr std::int64_t samples = 2500;
  constexpr std::int64_t length = 7;
  std::vector<std::int16_t> cache(static_cast<std::size_t>(samples * length * width), -1);
  std::vector<std::int16_t> updates(static_cast<std::size_t>(samples * count * width));
  for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<std::int16_t>(i % 30'000);
  std::vector<std::uint64_t> starts(static_cast<std::size_t>(samples));
  const auto legal = static_cast<std::uint64_t>(length - count + 1);
  for (std::size_t b = 0; b < starts.size(); ++b) starts[b] = wraps ? b * 0x9e3779b97f4a7c15 : b * 31 % legal;
  std::vector<std::int16_t> expected = cache;
  for (std::int64_t b = 0; b < samples; ++b) {
    const std::uint64_t start = starts[static_cast<std::size_t>(b)] % static_cast<std::uint64_t>(length);
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t at = (static_cast<std::int64_t>(start) + j) % length;
      for (std::int64_t k = 0; k < width; ++k) {
        expected[static_cast<std::size_t>((b * length + at) * width + k)] =
            updates[static_cast<std::size_t>((b * count + j) * width + k)];
      }
    }
  }
  onnx::tensor_scatter(tensor_view<std::int16_t>{cache.data(), {samples, length, width}},
                       tensor_view<const std::int16_t>{updates.data(), {samples, count, width}},
                       tensor_view<const std::uint64_t>{starts.data(), {samples}},
                       {.mode = wraps ? onnx::cache_mode::circular : onnx::cache_mode::linear});
  INFO(width << " wide, " << count << " positions, " << (wraps ? "circular" : "linear"));
  CHECK(cache == expected);
}

TEST_CASE("more samples of a cache than are read at once", "[indices]") {
  for (const std::int64_t width : {1, 2, 3}) {
    for (const std::int64_t count : {1, 3, 7}) {
      check_samples(width, count, false);
      check_samples(width, count, true);
    }
  }
}

TEST_CASE("of indices that are checked in the order of their strides the first in row-major order is named",
          "[indices]") {
  constexpr std::int64_t rows = 40;
  constexpr std::int64_t columns = 5;
  std::vector<float> data(static_cast<std::size_t>(rows * columns), 1);
  const std::vector<float> before = data;
  const std::vector<float> updates(data.size(), 2);
  for (const index_list& strides : {index_list{1, rows}, index_list{8, 1}, index_list{-8, 1}, index_list{1, -rows}}) {
    std::vector<std::int64_t> indices(800, 3);
    std::int64_t* const first = indices.data() + 400;
    first[30 * strides[0] + strides[1]] = 77;
    first[20 * strides[0] + 4 * strides[1]] = -9;
    first[21 * strides[0]] = 88;
    const status outcome = try_scatter(tensor_view<float>{data.data(), {rows, columns}}, 0,
                                       tensor_view<const std::int64_t>{first, {rows, columns}, strides},
                                       tensor_view<const float>{updates.data(), {rows, columns}});
    CHECK(outcome.code() == errc::index_out_of_bounds);
    const std::string text = outcome.message().c_str();
    INFO(text);
    CHECK(text.find("[20, 4] = -9") != std::string::npos);
    CHECK(data == before);
  }
}

// An output, by the stride of each axis; numbers along these extents.
struct numbered_output {
  index_list extents;
  index_list strides;
  std::size_t first = 0;  // of the element at coordinate 0
};

std::size_t offset_of(const numbered_output& output, std::int64_t number) {
  auto offset = static_cast<std::int64_t>(output.first);
  for (int k = output.extents.size(); k-- > 0;) {
    offset += number % output.extents[k] * output.strides[k];
    number /= output.extents[k];
  }
  return static_cast<std::size_t>(offset);
}

template <class Index>
void check_numbers(const numbered_output& output, std::int64_t count) {
  std::int64_t size = 1;
  for (int k = 0; k < output.extents.size(); ++k) size *= output.extents[k];
  std::vector<std::int32_t> memory(4000, 5);
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::vector<std::int32_t> updates(static_cast<std::size_t>(count));
  std::uint64_t draw = 12345;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    draw = draw * 6364136223846793005U + 1442695040888963407U;
    const auto number = static_cast<std::int64_t>(draw >> 33) % size;
    numbers[i] = static_cast<Index>(std::is_signed_v<Index> && i % 3 == 0 ? number - size : number);
    updates[i] = static_cast<std::int32_t>(i);
  }
  const auto place = [&](std::size_t i) {
    const auto number = static_cast<std::int64_t>(numbers[i]);
    return offset_of(output, number < 0 ? number + size : number);
  };
  std::vector<std::int32_t> assigned = memory;
  std::vector<std::int32_t> summed = memory;
  std::vector<std::int32_t> ordered = memory;
  std::vector<std::int32_t> some = memory;
  const auto step = [](std::int32_t current, std::int32_t update) { return (current & 0xffff) * 3 + update; };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t at = place(i);
    assigned[at] = updates[i];
    summed[at] += updates[i];
    ordered[at] = step(ordered[at], updates[i]);
    if (i % 4 != 0) some[at] = updates[i];
  }
  INFO("rank " << output.extents.size() << ", " << count << " numbers of " << sizeof(Index) << " bytes");
  const tensor_view<const Index> indices{numbers.data(), {count}};
  const tensor_view<const std::int32_t> values{updates.data(), {count}};
  const auto run = [&](const auto& named, const auto&... reduction) {
    std::vector<std::int32_t> result = memory;
    put(tensor_view<std::int32_t>{result.data() + output.first, output.extents, output.strides}, named, values,
        reduction...);
    return result;
  };
  CHECK(run(indices) == assigned);
  CHECK(run(indices, reduction::sum) == summed);
  CHECK(run(indices, step) == ordered);
  if (size >= 32'768) return;  // beyond all numbers of 16 bits
  for (std::size_t i = 0; i < numbers.size(); i += 4)
    numbers[i] = static_cast<Index>(size + static_cast<std::int64_t>(i) % 500);
  CHECK(run(drop(indices)) == some);
}

TEST_CASE("row-major numbers of outputs of any layout", "[indices]") {
  const numbered_output outputs[] = {
      {{3000}, {1}},
      {{50, 60}, {60, 1}},
      {{50, 60}, {1, 50}},
      {{50, 60}, {-60, 1}, 2940},
      {{20, 3, 50}, {150, 50, 1}},
      {{20, 3, 50}, {160, 50, 1}},   // axes 1 and 2 are one run
      {{20, 3, 50}, {51, 1020, 1}},  // no two are
      {{20, 3, 50}, {150, -50, -1}, 149},
      {{1, 20, 1, 150, 1}, {7, 1, 5, 20, 9}},
      {{20, 1, 150}, {150, 3, 1}},
      {{1, 1, 1}, {4, 5, 6}},
      {{7, 1}, {1, 3}},
      {{2, 3, 4, 5, 6}, {360, 120, 30, 6, 1}},
      {{6, 5, 4, 3, 2}, {1, 6, 30, 120, 360}},
  };
  for (const std::int64_t most : {std::int64_t{1} << 32, std::int64_t{0}}) {
    limits_for_test limits;
    tuning::set_by_tests.most_short_numbers = most;
    for (const numbered_output& output : outputs) {
      for (const std::int64_t count : {1, 9, 40, 2500}) {
        check_numbers<std::int16_t>(output, count);
        check_numbers<std::uint64_t>(output, count);
        check_numbers<std::int64_t>(output, count);
      }
    }
  }
}

TEST_CASE("numbers near 2^32 and beyond are divided exactly", "[indices]") {
  const std::uint64_t largest = 0xffffffff;
  for (const std::uint64_t divisor :
       {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{641}, std::uint64_t{65'535},
        std::uint64_t{65'536}, std::uint64_t{6'700'417}, (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 31) + 1,
        largest - 1, largest, largest + 1}) {
    std::vector<std::int64_t> numbers;
    for (std::uint64_t multiple = 0; multiple <= largest; multiple += divisor * (largest / divisor / 90 + 1)) {
      for (const std::uint64_t near : {multiple - 1, multiple, multiple + 1}) {
        if (near <= largest) numbers.push_back(static_cast<std::int64_t>(near));
      }
    }
    for (const bool are_short : {true, false}) {
      std::vector<std::int64_t> quotients = numbers;
      std::vector<std::int64_t> rests(numbers.size());
      const std::int64_t beyond = are_short ? 0 : std::int64_t{1} << 50;
      for (std::int64_t& number : quotients) number += beyond;
      detail::divide(quotients.data(), rests.data(), static_cast<std::int64_t>(numbers.size()),
                     static_cast<std::int64_t>(divisor), are_short);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t number = numbers[i] + beyond;
        REQUIRE(quotients[i] == number / static_cast<std::int64_t>(divisor));
        REQUIRE(rests[i] == number % static_cast<std::int64_t>(divisor));
      }
    }
  }
}

}  // namespace
}  // namespace strew::test
