// SPDX-License-Identifier: Apache-2.0
// Layouts do not say which types a prepared call has.
// says first: strew: a call is prepared for types: strew::prepare<float, std::int64_t>(..)
#include <strew/strew.hpp>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> rows, strew::tensor_view<const float> updates) {
  strew::prepare(strew::index_add, {data.layout(), rows.layout(), updates.layout()}, 0);
}
