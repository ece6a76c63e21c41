// SPDX-License-Identifier: Apache-2.0
// What is written dies with the temporary.
// says first: strew: output is written, so its elements must not be const, nor be owned by a temporary
#include <strew/strew.hpp>

#include <vector>

void f(const std::vector<float>& data, const std::vector<int>& at) {
  strew::index_add(data, 0, at, data, std::vector<float>(4));
}
