// SPDX-License-Identifier: Apache-2.0
// A factor of elements whose type is known at run time only.
// says first: strew: elements whose type is known at run time only take reductions by name, or
#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

void f(strew::dynamic::tensor data, strew::tensor_view<const int> index, strew::dynamic::tensor source) {
  strew::index_add(data, 0, index, source, strew::scaled_by{2.0F});
}
