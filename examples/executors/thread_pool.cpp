// SPDX-License-Identifier: Apache-2.0
// The pool that comes with strew is an executor.
#include "scatter_call.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

int main() {
  scatter_call call;
  const auto& [data, indices, updates, output] = call.operands();
  constexpr int axis = 0;

  strew::thread_pool pool;
  strew::scatter_update(pool, data, indices, updates, axis, output);
  return report("strew::thread_pool", call, pool);
}
