// SPDX-License-Identifier: Apache-2.0
// An output of another integer type than data's.
// says first: strew: is this the output or a list of axes? Say strew::as_view(output) or an integer for the axis
#include <strew/strew.hpp>

#include <vector>

void update(const std::vector<long long>& data, const std::vector<int>& indices, const std::vector<long long>& updates,
            std::vector<long>& output) {
  strew::onnx::scatter(data, indices, updates, output);
}
