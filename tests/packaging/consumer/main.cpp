// SPDX-License-Identifier: Apache-2.0
// A program of somebody who uses strew: every operator once, in the form that throws. It checks what it gets.
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#if defined(EXPECT_MPI) && EXPECT_MPI
#include <strew/mpi.hpp>
#endif

#if defined(EXPECT_COMPILED) && STREW_COMPILED != EXPECT_COMPILED
#error "The target linked says otherwise of where the back end is"
#endif

namespace {

using matrix = std::array<int, 6>;

constexpr std::array<std::int64_t, 2> indices{2, 0};
constexpr std::array<int, 2> updates{10, 20};

bool slices() {
  matrix data{0, 1, 2, 3, 4, 5};
  strew::slice_scatter(strew::tensor_view{data.data(), {2, 3}}, strew::tensor_view{updates.data(), {2, 1}},
                       {.start = -1, .stop = 3, .step = 1, .axes = 1});
  return data == matrix{0, 1, 10, 3, 4, 20};
}

bool rows() {
  matrix data{0, 1, 2, 3, 4, 5};
  strew::scatter_update(strew::tensor_view{data.data(), {3, 2}}, strew::tensor_view{indices.data(), {2}},
                        strew::broadcast(strew::tensor_view{updates.data(), {2, 1}}, {2, 2}), 0);
  return data == matrix{20, 20, 2, 3, 10, 10};
}

bool elements() {
  const matrix data{0, 1, 2, 3, 4, 5};
  matrix output{};
  strew::scatter_elements_update(strew::tensor_view{data.data(), {2, 3}}, strew::tensor_view{indices.data(), {1, 2}},
                                 strew::tensor_view{updates.data(), {1, 2}}, 1,
                                 strew::tensor_view{output.data(), {2, 3}});
  return output == matrix{20, 1, 10, 3, 4, 5};
}

bool elements_from_the_end() {
  matrix data{0, 1, 2, 3, 4, 5};
  const std::array<std::int64_t, 2> last{-1, -1};
  strew::onnx::scatter(strew::tensor_view{data.data(), {3, 2}}, strew::tensor_view{last.data(), {1, 2}},
                       strew::tensor_view{updates.data(), {1, 2}});
  return data == matrix{0, 1, 2, 3, 10, 20};
}

bool memory_from_the_heap() {
  constexpr int extent = 1 << 14;  // 64 KiB, with four updates for each byte
  constexpr int count = 16 * extent;
  std::vector<float> plain(extent);
  std::vector<float> data(extent);
  std::vector<int> places(count);
  const std::vector<float> ones(count, 1);
  std::uint32_t place = 1;
  for (int& each : places) each = static_cast<int>((place = place * 1664525 + 1013904223) >> 18);
  strew::index_add(plain, 0, places, ones);
  strew::heap_workspace memory;
  strew::index_add(memory, data, 0, places, ones);
  return data == plain && memory.bytes() > 0;
}

bool errors() {
  matrix data{0, 1, 2, 3, 4, 5};
  try {
    strew::scatter_update(strew::tensor_view{data.data(), {2, 3}}, strew::tensor_view{indices.data(), {2}},
                          strew::tensor_view{data.data(), {2, 3}}, 0);
  } catch (const strew::scatter_error& error) {
    return error.code() == strew::errc::overlap && std::string_view{error.what()}.starts_with("scatter_update: ");
  }
  return false;
}

}  // namespace

int main() try {
  const bool passed = slices() && rows() && elements() && elements_from_the_end() && memory_from_the_heap() && errors();
  std::printf("strew %d.%d.%d: %s\n", STREW_VERSION_MAJOR, STREW_VERSION_MINOR, STREW_VERSION_PATCH,
              passed ? "all operators right" : "WRONG");
  return passed ? 0 : 1;
} catch (const strew::scatter_error& error) {
  std::puts(error.what());
  return 1;
}
