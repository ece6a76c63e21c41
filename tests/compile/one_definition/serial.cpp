// SPDX-License-Identifier: Apache-2.0
// A unit that calls every operator on one thread: its object may hold no code that shares out work. Built without
// optimisation, which would hide such code where it is inlined.
#include <strew/strew.hpp>

#include <cstdint>

void call_all_serially(const strew::tensor_view<float>& data, const strew::tensor_view<const std::int64_t>& indices,
                       const strew::tensor_view<float>& updates, const strew::tensor_view<float>& output) {
  strew::slice_scatter(data, updates, {.start = 0, .stop = 1, .step = 1}, output);
  strew::scatter_update(data, indices, updates, 0, output);
  strew::scatter_elements_update(strew::serial, data, indices, updates, 0, output);
  strew::v12::scatter_elements_update(data, indices, updates, 0, strew::reduction::sum, output);
  strew::onnx::scatter_nd(data, indices, updates, strew::reduction::max, output);
  strew::index_reduce(data, 0, strew::drop(indices), updates, strew::reduction::mean, output);
  strew::onnx::scatter(strew::workspace{{}}, data, indices, updates, output);
}
