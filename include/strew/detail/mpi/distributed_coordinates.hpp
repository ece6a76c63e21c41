// SPDX-License-Identifier: Apache-2.0
// Targets of distributed tensors that follow from the coordinates of updates: those of slices, of one coordinate of an
// axis, of diagonals, and of caches, where a write index for each sample is added. They are scatters by indices that
// are computed, not read.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_COORDINATES_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_COORDINATES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Which coordinates of data an update has: on axis k, first[k] + step[k] times its coordinate on axis from[k] of
// updates, or first[k] alone if that is -1. On the axis `shifted` the start of its sample is added, modulo the extent.
struct coordinate_map {
  index_list from;
  index_list first;
  index_list step;
  index_list updates;  // extents
  int shifted = -1;
  std::int64_t length = 0;  // the extent of data on that axis

  // The coordinates of updates as they are.
  coordinate_map(const index_list& data, const index_list& extents) noexcept
      : from{data}, first{data}, step{data}, updates{extents} {
    for (int k = 0; k < data.size(); ++k) {
      from[k] = k;
      first[k] = 0;
      step[k] = 1;
    }
  }

  // Whether an axis of data has the coordinates of an axis of updates as they are.
  [[nodiscard]] bool is_kept(int k, const index_list& data) const noexcept {
    int uses = 0;
    for (const std::int64_t each : from) uses += each == from[k] ? 1 : 0;
    return k != shifted && from[k] >= 0 && uses == 1 && first[k] == 0 && step[k] == 1 &&
           updates[static_cast<int>(from[k])] == data[k];
  }
  // The number of axes of data whose coordinates are computed: those after them are kept, and undivided in data and
  // updates. At least one, so that there are indices of which one value can be repeated.
  [[nodiscard]] int computed_axes(const index_list& data, int divided, int divided_of_updates) const noexcept {
    int k = data.size();
    const int removed = data.size() - updates.size();
    while (k > 1 && k - 1 != divided && from[k - 1] == k - 1 - removed && from[k - 1] != divided_of_updates &&
           is_kept(k - 1, data)) {
      --k;
    }
    return k;
  }
};

// Without an axis that is shifted.
struct no_starts {
  static constexpr bool are_any = false;
};
// The write indices of caches.
template <class Index>
struct cache_starts {
  static constexpr bool are_any = true;

  const mpi::distributed_tensor_view<const Index>* write_indices;  // null: all are 0
  const cache_spec& how;

  // By the coordinate of a sample in this rank's part of updates.
  [[nodiscard]] raw_index start(std::int64_t sample, const position_places& at) const noexcept {
    if (write_indices == nullptr) return {0, false};
    const bool is_whole = at.axis == 0 && write_indices->divided_axis() != 0;
    return write_index_at(write_indices->local(), is_whole ? at.over->global_index(at.rank, sample) : sample);
  }
};

// The computed coordinates of this rank's part of updates, in the place of tensors of indices.
template <class Starts>
class coordinate_source {
 public:
  coordinate_source(const coordinate_map& map, const Starts& starts, int count, const position_places& at) noexcept
      : map_{map}, starts_{starts}, at_{at}, count_{count} {
    if (map.shifted >= 0 && at.parts[map.shifted] > 1) columns_ = at.parts[map.shifted];
    for (int j = 0; j < count || j == 0; ++j) {
      index_list steps = at.parts;
      for (int k = 0; k < steps.size(); ++k) steps[k] = j < count && map.from[j] == k ? 1 : 0;
      if (j == map.shifted) steps[0] = columns_;
      static_cast<void>(strided_layout::try_make(at.parts, steps, 1, layouts_[j]));
    }
  }

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const strided_layout& layout(int j) const noexcept { return layouts_[j]; }
  [[nodiscard]] raw_index at(int j, std::int64_t offset) const noexcept {
    if constexpr (Starts::are_any) {
      if (j == map_.shifted) {
        const std::int64_t sample = offset / columns_;
        const auto coordinate = static_cast<std::uint64_t>(coordinate_of(j, offset - sample * columns_));
        const auto length = static_cast<std::uint64_t>(map_.length);
        const std::uint64_t start = static_cast<std::uint64_t>(starts_.start(sample, at_).bits) % length;
        return {static_cast<std::int64_t>((start + coordinate) % length), false};
      }
    }
    return {coordinate_of(j, offset), false};
  }

 private:
  [[nodiscard]] std::int64_t coordinate_of(int j, std::int64_t local) const noexcept {
    const bool is_divided = at_.axis >= 0 && map_.from[j] == at_.axis;
    return map_.first[j] + map_.step[j] * (is_divided ? at_.over->global_index(at_.rank, local) : local);
  }

  const coordinate_map& map_;
  const Starts& starts_;
  const position_places& at_;
  int count_;
  std::int64_t columns_ = 1;
  strided_layout layouts_[max_rank];
};

// The coordinates of the whole tensor, in the place of distributed_indices.
template <class Starts>
class distributed_coordinates {
 public:
  static constexpr target_form form = target_form::computed;
  static constexpr bool may_be_illegal = Starts::are_any;

  // `axis` is the divided one of updates, -1 if there is none.
  distributed_coordinates(const coordinate_map& map, const Starts& starts, const index_list& data, int divided,
                          int axis, const mpi::distribution& over, int rank) noexcept
      : map_{map},
        starts_{starts},
        count_{data.empty() ? 0 : map.computed_axes(data, divided, axis)},
        places_{{}, {}, axis, &over, rank} {
    const int positions = map.updates.size() - (data.size() - count_);
    for (int k = 0; k < positions; ++k) {
      places_.extents.push_back(map.updates[k]);
      places_.parts.push_back(k == axis ? over.local_extent(rank) : map.updates[k]);
    }
  }

  // The axis of updates whose coordinates an axis of data has as they are; -1 if there is none.
  [[nodiscard]] int kept_axis(int k, const index_list& data) const noexcept {
    return map_.is_kept(k, data) ? static_cast<int>(map_.from[k]) : -1;
  }
  [[nodiscard]] const index_list& extents_of_updates() const noexcept { return map_.updates; }

  [[nodiscard]] coordinate_source<Starts> source() const noexcept { return {map_, starts_, count_, places_}; }
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const index_list& extents() const noexcept { return places_.extents; }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return *places_.over; }
  [[nodiscard]] int axis() const noexcept { return places_.axis; }

  void add_to(fingerprint& call) const noexcept {
    call.add(map_.from);
    call.add(map_.first);
    call.add(map_.step);
    call.add(map_.updates);
    call.add(map_.shifted);
    if constexpr (Starts::are_any) call.add(starts_.how.is_circular ? 1 : 0);
    for_each([&](local_error::of, const auto& view) { add_indices(call, view); });
  }
  template <class Body>
  void for_each([[maybe_unused]] const Body& body) const {
    if constexpr (Starts::are_any) {
      if (starts_.write_indices != nullptr) body(local_error::of::write_indices, *starts_.write_indices);
    }
  }

  // The number of the first sample of this rank with an illegal write index; -1 if there is none.
  [[nodiscard]] std::int64_t find_bad(const index_constraint&, const position_places& at,
                                      raw_index& bad) const noexcept {
    const std::int64_t samples = at.parts[0];
    for (std::int64_t i = 0; i < samples; ++i) {
      bad = starts_.start(i, at);
      if (is_legal_start(starts_.how, bad, map_.length, map_.updates[map_.shifted])) continue;
      return at.axis == 0 ? at.over->global_index(at.rank, i) : i;
    }
    return -1;
  }
  [[nodiscard]] int finder_of_bad(const index_constraint&, std::int64_t sample) const noexcept {
    return axis() == 0 ? static_cast<int>(over().owner(sample)) : 0;
  }
  // As the serial operator refuses it.
  bool refuse_bad(const index_constraint& constraint, std::int64_t sample, const raw_index& bad,
                  status& error) const noexcept {
    strided_layout update;
    status unused;
    static_cast<void>(make_row_major({}, map_.updates, 1, update, unused));
    const auto index_at = [&](std::int64_t i) { return i == sample ? bad : raw_index{0, false}; };
    const slice_layouts whole{constraint.output, update, constraint.output};
    return check_write_indices(whole, starts_.how, map_.shifted, index_at, error);
  }

  // Replaces what this rank's updates have of its part of the output, if no element moves to another rank.
  template <class Ex, class Updates, class T>
  void assign_part(Ex& ex, const Updates& updates, const tensor_view<T>& output) const {
    if constexpr (Starts::are_any) {
      status unused;
      const tensor_view<const T> cache(output);
      const auto* const starts = starts_.write_indices == nullptr ? nullptr : &starts_.write_indices->local();
      const cache_positions<std::remove_cvref_t<decltype(*starts)>> where{starts, starts_.how};
      submit<tensor_scatter_rules>(ex, operands_of<index_policy::error>(cache, where, updates, output), unused);
    } else {
      const index_list& extents = element_of(updates).extents();
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
  }

 private:
  const coordinate_map& map_;
  const Starts& starts_;
  int count_;
  position_places places_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_COORDINATES_HPP
