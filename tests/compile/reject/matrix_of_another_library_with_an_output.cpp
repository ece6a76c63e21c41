// SPDX-License-Identifier: Apache-2.0
// A matrix is callable with two arguments, and is no executor, out of place either.
// says first: strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

// As the matrices of other libraries: m(i, j) is an element.
struct matrix {
  float* data();
  long rows() const;
  long cols() const;
  template <class Row, class Column>
  float operator()(const Row& i, const Column& j) const;
};

void update(const matrix& data, strew::tensor_view<const int> indices, strew::tensor_view<const float> updates,
            strew::tensor_view<float> output) {
  strew::scatter_update(data, indices, updates, 0, output);
}
