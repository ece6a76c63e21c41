// SPDX-License-Identifier: Apache-2.0
// The operands of a distributed call: what each rank checks of its own, the error that all ranks agree on, and what an
// exchange needs to know of them.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/mpi/route_finder.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/mpi/update_packer.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_positions.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <const operation_rules& Rules, class Call>
class distributed_operands {
  using reduction_type = std::remove_cvref_t<decltype(Call::reduce)>;
  static constexpr bool may_be_illegal = std::remove_cvref_t<decltype(Call::where)>::may_be_illegal;

 public:
  using element = element_of_call<Call>;
  static constexpr target_form form = form_of<Call>;
  static constexpr bool by_mask = form == target_form::selected;
  static constexpr bool has_value = gives_value<Call>;

  distributed_operands(communicator& ranks, const Call& at) noexcept
      : ranks_{ranks}, at_{at}, found_(ranks.ranks(), at) {}

  // Finds how the call runs and whether all ranks can run it; ends with the status that all ranks return.
  template <class Memory>
  bool agree(Memory& memory, status& error) {
    status refused;
    local_error own;
    raw_index bad{0, false};
    std::int64_t bad_number = -1;
    if (find_route(refused)) {
      check_parts(own);
      if (own.ok()) bad_number = find_bad(bad);
      if constexpr (by_mask && !has_value) {
        if (own.ok()) selected_ = at_.where.count_selected();
      }
      if (own.ok() && sends()) {
        const bool takes_all = Memory::grows && bad_number < 0 && (by_mask || route() == distributed_route::keeps_own);
        check_memory(memory.reserve(takes_all ? bytes_for_all() : least_bytes()).bytes, own);
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
  bool find_route(status& error) { return found_.find(error) && check_numbers(error); }

  [[nodiscard]] distributed_route route() const noexcept { return found_.route; }
  [[nodiscard]] bool sends() const noexcept {
    return route() == distributed_route::to_owners || route() == distributed_route::keeps_own;
  }
  // The axis on which indices of elements select, the first of the target axes of others.
  [[nodiscard]] int first_axis() const noexcept { return found_.axes.first; }
  [[nodiscard]] int axis_of_updates() const noexcept { return found_.axis_of_updates; }
  // The items of which every rank can send and receive as many in a round.
  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] position_places places() const noexcept {
    return {found_.positions, at_.where.source().layout(0).extents(), at_.where.axis(), &at_.where.over(),
            ranks_.rank()};
  }
  [[nodiscard]] target_places targets() const noexcept {
    if constexpr (by_mask) return {Rules, Call::policy, {}, {selected_over_.extent()}, 0, 0, selected_over_};
    target_axes axes = found_.axes;
    if (found_.selects_elements) axes = {0, at_.data.rank()};
    return {Rules, Call::policy, axes, at_.data.extents(), at_.data.divided_axis(), found_.axes.first, at_.data.over()};
  }
  [[nodiscard]] exchange_shape shape() const noexcept {
    const target_places to = targets();
    const std::int64_t elements = has_value ? 0 : elements_of_update(to.extents, to.axes);
    const bool keeps_own = route() == distributed_route::keeps_own;
    return {.item_bytes = elements * static_cast<std::int64_t>(sizeof(element)),
            .targets = to.most(),
            .positions = places().count(),
            .sends_positions = has_numbers<Call> || (!keeps_own && !arrive_in_order()),
            .keeps_own = keeps_own,
            .in_one_go = reduction_step<element, reduction_type>::grid != state_layout::none,
            .scratch = by_mask ? 0 : scratch_to_apply(at_.output.local().layout(), to.axes)};
  }
  // The strides of the axes of positions in this rank's part of updates.
  [[nodiscard]] index_list steps_of_positions() const noexcept {
    index_list steps = found_.positions;
    for (int k = 0; k < steps.size(); ++k) steps[k] = 0;
    if constexpr (!has_value) {
      const strided_layout& updates = at_.updates.local().layout();
      // Updates of one element may have any rank.
      const bool is_single =
          !found_.selects_elements && updates.rank() != found_.positions.size() + at_.data.rank() - found_.axes.count;
      const int first = found_.selects_elements ? 0 : found_.axes.first;
      for (int k = 0; k < steps.size() && !is_single; ++k) steps[k] = updates.stride(first + k);
    }
    return steps;
  }
  // What a call takes beside the memory of its rounds.
  [[nodiscard]] std::int64_t fixed_bytes() const noexcept {
    const std::int64_t numbers = by_mask ? bytes_of_part(ranks_.ranks() + std::int64_t{1}, sizeof(std::int64_t)) : 0;
    return sum_of_bytes(numbers, bytes_of_tables(ranks_.ranks()));
  }

 private:
  // What may be wrong on this rank alone.
  void check_parts(local_error& error) {
    using of = local_error::of;
    constexpr of updates = !by_mask ? of::updates : has_value ? of::value : of::source;
    const auto& output = at_.output.local();
    check_part(ranks_, of::data, at_.data, error);
    at_.where.for_each([&](of operand, const auto& one) { check_part(ranks_, operand, one, error); });
    if constexpr (!has_value) check_part(ranks_, updates, at_.updates, error);
    check_part(ranks_, of::output, at_.output, error);
    check_distinct(output, of::output, error);
    if (!is_same_view(at_.data.local(), output)) check_part_apart(output, of::data, at_.data.local(), error);
    at_.where.for_each([&](of operand, const auto& one) { check_part_apart(output, operand, one.local(), error); });
    if constexpr (has_value) {
      check_part_apart(output, updates, at_.updates.element, error);
    } else {
      check_part_apart(output, updates, at_.updates.local(), error);
    }
    if constexpr (has_numbers<Call>) check_part_of_numbers(error);
  }
  void check_part_of_numbers(local_error& error) {
    using of = local_error::of;
    const auto& numbers = at_.numbers.local();
    const auto check_apart = [&](of operand, const auto& view) {
      check_part_apart(numbers, operand, view, error, local_error::kind::numbers_overlap);
    };
    check_part(ranks_, of::numbers, at_.numbers, error);
    check_distinct(numbers, of::numbers, error);
    check_apart(of::output, at_.output.local());
    if constexpr (has_value) {
      check_apart(of::updates, at_.updates.element);
    } else {
      check_apart(of::updates, at_.updates.local());
    }
    at_.where.for_each([&](of operand, const auto& one) { check_apart(operand, one.local()); });
    check_apart(of::data, at_.data.local());
  }
  // What all ranks know of the numbers of updates.
  bool check_numbers([[maybe_unused]] status& error) const {
    if constexpr (has_numbers<Call>) {
      using integer = view_element<decltype(Call::numbers)>;
      const std::int64_t most = most_numbers(static_cast<std::int64_t>(sizeof(integer)), std::is_unsigned_v<integer>);
      const std::int64_t count = Rules.names_rows() ? places().count() : found_.positions[found_.axes.first];
      return check_extents(Rules.name, "numbers", at_.numbers.extents(), at_.output.extents(), "output", error) &&
             check_distribution(Rules.name, "numbers", at_.numbers, ranks_.ranks(), error) &&
             (are_alike(at_.output, at_.numbers) ||
              refuse_distribution(Rules.name, "numbers", " is not distributed as data is", error)) &&
             check_count_of_numbers(Rules, count, most, error);
    }
    return true;
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
    return sum_of_bytes(least_bytes(), exchange_round::bytes(sent, received, shape()));
  }
  void check_memory(std::int64_t bytes, local_error& error) {
    if (bytes < least_bytes()) {
      error = {local_error::kind::too_little_memory, local_error::of::data, {bytes, least_bytes()}};
      return;
    }
    capacity_ = capacity_of_round(bytes - fixed_bytes(), shape());
  }
  // With which one item is sent and one received at a time.
  [[nodiscard]] std::int64_t least_bytes() const noexcept {
    return sum_of_bytes(fixed_bytes(), exchange_round::bytes(1, 1, shape()));
  }

  // ---- Errors that all ranks return

  [[nodiscard]] index_constraint constraint() const noexcept {
    return {Rules, Call::policy, found_.axes, found_.whole_output, false};
  }
  [[nodiscard]] std::int64_t fingerprint_of_call(errc refused) const noexcept {
    fingerprint call;
    call.add(Rules.name);
    call.add(static_cast<std::int64_t>(Rules.by));
    call.add(static_cast<std::int64_t>(Call::policy));
    call.add(static_cast<std::int64_t>(refused));
    add_element_type<element>(call);
    if constexpr (!std::is_same_v<update_of_call<Call>, element>) add_element_type<update_of_call<Call>>(call);
    add_reduction<element>(call, at_.reduce);
    if constexpr (has_numbers<Call>) add_indices(call, at_.numbers);
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
    if constexpr (may_be_illegal) return at_.where.find_bad(constraint(), places(), bad);
    return -1;
  }
  // The rank that has the index broadcasts its value; all ranks know the rest.
  bool refuse_bad_index([[maybe_unused]] std::int64_t number, [[maybe_unused]] const raw_index& own,
                        [[maybe_unused]] status& error) {
    if constexpr (may_be_illegal) {
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
    if (!depends_on_order<element, reduction_type>()) return true;
    const int axis = at_.where.axis();
    if (Rules.by == addressing::elements) return axis != found_.axes.first || at_.where.over().is_contiguous();
    for (int k = 0; k < axis; ++k) {
      if (found_.positions[k] > 1) return false;
    }
    return at_.where.over().is_contiguous();
  }

  communicator& ranks_;
  const Call& at_;
  route_finder<Rules, Call> found_;
  std::int64_t capacity_ = most_items;
  std::int64_t selected_ = 0;  // by this rank's part of a mask
  mpi::distribution selected_over_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_OPERANDS_HPP
