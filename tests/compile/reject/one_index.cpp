// SPDX-License-Identifier: Apache-2.0
// One integer is no tensor of indices.
// says first: strew: indices are a tensor: one index is std::array{3}
// with: -DROWS
// with: -DUPDATE
// with: -DVALUE
// with: -DNUMBER
#include <strew/strew.hpp>

#include <vector>

void f(std::vector<float>& table, std::vector<float>& updates) {
#if defined(ROWS)
  strew::index_add(table, 0, 3, 1.0F);
#elif defined(UPDATE)
  strew::scatter_update(table, 3, updates, 0);
#elif defined(VALUE)
  strew::scatter_update(table, 3, 1.0F, 0);
#elif defined(NUMBER)
  strew::put(table, 3, 1.0F);
#endif
  static_cast<void>(table);
  static_cast<void>(updates);
}
