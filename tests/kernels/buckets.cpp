// SPDX-License-Identifier: Apache-2.0
// Scatters by way of buckets. By its thresholds (limits_of_programs/buckets.cpp) blocks of the output are of some 64
// bytes, so that small tensors have many, and any number of updates is cut into parts. Outputs are held to plain loops,
// and lent memory to having been used, since without it the output would be the same.
#include "byte_calls.hpp"
#include "kernel_cases.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"

#include <strew/detail/tuning.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/operators/extents.hpp>
#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// Runs a call with plenty of memory on several numbers of threads.
struct with_memory {
  bool expects_use = true;
  bool also_in_place = true;
  layout_kind data = layout_kind::row_major;
  layout_kind updates = layout_kind::row_major;
  layout_kind output = layout_kind::row_major;
  std::int64_t size = std::int64_t{5} << 20;  // at most

  template <class Call>
  void check(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
             const Call& call) const {
    static guarded_workspace memory(std::int64_t{5} << 20);
    for (const std::int64_t threads : {0, 1, 2, 7, 200}) {
      const circumstances in{{3}, {{threads, memory.lend(size)}}, also_in_place, data, updates, output};
      in.check(d, values, expected, call);
      CAPTURE(text_of(d), threads);
      if (memory.was_used() != expects_use) FAIL("memory was used: " << memory.was_used());
      if (memory.was_written_around()) FAIL("memory that was not lent was written");
      memory.restore();
    }
  }
};

constexpr std::array all_index_types{index_type::int8,  index_type::int16,  index_type::int32,  index_type::int64,
                                     index_type::uint8, index_type::uint16, index_type::uint32, index_type::uint64};

std::int64_t most_of(index_type type) {
  return type == index_type::int8 ? 127 : type == index_type::uint8 ? 255 : 1 << 14;
}

TEST_CASE("elements of any width by indices of any type", "[buckets]") {
  for (const std::int64_t width : {1, 2, 3, 4, 5, 8, 12, 16, 32}) {
    for (const index_type type : all_index_types) {
      // With bytes, only an axis of many more elements than a block has neighbours that lie far apart.
      if (most_of(type) < 1000 && width < 8) continue;
      const std::int64_t rows = std::min<std::int64_t>(1501, most_of(type) + 1);
      const std::int64_t count = rows / 3 * 2;
      check_elements(scatter_kind::elements_update, {width, 1, rows, 1}, {width, 1, count, 1}, type,
                     random_indices(count, 0, rows - 1),
                     with_memory{.expects_use = width <= strew::detail::tuning::widest_bucketed});
    }
  }
}

TEST_CASE("negative indices", "[buckets]") {
  for (const index_type type : {index_type::int16, index_type::int32, index_type::int64}) {
    check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, 2900, 1}, type, random_indices(2900, -2000, 1999),
                   with_memory{});
    check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, 900, 1}, type, random_indices(900, -2000, -1),
                   with_memory{});
  }
}

TEST_CASE("elements on an outer axis", "[buckets]") {
  for (const std::int64_t inner : {2, 3, 17, 64, 300}) {
    for (const std::int64_t rows : {500, 1023}) {
      const std::int64_t count = rows / 2 + 1;
      check_elements(scatter_kind::onnx, {4, 1, rows, inner}, {4, 1, count, inner}, index_type::int64,
                     random_indices(count * inner, -rows, rows - 1), with_memory{});
    }
  }
}

TEST_CASE("rows that are an element's size", "[buckets]") {
  for (const auto& [width, inner] :
       {std::array<std::int64_t, 2>{1, 1}, {1, 2}, {1, 16}, {2, 4}, {4, 1}, {4, 4}, {8, 2}, {16, 1}, {16, 2}, {3, 1}}) {
    for (const index_type type : {index_type::uint16, index_type::int32, index_type::int64}) {
      check_rows({width, 1, 3000, inner}, type, random_indices(1700, 0, 2999),
                 with_memory{.expects_use = width * inner <= strew::detail::tuning::widest_bucketed});
    }
  }
}

TEST_CASE("each position of the axes before the scattered one is a problem of its own", "[buckets]") {
  for (const std::int64_t outer : {2, 3, 7}) {
    check_rows({4, outer, 3000, 1}, index_type::int64, random_indices(1700, 0, 2999), with_memory{});
    check_rows({2, outer, 3000, 4}, index_type::uint16, random_indices(2900, 0, 2999), with_memory{});
    for (const std::int64_t inner : {1, 5}) {
      check_elements(scatter_kind::onnx, {4, outer, 1000, inner}, {4, outer, 700, inner}, index_type::int32,
                     random_indices(outer * 700 * inner, -1000, 999), with_memory{});
    }
  }
}

TEST_CASE("with too little memory updates are scattered in pieces, and with much less otherwise", "[buckets]") {
  const auto asked = static_cast<std::int64_t>(workspace_bytes<float>(onnx::scatter, 2000, 200000, 0));
  for (const std::int64_t share : {1, 2}) {
    check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, 200000, 1}, index_type::int32,
                   random_indices(200000, -2000, 1999), with_memory{.size = asked / share});
  }
  check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, 200000, 1}, index_type::int32,
                 random_indices(200000, -2000, 1999), with_memory{.expects_use = false, .size = asked / 4});
  const auto for_columns =
      static_cast<std::int64_t>(workspace_bytes<float>(onnx::scatter, {2, 1000, 7}, {2, 9001, 7}, 1));
  check_elements(scatter_kind::onnx, {4, 2, 1000, 7}, {4, 2, 9001, 7}, index_type::int64,
                 random_indices(2 * 9001 * 7, -1000, 999), with_memory{.size = for_columns * 2 / 3});
}

// Calls bodies until it is told to throw instead.
struct failing_executor {
  int calls_left;

  void operator()(std::size_t n, const task& body) {
    if (calls_left-- == 0) throw 1;
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

TEST_CASE("an executor that throws leaves each element old or new, in pieces too", "[buckets]") {
  const std::size_t asked = workspace_bytes<float>(onnx::scatter, 2000, 200000, 0, 2);
  std::vector<float> data(2000, 1.0F);
  std::vector<float> updates(200000);
  std::vector<int> indices(200000);
  std::vector<float> expected = data;
  for (std::size_t k = 0; k < updates.size(); ++k) {
    updates[k] = static_cast<float>(k + 2);
    indices[k] = static_cast<int>(k * 1777 % 1999);
    expected[static_cast<std::size_t>(indices[k])] = updates[k];
  }
  std::vector<std::byte> memory(asked / 2);
  bool was_done = false;
  for (int calls = 0; !was_done; ++calls) {
    REQUIRE(calls < 20);
    std::vector<float> output(2000, -1.0F);
    failing_executor ex{calls};
    try {
      onnx::scatter(workspace(memory, ex), tensor_view{data.data(), {2000}}, tensor_view{indices.data(), {200000}},
                    tensor_view{updates.data(), {200000}}, 0, tensor_view{output.data(), {2000}});
      was_done = true;
      CHECK(output == expected);
    } catch (int) {
      for (std::size_t k = 0; k < output.size(); ++k) {
        if (output[k] != -1.0F && output[k] != expected[k]) FAIL("element " << k << " after " << calls << " calls");
      }
    }
  }
}

TEST_CASE("rows of other sizes and views that are not dense are left to other ways", "[buckets]") {
  check_rows({4, 1, 3000, 3}, index_type::int64, random_indices(1700, 0, 2999), with_memory{.expects_use = false});
  check_rows({4, 1, 3000, 16}, index_type::int64, random_indices(1700, 0, 2999), with_memory{.expects_use = false});
  check_elements(scatter_kind::onnx, {72, 1, 500, 1}, {72, 1, 400, 1}, index_type::int64, random_indices(400, 0, 499),
                 with_memory{.expects_use = false});
  for (const layout_kind kind : {layout_kind::apart, layout_kind::axis_reversed}) {
    for (int operand = 0; operand < 3; ++operand) {
      const auto as = [&](int which) { return which == operand ? kind : layout_kind::row_major; };
      check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, 900, 1}, index_type::int64,
                     random_indices(900, 0, 1999), with_memory{false, operand != 0, as(0), as(1), as(2)});
    }
  }
}

TEST_CASE("chunks follow each other, full to the last entry", "[buckets]") {
  // A chunk holds 511 entries of 8 bytes. Two targets far apart take turns, so no neighbours are near.
  for (const std::int64_t count : {1020, 1021, 1022, 1023, 1024, 1025, 2043, 2044, 2045, 5000}) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = k % 2 == 0 ? 3 : 1990;
    check_elements(scatter_kind::onnx, {4, 1, 2000, 1}, {4, 1, count, 1}, index_type::int64, indices, with_memory{});
  }
}

TEST_CASE("indices that go from one place to the next nearby are left to other ways", "[buckets]") {
  std::vector<std::int64_t> indices(5000);
  const auto check = [&] {
    check_elements(scatter_kind::onnx, {4, 1, 10'000, 1}, {4, 1, 5000, 1}, index_type::int64, indices,
                   with_memory{.expects_use = false});
  };
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<std::int64_t>(2 * k + k % 2);
  check();
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<std::int64_t>(9999 - 2 * k + k % 3);
  indices[0] = 9999;
  check();
  for (std::size_t k = 0; k < indices.size(); ++k) {  // runs of eight at random places
    indices[k] = k % 8 == 0 ? static_cast<std::int64_t>(k * 7919 % 9000) : indices[k - 1] + 1;
  }
  check();
}

TEST_CASE("an illegal index is named as without memory, and nothing was written", "[buckets]") {
  constexpr std::int64_t rows = 2000;
  constexpr std::int64_t count = 1500;
  const std::vector<char> data = noise(rows * 4, 1);
  const std::vector<char> updates = noise(count * 4, 2);
  std::vector<std::byte> memory(1 << 20);
  for (const std::int64_t threads : {0, 2, 7}) {
    for (const std::int64_t where : {0, 1, 700, 1498, 1499}) {
      for (const std::int64_t bad : {rows, -rows - 1, int64_min, int64_max}) {
        std::vector<std::int64_t> indices = random_indices(count, -rows, rows - 1);
        indices[static_cast<std::size_t>(where)] = bad;
        const std::vector<char> array = index_bytes(index_type::int64, indices);
        std::vector<char> from = data;
        std::vector<char> with = updates;
        std::vector<char> output(data.size(), '\x17');
        const auto call = [&](const runner& who) {
          return call_scatter(scatter_kind::onnx, who, 4, {from.data(), {rows}},
                              {array.data() + 1, index_type::int64, {count}}, {with.data(), {count}}, 0,
                              {output.data(), {rows}});
        };
        const status without = call({});
        const status with_it = call({threads, memory});
        CHECK(with_it.code() == errc::index_out_of_bounds);
        CHECK(with_it.message().view() == without.message().view());
        CHECK(output == std::vector<char>(data.size(), '\x17'));
      }
    }
  }
}

TEST_CASE("an illegal index of a later problem is found before the first one is written", "[buckets]") {
  constexpr std::int64_t rows = 2000;
  constexpr std::int64_t count = 1500;
  std::vector<char> data = noise(2 * rows * 4, 1);
  std::vector<char> updates = noise(2 * count * 4, 2);
  std::vector<std::byte> memory(1 << 20);
  for (const std::int64_t threads : {1, 2, 7}) {
    for (const std::int64_t where : {1500, 2999}) {
      std::vector<std::int64_t> indices = random_indices(2 * count, -rows, rows - 1);
      indices[static_cast<std::size_t>(where)] = rows;
      const std::vector<char> array = index_bytes(index_type::int64, indices);
      std::vector<char> output(data.size(), '\x17');
      const status outcome = call_scatter(scatter_kind::onnx, {threads, memory}, 4, {data.data(), {2, rows}},
                                          {array.data() + 1, index_type::int64, {2, count}},
                                          {updates.data(), {2, count}}, 1, {output.data(), {2, rows}});
      CHECK(outcome.code() == errc::index_out_of_bounds);
      CHECK(outcome.coordinate() == index_list{1, where - count});
      CHECK(output == std::vector<char>(data.size(), '\x17'));
    }
  }
}

TEST_CASE("workspaces say what is used", "[buckets]") {
  // Random elements, in one dimension and on an outer axis.
  for (const std::int64_t inner : {1, 40}) {
    const dimensions d{4, 1, 3000, inner};
    const dimensions u{4, 1, 2000, inner};
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
      const std::size_t asked = workspace_bytes<float>(scatter_elements_update, d.extents(), u.extents(), 1, threads);
      REQUIRE(asked > static_cast<std::size_t>(u.size()) * 8);
      guarded_workspace memory(static_cast<std::int64_t>(asked));
      const circumstances in{
          {0}, {{static_cast<std::int64_t>(threads), memory.lend(static_cast<std::int64_t>(asked))}}, false};
      check_elements(scatter_kind::elements_update, d, u, index_type::int64, random_indices(u.size(), 0, 2999), in);
      CHECK(memory.was_used());
      CHECK_FALSE(memory.was_written_around());
    }
  }
}

TEST_CASE("workspaces of extents that are not legal, or do not matter, are 0", "[buckets]") {
  CHECK(workspace_bytes<float>(scatter_update, {}, {5}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {100}, {50}, 1) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {100}, {50}, int64_min) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {-100}, {50}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {int64_max}, {int64_max}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {int64_max, int64_max}, {int64_max, 2}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_update, {100, 3}, {50}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_elements_update, {}, {}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_elements_update, {0, 5}, {0, 5}, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_elements_update, {10, 10}, {10, 10}, 2) == 0);
  CHECK(workspace_bytes<float>(onnx::scatter, {10, int64_max}, {10, int64_max}, 0) == 0);
  CHECK(workspace_bytes<float>(onnx::scatter, {int64_max, 64}, {10, 64}, 0) == 0);
  CHECK(workspace_bytes<std::string>(scatter_update, {1 << 24}, {1 << 23}, 0) == 0);
  // No buckets where indices are shorter than data off the axis, but tiles.
  CHECK(workspace_bytes<float>(scatter_elements_update, {100'000, 4}, {100'000, 2}, 0) < 100'000 * 300);
}

TEST_CASE("no threads are taken for one", "[buckets]") {
  constexpr index_list rows{1 << 20};
  CHECK(workspace_bytes<float>(scatter_update, rows, rows, 0, 0) ==
        workspace_bytes<float>(scatter_update, rows, rows, 0));
  CHECK(workspace_bytes<float>(onnx::scatter, rows, rows, 0, 0) ==
        workspace_bytes<float>(onnx::scatter, rows, rows, 0));
  CHECK(workspace_bytes<float>(scatter_update, rows, rows, 0, static_cast<std::size_t>(-1)) > 0);
}

}  // namespace
}  // namespace strew::test
