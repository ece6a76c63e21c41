// SPDX-License-Identifier: Apache-2.0
// Operands that are members of one object, or rows of one array, in constant evaluation.
#include <strew/strew.hpp>

struct tensors {
  int data[3] = {1, 2, 3};
  int updates[2] = {4, 5};
  int indices[2] = {2, 0};
};

constexpr bool update_members() {
  tensors t;
  strew::scatter_update(strew::tensor_view{t.data, {3}}, strew::tensor_view{t.indices, {2}},
                        strew::tensor_view{t.updates, {2}}, 0);
  return t.data[0] == 5 && t.data[1] == 2 && t.data[2] == 4;
}
static_assert(update_members());

constexpr bool update_rows() {
  int rows[2][2] = {{1, 2}, {3, 4}};
  strew::slice_scatter(strew::tensor_view{rows[0], {2}}, strew::tensor_view{rows[1], {2}}, {});
  return rows[0][0] == 3 && rows[0][1] == 4;
}
static_assert(update_rows());
