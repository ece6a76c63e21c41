// SPDX-License-Identifier: Apache-2.0
// Neither a number of threads nor a policy of std::execution is an executor.
// says first: strew: an executor must be callable as ex(n, body), and not be const unless it is so too; a number of
// with: -DAXIS_FIRST=4
// with: -DAXIS_FIRST=par
// with: -DAXIS_LAST=4
// with: -DAXIS_LAST=par
// with: -DAXIS_LAST_AND_VALUE=par
// with: -DAXIS_LAST_AND_OUTPUT=4
// with: -DAXIS_LAST_AND_OUTPUT=par
// with: -DAXIS_LEFT_OUT=par
// with: -DMULTI_INDICES=4
// with: -DMULTI_INDICES=par
// with: -DTENSORS=par
// with: -DSLICE=4
// with: -DSLICE=par
// with: -DSLICE_AND_OUTPUT=par
// with: -DCACHE=4
// with: -DCACHE_WITH_INDICES=par
// with: -DCACHE_WITH_INDICES_AND_OUTPUT=par
// with: -DMASK=4
#include <strew/strew.hpp>

#include <tuple>
#include <vector>

// As that of <execution>, which not every library has without TBB.
struct parallel_policy {};
inline constexpr parallel_policy par;

void f(std::vector<float>& table, std::vector<int>& rows, std::vector<float>& updates, std::vector<char>& mask) {
#if defined(AXIS_FIRST)
  strew::index_add(AXIS_FIRST, table, 0, rows, updates);
#elif defined(AXIS_LAST)
  strew::scatter_update(AXIS_LAST, table, rows, updates, 0);
#elif defined(AXIS_LAST_AND_VALUE)
  strew::scatter_update(AXIS_LAST_AND_VALUE, table, rows, 1.0F, 0);
#elif defined(AXIS_LAST_AND_OUTPUT)
  strew::scatter_update(AXIS_LAST_AND_OUTPUT, table, rows, updates, 0, table);
#elif defined(AXIS_LEFT_OUT)
  strew::onnx::scatter_elements(AXIS_LEFT_OUT, table, rows, updates);
#elif defined(MULTI_INDICES)
  strew::v3::scatter_nd_update(MULTI_INDICES, table, rows, updates);
#elif defined(TENSORS)
  strew::index_put(TENSORS, table, std::tuple{rows}, updates);
#elif defined(SLICE)
  strew::slice_scatter(SLICE, table, updates, {.start = 0, .stop = 2, .step = 1});
#elif defined(SLICE_AND_OUTPUT)
  strew::slice_scatter(SLICE_AND_OUTPUT, table, updates, {.start = 0, .stop = 2, .step = 1}, table);
#elif defined(CACHE)
  strew::onnx::tensor_scatter(CACHE, table, updates, {});
#elif defined(CACHE_WITH_INDICES)
  strew::onnx::tensor_scatter(CACHE_WITH_INDICES, table, updates, rows, {.axis = -1});
#elif defined(CACHE_WITH_INDICES_AND_OUTPUT)
  strew::onnx::tensor_scatter(CACHE_WITH_INDICES_AND_OUTPUT, table, updates, rows, {.axis = -1}, table);
#elif defined(MASK)
  strew::masked_fill(MASK, table, mask, 1.0F);
#endif
  static_cast<void>(table);
  static_cast<void>(rows);
  static_cast<void>(updates);
  static_cast<void>(mask);
}
