// SPDX-License-Identifier: Apache-2.0
// ONNX Scatter-9 and -11: where it differs from ScatterElementsUpdate, its corners, and every error.
#include "catch.hpp"
#include "operator_calls.hpp"

#include <strew/onnx/scatter.hpp>

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

TEST_CASE("onnx::scatter refuses data of rank 0") {
  require_refused<op>(counting({}, {}, {0}), 0, errc::rank_mismatch,
                      "onnx::scatter: data has rank 0, expected at least 1");
}

TEST_CASE("onnx::scatter refuses an axis that is not one element, or out of range") {
  const auto operands = counting({2, 3}, {1, 1}, {0});
  require_refused<op>(operands, index_list{}, errc::count_mismatch, "onnx::scatter: axis has length 0, expected 1");
  require_refused<op>(operands, 2, errc::axis_out_of_range,
                      "onnx::scatter: axis = 2 is outside [-2, 1] (data has rank 2)");
  require_refused<op>(operands, -3, errc::axis_out_of_range,
                      "onnx::scatter: axis = -3 is outside [-2, 1] (data has rank 2)");
}

TEST_CASE("onnx::scatter refuses indices of another rank than data") {
  require_refused<op>(counting({2, 3}, {2}, {0, 0}), 0, errc::rank_mismatch,
                      "onnx::scatter: indices has rank 1, expected 2 as data has");
}

TEST_CASE("onnx::scatter refuses indices longer than data off the axis") {
  require_refused<op>(counting({2, 3}, {2, 4}, std::vector<int>(8)), 0, errc::extent_mismatch,
                      "onnx::scatter: indices has extent 4 on axis 1, expected at most 3 as data has");
  require_refused<op>(counting({2, 3}, {3, 3}, std::vector<int>(9)), 1, errc::extent_mismatch,
                      "onnx::scatter: indices has extent 3 on axis 0, expected at most 2 as data has");
}

TEST_CASE("onnx::scatter refuses updates that are not shaped like indices") {
  const auto with_updates = [](const shape& updates) {
    return make_counting_operands<int>({2, 3}, {2, 2}, {0, 0, 1, 1}, updates);
  };
  require_refused<op>(with_updates({2, 1}), 0, errc::extent_mismatch,
                      "onnx::scatter: updates has extent 1 on axis 1, expected 2 as indices has");
  require_refused<op>(with_updates({2, 2, 1}), 0, errc::rank_mismatch,
                      "onnx::scatter: updates has rank 3, expected 2 as indices has");
}

TEST_CASE("onnx::scatter refuses an output that is not shaped like data") {
  auto operands = counting({2, 3}, {1, 1}, {0});
  operands.output = guarded_buffer<int>{shape{3, 3}};
  require_refused<op>(operands, 0, errc::extent_mismatch,
                      "onnx::scatter: output has extent 3 on axis 0, expected 2 as data has", forms_out_of_place);
  operands.output = guarded_buffer<int>{shape{6}};
  require_refused<op>(operands, 0, errc::rank_mismatch, "onnx::scatter: output has rank 1, expected 2 as data has",
                      forms_out_of_place);
}

TEST_CASE("onnx::scatter refuses an index out of range and names the first in row-major order") {
  require_refused<op>(counting({2, 3}, {2, 2}, {-3, 2, -4, 3}), 1, errc::index_out_of_bounds,
                      "onnx::scatter: indices[1, 0] = -4 is outside [-3, 2] (axis 1 has extent 3)");
  require_refused<op>(counting({2, 3}, {1, 3}, {1, 2, -3}), 0, errc::index_out_of_bounds,
                      "onnx::scatter: indices[0, 1] = 2 is outside [-2, 1] (axis 0 has extent 2)");
}

TEST_CASE("a large unsigned index is printed as what it is") {
  const std::uint64_t index = (std::uint64_t{1} << 63) + 1;
  require_refused<op>(counting<std::uint64_t>({4}, {2}, {0, index}), 0, errc::index_out_of_bounds,
                      "onnx::scatter: indices[1] = 9223372036854775809 is outside [-4, 3] (axis 0 has extent 4)");
}

}  // namespace
}  // namespace strew::test
