// SPDX-License-Identifier: Apache-2.0
// Operators of each kind by `import strew;`: in place and with an output, with reductions, policies, threads, lent
// memory, tensors of other libraries and of types known at run time, prepared and bound, and in constant evaluation.
#include "../../support/dl_tensor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

import strew;

int first_of(const strew::tensor_view<int>& view);

// A tensor and an executor of one's own: what a user specialises, and what is found by its shape.
struct matrix {
  int* first;
  std::int64_t rows, columns;
};
template <>
struct strew::tensor_access<matrix> {
  static int* data(const matrix& m) { return m.first; }
  static strew::index_list extents(const matrix& m) { return {m.rows, m.columns}; }
  static constexpr bool is_borrowed = true;
};
struct backwards {
  template <class Body>
  void operator()(std::size_t n, Body&& body) const {
    while (n-- > 0) body(n);
  }
};

namespace {

using matrix_of_6 = std::array<int, 6>;
constexpr std::array<std::int64_t, 2> two_rows{2, 0};
constexpr std::array<int, 4> four{10, 20, 30, 40};

int failures = 0;
void expect(bool right, const char* what) {
  if (right) return;
  ++failures;
  std::printf("WRONG: %s\n", what);
}

constexpr int in_constant_evaluation() {
  int data[] = {0, 1, 2, 3, 4, 5};
  const std::int32_t rows[] = {2, 0};
  const int updates[] = {10, 20, 30, 40};
  strew::scatter_update(strew::tensor_view{data, {3, 2}}, strew::tensor_view{rows, {2}},
                        strew::tensor_view{updates, {2, 2}}, 0);
  return data[0];
}
static_assert(in_constant_evaluation() == 30);

template <class Ex>
void scatters(Ex&& ex, const char* what) {
  matrix_of_6 memory{0, 1, 2, 3, 4, 5};
  const strew::tensor_view data{memory.data(), {3, 2}};
  const strew::tensor_view rows{two_rows.data(), {2}};
  const strew::tensor_view updates{four.data(), {2, 2}};
  strew::scatter_update(ex, data, rows, updates, 0);
  expect(memory == matrix_of_6{30, 40, 2, 3, 10, 20}, what);
  strew::index_add(ex, data, 0, rows, updates);
  expect(memory == matrix_of_6{60, 80, 2, 3, 20, 40}, what);
  strew::slice_scatter(ex, data, updates, {.start = {0}, .stop = {3}, .step = {2}});
  expect(memory == matrix_of_6{10, 20, 2, 3, 30, 40}, what);
  strew::v12::scatter_elements_update(ex, data, strew::broadcast(strew::tensor_view{two_rows.data(), {2, 1}}, {2, 2}),
                                      updates, 0, strew::reduction::max);
  expect(memory == matrix_of_6{30, 40, 2, 3, 30, 40}, what);
  matrix_of_6 output{};
  strew::onnx::scatter_nd(ex, data, strew::tensor_view{two_rows.data(), {2, 1}}, updates,
                          strew::tensor_view{output.data(), {3, 2}});
  expect(output == matrix_of_6{30, 40, 2, 3, 10, 20}, what);
}

}  // namespace

int main() {
  scatters(strew::serial, "serial");
  strew::thread_pool pool{2};
  scatters(pool, "threads");
  scatters(backwards{}, "an executor of one's own");
  std::vector<std::byte> lent(1024);
  scatters(strew::workspace{lent, pool}, "lent memory");
  scatters(strew::heap_workspace{pool}, "memory from the heap");

  expect(strew::updates_extents(strew::scatter_update, {3, 2}, {4}, 0) == strew::index_list{4, 2}, "extents");
  expect(strew::workspace_bytes<int>(strew::scatter_update, {3, 2}, {4}, 0) == 0, "bytes");

  matrix_of_6 memory{0, 1, 2, 3, 4, 5};
  const auto data = strew::as_view(matrix{memory.data(), 3, 2});
  const std::array<std::int32_t, 2> beyond{3, 1};
  const strew::status refused =
      strew::try_scatter_update(data, strew::as_view(beyond), strew::tensor_view{four.data(), {2, 2}}, 0);
  expect(refused.code() == strew::errc::index_out_of_bounds && !std::string{refused.message().c_str()}.empty(), "try_");
  strew::scatter_update(data, strew::drop(strew::as_view(beyond)), strew::tensor_view{four.data(), {2, 2}}, 0);
  expect(memory == matrix_of_6{0, 1, 30, 40, 4, 5}, "a policy");
  const std::array<std::int64_t, 2> columns{1, 0};
  strew::index_put(data, std::tuple{strew::as_view(two_rows), strew::as_view(columns)},
                   strew::tensor_view{four.data(), {2}}, strew::reduction::sum);
  expect(memory == matrix_of_6{20, 1, 30, 40, 4, 15}, "index_put");
  expect(first_of(strew::reverse(strew::tensor_view{memory.data(), {6}}, 0)) == 15, "a unit with the headers");

  std::array<std::int64_t, 2> shape{3, 2};
  const dl_tensor managed{memory.data(), {1, 0}, 2, {0, 32, 1}, shape.data(), nullptr, 0};
  expect(strew::as_view<int>(managed)(1, 0) == 30, "DLPack");

  matrix_of_6 raw{0, 1, 2, 3, 4, 5};
  const strew::tensor_view typed{raw.data(), {3, 2}};
  const strew::tensor_view rows{two_rows.data(), {2}};
  const strew::tensor_view updates{four.data(), {2, 2}};
  const strew::dynamic::index_tensor which{rows};
  strew::scatter_update(strew::dynamic::tensor{typed}, which, strew::dynamic::const_tensor{updates}, 0);
  expect(raw == matrix_of_6{30, 40, 2, 3, 10, 20}, "types known at run time");
  strew::index_add(strew::dynamic::tensor{typed}, 0, which, strew::dynamic::const_tensor{updates});
  expect(raw == matrix_of_6{60, 80, 2, 3, 20, 40}, "a reduction of types known at run time");

  const auto prepared = strew::prepare<int, std::int64_t>(
      strew::scatter_update, {typed.layout(), rows.layout(), updates.layout(), typed.layout()}, 0);
  prepared.run(raw.data(), rows.data(), updates.data(), raw.data());
  expect(raw == matrix_of_6{30, 40, 2, 3, 10, 20}, "a prepared call");
  std::vector<std::byte> kept(prepared.bound_bytes());
  matrix_of_6 again{0, 1, 2, 3, 4, 5};
  prepared.bind(rows.data(), kept).run(again.data(), updates.data(), again.data());
  expect(again == matrix_of_6{30, 40, 2, 3, 10, 20}, "a bound call");

  try {
    strew::scatter_update(typed, strew::as_view(beyond), updates, 0);
    expect(false, "an exception");
  } catch (const strew::scatter_error& error) {
    expect(error.code() == strew::errc::index_out_of_bounds, "an exception's code");
  }
  std::puts(failures == 0 ? "all right" : "WRONG");
  return failures;
}
