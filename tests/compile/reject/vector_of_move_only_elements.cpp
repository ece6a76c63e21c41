// SPDX-License-Identifier: Apache-2.0
// Elements that cannot be copied.
// says first: strew: the elements of this tensor cannot be assigned by copy
#include <strew/strew.hpp>

#include <memory>
#include <vector>

void f(std::vector<std::unique_ptr<int>>& data, const std::vector<int>& at) {
  strew::scatter_update(data, at, data, 0);
}
