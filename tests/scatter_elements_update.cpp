// SPDX-License-Identifier: Apache-2.0
// ScatterElementsUpdate-3: how its arguments may be written, its corners, and every error.
#include "catch.hpp"
#include "operator_calls.hpp"

#include <strew/scatter_elements_update.hpp>

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

TEST_CASE("scatter_elements_update refuses data of rank 0") {
  require_refused<op>(counting({}, {}, {0}), 0, errc::rank_mismatch,
                      "scatter_elements_update: data has rank 0, expected at least 1");
}

TEST_CASE("scatter_elements_update refuses an axis that is not one element") {
  const auto operands = counting({2, 3}, {1, 1}, {0});
  require_refused<op>(operands, index_list{}, errc::count_mismatch,
                      "scatter_elements_update: axis has length 0, expected 1");
  require_refused<op>(operands, index_list{1, 0}, errc::count_mismatch,
                      "scatter_elements_update: axis has length 2, expected 1");
}

TEST_CASE("scatter_elements_update refuses an axis out of range") {
  const auto operands = counting({2, 3}, {1, 1}, {0});
  require_refused<op>(operands, 2, errc::axis_out_of_range,
                      "scatter_elements_update: axis = 2 is outside [-2, 1] (data has rank 2)");
  require_refused<op>(operands, -3, errc::axis_out_of_range,
                      "scatter_elements_update: axis = -3 is outside [-2, 1] (data has rank 2)");
}

TEST_CASE("scatter_elements_update refuses indices of another rank than data") {
  require_refused<op>(counting({2, 3}, {2}, {0, 0}), 0, errc::rank_mismatch,
                      "scatter_elements_update: indices has rank 1, expected 2 as data has");
  require_refused<op>(counting({2, 3}, {1, 1, 1}, {0}), 0, errc::rank_mismatch,
                      "scatter_elements_update: indices has rank 3, expected 2 as data has");
}

TEST_CASE("scatter_elements_update refuses indices longer than data on any axis, the scattered one included") {
  require_refused<op>(counting({2, 3}, {3, 3}, std::vector<int>(9)), 0, errc::extent_mismatch,
                      "scatter_elements_update: indices has extent 3 on axis 0, expected at most 2 as data has");
  require_refused<op>(counting({2, 3}, {2, 4}, std::vector<int>(8)), 0, errc::extent_mismatch,
                      "scatter_elements_update: indices has extent 4 on axis 1, expected at most 3 as data has");
}

TEST_CASE("scatter_elements_update refuses updates that are not shaped like indices") {
  const auto with_updates = [](const shape& updates) {
    return make_counting_operands<int>({2, 3}, {2, 2}, {0, 0, 1, 1}, updates);
  };
  require_refused<op>(with_updates({2, 3}), 0, errc::extent_mismatch,
                      "scatter_elements_update: updates has extent 3 on axis 1, expected 2 as indices has");
  require_refused<op>(with_updates({4}), 0, errc::rank_mismatch,
                      "scatter_elements_update: updates has rank 1, expected 2 as indices has");
}

TEST_CASE("scatter_elements_update refuses an output that is not shaped like data") {
  auto operands = counting({2, 3}, {1, 1}, {0});
  operands.output = guarded_buffer<int>{shape{1, 3}};
  require_refused<op>(operands, 0, errc::extent_mismatch,
                      "scatter_elements_update: output has extent 1 on axis 0, expected 2 as data has",
                      forms_out_of_place);
  operands.output = guarded_buffer<int>{shape{}};
  require_refused<op>(operands, 0, errc::rank_mismatch,
                      "scatter_elements_update: output has rank 0, expected 2 as data has", forms_out_of_place);
}

TEST_CASE("scatter_elements_update refuses a negative index") {
  require_refused<op>(counting({2, 3}, {2, 1}, {0, -1}), 0, errc::index_out_of_bounds,
                      "scatter_elements_update: indices[1, 0] = -1 is outside [0, 1] (axis 0 has extent 2)");
}

TEST_CASE("scatter_elements_update names coordinate, value and range of a bad index") {
  std::vector<int> values(18, 0);
  values[11] = 7;
  require_refused<op>(counting({2, 5, 3}, {2, 3, 3}, values), 1, errc::index_out_of_bounds,
                      "scatter_elements_update: indices[1, 0, 2] = 7 is outside [0, 4] (axis 1 has extent 5)");
}

TEST_CASE("of several bad indices scatter_elements_update names the first in row-major order") {
  require_refused<op>(counting({2, 3}, {2, 3}, {0, 1, 2, 3, 4, 5}), 0, errc::index_out_of_bounds,
                      "scatter_elements_update: indices[0, 2] = 2 is outside [0, 1] (axis 0 has extent 2)");
}

}  // namespace
}  // namespace strew::test
