// SPDX-License-Identifier: Apache-2.0
// ONNX Scatter-9 and -11: where it differs from ScatterElementsUpdate, and its corners. Errors: errors.cpp.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/scatter_elements.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using op = onnx_scatter_operator;

// data counting from 0, updates shaped like indices counting from 100.
template <class I = int>
operands<int, I> counting(const shape& data, const shape& indices, const std::vector<I>& values) {
  return make_counting_operands<int, I>(data, indices, values, indices);
}

TEST_CASE("a negative index counts from the end") {
  require_result<op>(counting({4}, {3}, {-1, -4, 1}), 0, std::vector<int>{101, 102, 2, 100});
  require_result<op>(counting({2, 2}, {2, 2}, {-2, -1, 0, -2}), 1, std::vector<int>{100, 101, 103, 3});
}

TEST_CASE("an index and its negative twin are duplicates: the last one wins") {
  require_result<op>(counting({3}, {2}, {2, -1}), 0, std::vector<int>{0, 1, 101});
  require_result<op>(counting({3}, {2}, {-1, 2}), 0, std::vector<int>{0, 1, 101});
}

TEST_CASE("indices may be longer than data on the axis") {
  require_result<op>(counting({2}, {5}, {0, 1, 0, 1, 0}), 0, std::vector<int>{104, 103});
  require_result<op>(counting({2, 1}, {2, 3}, {0, -1, 0, -1, 0, -1}), 1, std::vector<int>{102, 105});
}

TEST_CASE("the axis of onnx::scatter is 0 when left out, and may count from the end") {
  const auto operands = counting({2, 2}, {1, 2}, {1, 0});
  require_result<op>(operands, 0, std::vector<int>{0, 101, 100, 3});
  require_result<op>(operands, -2, std::vector<int>{0, 101, 100, 3});
  require_result<op>(operands, -1, std::vector<int>{101, 100, 2, 3});
}

TEST_CASE("onnx::scatter on empty indices leaves a copy of data") {
  require_result<op>(counting({2, 2}, {0, 2}, {}), 0, std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("a large unsigned index is printed as what it is") {
  const std::uint64_t index = (std::uint64_t{1} << 63) + 1;
  require_refused<op>(counting<std::uint64_t>({4}, {2}, {0, index}), 0, errc::index_out_of_bounds,
                      "onnx::scatter: indices[1] = 9223372036854775809 is outside [-4, 3] (axis 0 has extent 4)");
}

}  // namespace
}  // namespace strew::test
