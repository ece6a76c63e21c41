// SPDX-License-Identifier: Apache-2.0
// The operands of a scatter by indices on distributed tensors: what they must be, how the call runs, and the error that
// all ranks agree on.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/mpi/update_packer.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How updates are divided: along the axis `position` of the indices, along the axis `other` of data, or not at all.
struct updates_division {
  int position = -1;
  int other = -1;
};

enum class distributed_route : unsigned char {
  local,      // each rank has the updates of its targets
  narrowed,   // each rank has all updates, and takes a range of one of their axes
  keeps_own,  // each rank has all updates, and takes those of its own targets
  to_owners,  // updates are sent
};

template <const operation_rules& Rules, class Operands>
class distributed_operands;
// Data and Output are distributed tensors, Updates one too or one value.
template <const operation_rules& Rules, index_policy Policy, class Data, class Indices, class Updates, class Output,
          class R>
class distributed_operands<Rules, call_operands<Policy, Data, Indices, Updates, Output, R>> {
 public:
  using element = std::remove_const_t<view_element<Output>>;
  static constexpr target_form form = Indices::form;
  static constexpr bool by_mask = form == target_form::selected;
  static constexpr bool has_value = std::is_same_v<Updates, repeated<tensor_view<const element>>>;

  distributed_operands(communicator& ranks, const call_operands<Policy, Data, Indices, Updates, Output, R>& at) noexcept
      : ranks_{ranks}, at_{at}, positions_{at.where.extents()} {}

  // Finds how the call runs and whether all ranks can run it; ends with the status that all ranks return.
  // reserve(bytes) returns the bytes of this rank's memory, of which it needs at least those.
  template <class Reserve>
  bool agree(const Reserve& reserve, status& error) {
    status refused;
    local_error own;
    raw_index bad{0, false};
    std::int64_t bad_number = -1;
    if (check_shapes(refused) && check_distributions(refused)) {
      check_parts(own);
      if (own.ok()) bad_number = find_bad(bad);
      if constexpr (by_mask && !has_value) {
        if (own.ok()) selected_ = at_.where.count_selected();
      }
      if (own.ok() && sends()) {
        const bool takes_all = Reserve::grows && bad_number < 0 && (by_mask || route_ == distributed_route::keeps_own);
        check_memory(reserve(takes_all ? bytes_for_all() : least_bytes()), own);
      }
    }
    agreement agreed{.bits = fingerprint_of_call(refused.code()), .least_memory = capacity_};
    if (bad_number >= 0) agreed.first_error = agreement::of_indices + bad_number;
    if (!agreed.settle(ranks_, Rules.name, refused, own, error)) return false;
    capacity_ = agreed.least_memory;
    return agreed.bad_index() < 0 || refuse_bad_index(agreed.bad_index(), bad, error);
  }
  // Numbers the elements that masks select on all ranks, which have agreed on the call; other targets have numbers.
  bool number_targets([[maybe_unused]] memory_cursor& next, [[maybe_unused]] status& error) {
    if constexpr (by_mask && !has_value) {
      std::int64_t count = selected_;
      if (sends()) {
        auto* const first = next.template take<std::int64_t>(ranks_.ranks() + std::int64_t{1});
        first[0] = 0;
        if (!ranks_.gather(selected_, first + 1)) return ranks_.refuse_failure(Rules.name, error);
        for (int r = 0; r < ranks_.ranks(); ++r) first[r + 1] += first[r];
        selected_over_ = mpi::distribution::blocks({first, static_cast<std::size_t>(ranks_.ranks()) + 1});
        count = selected_over_.extent();
      }
      return check_source_size(Rules, places().count(), count, error);
    }
    return true;
  }
  // Finds the route without memory, and without the other ranks: for calls that have been agreed on.
  bool find_route(status& error) { return check_shapes(error) && check_distributions(error); }

  [[nodiscard]] distributed_route route() const noexcept { return route_; }
  [[nodiscard]] bool sends() const noexcept {
    return route_ == distributed_route::to_owners || route_ == distributed_route::keeps_own;
  }
  // The items of which every rank can send and receive as many in a round.
  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] position_places places() const noexcept {
    return {positions_, at_.where.source().layout(0).extents(), at_.where.axis(), &at_.where.over(), ranks_.rank()};
  }
  [[nodiscard]] target_places targets() const noexcept {
    if constexpr (by_mask) return {Rules, Policy, {}, {selected_over_.extent()}, 0, 0, selected_over_};
    target_axes axes = axes_;
    if (selects_elements) axes = {0, at_.data.rank()};
    return {Rules, Policy, axes, at_.data.extents(), at_.data.divided_axis(), axes_.first, at_.data.over()};
  }
  [[nodiscard]] exchange_shape shape() const noexcept {
    const target_places to = targets();
    const std::int64_t elements = has_value ? 0 : elements_of_update(to.extents, to.axes);
    const bool keeps_own = route_ == distributed_route::keeps_own;
    return {.item_bytes = elements * static_cast<std::int64_t>(sizeof(element)),
            .targets = to.most(),
            .positions = places().count(),
            .sends_positions = !keeps_own && !arrive_in_order(),
            .keeps_own = keeps_own,
            .in_one_go = reduction_step<element, R>::grid != state_layout::none,
            .scratch = by_mask ? 0 : scratch_to_apply(at_.output.local().layout(), to.axes)};
  }
  // The strides of the axes of positions in this rank's part of updates.
  [[nodiscard]] index_list steps_of_positions() const noexcept {
    index_list steps = positions_;
    for (int k = 0; k < steps.size(); ++k) steps[k] = 0;
    if constexpr (!has_value) {
      const strided_layout& updates = at_.updates.local().layout();
      // Updates of one element may have any rank.
      const bool is_single = !selects_elements && updates.rank() != positions_.size() + at_.data.rank() - axes_.count;
      const int first = selects_elements ? 0 : axes_.first;
      for (int k = 0; k < steps.size() && !is_single; ++k) steps[k] = updates.stride(first + k);
    }
    return steps;
  }
  // What a call takes beside the memory of its rounds.
  [[nodiscard]] std::int64_t fixed_bytes() const noexcept {
    const std::int64_t numbers = by_mask ? bytes_of_part(ranks_.ranks() + std::int64_t{1}, sizeof(std::int64_t)) : 0;
    return sum_of_bytes(numbers, exchange_sizes::fixed_bytes(ranks_.ranks()));
  }
  // The axis of updates that has the coordinates of data's divided axis, where each rank has its updates.
  [[nodiscard]] int divided_axis_of_updates() const noexcept {
    const int divided = at_.data.divided_axis();
    if constexpr (form == target_form::computed) return at_.where.kept_axis(divided, at_.data.extents());
    return divided < axes_.first ? divided : divided - axes_.count + positions_.size();
  }

 private:
  static constexpr bool selects_elements =
      Rules.by == addressing::elements || Rules.by == addressing::numbers || by_mask;

  // ---- Checks

  bool check_shapes(status& error) {
    if constexpr (by_mask) {
      return at_.where.template check_shapes<Rules>(at_, error);
    } else {
      return check_shapes_of_scatter(error);
    }
  }
  bool check_distributions(status& error) {
    if constexpr (by_mask) {
      return at_.where.template check_distributions<Rules>(at_, ranks_.ranks(), route_, error);
    } else {
      return check_distributions_of_scatter(error);
    }
  }

  bool check_shapes_of_scatter(status& error) {
    const index_list data = at_.data.extents();
    const index_list output = at_.output.extents();
    index_list updates;
    strided_layout data_layout;
    strided_layout indices_layout;
    strided_layout updates_layout;
    const auto make = [&](const index_list& extents, std::size_t size, strided_layout& layout) {
      return make_row_major({}, extents, size, layout, error);
    };
    const auto extents_of = [&](int) -> const index_list& { return positions_; };
    if constexpr (has_value) {
      if (!find_scatter_updates<Rules.by>(Rules, data, positions_, at_.axis, at_.where.count(), updates, error) ||
          !make_repeated(Rules.name, at_.updates.element.rank(), updates, sizeof(element), updates_layout, error)) {
        return false;
      }
    } else {
      updates = at_.updates.extents();
    }
    if constexpr (form == target_form::read && Rules.by == addressing::tensors) {
      bool are_alike = true;
      at_.where.for_each([&](local_error::of, const auto& one) {
        are_alike = are_alike &&
                    check_extents(Rules.name, "indices", one.extents(), positions_, "the first of its tensors", error);
      });
      if (!are_alike) return false;
    }
    const target_addressing<decltype(extents_of)> by{at_.axis, at_.where.count(), extents_of};
    if (!make(data, sizeof(element), data_layout) || !make(positions_, 1, indices_layout) ||
        !make(updates, sizeof(element), updates_layout) || !make(output, sizeof(element), whole_output_) ||
        !check_scatter<Rules.by>(Rules, {data_layout, indices_layout, updates_layout, whole_output_}, {}, by, axes_,
                                 error)) {
      return false;
    }
    // Updates are ordered by numbers of positions, and agreed errors by numbers of indices: both have to fit.
    const auto count = static_cast<std::uint64_t>(indices_layout.size());
    if (saturating_multiply(count, static_cast<std::uint64_t>(axes_.count < 1 ? 1 : axes_.count)) >=
        (std::uint64_t{1} << 62)) {
      return refuse(error, errc::size_overflow, Rules.name, "indices", " {c} hold too many indices", {}, positions_);
    }
    return true;
  }

  // What each operand's distribution must be, and from that how the call runs.
  bool check_distributions_of_scatter(status& error) {
    const auto refuse_operand = [&](const char* operand, const char* text) {
      return refuse_distribution(Rules.name, operand, text, error);
    };
    const auto check_operand = [&](const char* operand, const auto& view) {
      return check_distribution(Rules.name, operand, view, ranks_.ranks(), error);
    };
    bool is_usable = check_operand("data", at_.data) && check_operand("output", at_.output);
    if constexpr (form == target_form::read) {
      at_.where.for_each(
          [&](local_error::of, const auto& one) { is_usable = is_usable && check_operand("indices", one); });
    }
    if constexpr (!has_value) is_usable = is_usable && check_operand("updates", at_.updates);
    if (!is_usable) return false;
    if (!are_alike(at_.data, at_.output)) return refuse_operand("output", " is not distributed as data is");
    bool are_indices_alike = true;
    if constexpr (form == target_form::read) {
      at_.where.for_each([&](local_error::of, const auto& one) {
        are_indices_alike = are_indices_alike && one.divided_axis() == at_.where.axis() &&
                            (at_.where.axis() < 0 || one.over() == at_.where.over());
      });
    }
    if (!are_indices_alike) return refuse_operand("indices", " holds tensors that are not distributed alike");
    if (at_.where.axis() >= positions_.size()) {
      return refuse_operand("indices", " is divided along the axis of its components");
    }
    const updates_division updates = find_updates_division();
    const int divided = at_.data.divided_axis();
    const bool has_all_updates = updates.position < 0 && updates.other < 0;
    if (divided < 0) {
      route_ = distributed_route::local;
      if (at_.where.axis() >= 0) return refuse_operand("indices", " is divided, but data is whole on every rank");
      if (!has_all_updates) return refuse_operand("updates", " is divided, but data is whole on every rank");
      return true;
    }
    const bool is_alone = ranks_.ranks() == 1;
    if constexpr (form == target_form::computed) {
      const int kept = divided_axis_of_updates();
      bool is_aligned = kept >= 0 && has_value;
      if constexpr (!has_value) {
        is_aligned = kept >= 0 && at_.updates.divided_axis() == kept && at_.updates.over() == at_.data.over();
      }
      route_ = is_alone || is_aligned ? distributed_route::local : distributed_route::narrowed;
      if (route_ == distributed_route::local) return true;
      if (kept >= 0 && has_all_updates && at_.data.over().is_contiguous()) return true;
    }
    if (selects_elements || axes_.contains(divided)) {
      if (at_.where.axis() < 0) {
        if (!has_all_updates) return refuse_operand("updates", " is divided, but indices is whole on every rank");
        route_ = is_alone ? distributed_route::local : distributed_route::keeps_own;
        return true;
      }
      if (!has_value && (updates.position != at_.where.axis() || !is_same_division(at_.where.over()))) {
        return refuse_operand("updates", " is not distributed as indices is");
      }
      const bool is_aligned = Rules.by == addressing::elements && divided != axes_.first &&
                              at_.where.axis() == divided && at_.where.over() == at_.data.over();
      route_ = is_alone || is_aligned ? distributed_route::local : distributed_route::to_owners;
      return true;
    }
    // Every index selects on other axes than the divided one, so each rank needs all indices and its part of updates.
    if (at_.where.axis() >= 0) {
      return refuse_operand("indices", " is divided, but selects on axes along which data is not");
    }
    if (has_value || (updates.other == divided && is_same_division(at_.data.over()))) {
      route_ = distributed_route::local;
      return true;
    }
    if (!has_all_updates) return refuse_operand("updates", " is not distributed as data is");
    if (!at_.data.over().is_contiguous()) {
      return refuse_operand("updates", " is whole on every rank, but the part of data is not one range of it");
    }
    route_ = distributed_route::narrowed;
    return true;
  }
  [[nodiscard]] bool is_same_division(const mpi::distribution& over) const noexcept {
    if constexpr (has_value) {
      return true;
    } else {
      return at_.updates.over() == over;
    }
  }
  [[nodiscard]] updates_division find_updates_division() const noexcept {
    updates_division result;
    if constexpr (!has_value) {
      const int axis = at_.updates.divided_axis();
      if (axis < 0) return result;
      if (selects_elements) {
        result.position = axis;
      } else if (axis >= axes_.first && axis < axes_.first + positions_.size()) {
        result.position = axis - axes_.first;
      } else {
        result.other = axis < axes_.first ? axis : axis - positions_.size() + axes_.count;
      }
    }
    return result;
  }

  // What may be wrong on this rank alone.
  void check_parts(local_error& error) {
    using of = local_error::of;
    constexpr of updates = !by_mask ? of::updates : has_value ? of::value : of::source;
    const auto& output = at_.output.local();
    check_part(ranks_, of::data, at_.data, error);
    at_.where.for_each([&](of operand, const auto& one) { check_part(ranks_, operand, one, error); });
    if constexpr (!has_value) check_part(ranks_, updates, at_.updates, error);
    check_part(ranks_, of::output, at_.output, error);
    check_distinct(output, error);
    if (!is_same_view(at_.data.local(), output)) check_part_apart(output, of::data, at_.data.local(), error);
    at_.where.for_each([&](of operand, const auto& one) { check_part_apart(output, operand, one.local(), error); });
    if constexpr (has_value) {
      check_part_apart(output, updates, at_.updates.element, error);
    } else {
      check_part_apart(output, updates, at_.updates.local(), error);
    }
  }
  // For all updates of this rank at once, where nothing is sent; and of masks, whose memory must not move while it has
  // the numbers of what they select.
  [[nodiscard]] std::int64_t bytes_for_all() const {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    if constexpr (by_mask) {
      received = selected_;
      if constexpr (!has_value) sent = at_.updates.local().size();
    } else {
      for_each_update<false>(targets(), places(), at_.where.source(), steps_of_positions(),
                             [&](const routed_update& update) { sent += update.owner == ranks_.rank() ? 1 : 0; });
      received = sent;
    }
    return sum_of_bytes(least_bytes(), exchange_sizes::of_round(sent, received, shape()));
  }
  void check_memory(std::int64_t bytes, local_error& error) {
    if (bytes < least_bytes()) {
      error = {local_error::kind::too_little_memory, local_error::of::data, {bytes, least_bytes()}};
      return;
    }
    capacity_ = capacity_of(bytes);
  }
  [[nodiscard]] std::int64_t capacity_of(std::int64_t bytes) const noexcept {
    return exchange_sizes::capacity(bytes - fixed_bytes(), shape());
  }

  // With which one item is sent and one received at a time.
  [[nodiscard]] std::int64_t least_bytes() const noexcept {
    return sum_of_bytes(fixed_bytes(), exchange_sizes::of_round(1, 1, shape()));
  }

  // ---- Errors that all ranks return

  [[nodiscard]] index_constraint constraint() const noexcept { return {Rules, Policy, axes_, whole_output_, false}; }
  [[nodiscard]] std::int64_t fingerprint_of_call(errc refused) const noexcept {
    fingerprint call;
    call.add(Rules.name);
    call.add(static_cast<std::int64_t>(Rules.by));
    call.add(static_cast<std::int64_t>(Policy));
    call.add(static_cast<std::int64_t>(refused));
    add_element_type<element>(call);
    add_reduction<element>(call, at_.reduce);
    if (at_.axis != nullptr) call.add(*at_.axis);
    add_operand(call, at_.data);
    add_operand(call, at_.output);
    at_.where.add_to(call);
    if constexpr (has_value) {
      add_value(call, at_.updates.element);
    } else {
      add_operand(call, at_.updates);
    }
    return call.bits();
  }
  // The number of this rank's first bad index; -1 if there is none.
  [[nodiscard]] std::int64_t find_bad([[maybe_unused]] raw_index& bad) const {
    if constexpr (Indices::may_be_illegal) return at_.where.find_bad(constraint(), places(), bad);
    return -1;
  }
  // The rank that has the index broadcasts its value; all ranks know the rest.
  bool refuse_bad_index([[maybe_unused]] std::int64_t number, [[maybe_unused]] const raw_index& own,
                        [[maybe_unused]] status& error) {
    if constexpr (Indices::may_be_illegal) {
      std::int64_t values[] = {own.bits, own.is_unsigned ? 1 : 0};
      if (!ranks_.broadcast(values, 2, at_.where.finder_of_bad(constraint(), number))) {
        return ranks_.refuse_failure(Rules.name, error);
      }
      return at_.where.refuse_bad(constraint(), number, {values[0], values[1] != 0}, error);
    }
    return true;
  }

  // Whether the updates of a target arrive in the order of their positions if each rank sends its own in order.
  [[nodiscard]] bool arrive_in_order() const noexcept {
    if (!depends_on_order<element, R>()) return true;
    const int axis = at_.where.axis();
    if (Rules.by == addressing::elements) return axis != axes_.first || at_.where.over().is_contiguous();
    for (int k = 0; k < axis; ++k) {
      if (positions_[k] > 1) return false;
    }
    return at_.where.over().is_contiguous();
  }

  communicator& ranks_;
  const call_operands<Policy, Data, Indices, Updates, Output, R>& at_;
  index_list positions_;
  target_axes axes_{};
  distributed_route route_ = distributed_route::local;
  std::int64_t capacity_ = most_items;
  strided_layout whole_output_;  // its layout if one rank had it
  std::int64_t selected_ = 0;    // by this rank's part of a mask
  mpi::distribution selected_over_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP
