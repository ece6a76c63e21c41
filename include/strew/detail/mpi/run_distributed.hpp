// SPDX-License-Identifier: Apache-2.0
// Calls on distributed tensors: runs the serial operator on each rank's part with the updates of its targets, in a call
// or with what was bound.
#ifndef STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP
#define STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_converted.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/distributed_indices.hpp>
#include <strew/detail/mpi/distributed_operands.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/mpi/exchange_plan.hpp>
#include <strew/detail/mpi/held_exception.hpp>
#include <strew/detail/mpi/numbered_updates.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/mpi/update_packer.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <const operation_rules& Rules, class Arguments>
class distributed_call {
  using checked = distributed_operands<Rules, Arguments>;
  using element = typename checked::element;
  using update = update_of_call<Arguments>;
  using target = view_element<decltype(Arguments::output)>;
  using reduction_type = std::remove_cvref_t<decltype(Arguments::reduce)>;
  static constexpr bool has_value = checked::has_value;

 public:
  distributed_call(communicator& ranks, const Arguments& at) noexcept : ranks_{ranks}, at_{at}, operands_(ranks, at) {}

  template <reduction_set Set, class Ex>
  bool run(Ex& ex, status& error) {
    call_memory<Ex> memory(ex);
    if (!operands_.agree(memory, error)) return false;
    memory_cursor next(memory.reserve(0));
    if (!operands_.number_targets(next, error)) return false;
    return operands_.sends() ? send<Set>(ex, memory, next.rest(), error) : run_part<Set>(ex, error);
  }

  // Finds what runs with these indices need of them: all of it in the memory of the binder, or only how much it is.
  template <reduction_set Set>
  bool run(const plan_binder& binder, status& error) {
    any_memory unlimited;
    if (!operands_.agree(unlimited, error)) return false;
    exchange_plan& plan = *binder.plan;
    plan.is_bound = true;
    plan.sends = operands_.sends();
    alignas(tuning::cache_line) std::byte stack[exchange_stack];
    if (plan.sends && operands_.fixed_bytes() > static_cast<std::int64_t>(exchange_stack)) {
      return refuse(error, errc::too_little_memory, Rules.name, "communicator", " has {0} ranks, too many to bind",
                    {ranks_.ranks()});
    }
    memory_cursor tables({stack, static_cast<std::int64_t>(exchange_stack)});
    if (!operands_.number_targets(tables, error)) return false;
    if (!plan.sends) return true;
    plan.shape = operands_.shape();
    if (plan.shape.targets > most_items) {
      return refuse(error, errc::size_overflow, Rules.name, "data",
                    " has {0} targets on some rank, expected at most {1}", {plan.shape.targets, most_items});
    }
    const sender<Set, const serial_executor> routes(*this, serial, plan.shape);
    exchange<sender<Set, const serial_executor>> all(ranks_, plan.shape, tables.rest(), Rules.name, routes);
    if (!all.count_all(plan)) return ranks_.refuse_failure(Rules.name, error);
    const std::int64_t most = plan.sent > plan.received ? plan.sent : plan.received;
    const bool has_room =
        binder.only_counts || static_cast<std::int64_t>(binder.memory.size()) >= plan.bytes(ranks_.ranks());
    std::int64_t least = most > tuning::limits().most_exchanged ? 0 : has_room ? 2 : 1;
    if (!ranks_.minimum(&least, 1)) return ranks_.refuse_failure(Rules.name, error);
    if (least == 0) {
      return refuse(error, errc::size_overflow, Rules.name, "updates", " of some rank are too many to be sent at once");
    }
    if (least == 1) {
      return refuse(error, errc::too_little_memory, Rules.name, "memory",
                    " of some rank has fewer bytes than bound_bytes() says");
    }
    if (binder.only_counts) return true;
    memory_cursor next({binder.memory.data(), static_cast<std::int64_t>(binder.memory.size())});
    plan.divide(next, ranks_.ranks());
    return all.fill(plan) || ranks_.refuse_failure(Rules.name, error);
  }
  template <reduction_set Set, class Ex>
  bool run(const plan_runner<Ex>& runner, status& error) {
    if (!operands_.find_route(error)) return false;
    const exchange_plan& plan = *runner.plan;
    if (!plan.sends) return runner.step == plan_step::begin || run_part<Set>(*runner.ex, error);
    const sender<Set, Ex> routes(*this, *runner.ex, plan.shape);
    const bool is_sent = plan.shape.item_bytes > 0 && !plan.shape.keeps_own;
    if (runner.step != plan_step::end) {
      for (std::int64_t k = 0; k < plan.sent; ++k) {
        routes.pack(plan.offsets[k], plan.round.sent.values + k * plan.shape.item_bytes);
      }
      MPI_Request* const request = runner.step == plan_step::begin ? runner.request : nullptr;
      if (is_sent &&
          !ranks_.exchange(plan.round.sent.values, plan.round.received.values, plan.counts, runner.item, request)) {
        return ranks_.refuse_failure(Rules.name, error);
      }
    }
    if (runner.step == plan_step::begin) return true;
    if (runner.step == plan_step::end && !ranks_.wait(*runner.request)) return ranks_.refuse_failure(Rules.name, error);
    routes.begin();
    if (plan.received > 0) {
      routes.apply_on(*runner.ex, {0, plan.shape.targets, 0, plan.shape.positions}, plan.round.in_order());
    }
    return end(error);
  }

 private:
  // Whether the body that is given to `thrown_` may throw.
  template <class Ex>
  static constexpr bool may_throw =
      !reduces_without_throwing<element, reduction_type>() || !executes_without_throwing<Ex>;

  // ---- Without messages

  // This rank's part of updates: its own, or its range of updates that all ranks have.
  [[nodiscard]] auto own_updates() const noexcept {
    if constexpr (has_value) {
      return at_.updates;
    } else {
      const tensor_view<const update> all = at_.updates.local();
      if (operands_.route() != distributed_route::narrowed) return to_convert(all);
      const mpi::distribution& over = at_.data.over();
      const int axis = operands_.axis_of_updates();
      index_list extents = all.extents();
      extents[axis] = over.local_extent(ranks_.rank());
      const std::int64_t first = extents[axis] == 0 ? 0 : over.global_index(ranks_.rank(), 0);
      return to_convert(part_of(all, first * all.stride(axis), extents, all.strides()));
    }
  }
  static auto to_convert(const tensor_view<const update>& updates) noexcept {
    if constexpr (std::is_same_v<update, element>) {
      return updates;
    } else {
      return converted_updates<tensor_view<const update>>{updates};
    }
  }
  // With this rank's numbers, if there are any.
  [[nodiscard]] decltype(auto) own_reduction() const noexcept {
    if constexpr (has_numbers<Arguments>) {
      using numbers = std::remove_cvref_t<decltype(at_.numbers.local())>;
      return reduction::with_positions_type<reduction_type, numbers>{at_.reduce, at_.numbers.local()};
    } else {
      return (at_.reduce);
    }
  }
  template <reduction_set Set, class Ex>
  bool run_part(Ex& ex, status& error) {
    if constexpr (checked::form == target_form::computed) {
      assign_part(ex);
      return true;
    } else {
      // Indices were checked; those of other policies are resolved again.
      constexpr bool is_checked = Arguments::policy == index_policy::error && !checked::by_mask;
      constexpr index_policy policy = is_checked ? index_policy::assume_valid : Arguments::policy;
      const auto where = at_.where.local();
      const auto updates = own_updates();
      const auto& reduce = own_reduction();
      const auto call = operands_of<policy>(at_.data.local(), where, updates, at_.output.local(), reduce, at_.axis);
      thrown_.template run<may_throw<Ex>>([&] { submit<Rules, Set>(ex, call, error); });
      return end(error);
    }
  }
  // Computed indices: the part of this rank's output that its updates replace is a view.
  template <class Ex>
  void assign_part(Ex& ex) {
    const tensor_view<target>& output = at_.output.local();
    if (!is_same_view(at_.data.local(), output)) assign(ex, read_only(at_.data.local()), output);
    if constexpr (has_value) {
      tensor_view<const element> updates;
      index_list extents = at_.where.extents_of_updates();
      const int kept = operands_.axis_of_updates();
      if (kept >= 0) extents[kept] = at_.data.over().local_extent(ranks_.rank());
      status unused;
      static_cast<void>(repeat(Rules.name, at_.updates.element, extents, updates, unused));
      at_.where.assign_part(ex, updates, output);
    } else {
      at_.where.assign_part(ex, own_updates(), output);
    }
  }

  // Throws what has been thrown on this rank, and reports on the others that a reduction has.
  bool end(status& error) {
    if constexpr (STREW_HAS_EXCEPTIONS != 0 && !reduces_without_throwing<element, reduction_type>()) {
      std::int64_t least = thrown_.is_held() ? ranks_.rank() : agreement::none;
      const bool agreed = ranks_.minimum(&least, 1);
      thrown_.rethrow();
      if (!agreed) return ranks_.refuse_failure(Rules.name, error);
      if (least != agreement::none) {
        return refuse(error, errc::communication, Rules.name, "reduction", " threw an exception on rank {0}", {least});
      }
    }
    thrown_.rethrow();
    return error.ok();
  }

  // ---- With messages

  // What an exchange asks of a call.
  template <reduction_set Set, class Ex>
  class sender {
   public:
    sender(distributed_call& call, Ex& ex, const exchange_shape& shape) noexcept
        : call_{call},
          ex_{ex},
          to_{call.operands_.targets()},
          at_{call.operands_.places()},
          steps_{call.operands_.steps_of_positions()},
          shape_{shape},
          pack_(call.packer(to_)) {}

    template <class Visit>
    void route(const exchange_window& window, const Visit& visit) const {
      const std::int64_t own = call_.ranks_.rank();
      const auto pass = [&](const routed_update& update) {
        if (update.target < window.first_target || update.target >= window.end_target) return;
        if (shape_.keeps_own && update.owner != own) return;
        visit(update.owner, update.target, update.offset, update.position);
      };
      const auto source = call_.at_.where.source();
      if (has_all_positions(window) && !shape_.sends_positions && !checked::by_mask) {
        for_each_update<false>(to_, at_, source, steps_, pass);
      } else {
        for_each_update<true>(to_, at_, source, steps_, [&](const routed_update& update) {
          if (update.position >= window.first_position && update.position < window.end_position) pass(update);
        });
      }
    }
    void pack([[maybe_unused]] std::int64_t offset, [[maybe_unused]] std::byte* to) const {
      if constexpr (!has_value) pack_(call_.at_.updates.local().data() + offset, to);
    }
    void begin() const {
      const Arguments& at = call_.at_;
      if constexpr (has_numbers<Arguments>) {
        call_.thrown_.template run<may_throw<Ex>>([&] { clear_numbers(ex_, at.numbers.local()); });
      }
      if (is_same_view(at.data.local(), at.output.local())) return;
      call_.thrown_.template run<may_throw<Ex>>([&] { assign(ex_, read_only(at.data.local()), at.output.local()); });
    }
    void apply(const exchange_window& window, const received_updates& updates, const exchange_memory& memory) const {
      const workspace<Ex> with_memory(std::span<std::byte>(memory.begin, static_cast<std::size_t>(memory.bytes)), ex_);
      apply_on(with_memory, window, updates);
    }
    template <class On>
    void apply_on(On& ex, const exchange_window& window, const received_updates& updates) const {
      const auto& output = call_.at_.output.local();
      call_.thrown_.template run<may_throw<Ex>>([&] {
        if constexpr (checked::by_mask) {
          const bool has_all = window.end_target - window.first_target == shape_.targets && has_all_positions(window);
          call_.at_.where.template apply_received<Rules>(ex, output, window, updates, has_all);
        } else {
          const element* value = nullptr;
          if constexpr (has_value) value = call_.at_.updates.element.data();
          if constexpr (has_numbers<Arguments>) {
            const number_of_position number(Rules, at_.extents, call_.operands_.first_axis());
            apply_numbered<reduction_type>(output, call_.at_.numbers.local(), to_.axes, window, updates, value, number);
          } else {
            apply_received<Rules, Set>(ex, output, to_.axes, window, updates, value, call_.at_.reduce);
          }
        }
      });
    }

   private:
    [[nodiscard]] bool has_all_positions(const exchange_window& window) const noexcept {
      return window.first_position == 0 && window.end_position == shape_.positions;
    }

    distributed_call& call_;
    Ex& ex_;
    target_places to_;
    position_places at_;
    index_list steps_;
    exchange_shape shape_;
    update_packer<element, update> pack_;
  };

  [[nodiscard]] update_packer<element, update> packer(const target_places& to) const noexcept {
    if constexpr (has_value) {
      return {};
    } else {
      return {at_.updates.local().layout(), to.extents, to.axes, operands_.places().extents.size()};
    }
  }
  template <reduction_set Set, class Ex>
  bool send(Ex& ex, call_memory<Ex>& memory, const exchange_memory& rest, status& error) {
    const exchange_shape shape = operands_.shape();
    const sender<Set, Ex> routes(*this, ex, shape);
    exchange<sender<Set, Ex>> all(ranks_, shape, rest, Rules.name, routes);
    const bool done =
        all.template run < call_memory<Ex>::grows && !checked::by_mask > (operands_.capacity(), memory, error);
    return end(error) && done;
  }

  communicator& ranks_;
  const Arguments& at_;
  checked operands_;
  held_exception thrown_;
};

// ---- Entry

template <class T, class U>
inline constexpr mistake mistake_of_converted<T, converted_updates<mpi::distributed_tensor_view<U>>> =
    none_if(converts_to<T, std::remove_const_t<U>>(), mistake::no_conversion);

template <const operation_rules& Rules, reduction_set Set, class Ex, class Arguments>
void run_distributed_scatter(Ex& ex, communicator& ranks, const Arguments& at, status& error) {
  distributed_call<Rules, Arguments> call(ranks, at);
  static_cast<void>(call.template run<Set>(ex, error));
}

// A scatter by indices. Slices, caches and masks have overloads in distributed_parts.hpp and distributed_masks.hpp.
template <const operation_rules& Rules, reduction_set Set, class Ex, class Where, class Call>
void submit_distributed(Ex& ex, const Where&, const Call& at, status& error) {
  with_communicator(at.data.comm(), Rules.name, error,
                    [&](communicator& ranks) { run_distributed_scatter<Rules, Set>(ex, ranks, at, error); });
}
// The same with numbers.
template <const operation_rules& Rules, reduction_set Set, class Ex, class Where, class Call>
  requires(has_positions<std::remove_cvref_t<decltype(Call::reduce)>>)
void submit_distributed(Ex& ex, const Where& where, const Call& at, status& error) {
  const auto without = operands_of<Call::policy>(at.data, at.where, at.updates, at.output, at.reduce.reduce, at.axis);
  using integer = view_element<decltype(at.reduce.numbers)>;
  const numbered_call<std::remove_const_t<decltype(without)>, integer> numbered{without, at.reduce.numbers};
  submit_distributed<Rules, Set>(ex, where, numbered, error);
}

// The overloads of the front for distributed tensors: with updates, with those that are converted, and with one value.
template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
void submit(Ex& ex,
            const call_operands<Policy, mpi::distributed_tensor_view<D>, Where, mpi::distributed_tensor_view<U>,
                                mpi::distributed_tensor_view<T>, R>& at,
            status& error) {
  submit_distributed<Rules, Set>(ex, at.where, at, error);
}
template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
void submit(
    Ex& ex,
    const call_operands<Policy, mpi::distributed_tensor_view<D>, Where,
                        converted_updates<mpi::distributed_tensor_view<U>>, mpi::distributed_tensor_view<T>, R>& at,
    status& error) {
  submit<Rules, Set>(ex, operands_of<Policy>(at.data, at.where, at.updates.updates, at.output, at.reduce, at.axis),
                     error);
}
template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class V, class T, class R>
void submit(Ex& ex,
            const call_operands<Policy, mpi::distributed_tensor_view<D>, Where, repeated<V>,
                                mpi::distributed_tensor_view<T>, R>& at,
            status& error) {
  submit_distributed<Rules, Set>(ex, at.where, at, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP
