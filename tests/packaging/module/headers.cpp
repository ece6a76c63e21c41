// SPDX-License-Identifier: Apache-2.0
// A unit of the same program that includes the headers: the types are the same.
#include <strew/strew.hpp>

int first_of(const strew::tensor_view<int>& view) {
  return view(0);
}
