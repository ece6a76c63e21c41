// SPDX-License-Identifier: Apache-2.0
// Pointers, also those to members, and what becomes one convert to bool, and are no values.
// says first: strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that
// with: -DVALUE=updates
// with: -DVALUE=&point::x
// with: -DVALUE=&point::length
// with: -DVALUE=f
// with: -DVALUE=[] {}
// with: -DVALUE=handle{updates}
// with: -DVALUE=nullptr
#include <strew/strew.hpp>

#include <cstdint>

struct point {
  int x;
  int length() const;
};
struct handle {
  const bool* first;
  operator const bool*() const { return first; }
};

void f(strew::tensor_view<bool> data, strew::tensor_view<const int> indices, const bool* updates) {
  static_cast<void>(updates);
  strew::scatter_update(data, indices, VALUE, 0);
}
