// SPDX-License-Identifier: Apache-2.0
// Targets of distributed tensors that are selected by a mask. The elements that it selects are numbered in row-major
// order of the whole tensor, and so are the elements of the source, which are the updates: equal numbers belong
// together. A rank knows which of the numbers its own are once all have counted.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/route_finder.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The selected elements of a mask, in row-major order one after the other.
template <class M>
class selected_walk {
 public:
  explicit selected_walk(const tensor_view<M>& mask) noexcept : mask_{mask}, at_{mask.extents()} {
    for (int k = 0; k < at_.size(); ++k) at_[k] = 0;
  }

  // The number of the element, -1 before the first one.
  [[nodiscard]] std::int64_t number() const noexcept { return number_; }
  [[nodiscard]] std::int64_t offset(const strided_layout& layout) const noexcept { return layout.offset(at_); }
  // Goes on to the next one; false if there is none.
  bool advance() noexcept {
    while (step()) {
      // The byte of a mask's element selects if it is not 0, whatever else it is.
      unsigned char byte = 0;
      std::memcpy(&byte, mask_.data() + offset(mask_.layout()), 1);
      if (byte == 0) continue;
      ++number_;
      return true;
    }
    return false;
  }

 private:
  bool step() noexcept {
    if (has_begun_) return next_distinct(mask_.layout(), false, at_);
    has_begun_ = true;
    return !mask_.empty();
  }

  tensor_view<M> mask_;
  index_list at_;
  std::int64_t number_ = -1;
  bool has_begun_ = false;
};

// Where no index is read: the positions alone.
class position_source {
 public:
  explicit position_source(const strided_layout& positions) noexcept : positions_{positions} {}
  [[nodiscard]] const strided_layout& layout(int) const noexcept { return positions_; }
  [[nodiscard]] raw_index at(int, std::int64_t) const noexcept { return {0, false}; }

 private:
  const strided_layout& positions_;
};

// The positions are those of the source.
template <class M>
class distributed_mask {
 public:
  static constexpr target_form form = target_form::selected;
  static constexpr bool may_be_illegal = false;

  // Source: a distributed tensor, or one value for masked_fill, of which no position is used.
  template <class Source>
  distributed_mask(const mpi::distributed_tensor_view<M>& mask, const Source& source) noexcept
      : mask_{mask}, walk_{mask.local()} {
    if constexpr (requires { source.over(); }) {
      positions_ = source.local().layout();
      extents_ = source.extents();
      over_ = source.over();
      axis_ = source.divided_axis();
    }
  }

  [[nodiscard]] const mpi::distributed_tensor_view<M>& mask() const noexcept { return mask_; }
  [[nodiscard]] mask_of<tensor_view<M>> local() const noexcept { return {mask_.local()}; }
  [[nodiscard]] position_source source() const noexcept { return position_source(positions_); }
  [[nodiscard]] int count() const noexcept { return 1; }
  [[nodiscard]] const index_list& extents() const noexcept { return extents_; }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return over_; }
  [[nodiscard]] int axis() const noexcept { return axis_; }

  void add_to(fingerprint& call) const noexcept { add_operand(call, mask_); }
  template <class Body>
  void for_each(const Body& body) const {
    body(local_error::of::mask, mask_);
  }

  // The elements that the mask selects on this rank.
  [[nodiscard]] std::int64_t count_selected() const noexcept {
    selected_walk<M> walk(mask_.local());
    while (walk.advance()) continue;
    return walk.number() + 1;
  }

  // Puts received elements to their targets, of which each has one. Targets ascend within a window, and windows do.
  // `has_all`: whether the window has all targets of this rank.
  template <const operation_rules& Rules, class Ex, class T>
  void apply_received(Ex& ex, const tensor_view<T>& output, const exchange_window& window,
                      const received_updates& received, bool has_all) const {
    const auto* const values = reinterpret_cast<const std::remove_const_t<T>*>(received.values);
    if (has_all) {
      tensor_view<const T> source;
      static_cast<void>(tensor_view<const T>::try_make(values, received.count, source));
      status unused;
      const tensor_view<const T> data(output);
      const auto where = local();
      return submit<Rules>(ex, operands_of<index_policy::error>(data, where, source, output), unused);
    }
    for (std::int64_t k = 0; k < received.count; ++k) {
      while (walk_.number() < window.first_target + received.targets[k]) walk_.advance();
      std::memcpy(output.data() + walk_.offset(output.layout()), values + k, sizeof(T));
    }
  }

 private:
  const mpi::distributed_tensor_view<M>& mask_;
  mutable selected_walk<M> walk_;  // to the targets of the windows so far
  strided_layout positions_;
  index_list extents_;
  mpi::distribution over_;
  int axis_ = -1;
};

template <const operation_rules& Rules, class Call>
  requires(Rules.by == addressing::mask)
class route_finder<Rules, Call> : public found_route {
 public:
  static constexpr bool selects_elements = true;

  route_finder(int ranks, const Call& at) noexcept : ranks_{ranks}, at_{at} { positions = at.where.extents(); }

  bool find(status& error) { return check_shapes(error) && check_distributions(error); }

 private:
  bool check_shapes(status& error) {
    strided_layout data;
    strided_layout mask;
    strided_layout source;
    if constexpr (gives_value<Call>) {
      const int rank = at_.updates.element.rank();
      constexpr std::size_t size = sizeof(element_of_call<Call>);
      if (!make_repeated(Rules.name, rank, at_.data.extents(), size, source, error)) return false;
    } else {
      if (!make_whole(at_.updates, source, error)) return false;
    }
    return make_whole(at_.data, data, error) && make_whole(at_.where.mask(), mask, error) &&
           make_whole(at_.output, whole_output, error) &&
           check_masked(Rules, {data, mask, source, whole_output}, {}, error);
  }
  bool check_distributions(status& error) {
    const auto refuse_operand = [&](const char* operand, const char* text) {
      return refuse_distribution(Rules.name, operand, text, error);
    };
    const auto check_operand = [&](const char* operand, const auto& view) {
      return check_distribution(Rules.name, operand, view, ranks_, error);
    };
    const auto& data = at_.data;
    if (!check_operand("data", data) || !check_operand("output", at_.output) ||
        !check_operand("mask", at_.where.mask())) {
      return false;
    }
    if (!are_alike(data, at_.output)) return refuse_operand("output", " is not distributed as data is");
    if (!are_alike(data, at_.where.mask())) return refuse_operand("mask", " is not distributed as data is");
    if constexpr (!gives_value<Call>) {
      if (!check_operand("source", at_.updates)) return false;
      const bool is_whole = at_.updates.divided_axis() < 0;
      const int divided = data.divided_axis();
      if (divided < 0) return is_whole || refuse_operand("source", " is divided, but data is whole on every rank");
      if (ranks_ == 1) return true;
      route = is_whole ? distributed_route::keeps_own : distributed_route::to_owners;
      std::int64_t outer = 1;
      for (int k = 0; k < divided; ++k) outer *= data.extents()[k];
      if (outer > 1 || !data.over().is_contiguous()) {
        return refuse_operand("data",
                              " is divided so that the elements of a rank do not follow each other in row-major order");
      }
    }
    return true;
  }

  int ranks_;
  const Call& at_;
};

template <const operation_rules& Rules, reduction_set, class Ex, class M, class Call>
void submit_distributed(Ex& ex, const mask_of<mpi::distributed_tensor_view<M>>& where, const Call& call,
                        status& error) {
  with_communicator(call.data.comm(), Rules.name, error, [&](communicator& ranks) {
    const distributed_mask<M> mask(where.mask, call.updates);
    const auto at = operands_of<index_policy::error>(call.data, mask, call.updates, call.output);
    run_distributed_scatter<Rules, only_none>(ex, ranks, at, error);
  });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP
