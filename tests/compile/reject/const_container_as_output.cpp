// SPDX-License-Identifier: Apache-2.0
// The elements of a const container are const, and an output is written.
// says first: strew: output is written, so its elements must not be const
#include <strew/strew.hpp>
#include <strew/view/as_view.hpp>

#include <vector>

void f(const std::vector<float>& data, const std::vector<int>& at) {
  strew::scatter_update(strew::as_view(data), strew::as_view(at), strew::as_view(data), 0, strew::as_view(data));
}
