// SPDX-License-Identifier: Apache-2.0
// What converts to a floating-point number is none that integers take.
// says first: strew: a floating-point value does not go into elements that are integers
#include <strew/strew.hpp>

struct ratio {
  operator double() const;
};
void f(strew::tensor_view<int> bins, strew::tensor_view<const int> samples, const ratio& value) {
  strew::index_add(bins, 0, samples, value);
}
