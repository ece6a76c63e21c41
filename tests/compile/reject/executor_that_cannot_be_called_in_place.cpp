// SPDX-License-Identifier: Apache-2.0
// A thread pool with no call operator, in place.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

struct pool {
  void submit(void (*job)());
};

void update(pool& threads, strew::tensor_view<float> data, strew::tensor_view<const int> indices,
            strew::tensor_view<const float> updates) {
  strew::scatter_update(threads, data, indices, updates, 0);
}
