// SPDX-License-Identifier: Apache-2.0
// Prepared and bound scatters: what the property tests do not reach.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::ptrdiff_t>::max();  // elements of a view

template <class Index = std::int64_t>
auto prepared_line(std::int64_t extent, std::int64_t count) {
  strided_layout line;
  strided_layout some;
  static_cast<void>(strided_layout::try_make(extent, 4, line));
  static_cast<void>(strided_layout::try_make(count, 4, some));
  return prepare<float, Index>(scatter_elements_update, {line, some, some, line}, 0);
}

std::string message_of(const status& outcome) {
  return std::string(outcome.message().view());
}

TEST_CASE("a prepared call is a plain value of a documented size", "[prepare]") {
  using one = decltype(prepared_line(1, 1));
  static_assert(std::is_same_v<one, prepared<float, std::int64_t, scatter_elements_update>>);
  static_assert(std::is_trivially_destructible_v<one>);
  static_assert(std::is_nothrow_copy_constructible_v<one>);
  static_assert(sizeof(one) <= 4 * sizeof(strided_layout) + 100);
  static_assert(sizeof(decltype(prepared_line(1, 1).bind(nullptr, {}))) <= sizeof(one) + 200);
  const one nothing;
  nothing.run(nullptr, nullptr, nullptr, nullptr);
}

TEST_CASE("preparing refuses what the operator refuses", "[prepare]") {
  strided_layout matrix;
  strided_layout line;
  REQUIRE(strided_layout::try_make({3, 4}, 4, matrix).ok());
  REQUIRE(strided_layout::try_make(2, 4, line).ok());
  prepared<float, int, scatter_update> call;
  CHECK(message_of(try_prepare<float, int>(scatter_update, {matrix, line, matrix, matrix}, 0, call)) ==
        "scatter_update: updates has extent 3 on axis 0, expected 2 as indices has on axis 0");
  CHECK(message_of(try_prepare<float, int>(scatter_update, {matrix, line, matrix, matrix}, 2, call)) ==
        "scatter_update: axis = 2 is outside [-2, 1] (data has rank 2)");
  CHECK_THROWS_AS((prepare<float, int>(scatter_update, {matrix, line, matrix, line}, 0)), scatter_error);
  CHECK(call.layouts().data.size() == 0);  // as it was
}

TEST_CASE("a layout for smaller elements is not taken for one of larger ones", "[prepare]") {
  struct large {
    char bytes[64];
  };
  strided_layout huge;
  REQUIRE(strided_layout::try_make(largest / 8 + 1, 1, huge).ok());
  prepared<large, int, scatter_update> call;
  CHECK(try_prepare<large, int>(scatter_update, {huge, huge, huge, huge}, 0, call).code() == errc::size_overflow);
}

TEST_CASE("every run checks addresses and indices", "[prepare]") {
  const auto call = prepared_line(8, 2);
  std::vector<float> data(8, 1.0F);
  std::vector<float> output(8, 0.0F);
  const std::vector<float> updates{5.0F, 6.0F};
  std::vector<std::int64_t> indices{7, 3};
  call.run(data.data(), indices.data(), updates.data(), output.data());
  CHECK(output == std::vector<float>{1, 1, 1, 6, 1, 1, 1, 5});

  const std::vector<float> before = output;
  indices[1] = 8;
  CHECK(message_of(call.try_run(data.data(), indices.data(), updates.data(), output.data())) ==
        "scatter_elements_update: indices[1] = 8 is outside [0, 7] (axis 0 has extent 8)");
  indices[1] = -1;
  CHECK_THROWS_AS(call.run(data.data(), indices.data(), updates.data(), output.data()), scatter_error);
  indices[1] = 3;
  CHECK(message_of(call.try_run(nullptr, indices.data(), updates.data(), output.data())) ==
        "scatter_elements_update: data is null, but extents [8] hold elements");
  CHECK(call.try_run(data.data(), nullptr, updates.data(), output.data()).code() == errc::null_data);
  CHECK(call.try_run(data.data(), indices.data(), nullptr, output.data()).code() == errc::null_data);
  CHECK(call.try_run(data.data(), indices.data(), updates.data(), nullptr).code() == errc::null_data);
  CHECK(call.try_run(output.data() + 1, indices.data(), updates.data(), output.data()).code() == errc::overlap);
  CHECK(call.try_run(data.data(), indices.data(), output.data() + 6, output.data()).code() == errc::overlap);
  CHECK(output == before);
}

// The same on rows of a large output, in place and out of place, with dense layouts and with others.
TEST_CASE("runs on more than a few elements check addresses and indices, too", "[prepare]") {
  constexpr std::int64_t rows = 1000;
  for (const std::int64_t width : {1, 2, 3, 4, 5, 9}) {
    for (const std::int64_t gap : {0, 1}) {  // between rows of the output and of data; with 0 they are dense
      for (const bool in_place : {true, false}) {
        CAPTURE(width, gap, in_place);
        const std::int64_t pitch = width + gap;
        const auto size = static_cast<std::size_t>(rows * pitch);
        strided_layout all;
        strided_layout some;
        strided_layout three;
        REQUIRE(strided_layout::try_make({rows, width}, {pitch, 1}, 4, all).ok());
        REQUIRE(strided_layout::try_make({3, width}, 4, some).ok());
        REQUIRE(strided_layout::try_make(3, 4, three).ok());
        const auto call = prepare<float, std::int32_t>(scatter_update, {all, three, some, all}, 0);
        std::vector<float> updates(static_cast<std::size_t>(3 * width));
        for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<float>(i + 1);
        std::vector<std::int32_t> indices{7, 999, 7};
        std::vector<float> data(size, -1.0F);
        std::vector<float> separate(size, -2.0F);
        std::vector<float>& output = in_place ? data : separate;

        std::vector<float> expected = separate;
        for (std::int64_t i = 0; i < rows * pitch; ++i) {
          const auto k = static_cast<std::size_t>(i);
          if (in_place || i % pitch < width) expected[k] = -1.0F;
        }
        for (std::int64_t i = 0; i < 3; ++i) {
          for (std::int64_t j = 0; j < width; ++j) {
            expected[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)] * pitch + j)] =
                updates[static_cast<std::size_t>(i * width + j)];
          }
        }
        call.run(data.data(), indices.data(), updates.data(), output.data());
        CHECK(output == expected);

        indices[2] = 1000;
        CHECK(message_of(call.try_run(data.data(), indices.data(), updates.data(), output.data())) ==
              "scatter_update: indices[2] = 1000 is outside [0, 999] (axis 0 has extent 1000)");
        indices[2] = -1;
        CHECK(call.try_run(data.data(), indices.data(), updates.data(), output.data()).code() ==
              errc::index_out_of_bounds);
        indices[2] = 7;
        CHECK(call.try_run(nullptr, indices.data(), updates.data(), output.data()).code() == errc::null_data);
        CHECK(message_of(call.try_run(data.data(), nullptr, updates.data(), output.data())) ==
              "scatter_update: indices is null, but extents [3] hold elements");
        CHECK(call.try_run(data.data(), indices.data(), nullptr, output.data()).code() == errc::null_data);
        CHECK(call.try_run(data.data(), indices.data(), updates.data(), nullptr).code() == errc::null_data);
        CHECK(call.try_run(data.data(), indices.data(), output.data(), output.data()).code() == errc::overlap);
        if (width + gap != 2) {  // otherwise the elements of data are in the gaps
          CHECK(call.try_run(output.data(), indices.data(), updates.data(), output.data() + 1).code() == errc::overlap);
        }
        CHECK(output == expected);
      }
    }
  }
}

TEST_CASE("binding checks the indices and the memory", "[prepare]") {
  const auto call = prepared_line(8, 2);
  std::vector<std::byte> memory(call.bound_bytes());
  const std::vector<std::int64_t> bad{0, 9};
  const std::vector<std::int64_t> good{5, 0};
  bound<float, std::int64_t, scatter_elements_update> all;
  CHECK(message_of(call.try_bind(bad.data(), memory, all)) ==
        "scatter_elements_update: indices[1] = 9 is outside [0, 7] (axis 0 has extent 8)");
  CHECK(message_of(call.try_bind(nullptr, memory, all)) ==
        "scatter_elements_update: indices is null, but extents [2] hold elements");
  const std::size_t less = call.bound_bytes() - 1;
  CHECK(message_of(call.try_bind(good.data(), std::span(memory).first(less), all)) ==
        "scatter_elements_update: memory has " + std::to_string(less) + " bytes, expected at least " +
            std::to_string(call.bound_bytes()));
  CHECK_THROWS_AS(call.bind(good.data(), {}), scatter_error);
}

TEST_CASE("memory that holds the indices is refused", "[prepare]") {
  const auto call = prepared_line<int>(50, 20);
  std::vector<int> memory(1000);
  bound<float, int, scatter_elements_update> all;
  CHECK(message_of(call.try_bind(memory.data(), std::as_writable_bytes(std::span(memory)), all)) ==
        "scatter_elements_update: memory shares memory with indices");
  CHECK(memory == std::vector<int>(1000));
}

TEST_CASE("the memory of bound indices, lent once more, is no workspace", "[prepare]") {
  const auto call = prepared_line<int>(3000, 2500);
  std::vector<int> indices(2500);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k * 1777 % 2900);
  std::vector<std::byte> memory(call.bound_bytes());
  const auto all = call.bind(indices.data(), memory);
  const std::vector<std::byte> kept = memory;
  const std::vector<float> data(3000, -1.0F);
  const std::vector<float> updates(2500, 7.0F);
  std::vector<float> expected(3000);
  std::vector<float> output(3000);
  all.run(data.data(), updates.data(), expected.data());
  all.run(workspace(memory), data.data(), updates.data(), output.data());
  CHECK(output == expected);
  CHECK(memory == kept);
}

TEST_CASE("an empty scatter of huge extents can be prepared and bound", "[prepare]") {
  strided_layout indices;
  strided_layout data;
  REQUIRE(strided_layout::try_make({0, largest / 2 + 1}, {1, 0}, 8, indices).ok());
  REQUIRE(strided_layout::try_make({0, largest / 2 + 1}, {1, 0}, 4, data).ok());
  const auto call = prepare<float, std::int64_t>(onnx::scatter, {data, indices, data, data}, 0);
  std::vector<std::byte> memory(call.bound_bytes());
  call.bind(nullptr, memory).run(nullptr, nullptr, nullptr);
}

TEST_CASE("an output of countless elements in one place is refused, not counted", "[prepare]") {
  strided_layout many;
  strided_layout few;
  REQUIRE(strided_layout::try_make(largest / 2 + 1, 0, 4, many).ok());
  REQUIRE(strided_layout::try_make(1, 4, few).ok());
  prepared<float, int, scatter_update> call;
  CHECK(try_prepare<float, int>(scatter_update, {many, few, few, many}, 0, call).code() == errc::repeated_element);
  float element = 0;
  const int index = 0;
  tensor_view<float> all;
  REQUIRE(tensor_view<float>::try_make(&element, {largest / 2 + 1}, {0}, all).ok());
  const float update = 1;
  CHECK(try_scatter_update(all, tensor_view{&index, {1}}, tensor_view{&update, {1}}, 0).code() ==
        errc::repeated_element);
  CHECK(try_slice_scatter(all, tensor_view{&update, {1}}, {.start = 0, .stop = 1, .step = 1}).code() ==
        errc::repeated_element);
}

TEST_CASE("a bound run checks addresses", "[prepare]") {
  const auto call = prepared_line(8, 3);
  std::vector<std::byte> memory(call.bound_bytes());
  const std::vector<std::int64_t> indices{5, 0, 7};
  const auto bound = call.bind(indices.data(), memory);
  std::vector<float> data(8, 1.0F);
  std::vector<float> output(8, 0.0F);
  const std::vector<float> updates{5.0F, 6.0F, 7.0F};
  CHECK(bound.try_run(nullptr, updates.data(), output.data()).code() == errc::null_data);
  CHECK(bound.try_run(data.data(), nullptr, output.data()).code() == errc::null_data);
  CHECK(bound.try_run(data.data(), updates.data(), nullptr).code() == errc::null_data);
  CHECK(bound.try_run(output.data() + 1, updates.data(), output.data()).code() == errc::overlap);
  CHECK(bound.try_run(data.data(), output.data() + 5, output.data()).code() == errc::overlap);
  CHECK(message_of(bound.try_run(data.data(), updates.data(), reinterpret_cast<float*>(memory.data()))) ==
        "scatter_elements_update: output shares memory with indices");  // small calls keep a copy of them
  CHECK(output == std::vector<float>(8, 0.0F));
  bound.run(data.data(), updates.data(), output.data());
  CHECK(output == std::vector<float>{6, 1, 1, 1, 1, 5, 1, 7});
}

TEST_CASE("with a workspace, bound updates are sorted before they go to random places", "[prepare]") {
  if (STREW_COMPILED) {
    WARN("not tested: the compiled library keeps a copy of the indices, and sorts no updates");
    return;
  }
  const auto call = prepared_line<int>(3000, 2500);
  std::vector<int> indices(2500);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k * 1777 % 2900);
  std::vector<float> data(3000, -1.0F);
  std::vector<float> updates(2500);
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = static_cast<float>(k);
  std::vector<float> expected = data;
  for (std::size_t k = 0; k < indices.size(); ++k) expected[static_cast<std::size_t>(indices[k])] = updates[k];

  std::vector<std::byte> memory(call.bound_bytes());
  const auto bound = call.bind(indices.data(), memory);
  REQUIRE(bound.workspace_bytes() > 2500 * sizeof(float));
  guarded_workspace lent(static_cast<std::int64_t>(bound.workspace_bytes()));
  for (const std::int64_t less : {0, 1000}) {  // with less, it goes without
    for (const bool in_place : {false, true}) {
      const auto size = static_cast<std::int64_t>(bound.workspace_bytes()) - less;
      std::vector<float> output = data;
      const backwards threads;
      bound.run(workspace(lent.lend(size), threads), in_place ? output.data() : data.data(), updates.data(),
                output.data());
      CHECK(output == expected);
      CHECK(lent.was_used() == (less == 0));
      CHECK_FALSE(lent.was_written_around());
      lent.restore();
    }
  }

  std::vector<int> sorted(2500);
  for (std::size_t k = 0; k < sorted.size(); ++k) sorted[k] = static_cast<int>(k + k / 100);
  CHECK(call.bind(sorted.data(), memory).workspace_bytes() == 0);

  // Rows of up to 32 bytes.
  for (const std::int64_t width : {4, 8, 9}) {
    strided_layout rows;
    strided_layout new_rows;
    strided_layout places;
    REQUIRE(strided_layout::try_make({3000, width}, sizeof(float), rows).ok());
    REQUIRE(strided_layout::try_make({2500, width}, sizeof(float), new_rows).ok());
    REQUIRE(strided_layout::try_make(2500, sizeof(int), places).ok());
    const auto of_rows = prepare<float, int>(scatter_update, {rows, places, new_rows, rows}, 0);
    std::vector<std::byte> more(of_rows.bound_bytes());
    CHECK((of_rows.bind(indices.data(), more).workspace_bytes() > 0) == (width <= 8));
  }
}

TEST_CASE("bound sums are those of naive loops in row-major order, on threads and with a workspace, too", "[prepare]") {
  constexpr std::int64_t rows = 700;
  constexpr std::int64_t count = 2500;
  for (const std::int64_t width : {1, 3, 4, 16, 40}) {
    for (const std::int64_t spread : {rows, std::int64_t{20}}) {  // 20: many updates to few rows
      strided_layout table;
      strided_layout slots;
      strided_layout some;
      REQUIRE(strided_layout::try_make({rows, width}, 4, table).ok());
      REQUIRE(strided_layout::try_make(count, 4, slots).ok());
      REQUIRE(strided_layout::try_make({count, width}, 4, some).ok());
      const auto call = prepare<float, int>(index_add, {table, slots, some, table}, 0);
      std::vector<int> indices(count);
      std::vector<float> data(static_cast<std::size_t>(rows * width));
      std::vector<float> updates(static_cast<std::size_t>(count * width));
      for (std::int64_t k = 0; k < count; ++k) {
        indices[static_cast<std::size_t>(k)] = static_cast<int>(k * 1777 % spread);
      }
      // Of sizes so different that another order gives other sums.
      for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<float>(k % 7) * 1e7F;
      for (std::size_t k = 0; k < updates.size(); ++k)
        updates[k] = static_cast<float>(k % 1001) * (k % 3 == 0 ? 1e6F : 0.3F);
      std::vector<float> expected = data;
      for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t j = 0; j < width; ++j) {
          expected[static_cast<std::size_t>(indices[static_cast<std::size_t>(k)] * width + j)] +=
              updates[static_cast<std::size_t>(k * width + j)];
        }
      }
      std::vector<std::byte> memory(call.bound_bytes());
      const auto bound = call.bind(indices.data(), memory);
      indices.assign(indices.size(), -1);  // which runs do not read
      guarded_workspace lent(static_cast<std::int64_t>(bound.workspace_bytes()));
      for (const bool in_place : {false, true}) {
        CAPTURE(width, spread, in_place);
        const auto run = [&](const auto& ex) {
          std::vector<float> output = data;
          bound.run(ex, in_place ? output.data() : data.data(), updates.data(), output.data());
          return output;
        };
        const backwards threads;
        const auto size = static_cast<std::int64_t>(bound.workspace_bytes());
        CHECK(run(serial) == expected);
        CHECK(run(threads) == expected);
        CHECK(run(workspace(lent.lend(size))) == expected);
        CHECK(run(workspace(lent.lend(size), threads)) == expected);
        CHECK_FALSE(lent.was_written_around());
        lent.restore();
      }
    }
  }
}

TEST_CASE("binding reductions checks every index", "[prepare]") {
  strided_layout table;
  strided_layout slots;
  REQUIRE(strided_layout::try_make(1000, 4, table).ok());
  REQUIRE(strided_layout::try_make(600, 4, slots).ok());
  const auto call = prepare<float, int>(index_add, {table, slots, slots, table}, 0);
  std::vector<int> indices(600, 3);
  std::vector<std::byte> memory(call.bound_bytes());
  bound<float, int, index_add, std::int64_t> all;
  for (const std::size_t k : {std::size_t{0}, std::size_t{311}, std::size_t{599}}) {
    indices[k] = 1000;
    CHECK(message_of(call.try_bind(indices.data(), memory, all)) ==
          "index_add: indices[" + std::to_string(k) + "] = 1000 is outside [0, 999] (axis 0 has extent 1000)");
    indices[k] = 3;
  }
  CHECK(call.try_bind(indices.data(), memory, all).ok());
}

// With few different targets a run leaves out what a later update overwrites; with many it follows the updates.
TEST_CASE("bound elements keep the last of equal indices, however many are equal", "[prepare]") {
  constexpr std::int64_t count = 5000;
  for (const std::int64_t targets : {7, 1000, 4999, 6000, 9000}) {
    CAPTURE(targets);
    const auto prepared = prepared_line(9000, count);
    std::vector<std::int64_t> indices(count);
    std::vector<float> updates(count);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      indices[i] = static_cast<std::int64_t>(i) * 7919 % targets;
      updates[i] = static_cast<float>(i + 1);
    }
    std::vector<std::byte> memory(prepared.bound_bytes());
    const auto bound = prepared.bind(indices.data(), memory);
    std::vector<float> output(9000);
    std::vector<float> expected(output);
    for (std::size_t i = 0; i < indices.size(); ++i) expected[static_cast<std::size_t>(indices[i])] = updates[i];
    bound.run(output.data(), updates.data());
    CHECK((output == expected));  // not printed: thousands of elements
    std::vector<float> apart(9000, -1);
    bound.run(std::vector<float>(9000).data(), updates.data(), apart.data());
    CHECK((apart == expected));
  }
}

TEST_CASE("a bound call has a copy of indices that lanes share", "[prepare]") {
  constexpr std::int64_t height = 4;
  constexpr std::int64_t count = 6;
  constexpr std::int64_t width = 5;
  constexpr std::int64_t extent = 3;
  std::vector<std::int64_t> indices(height * count);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i * 5 % extent);
  std::vector<float> updates(height * count * width);
  for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<float>(i);
  std::vector<float> expected(height * extent * width, 1.0F);
  for (std::int64_t a = 0; a < height; ++a) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t c = 0; c < width; ++c) {
        const std::int64_t target = indices[static_cast<std::size_t>(a * count + i)];
        expected[static_cast<std::size_t>((a * extent + target) * width + c)] +=
            updates[static_cast<std::size_t>((a * count + i) * width + c)];
      }
    }
  }
  strided_layout data;
  strided_layout index;
  strided_layout with;
  static_cast<void>(strided_layout::try_make({height, extent, width}, 4, data));
  static_cast<void>(strided_layout::try_make({height, count, width}, {count, 1, 0}, 8, index));
  static_cast<void>(strided_layout::try_make({height, count, width}, 4, with));
  const auto prepared = prepare<float, std::int64_t>(scatter_add, {data, index, with}, 1);
  std::vector<std::byte> memory(prepared.bound_bytes());
  const auto bound = prepared.bind(indices.data(), memory);
  indices.assign(indices.size(), 99);  // the caller's are not read any more
  std::vector<float> output(expected.size(), 1.0F);
  bound.run(output.data(), updates.data());
  CHECK(output == expected);
}

TEST_CASE("bound rows keep the last of equal indices, whatever the order of memory", "[prepare]") {
  strided_layout table;
  strided_layout slots;
  strided_layout rows;
  REQUIRE(strided_layout::try_make({100, 32}, 4, table).ok());
  REQUIRE(strided_layout::try_make(250, 4, slots).ok());
  REQUIRE(strided_layout::try_make({250, 32}, 4, rows).ok());
  const auto call = prepare<float, int>(scatter_update, {table, slots, rows, table}, 0);
  std::vector<int> indices(250);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k * k * 7 % 100);
  std::vector<float> data(3200, -1.0F);
  std::vector<float> updates(8000);
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = static_cast<float>(k);
  std::vector<float> expected = data;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    for (std::size_t j = 0; j < 32; ++j) expected[static_cast<std::size_t>(indices[k]) * 32 + j] = updates[k * 32 + j];
  }
  std::vector<std::byte> memory(call.bound_bytes());
  const auto bound = call.bind(indices.data(), memory);
  std::vector<float> output(3200, 0.0F);
  bound.run(data.data(), updates.data(), output.data());
  CHECK(output == expected);
  std::fill(output.begin(), output.end(), 0.0F);
  bound.run(backwards{}, data.data(), updates.data(), output.data());
  CHECK(output == expected);
  bound.run(data.data(), updates.data(), data.data());
  CHECK(data == expected);
}

}  // namespace
}  // namespace strew::test
