// SPDX-License-Identifier: Apache-2.0
// The axis is missing, and a container of integers could be one.
// says first: strew: is this the output or a list of axes? Say strew::as_view(output) or an integer for the axis
#include <strew/strew.hpp>

#include <vector>

void update(std::vector<int>& data, const std::vector<int>& indices, const std::vector<int>& updates,
            std::vector<int>& output) {
  strew::scatter_update(data, indices, updates, output);
}
