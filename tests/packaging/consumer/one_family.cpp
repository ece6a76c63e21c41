// SPDX-License-Identifier: Apache-2.0
// A program that calls one operator: it links the family of that operator in strew::compiled and no other.
#include <strew/operators/index_add.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>

int main() {
  int sums[] = {0, 0, 0};
  const std::int64_t rows[] = {2, 0, 2};
  const int updates[] = {1, 2, 3};
  strew::index_add(strew::tensor_view<int>{sums, {3}}, 0, strew::tensor_view<const std::int64_t>{rows, {3}},
                   strew::tensor_view<const int>{updates, {3}});
  return sums[0] == 2 && sums[1] == 0 && sums[2] == 4 ? 0 : 1;
}
