// SPDX-License-Identifier: Apache-2.0
// The extents of updates, computed from those of the other operands.
#ifndef STREW_DETAIL_RULES_UPDATES_EXTENTS_HPP
#define STREW_DETAIL_RULES_UPDATES_EXTENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Each of these functions returns true and sets its result, or returns false and sets the error.

// Checks that data has an axis, and that both lists are extents of a shape.
constexpr bool check_shapes(const char* operation, const index_list& data, const index_list& indices,
                            status& error) noexcept {
  return check_shape(operation, "data_extents", data, error) &&
         check_shape(operation, "indices_extents", indices, error) && check_data_rank(operation, data.size(), error);
}

// data[:first] + positions + data[end:].
constexpr bool insert_positions(const char* operation, const index_list& data, const index_list& positions,
                                const target_axes& axes, index_list& result, status& error) noexcept {
  index_list extents;
  for (int i = 0; i < axes.first; ++i) extents.push_back(data[i]);
  for (int i = 0; i < positions.size(); ++i) extents.push_back(positions[i]);
  for (int i = axes.end(); i < data.size(); ++i) extents.push_back(data[i]);
  if (!check_shape(operation, "updates", extents, error)) return false;
  result = extents;
  return true;
}

// For rows: data[:axis] + indices + data[axis + 1:].
constexpr bool find_row_updates(const char* operation, const index_list& data, const index_list& indices,
                                const index_list& axis, index_list& result, status& error) noexcept {
  target_axes axes;
  return check_shapes(operation, data, indices, error) &&
         check_single_axis(operation, axis, data.size(), axes.first, error) &&
         insert_positions(operation, data, indices, axes, result, error);
}

// For elements: indices.
constexpr bool find_element_updates(const operation_rules& rules, const index_list& data, const index_list& indices,
                                    const index_list& axis, index_list& result, status& error) noexcept {
  int k = 0;
  if (!(check_shapes(rules.name, data, indices, error) && check_single_axis(rules.name, axis, data.size(), k, error) &&
        check_indices_extents(rules, indices, data, k, error))) {
    return false;
  }
  result = indices;
  return true;
}

// For multi-indices on the last axis of the indices: indices[:-1] + data[k:].
constexpr bool find_multi_index_updates(const char* operation, const index_list& data, const index_list& indices,
                                        index_list& result, status& error) noexcept {
  target_axes axes;
  if (!(check_shapes(operation, data, indices, error) &&
        check_multi_indices(operation, indices, data.size(), axes.count, error))) {
    return false;
  }
  index_list positions;
  for (int k = 0; k + 1 < indices.size(); ++k) positions.push_back(indices[k]);
  return insert_positions(operation, data, positions, axes, result, error);
}

// For multi-indices whose components are in separate tensors with extents `indices`: indices + data[tensors:].
constexpr bool find_tensor_updates(const char* operation, const index_list& data, const index_list& indices,
                                   std::int64_t tensors, index_list& result, status& error) noexcept {
  if (!check_shapes(operation, data, indices, error)) return false;
  if (tensors < 1 || tensors > data.size()) {
    return refuse(error, errc::rank_mismatch, operation, "indices",
                  tensors < 1 ? " holds {0} tensors, expected at least 1"
                              : " holds {0} tensors, expected at most {1} (the rank of data)",
                  {tensors, data.size()});
  }
  return insert_positions(operation, data, indices, {0, static_cast<int>(tensors)}, result, error);
}

// For a scatter by indices with any addressing. `positions`: the extents of the indices, for multi-indices without the
// last axis; `components`: the number of indices that address a target together, already checked for multi-indices.
template <addressing By>
constexpr bool find_scatter_updates(const operation_rules& rules, const index_list& data, const index_list& positions,
                                    const index_list* axis, int components, index_list& result,
                                    status& error) noexcept {
  if constexpr (By == addressing::rows) {
    return find_row_updates(rules.name, data, positions, *axis, result, error);
  } else if constexpr (By == addressing::elements) {
    return find_element_updates(rules, data, positions, *axis, result, error);
  } else if constexpr (By == addressing::multi_indices) {
    return insert_positions(rules.name, data, positions, {0, components}, result, error);
  } else if constexpr (By == addressing::tensors) {
    return find_tensor_updates(rules.name, data, positions, components, result, error);
  } else {
    result = positions;
    return check_data_rank(rules.name, data.size(), error);
  }
}

// The layout of one value that is repeated at each coordinate.
constexpr bool make_repeated(const char* operation, int value_rank, const index_list& extents, std::size_t element_size,
                             strided_layout& layout, status& error) noexcept {
  if (value_rank != 0) {
    return refuse(error, errc::rank_mismatch, operation, "value", " has rank {0}, expected 0", {value_rank});
  }
  index_list strides = extents;
  for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
  return make_layout({operation}, extents, strides, element_size, layout, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_UPDATES_EXTENTS_HPP
