// SPDX-License-Identifier: Apache-2.0
// A call that was checked and planned once, to be run on many sets of operands: the result of strew::prepare.
#ifndef STREW_EXECUTION_PREPARED_SCATTER_HPP
#define STREW_EXECUTION_PREPARED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/prepared_arguments.hpp>
#include <strew/detail/front/prepared_layouts.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_bound.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/front/submit_layouts.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/operand_layouts.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

template <element T, class Index, class Operator, class... Rest>
class bound_scatter;

// A call of an operator on elements T with indices Index (the element type of a mask, void for none; with a policy
// indices_with_policy<.., int> of it, by segments segments_by<int>) and operands of fixed layouts; made by
// strew::prepare. `Rest` are the types of the arguments that are not tensors. A value that allocates nothing, of four
// layouts and about a hundred bytes (less with a smaller STREW_MAX_RANK). Runs do not change it, so several threads may
// use it at once.
//
// A run has the semantics, the errors and the complexity of the operator's call on views of these addresses and
// layouts. For scatter_update, scatter_elements_update and onnx::scatter it makes no views, and on dense row-major
// tensors it checks only their addresses and indices (not with the compiled library). It saves most for tensors of up
// to 2 KiB; in place for updates of that size. Runs of other operators, and of elements that cannot be copied as bytes,
// make views and call the operator.
template <element T, class Index, class Operator, class... Rest>
class prepared_scatter {
  using bare_index = detail::bare_indices<Index>;
  static_assert(detail::explain<detail::none_if(!std::is_const_v<T> && !std::is_const_v<bare_index>,
                                                detail::mistake::const_of_prepared)>());

  // The position of one value for all updates among the arguments that are not tensors.
  static constexpr std::size_t value_at = detail::find_value_position<T, Operator, Rest...>();
  static constexpr bool has_value = value_at != detail::call_form::none;
  // The position of converted_from, and the type of the updates.
  static constexpr std::size_t converted_at = detail::find_converted_position<Rest...>();
  static constexpr bool converts = converted_at != detail::call_form::none;
  static constexpr std::size_t left_at = converts ? converted_at : value_at;
  using update = typename detail::prepared_updates<T, Rest...>::type;
  using addresses = detail::operand_addresses<T, Operator, Index, !has_value, update>;
  using index = std::conditional_t<std::is_void_v<bare_index>, char, bare_index>;
  static constexpr index_policy policy = detail::policy_of<Index>;
  static constexpr bool has_indices = addresses::has_indices;
  static constexpr bool has_tensors = addresses::has_tensors;
  static constexpr bool has_updates = !has_value;
  static constexpr bool is_planned = detail::has_dense_plan<Operator> && has_updates && policy == index_policy::error &&
                                     !(detail::has_positions<Rest> || ...) && !detail::are_segments<Index> && !converts;
  static constexpr const char* operation = Operator::form.name;
  // Whether a call can be made, copied and moved without an exception: it holds its value and its callable.
  static constexpr bool copies_without_throwing = (std::is_nothrow_default_constructible_v<Rest> && ...) &&
                                                  (std::is_nothrow_copy_assignable_v<Rest> && ...) &&
                                                  (std::is_nothrow_move_assignable_v<Rest> && ...);

 public:
  // The layouts as given to prepare: a struct, for index_put one with a list of index layouts.
  using layouts_type = std::conditional_t<has_tensors, layouts_with_tensors, operand_layouts>;

  // A call on tensors without elements.
  constexpr prepared_scatter() = default;

  // Runs the call. Arguments: an executor (if any), and the addresses of data, indices, updates and output, each that
  // of the element at coordinate 0; null is legal only for tensors without elements. Each converts to a pointer to T or
  // Index without a cast; others do not compile. For operators without indices, or with one value as updates, that
  // address is left out. Indices of index_put are a std::span of addresses. `output` may be `data`, and is `data` if it
  // is left out. Errors: null_data, overlap, index_out_of_bounds, too_few_elements (masks), rank_mismatch (another
  // number of tensors of indices).
  template <class First, class... Addresses>
  STREW_KEYED constexpr status try_run(First&& first, Addresses&&... rest) const
      noexcept(runs_without_throwing<First>) {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_on(serial, addresses::template take<false>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_first<T, First>()>()) {
      run_on(first, addresses::template take<false>(rest...), error);
    }
    return error;
  }
  // As try_run, but throws scatter_error.
  template <class First, class... Addresses>
  STREW_KEYED constexpr void run(First&& first, Addresses&&... rest) const {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_on(serial, addresses::template take<false>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_first<T, First>()>()) {
      run_on(first, addresses::template take<false>(rest...), error);
    }
    detail::raise_if_error(error);
  }

  // Needs strew/bound.hpp. Checks the indices, or the mask, and copies what runs need of them into `memory`: a slice,
  // the last update of each row, pairs of target and source sorted by target, or a copy. Runs of `result` do not
  // read the indices again. `memory` has at least bound_bytes() bytes at any address and must not change while `result`
  // is used. On an error neither `result` nor `memory` is written, so `result` may be one that uses that memory
  // already. The same if a copy of one value for all updates or of a callable throws; if moving it throws, `result` may
  // not be run. Errors: null_data, too_little_memory, overlap (memory and indices), index_out_of_bounds,
  // too_few_elements, size_overflow. O(bound_bytes()).
  template <class Indices = typename addresses::index_address>
  STREW_KEYED status try_bind(Indices&& indices, std::span<std::byte> memory,
                              bound_scatter<T, Index, Operator, Rest...>& result) const
      noexcept(copies_without_throwing) {
    if constexpr (detail::explain<addresses::template find_mistake_of_indices<Indices>()>()) {
      return bound_scatter<T, Index, Operator, Rest...>::try_make(*this, indices, memory, result);
    }
    return {};
  }
  template <class Indices = typename addresses::index_address>
  STREW_KEYED [[nodiscard]] bound_scatter<T, Index, Operator, Rest...> bind(Indices&& indices,
                                                                            std::span<std::byte> memory) const {
    bound_scatter<T, Index, Operator, Rest...> result;
    detail::raise_if_error(try_bind(indices, memory, result));
    return result;
  }
  // The bytes of memory that bind needs. For dense operands of operators that scatter by indices: 16 for each update
  // (an element, or a row), with assigned rows of more than 64 bytes 16 for each index and 4 for each row on the axis.
  // The bytes of the indices for small calls, operands that are not dense, one value as updates, mean and without_init,
  // elements that cannot be copied as bytes, and with the compiled library. O(rank).
  STREW_KEYED [[nodiscard]] constexpr std::size_t bound_bytes() const noexcept {
    const std::uint64_t scheduled = bytes_of_schedule();
    const std::uint64_t bytes = scheduled > 0 ? scheduled : bytes_of_indices();
    constexpr std::uint64_t most = (std::numeric_limits<std::size_t>::max)();
    return static_cast<std::size_t>(bytes < most ? bytes : most);
  }

  // The layouts of the operands. In place that of the output is data's.
  [[nodiscard]] constexpr const layouts_type& layouts() const noexcept { return layouts_; }

  // Makes `result` as strew::try_prepare does; if a copy of `rest` throws, `result` stays as it was. `rest` are the
  // arguments that are not tensors.
  template <class... Given>
  STREW_KEYED static constexpr status try_make(const layouts_type& layouts, prepared_scatter& result,
                                               const Given&... rest) noexcept(copies_without_throwing && !has_value) {
    prepared_scatter made;
    status error;
    const std::tuple<const Given&...> given(rest...);
    if constexpr (has_value) {
      const detail::kept_value<T>& value = std::get<value_at>(given);
      if (!value.fits() && !detail::refuse_value<T>(operation, Operator::form.name_of_updates(), value.given(), error))
        return error;
    }
    constexpr detail::prepared_operands operands{operation,     sizeof(T),   sizeof(update),
                                                 sizeof(index), has_indices, has_updates};
    if (!detail::keep_layouts(operands, layouts, made.layouts_, error) ||
        !made.check_call(made.layouts_of_indices(), error, given, serial)) {
      return error;
    }
    made.keep(std::index_sequence_for<Given...>{}, rest...);
    made.plan();
    result = std::move(made);
    return error;
  }

 private:
  friend class bound_scatter<T, Index, Operator, Rest...>;

  template <class First>
  static constexpr bool runs_without_throwing =
      detail::assigns_without_throwing<T>&& detail::combines_without_throwing<Operator, T>() &&
      (detail::reduction_never_throws<T, Rest>() && ...) &&
      (detail::is_address_of<T, First> || detail::executes_without_throwing<First>);
  // Whether there is a loop for small dense calls.
  static constexpr bool has_small =
      is_planned && detail::is_bytewise<T> && std::is_signed_v<index> && sizeof(index) >= 4;

  struct dense_parts {
    detail::dense_plan plan{};
    bool is_dense = false;
    bool is_small = false;
    bool is_small_in_place = false;
  };

  // The indices as an operand without memory.
  [[nodiscard]] constexpr auto layouts_of_indices() const noexcept {
    if constexpr (has_tensors) {
      return detail::layout_array{layouts_.indices().data(), static_cast<int>(layouts_.indices().size())};
    } else if constexpr (has_indices) {
      return detail::layout_view<const index>(layouts_.indices);
    } else {
      return detail::no_operand{};
    }
  }

  // Checks all that does not depend on the addresses of data, updates and output. The values of indices are checked if
  // they have memory.
  template <class Indices, class Given, class Ex>
  [[nodiscard]] constexpr bool check_call(const Indices& indices, status& error, const Given& given, Ex& ex) const {
    const detail::layout_view<T> output(detail::output_of(layouts_));
    const detail::running_call<Ex, detail::layout_view<T>> call{ex, error, output};
    const detail::layout_view<const T> data(detail::data_of(layouts_));
    const auto run_with = [&](const auto& updates) {
      detail::call_in_order<Operator, left_at>([&](const auto&... inputs) { Operator::run(call, inputs...); }, data,
                                               detail::wrapped_as<Index>(indices), updates, given);
    };
    if constexpr (has_value) {
      const detail::layout_view<const T> element(strided_layout::of_one_element());
      run_with(detail::repeated<detail::layout_view<const T>>{element});
    } else if constexpr (converts) {
      using updates = detail::layout_view<const update>;
      run_with(detail::converted_updates<updates>{updates(detail::updates_of(layouts_))});
    } else {
      run_with(detail::layout_view<const T>(detail::updates_of(layouts_)));
    }
    return error.ok();
  }
  template <class Indices>
  [[nodiscard]] constexpr bool check_values(const Indices& indices, status& error) const {
    return check_call(indices, error, rest_, serial);
  }

  template <std::size_t... Position, class... Given>
  constexpr void keep(std::index_sequence<Position...>, const Given&... rest) {
    rest_ = std::tuple<Rest...>(detail::keep_argument<T, value_at, Position>(rest)...);
  }
  constexpr void plan() noexcept {
    if constexpr (is_planned) {
      const detail::scatter_layouts at{layouts_.data, layouts_.indices, layouts_.updates, layouts_.output};
      dense_.is_dense =
          detail::is_bytewise<T> && detail::plan_dense({has_lanes(), Operator::op.rules.axis_may_exceed_data}, at,
                                                       std::get<0>(rest_), {sizeof(T), sizeof(index)}, dense_.plan);
      const bool may_be_small = has_small && dense_.is_dense && detail::has_few_rows(dense_.plan);
      dense_.is_small = may_be_small && detail::is_small_problem(at, sizeof(T), false);
      dense_.is_small_in_place = may_be_small && detail::is_small_problem(at, sizeof(T), true);
    }
  }
  [[nodiscard]] static constexpr bool has_lanes() noexcept { return !Operator::op.rules.names_rows(); }

  // 0 if there is no schedule.
  [[nodiscard]] constexpr std::uint64_t bytes_of_schedule() const {
    if constexpr (has_indices && !Operator::form.has_mask && !detail::calls_library) {
      detail::schedule_maker sizes;
      status unused;
      static_cast<void>(check_call(layouts_of_indices(), unused, rest_, sizes));
      return sizes.bytes();
    }
    return 0;
  }
  [[nodiscard]] constexpr std::uint64_t bytes_of_indices() const noexcept {
    std::uint64_t bytes = alignof(index) - 1;
    for (const strided_layout& one : detail::index_layouts_of(layouts_, has_indices ? 1 : 0)) {
      bytes = detail::saturating_add(
          bytes, detail::saturating_multiply(static_cast<std::uint64_t>(one.size()), sizeof(index)));
    }
    return bytes;
  }

  // ---- Runs

  template <class Indices, class Ex>
  static constexpr const detail::reachable_loops& plain_loops =
      detail::loops_of_scatter<true>::loops<Operator::op.rules, T, Indices, reduction::none_type, Ex>;

  [[nodiscard]] constexpr bool is_small(const addresses& at) const noexcept {
    return at.data == at.output ? dense_.is_small_in_place : dense_.is_small;
  }
  // Runs a small dense call. Returns false, with nothing written, if it is none or has an error, or if it is traced.
  [[nodiscard]] constexpr bool run_small([[maybe_unused]] const addresses& at) const noexcept {
    if constexpr (has_small && !detail::calls_library) {
      if (!detail::is_constant_evaluated() && is_small(at)) {
#if STREW_NOTES_KERNELS
        if (detail::notes_calls()) return false;
#endif
        using indices = detail::index_tensor_of<const index>;
        constexpr auto few = plain_loops<indices, serial_executor>.scatter->run_small;
        const detail::dense_plan& plan = dense_.plan;
        char* const to = reinterpret_cast<char*>(at.output);
        const bool has_all = at.data != nullptr && at.indices != nullptr && at.updates != nullptr && to != nullptr;
        return has_all &&
               detail::are_apart(plan, to, detail::address(at.data), detail::address(at.indices),
                                 detail::address(at.updates)) &&
               few(plan, to, detail::address(at.data), detail::address(at.indices), detail::address(at.updates));
      }
    }
    return false;
  }

  template <class Ex>
  constexpr void run_on(Ex& ex, const addresses& at, status& error) const {
    if (!run_small(at)) run_any(ex, at, error);
  }
  template <class Ex>
  constexpr void run_any(Ex& ex, const addresses& at, status& error) const {
    if constexpr (is_planned && detail::is_bytewise<T>) {
      // Not negated: without optimisation compilers drop the views only for a positive test of constant evaluation.
      if (detail::is_constant_evaluated()) {
        run_views(ex, at, error);
      } else {
        run_layouts(ex, at, error);
      }
    } else {
      run_views(ex, at, error);
    }
  }
  // Runs a scatter on one axis with the layouts that are kept, without views.
  template <class Ex>
  void run_layouts(Ex& ex, const addresses& at, status& error) const {
    if (!detail::has_memory(operation, at.data, "data", layouts_.data, error) ||
        !detail::has_memory(operation, at.indices, "indices", layouts_.indices, error) ||
        !detail::has_memory(operation, at.updates, "updates", layouts_.updates, error) ||
        !detail::has_memory(operation, at.output, "output", layouts_.output, error)) {
      return;
    }
    using executor = std::remove_const_t<Ex>;
    using loops = std::conditional_t<detail::calls_library, detail::library_index_loops<Operator::op.rules.rule>,
                                     detail::held_index_loops<Operator::op.rules.rule>>;
    constexpr const erased::call_type& type =
        detail::find_call_type<Operator::op.rules, T, index_policy::error, reduction::none_type, false,
                               detail::calls_library>();
    const auto indices = detail::index_operand_of<loops>(at.indices, layouts_.indices);
    const index_list axis(std::get<0>(rest_));
    erased::request call{type,
                         {detail::address(at.data), &layouts_.data},
                         {detail::address(at.updates), &layouts_.updates},
                         {reinterpret_cast<char*>(at.output), &layouts_.output},
                         &indices,
                         {&axis}};
    using on_demand = detail::memory_on_demand<executor>;
    if constexpr (on_demand::allocates)
      on_demand::template reserve<Operator::op.rules, T, reduction::none_type>(ex, call);
    if constexpr (detail::calls_library) {
      detail::run_scatter_in_library<Operator::op.rules, reduction::none_type>(call, detail::refer_to(ex), error);
    } else {
      constexpr const detail::reachable_loops& reachable = plain_loops<detail::index_tensor_of<const index>, executor>;
      const detail::context_on<Ex> ctx(ex);
      if (dense_.is_dense && !is_small(at)) {
        detail::run_planned_request(ctx.get(), call, reachable, dense_.plan, error);
      } else {
        detail::run_request(ctx.get(), call, reachable, error);
      }
    }
  }
  template <class Ex>
  constexpr void run_views(Ex& ex, const addresses& at, status& error) const {
    with_indices(
        at.indices, [&](const auto& indices) { run_with(ex, indices, at, error); }, error);
  }
  // Runs the operator on views of the other operands.
  template <class Ex, class Indices>
  constexpr void run_with(Ex& ex, const Indices& indices, const addresses& at, status& error) const {
    tensor_view<const T> data;
    tensor_view<const update> updates;
    tensor_view<T> output;
    if (!detail::view_operand(operation, at.data, detail::data_of(layouts_), "data", data, error)) return;
    if constexpr (has_value) {
      static_cast<void>(
          tensor_view<const T>::try_bind(std::get<value_at>(rest_).data(), strided_layout::of_one_element(), updates));
    } else if (!detail::view_operand(operation, at.updates, detail::updates_of(layouts_), "updates", updates, error)) {
      return;
    }
    if (!detail::view_operand(operation, at.output, detail::output_of(layouts_), "output", output, error)) return;
    const detail::running_call<Ex, tensor_view<T>> call{ex, error, output};
    const auto run_inputs = [&](const auto&... inputs) { Operator::run(call, inputs...); };
    const auto& with_policy = detail::wrapped_as<Index>(indices);
    if constexpr (has_value) {
      const detail::repeated<tensor_view<const T>> value{updates};
      detail::call_in_order<Operator, value_at>(run_inputs, data, with_policy, value, rest_);
    } else if constexpr (converts) {
      const detail::converted_updates<tensor_view<const update>> converted{updates};
      detail::call_in_order<Operator, converted_at>(run_inputs, data, with_policy, converted, rest_);
    } else {
      detail::call_in_order<Operator>(run_inputs, data, with_policy, updates, rest_);
    }
  }
  // Calls body(indices) with views of the indices.
  template <class Body>
  constexpr void with_indices(const typename addresses::index_address& at, const Body& body, status& error) const {
    if constexpr (has_tensors) {
      tensor_view<const index> views[max_rank + 1];
      const std::span<const strided_layout> layouts = layouts_.indices();
      if (at.size() != layouts.size()) {
        detail::refuse(error, errc::rank_mismatch, operation, "indices", " holds {0} tensors, expected {1}",
                       {saturate(at.size()), saturate(layouts.size())});
        return;
      }
      for (std::size_t j = 0; j < layouts.size(); ++j) {
        if (!detail::view_operand(operation, at[j], layouts[j], "indices", views[j], error)) return;
      }
      body(std::span<const tensor_view<const index>>(views, layouts.size()));
    } else if constexpr (has_indices) {
      tensor_view<const index> view;
      if (detail::view_operand(operation, at, layouts_.indices, "indices", view, error)) body(view);
    } else {
      body(detail::no_operand{});
    }
  }

  layouts_type layouts_{};
  std::tuple<Rest...> rest_{};
  STREW_NO_UNIQUE_ADDRESS std::conditional_t<is_planned, dense_parts, detail::no_operand> dense_{};
};

}  // namespace strew

#endif  // STREW_EXECUTION_PREPARED_SCATTER_HPP
