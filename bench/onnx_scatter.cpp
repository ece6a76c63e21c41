// SPDX-License-Identifier: Apache-2.0
// ONNX Scatter beside memcpy. It shares its kernels with ScatterElementsUpdate, but its indices may count from the end.
#include "operations.hpp"

namespace strew::bench {

namespace {

void add_cases() {
  add_onnx_scatter<float>({"last_axis_1024x1024", {{1024, 1024}, 1}});
  add_onnx_scatter<float>({"axis0_1024x1024", {{1024, 1024}, 0}});
  add_onnx_scatter<float>({"1d_64K_random", {{64 * 1024}, 0}});
  add_onnx_scatter<float>({"last_axis_1024x1024_negative", {{1024, 1024}, 1}, order::random, true});
  add_onnx_scatter<float>({"1d_64K_random_negative", {{64 * 1024}, 0}, order::random, true});
}

const case_source onnx_scatter_cases{add_cases};

}  // namespace

}  // namespace strew::bench
