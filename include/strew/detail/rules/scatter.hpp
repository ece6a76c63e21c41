// SPDX-License-Identifier: Apache-2.0
// What the scatters ask of the shapes of their operands.
#ifndef STREW_DETAIL_RULES_SCATTER_HPP
#define STREW_DETAIL_RULES_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Where a scatter's operands lie.
struct scatter_layouts {
  const strided_layout& data;
  const strided_layout& indices;
  const strided_layout& updates;
  const strided_layout& output;
};

// updates is shaped data[:axis] + indices + data[axis + 1:].
constexpr bool check_updates_extents(const char* operation, const index_list& updates, const index_list& data,
                                     const index_list& indices, int axis, status& error) noexcept {
  const int inserted = indices.size();
  const int rank = data.size() + inserted - 1;
  if (updates.size() != rank) {
    return refuse(error, errc::rank_mismatch, operation, "updates",
                  " has rank {0}, expected {1} (the ranks of data and indices less one)", {updates.size(), rank});
  }
  for (int k = 0; k < updates.size(); ++k) {
    const bool from_indices = k >= axis && k < axis + inserted;
    const int source = k < axis ? k : from_indices ? k - axis : k - inserted + 1;
    const std::int64_t expected = from_indices ? indices[source] : data[source];
    if (updates[k] != expected) {
      return refuse(error, errc::extent_mismatch, operation, "updates",
                    " has extent {0} on axis {1}, expected {2} as {o} has on axis {3}",
                    {updates[k], k, expected, source}, {}, from_indices ? "indices" : "data");
    }
  }
  return true;
}

// Where the documents of the scatters of rows differ.
struct rows_rules {
  const char* operation;
  index_rule rule;
};
inline constexpr rows_rules scatter_update_rules{"scatter_update", index_rule::strict};

// All of ScatterUpdate's rules but for the values of the indices.
constexpr bool check_rows(const char* operation, const scatter_layouts& at, const shared_memory& shared,
                          const index_list& axis_argument, int& axis, status& error) noexcept {
  return check_output(operation, at.data, at.output, shared, error) &&
         check_single_axis(operation, axis_argument, at.data.rank(), axis, error) &&
         check_updates_extents(operation, at.updates.extents(), at.data.extents(), at.indices.extents(), axis, error) &&
         check_apart(operation, shared.indices, "indices", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

// Where the documents of the scatters of elements differ.
struct elements_rules {
  const char* operation;
  index_rule rule;
  bool axis_may_exceed_data;  // whether `indices` may be longer than data along the axis
};
inline constexpr elements_rules scatter_elements_update_rules{"scatter_elements_update", index_rule::strict, false};
inline constexpr elements_rules onnx_scatter_rules{"onnx::scatter", index_rule::wrapping, true};

// indices has the rank of data and nowhere a larger extent, but on the axis where the rules allow it.
constexpr bool check_indices_extents(const elements_rules& rules, const index_list& indices, const index_list& data,
                                     int axis, status& error) noexcept {
  if (indices.size() != data.size()) {
    return refuse(error, errc::rank_mismatch, rules.operation, "indices", " has rank {0}, expected {1} as data has",
                  {indices.size(), data.size()});
  }
  for (int k = 0; k < data.size(); ++k) {
    if (k == axis && rules.axis_may_exceed_data) continue;
    if (indices[k] > data[k]) {
      return refuse(error, errc::extent_mismatch, rules.operation, "indices",
                    " has extent {0} on axis {1}, expected at most {2} as data has", {indices[k], k, data[k]});
    }
  }
  return true;
}

// All rules of the scatters of elements but for the values of the indices.
constexpr bool check_elements(const elements_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                              const index_list& axis_argument, int& axis, status& error) noexcept {
  const char* const operation = rules.operation;
  return check_output(operation, at.data, at.output, shared, error) &&
         check_single_axis(operation, axis_argument, at.data.rank(), axis, error) &&
         check_indices_extents(rules, at.indices.extents(), at.data.extents(), axis, error) &&
         check_extents(operation, "updates", at.updates.extents(), at.indices.extents(), "indices", error) &&
         check_apart(operation, shared.indices, "indices", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

// Says that the index at a coordinate is illegal. `value` holds its bits.
STREW_COLD constexpr bool refuse_index(const char* operation, std::int64_t value, bool is_unsigned,
                                       const index_list& coordinate, int axis, std::int64_t extent, index_rule rule,
                                       status& error) noexcept {
  refuse(error, errc::index_out_of_bounds, operation, "indices",
         extent == 0 ? "{a} = {0} names no element (axis {3} has extent 0)"
                     : "{a} = {0} is outside [{1}, {2}] (axis {3} has extent {4})",
         {value, rule == index_rule::strict ? 0 : -extent, extent - 1, axis, extent}, coordinate);
  if (is_unsigned) error.first_number_is_unsigned();
  return false;
}

// Steps to the next coordinate in row-major order, but not along axes of stride 0, where the indices stay the same. The
// first bad index in row-major order is found none the less: it stands at 0 on these axes.
constexpr bool next_distinct(const strided_layout& layout, index_list& coordinate) noexcept {
  for (int k = coordinate.size(); k-- > 0;) {
    if (layout.stride(k) == 0) continue;
    if (++coordinate[k] < layout.extent(k)) return true;
    coordinate[k] = 0;
  }
  return false;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_SCATTER_HPP
