// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate beside memcpy.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

void add_cases() {
  const elements_case last_axis_1024 = {"last_axis_1024x1024", {{1024, 1024}, 1}};
  const elements_case last_axis_8192 = {"last_axis_8192x1024", {{8192, 1024}, 1}};
  const elements_case axis0_1024 = {"axis0_1024x1024", {{1024, 1024}, 0}};
  const elements_case axis0_8192 = {"axis0_8192x1024", {{8192, 1024}, 0}};
  const elements_case axis0_1M = {"axis0_1Mx8", {{1024 * 1024, 8}, 0}};
  const elements_case equal_rows = {"axis0_1024x1024_equal_rows", {{1024, 1024}, 0}, order::random_rows};
  const elements_case flat_64K = {"1d_64K_random", {{64 * 1024}, 0}};
  const elements_case flat_1M = {"1d_1M_random", {{1024 * 1024}, 0}};
  const elements_case flat_4M = {"1d_4M_random", {{4 * 1024 * 1024}, 0}};
  const elements_case flat_16M = {"1d_16M_random", {{16 * 1024 * 1024}, 0}};
  const elements_case flat_64M = {"1d_64M_random", {{64 * 1024 * 1024}, 0}};
  const elements_case flat_64K_sorted = {"1d_64K_sorted", {{64 * 1024}, 0}, order::sorted};
  const elements_case flat_4M_sorted = {"1d_4M_sorted", {{4 * 1024 * 1024}, 0}, order::sorted};
  const elements_case flat_4M_sequential = {"1d_4M_sequential", {{4 * 1024 * 1024}, 0}, order::sequential};

  for (const auto& c : {axis0_1024, axis0_8192}) {
    add_scatter_elements_update<float>(c, {.two_threads = true, .workspace = true});
  }
  for (const auto& c : {axis0_1M, equal_rows, last_axis_1024, last_axis_8192, flat_64K, flat_1M, flat_4M, flat_16M,
                        flat_64M, flat_64K_sorted, flat_4M_sorted, flat_4M_sequential}) {
    add_scatter_elements_update<float>(c, {.two_threads = true});
  }
  for (const auto& c : {last_axis_1024, axis0_1024, flat_64K, flat_4M}) {
    add_scatter_elements_update<std::int8_t>(c);
    add_scatter_elements_update<std::int16_t>(c);
    add_scatter_elements_update<double>(c);
    add_scatter_elements_update<float, std::int32_t>(c);
  }
  for (const auto& c : {last_axis_1024, flat_4M}) add_scatter_elements_update<float>(c, {.in_place = true});
}

const case_source scatter_elements_update_cases{add_cases};

}  // namespace

}  // namespace strew::bench
