// SPDX-License-Identifier: Apache-2.0
// Slices, coordinates, diagonals and caches of distributed tensors: from the arguments of a call to the coordinates of
// its updates in data.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/distributed_coordinates.hpp>
#include <strew/detail/mpi/route_finder.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The rules by which parts are scattered: a coordinate for each of the first axes.
template <const operation_rules& Rules>
inline constexpr operation_rules by_coordinates{Rules.name, addressing::tensors};

// Runs a call whose map has been found.
template <const operation_rules& Rules, class Ex, class Call, class Starts>
void run_coordinates(Ex& ex, communicator& ranks, const Call& call, const coordinate_map& map, const Starts& starts,
                     status& error) {
  const mpi::distribution whole = mpi::distribution::replicated(1);
  const mpi::distribution* over = &whole;
  int axis = -1;
  if constexpr (requires { call.updates.divided_axis(); }) {
    // A distribution that is none is refused later; here nothing is divided by it.
    if (call.updates.over().is_valid() && call.updates.over().ranks() == ranks.ranks()) {
      axis = call.updates.divided_axis();
      over = &call.updates.over();
    }
  }
  const index_list data = call.data.extents();
  const distributed_coordinates<Starts> where(map, starts, data, call.data.divided_axis(), axis, *over, ranks.rank());
  const auto at = operands_of<index_policy::assume_valid>(call.data, where, call.updates, call.output);
  run_distributed_scatter<by_coordinates<Rules>, only_none>(ex, ranks, at, error);
}

// ---- Slices, coordinates and diagonals

// Checks that a tensor of updates has the extents of the part that it replaces.
template <const operation_rules& Rules, class Updates>
bool check_extents_of_part(const Updates& updates, const index_list& part, const char* text, status& error) noexcept {
  if constexpr (requires { updates.extents(); }) {
    return check_extents(Rules.name, "updates", updates.extents(), part, text, error);
  } else {
    return true;
  }
}
template <const operation_rules& Rules, class Updates>
bool find_map(const index_list& data, const slice_spec& slice, const Updates& updates, coordinate_map& map,
              status& error) noexcept {
  const auto narrow = [&](int axis, const slice_range& range) {
    map.first[axis] = range.first;
    map.step[axis] = range.step;
    map.updates[axis] = range.count;
  };
  return check_data_rank(Rules.name, data.size(), error) && check_slices(Rules.name, slice, data, error, narrow) &&
         check_extents_of_part<Rules>(updates, map.updates, "the slice of data", error);
}
template <const operation_rules& Rules, class Updates>
bool find_map(const index_list& data, const part_spec& spec, const Updates& updates, coordinate_map& map,
              status& error) noexcept {
  int next = 0;
  const auto keep_but = [&](int k, int other) {
    for (int j = 0; j < data.size(); ++j) {
      if (j != k && j != other) map.from[j] = next++;
    }
  };
  if (!find_part_updates(data, spec, map.updates, error) ||
      !check_extents_of_part<Rules>(updates, map.updates, "that part of data", error)) {
    return false;
  }
  if (spec.is_diagonal()) {
    diagonal_source found;
    const std::int64_t offset = spec.number.bits;
    static_cast<void>(find_diagonal_source(Rules.name, data, offset, spec.axes, found, error));
    const diagonal on(offset, data[found.rows], data[found.columns]);
    keep_but(found.rows, found.columns);
    map.from[found.rows] = map.from[found.columns] = map.updates.size() - 1;
    map.first[found.rows] = on.row;
    map.first[found.columns] = on.column;
    return true;
  }
  // The rules of the serial operator, on a layout of the whole tensor.
  constexpr std::size_t size = sizeof(view_element<Updates>);
  strided_layout whole;
  strided_layout layout;
  output_part part;
  if (!make_row_major({}, data, size, whole, error) || !make_row_major({}, map.updates, size, layout, error) ||
      !find_selected({whole, layout, whole}, {}, spec, part, error)) {
    return false;
  }
  keep_but(part.axis, part.axis);
  map.from[part.axis] = -1;
  map.first[part.axis] = part.element;
  map.step[part.axis] = 0;
  return true;
}

template <const operation_rules& Rules, reduction_set, class Ex, class Spec, class Call>
  requires(std::is_same_v<Spec, slice_spec> || std::is_same_v<Spec, part_spec>)
void submit_distributed(Ex& ex, const Spec& spec, const Call& call, status& error) {
  const index_list data = call.data.extents();
  coordinate_map map(data, data);
  if (!find_map<Rules>(data, spec, call.updates, map, error)) return end_refused(call.data, Rules.name, error);
  with_communicator(call.data.comm(), Rules.name, error,
                    [&](communicator& ranks) { run_coordinates<Rules>(ex, ranks, call, map, no_starts(), error); });
}

// ---- Caches

// What does not depend on the values of write_indices, the same on all ranks.
template <class Index, class Call>
bool check_distributed_caches(int ranks, const Call& call, const cache_starts<Index>& starts, int& axis,
                              status& error) noexcept {
  constexpr const char* operation = tensor_scatter_rules.name;
  const auto& cache = call.data;
  const auto& update = call.updates;
  strided_layout whole_cache;
  strided_layout whole_update;
  strided_layout whole_output;
  if (!make_whole(cache, whole_cache, error) || !make_whole(update, whole_update, error) ||
      !make_whole(call.output, whole_output, error) ||
      !check_caches({whole_cache, whole_update, whole_output}, {}, starts.how, axis, error) ||
      !check_distribution(operation, "past_cache", cache, ranks, error) ||
      !check_distribution(operation, "update", update, ranks, error)) {
    return false;
  }
  const int divided = cache.divided_axis();
  if (divided == 0 && !are_alike(cache, update)) {
    return refuse_distribution(operation, "update", " is not distributed by samples, as past_cache is", error);
  }
  if (starts.write_indices == nullptr) return true;
  const auto& write_indices = *starts.write_indices;
  if (!check_write_indices_extents(whole_cache, write_indices.extents(), overlap_result::no, error) ||
      !check_distribution(operation, "write_indices", write_indices, ranks, error)) {
    return false;
  }
  const bool is_divided = write_indices.divided_axis() == 0;
  if (is_divided && !(update.divided_axis() == 0 && write_indices.over() == update.over())) {
    return refuse_distribution(operation, "write_indices", " is not distributed as the samples of update are", error);
  }
  if (!is_divided && divided == 0 && ranks > 1) {
    return refuse_distribution(operation, "write_indices", " is whole, but past_cache is divided by samples", error);
  }
  return true;
}

template <const operation_rules& Rules, reduction_set, class Ex, class Indices, class Call>
void submit_distributed(Ex& ex, const cache_positions<Indices>& where, const Call& call, status& error) {
  with_communicator(call.data.comm(), Rules.name, error, [&](communicator& ranks) {
    cache_starts<std::remove_const_t<view_element<Indices>>> starts{nullptr, where.how};
    if constexpr (requires { where.write_indices->over(); }) starts.write_indices = where.write_indices;
    int axis = 0;
    if (!check_distributed_caches(ranks.ranks(), call, starts, axis, error)) {
      return end_refused(call.data, Rules.name, error);
    }
    coordinate_map map(call.data.extents(), call.updates.extents());
    map.shifted = axis;
    map.length = call.data.extents()[axis];
    run_coordinates<Rules>(ex, ranks, call, map, starts, error);
  });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP
