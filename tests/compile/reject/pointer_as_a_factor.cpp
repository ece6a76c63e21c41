// SPDX-License-Identifier: Apache-2.0
// A pointer converts to bool, and is no factor.
// says first: strew: the factor of index_add has the element type
// with: -DFACTOR=data.data()
// with: -DFACTOR=nullptr
// with: -DFACTOR=[] {}
#include <strew/strew.hpp>

void f(strew::tensor_view<bool> data, strew::tensor_view<const int> index) {
  strew::index_add(data, 0, index, data, strew::scaled_by{FACTOR});
}
