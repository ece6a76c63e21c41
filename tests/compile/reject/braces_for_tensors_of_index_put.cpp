// SPDX-License-Identifier: Apache-2.0
// Several tensors of indices are a std::tuple.
// says first: strew: braces have no type: a tensor is a strew::tensor_view{pointer, {2, 3}}
#include <strew/strew.hpp>

#include <cstdint>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> i, strew::tensor_view<const int> j,
       strew::tensor_view<const float> values) {
  strew::index_put(data, {i, j}, values);
}
