// SPDX-License-Identifier: Apache-2.0
// Layouts do not say which types a prepared call has.
// says first: strew: a call is prepared for types: strew::prepare<float, std::int64_t>(..)
// with: -DROWS
// with: -DVALUE
// with: -DAXIS_LAST
// with: -DPOLICY
// with: -DPOLICY_AND_AXIS_LAST
// with: -DPOLICY_OF_TENSORS
// with: -DSLICE
// with: -DSLICE_OF_ONE_VALUE
// with: -DCACHE
// with: -DTENSORS
// with: -DONE_TENSOR
// with: -DTYPE_OF_TENSORS
// with: -DMASK
#include <strew/strew.hpp>

#include <array>

void f(strew::tensor_view<float> data, strew::tensor_view<const int> rows, strew::tensor_view<const float> updates) {
  const strew::strided_layout a = data.layout();
  const strew::strided_layout i = rows.layout();
  const strew::strided_layout u = updates.layout();
#if defined(ROWS)
  strew::prepare(strew::index_add, {a, i, u}, 0);
#elif defined(VALUE)
  strew::prepare(strew::index_add, {a, i}, 0, 1.0F);
#elif defined(AXIS_LAST)
  strew::prepare(strew::scatter_update, {a, i, u, a}, 0);
#elif defined(POLICY)
  strew::prepare(strew::index_add, {a, strew::drop(i), u}, 0);
#elif defined(POLICY_AND_AXIS_LAST)
  strew::prepare(strew::scatter_update, {a, strew::clip(i), u}, 0);
#elif defined(POLICY_OF_TENSORS)
  strew::prepare(strew::index_put, {a, strew::drop(std::array{i, i}), u}, strew::reduction::sum);
#elif defined(SLICE)
  strew::prepare(strew::slice_scatter, {a, u}, {.start = 0, .stop = 2, .step = 1});
#elif defined(SLICE_OF_ONE_VALUE)
  strew::prepare(strew::slice_scatter, {a}, 1.0F, {.start = 0, .stop = 2, .step = 1});
#elif defined(CACHE)
  strew::prepare(strew::onnx::tensor_scatter, {a, i, u}, {});
#elif defined(TENSORS)
  strew::prepare(strew::index_put, {a, {i, i}, u, a}, strew::reduction::sum);
#elif defined(ONE_TENSOR)
  strew::prepare(strew::index_put, {a, {i}, u});
#elif defined(TYPE_OF_TENSORS)
  strew::prepare<float>(strew::index_put, {a, {i, i}, u});
#elif defined(MASK)
  strew::prepare(strew::masked_fill, {a, i}, 0.0F);
#endif
}
