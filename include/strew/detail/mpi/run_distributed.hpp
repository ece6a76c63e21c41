// SPDX-License-Identifier: Apache-2.0
// Scatters by indices on distributed tensors: checks the operands, agrees on an error, and runs the serial operator on
// each rank's part with the updates of its targets.
#ifndef STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP
#define STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/distributed_indices.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_plan.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Scratch memory of a call without a workspace.
inline constexpr std::size_t exchange_stack = std::size_t{32} * 1024;

// Whether the result depends on the order of updates.
template <class T, class R>
constexpr bool depends_on_order() noexcept {
  using bare = std::remove_const_t<T>;
  if constexpr (!named_reduction<R> || omits_init<R>) {
    return true;
  } else {
    return !std::is_integral_v<bare> || R::kind == reduction_kind::none || R::kind == reduction_kind::mean;
  }
}

// Has an executor that allocates its memory do so for `bytes`, within the limit that it was given; returns the memory.
// What a rank receives may be far more than it has, so no limit follows from its operands.
template <class Ex>
exchange_memory reserve_on_demand(Ex& ex, std::int64_t bytes) {
  using traits = executor_traits<std::remove_const_t<Ex>>;
  const auto wanted = static_cast<std::uint64_t>(bytes);
  if (traits::memory(ex).size() < wanted) {
    memory_on_demand<std::remove_const_t<Ex>>::reserve(ex, wanted, wanted);
  }
  const std::span<std::byte> memory = traits::memory(ex);
  return {memory.data(), static_cast<std::int64_t>(memory.size())};
}

// reserve(bytes) returns the bytes of this rank's memory: those that it has, or that its executor then allocates.
template <class Ex>
struct reserved_memory {
  static constexpr bool grows = memory_on_demand<std::remove_const_t<Ex>>::is_lent;

  Ex* ex;
  std::int64_t bytes;

  std::int64_t operator()([[maybe_unused]] std::int64_t wanted) const {
    if constexpr (grows) {
      return reserve_on_demand(*ex, wanted).bytes;
    } else {
      return bytes;
    }
  }
};

// ---- The global facts of a call, the same on all ranks

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

template <const operation_rules& Rules, index_policy Policy, class D, class Indices, class U, class T, class R>
class distributed_call {
 public:
  using element = std::remove_const_t<T>;
  static constexpr bool has_computed_indices = requires { Indices::are_computed; };
  static constexpr bool has_value = std::is_same_v<U, repeated<tensor_view<const element>>>;

  distributed_call(communicator& ranks, const mpi::distributed_tensor_view<D>& data, const Indices& indices,
                   const U& updates, const mpi::distributed_tensor_view<T>& output, const R& reduce,
                   const index_list* axis) noexcept
      : ranks_{ranks},
        data_{data},
        indices_{indices},
        updates_{updates},
        output_{output},
        reduce_{reduce},
        axis_{axis},
        positions_{indices.extents()} {}

  // Finds how the call runs and whether all ranks can run it; ends with the status that all ranks return.
  // reserve(bytes) returns the bytes of this rank's memory, of which it needs at least those.
  template <class Reserve>
  bool agree(const Reserve& reserve, status& error) {
    status refused;
    const bool is_legal = check_shapes(refused) && check_distributions(refused);
    local_error own;
    raw_index bad{0, false};
    std::int64_t bad_number = -1;
    if (is_legal) {
      check_parts(own);
      if constexpr (has_computed_indices) {
        if (own.ok()) bad_number = indices_.find_bad(bad);
      } else {
        if (own.ok()) bad_number = find_bad_index(demand(), places(), indices_.local(), bad);
      }
      if (own.ok() && sends()) {
        std::int64_t bytes = least_bytes();
        if (Reserve::grows && bad_number < 0 && route_ == distributed_route::keeps_own) bytes = bytes_for_own();
        check_memory(reserve(bytes), own);
      }
    }
    agreement agreed{.bits = fingerprint_of_call(is_legal ? errc::ok : refused.code()), .least_memory = capacity_};
    if (!own.ok()) agreed.first_error = ranks_.rank();
    if (bad_number >= 0) agreed.first_error = agreement::of_indices + bad_number;
    if (!agreed.reach(ranks_, Rules.name, error)) return false;
    if (!is_legal) {
      error = refused;
      return false;
    }
    capacity_ = agreed.least_memory;
    if (agreed.first_error == agreement::none) return true;
    return agreed.first_error < agreement::of_indices
               ? refuse_part(ranks_, Rules.name, static_cast<int>(agreed.first_error), own, error)
               : refuse_bad_index(agreed.first_error - agreement::of_indices, bad, error);
  }

  template <reduction_set Set, class Ex>
  bool run(Ex& ex, const exchange_memory& memory, status& error) {
    if constexpr (has_computed_indices) {
      if (!sends()) {
        assign_part(ex);
        return true;
      }
      return send<Set>(ex, memory, error);
    } else {
      switch (route_) {
        case distributed_route::local:
          return run_part<Set>(ex, updates_part(), error);
        case distributed_route::narrowed:
          if constexpr (!has_value) return run_part<Set>(ex, narrowed_updates(), error);
          return true;
        default:
          return send<Set>(ex, memory, error);
      }
    }
  }

  [[nodiscard]] bool sends() const noexcept {
    return route_ == distributed_route::to_owners || route_ == distributed_route::keeps_own;
  }
  [[nodiscard]] std::int64_t least_bytes() const noexcept { return exchange_sizes::least(ranks_.ranks(), shape()); }

 private:
  // ---- Checks

  bool check_shapes(status& error) {
    const index_list data = data_.extents();
    const index_list output = output_.extents();
    index_list updates;
    strided_layout data_layout;
    strided_layout indices_layout;
    strided_layout updates_layout;
    const auto make = [&](const index_list& extents, std::size_t size, strided_layout& layout) {
      return make_row_major({}, extents, size, layout, error);
    };
    const auto extents_of = [&](int) -> const index_list& { return positions_; };
    if constexpr (has_value) {
      if (!find_scatter_updates<Rules.by>(Rules, data, positions_, axis_, indices_.count(), updates, error) ||
          !make_repeated(Rules.name, updates_.element.rank(), updates, sizeof(element), updates_layout, error)) {
        return false;
      }
    } else {
      updates = updates_.extents();
    }
    if constexpr (Rules.by == addressing::tensors) {
      bool are_alike = true;
      indices_.for_each([&](const auto& one) {
        are_alike = are_alike &&
                    check_extents(Rules.name, "indices", one.extents(), positions_, "the first of its tensors", error);
      });
      if (!are_alike) return false;
    }
    const target_addressing<decltype(extents_of)> by{axis_, indices_.count(), extents_of};
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
  bool check_distributions(status& error) {
    const auto refuse_operand = [&](const char* operand, const char* text) {
      return refuse_distribution(Rules.name, operand, text, error);
    };
    const auto check = [&](const char* operand, const auto& view) {
      return check_distribution(Rules.name, operand, view, ranks_.ranks(), error);
    };
    bool is_usable = check("data", data_) && check("output", output_);
    indices_.for_each([&](const auto& one) { is_usable = is_usable && check("indices", one); });
    if constexpr (!has_value) is_usable = is_usable && check("updates", updates_);
    if (!is_usable) return false;
    if (!are_alike(data_, output_)) return refuse_operand("output", " is not distributed as data is");
    bool are_indices_alike = true;
    indices_.for_each([&](const auto& one) {
      are_indices_alike = are_indices_alike && one.divided_axis() == indices_.axis() &&
                          (indices_.axis() < 0 || one.over() == indices_.over());
    });
    if (!are_indices_alike) return refuse_operand("indices", " holds tensors that are not distributed alike");
    if (indices_.axis() >= positions_.size()) {
      return refuse_operand("indices", " is divided along the axis of its components");
    }
    const updates_division updates = find_updates_division();
    const int divided = data_.divided_axis();
    const bool has_all_updates = updates.position < 0 && updates.other < 0;
    if (divided < 0) {
      route_ = distributed_route::local;
      if (indices_.axis() >= 0) return refuse_operand("indices", " is divided, but data is whole on every rank");
      if (!has_all_updates) return refuse_operand("updates", " is divided, but data is whole on every rank");
      return true;
    }
    const bool is_alone = ranks_.ranks() == 1;
    if constexpr (has_computed_indices) {
      const int kept = indices_.kept_axis(divided, data_.extents());
      bool is_aligned = kept >= 0 && has_value;
      if constexpr (!has_value) {
        is_aligned = kept >= 0 && updates_.divided_axis() == kept && updates_.over() == data_.over();
      }
      route_ = is_alone || is_aligned ? distributed_route::local : distributed_route::narrowed;
      if (route_ == distributed_route::local) return true;
      if (kept >= 0 && has_all_updates && data_.over().is_contiguous()) return true;
    }
    if (Rules.by == addressing::elements || Rules.by == addressing::numbers || axes_.contains(divided)) {
      if (indices_.axis() < 0) {
        if (!has_all_updates) return refuse_operand("updates", " is divided, but indices is whole on every rank");
        route_ = is_alone ? distributed_route::local : distributed_route::keeps_own;
        return true;
      }
      if (!has_value && (updates.position != indices_.axis() || !is_same_division(indices_.over()))) {
        return refuse_operand("updates", " is not distributed as indices is");
      }
      const bool is_aligned = Rules.by == addressing::elements && divided != axes_.first &&
                              indices_.axis() == divided && indices_.over() == data_.over();
      route_ = is_alone || is_aligned ? distributed_route::local : distributed_route::to_owners;
      return true;
    }
    // Every index selects on other axes than the divided one, so each rank needs all indices and its part of updates.
    if (indices_.axis() >= 0) {
      return refuse_operand("indices", " is divided, but selects on axes along which data is not");
    }
    if (has_value || (updates.other == divided && is_same_division(data_.over()))) {
      route_ = distributed_route::local;
      return true;
    }
    if (!has_all_updates) return refuse_operand("updates", " is not distributed as data is");
    if (!data_.over().is_contiguous()) {
      return refuse_operand("updates", " is whole on every rank, but the part of data is not one range of it");
    }
    route_ = distributed_route::narrowed;
    return true;
  }
  [[nodiscard]] bool is_same_division(const mpi::distribution& over) const noexcept {
    if constexpr (has_value) {
      return true;
    } else {
      return updates_.over() == over;
    }
  }
  [[nodiscard]] updates_division find_updates_division() const noexcept {
    updates_division result;
    if constexpr (!has_value) {
      const int axis = updates_.divided_axis();
      if (axis < 0) return result;
      if (Rules.by == addressing::elements || Rules.by == addressing::numbers) {
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
    check_part(ranks_, local_error::of::data, data_, error);
    indices_.for_each([&](const auto& one) { check_part(ranks_, local_error::of::indices, one, error); });
    if constexpr (!has_value) check_part(ranks_, local_error::of::updates, updates_, error);
    check_part(ranks_, local_error::of::output, output_, error);
    const tensor_view<T>& output = output_.local();
    if constexpr (has_computed_indices) indices_.check_own(ranks_, output, error);
    check_distinct(output, error);
    if (!is_same_view(data_.local(), output)) check_part_apart(output, local_error::of::data, data_.local(), error);
    indices_.for_each([&](const auto& one) { check_part_apart(output, local_error::of::indices, one.local(), error); });
    if constexpr (has_value) {
      check_part_apart(output, local_error::of::updates, updates_.element, error);
    } else {
      check_part_apart(output, local_error::of::updates, updates_.local(), error);
    }
  }
  // Where nothing is sent: for all updates of this rank at once.
  [[nodiscard]] std::int64_t bytes_for_own() const {
    std::int64_t count = 0;
    for_each_update<false>(targets(), places(), indices_.local(), steps_of_positions(),
                           [&](const routed_update& update) { count += update.owner == ranks_.rank() ? 1 : 0; });
    const std::int64_t round = exchange_sizes::of_round(count, count, shape());
    return exchange_sizes::sum(least_bytes(), round);
  }
  void check_memory(std::int64_t bytes, local_error& error) {
    if (bytes < least_bytes()) {
      error = {local_error::kind::too_little_memory, local_error::of::data, {bytes, least_bytes()}};
      return;
    }
    capacity_ = capacity_of(bytes);
  }
  [[nodiscard]] std::int64_t capacity_of(std::int64_t bytes) const noexcept {
    const std::int64_t beside = exchange_sizes::line + exchange_sizes::of_tables(ranks_.ranks());
    return exchange_sizes::capacity(bytes - beside, shape());
  }

  // ---- Errors that all ranks return

  [[nodiscard]] std::int64_t fingerprint_of_call(errc refused) const noexcept {
    fingerprint call;
    call.add(Rules.name);
    call.add(static_cast<std::int64_t>(Rules.by));
    call.add(static_cast<std::int64_t>(Policy));
    call.add(static_cast<std::int64_t>(refused));
    call.add(static_cast<std::int64_t>(sizeof(element)));
    call.add(static_cast<std::int64_t>(dynamic::element_type_of<element>.kind));
    if constexpr (named_reduction<R>) {
      call.add(static_cast<std::int64_t>(R::kind));
      call.add(omits_init<R> ? 1 : 0);
    } else {
      call.add(-static_cast<std::int64_t>(sizeof(R)));
      if constexpr (std::is_same_v<R, scaled_sum<element>>) add_bytes_of(call, reduce_.alpha);
    }
    // Ranks that wait for each other in another way.
    call.add(reduces_without_throwing<element, R>() ? 1 : 0);
    call.add(static_cast<std::int64_t>(reduction_step<element, R>::grid));
    if (axis_ != nullptr) call.add(*axis_);
    add_operand(call, data_);
    add_operand(call, output_);
    indices_.add_to(call);
    if constexpr (has_value) {
      add_value(call, updates_.element);
    } else {
      add_operand(call, updates_);
    }
    return call.bits();
  }
  // The rank that has the index broadcasts its value; all ranks know the rest.
  bool refuse_bad_index(std::int64_t number, const raw_index& own, status& error) {
    if constexpr (has_computed_indices) {
      std::int64_t told = own.bits;
      const int finder = indices_.finder_of_bad(number);
      return ranks_.broadcast(&told, 1, finder) ? indices_.refuse_bad(number, told, error)
                                                : ranks_.refuse_failure(Rules.name, error);
    }
    const std::int64_t components = demand().count();
    std::int64_t position = number / components;
    index_list coordinate = positions_;
    for (int k = positions_.size(); k-- > 0;) {
      coordinate[k] = position % positions_[k];
      position /= positions_[k];
    }
    const int finder = indices_.axis() < 0 ? 0 : static_cast<int>(indices_.over().owner(coordinate[indices_.axis()]));
    std::int64_t told[] = {own.bits, own.is_unsigned ? 1 : 0};
    if (!ranks_.broadcast(told, 2, finder)) return ranks_.refuse_failure(Rules.name, error);
    return refuse_index(demand(), {told[0], told[1] != 0}, coordinate, static_cast<int>(number % components), error);
  }

  // ---- The parts of the call

  [[nodiscard]] index_constraint demand() const noexcept { return {Rules, Policy, axes_, whole_output_, false}; }
  [[nodiscard]] position_places places() const noexcept {
    return {positions_, indices_.local().layout(0).extents(), indices_.axis(), &indices_.over(), ranks_.rank()};
  }
  [[nodiscard]] target_places targets() const noexcept {
    target_axes axes = axes_;
    if (Rules.by == addressing::elements || Rules.by == addressing::numbers) axes = {0, data_.rank()};
    return {Rules, Policy, axes, data_.extents(), data_.divided_axis(), axes_.first, data_.over()};
  }
  // The elements of an update: those of the axes of data that are no target axes.
  [[nodiscard]] std::int64_t elements_of_update() const noexcept {
    const target_places to = targets();
    std::int64_t count = 1;
    for (int k = 0; k < data_.rank(); ++k) {
      if (!to.axes.contains(k)) count *= to.extents[k];
    }
    return count;
  }
  [[nodiscard]] exchange_shape shape() const noexcept {
    const target_places to = targets();
    std::int64_t count = 1;
    for (const std::int64_t extent : positions_) count *= extent;
    const std::int64_t bytes = has_value ? 0 : elements_of_update() * static_cast<std::int64_t>(sizeof(element));
    const bool keeps_own = route_ == distributed_route::keeps_own;
    index_list extents;
    index_list strides;
    const bool is_one = merge_target_axes(output_.local().layout(), to.axes, extents, strides);
    const std::int64_t scratch = is_one ? 0 : to.axes.count * static_cast<std::int64_t>(sizeof(std::int64_t));
    return {bytes,     to.most(),
            count,     !keeps_own && !arrive_in_order(),
            keeps_own, reduction_step<element, R>::grid != state_layout::none,
            scratch};
  }
  // Whether the updates of a target arrive in the order of their positions if each rank sends its own in order.
  [[nodiscard]] bool arrive_in_order() const noexcept {
    if (!depends_on_order<T, R>()) return true;
    const int axis = indices_.axis();
    if (Rules.by == addressing::elements) return axis != axes_.first || indices_.over().is_contiguous();
    for (int k = 0; k < axis; ++k) {
      if (positions_[k] > 1) return false;
    }
    return indices_.over().is_contiguous();
  }

  [[nodiscard]] auto updates_part() const noexcept {
    if constexpr (has_value) {
      return repeated<tensor_view<const element>>{updates_.element};
    } else {
      return tensor_view<const element>(updates_.local());
    }
  }
  // This rank's range of updates that all ranks have.
  [[nodiscard]] tensor_view<const element> narrowed_updates() const noexcept {
    const tensor_view<const element> all = updates_part();
    const int divided = data_.divided_axis();
    int axis = divided < axes_.first ? divided : divided - axes_.count + positions_.size();
    if constexpr (has_computed_indices) axis = indices_.kept_axis(divided, data_.extents());
    const std::int64_t extent = data_.over().local_extent(ranks_.rank());
    index_list extents = all.extents();
    extents[axis] = extent;
    const std::int64_t first = extent == 0 ? 0 : data_.over().global_index(ranks_.rank(), 0);
    return view_of_part(all, extents, first * all.stride(axis));
  }
  template <class E>
  static tensor_view<E> view_of_part(const tensor_view<E>& view, const index_list& extents,
                                     std::int64_t offset) noexcept {
    return part_of(view, offset, extents, view.strides());
  }

  // Computed indices: the part of this rank's output that its updates replace is a view.
  template <class Ex>
  void assign_part(Ex& ex) {
    const tensor_view<T>& output = output_.local();
    if (!is_same_view(data_.local(), output)) assign(ex, read_only(data_.local()), output);
    tensor_view<const element> updates;
    if constexpr (has_value) {
      index_list extents = indices_.extents_of_updates();
      const int divided = data_.divided_axis();
      const int kept = divided < 0 ? -1 : indices_.kept_axis(divided, data_.extents());
      if (kept >= 0) extents[kept] = data_.over().local_extent(ranks_.rank());
      index_list strides = extents;
      for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
      static_cast<void>(tensor_view<const element>::try_make(updates_.element.data(), extents, strides, updates));
    } else {
      updates = route_ == distributed_route::narrowed ? narrowed_updates() : updates_part();
    }
    indices_.assign_part(ex, updates, output);
  }

  template <reduction_set Set, class Ex, class Updates>
  bool run_part(Ex& ex, const Updates& updates, status& error) {
    // Indices were checked; those of other policies are resolved again.
    constexpr index_policy policy = Policy == index_policy::error ? index_policy::assume_valid : Policy;
    const auto source = indices_.local();
    const auto call = operands_of<policy>(data_.local(), source, updates, output_.local(), reduce_, axis_);
    guarded<Ex>([&] { run_scatter<Rules, Set>(ex, call, error); });
    return end(error);
  }

  // Runs what calls the caller's reduction or executor, which may throw; the other ranks must not wait for this one, so
  // it goes on to take part in what all do.
  template <class Ex, class Body>
  void guarded(const Body& body) const {
#if STREW_HAS_EXCEPTIONS
    if constexpr (!reduces_without_throwing<element, R>() || !executes_without_throwing<Ex>) {
      if (thrown_ != nullptr) return;
      try {
        body();
      } catch (...) {
        thrown_ = std::current_exception();
      }
      return;
    }
#endif
    body();
  }
  // Throws what has been thrown on this rank, and reports on the others that a reduction has.
  bool end(status& error) const {
#if STREW_HAS_EXCEPTIONS
    if constexpr (!reduces_without_throwing<element, R>()) {
      std::int64_t least = thrown_ != nullptr ? ranks_.rank() : agreement::none;
      const bool agreed = ranks_.minimum(&least, 1);
      if (thrown_ != nullptr) std::rethrow_exception(thrown_);
      if (!agreed) return ranks_.refuse_failure(Rules.name, error);
      if (least != agreement::none) {
        return refuse(error, errc::communication, Rules.name, "reduction", " threw an exception on rank {0}", {least});
      }
    }
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
#endif
    return error.ok();
  }

  // ---- Updates that are sent

  // The rules by which received updates are applied: rows of the target axes as one, or multi-indices where the axes of
  // the part are not one in memory.
  static constexpr operation_rules by_rows{Rules.name, addressing::rows};
  static constexpr operation_rules by_multi_indices{Rules.name, addressing::multi_indices};

  template <reduction_set Set, class Ex>
  struct sender {
    const distributed_call& call;
    Ex& ex;
    target_places to;
    position_places at = call.places();
    index_list steps = call.steps_of_positions();
    bool is_single = call.elements_of_update() == 1;

    template <class Visit>
    void route(const exchange_window& window, const Visit& visit) const {
      const bool has_all = window.first_position == 0 && window.end_position == call.shape().positions;
      const bool keeps_own = call.route_ == distributed_route::keeps_own;
      const std::int64_t own = call.ranks_.rank();
      const auto pass = [&](const routed_update& update) {
        if (update.target < window.first_target || update.target >= window.end_target) return;
        if (keeps_own && update.owner != own) return;
        visit(update.owner, update.target, update.offset, update.position);
      };
      if (has_all && !call.sends_positions_) {
        for_each_update<false>(to, at, call.indices_.local(), steps, pass);
      } else {
        for_each_update<true>(to, at, call.indices_.local(), steps, [&](const routed_update& update) {
          if (update.position >= window.first_position && update.position < window.end_position) pass(update);
        });
      }
    }
    void pack(std::int64_t offset, std::byte* bytes) const {
      if constexpr (!has_value) {
        const element* const from = call.updates_.local().data() + offset;
        if (is_single) {
          std::memcpy(bytes, from, sizeof(element));
        } else {
          call.pack_update(from, bytes);
        }
      }
    }
    void begin() const {
      if (!is_same_view(call.data_.local(), call.output_.local())) {
        call.template guarded<Ex>([&] { assign(ex, read_only(call.data_.local()), call.output_.local()); });
      }
    }
    void apply(const exchange_window& window, const received_updates& updates, const exchange_memory& memory) const {
      const workspace<Ex> lent(std::span<std::byte>(memory.begin, static_cast<std::size_t>(memory.bytes)), ex);
      call.template apply<Set>(lent, to, window, updates);
    }
  };

  template <reduction_set Set, class Ex>
  bool send(Ex& ex, const exchange_memory& memory, status& error) {
    sends_positions_ = shape().sends_positions;
    const sender<Set, Ex> routes{*this, ex, targets()};
    exchange<sender<Set, Ex>> all(ranks_, shape(), memory, Rules.name, routes);
    using on_demand = memory_on_demand<std::remove_const_t<Ex>>;
    bool done = false;
    if constexpr (on_demand::is_lent) {
      done = all.run(
          capacity_, [&](std::int64_t bytes) { return reserve_on_demand(ex, bytes); }, error);
    } else {
      done = all.run(capacity_, no_growth(), error);
    }
    return end(error) && done;
  }

  // ---- Bound indices

 public:
  template <reduction_set Set>
  bool bind(const plan_binder& binder, status& error) {
    if (!agree(reserved_memory<const serial_executor>{nullptr, int64_max}, error)) return false;
    exchange_plan& plan = *binder.plan;
    plan.is_bound = true;
    plan.sends = sends();
    if (!plan.sends) return true;
    plan.shape = shape();
    sends_positions_ = plan.shape.sends_positions;
    if (plan.shape.targets > most_items) {
      return refuse(error, errc::size_overflow, Rules.name, "data",
                    " has {0} targets on some rank, expected at most {1}", {plan.shape.targets, most_items});
    }
    alignas(tuning::cache_line) std::byte tables[exchange_stack];
    if (exchange_sizes::line + exchange_sizes::of_tables(ranks_.ranks()) > static_cast<std::int64_t>(exchange_stack)) {
      return refuse(error, errc::too_little_memory, Rules.name, "communicator", " has {0} ranks, too many to bind",
                    {ranks_.ranks()});
    }
    const sender<Set, const serial_executor> routes{*this, serial, targets()};
    exchange<sender<Set, const serial_executor>> all(ranks_, plan.shape, {tables, exchange_stack}, Rules.name, routes);
    if (!all.count_all(plan)) return ranks_.refuse_failure(Rules.name, error);
    const std::int64_t most = plan.sent > plan.received ? plan.sent : plan.received;
    const std::int64_t bytes = plan.bytes(ranks_.ranks());
    const bool has_room = binder.only_counts || static_cast<std::int64_t>(binder.memory.size()) >= bytes;
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
    plan.divide(binder.memory.data(), ranks_.ranks());
    return all.fill(plan) || ranks_.refuse_failure(Rules.name, error);
  }
  template <reduction_set Set, class Ex>
  bool run_bound(const plan_runner<Ex>& runner, status& error) {
    if (!check_shapes(error) || !check_distributions(error)) return false;
    const exchange_plan& plan = *runner.plan;
    if (!plan.sends) {
      return runner.step == plan_step::begin || run<Set>(*runner.ex, {}, error);
    }
    const std::int64_t bytes = plan.shape.item_bytes;
    if (runner.step != plan_step::end) {
      if constexpr (!has_value) {
        const element* const from = updates_.local().data();
        if (bytes == 0) {
          // Updates without elements.
        } else if (bytes == static_cast<std::int64_t>(sizeof(element))) {
          for (std::int64_t k = 0; k < plan.sent; ++k) {
            std::memcpy(plan.sent_values + k * bytes, from + plan.offsets[k], sizeof(element));
          }
        } else {
          for (std::int64_t k = 0; k < plan.sent; ++k) {
            pack_update(from + plan.offsets[k], plan.sent_values + k * bytes);
          }
        }
      }
      if (bytes > 0 && !plan.shape.keeps_own) {
        const bool done = runner.step == plan_step::all
                              ? ranks_.exchange(plan.sent_values, plan.received_values, plan.counts, runner.item)
                              : ranks_.start_exchange(plan.sent_values, plan.received_values, plan.counts, runner.item,
                                                      *runner.request);
        if (!done) return ranks_.refuse_failure(Rules.name, error);
      }
    }
    if (runner.step == plan_step::begin) return true;
    if (runner.step == plan_step::end && !ranks_.wait(*runner.request)) return ranks_.refuse_failure(Rules.name, error);
    plan.put_in_order();
    const sender<Set, Ex> routes{*this, *runner.ex, targets()};
    routes.begin();
    if (plan.received > 0) {
      apply<Set>(*runner.ex, routes.to, {0, plan.shape.targets, 0, plan.shape.positions},
                 {plan.targets, plan.ordered_values, plan.received, plan.scratch});
    }
    return end(error);
  }

 private:
  // The strides of the axes of positions in this rank's part of updates.
  [[nodiscard]] index_list steps_of_positions() const noexcept {
    index_list steps = positions_;
    for (int k = 0; k < steps.size(); ++k) steps[k] = 0;
    if constexpr (!has_value) {
      const strided_layout& updates = updates_.local().layout();
      const bool is_single = updates.rank() != positions_.size() + data_.rank() - axes_.count &&
                             Rules.by != addressing::elements && Rules.by != addressing::numbers;
      const int first = Rules.by == addressing::elements || Rules.by == addressing::numbers ? 0 : axes_.first;
      for (int k = 0; k < steps.size() && !is_single; ++k) steps[k] = updates.stride(first + k);
    }
    return steps;
  }
  // Copies an update, whose elements lie on the axes of data that are no target axes, in row-major order.
  void pack_update(const element* from, std::byte* to) const noexcept {
    if (update_runs_ < 0) find_update_runs();
    if (update_runs_ == 0) {
      std::memcpy(to, from, sizeof(element));
      return;
    }
    index_list at = update_extents_;
    for (int k = 0; k < at.size(); ++k) at[k] = 0;
    const int last = at.size() - 1;
    const std::int64_t columns = update_extents_[last];
    const std::int64_t step = update_steps_[last];
    do {
      const element* row = from;
      for (int k = 0; k < last; ++k) row += at[k] * update_steps_[k];
      if (step == 1) {
        const auto bytes = static_cast<std::size_t>(columns) * sizeof(element);
        std::memcpy(to, row, bytes);
        to += bytes;
      } else {
        for (std::int64_t i = 0; i < columns; ++i, to += sizeof(element))
          std::memcpy(to, row + i * step, sizeof(element));
      }
    } while (next_row(update_extents_, at));
  }
  void find_update_runs() const noexcept {
    const target_places to = targets();
    update_extents_ = {};
    update_steps_ = {};
    update_runs_ = 0;
    if constexpr (!has_value) {
      const strided_layout& updates = updates_.local().layout();
      const int inserted = positions_.size() - to.axes.count;
      for (int k = 0; k < data_.rank(); ++k) {
        if (to.axes.contains(k)) continue;
        const std::int64_t step = updates.stride(k < to.axes.first ? k : k + inserted);
        const int last = update_extents_.size() - 1;
        // Axes that are one in memory are copied as one.
        if (last >= 0 && update_steps_[last] == step * to.extents[k]) {
          update_extents_[last] *= to.extents[k];
          update_steps_[last] = step;
        } else {
          update_extents_.push_back(to.extents[k]);
          update_steps_.push_back(step);
        }
        ++update_runs_;
      }
    }
  }

  // Applies received updates to this rank's part.
  template <reduction_set Set, class Ex>
  void apply(Ex& lent, const target_places& to, const exchange_window& window, const received_updates& received) const {
    const tensor_view<T>& part = output_.local();
    const std::int64_t count = received.count;
    const int first = to.axes.first;
    index_list extents;
    index_list strides;
    const bool is_one = merge_target_axes(part.layout(), to.axes, extents, strides);
    // Updates, with the received ones on one axis in the place of the target axes.
    index_list update_extents;
    index_list update_strides;
    std::int64_t stride = elements_of_update();
    const std::int64_t length = stride;
    for (int k = 0; k < part.rank(); ++k) {
      if (to.axes.contains(k)) {
        if (k == first) {
          update_extents.push_back(count);
          update_strides.push_back(has_value ? 0 : length);
        }
        continue;
      }
      stride = part.extent(k) == 0 ? 0 : stride / part.extent(k);
      update_extents.push_back(part.extent(k));
      update_strides.push_back(has_value ? 0 : stride);
    }
    const element* values = nullptr;
    if constexpr (has_value) {
      values = updates_.element.data();
    } else {
      values = reinterpret_cast<const element*>(received.values);
    }
    tensor_view<const element> updates;
    static_cast<void>(tensor_view<const element>::try_make(values, update_extents, update_strides, updates));
    status unused;
    if (is_one) {
      const std::int64_t width = window.end_target - window.first_target;
      const std::int64_t rest = extents[first] - window.first_target;
      const std::int64_t offset = window.first_target * strides[first];
      extents[first] = width < rest ? width : rest;
      const tensor_view<T> rows = part_of(part, offset, extents, strides);
      tensor_view<const std::int32_t> indices;
      static_cast<void>(tensor_view<const std::int32_t>::try_make(received.targets, count, indices));
      const auto source = source_of(indices);
      const index_list axis{first};
      guarded<Ex>([&] {
        run_scatter<by_rows, Set>(
            lent, operands_of<index_policy::assume_valid>(rows, source, updates, rows, reduce_, &axis), unused);
      });
      return;
    }
    apply_by_multi_indices<Set>(lent, to, window, received, updates);
  }
  // Target axes that are not one in memory: numbers become multi-indices.
  template <reduction_set Set, class Ex>
  void apply_by_multi_indices(Ex& ex, const target_places& to, const exchange_window& window,
                              const received_updates& received, const tensor_view<const element>& updates) const {
    const tensor_view<T>& part = output_.local();
    const int count = to.axes.count;
    auto* const components = reinterpret_cast<std::int64_t*>(received.scratch);
    for (std::int64_t i = 0; i < received.count; ++i) {
      std::int64_t number = window.first_target + received.targets[i];
      for (int j = count; j-- > 0;) {
        components[i * count + j] = number % part.extent(j);
        number /= part.extent(j);
      }
    }
    tensor_view<const std::int64_t> indices;
    static_cast<void>(tensor_view<const std::int64_t>::try_make(components, {received.count, count}, indices));
    const auto source = source_of(indices, count);
    status unused;
    guarded<Ex>([&] {
      run_scatter<by_multi_indices, Set>(
          ex, operands_of<index_policy::assume_valid>(part, source, updates, part, reduce_), unused);
    });
  }
  // The layout with the target axes as one; false if they are not one in memory.
  static bool merge_target_axes(const strided_layout& part, const target_axes& axes, index_list& extents,
                                index_list& strides) noexcept {
    std::int64_t merged = 1;
    std::int64_t step = 0;
    for (int k = 0; k < part.rank(); ++k) {
      if (!axes.contains(k)) {
        extents.push_back(part.extent(k));
        strides.push_back(part.stride(k));
        continue;
      }
      if (part.extent(k) != 1) {
        if (merged != 1 && step != part.stride(k) * part.extent(k)) return false;
        step = part.stride(k);
        merged *= part.extent(k);
      }
      if (k + 1 == axes.end()) {
        extents.push_back(merged);
        strides.push_back(step);
      }
    }
    return true;
  }

  communicator& ranks_;
  const mpi::distributed_tensor_view<D>& data_;
  const Indices& indices_;
  const U& updates_;
  const mpi::distributed_tensor_view<T>& output_;
  const R& reduce_;
  const index_list* axis_;
  index_list positions_;
  target_axes axes_{};
  distributed_route route_ = distributed_route::local;
  std::int64_t capacity_ = most_items;
  bool sends_positions_ = false;
  strided_layout whole_output_;  // its layout if one rank had it
  mutable int update_runs_ = -1;
  mutable index_list update_extents_;
  mutable index_list update_steps_;
  mutable std::exception_ptr thrown_;
};

// ---- Entry

template <reduction_set Set, class Ex, class Call>
void run_distributed(Ex& ex, Call& call, status& error) {
  using on_demand = memory_on_demand<std::remove_const_t<Ex>>;
  using traits = executor_traits<std::remove_const_t<Ex>>;
  if constexpr (on_demand::is_lent) {
    if (!call.agree(reserved_memory<Ex>{&ex, 0}, error)) return;
    const std::span<std::byte> memory = traits::memory(ex);
    static_cast<void>(call.template run<Set>(ex, {memory.data(), static_cast<std::int64_t>(memory.size())}, error));
  } else {
    alignas(tuning::cache_line) std::byte stack[exchange_stack];
    std::span<std::byte> memory = traits::memory(ex);
    if (memory.size() < exchange_stack) memory = stack;
    const auto bytes = static_cast<std::int64_t>(memory.size());
    if (!call.agree(reserved_memory<Ex>{&ex, bytes}, error)) return;
    static_cast<void>(call.template run<Set>(ex, {memory.data(), bytes}, error));
  }
}

template <reduction_set Set, class Call>
void run_distributed(const plan_binder& binder, Call& call, status& error) {
  static_cast<void>(call.template bind<Set>(binder, error));
}
template <reduction_set Set, class Ex, class Call>
void run_distributed(const plan_runner<Ex>& runner, Call& call, status& error) {
  static_cast<void>(call.template run_bound<Set>(runner, error));
}

// The overloads of the front for distributed tensors.
template <const operation_rules& Rules, reduction_set Set, class Ex, index_policy Policy, class D, class Indices,
          class U, class T, class R>
void run_scatter(Ex& ex,
                 const typed_operands<Policy, mpi::distributed_tensor_view<D>, Indices, mpi::distributed_tensor_view<U>,
                                      mpi::distributed_tensor_view<T>, R>& at,
                 status& error) {
  communicator ranks(at.data.comm());
  if (!ranks.ok()) {
    ranks.refuse_failure(Rules.name, error);
    return;
  }
  distributed_call<Rules, Policy, D, Indices, mpi::distributed_tensor_view<U>, T, R> call(
      ranks, at.data, at.indices, at.updates, at.output, at.reduce, at.axis);
  run_distributed<Set>(ex, call, error);
}
template <const operation_rules& Rules, reduction_set Set, class Ex, index_policy Policy, class D, class Indices,
          class V, class T, class R>
void run_scatter(Ex& ex,
                 const typed_operands<Policy, mpi::distributed_tensor_view<D>, Indices, repeated<tensor_view<V>>,
                                      mpi::distributed_tensor_view<T>, R>& at,
                 status& error) {
  communicator ranks(at.data.comm());
  if (!ranks.ok()) {
    ranks.refuse_failure(Rules.name, error);
    return;
  }
  distributed_call<Rules, Policy, D, Indices, repeated<tensor_view<V>>, T, R> call(
      ranks, at.data, at.indices, at.updates, at.output, at.reduce, at.axis);
  run_distributed<Set>(ex, call, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_RUN_DISTRIBUTED_HPP
