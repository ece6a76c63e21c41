// SPDX-License-Identifier: Apache-2.0
// A thread pool with no call operator, in place.
// says first: strew: an executor must be callable as ex(n, body)
#include <strew/strew.hpp>

struct pool {
  void submit(void (*job)());
};

void update(pool& threads, strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(threads, data, indices, updates, 0);
}
