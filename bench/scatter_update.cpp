// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate beside memcpy.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

void add_cases() {
  // Named by the elements of a row.
  const rows_case inner1 = {"inner1", {{fill}, 0}};
  const rows_case inner4 = {"inner4", {{fill, 4}, 0}};
  const rows_case inner16 = {"inner16", {{fill, 16}, 0}};
  const rows_case inner64 = {"inner64", {{fill, 64}, 0}};
  const rows_case inner1024 = {"inner1024", {{fill, 1024}, 0}};
  const rows_case last_axis = {"last_axis", {{fill, 1024}, 1}};

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB, 128 * MiB, 256 * MiB}) {
    for (const auto& c : {inner1, inner4}) add_scatter_update<float>(c, bytes, {.two_threads = true});
    for (const auto& c : {inner16, inner64, inner1024, last_axis}) {
      add_scatter_update<float>(c, bytes, {.two_threads = true});
    }
  }
  for (const std::int64_t bytes : {256 * KiB, 32 * MiB}) {
    for (const auto& c : {inner1, inner64, last_axis}) {
      add_scatter_update<float, std::int32_t>(c, bytes);
      add_scatter_update<std::int8_t>(c, bytes);
      add_scatter_update<double>(c, bytes);
    }
    for (const auto& c : {inner1, inner64}) add_scatter_update<float>(c, bytes, {.in_place = true});
  }
}

const case_source scatter_update_cases{add_cases};

}  // namespace

}  // namespace strew::bench
