// SPDX-License-Identifier: Apache-2.0
// Constant evaluation of what reads the thresholds that choose a kernel. Not a test build, where these are variables.
#include "support/catch.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/index_reduce.hpp>
#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/scatter_elements.hpp>
#include <strew/operators/scatter_reduce.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/prepare.hpp>
#include <strew/status.hpp>

#include <array>

namespace strew {
namespace {

// Elements at random places of 256 MiB: buckets pay, on one thread unless there are as many updates. Of 32 MiB: only on
// several threads.
constexpr index_list line{1 << 26};
constexpr index_list half_line{1 << 25};
constexpr index_list short_line{1 << 23};
static_assert(workspace_bytes<float>(scatter_update, line, half_line, 0) > 0);
static_assert(workspace_bytes<float>(scatter_update, line, line, 0) == 0);
static_assert(workspace_bytes<float>(scatter_update, line, line, 0, 2) > 0);
static_assert(workspace_bytes<float>(scatter_update, short_line, short_line, 0) == 0);
static_assert(workspace_bytes<float>(scatter_update, short_line, short_line, 0, 2) > 0);
static_assert(workspace_bytes<float>(scatter_update, {5}, {3}, 0) == 0);
// No threads are taken for one.
static_assert(workspace_bytes<float>(scatter_update, line, half_line, 0, 0) ==
              workspace_bytes<float>(scatter_update, line, half_line, 0));
static_assert(workspace_bytes<float>(onnx::scatter, line, half_line, 0, 0) ==
              workspace_bytes<float>(onnx::scatter, line, half_line, 0));
// States: a mean keeps some for each element, without NaNs also without the old value.
static_assert(workspace_bytes<float>(index_reduce, line, half_line, 0, reduction::mean) > 0);
static_assert(workspace_bytes<float>(scatter_reduce, line, half_line, 0, reduction::without_init(reduction::mean), 2) >
              0);
static_assert(workspace_bytes<float>(index_reduce, line, half_line, 0,
                                     reduction::without_init(reduction::without_nan(reduction::mean))) > 0);
static_assert(workspace_bytes<float>(index_reduce, {5}, {3}, 0, reduction::mean) == 0);

TEST_CASE("a prepared call in constant evaluation", "[constant]") {
  constexpr auto result = [] {
    strided_layout row;
    strided_layout two;
    static_cast<void>(strided_layout::try_make(5, sizeof(int), row));
    static_cast<void>(strided_layout::try_make(2, sizeof(int), two));
    const auto call = prepare<int, int>(onnx::scatter, {row, two, two, row}, 0);
    const std::array data{1, 2, 3, 4, 5};
    const std::array indices{-1, 0};
    const std::array updates{8, 9};
    std::array<int, 5> output{};
    call.run(data.data(), indices.data(), updates.data(), output.data());
    return output;
  }();
  static_assert(result == std::array{9, 2, 3, 4, 8});
}

}  // namespace
}  // namespace strew
