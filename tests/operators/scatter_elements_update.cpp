// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3: how its arguments may be written, and its corners. Errors: errors.cpp.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/operators/scatter_elements_update.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using op = scatter_elements_update_operator;

// data counting from 0, updates shaped like indices counting from 100.
operands<int> counting(const shape& data, const shape& indices, const std::vector<int>& values) {
  return make_counting_operands<int>(data, indices, values, indices);
}

TEST_CASE("the axis of scatter_elements_update is a scalar or a list of one and may count from the end") {
  const auto operands = counting({2, 3}, {2, 1}, {2, 0});
  const std::vector<int> expected{0, 1, 100, 101, 4, 5};
  require_result<op>(operands, 1, expected);
  require_result<op>(operands, -1, expected);
  require_result<op>(operands, std::uint16_t{1}, expected);
  require_result<op>(operands, std::vector<long>{-1}, expected);
}

TEST_CASE("indices may cover less than data on every axis") {
  require_result<op>(counting({3, 3}, {2, 2}, {2, 0, 1, 1}), 0, std::vector<int>{0, 101, 2, 102, 103, 5, 100, 7, 8});
  require_result<op>(counting({3, 3}, {2, 2}, {2, 0, 1, 1}), 1, std::vector<int>{101, 1, 100, 3, 103, 5, 6, 7, 8});
}

TEST_CASE("of equal indices along the axis the last one wins") {
  require_result<op>(counting({4}, {4}, {3, 3, 0, 3}), 0, std::vector<int>{102, 1, 2, 103});
  require_result<op>(counting({2, 2}, {2, 2}, {1, 0, 1, 0}), 0, std::vector<int>{0, 103, 102, 3});
}

TEST_CASE("empty indices leave a copy of data") {
  require_result<op>(counting({2, 2}, {0, 2}, {}), 0, std::vector<int>{0, 1, 2, 3});
  require_result<op>(counting({2, 2}, {2, 0}, {}), 0, std::vector<int>{0, 1, 2, 3});
}

}  // namespace
}  // namespace strew::test
