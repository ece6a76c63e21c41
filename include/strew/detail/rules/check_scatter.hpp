// SPDX-License-Identifier: Apache-2.0
// The rules for the shapes of scatters by indices: all rules but those for the values of indices.
#ifndef STREW_DETAIL_RULES_CHECK_SCATTER_HPP
#define STREW_DETAIL_RULES_CHECK_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The layouts of a scatter's operands. `indices`: of the first tensor of indices; for multi-indices without the last
// axis.
struct scatter_layouts {
  const strided_layout& data;
  const strided_layout& indices;
  const strided_layout& updates;
  const strided_layout& output;
};

// Checks that updates has the extents data[:first] + positions + data[end:], with positions in the place of the target
// axes.
constexpr bool check_updates_extents(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                                     status& error) noexcept {
  const index_list& updates = at.updates.extents();
  const index_list& data = at.data.extents();
  const index_list& positions = at.indices.extents();
  const int inserted = positions.size();
  const int rank = inserted + data.size() - axes.count;
  if (updates.size() != rank) {
    return refuse(error, errc::rank_mismatch, rules.name, "updates", rules.texts.rank_of_updates,
                  {updates.size(), rank, inserted, data.size() - axes.count}, {}, "indices");
  }
  for (int k = 0; k < rank; ++k) {
    const bool from_positions = k >= axes.first && k < axes.first + inserted;
    const int source = k < axes.first ? k : from_positions ? k - axes.first : k - inserted + axes.count;
    const std::int64_t expected = from_positions ? positions[source] : data[source];
    if (updates[k] != expected) {
      return refuse(error, errc::extent_mismatch, rules.name, "updates",
                    " has extent {0} on axis {1}, expected {2} as {o} has on axis {3}",
                    {updates[k], k, expected, source}, {}, from_positions ? "indices" : "data");
    }
  }
  return true;
}

constexpr bool check_inputs_apart(const char* operation, const shared_memory& shared, status& error) noexcept {
  return check_apart(operation, shared.indices, "indices", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

constexpr bool check_rows(const operation_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                          const index_list& axis, target_axes& axes, status& error) noexcept {
  axes.count = 1;
  return check_output(rules.name, at.data, at.output, shared, error) &&
         check_single_axis(rules.name, axis, at.data.rank(), axes.first, error) &&
         check_updates_extents(rules, at, axes, error) && check_inputs_apart(rules.name, shared, error);
}

// Checks that indices has the rank of data and no larger extents, except on `axis` if the rules allow it.
constexpr bool check_indices_extents(const operation_rules& rules, const index_list& indices, const index_list& data,
                                     int axis, status& error) noexcept {
  if (indices.size() != data.size()) {
    return refuse(error, errc::rank_mismatch, rules.name, "indices", " has rank {0}, expected {1} as data has",
                  {indices.size(), data.size()});
  }
  for (int k = 0; k < data.size(); ++k) {
    if (k == axis && rules.axis_may_exceed_data) continue;
    if (indices[k] > data[k]) {
      return refuse(error, errc::extent_mismatch, rules.name, "indices",
                    " has extent {0} on axis {1}, expected at most {2} as data has", {indices[k], k, data[k]});
    }
  }
  return true;
}

constexpr bool check_elements(const operation_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                              const index_list& axis, target_axes& axes, status& error) noexcept {
  axes.count = 1;
  return check_output(rules.name, at.data, at.output, shared, error) &&
         check_single_axis(rules.name, axis, at.data.rank(), axes.first, error) &&
         check_indices_extents(rules, at.indices.extents(), at.data.extents(), axes.first, error) &&
         check_extents(rules.name, "updates", at.updates.extents(), at.indices.extents(), "indices", error) &&
         check_inputs_apart(rules.name, shared, error);
}

// Finds the number of components of a multi-index. Checks that indices has a rank of at least 1, and that its last
// extent is at most the rank of data.
constexpr bool check_multi_indices(const char* operation, const index_list& indices, int data_rank, int& count,
                                   status& error) noexcept {
  if (indices.size() < 1) {
    return refuse(error, errc::rank_mismatch, operation, "indices", " has rank 0, expected at least 1");
  }
  const int last = indices.size() - 1;
  if (indices[last] > data_rank) {
    return refuse(error, errc::extent_mismatch, operation, "indices",
                  " has extent {0} on axis {1}, expected at most {2} (the rank of data)",
                  {indices[last], last, data_rank});
  }
  count = static_cast<int>(indices[last]);
  return true;
}

// For multi-indices that check_multi_indices has checked; axes.count is their number of components.
constexpr bool check_multi_index_scatter(const operation_rules& rules, const scatter_layouts& at,
                                         const shared_memory& shared, const target_axes& axes, status& error) noexcept {
  const bool is_single = rules.takes_any_single_element && at.updates.size() == 1 && at.indices.rank() == 0 &&
                         axes.count == at.data.rank();
  return check_output(rules.name, at.data, at.output, shared, error) &&
         (is_single || check_updates_extents(rules, at, axes, error)) && check_inputs_apart(rules.name, shared, error);
}

// For `axes.count` tensors of coordinates; extents_of(j) are the extents of tensor j.
template <class ExtentsOf>
constexpr bool check_tensor_scatter(const operation_rules& rules, const scatter_layouts& at,
                                    const shared_memory& shared, const target_axes& axes, const ExtentsOf& extents_of,
                                    status& error) noexcept {
  if (!check_output(rules.name, at.data, at.output, shared, error)) return false;
  if (axes.count > at.data.rank()) {
    return refuse(error, errc::rank_mismatch, rules.name, "indices",
                  " holds {0} tensors, expected at most {1} (the rank of data)", {axes.count, at.data.rank()});
  }
  for (int j = 1; j < axes.count; ++j) {
    if (!check_extents(rules.name, "indices", extents_of(j), at.indices.extents(), "the first of its tensors", error)) {
      return false;
    }
  }
  return check_updates_extents(rules, at, axes, error) && check_inputs_apart(rules.name, shared, error);
}

constexpr bool check_numbers(const operation_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                             target_axes& axes, status& error) noexcept {
  axes = {0, at.data.rank()};
  return check_output(rules.name, at.data, at.output, shared, error) &&
         check_extents(rules.name, "updates", at.updates.extents(), at.indices.extents(), "indices", error) &&
         check_inputs_apart(rules.name, shared, error);
}

// How a call addresses targets.
template <class ExtentsOf>
struct target_addressing {
  const index_list* axis;       // for rows and elements
  int components;               // the number of indices that address a target together
  const ExtentsOf& extents_of;  // extents_of(j): the extents of tensor j
};

// Checks a scatter by indices, by its addressing.
template <addressing By, class ExtentsOf>
constexpr bool check_scatter(const operation_rules& rules, const scatter_layouts& at, const shared_memory& shared,
                             const target_addressing<ExtentsOf>& by, target_axes& axes, status& error) noexcept {
  if constexpr (By == addressing::rows) {
    return check_rows(rules, at, shared, *by.axis, axes, error);
  } else if constexpr (By == addressing::elements) {
    return check_elements(rules, at, shared, *by.axis, axes, error);
  } else if constexpr (By == addressing::numbers) {
    return check_numbers(rules, at, shared, axes, error);
  } else {
    axes = {0, by.components};
    if constexpr (By == addressing::multi_indices) return check_multi_index_scatter(rules, at, shared, axes, error);
    return check_tensor_scatter(rules, at, shared, axes, by.extents_of, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_SCATTER_HPP
