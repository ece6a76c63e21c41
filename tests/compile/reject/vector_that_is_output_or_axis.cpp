// SPDX-License-Identifier: Apache-2.0
// An axis may be left out here, and a list of integers may be one.
// says first: strew: is this the output or a list of axes? Say strew::as_view(output) or an integer for the axis
#include <strew/strew.hpp>

#include <vector>

void update(const std::vector<int>& data, const std::vector<int>& indices, const std::vector<int>& updates,
            std::vector<int>& output) {
  strew::onnx::scatter(data, indices, updates, output);
}
