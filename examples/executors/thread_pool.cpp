// SPDX-License-Identifier: Apache-2.0
// The pool that comes with strew is an executor.
#include "scatter_call.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

int main() {
  strew::thread_pool pool;

  scatter_call call;
  strew::scatter_update(pool, call.data, call.indices, call.updates, 0, call.output);
  return report("strew::thread_pool", call, pool);
}
