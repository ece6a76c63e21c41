// SPDX-License-Identifier: Apache-2.0
// The kernels at the sizes that make them choose their fast paths: long runs with vector code and its remainders,
// blocks of each constant size, more rows than fit on the stack, tiles, outputs larger than the cache; serially and in
// parts, with scratch memory and without. The expected values come
// from loops over elements; the small cases are in the operators' own tests.
#include "backwards.hpp"
#include "catch.hpp"

#include <strew/kernel/stream.hpp>
#include <strew/strew.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

using strew::tensor_view;

namespace {

struct triple {  // a size that no kernel is made for
  std::array<unsigned char, 3> bytes;

  friend bool operator==(const triple&, const triple&) = default;
};

template <class T>
T nth_value(std::int64_t n) {
  const auto number = static_cast<std::uint64_t>(n) * 0x9e3779b97f4a7c15U;
  if constexpr (std::is_same_v<T, triple>) {
    return {{static_cast<unsigned char>(number >> 56), static_cast<unsigned char>(number >> 48),
             static_cast<unsigned char>(number >> 40)}};
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return {static_cast<double>(number >> 40), static_cast<double>(n)};
  } else {
    return static_cast<T>(number >> (64 - 8 * sizeof(T)));
  }
}

template <class T>
std::vector<T> values(std::int64_t count, std::int64_t first) {
  std::vector<T> result(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) result[static_cast<std::size_t>(i)] = nth_value<T>(first + i);
  return result;
}

template <class I>
std::vector<I> random_indices(std::int64_t count, std::int64_t low, std::int64_t high, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> index(low, high);
  std::vector<I> result(static_cast<std::size_t>(count));
  for (I& entry : result) entry = static_cast<I>(index(random));
  return result;
}

// Calls body(ex) with each kind of executor, so that kernels get no scratch memory, too little, some and plenty.
template <class Body>
void for_each_executor(Body&& body) {
  const strew::test::backwards parts;
  std::vector<std::byte> memory(std::size_t{1} << 22);
  body(strew::serial);
  body(parts);
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{70'000}, memory.size() - 1}) {
    const std::span<std::byte> lent = std::span(memory).subspan(1, size);
    CAPTURE(size);
    body(strew::workspace{lent});
    body(strew::workspace{lent, parts});
  }
}

template <class T>
T& at(std::vector<T>& elements, std::int64_t position) {
  return elements[static_cast<std::size_t>(position)];
}

using all_sizes = std::tuple<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::complex<double>, triple>;

// A line of `extent` elements with every `step`-th one replaced, as slice_scatter and as a loop.
template <class T>
void check_line(std::int64_t extent, std::int64_t start, std::int64_t step) {
  const auto stop = step > 0 ? strew::int64_max : strew::int64_min;
  const strew::slice_range range = strew::resolve_slice(start, stop, step, extent);
  auto data = values<T>(extent, 1);
  auto updates = values<T>(range.count, 1'000'000);
  auto expected = data;
  for (std::int64_t i = 0; i < range.count; ++i) at(expected, range.first + i * step) = at(updates, i);
  std::vector<T> output(data.size());
  strew::slice_scatter(tensor_view{data.data(), {extent}}, tensor_view{updates.data(), {range.count}},
                       {.start = start, .stop = stop, .step = step}, tensor_view{output.data(), {extent}});
  CHECK(output == expected);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("long lines with steps of every kind", "[kernels]", all_sizes) {
  for (const std::int64_t step : {1, 2, 3, 4, 5, 7, 100, 5000, -1, -2, -3, -4, -5, -100}) {
    for (const std::int64_t start : {0, 1, 3}) {
      for (const std::int64_t extent : {1, 2, 15, 64, 1000, 10'007}) {
        CAPTURE(step, start, extent);
        check_line<TestType>(extent, step > 0 ? start : -1 - start, step);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("blocks of every size, with gaps of every size", "[kernels]", all_sizes) {
  constexpr std::int64_t rows = 60;
  for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 12, 16, 32, 64, 100}) {
    for (const std::int64_t step : {1, 2, 3, -2}) {
      for (const std::int64_t width : {columns, (columns + 1) / 2}) {  // whole rows, and their left halves
        CAPTURE(columns, step, width);
        const strew::slice_range range =
            strew::resolve_slice(step > 0 ? 1 : -1, step > 0 ? strew::int64_max : strew::int64_min, step, rows);
        auto data = values<TestType>(rows * columns, 1);
        auto updates = values<TestType>(range.count * width, 1'000'000);
        auto expected = data;
        for (std::int64_t i = 0; i < range.count; ++i) {
          for (std::int64_t j = 0; j < width; ++j) {
            at(expected, (range.first + i * step) * columns + j) = at(updates, i * width + j);
          }
        }
        const strew::slice_spec slice{.start = {range.first, std::int64_t{0}},
                                      .stop = {step > 0 ? rows : strew::int64_min, width},
                                      .step = {step, std::int64_t{1}}};
        const tensor_view source{data.data(), {rows, columns}};
        const tensor_view update{updates.data(), {range.count, width}};
        std::vector<TestType> output(data.size());
        strew::slice_scatter(source, update, slice, tensor_view{output.data(), {rows, columns}});
        CHECK(output == expected);
        strew::slice_scatter(source, update, slice);
        CHECK(data == expected);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("rows of every size", "[kernels]", all_sizes) {
  constexpr std::int64_t rows = 700;
  constexpr std::int64_t count = 500;  // more than a batch, with duplicates
  for (const std::int64_t outer : {1, 3}) {
    for (const std::int64_t row : {1, 2, 3, 4, 8, 16, 21, 32, 64, 100, 128, 256, 300}) {
      CAPTURE(outer, row);
      auto data = values<TestType>(outer * rows * row, 1);
      auto updates = values<TestType>(outer * count * row, 1'000'000);
      auto indices = random_indices<std::int16_t>(count, 0, rows - 1, static_cast<std::uint32_t>(row));
      auto expected = data;
      for (std::int64_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; i < count; ++i) {
          for (std::int64_t j = 0; j < row; ++j) {
            at(expected, (o * rows + at(indices, i)) * row + j) = at(updates, (o * count + i) * row + j);
          }
        }
      }
      for_each_executor([&](const auto& ex) {
        std::vector<TestType> output(data.size());
        strew::scatter_update(ex, tensor_view{data.data(), {outer, rows, row}}, tensor_view{indices.data(), {count}},
                              tensor_view{updates.data(), {outer, count, row}}, 1,
                              tensor_view{output.data(), {outer, rows, row}});
        CHECK(output == expected);
        output = data;
        const tensor_view in_place{output.data(), {outer, rows, row}};
        strew::scatter_update(ex, in_place, tensor_view{indices.data(), {count}},
                              tensor_view{updates.data(), {outer, count, row}}, 1);
        CHECK(output == expected);
      });
    }
  }
}

TEMPLATE_LIST_TEST_CASE("elements along each axis of a matrix", "[kernels]", all_sizes) {
  constexpr std::int64_t columns = 70;
  const auto rows = GENERATE(std::int64_t{130}, 600, 1100);    // the last ones are too many for a tile on the stack
  for (const std::int64_t updated : {columns, columns - 9}) {  // columns of the indices
    for (const int axis : {0, 1}) {
      CAPTURE(rows, updated, axis);
      const std::int64_t extent = axis == 0 ? rows : columns;
      auto data = values<TestType>(rows * columns, 1);
      auto updates = values<TestType>(rows * updated, 1'000'000);
      auto indices = random_indices<std::int64_t>(rows * updated, -extent, extent - 1, 7);
      auto expected = data;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < updated; ++j) {
          const std::int64_t index = (at(indices, i * updated + j) + extent) % extent;
          at(expected, axis == 0 ? index * columns + j : i * columns + index) = at(updates, i * updated + j);
        }
      }
      for_each_executor([&](const auto& ex) {
        std::vector<TestType> output(data.size());
        strew::onnx::scatter(ex, tensor_view{data.data(), {rows, columns}},
                             tensor_view{indices.data(), {rows, updated}}, tensor_view{updates.data(), {rows, updated}},
                             axis, tensor_view{output.data(), {rows, columns}});
        CHECK(output == expected);
        output = data;
        strew::onnx::scatter(ex, tensor_view{output.data(), {rows, columns}},
                             tensor_view{indices.data(), {rows, updated}}, tensor_view{updates.data(), {rows, updated}},
                             axis);
        CHECK(output == expected);
      });
    }
  }
}

// Rows of a cache line, of several, and of some that no line ends with.
TEST_CASE("outputs larger than the cache, with more rows than fit on the stack", "[kernels]") {
  const auto row = GENERATE(std::int64_t{16}, 64, 72);
  const std::int64_t rows = 9'600'000 / row;
  auto data = values<std::uint32_t>(rows * row, 1);
  std::vector<std::uint32_t> output(data.size());
  const tensor_view source{data.data(), {rows, row}};
  const tensor_view target{output.data(), {rows, row}};

  SECTION("rows") {
    const std::int64_t count = rows / 2;
    auto updates = values<std::uint32_t>(count * row, 100'000'000);
    auto indices = random_indices<std::int32_t>(count, 0, rows - 1, 3);
    auto expected = data;
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < row; ++j) at(expected, at(indices, i) * row + j) = at(updates, i * row + j);
    }
    const auto check = [&](const auto& ex) {
      output.assign(output.size(), 0);
      strew::scatter_update(ex, source, tensor_view{indices.data(), {count}}, tensor_view{updates.data(), {count, row}},
                            0, target);
      CHECK(output == expected);
    };
    check(strew::serial);
    check(strew::test::backwards{});
  }
  SECTION("slices") {
    auto updates = values<std::uint32_t>(rows * row, 100'000'000);
    for (const std::int64_t begin : {0, 3}) {
      for (const std::int64_t step : {1, 2, 5}) {
        const strew::slice_range range = strew::resolve_slice(begin, rows - 7, step, rows);
        auto expected = data;
        for (std::int64_t i = 0; i < range.count; ++i) {
          for (std::int64_t j = 0; j < row; ++j) at(expected, (begin + i * step) * row + j) = at(updates, i * row + j);
        }
        strew::slice_scatter(source, tensor_view{updates.data(), {range.count, row}},
                             {.start = begin, .stop = rows - 7, .step = step}, target);
        CHECK(output == expected);
      }
    }
  }
}

// The sources of many rows are kept in the output itself.
TEMPLATE_TEST_CASE("many rows, several times over", "[kernels]", std::uint8_t, std::uint32_t, std::uint64_t) {
  const auto row_bytes = GENERATE(std::int64_t{64}, 72, 128, 200, 1032);
  const std::int64_t row = row_bytes / static_cast<std::int64_t>(sizeof(TestType));
  const auto rows = GENERATE(std::int64_t{4095}, 4096, 4097, 9001);
  const std::int64_t outer = 2;
  const std::int64_t count = rows;
  const auto data = values<TestType>(outer * rows * row, 1);
  auto updates = values<TestType>(outer * count * row, 7);
  auto indices = random_indices<std::int64_t>(count, 0, rows - 1, 11);  // with duplicates
  indices.back() = indices.front();
  auto expected = data;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < row; ++j) {
        at(expected, (o * rows + at(indices, i)) * row + j) = at(updates, (o * count + i) * row + j);
      }
    }
  }
  std::vector<TestType> output(data.size());
  const auto check = [&](const auto& ex) {
    output.assign(output.size(), 0);
    strew::scatter_update(ex, tensor_view{data.data(), {outer, rows, row}}, tensor_view{indices.data(), {count}},
                          tensor_view{updates.data(), {outer, count, row}}, 1,
                          tensor_view{output.data(), {outer, rows, row}});
    CHECK(output == expected);
  };
  CAPTURE(row_bytes, rows);
  check(strew::serial);
  check(strew::test::backwards{});
}

// Ascending indices, some of them several times: each part of a call looks up which are its own.
TEMPLATE_TEST_CASE("ascending indices in parts", "[kernels]", std::int32_t, std::uint8_t, std::int64_t) {
  const bool is_short = sizeof(TestType) == 1;
  const std::int64_t rows = is_short ? 200 : 100'000;
  const auto row = is_short ? GENERATE(std::int64_t{700}, 1024) : GENERATE(std::int64_t{1}, 3, 16);
  const auto last = GENERATE(as<double>{}, 0.3, 1.0);  // up to where in the output the indices go
  const std::int64_t count = rows / 2;
  std::vector<TestType> indices;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(count - 1);
    indices.push_back(static_cast<TestType>(x * x * last * static_cast<double>(rows - 1)));
  }
  const auto data = values<float>(rows * row, 1);
  auto updates = values<float>(count * row, 7);
  auto expected = data;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < row; ++j) at(expected, at(indices, i) * row + j) = at(updates, i * row + j);
  }
  const bool in_place = GENERATE(false, true);
  CAPTURE(row, last, in_place);
  auto output = in_place ? data : std::vector<float>(data.size());
  const tensor_view target{output.data(), {rows, row}};
  const tensor_view source{in_place ? output.data() : data.data(), {rows, row}};
  const tensor_view<const float> from{updates.data(), {count, row}};
  SECTION("rows") {
    strew::scatter_update(strew::test::backwards{}, source, tensor_view{indices.data(), {count}}, from, 0, target);
    CHECK(output == expected);
  }
  SECTION("elements") {
    if (row > 1) return;  // a single lane
    strew::scatter_elements_update(strew::test::backwards{}, source, tensor_view{indices.data(), {count, 1}}, from, 0,
                                   target);
    CHECK(output == expected);
  }
  SECTION("an index beyond the end is found") {
    if (is_short) return;
    indices.back() = static_cast<TestType>(rows);
    const auto before = output;
    CHECK(strew::try_scatter_update(strew::test::backwards{}, source, tensor_view{indices.data(), {count}}, from, 0,
                                    target)
              .code() == strew::errc::index_out_of_bounds);
    CHECK(output == before);
  }
}

TEST_CASE("pieces written around the cache are written in full, and nothing else is", "[kernels]") {
  constexpr std::size_t guard = 64;
  const auto source = values<unsigned char>(21'000, 5);
  const auto piece = GENERATE(std::int64_t{0}, 1, 7, 63, 64, 65, 127, 128, 200, 256, 960, 4096, 5000);
  const bool streaming = GENERATE(false, true);
  for (std::size_t offset = 0; offset < 64; offset += offset < 4 ? 1 : 5) {
    std::vector<unsigned char> target(source.size() + 3 * guard, 0xee);
    auto expected = target;
    strew::detail::ascending_writer writer{target.data() + guard + offset, streaming};
    std::int64_t done = 0;
    const auto source_at = [&](std::int64_t position) { return source.data() + position; };
    writer.write(source_at(done), piece);
    done += piece;
    writer.produce(3, 100, [&](char* to, std::int64_t first, std::int64_t n) {
      std::memcpy(to, source_at(done + 3 * first), static_cast<std::size_t>(3 * n));
    });
    done += 300;
    writer.write(source_at(done), 2 * piece);
    done += 2 * piece;
    writer.make(piece, [&](char* to) { std::memcpy(to, source_at(done), static_cast<std::size_t>(piece)); });
    done += piece;
    writer.write(source_at(done), 5);
    done += 5;
    writer.finish();
    strew::detail::stream_fence();
    std::memcpy(expected.data() + guard + offset, source.data(), static_cast<std::size_t>(done));
    CAPTURE(piece, streaming, offset);
    CHECK(target == expected);
  }
}

#if STREW_USE_INTRINSICS
TEST_CASE("lines are streamed alike by stores of every width", "[kernels]") {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = 21 * line;
  const auto source = values<unsigned char>(most + line, 5);
  const auto check = [&](bool supported, auto stream_lines) {
    if (!supported) return;
    for (std::size_t bytes = 0; bytes <= most; bytes += line) {
      for (const std::size_t offset : std::array<std::size_t, 3>{0, 1, 40}) {
        alignas(line) std::array<unsigned char, most + line> target{};
        auto expected = target;
        std::memcpy(expected.data(), source.data() + offset, bytes);
        stream_lines(reinterpret_cast<char*>(target.data()), reinterpret_cast<const char*>(source.data() + offset),
                     static_cast<std::int64_t>(bytes));
        strew::detail::stream_fence();
        CAPTURE(bytes, offset);
        CHECK(target == expected);
      }
    }
  };
  check(true, strew::detail::stream_lines_16);
  check(__builtin_cpu_supports("avx") != 0, strew::detail::stream_lines_32);
  check(__builtin_cpu_supports("avx512f") != 0, strew::detail::stream_lines_64);
}
#endif
