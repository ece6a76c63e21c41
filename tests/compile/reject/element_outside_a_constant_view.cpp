// SPDX-License-Identifier: Apache-2.0
// In constant evaluation a coordinate outside the view is an error of the compilation.
// g++ says: call to non-'constexpr' function 'void __assert_fail
// clang says: non-constexpr function '__assert_fail' cannot be used in a constant expression
#include <strew/strew.hpp>

constexpr int element() {
  const int memory[] = {1, 2, 3, 4};
  return strew::tensor_view{memory, {2}}(2);
}
static_assert(element() == 3);
