// SPDX-License-Identifier: Apache-2.0
// An executor whose call operator is not const.
// says first: strew: an executor must be callable as ex(n, body)
#include <strew/strew.hpp>

struct pool {
  void operator()(std::size_t n, strew::task body);
};

void update(const pool& threads, strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(threads, data, indices, updates, 0);
}
