// SPDX-License-Identifier: Apache-2.0
// What each operator refuses: one table of operands that break one rule each, with the code and the message. Every row
// is tried in every form of a call, none of which may write a byte.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/strew.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace strew::test {
namespace {

namespace red = reduction;

// A call that is refused. `where` is what the call has beside its tensors: an axis, or what the operator takes instead.
struct refused_call {
  shape data;
  shape indices;
  std::vector<std::int64_t> index_values;
  shape updates;
  index_list where;
  errc code;
  std::string message;                      // without the operator's name
  std::vector<std::int64_t> output = {-1};  // its extents where they are not those of data
};

// Makes the call of an operator with its arguments in their order, behind an executor if there is one.
template <const auto& Operator>
struct axis_last {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const auto& make_call, const auto&... output) {
    return make_call(Operator, data, indices, updates, where[0], output...);
  }
};
template <const auto& Operator>
struct axis_list_last {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const auto& make_call, const auto&... output) {
    return make_call(Operator, data, indices, updates, where, output...);
  }
};
template <const auto& Operator>
struct axis_first {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const auto& make_call, const auto&... output) {
    return make_call(Operator, data, where[0], indices, updates, output...);
  }
};
template <const auto& Operator>
struct axis_first_and_sum {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const auto& make_call, const auto&... output) {
    return make_call(Operator, data, where[0], indices, updates, red::sum, output...);
  }
};
template <const auto& Operator>
struct no_axis {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list&, const auto& make_call,
                   const auto&... output) {
    return make_call(Operator, data, indices, updates, output...);
  }
};
template <const auto& Operator>
struct axis_and_index {
  static auto make(const auto& data, const auto&, const auto& updates, const index_list& where, const auto& make_call,
                   const auto&... output) {
    return make_call(Operator, data, updates, where[0], where[1], output...);
  }
};
template <const auto& Operator>
struct offset_and_axes {
  static auto make(const auto& data, const auto&, const auto& updates, const index_list& where, const auto& make_call,
                   const auto&... output) {
    return make_call(Operator, data, updates, where[0], where[1], where[2], output...);
  }
};
template <const auto& Operator>
struct linear_cache {
  static auto make(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const auto& make_call, const auto&... output) {
    return make_call(Operator, data, updates, indices, onnx::tensor_scatter_options{.axis = where[0]}, output...);
  }
};

// The same for the forms of operator_calls.hpp.
template <template <const auto&> class Order, const auto& Throwing, const auto& Attempted>
struct calls {
  template <class Output>
  static void call(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                   const Output& output) {
    make_throwing(data, indices, updates, where, output);
  }
  static void call(const auto& data, const auto& indices, const auto& updates, const index_list& where) {
    make_throwing(data, indices, updates, where);
  }
  static status attempt(backwards ex, const auto& data, const auto& indices, const auto& updates,
                        const index_list& where, const auto&... output) {
    return Order<Attempted>::make(
        data, indices, updates, where, [&](const auto& op, const auto&... rest) { return op(ex, rest...); }, output...);
  }
  template <class T>
  static status attempt(const tensor_view<T>& data, const auto& indices, const auto& updates, const index_list& where,
                        const auto&... output) {
    return Order<Attempted>::make(
        data, indices, updates, where, [&](const auto& op, const auto&... rest) { return op(rest...); }, output...);
  }

 private:
  static void make_throwing(const auto& data, const auto& indices, const auto& updates, const index_list& where,
                            const auto&... output) {
    Order<Throwing>::make(
        data, indices, updates, where, [&](const auto& op, const auto&... rest) { op(rest...); }, output...);
  }
};

struct tried_operator {
  const char* name;
  void (*require_refused)(const refused_call& row, const std::string& message);
};
template <template <const auto&> class Order, const auto& Throwing, const auto& Attempted>
void require_refused_by(const refused_call& row, const std::string& message) {
  auto operands = make_counting_operands<int, std::int64_t>(row.data, row.indices, row.index_values, row.updates);
  const bool has_output = row.output != std::vector<std::int64_t>{-1};
  if (has_output) operands.output = guarded_buffer<int>{row.output};
  require_refused<calls<Order, Throwing, Attempted>>(operands, row.where, row.code, message,
                                                     has_output ? forms_out_of_place : all_forms);
}

constexpr tried_operator update_rows{"scatter_update",
                                     require_refused_by<axis_list_last, scatter_update, try_scatter_update>};
constexpr tried_operator copy_rows{"index_copy", require_refused_by<axis_first, index_copy, try_index_copy>};
constexpr tried_operator add_rows{"index_add", require_refused_by<axis_first, index_add, try_index_add>};
constexpr tried_operator reduce_rows{"index_reduce",
                                     require_refused_by<axis_first_and_sum, index_reduce, try_index_reduce>};
constexpr tried_operator elements_3{
    "scatter_elements_update",
    require_refused_by<axis_list_last, scatter_elements_update, try_scatter_elements_update>};
constexpr tried_operator elements_12{
    "scatter_elements_update",
    require_refused_by<axis_last, v12::scatter_elements_update, v12::try_scatter_elements_update>};
constexpr tried_operator onnx_scatter{"onnx::scatter",
                                      require_refused_by<axis_list_last, onnx::scatter, onnx::try_scatter>};
constexpr tried_operator onnx_elements{
    "onnx::scatter_elements", require_refused_by<axis_last, onnx::scatter_elements, onnx::try_scatter_elements>};
constexpr tried_operator along_axis{"put_along_axis",
                                    require_refused_by<axis_last, put_along_axis, try_put_along_axis>};
constexpr tried_operator torch_scatter{"scatter", require_refused_by<axis_first, scatter, try_scatter>};
constexpr tried_operator torch_add{"scatter_add", require_refused_by<axis_first, scatter_add, try_scatter_add>};
constexpr tried_operator torch_reduce{"scatter_reduce",
                                      require_refused_by<axis_first_and_sum, scatter_reduce, try_scatter_reduce>};
constexpr tried_operator nd_3{"scatter_nd_update",
                              require_refused_by<no_axis, v3::scatter_nd_update, v3::try_scatter_nd_update>};
constexpr tried_operator nd_14{"scatter_nd_update",
                               require_refused_by<no_axis, v14::scatter_nd_update, v14::try_scatter_nd_update>};
constexpr tried_operator onnx_nd{"onnx::scatter_nd",
                                 require_refused_by<no_axis, onnx::scatter_nd, onnx::try_scatter_nd>};
constexpr tried_operator flat_put{"put", require_refused_by<no_axis, put, try_put>};
constexpr tried_operator select{"select_scatter",
                                require_refused_by<axis_and_index, select_scatter, try_select_scatter>};
constexpr tried_operator diagonal{"diagonal_scatter",
                                  require_refused_by<offset_and_axes, diagonal_scatter, try_diagonal_scatter>};
constexpr tried_operator cache{"onnx::tensor_scatter",
                               require_refused_by<linear_cache, onnx::tensor_scatter, onnx::try_tensor_scatter>};

using operators = std::vector<tried_operator>;
const operators rows{update_rows, copy_rows, add_rows, reduce_rows};
const operators strict_elements{elements_3, torch_scatter, torch_add, torch_reduce};
const operators wrapping_elements{elements_12, onnx_scatter, onnx_elements, along_axis};
const operators longer_elements{elements_12,   onnx_scatter, onnx_elements, along_axis,
                                torch_scatter, torch_add,    torch_reduce};
const operators elements{elements_3, elements_12,   onnx_scatter, onnx_elements,
                         along_axis, torch_scatter, torch_add,    torch_reduce};
const operators with_axis_list{update_rows, elements_3, onnx_scatter};
const operators multi_indices{nd_3, nd_14, onnx_nd};
const operators wrapping_multi_indices{nd_14, onnx_nd};

using std::int64_t;
constexpr int64_t wide = int64_t{1} << 32;

struct table_row {
  const operators& of;
  refused_call call;
};
const std::vector<table_row>& table() {
  using enum errc;
  static const operators only_update{update_rows}, only_elements_3{elements_3}, only_nd_3{nd_3}, only_put{flat_put},
      only_select{select}, only_diagonal{diagonal}, only_cache{cache};
  static const std::vector<table_row> all{
      // Data and axis
      {rows, {{}, {1}, {0}, {1}, {0}, rank_mismatch, "data has rank 0, expected at least 1"}},
      {elements, {{}, {}, {0}, {}, {0}, rank_mismatch, "data has rank 0, expected at least 1"}},
      {multi_indices, {{}, {1, 0}, {}, {1}, {}, rank_mismatch, "data has rank 0, expected at least 1"}},
      {only_select, {{}, {0}, {}, {}, {0, 0}, rank_mismatch, "data has rank 0, expected at least 1"}},
      {only_diagonal, {{3}, {0}, {}, {3}, {0, 0, 0}, rank_mismatch, "data has rank 1, expected at least 2"}},
      {with_axis_list, {{2, 3}, {1, 1}, {0}, {1, 1}, {}, count_mismatch, "axis has length 0, expected 1"}},
      {with_axis_list, {{2, 3}, {1, 1}, {0}, {1, 1}, {0, 1}, count_mismatch, "axis has length 2, expected 1"}},
      {elements,
       {{2, 3}, {1, 1}, {0}, {1, 1}, {2}, axis_out_of_range, "axis = 2 is outside [-2, 1] (data has rank 2)"}},
      {elements,
       {{2, 3}, {1, 1}, {0}, {1, 1}, {-3}, axis_out_of_range, "axis = -3 is outside [-2, 1] (data has rank 2)"}},
      {rows, {{2, 3}, {1}, {0}, {1, 3}, {2}, axis_out_of_range, "axis = 2 is outside [-2, 1] (data has rank 2)"}},
      {rows, {{2, 3}, {1}, {0}, {1, 3}, {-3}, axis_out_of_range, "axis = -3 is outside [-2, 1] (data has rank 2)"}},
      {rows,
       {{2, 3},
        {1},
        {0},
        {1, 3},
        {wide + 1},
        axis_out_of_range,
        "axis = 4294967297 is outside [-2, 1] (data has rank 2)"}},
      {only_select, {{2, 3}, {0}, {}, {2}, {2, 0}, axis_out_of_range, "axis = 2 is outside [-2, 1] (data has rank 2)"}},
      // Indices
      {elements, {{2, 3}, {2}, {0, 0}, {2}, {0}, rank_mismatch, "indices has rank 1, expected 2 as data has"}},
      {elements, {{2, 3}, {1, 1, 1}, {0}, {1, 1, 1}, {0}, rank_mismatch, "indices has rank 3, expected 2 as data has"}},
      {only_elements_3,
       {{2, 3},
        {3, 3},
        std::vector<int64_t>(9),
        {3, 3},
        {0},
        extent_mismatch,
        "indices has extent 3 on axis 0, expected at most 2 as data has"}},
      {elements,
       {{2, 3},
        {2, 4},
        std::vector<int64_t>(8),
        {2, 4},
        {0},
        extent_mismatch,
        "indices has extent 4 on axis 1, expected at most 3 as data has"}},
      {longer_elements,
       {{2, 3},
        {3, 3},
        std::vector<int64_t>(9),
        {3, 3},
        {1},
        extent_mismatch,
        "indices has extent 3 on axis 0, expected at most 2 as data has"}},
      {multi_indices, {{4}, {}, {0}, {}, {}, rank_mismatch, "indices has rank 0, expected at least 1"}},
      {multi_indices,
       {{4},
        {1, 2},
        {0, 0},
        {1},
        {},
        extent_mismatch,
        "indices has extent 2 on axis 1, expected at most 1 (the rank of data)"}},
      // Updates
      {rows,
       {{2, 3, 4},
        {5},
        {0, 1, 2, 0, 1},
        {2, 5},
        {1},
        rank_mismatch,
        "updates has rank 2, expected 3 (rank of data + rank of indices - 1)"}},
      {rows,
       {{2, 3, 4},
        {5},
        {0, 1, 2, 0, 1},
        {2, 5, 1, 4},
        {1},
        rank_mismatch,
        "updates has rank 4, expected 3 (rank of data + rank of indices - 1)"}},
      {rows,
       {{2, 3, 4},
        {5},
        {0, 1, 2, 0, 1},
        {1, 5, 4},
        {1},
        extent_mismatch,
        "updates has extent 1 on axis 0, expected 2 as data has on axis 0"}},
      {rows,
       {{2, 3, 4},
        {5},
        {0, 1, 2, 0, 1},
        {2, 4, 4},
        {1},
        extent_mismatch,
        "updates has extent 4 on axis 1, expected 5 as indices has on axis 0"}},
      {rows,
       {{2, 3, 4},
        {5},
        {0, 1, 2, 0, 1},
        {2, 5, 5},
        {1},
        extent_mismatch,
        "updates has extent 5 on axis 2, expected 4 as data has on axis 2"}},
      {elements,
       {{2, 3},
        {2, 2},
        {0, 0, 1, 1},
        {2, 3},
        {0},
        extent_mismatch,
        "updates has extent 3 on axis 1, expected 2 as indices has"}},
      {elements,
       {{2, 3},
        {2, 2},
        {0, 0, 1, 1},
        {2, 1},
        {0},
        extent_mismatch,
        "updates has extent 1 on axis 1, expected 2 as indices has"}},
      {elements,
       {{2, 3}, {2, 2}, {0, 0, 1, 1}, {4}, {0}, rank_mismatch, "updates has rank 1, expected 2 as indices has"}},
      {elements,
       {{2, 3}, {2, 2}, {0, 0, 1, 1}, {2, 2, 1}, {0}, rank_mismatch, "updates has rank 3, expected 2 as indices has"}},
      {only_select,
       {{2, 3}, {0}, {}, {2, 1}, {1, 0}, rank_mismatch, "updates has rank 2, expected 1 as that part of data has"}},
      {only_select,
       {{2, 3},
        {0},
        {},
        {3},
        {1, 0},
        extent_mismatch,
        "updates has extent 3 on axis 0, expected 2 as that part of data has"}},
      {only_diagonal,
       {{2, 3},
        {0},
        {},
        {3},
        {0, 0, 1},
        extent_mismatch,
        "updates has extent 3 on axis 0, expected 2 as that part of data has"}},
      {only_diagonal, {{2, 3}, {0}, {}, {2}, {0, 1, -1}, repeated_axis, "axes[1] = -1 names axis 1 a second time"}},
      {only_cache,
       {{2, 4, 3},
        {2},
        {0, 0},
        {2, 5, 3},
        {1},
        extent_mismatch,
        "update has extent 5 on axis 1, expected at most 4 as past_cache has"}},
      // Outputs
      {rows,
       {{2, 3},
        {1},
        {0},
        {1, 3},
        {0},
        extent_mismatch,
        "output has extent 4 on axis 1, expected 3 as data has",
        {2, 4}}},
      {rows, {{2, 3}, {1}, {0}, {1, 3}, {0}, rank_mismatch, "output has rank 3, expected 2 as data has", {2, 3, 1}}},
      {elements,
       {{2, 3},
        {1, 1},
        {0},
        {1, 1},
        {0},
        extent_mismatch,
        "output has extent 1 on axis 0, expected 2 as data has",
        {1, 3}}},
      {elements, {{2, 3}, {1, 1}, {0}, {1, 1}, {0}, rank_mismatch, "output has rank 0, expected 2 as data has", {}}},
      {multi_indices,
       {{2, 3}, {1, 2}, {0, 0}, {1}, {}, rank_mismatch, "output has rank 1, expected 2 as data has", {6}}},
      {only_select, {{2, 3}, {0}, {}, {2}, {1, 0}, rank_mismatch, "output has rank 1, expected 2 as data has", {6}}},
      // Values of indices: the first bad one in row-major order is named
      {rows,
       {{2, 3},
        {2},
        {0, -1},
        {2, 2},
        {1},
        index_out_of_bounds,
        "indices[1] = -1 is outside [0, 2] (axis 1 has extent 3)"}},
      {rows, {{2, 3}, {}, {2}, {3}, {0}, index_out_of_bounds, "indices = 2 is outside [0, 1] (axis 0 has extent 2)"}},
      {rows,
       {{2, 0}, {1}, {2}, {1, 0}, {0}, index_out_of_bounds, "indices[0] = 2 is outside [0, 1] (axis 0 has extent 2)"}},
      {strict_elements,
       {{2, 3},
        {2, 1},
        {0, -1},
        {2, 1},
        {0},
        index_out_of_bounds,
        "indices[1, 0] = -1 is outside [0, 1] (axis 0 has extent 2)"}},
      {strict_elements,
       {{2, 5, 3},
        {2, 3, 3},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0},
        {2, 3, 3},
        {1},
        index_out_of_bounds,
        "indices[1, 0, 2] = 7 is outside [0, 4] (axis 1 has extent 5)"}},
      {strict_elements,
       {{2, 3},
        {2, 3},
        {0, 1, 2, 3, 4, 5},
        {2, 3},
        {0},
        index_out_of_bounds,
        "indices[0, 2] = 2 is outside [0, 1] (axis 0 has extent 2)"}},
      {wrapping_elements,
       {{2, 3},
        {2, 2},
        {-3, 2, -4, 3},
        {2, 2},
        {1},
        index_out_of_bounds,
        "indices[1, 0] = -4 is outside [-3, 2] (axis 1 has extent 3)"}},
      {wrapping_elements,
       {{2, 3},
        {1, 3},
        {1, 2, -3},
        {1, 3},
        {0},
        index_out_of_bounds,
        "indices[0, 1] = 2 is outside [-2, 1] (axis 0 has extent 2)"}},
      {only_nd_3,
       {{4},
        {1, 1},
        {-1},
        {1},
        {},
        index_out_of_bounds,
        "indices[0, 0] = -1 is outside [0, 3] (axis 0 of data has extent 4)"}},
      {wrapping_multi_indices,
       {{4},
        {1, 1},
        {wide},
        {1},
        {},
        index_out_of_bounds,
        "indices[0, 0] = 4294967296 is outside [-4, 3] (axis 0 of data has extent 4)"}},
      {wrapping_multi_indices,
       {{4, 4},
        {4, 2},
        {0, 0, 1, 1, 2, 2, 3, 7},
        {4},
        {},
        index_out_of_bounds,
        "indices[3, 1] = 7 is outside [-4, 3] (axis 1 of data has extent 4)"}},
      {only_put,
       {{4}, {1}, {-5}, {1}, {}, index_out_of_bounds, "indices[0] = -5 is outside [-4, 3] (data has 4 elements)"}},
      {only_select,
       {{2, 3},
        {0},
        {},
        {2},
        {1, 3},
        index_out_of_bounds,
        "index = 3 is outside [-3, 2] (axis 1 of data has extent 3)"}},
      {only_cache,
       {{2, 4, 3},
        {2},
        {0, 3},
        {2, 2, 3},
        {1},
        index_out_of_bounds,
        "write_indices[1] = 3 is outside [0, 2] (max_sequence_length 4, sequence_length 2)"}},
  };
  return all;
}

TEST_CASE("each operator refuses operands that break a rule, names what is wrong and writes nothing") {
  for (const table_row& row : table()) {
    for (const tried_operator& op : row.of) {
      const std::string message = std::string(op.name) + ": " + row.call.message;
      INFO(message);
      op.require_refused(row.call, message);
    }
  }
}

// slice_scatter, whose slices break rules of their own.
struct refused_slice {
  shape data;
  shape updates;
  slice_spec slice;
  errc code;
  std::string message;
  std::vector<int64_t> output = {-1};
};
const std::vector<refused_slice>& slice_table() {
  using enum errc;
  static const slice_spec columns{.start = 0, .stop = 2, .step = 1, .axes = 1};
  static const std::vector<int> one{1};
  static const std::vector<int> many(max_rank + 1, 1);
  static const std::string limit = " has more than " + std::to_string(max_rank) + " entries (STREW_MAX_RANK)";
  const auto of_axes = [](const axes_list& axes) { return slice_spec{.start = 0, .stop = 9, .step = 1, .axes = axes}; };
  const auto of_two_axes = [](const axes_list& axes) {
    return slice_spec{.start = {0, 0}, .stop = {9, 9}, .step = {1, 1}, .axes = axes};
  };
  static const std::vector<refused_slice> all{
      {{}, {}, {}, rank_mismatch, "data has rank 0, expected at least 1"},
      // Lists
      {{2, 3},
       {2, 3},
       {.start = {0, 0}, .stop = {2}, .step = {1, 1}},
       count_mismatch,
       "stop has length 1, expected 2 as start has"},
      {{2, 3},
       {2, 3},
       {.start = 0, .stop = 2, .step = {1, 1}},
       count_mismatch,
       "step has length 2, expected 1 as start has"},
      {{2, 3},
       {2, 3},
       {.start = {0, 0}, .stop = {2, 3}, .step = {1, 1}, .axes = 0},
       count_mismatch,
       "axes has length 1, expected 2 as start has"},
      {{2, 3},
       {2, 3},
       {.start = {}, .stop = 2, .step = 1},
       count_mismatch,
       "stop has length 1, expected 0 as start has"},
      {{2, 3},
       {2, 3},
       {.start = 0, .stop = 2, .step = 1, .axes = {}},
       count_mismatch,
       "axes has length 0, expected 1 as start has"},
      {{2},
       {2},
       {.start = {0, 0}, .stop = {2, 2}, .step = {1, 1}},
       count_mismatch,
       "start has length 2, expected at most 1 (the rank of data)"},
      {{2}, {2}, {.start = many, .stop = one, .step = one}, too_many_axes, "start" + limit},
      {{2}, {2}, {.start = one, .stop = many, .step = one}, too_many_axes, "stop" + limit},
      {{2}, {2}, {.start = one, .stop = one, .step = many}, too_many_axes, "step" + limit},
      {{2}, {2}, {.start = one, .stop = one, .step = one, .axes = many}, too_many_axes, "axes" + limit},
      // Axes
      {{2, 3}, {2, 3}, of_axes(2), axis_out_of_range, "axes[0] = 2 is outside [-2, 1] (data has rank 2)"},
      {{2, 3}, {2, 3}, of_axes(-3), axis_out_of_range, "axes[0] = -3 is outside [-2, 1] (data has rank 2)"},
      {{2, 3},
       {2, 3},
       of_axes(std::numeric_limits<int64_t>::min()),
       axis_out_of_range,
       "axes[0] = -9223372036854775808 is outside [-2, 1] (data has rank 2)"},
      {{2, 3}, {2, 3}, of_two_axes({1, 9}), axis_out_of_range, "axes[1] = 9 is outside [-2, 1] (data has rank 2)"},
      {{2, 3}, {2, 3}, of_two_axes({1, 1}), repeated_axis, "axes[1] = 1 names axis 1 a second time"},
      {{2, 3}, {2, 3}, of_two_axes({1, -1}), repeated_axis, "axes[1] = -1 names axis 1 a second time"},
      // Steps
      {{2, 3},
       {2, 3},
       {.start = {0, 0}, .stop = {2, 3}, .step = {1, 0}},
       zero_step,
       "step[1] = 0 selects nothing, expected any other value"},
      {{0},
       {0},
       {.start = 0, .stop = 0, .step = 0},
       zero_step,
       "step[0] = 0 selects nothing, expected any other value"},
      // Updates, which are not broadcast
      {{2, 3}, {1, 3}, {}, extent_mismatch, "updates has extent 1 on axis 0, expected 2 as the slice of data has"},
      {{2, 3}, {2, 3}, columns, extent_mismatch, "updates has extent 3 on axis 1, expected 2 as the slice of data has"},
      {{2, 3}, {1, 2}, columns, extent_mismatch, "updates has extent 1 on axis 0, expected 2 as the slice of data has"},
      {{2, 3}, {2}, columns, rank_mismatch, "updates has rank 1, expected 2 as the slice of data has"},
      {{2, 3}, {1, 2, 2}, columns, rank_mismatch, "updates has rank 3, expected 2 as the slice of data has"},
      // Outputs
      {{2, 3}, {2, 3}, {}, extent_mismatch, "output has extent 3 on axis 0, expected 2 as data has", {3, 2}},
      {{2, 3},
       {2, 3},
       {.start = {0, 0}, .stop = {2, 3}, .step = {1, 1}},
       rank_mismatch,
       "output has rank 1, expected 2 as data has",
       {6}},
  };
  return all;
}

TEST_CASE("slice_scatter refuses slices and operands that break a rule, names what is wrong and writes nothing") {
  for (const refused_slice& row : slice_table()) {
    INFO(row.message);
    auto operands = make_counting_operands<int, int>(row.data, {0}, {}, row.updates);
    const bool has_output = row.output != std::vector<int64_t>{-1};
    if (has_output) operands.output = guarded_buffer<int>{row.output};
    require_refused<slice_scatter_operator>(operands, row.slice, row.code, "slice_scatter: " + row.message,
                                            has_output ? forms_out_of_place : all_forms);
  }
}

}  // namespace
}  // namespace strew::test
