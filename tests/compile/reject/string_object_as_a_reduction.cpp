// SPDX-License-Identifier: Apache-2.0
// Reductions are objects, not names.
// says first: strew: a reduction is an object, as strew::reduction::sum, or a callable f(current, update)
#include <strew/strew.hpp>

#include <string>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices, strew::tensor_view<const float> updates,
       const std::string& name, strew::tensor_view<float> output) {
  strew::onnx::scatter_elements(data, indices, updates, 0, name, output);
}
