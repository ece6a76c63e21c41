// SPDX-License-Identifier: Apache-2.0
// Indices that are read some at a time, or checked in another order than that of their positions.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
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

}  // namespace
}  // namespace strew::test
