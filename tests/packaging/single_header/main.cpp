// SPDX-License-Identifier: Apache-2.0
// Asks the single header for all that it has: at the first include, and at a later one, which other headers may have
// come before.
#define STREW_WITH_THREADS
#include "strew.hpp"

#include "unit.hpp"

#define STREW_WITH_DYNAMIC
#define STREW_WITH_RUNTIMES
#include "strew.hpp"

#include <cstdio>
#include <vector>

#if !defined(STREW_RUNTIMES_HPP)
#error "The single header has less than was asked for"
#endif

int main() {
  using namespace strew;
  std::vector<int> memory(6);
  const tensor_view<int> rows{memory.data(), {3, 2}};
  const std::vector<std::int64_t> indices{2, 0}, last{2};
  const std::vector<int> twos{2, 2};

  test::set_rows(rows, as_view(indices));
  thread_pool pool{2};
  scatter_update(pool, rows, as_view(last), tensor_view{twos.data(), {1, 2}}, 0);
  const status refused = try_scatter_update(dynamic::tensor{rows}, dynamic::index_tensor{as_view(indices)},
                                            dynamic::const_tensor{as_view(twos)}, 0);

  const bool passed = memory == std::vector{1, 1, 0, 0, 2, 2} && !refused.ok();
  std::puts(passed ? "right" : "WRONG");
  return passed ? 0 : 1;
}
