// SPDX-License-Identifier: Apache-2.0
// An expression, as Eigen's u * 2, has no memory to view.
// says first: strew: an expression has no memory: pass (expression).eval()
// with: -DUPDATES
// with: -DINDICES
// with: -DDATA
// with: -DMASKED
// with: -DMASK
// with: -DTENSORS
// with: -DSLICE
// with: -DVIEW
#include <strew/strew.hpp>

#include <tuple>
#include <vector>

struct product {
  std::vector<float> eval() const;
};

void f(std::vector<float>& table, std::vector<int>& rows, std::vector<float>& updates, product& of) {
#if defined(UPDATES)
  strew::index_add(table, 0, rows, of);
#elif defined(INDICES)
  strew::index_add(table, 0, of, updates);
#elif defined(MASKED)
  strew::masked_scatter(of, std::vector<char>{}, updates, updates);
#elif defined(MASK)
  strew::masked_fill(table, of, 1.0F);
#elif defined(TENSORS)
  strew::index_put(table, std::tuple{rows, of}, updates);
#elif defined(SLICE)
  strew::slice_scatter(table, of, {.start = 0, .stop = 1, .step = 1});
#elif defined(VIEW)
  static_cast<void>(strew::as_view(of));
#elif defined(DATA)
  strew::index_add(of, 0, rows, updates);
#endif
  static_cast<void>(table);
  static_cast<void>(rows);
  static_cast<void>(updates);
  static_cast<void>(of);
}
