// SPDX-License-Identifier: Apache-2.0
// Cases that the benchmarks leave out: blocks of 8 and 12 bytes, and indices of other types.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

template <class I>
void add_cases_of_index() {
  // 256 rows, which 8-bit indices can name.
  add_scatter_update<float, I>({"256x256", {{256, 256}, 0}}, 256 * KiB);
  for (const int axis : {0, 1}) {
    const char* const name = axis == 0 ? "axis0_256x256" : "last_axis_256x256";
    add_scatter_elements_update<float, I>({name, {{256, 256}, axis}});
    add_onnx_scatter<float, I>({name, {{256, 256}, axis}});
  }
}

void add_cases() {
  for (const std::int64_t bytes : {256 * KiB, 32 * MiB}) {
    for (const slice_case& c : {slice_case{"blocks_8B_step2", {{fill, 1024, 2}, 1}, part::all, 2},
                                slice_case{"blocks_8B_step3", {{fill, 1024, 2}, 1}, part::all, 3},
                                slice_case{"blocks_8B_step4", {{fill, 1024, 2}, 1}, part::all, 4},
                                slice_case{"blocks_12B_step2", {{fill, 1024, 3}, 1}, part::all, 2},
                                slice_case{"blocks_12B_step3", {{fill, 1024, 3}, 1}, part::all, 3}}) {
      add_slice_scatter<float>(c, bytes);
    }
  }

  // Tiles of columns.
  for (const std::int64_t rows : {1024, 8192}) {
    const char* const name = rows == 1024 ? "axis0_1024x1024" : "axis0_8192x1024";
    add_scatter_elements_update<float, std::int32_t>({name, {{rows, 1024}, 0}},
                                                     {.two_threads = true, .workspace = true});
  }

  add_cases_of_index<std::int32_t>();
  add_cases_of_index<std::int64_t>();
  add_cases_of_index<std::uint8_t>();
  add_cases_of_index<std::uint64_t>();
}

const case_source further_cases{add_cases};

}  // namespace

}  // namespace strew::bench
