// SPDX-License-Identifier: Apache-2.0
// Which loop of a scatter is inside follows from extents and strides, wherever the axes are and whatever the operator
// is called: what users' loops are fast for. Results are tested by random cases with each order (forced_kernels.hpp).
#include "support/catch.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/sparse_memory.hpp"

#include <strew/detail/box.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

bool ran_now(const std::string& name) {
  using strew::detail::kernel_count;
  for (const kernel_count* each = kernel_count::all; each != nullptr; each = each->next) {
    if (each->name.rfind(name, 0) == 0 && each->ran_now()) return true;
  }
  return false;
}

constexpr const char* lanes = "lanes inside";
constexpr const char* positions = "positions inside";
constexpr const char* in_place = "indices read in place";
constexpr const char* with_stride = "indices read with a stride";  // positions or columns inside, too

// Memory for a tensor, with a view of it.
struct tensor {
  index_list extents;
  index_list strides;
  std::vector<float> memory = std::vector<float>(1 << 20);

  tensor_view<float> view() { return {memory.data(), extents, strides}; }
};
struct index_tensor {
  index_list extents;
  index_list strides;
  std::vector<std::int64_t> memory = std::vector<std::int64_t>(1 << 18);

  index_tensor(index_list shape, index_list steps, std::int64_t below) : extents{shape}, strides{steps} {
    for (std::size_t i = 0; i < memory.size(); ++i) {
      memory[i] = static_cast<std::int64_t>(i * 7919 % static_cast<std::size_t>(below));
    }
  }
  tensor_view<const std::int64_t> view() const { return {memory.data(), extents, strides}; }
};

// What ran inside, of an assignment and of a sum of rows, on one axis.
std::string inside_of_rows(tensor data, tensor updates, const index_tensor& indices, int axis) {
  std::string found;
  for (const bool sums : {false, true}) {
    begin_random_case();
    if (sums) {
      index_add(data.view(), axis, indices.view(), updates.view());
    } else {
      scatter_update(data.view(), indices.view(), updates.view(), axis);
    }
    for (const char* each : {lanes, positions, in_place}) {
      if (ran_now(each)) found += (found.empty() ? "" : ", ") + std::string(each);
    }
  }
  return found;
}
std::string twice(const char* name) {
  return std::string(name) + ", " + name;
}

std::string inside_of_elements(tensor data, tensor updates, const index_tensor& indices, int axis) {
  begin_random_case();
  scatter_add(data.view(), axis, indices.view(), updates.view());
  for (const char* each : {lanes, positions, in_place, with_stride}) {
    if (ran_now(each)) return each;
  }
  return "another";
}

TEST_CASE("few indices on an axis behind a long one: the long one is inside", "[loops]") {
  CHECK(inside_of_rows({{11730, 15}, {15, 1}}, {{11730, 1}, {1, 1}}, {{1}, {1}, 15}, 1) == twice(lanes));
  CHECK(inside_of_rows({{100'000, 2}, {2, 1}}, {{100'000, 2}, {2, 1}}, {{2}, {1}, 2}, 1) == twice(lanes));
  CHECK(inside_of_rows({{400, 200, 4, 3}, {2400, 12, 3, 1}}, {{400, 200, 4, 1}, {800, 4, 1, 1}}, {{1}, {1}, 3}, 3) ==
        twice(lanes));
}

// Lanes 2 KiB apart, each index with all of them before the next, would read every line from beyond the second-level
// cache: five times the time.
TEST_CASE("few indices on a long axis behind another: the indices of each lane are inside", "[loops]") {
  CHECK(inside_of_rows({{2000, 512}, {512, 1}}, {{2000, 5}, {5, 1}}, {{5}, {1}, 512}, 1) == twice(in_place));
}

TEST_CASE("the columns of a column-major tensor are its rows", "[loops]") {
  CHECK(inside_of_rows({{128, 2000}, {1, 128}}, {{128, 2000}, {1, 128}}, {{2000}, {1}, 2000}, 1) == twice(lanes));
  CHECK(inside_of_rows({{40, 30, 20}, {1, 40, 1200}}, {{40, 60, 20}, {1, 40, 2400}}, {{60}, {1}, 30}, 1) ==
        twice(lanes));
}

// The indices of both lines are the same, and more than are read at a time: sums of floats tell any other order.
TEST_CASE("lines of updates whose indices are shared are combined one after the other", "[loops]") {
  constexpr std::int64_t count = 3000;
  const index_tensor indices{{2, count}, {0, 2}, 7};
  tensor updates{{2, count}, {count, 1}};
  for (std::size_t i = 0; i < updates.memory.size(); ++i) {
    updates.memory[i] = 1.0F / static_cast<float>(1 + i * 7919 % 1013);
  }
  tensor output{{50'000}, {1}};  // too large for a private copy
  std::vector<float> expected = output.memory;
  for (std::int64_t i = 0; i < 2 * count; ++i) {
    const std::int64_t index = indices.memory[static_cast<std::size_t>(i % count * 2)];
    expected[static_cast<std::size_t>(index)] += updates.memory[static_cast<std::size_t>(i)];
  }
  index_add(output.view(), 0, indices.view(), updates.view());
  CHECK((output.memory == expected));
}

// Column-major indices of two columns, in row-major order: each run of positions is two indices far apart.
TEST_CASE("short runs of row-major numbers are read many at a time", "[loops]") {
  constexpr std::int64_t rows = 3000;
  tensor output{{6, 8}, {20, 2}};
  const tensor before = output;
  const index_tensor indices{{rows, 2}, {1, rows}, 48};
  tensor updates{{rows, 2}, {2, 1}};
  for (std::size_t i = 0; i < updates.memory.size(); ++i) updates.memory[i] = static_cast<float>(i % 1000);
  std::vector<float> expected = before.memory;
  for (std::int64_t i = 0; i < 2 * rows; ++i) {
    const std::int64_t number = indices.memory[static_cast<std::size_t>(i % 2 * rows + i / 2)];
    expected[static_cast<std::size_t>(number / 8 * 20 + number % 8 * 2)] = updates.memory[static_cast<std::size_t>(i)];
  }
  begin_random_case();
  put(output.view(), indices.view(), updates.view());
  CHECK(ran_now("indices of several runs"));
  CHECK((output.memory == expected));
}

// A sum waits for the one before it of the same target, an assignment for none; lanes that lie apart stay in the cache.
TEST_CASE("few targets: short lanes are inside of sums, and positions of assignments", "[loops]") {
  CHECK(inside_of_rows({{38, 4}, {1, 38}}, {{4559, 4}, {4, 1}}, {{4559}, {1}, 38}, 0) ==
        std::string(in_place) + ", " + lanes);
  // As many lines as the cache holds, and more.
  CHECK(inside_of_rows({{100, 5}, {1, 100}}, {{4000, 5}, {5, 1}}, {{4000}, {1}, 100}, 0) ==
        std::string(in_place) + ", " + lanes);
  CHECK(inside_of_rows({{120, 5}, {1, 120}}, {{4000, 5}, {5, 1}}, {{4000}, {1}, 120}, 0) == twice(in_place));
}

TEST_CASE("indices that are expanded are read once for all elements of a row", "[loops]") {
  CHECK(inside_of_elements({{2000, 12}, {12, 1}}, {{3000, 12}, {12, 1}}, {{3000, 12}, {1, 0}, 2000}, 0) == lanes);
  CHECK(inside_of_elements({{2000, 4}, {4, 1}}, {{3000, 4}, {4, 1}}, {{3000, 4}, {1, 0}, 2000}, 0) == lanes);
}

// Two positions a column, whose indices are shared by rows of nine elements: one read for many columns.
TEST_CASE("short runs of positions are read for many columns at a time", "[loops]") {
  constexpr std::int64_t rows = 60;
  constexpr std::int64_t columns = 1500;
  constexpr std::int64_t width = 9;
  for (const bool sums : {false, true}) {
    tensor output{{rows, columns, width}, {columns * width, width, 1}};
    const tensor before = output;
    tensor updates{{2, columns, width}, {columns * width, width, 1}};
    for (std::size_t i = 0; i < updates.memory.size(); ++i) updates.memory[i] = static_cast<float>(i % 1000);
    const index_tensor indices{{2, columns, width}, {columns, 1, 0}, rows};
    std::vector<float> expected = before.memory;
    for (std::int64_t i = 0; i < 2 * columns; ++i) {
      const std::int64_t row = indices.memory[static_cast<std::size_t>(i)] * columns + i % columns;
      for (std::int64_t k = 0; k < width; ++k) {
        float& element = expected[static_cast<std::size_t>(row * width + k)];
        const float update = updates.memory[static_cast<std::size_t>(i * width + k)];
        element = sums ? element + update : update;
      }
    }
    begin_random_case();
    if (sums) {
      scatter_add(output.view(), 0, indices.view(), updates.view());
    } else {
      scatter(output.view(), 0, indices.view(), updates.view());
    }
    CHECK(ran_now("indices of several columns"));
    CHECK(output.memory == expected);
  }
}

// Each pass over lanes that are a line apart reads all lines again for each position.
TEST_CASE("many indices on the last axis: positions are inside", "[loops]") {
  const std::string rows = inside_of_rows({{2000, 50}, {50, 1}}, {{2000, 50}, {50, 1}}, {{50}, {1}, 50}, 1);
  CHECK(rows == twice(in_place));
  CHECK(inside_of_elements({{2000, 50}, {50, 1}}, {{2000, 50}, {50, 1}}, {{2000, 50}, {0, 1}, 50}, 1) == in_place);
}

TEST_CASE("indices of 8 bits, which no loop reads in place, are read once for all lanes", "[loops]") {
  tensor data{{2000, 50}, {50, 1}};
  tensor updates{{2000, 50}, {50, 1}};
  std::vector<std::int8_t> indices(50);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int8_t>(i * 7 % 50);
  begin_random_case();
  index_add(data.view(), 1, tensor_view<const std::int8_t>(indices.data(), {50}), updates.view());
  CHECK(ran_now("positions inside"));
  CHECK_FALSE(ran_now(lanes));
}

// Rows of these sizes have loops of their own, which read indices in place and take none that is negative.
TEST_CASE("rows of all sizes find the targets of negative, of strided and of narrow indices", "[loops]") {
  for (const std::int64_t width : {1, 2, 3, 4, 8, 16, 32, 64, 100}) {
    constexpr std::int64_t rows = 40;
    constexpr std::int64_t count = 20;
    std::vector<std::int64_t> wide;
    std::vector<std::int16_t> narrow;
    for (std::int64_t k = 0; k < 2 * count; ++k) {
      wide.push_back(k % 2 == 0 ? k * 7 % rows - (k % 4 == 0 ? rows : 0) : 0);
      narrow.push_back(static_cast<std::int16_t>(wide.back()));
    }
    std::vector<float> updates;
    for (std::int64_t k = 0; k < count * width; ++k) updates.push_back(static_cast<float>(k + 1));
    std::vector<float> expected(static_cast<std::size_t>(rows * width));
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t index = wide[static_cast<std::size_t>(2 * k)];
      const std::int64_t row = index < 0 ? index + rows : index;
      for (std::int64_t j = 0; j < width; ++j) {
        expected[static_cast<std::size_t>(row * width + j)] = updates[static_cast<std::size_t>(k * width + j)];
      }
    }
    const auto check = [&](const auto& call) {
      std::vector<float> output(expected.size());
      call(tensor_view<float>(output.data(), {rows, width}), tensor_view<const float>(updates.data(), {count, width}));
      CAPTURE(width);
      CHECK(output == expected);
    };
    std::vector<std::int64_t> packed;
    for (std::int64_t k = 0; k < count; ++k) packed.push_back(wide[static_cast<std::size_t>(2 * k)]);
    check([&](auto to, auto from) {
      onnx::scatter(to, tensor_view<const std::int64_t>(packed.data(), {count, width}, {1, 0}), from, 0);
    });
    check([&](auto to, auto from) {
      onnx::scatter(to, tensor_view<const std::int64_t>(wide.data(), {count, width}, {2, 0}), from, 0);
    });
    check([&](auto to, auto from) {
      onnx::scatter(to, tensor_view<const std::int16_t>(narrow.data(), {count, width}, {2, 0}), from, 0);
    });
    for (std::size_t k = 0; k < wide.size(); ++k) {
      wide[k] += wide[k] < 0 ? rows : 0;
      narrow[k] = static_cast<std::int16_t>(wide[k]);
    }
    check([&](auto to, auto from) {
      scatter_update(to, tensor_view<const std::int64_t>(wide.data(), {count}, {2}), from, 0);
    });
    check([&](auto to, auto from) {
      scatter_update(to, tensor_view<const std::int16_t>(narrow.data(), {count}, {2}), from, 0);
    });
  }
}

// Each of two or three components changes along one of the two axes, as NumPy's ix_ makes them: each is read once for
// an axis. Equal targets, so that any other order of the sums has other bits; negative indices; updates of any strides.
TEST_CASE("components that cross are read once for an axis", "[loops]") {
  constexpr std::int64_t rows = 700;  // more lines than are read at a time
  constexpr std::int64_t columns = 9;
  constexpr std::int64_t extent = 40;
  const index_tensor of_lines{{rows, columns}, {1, 0}, extent};
  index_tensor of_line{{rows, columns}, {0, 1}, extent};
  for (std::size_t k = 0; k < of_line.memory.size(); k += 3) of_line.memory[k] -= extent;
  index_tensor third{{rows, columns}, {2, 0}, 3};
  for (const index_list& strides : {index_list{columns, 1}, {1, rows}, {0, 1}, {0, 0}}) {
    for (const bool has_third : {false, true}) {
      for (const bool sums : {false, true}) {
        tensor updates{{rows, columns}, strides};
        for (std::size_t i = 0; i < updates.memory.size(); ++i) {
          updates.memory[i] = 1.0F / static_cast<float>(1 + i * 7919 % 1013);
        }
        tensor output =
            has_third ? tensor{{extent, 3, extent}, {3 * extent, extent, 1}} : tensor{{extent, extent}, {1, extent}};
        std::vector<float> expected = output.memory;
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t k = 0; k < columns; ++k) {
            const std::int64_t first = of_lines.memory[static_cast<std::size_t>(i)];
            const std::int64_t given = of_line.memory[static_cast<std::size_t>(k)];
            const std::int64_t last = given < 0 ? given + extent : given;
            const std::int64_t between = third.memory[static_cast<std::size_t>(2 * i)];
            const std::int64_t at = has_third ? (first * 3 + between) * extent + last : first + last * extent;
            const float update = updates.memory[static_cast<std::size_t>(i * strides[0] + k * strides[1])];
            float& element = expected[static_cast<std::size_t>(at)];
            element = sums ? element + update : update;
          }
        }
        begin_random_case();
        tuning::set_by_tests.small_output = 0;
        tuning::set_by_tests.private_copy_indices = tuning::never;
        const auto run = [&](const auto& reduction) {
          if (has_third) {
            index_put(output.view(), std::tuple{of_lines.view(), third.view(), of_line.view()}, updates.view(),
                      reduction);
          } else {
            index_put(output.view(), std::tuple{of_lines.view(), of_line.view()}, updates.view(), reduction);
          }
        };
        if (sums) run(reduction::sum);
        if (!sums) run(reduction::none);
        CHECK(ran_now("crossed components"));
        CHECK((output.memory == expected));  // not printed: a million elements
      }
    }
  }
}

// Otherwise each row of 4 positions would be read as a block of its own.
TEST_CASE("the positions of components that are expanded are one run", "[loops]") {
  const auto layout = [](const index_list& extents, const index_list& strides) {
    strided_layout made;
    REQUIRE(strided_layout::try_make(extents, strides, sizeof(float), made).ok());
    return made;
  };
  const strided_layout rows = layout({50, 4}, {1, 0});
  const strided_layout updates = layout({50, 4}, {4, 1});
  const strided_layout output = layout({100, 100}, {100, 1});
  strew::detail::scatter_space space{true, false, false, {0, 2}, rows, updates, output};
  for (const bool by_number : {false, true}) {
    space.by_number = by_number;
    strew::detail::scatter_plan plan;
    strew::detail::plan_scatter(space, strew::detail::box(output.extents()), strew::detail::state_layout::none, plan);
    CHECK(plan.positions.rank() == (by_number ? 1 : 2));
    CHECK(plan.positions.innermost().extent == (by_number ? 200 : 4));
  }
}

TEST_CASE("elements with a narrow last axis: the long axis is inside", "[loops]") {
  CHECK(inside_of_elements({{60'000, 2, 2}, {4, 2, 1}}, {{60'000, 1, 2}, {2, 2, 1}}, {{60'000, 1, 2}, {2, 2, 1}, 2},
                           1) == with_stride);
  CHECK(inside_of_elements({{8493, 2}, {2, 1}}, {{8493, 2}, {2, 1}}, {{8493, 2}, {2, 1}, 8493}, 0) == with_stride);
}

// A part finds its own range of positions that ascend only if that is one of the updates too; otherwise each part would
// read all indices.
TEST_CASE("ascending indices are cut into parts if their updates are one run", "[loops]") {
  constexpr std::int64_t lines = 400;
  constexpr std::int64_t length = 5;
  constexpr std::int64_t extent = 1000;
  tensor output{{extent}, {1}};
  index_tensor indices{{lines, length, 1}, {length, 1, 1}, extent};
  // Numbers of tasks that the call gives to eight threads.
  const auto tasks = [&](bool ascend, std::int64_t line) {
    for (std::size_t i = 0; i < std::size_t{lines * length}; ++i) {
      indices.memory[i] = static_cast<std::int64_t>(ascend ? i / 2 : i * 7 % std::size_t{extent});
    }
    const tensor updates{{lines, length}, {line, 1}};
    std::size_t given = 0;
    auto eight = [&](std::size_t n, const task& body) {
      given += n;
      for (std::size_t i = 0; i < n; ++i) body(i);
    };
    const limits_for_test limits;
    tuning::set_by_tests.smallest_part = 1;
    tuning::set_by_tests.private_copy_indices = tuning::never;
    onnx::scatter_nd(eight, output.view(), indices.view(), tensor(updates).view(), reduction::max);
    return given;
  };
  CHECK(tasks(true, length) > tasks(false, length));
  CHECK(tasks(true, length + 1) == tasks(false, length + 1));
}

TEST_CASE("the rows of a transposed update follow each other", "[loops]") {
  constexpr std::int64_t count = 5;
  constexpr std::int64_t height = 40;
  constexpr std::int64_t width = 100;
  tensor output{{3, height, width}, {height * width, width, 1}};
  tensor updates{{count, height, width}, {height * width, 1, height}};
  for (std::size_t i = 0; i < updates.memory.size(); ++i) updates.memory[i] = static_cast<float>(i % 1000);
  const index_tensor indices{{count}, {1}, 3};
  std::vector<float> expected = output.memory;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < height; ++j) {
      for (std::int64_t k = 0; k < width; ++k) {
        const std::int64_t to = (indices.memory[static_cast<std::size_t>(i)] * height + j) * width + k;
        const std::int64_t from = (i * width + k) * height + j;
        expected[static_cast<std::size_t>(to)] += updates.memory[static_cast<std::size_t>(from)];
      }
    }
  }
  begin_random_case();
  index_add(output.view(), 0, indices.view(), updates.view());
  CHECK(ran_now("positions outside"));
  CHECK((output.memory == expected));  // not printed: a million elements
}

template <class Index>
void check_multi_indices(bool has_negative) {
  constexpr std::int64_t height = 11;
  constexpr std::int64_t width = 7;
  for (const std::int64_t count : {1, 15, 100}) {
    CAPTURE(sizeof(Index), has_negative, count);
    std::vector<Index> indices;
    std::vector<float> updates;
    std::vector<float> expected(height * width, 1.0F);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t row = i * 5 % height - (has_negative && i % 3 == 0 ? height : 0);
      const std::int64_t column = i * 3 % width - (has_negative && i % 2 == 0 ? width : 0);
      for (const std::int64_t each : {row, std::int64_t{99}, column, std::int64_t{99}}) {
        indices.push_back(static_cast<Index>(each));
      }
      updates.push_back(static_cast<float>(i + 1));
      expected[static_cast<std::size_t>((row + height) % height * width + (column + width) % width)] += updates.back();
    }
    std::vector<float> output(expected.size(), 1.0F);
    onnx::scatter_nd(tensor_view(output.data(), {height, width}),
                     tensor_view<const Index>(indices.data(), {count, 2}, {4, 2}),
                     tensor_view<const float>(updates.data(), {count}), reduction::sum);
    CHECK(output == expected);
  }
}
TEST_CASE("components of every index type, with a stride and negative, become offsets", "[loops]") {
  check_multi_indices<std::int8_t>(true);
  check_multi_indices<std::int16_t>(true);
  check_multi_indices<std::int32_t>(true);
  check_multi_indices<std::int64_t>(true);
  check_multi_indices<std::uint8_t>(false);
  check_multi_indices<std::uint16_t>(false);
  check_multi_indices<std::uint32_t>(false);
  check_multi_indices<std::uint64_t>(false);
}

// Terms of offsets are multiplied in 32 bits where they fit.
TEST_CASE("rows more than 2^31 bytes apart are found by multi-indices and by elements", "[loops]") {
  constexpr std::int64_t apart = 1'500'000'000;
  const sparse_memory memory(2 * apart + 4096);
  if (!memory.available()) {
    WARN(sparse_memory::reason());
    return;
  }
  auto* const bytes = reinterpret_cast<std::uint8_t*>(memory.data());
  const tensor_view<std::uint8_t> output(bytes, {3, 5}, {static_cast<std::ptrdiff_t>(apart), 1});
  const std::vector<std::int32_t> pairs{2, 4, 1, 0, -1, -5, 0, 3};
  const std::vector<std::uint8_t> updates{1, 2, 3, 4};
  onnx::scatter_nd(output, tensor_view<const std::int32_t>(pairs.data(), {4, 2}),
                   tensor_view<const std::uint8_t>(updates.data(), {4}));
  CHECK(static_cast<int>(bytes[2 * apart + 4]) == 1);
  CHECK(static_cast<int>(bytes[apart]) == 2);
  CHECK(static_cast<int>(bytes[2 * apart]) == 3);
  CHECK(static_cast<int>(bytes[3]) == 4);
  const std::vector<std::int32_t> rows{2, 0, 1};
  scatter_reduce(output, 0, tensor_view<const std::int32_t>(rows.data(), {3, 1}),
                 tensor_view<const std::uint8_t>(updates.data(), {3, 1}), reduction::without_init(reduction::mean));
  CHECK(static_cast<int>(bytes[2 * apart]) == 1);
  CHECK(static_cast<int>(bytes[0]) == 2);
  CHECK(static_cast<int>(bytes[apart]) == 3);
}

// The elements of a row of a permuted output are several runs.
TEST_CASE("means of permuted rows are divided by the counts of all runs", "[loops]") {
  constexpr std::int64_t rows = 200;
  constexpr std::int64_t count = 90;
  const limits_for_test limits;
  for (const std::int64_t states : {64, 32'768}) {
    tuning::set_by_tests.used_states = states;
    for (const bool has_init : {false, true}) {
      CAPTURE(states, has_init);
      tensor output{{rows, 4, 5}, {20, 1, 4}};
      tensor updates{{count, 4, 5}, {20, 1, 4}};
      for (std::size_t i = 0; i < updates.memory.size(); ++i) updates.memory[i] = static_cast<float>(i % 64);
      const index_tensor indices{{count}, {1}, 50};
      std::vector<float> sums(rows * 20);
      std::vector<float> counts(rows * 20);
      for (std::int64_t i = 0; i < count * 20; ++i) {
        const auto at = static_cast<std::size_t>(indices.memory[static_cast<std::size_t>(i / 20)] * 20 + i % 20);
        sums[at] += updates.memory[static_cast<std::size_t>(i)];
        counts[at] += 1;
      }
      if (has_init) {
        index_reduce(output.view(), 0, indices.view(), updates.view(), reduction::mean);
      } else {
        index_reduce(output.view(), 0, indices.view(), updates.view(), reduction::without_init(reduction::mean));
      }
      std::int64_t wrong = 0;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const float expected = counts[i] > 0 ? sums[i] / (counts[i] + (has_init ? 1.0F : 0.0F)) : 0.0F;
        wrong += output.memory[i] == expected ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("few short lines of many samples are written sample after sample", "[loops]") {
  constexpr std::int64_t samples = 600;
  constexpr std::int64_t length = 5;
  constexpr std::int64_t width = 3;
  for (const bool is_row_major : {false, true}) {
    const std::vector<std::int64_t> to = is_row_major ? std::vector<std::int64_t>{length * width, width, 1}
                                                      : std::vector<std::int64_t>{1, samples, samples * length};
    const std::vector<std::int64_t> from = is_row_major ? std::vector<std::int64_t>{2 * width, width, 1}
                                                        : std::vector<std::int64_t>{1, samples, samples * 2};
    tensor output{{samples, length, width}, {to[0], to[1], to[2]}};
    tensor updates{{samples, 2, width}, {from[0], from[1], from[2]}};
    for (std::size_t i = 0; i < updates.memory.size(); ++i) updates.memory[i] = static_cast<float>(i % 1000 + 1);
    const index_tensor starts{{samples}, {1}, length - 1};
    std::vector<float> expected = output.memory;
    for (std::int64_t i = 0; i < samples; ++i) {
      for (std::int64_t j = 0; j < 2; ++j) {
        for (std::int64_t k = 0; k < width; ++k) {
          const std::int64_t place = i * to[0] + (starts.memory[static_cast<std::size_t>(i)] + j) * to[1] + k * to[2];
          expected[static_cast<std::size_t>(place)] =
              updates.memory[static_cast<std::size_t>(i * from[0] + j * from[1] + k * from[2])];
        }
      }
    }
    begin_random_case();
    onnx::tensor_scatter(output.view(), updates.view(), starts.view(), {.axis = 1});
    CHECK(ran_now("lines of all samples in turn"));
    CHECK((output.memory == expected));  // not printed: a million elements
  }
}

// Updates leave elements out in each line, so data must be copied there, and nothing behind the last line.
TEST_CASE("data is copied just ahead of lines of updates", "[loops]") {
  constexpr std::int64_t rows = 300;
  constexpr std::int64_t columns = 70;
  constexpr std::int64_t count = 33;
  for (const bool has_own : {false, true}) {
    const index_tensor indices{{has_own ? rows : 1, count}, {has_own ? count : 0, 1}, columns};
    tensor data{{rows, columns}, {columns, 1}};
    tensor updates{{rows, count}, {count, 1}};
    for (std::size_t i = 0; i < data.memory.size(); ++i) {
      data.memory[i] = static_cast<float>(i);
      updates.memory[i] = -static_cast<float>(i);
    }
    tensor output{data.extents, data.strides};
    std::vector<float> expected(static_cast<std::size_t>(rows * columns));
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t k = 0; k < columns; ++k) {
        expected[static_cast<std::size_t>(r * columns + k)] = static_cast<float>(r * columns + k);
      }
      for (std::int64_t k = 0; k < count; ++k) {
        const auto at = static_cast<std::size_t>((has_own ? r * count : 0) + k);
        expected[static_cast<std::size_t>(r * columns + indices.memory[at])] = -static_cast<float>(r * count + k);
      }
    }
    begin_random_case();
    if (has_own) {
      scatter_elements_update(data.view(), indices.view(), updates.view(), 1, output.view());
    } else {
      const tensor_view<const std::int64_t> shared(indices.memory.data(), {count});
      scatter_update(data.view(), shared, updates.view(), 1, output.view());
    }
    CHECK(ran_now("updates line by line over a copy"));
    CHECK(std::vector<float>(output.memory.begin(), output.memory.begin() + rows * columns) == expected);
    CHECK(output.memory[static_cast<std::size_t>(rows * columns)] == 0);
  }
}

// The loop around the innermost one goes back by a byte.
TEST_CASE("callables on an output with a stride of minus one byte", "[loops]") {
  std::vector<signed char> output(64);
  std::vector<signed char> updates(24);
  std::vector<std::int64_t> indices(24);
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<signed char>(i);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    updates[i] = static_cast<signed char>(i);
    indices[i] = static_cast<std::int64_t>(i % 3);
  }
  const auto combine = [](signed char a, signed char b) noexcept { return static_cast<signed char>(a ^ (2 * b + 1)); };
  std::vector<signed char> expected = output;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const std::size_t at = 40 + 8 * static_cast<std::size_t>(indices[i]) - i / 2 % 4 + 4 * (i % 2);
    expected[at] = combine(expected[at], updates[i]);
  }
  begin_random_case();
  const tensor_view<signed char> data(output.data() + 40, {3, 4, 2}, {8, -1, 4});
  scatter_reduce(data, 0, tensor_view<const std::int64_t>(indices.data(), {3, 4, 2}),
                 tensor_view<const signed char>(updates.data(), {3, 4, 2}), combine);
  CHECK(output == expected);
}

TEST_CASE("data is not copied where a slice of indices will be", "[loops]") {
  constexpr std::int64_t size = 50'000;
  for (const std::int64_t first : {0, 1, 5'000, 20'000}) {
    const std::int64_t count = 30'000;
    tensor data{{size}, {1}};
    tensor updates{{count}, {1}};
    index_tensor indices{{count}, {1}, 1};
    std::vector<float> expected(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
      data.memory[static_cast<std::size_t>(i)] = expected[static_cast<std::size_t>(i)] = static_cast<float>(i);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      indices.memory[static_cast<std::size_t>(i)] = first + i;
      updates.memory[static_cast<std::size_t>(i)] = expected[static_cast<std::size_t>(first + i)] =
          -1 - static_cast<float>(i);
    }
    tensor output{{size}, {1}};
    begin_random_case();
    scatter_elements_update(data.view(), indices.view(), updates.view(), 0, output.view());
    CHECK(ran_now("a slice in one pass with data"));
    CHECK(std::vector<float>(output.memory.begin(), output.memory.begin() + size) == expected);
    CHECK(output.memory[static_cast<std::size_t>(size)] == 0);
  }
}

TEST_CASE("a row of one value is made once", "[loops]") {
  const limits_for_test limits;
  tuning::set_by_tests.small_output = tuning::set_by_tests.small_updates = 0;
  for (const std::int64_t width : {2, 3, 5, 16, 33, 64, 65, 200}) {
    CAPTURE(width);
    tensor output{{40, width}, {width, 1}};
    const index_tensor indices{{30}, {1}, 40};
    std::vector<float> expected = output.memory;
    for (std::int64_t i = 0; i < 30; ++i) {
      for (std::int64_t k = 0; k < width; ++k) {
        expected[static_cast<std::size_t>(indices.memory[static_cast<std::size_t>(i)] * width + k)] = 7;
      }
    }
    begin_random_case();
    index_fill(output.view(), 0, indices.view(), 7.0F);
    if (width >= 16 && width <= 64) CHECK(ran_now("assign_rows of one value"));
    CHECK((output.memory == expected));  // not printed: a million elements
  }
}

// Tiles copy all of the output, line by line.
TEST_CASE("there are tiles where their lines have several updates", "[loops]") {
  const auto has_tiles = [](std::int64_t rows, std::int64_t columns, std::int64_t updated) {
    const tensor data{{rows, columns}, {columns, 1}};
    tensor output = data;
    tensor updates{{updated, columns}, {columns, 1}};
    const index_tensor indices{{updated, columns}, {columns, 1}, rows};
    begin_random_case();
    scatter_elements_update(tensor_view<const float>(data.memory.data(), {rows, columns}), indices.view(),
                            updates.view(), 0, output.view());
    return ran_now("scatter_tile_rows");
  };
  CHECK(has_tiles(256, 1024, 256));
  CHECK_FALSE(has_tiles(256, 1024, 32));
  CHECK_FALSE(has_tiles(100'000, 3, 50'000));
}

}  // namespace
}  // namespace strew::test
