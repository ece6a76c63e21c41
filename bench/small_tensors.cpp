// SPDX-License-Identifier: Apache-2.0
// The operators on tensors so small that most of the time goes into checks, beside loops without any.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

struct small_case {
  const char* name;
  shape data;
};

void add_cases() {
  const case_options options{.compared_with = twin::loop};
  const case_options prepared{.prepared = true, .compared_with = twin::loop};
  for (const small_case& c :
       {small_case{"small_rank1", {{8}, 0}}, small_case{"small_rank2", {{4, 8}, 1}},
        small_case{"small_rank3", {{2, 8, 4}, 1}}, small_case{"small_rank4", {{2, 8, 2, 2}, 1}}}) {
    const std::int64_t bytes = c.data.size(0, c.data.extents.size()) * static_cast<std::int64_t>(sizeof(float));
    add_slice_scatter<float>({c.name, c.data, part::middle_half, 1}, bytes, options);
    add_scatter_update<float>({c.name, c.data}, bytes, prepared);
    add_scatter_elements_update<float>({c.name, c.data}, prepared);
    add_onnx_scatter<float>({c.name, c.data}, prepared);
  }
}

const case_source small_tensors_cases{add_cases};

}  // namespace

}  // namespace strew::bench
