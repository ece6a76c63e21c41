// SPDX-License-Identifier: Apache-2.0
// Calls that are not traced note no kernels.
// says first: strew: explain needs a unit that is compiled with -DSTREW_TRACE=1
#include <strew/strew.hpp>
#include <strew/trace.hpp>

#include <cstdint>
#include <vector>

int main() {
  std::vector<float> table(4);
  const std::vector<std::int64_t> rows{1};
  static_cast<void>(strew::explain(strew::index_add, table, 0, rows, table));
}
