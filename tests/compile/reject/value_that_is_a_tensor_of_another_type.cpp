// SPDX-License-Identifier: Apache-2.0
// A tensor is no value, though it converts to one.
// says first: strew: data, updates and output must have one element type: strew::converted(updates) converts updates
#include <strew/strew.hpp>

#include <cstddef>

struct number {
  const double* data() const;
  std::size_t size() const;
  operator float() const;
};
void f(strew::tensor_view<float> data, strew::tensor_view<const int> indices, const number& updates) {
  strew::scatter_update(data, indices, updates, 0);
}
