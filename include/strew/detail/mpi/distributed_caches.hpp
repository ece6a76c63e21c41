// SPDX-License-Identifier: Apache-2.0
// onnx::tensor_scatter on distributed tensors: where each element goes follows from its coordinate and from the write
// index of its sample.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_CACHES_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_CACHES_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/tensor_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

inline constexpr operation_rules caches_by_coordinates{tensor_scatter_rules.name, addressing::tensors};

// What the coordinates of an update and its write index say about its target.
template <class Index>
struct cache_map {
  cache_spec how;
  int axis;  // of the positions
  index_list cache;
  index_list update;
  const mpi::distributed_tensor_view<const Index>* write_indices;  // null: all are 0
  // Of the update.
  int divided;
  const mpi::distribution* over;
  int rank;

  [[nodiscard]] bool has_divided_indices() const noexcept {
    return write_indices != nullptr && write_indices->divided_axis() == 0;
  }
  // The write index of a sample, by its coordinate in this rank's part of update.
  [[nodiscard]] raw_index start(std::int64_t sample) const noexcept {
    if (write_indices == nullptr) return {0, false};
    const bool is_whole = divided == 0 && !has_divided_indices();
    const std::int64_t at = is_whole ? over->global_index(rank, sample) : sample;
    const tensor_view<const Index>& local = write_indices->local();
    return {static_cast<std::int64_t>(local.data()[at * local.stride(0)]), std::is_unsigned_v<Index>};
  }
};

template <class Index>
class cache_source {
 public:
  cache_source(const cache_map<Index>& map, int count, const index_list& parts) noexcept : map_{map}, count_{count} {
    columns_ = parts[map.axis] < 1 ? 1 : parts[map.axis];
    for (int j = 0; j < count; ++j) {
      index_list steps = parts;
      for (int k = 0; k < steps.size(); ++k) steps[k] = k == j ? 1 : 0;
      if (j == map.axis) steps[0] = columns_;
      static_cast<void>(strided_layout::try_make(parts, steps, 1, layouts_[j]));
    }
  }

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const strided_layout& layout(int j) const noexcept { return layouts_[j]; }
  [[nodiscard]] raw_index at(int j, std::int64_t offset) const noexcept {
    const std::int64_t sample = j == map_.axis ? offset / columns_ : 0;
    const std::int64_t local = offset - sample * columns_;
    const std::int64_t coordinate = map_.divided == j ? map_.over->global_index(map_.rank, local) : local;
    if (j != map_.axis) return {coordinate, false};
    const auto length = static_cast<std::uint64_t>(map_.cache[j]);
    const std::uint64_t first = static_cast<std::uint64_t>(map_.start(sample).bits) % length;
    return {static_cast<std::int64_t>((first + static_cast<std::uint64_t>(coordinate)) % length), false};
  }

 private:
  const cache_map<Index>& map_;
  int count_;
  std::int64_t columns_ = 1;
  strided_layout layouts_[max_rank];
};

template <class Index>
class distributed_cache_coordinates {
 public:
  static constexpr bool are_computed = true;

  distributed_cache_coordinates(const cache_map<Index>& map, int divided_of_cache) noexcept : map_{map} {
    count_ = map.axis + 1;
    if (divided_of_cache >= count_) count_ = divided_of_cache + 1;
    if (map.divided >= count_) count_ = map.divided + 1;
    for (int k = 0; k < count_; ++k) {
      extents_.push_back(map.update[k]);
      parts_.push_back(k == map.divided ? map.over->local_extent(map.rank) : map.update[k]);
    }
  }

  [[nodiscard]] cache_source<Index> local() const noexcept { return {map_, count_, parts_}; }
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const index_list& extents() const noexcept { return extents_; }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return *map_.over; }
  [[nodiscard]] int axis() const noexcept { return map_.divided; }
  [[nodiscard]] int kept_axis(int k, const index_list&) const noexcept { return k == map_.axis ? -1 : k; }
  [[nodiscard]] const index_list& extents_of_updates() const noexcept { return map_.update; }

  void add_to(fingerprint& call) const noexcept {
    call.add(map_.how.is_circular ? 1 : 0);
    call.add(map_.axis);
    call.add(map_.update);
    call.add(static_cast<std::int64_t>(sizeof(Index)) * (std::is_signed_v<Index> ? 1 : -1));
    if (map_.write_indices != nullptr) add_operand(call, *map_.write_indices);
  }
  template <class Body>
  void for_each(const Body&) const noexcept {}

  template <class T>
  void check_own(communicator& ranks, const tensor_view<T>& output, local_error& error) const noexcept {
    if (map_.write_indices == nullptr) return;
    check_part(ranks, local_error::of::write_indices, *map_.write_indices, error);
    check_part_apart(output, local_error::of::write_indices, map_.write_indices->local(), error);
  }
  // The number of the first sample of this rank with an illegal write index.
  [[nodiscard]] std::int64_t find_bad(raw_index& bad) const noexcept {
    const std::int64_t samples = map_.divided == 0 ? map_.over->local_extent(map_.rank) : map_.update[0];
    for (std::int64_t i = 0; i < samples; ++i) {
      const raw_index first = map_.start(i);
      if (is_legal_start(map_.how, first, map_.cache[map_.axis], map_.update[map_.axis])) continue;
      bad = first;
      return map_.divided == 0 ? map_.over->global_index(map_.rank, i) : i;
    }
    return -1;
  }
  [[nodiscard]] int finder_of_bad(std::int64_t sample) const noexcept {
    return map_.divided == 0 ? static_cast<int>(map_.over->owner(sample)) : 0;
  }
  // As the serial operator refuses it.
  [[nodiscard]] bool refuse_bad(std::int64_t sample, std::int64_t bits, status& error) const noexcept {
    strided_layout cache;
    strided_layout update;
    status unused;
    static_cast<void>(make_row_major({}, map_.cache, 1, cache, unused));
    static_cast<void>(make_row_major({}, map_.update, 1, update, unused));
    const auto index_at = [&](std::int64_t i) { return raw_index{i == sample ? bits : 0, std::is_unsigned_v<Index>}; };
    return check_write_indices({cache, update, cache}, map_.how, map_.axis, index_at, error);
  }

  // The caches of this rank, all of whose updates it has.
  template <class Ex, class T>
  void assign_part(Ex& ex, const tensor_view<const T>& update, const tensor_view<T>& output) const {
    status unused;
    const tensor_view<const Index>* none = nullptr;
    const auto* const starts = map_.write_indices == nullptr ? none : &map_.write_indices->local();
    const tensor_view<const T> cache(output);
    const cache_positions<tensor_view<const Index>> where{starts, map_.how};
    submit<tensor_scatter_rules>(ex, operands_of<index_policy::error>(cache, where, update, output), unused);
  }

 private:
  const cache_map<Index>& map_;
  int count_;
  index_list extents_;
  index_list parts_;
};

template <class Index, class Ex, class T>
void run_distributed_caches(Ex& ex, communicator& ranks, const mpi::distributed_tensor_view<const T>& cache,
                            const mpi::distributed_tensor_view<const T>& update,
                            const mpi::distributed_tensor_view<const Index>* write_indices, const cache_spec& how,
                            const mpi::distributed_tensor_view<T>& output, status& error) {
  constexpr const char* operation = tensor_scatter_rules.name;
  // What does not depend on the values of write_indices, the same on all ranks.
  strided_layout whole_cache;
  strided_layout whole_update;
  strided_layout whole_output;
  int axis = 0;
  bool is_legal = make_row_major({}, cache.extents(), sizeof(T), whole_cache, error) &&
                  make_row_major({}, update.extents(), sizeof(T), whole_update, error) &&
                  make_row_major({}, output.extents(), sizeof(T), whole_output, error) &&
                  check_caches({whole_cache, whole_update, whole_output}, {}, how, axis, error) &&
                  check_distribution(operation, "past_cache", cache, ranks.ranks(), error) &&
                  check_distribution(operation, "update", update, ranks.ranks(), error);
  const int divided = is_legal ? cache.divided_axis() : -1;
  if (is_legal && divided == 0 && !are_alike(cache, update)) {
    is_legal = refuse_distribution(operation, "update", " is not distributed by samples, as past_cache is", error);
  }
  if (is_legal && write_indices != nullptr) {
    is_legal = check_write_indices_extents(whole_cache, write_indices->extents(), overlap_result::no, error) &&
               check_distribution(operation, "write_indices", *write_indices, ranks.ranks(), error);
    const bool is_divided = is_legal && write_indices->divided_axis() == 0;
    const bool follows_update = update.divided_axis() == 0 && write_indices->over() == update.over();
    if (is_legal && is_divided && !follows_update) {
      is_legal =
          refuse_distribution(operation, "write_indices", " is not distributed as the samples of update are", error);
    }
    if (is_legal && !is_divided && divided == 0 && ranks.ranks() > 1) {
      is_legal =
          refuse_distribution(operation, "write_indices", " is whole, but past_cache is divided by samples", error);
    }
  }
  if (!is_legal) return end_refused(cache, operation, error);
  const cache_map<Index> map{
      how, axis, cache.extents(), update.extents(), write_indices, update.divided_axis(), &update.over(), ranks.rank()};
  const distributed_cache_coordinates<Index> coordinates(map, divided);
  const auto at = operands_of<index_policy::assume_valid>(cache, coordinates, update, output, reduction::none);
  run_distributed_scatter<caches_by_coordinates, only_none>(ex, ranks, at, error);
}

template <const operation_rules& Rules, reduction_set, class Ex, class Indices, class Call>
void submit_distributed(Ex& ex, const cache_positions<Indices>& where, const Call& call, status& error) {
  with_communicator(call.data.comm(), Rules.name, error, [&](communicator& ranks) {
    using index = std::remove_const_t<view_element<Indices>>;
    const mpi::distributed_tensor_view<const index>* given = nullptr;
    if constexpr (std::is_same_v<Indices, mpi::distributed_tensor_view<const index>>) given = where.write_indices;
    run_distributed_caches<index>(ex, ranks, call.data, call.updates, given, where.how, call.output, error);
  });
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_CACHES_HPP
