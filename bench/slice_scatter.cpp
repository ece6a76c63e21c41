// SPDX-License-Identifier: Apache-2.0
// SliceScatter beside memcpy.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

void add_cases() {
  const slice_case axis0_half = {"axis0_half", {{fill, 1024}, 0}, part::middle_half, 1};
  const slice_case inner_half = {"inner_half", {{fill, 1024}, 1}, part::middle_half, 1};
  const slice_case step2 = {"step2", {{fill, 1024}, 1}, part::all, 2};
  const slice_case step3 = {"step3", {{fill, 1024}, 1}, part::all, 3};
  const slice_case step5 = {"step5", {{fill, 1024}, 1}, part::all, 5};
  const slice_case reversed = {"step-1", {{fill, 1024}, 1}, part::all, -1};
  // Every other one of blocks that are contiguous, named by their size in float32.
  const slice_case blocks_of_16 = {"blocks_16B", {{fill, 2, 4}, 1}, part::all, 2};
  const slice_case blocks_of_64 = {"blocks_64B", {{fill, 2, 16}, 1}, part::all, 2};
  const slice_case blocks_of_256 = {"blocks_256B", {{fill, 2, 64}, 1}, part::all, 2};

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB, 128 * MiB, 256 * MiB}) {
    for (const auto& c :
         {axis0_half, inner_half, step2, step3, step5, reversed, blocks_of_16, blocks_of_64, blocks_of_256}) {
      add_slice_scatter<float>(c, bytes, {.two_threads = true});
    }
  }
  for (const auto& c : {axis0_half, inner_half, step2, step3}) add_slice_scatter<float>(c, 512 * MiB);

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB}) {
    for (const auto& c : {step2, step3, step5, reversed}) {
      add_slice_scatter<std::int8_t>(c, bytes);
      add_slice_scatter<std::int16_t>(c, bytes);
      add_slice_scatter<double>(c, bytes);
    }
    for (const auto& c : {axis0_half, step2}) add_slice_scatter<float>(c, bytes, {.in_place = true});
  }
}

const case_source slice_scatter_cases{add_cases};

}  // namespace

}  // namespace strew::bench
