// SPDX-License-Identifier: Apache-2.0
// strew's thread_pool as an executor, and a heap_workspace on it that allocates a workspace.
#include "../help.hpp"
#include "scatter_call.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

int main(int argc, char** argv) {
  constexpr example_help help{
      "strew's own pool as an executor, and a heap_workspace around it, checked against a serial call."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  scatter_call call;
  const auto& [data, indices, updates, output] = call.operands();
  constexpr int axis = 0;

  strew::thread_pool pool;
  strew::scatter_update(pool, data, indices, updates, axis, output);

  // The same call with an index for each element.
  const strew::tensor_view column{indices.data(), {indices.extent(0), 1}};
  const auto per_element = strew::broadcast(column, updates.extents());
  strew::heap_workspace memory{pool};
  strew::scatter_elements_update(memory, data, per_element, updates, axis, output);
  return report("strew::thread_pool", call, pool);
}
