// SPDX-License-Identifier: Apache-2.0
// The operators as plain loops over a type: for constant evaluation, for elements that cannot be copied as bytes, and
// for reductions that may throw. With `none` elements are only assigned from const T&, one at a time.
#ifndef STREW_DETAIL_TYPED_TYPED_SCATTER_HPP
#define STREW_DETAIL_TYPED_TYPED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The operands of a call. Data, Updates and Output are views, or what stands for them. Where says how the call
// addresses its targets: by indices (front/typed_indices.hpp), or by the types of front/submit_slices.hpp, _masks and
// _caches.
template <index_policy Policy, class Data, class Where, class Updates, class Output, class R>
struct call_operands {
  static constexpr index_policy policy = Policy;

  const Data& data;
  const Where& where;
  const Updates& updates;
  const Output& output;
  const R& reduce;
  const index_list* axis;  // of indices of rows and elements
};

template <class D, class T>
constexpr bool is_same_view(const tensor_view<D>& data, const tensor_view<T>& output) noexcept {
  return data.data() == output.data() && data.layout() == output.layout();
}

namespace typed {

template <class T, class Input>
constexpr overlap_result overlaps_with(const tensor_view<T>& output, const tensor_view<Input>& input) noexcept {
  return strew::detail::find_shared<T, std::remove_const_t<Input>>(output.data(), output.layout(), input.data(),
                                                                   input.layout());
}

// The overlap of each operand with the output.
template <class D, class Updates, class T>
constexpr shared_memory find_shared(const tensor_view<D>& data, const Updates& updates,
                                    const tensor_view<T>& output) noexcept {
  return strew::detail::find_shared(
      is_same_view(data, output), [&] { return overlaps_with(output, data); },
      [&] { return overlaps_with(output, updates); }, 0, [](int) { return overlap_result::no; });
}

// Calls part(box) for the parts of a call. If `ctx` is null there is one part: in constant evaluation, and for elements
// whose assignment may throw, since bodies of executors must not throw.
template <class Part>
constexpr void for_each_part(const execution_context* ctx, const work_shape& job, const Part& part) {
  if (ctx == nullptr) {
    part(box(job.extents));
    return;
  }
  ctx->for_each_part(job, {[](const void* context, const box& cut, const scratch_memory&) noexcept {
                             (*static_cast<const Part*>(context))(cut);
                           },
                           &part});
}

// ---- Copies

// From: a pointer, or what reads updates of another type.
template <class T, class From>
constexpr void run_copy(const copy_plan& plan, T* to, const From& from) {
  const auto run = plan.nest.innermost();
  for (nest_cursor<2> at(plan.nest, 1, plan.first); !at.done(); at.next()) {
    for (std::int64_t i = 0; i < run.extent; ++i) {
      strew::detail::assign(to[at[0] + i * run.strides[0]], from[at[1] + i * run.strides[1]]);
    }
  }
}

// Copies data to the output within the box.
template <class From, class T>
constexpr void copy_data(const box& part, const From& data, const tensor_view<T>& output) {
  copy_plan plan;
  plan_data_copy(data.layout(), output.layout(), part, plan);
  run_copy<T>(plan, output.data(), data.data());
}

// ---- Scatters by indices

// Checks all indices.
template <class Indices>
constexpr bool check_indices(const index_constraint& constraint, const Indices& indices, status& error) noexcept {
  if (indices.layout(0).empty() || !constraint.needs_check()) return true;
  return refuse_first_bad_index(
      constraint, indices.layout(0),
      [&](int j, const index_list& position) { return indices.at(j, indices.layout(j).offset(position)); }, error);
}

// A position: its row-major number and the offset of its index.
struct position_of_index {
  std::int64_t number;
  std::int64_t index_offset;
};
struct target_offsets {
  std::int64_t output;
  std::int64_t state;
};

// Adds the offsets of the target of a position. Returns false if the update is dropped or belongs to another part.
template <class Indices>
constexpr bool find_target(const index_constraint& constraint, const Indices& indices, const scatter_plan& plan,
                           const position_of_index& position, target_offsets& offsets) noexcept {
  bool is_owned = true;
  const auto step_to = [&](int j, std::int64_t place) {
    const target_axis& axis = plan.axis[j];
    offsets.output += place * axis.stride;
    offsets.state += (place - axis.owned.begin) * plan.state_step[j];
    is_owned = axis.owned.contains(place) && is_owned;
  };
  const auto resolve = [&](int j) {
    const std::int64_t offset = constraint.rules.by == addressing::tensors
                                    ? offset_of_number(indices.layout(j), position.number)
                                    : position.index_offset;
    const raw_index index = indices.at(j, offset);
    return resolve_index(index.bits, index.is_unsigned, constraint.extent(j), constraint.rules.rule, constraint.policy);
  };
  if (constraint.rules.by == addressing::numbers) {
    std::int64_t rest = resolve(0);
    if (rest == out_of_bounds) return false;
    for (int k = plan.axes; k-- > 0;) {
      step_to(k, rest % constraint.output.extent(k));
      rest /= constraint.output.extent(k);
    }
    return is_owned;
  }
  for (int j = 0; j < indices.count(); ++j) {
    const std::int64_t place = resolve(j);
    if (place == out_of_bounds) return false;
    step_to(j, place);
  }
  return is_owned;
}

// Applies one update. Callables get bools as is_true reads them.
template <class T, class R>
constexpr void apply(const R& reduce, T& element, const T& update, typename reduction_step<T, R>::state& state) {
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    strew::detail::assign(element, update);
  } else if constexpr (std::is_same_v<T, bool>) {
    bool value = is_true(element);
    reduction_step<T, R>::apply(reduce, value, is_true(update), state);
    element = value;
  } else {
    reduction_step<T, R>::apply(reduce, element, update, state);
  }
}

template <class T, class R, class Call>
constexpr void run_plan(const index_constraint& constraint, const Call& call, const scatter_plan& plan,
                        typename reduction_step<T, R>::state* states) {
  using p = scatter_plan;
  T* const to = call.output.data();
  const auto from = call.updates.data();
  typename reduction_step<T, R>::state unused{};
  for (nest_cursor<4> column(plan.columns, 0, plan.first); !column.done(); column.next()) {
    std::int64_t number = 0;
    for (nest_cursor<4> at(plan.positions, 0, column.position()); !at.done(); at.next(), ++number) {
      target_offsets target{at[p::output], at[p::state]};
      if (!find_target(constraint, call.where, plan, {number, at[p::index]}, target)) continue;
      for (nest_cursor<4> lane(plan.lanes, 0, {}); !lane.done(); lane.next()) {
        typed::apply(call.reduce, to[target.output + lane[p::output]], from[at[p::updates] + lane[p::updates]],
                     states == nullptr ? unused : states[target.state + lane[p::state]]);
      }
    }
  }
}

// Runs a checked scatter within a box.
template <class T, class R, class Call>
constexpr void run_part(const index_constraint& constraint, const Call& call, const box& part) {
  using how = reduction_step<T, R>;
  using state = typename how::state;
  const scatter_space space{constraint.rules.names_rows(),
                            true,
                            true,
                            constraint.axes,
                            call.where.layout(0),
                            call.updates.layout(),
                            constraint.output};
  if constexpr (how::grid == state_layout::none) {
    scatter_plan plan;
    plan.updates_unit = 1;
    plan_scatter(space, part, state_layout::none, plan);
    if (!plan.empty()) run_plan<T, R>(constraint, call, plan, static_cast<state*>(nullptr));
  } else {
    std::int64_t capacity = tuning::typed_states;
    if (!is_constant_evaluated()) capacity = tuning::limits().used_typed_states;
    STREW_EXPECT(capacity >= 1 && capacity <= tuning::typed_states);
    for_each_output_block(space, state_layout::elements, part, capacity, [&](const box& block) {
      scatter_plan plan;
      plan.updates_unit = 1;
      plan_scatter(space, block, state_layout::elements, plan);
      if (plan.empty()) return;
      state states[static_cast<std::size_t>(tuning::typed_states)] = {};
      run_plan<T, R>(constraint, call, plan, static_cast<state*>(states));
      if constexpr (how::finishes) {
        T* const to = call.output.data();
        for (nest_cursor<2> at(plan.all, 0, plan.first_of_all); !at.done(); at.next()) {
          if (how::is_unfinished(states[at[1]])) how::finish(to[at[0]], states[at[1]]);
        }
      }
    });
  }
}

// Of calls that also store which update won, see typed_positions.hpp.
template <class R, class Call>
constexpr void run_part_with_positions(const index_constraint& constraint, const Call& call, const box& part);
template <class Call>
constexpr bool check_positions_of(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                                  const Call& call, status& error) noexcept;

template <const operation_rules& Rules, index_policy Policy, class Data, class Where, class Updates, class T, class R>
constexpr void scatter(const execution_context* ctx,
                       const call_operands<Policy, Data, Where, Updates, tensor_view<T>, R>& call, status& error) {
  shared_memory shared = find_shared(call.data, call.updates, call.output);
  shared.indices = call.where.overlaps_with(call.output);
  index_constraint constraint{Rules, Policy, {}, call.output.layout()};
  const scatter_layouts at{call.data.layout(), call.where.layout(0), call.updates.layout(), call.output.layout()};
  const auto extents_of = [&](int j) -> const index_list& { return call.where.layout(j).extents(); };
  if (!check_scatter<Rules.by>(Rules, at, shared,
                               target_addressing<decltype(extents_of)>{call.axis, call.where.count(), extents_of},
                               constraint.axes, error)) {
    return;
  }
  if constexpr (has_positions<R>) {
    if (!check_positions_of(Rules, at, constraint.axes, call, error)) return;
  }
  if constexpr (!requires { Where::are_legal; }) {  // segments are, as their offsets were checked
    if (!check_indices(constraint, call.where, error)) return;
  }
  const work_shape job{call.output.extents(),
                       call.output.size() + call.updates.size(),
                       sizeof(T),
                       constraint.axes.first,
                       !Rules.names_rows(),
                       false,
                       constraint.axes.count,
                       nullptr,
                       !Rules.names_rows()};
  for_each_part(Rules.by == addressing::numbers ? nullptr : ctx, job, [&](const box& part) {
    if (!shared.in_place) copy_data(part, call.data, call.output);
    if constexpr (has_positions<R>) {
      run_part_with_positions<typename R::reduction_type>(constraint, call, part);
    } else {
      run_part<T, R>(constraint, call, part);
    }
  });
}

}  // namespace typed

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_TYPED_SCATTER_HPP
