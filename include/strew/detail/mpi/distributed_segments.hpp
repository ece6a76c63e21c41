// SPDX-License-Identifier: Apache-2.0
// Targets of distributed tensors that segments give: every rank has all offsets, and finds the segment of an update
// from its coordinate in the whole tensor. They are scatters by indices that are found, not read, and divided as the
// updates are.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_SEGMENTS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_SEGMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_segments.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/distributed_indices.hpp>
#include <strew/detail/mpi/route_finder.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/check_segments.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The segments of this rank's updates, in the place of a tensor of indices.
template <class Index>
class segment_source {
 public:
  // `over` is null if this rank has all updates.
  segment_source(const tensor_view<Index>& offsets, std::int64_t positions, const mpi::distribution* over,
                 int rank) noexcept
      : segments_(offsets, over == nullptr ? positions : over->local_extent(rank)), over_{over}, rank_{rank} {}

  [[nodiscard]] int count() const noexcept { return 1; }
  [[nodiscard]] const strided_layout& layout(int) const noexcept { return segments_.layout(0); }
  [[nodiscard]] raw_index at(int, std::int64_t position) const noexcept {
    return segments_.at(0, over_ == nullptr ? position : over_->global_index(rank_, position));
  }

 private:
  indices_of_segments<Index> segments_;
  const mpi::distribution* over_;
  int rank_;
};

template <class Index>
class distributed_segments {
 public:
  static constexpr target_form form = target_form::found;
  static constexpr bool may_be_illegal = true;

  // `axis` is that of the call, `updates` the distributed updates.
  template <class Updates>
  distributed_segments(const operation_rules& rules, const mpi::distributed_tensor_view<Index>& offsets,
                       const Updates& updates, int axis, int rank) noexcept
      : rules_{rules},
        offsets_{offsets},
        extent_{updates.extents()[axis]},
        over_{updates.over()},
        is_divided_{updates.divided_axis() == axis},
        axis_{axis},
        rank_{rank} {
    status unused;
    static_cast<void>(make_row_major({}, updates.extents(), 1, updates_, unused));
  }

  // The segments of a call on this rank, which has all updates of its targets.
  [[nodiscard]] segments_of<tensor_view<Index>> local() const noexcept { return {offsets_.local()}; }
  [[nodiscard]] segment_source<Index> source() const noexcept {
    return {offsets_.local(), extent_, is_divided_ ? &over_ : nullptr, rank_};
  }
  [[nodiscard]] int count() const noexcept { return 1; }
  [[nodiscard]] index_list extents() const noexcept { return index_list(extent_); }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return over_; }
  [[nodiscard]] int axis() const noexcept { return is_divided_ ? 0 : -1; }

  // Also the offsets, which are the same on all ranks.
  void add_to(fingerprint& call) const noexcept {
    add_indices(call, offsets_);
    const tensor_view<Index>& offsets = offsets_.local();
    for (std::int64_t i = 0; i < offsets.extent(0); ++i) call.add(offset_at(offsets, i).bits);
  }
  template <class Body>
  void for_each(const Body& body) const {
    body(local_error::of::offsets, offsets_);
  }

  // 0 if some offset is illegal, which all ranks find alike.
  [[nodiscard]] std::int64_t find_bad(const index_constraint&, const position_places&, raw_index& bad) const {
    bad = {0, false};
    status unused;
    return is_legal(unused) ? -1 : 0;
  }
  [[nodiscard]] int finder_of_bad(const index_constraint&, std::int64_t) const noexcept { return 0; }
  bool refuse_bad(const index_constraint&, std::int64_t, const raw_index&, status& error) const noexcept {
    return is_legal(error);
  }

 private:
  bool is_legal(status& error) const noexcept {
    const tensor_view<Index>& offsets = offsets_.local();
    return check_offsets(
        rules_, updates_, axis_, offsets.extent(0) - 1, [&](std::int64_t i) { return offset_at(offsets, i); }, error);
  }

  const operation_rules& rules_;
  const mpi::distributed_tensor_view<Index>& offsets_;
  strided_layout updates_;  // of all ranks
  std::int64_t extent_;
  mpi::distribution over_;
  bool is_divided_;  // along the axis of the call
  int axis_;
  int rank_;
};

// What does not depend on the values of the offsets, the same on all ranks.
template <const operation_rules& Rules, class Index, class Call>
bool check_distributed_segments(const Call& call, const mpi::distributed_tensor_view<Index>& offsets, int& axis,
                                status& error) noexcept {
  strided_layout data;
  strided_layout updates;
  strided_layout output;
  if (!make_whole(call.data, data, error) || !make_whole(call.updates, updates, error) ||
      !make_whole(call.output, output, error)) {
    return false;
  }
  if (offsets.divided_axis() >= 0) {
    return refuse_distribution(Rules.name, "offsets", " is divided, but each rank needs all of them", error);
  }
  return check_segments(Rules, {data, offsets.layout(), updates, output}, {}, *call.axis, axis, error);
}

template <const operation_rules& Rules, reduction_set Set, class Ex, class Index, class Call>
void submit_distributed(Ex& ex, const segments_of<mpi::distributed_tensor_view<Index>>& given, const Call& call,
                        status& error) {
  with_communicator(call.data.comm(), Rules.name, error, [&](communicator& ranks) {
    int axis = 0;
    if (!check_distributed_segments<Rules>(call, given.offsets, axis, error)) {
      return end_refused(call.data, Rules.name, error);
    }
    const distributed_segments<Index> where(Rules, given.offsets, call.updates, axis, ranks.rank());
    run_distributed_scatter<Rules, Set>(
        ex, ranks,
        operands_of<index_policy::error>(call.data, where, call.updates, call.output, call.reduce, call.axis), error);
  });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_SEGMENTS_HPP
