// SPDX-License-Identifier: Apache-2.0
// The reduction is left out where there is no default.
// says first: strew: a reduction is missing: it stands after the source
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const std::int64_t> index) {
  strew::scatter_reduce(data, 0, index, data);
}
