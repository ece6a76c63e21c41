// SPDX-License-Identifier: Apache-2.0
// Slices, coordinates and diagonals of distributed tensors. Where each element goes follows from its coordinate, so
// these are scatters by indices that are computed, not read.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// The rules by which parts are scattered: a coordinate for each of the first axes.
inline constexpr operation_rules slice_by_coordinates{slice_scatter_rules.name, addressing::tensors};
inline constexpr operation_rules select_by_coordinates{select_scatter_rules.name, addressing::tensors};
inline constexpr operation_rules diagonal_by_coordinates{diagonal_scatter_rules.name, addressing::tensors};

// Which coordinates of data a part has: on axis k, first[k] + step[k] times the coordinate of updates on axis from[k],
// or first[k] alone if that is -1.
struct part_map {
  index_list from;
  index_list first;
  index_list step;
  index_list extents;  // of updates

  // Whether an axis of data has the coordinates of an axis of updates as they are.
  [[nodiscard]] bool is_kept(int k, const index_list& data) const noexcept {
    int uses = 0;
    for (const std::int64_t each : from) uses += each == from[k] ? 1 : 0;
    return from[k] >= 0 && uses == 1 && first[k] == 0 && step[k] == 1 && extents[static_cast<int>(from[k])] == data[k];
  }
  // Axes from this one on are kept, and undivided in data and updates.
  [[nodiscard]] int end(const index_list& data, int divided, int divided_of_updates) const noexcept {
    int k = data.size();
    const int removed = data.size() - extents.size();
    while (k > 0 && k - 1 != divided && from[k - 1] == k - 1 - removed && from[k - 1] != divided_of_updates &&
           is_kept(k - 1, data)) {
      --k;
    }
    return k;
  }
};

// The coordinates of this rank's part of updates, in the place of tensors of indices.
class coordinate_source {
 public:
  coordinate_source(const part_map& map, int count, const index_list& parts, int axis, const mpi::distribution* over,
                    int rank) noexcept
      : map_{map}, over_{over}, count_{count}, axis_{axis}, rank_{rank} {
    for (int j = 0; j < count || j == 0; ++j) {
      index_list steps = parts;
      for (int k = 0; k < steps.size(); ++k) steps[k] = j < count && map.from[j] == k ? 1 : 0;
      static_cast<void>(strided_layout::try_make(parts, steps, 1, layouts_[j]));
    }
  }

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const strided_layout& layout(int j) const noexcept { return layouts_[j]; }
  [[nodiscard]] raw_index at(int j, std::int64_t offset) const noexcept {
    const bool is_divided = axis_ >= 0 && map_.from[j] == axis_;
    const std::int64_t coordinate = is_divided ? over_->global_index(rank_, offset) : offset;
    return {map_.first[j] + map_.step[j] * coordinate, false};
  }

 private:
  const part_map& map_;
  const mpi::distribution* over_;
  int count_;
  int axis_;
  int rank_;
  strided_layout layouts_[max_rank];
};

// The coordinates of the whole tensor, as distributed_indices.
class distributed_coordinates {
 public:
  static constexpr bool are_computed = true;

  // `axis` is the divided one of updates, -1 if there is none.
  distributed_coordinates(const part_map& map, int count, const index_list& data, int axis,
                          const mpi::distribution& over, int rank) noexcept
      : map_{map}, over_{over}, count_{count}, rank_{rank} {
    const int positions = map.extents.size() - (data.size() - count);
    for (int k = 0; k < positions; ++k) {
      extents_.push_back(map.extents[k]);
      parts_.push_back(k == axis ? over.local_extent(rank) : map.extents[k]);
    }
    axis_ = axis;  // which is one of them
  }

  // The axis of updates whose coordinates an axis of data has as they are; -1 if there is none.
  [[nodiscard]] int kept_axis(int k, const index_list& data) const noexcept {
    return map_.is_kept(k, data) ? static_cast<int>(map_.from[k]) : -1;
  }
  [[nodiscard]] const index_list& extents_of_updates() const noexcept { return map_.extents; }

  [[nodiscard]] coordinate_source local() const noexcept { return {map_, count_, parts_, axis_, &over_, rank_}; }
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const index_list& extents() const noexcept { return extents_; }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return over_; }
  [[nodiscard]] int axis() const noexcept { return axis_; }

  void add_to(fingerprint& call) const noexcept {
    call.add(map_.from);
    call.add(map_.first);
    call.add(map_.step);
    call.add(map_.extents);
  }
  template <class Body>
  void for_each(const Body&) const noexcept {}

  // No coordinate is illegal.
  [[nodiscard]] std::int64_t find_bad(raw_index&) const noexcept { return -1; }
  [[nodiscard]] int finder_of_bad(std::int64_t) const noexcept { return 0; }
  [[nodiscard]] bool refuse_bad(std::int64_t, std::int64_t, status&) const noexcept { return false; }
  template <class T>
  void check_own(communicator&, const tensor_view<T>&, local_error&) const noexcept {}

  // Replaces the part of this rank's output that its part of updates has, if no element moves to another rank.
  template <class Ex, class T>
  void assign_part(Ex& ex, const tensor_view<const T>& updates, const tensor_view<T>& output) const {
    const index_list& extents = updates.extents();
    index_list strides = extents;
    for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
    std::int64_t offset = 0;
    bool is_empty = false;
    for (const std::int64_t extent : extents) is_empty = is_empty || extent == 0;
    for (int k = 0; k < output.rank() && !is_empty; ++k) {
      offset += map_.first[k] * output.stride(k);
      const auto from = static_cast<int>(map_.from[k]);
      if (from >= 0 && extents[from] > 1) strides[from] += map_.step[k] * output.stride(k);
    }
    assign(ex, updates, part_of(output, offset, extents, strides));
  }

 private:
  const part_map& map_;
  const mpi::distribution& over_;
  int count_;
  int rank_;
  int axis_ = -1;
  index_list extents_;
  index_list parts_;
};

// Runs a scatter of a part whose map has been found.
template <const operation_rules& Rules, class Ex, class D, class U, class T>
void run_part_map(Ex& ex, communicator& ranks, const mpi::distributed_tensor_view<D>& data, const U& updates,
                  const part_map& map, const mpi::distributed_tensor_view<T>& output, status& error) {
  const mpi::distribution whole = mpi::distribution::replicated(1);
  const mpi::distribution* over = &whole;
  int axis = -1;
  if constexpr (requires { updates.divided_axis(); }) {
    // A distribution that is none is refused later; here nothing is divided by it.
    const bool is_usable = updates.over().is_valid() && updates.over().ranks() == ranks.ranks();
    if (is_usable) {
      axis = updates.divided_axis();
      over = &updates.over();
    }
  }
  // At least one coordinate, so that there are indices of which one value can be repeated.
  const int kept_from = map.end(data.extents(), data.divided_axis(), axis);
  const int end = kept_from < 1 && data.rank() > 0 ? 1 : kept_from;
  const distributed_coordinates coordinates(map, end, data.extents(), axis, *over, ranks.rank());
  const auto at = operands_of<index_policy::assume_valid>(data, coordinates, updates, output, reduction::none);
  run_distributed_scatter<Rules, only_none>(ex, ranks, at, error);
}
template <const operation_rules& Rules, class Ex, class D, class U, class T>
void run_part_map(Ex& ex, const mpi::distributed_tensor_view<D>& data, const U& updates, const part_map& map,
                  const mpi::distributed_tensor_view<T>& output, status& error) {
  with_communicator(data.comm(), Rules.name, error,
                    [&](communicator& ranks) { run_part_map<Rules>(ex, ranks, data, updates, map, output, error); });
}

template <class Ex, class D, class U, class T>
void run_distributed_slice(Ex& ex, const mpi::distributed_tensor_view<D>& data, const U& updates,
                           const slice_spec& slice, const mpi::distributed_tensor_view<T>& output, status& error) {
  const index_list extents = data.extents();
  part_map map{extents, extents, extents, extents};
  for (int k = 0; k < extents.size(); ++k) {
    map.from[k] = k;
    map.first[k] = 0;
    map.step[k] = 1;
  }
  const char* const name = slice_scatter_rules.name;
  const auto narrow = [&](int axis, const slice_range& range) {
    map.first[axis] = range.first;
    map.step[axis] = range.step;
    map.extents[axis] = range.count;
  };
  bool is_legal = check_data_rank(name, extents.size(), error) && check_slices(name, slice, extents, error, narrow);
  if constexpr (requires { updates.extents(); }) {
    is_legal = is_legal && check_extents(name, "updates", updates.extents(), map.extents, "the slice of data", error);
  }
  if (!is_legal) return end_refused(data, name, error);
  run_part_map<slice_by_coordinates>(ex, data, updates, map, output, error);
}

template <class Ex, class D, class U, class T>
void run_distributed_part(Ex& ex, const mpi::distributed_tensor_view<D>& data, const U& source, const part_spec& spec,
                          const mpi::distributed_tensor_view<T>& output, status& error) {
  const index_list extents = data.extents();
  part_map map{extents, extents, extents, {}};
  int next = 0;
  const auto keep = [&](int k) {
    map.from[k] = next++;
    map.first[k] = 0;
    map.step[k] = 1;
  };
  const auto check_source = [&](const char* name) {
    if constexpr (requires { source.extents(); }) {
      return check_extents(name, "updates", source.extents(), map.extents, "that part of data", error);
    } else {
      return true;
    }
  };
  if (!find_part_updates(extents, spec, map.extents, error)) {
    return end_refused(data, spec.is_diagonal() ? diagonal_scatter_rules.name : select_scatter_rules.name, error);
  }
  if (spec.is_diagonal()) {
    diagonal_source found;
    const std::int64_t offset = spec.number.bits;
    static_cast<void>(find_diagonal_source(diagonal_scatter_rules.name, extents, offset, spec.axes, found, error));
    const diagonal on(offset, extents[found.rows], extents[found.columns]);
    for (int k = 0; k < extents.size(); ++k) {
      if (k != found.rows && k != found.columns) keep(k);
    }
    map.from[found.rows] = map.from[found.columns] = map.extents.size() - 1;
    map.first[found.rows] = on.row;
    map.first[found.columns] = on.column;
    map.step[found.rows] = map.step[found.columns] = 1;
    if (!check_source(diagonal_scatter_rules.name)) return end_refused(data, diagonal_scatter_rules.name, error);
    return run_part_map<diagonal_by_coordinates>(ex, data, source, map, output, error);
  }
  // The rules of the serial operator, on a layout of the whole tensor.
  strided_layout whole;
  strided_layout updates;
  output_part part;
  if (!make_row_major({}, extents, sizeof(T), whole, error) || !check_source(select_scatter_rules.name) ||
      !make_row_major({}, map.extents, sizeof(T), updates, error) ||
      !find_selected({whole, updates, whole}, {}, spec, part, error)) {
    return end_refused(data, select_scatter_rules.name, error);
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (k != part.axis) keep(k);
  }
  map.from[part.axis] = -1;
  map.first[part.axis] = part.element;
  map.step[part.axis] = 0;
  run_part_map<select_by_coordinates>(ex, data, source, map, output, error);
}

template <const operation_rules&, reduction_set, class Ex, class Call>
void submit_distributed(Ex& ex, const slice_spec& slice, const Call& call, status& error) {
  run_distributed_slice(ex, call.data, call.updates, slice, call.output, error);
}
template <const operation_rules&, reduction_set, class Ex, class Call>
void submit_distributed(Ex& ex, const part_spec& spec, const Call& call, status& error) {
  run_distributed_part(ex, call.data, call.updates, spec, call.output, error);
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_PARTS_HPP
