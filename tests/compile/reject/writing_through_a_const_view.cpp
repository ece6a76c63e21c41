// SPDX-License-Identifier: Apache-2.0
// An element of a view of const elements is not assigned.
// g++ says: assignment of read-only location
// clang says: cannot assign to return value because function 'operator()<int>' returns a const value
#include <strew/strew.hpp>

void assign(strew::tensor_view<const float> view) {
  view(0) = 1;
}
