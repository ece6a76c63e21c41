// SPDX-License-Identifier: Apache-2.0
// Neither a number of threads nor a policy of std::execution is an executor.
// says first: strew: an executor must be callable as ex(n, body), and not be const unless it is so too; a number of
// with: -DNUMBER
// with: -DPOLICY
#include <strew/strew.hpp>

#include <vector>

struct parallel_policy {};

void f(std::vector<float>& table, std::vector<int>& rows, std::vector<float>& updates) {
#if defined(NUMBER)
  strew::index_add(4, table, 0, rows, updates);
#elif defined(POLICY)
  strew::index_add(parallel_policy{}, table, 0, rows, updates);
#endif
  static_cast<void>(table);
  static_cast<void>(rows);
  static_cast<void>(updates);
}
