// SPDX-License-Identifier: Apache-2.0
// In constant evaluation an error of an operator is one of the compilation.
// g++ says: call to non-'constexpr' function 'void strew::detail::raise(
// clang says: non-constexpr function 'raise' cannot be used in a constant expression
#include <strew/strew.hpp>

constexpr bool update() {
  int data[] = {1, 2, 3};
  const int updates[] = {4, 5};
  const int indices[] = {0, 3};
  strew::scatter_update(strew::tensor_view{data, {3}}, strew::tensor_view{indices, {2}},
                        strew::tensor_view{updates, {2}}, 0);
  return true;
}
static_assert(update());
