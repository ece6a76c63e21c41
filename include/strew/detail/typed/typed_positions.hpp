// SPDX-License-Identifier: Apache-2.0
// Loops over a type for reductions that also store which update an element holds.
#ifndef STREW_DETAIL_TYPED_TYPED_POSITIONS_HPP
#define STREW_DETAIL_TYPED_TYPED_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_positions.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/detail/typed/winning_update.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

namespace typed {

// Combines an element with an update; returns whether it won.
template <class R, class T>
constexpr bool replace_if_it_wins(T& element, const T& update) {
  if constexpr (std::is_same_v<T, bool> && !std::is_same_v<R, reduction::none_type>) {
    const bool current = is_true(element);
    const bool won = wins<R>(current, is_true(update));
    element = current != won;
    return won;
  } else {
    const bool won = wins<R>(element, update);
    if (won) strew::detail::assign(element, update);
    return won;
  }
}

// Runs a checked scatter within a box. Numbers have the places of data in the plan.
template <class R, class Call>
constexpr void run_part_with_positions(const index_constraint& constraint, const Call& call, const box& part) {
  using p = scatter_plan;
  const auto& numbers = call.reduce.numbers;
  using integer = std::remove_cvref_t<decltype(*numbers.data())>;
  loop_nest<1> all;
  per_operand<1> first{};
  for (int k = 0; k < numbers.rank(); ++k) {
    first[0] += part[k].begin * numbers.stride(k);
    all.add_inner(part[k].count, {numbers.stride(k)});
  }
  for (nest_cursor<1> at(all, 0, first); !at.done(); at.next()) numbers.data()[at[0]] = static_cast<integer>(-1);

  const scatter_space space{constraint.rules.names_rows(),
                            true,
                            false,
                            constraint.axes,
                            call.where.layout(0),
                            call.updates.layout(),
                            constraint.output,
                            &numbers.layout()};
  scatter_plan plan;
  plan.updates_unit = 1;
  plan_scatter(space, part, state_layout::none, plan);
  if (plan.empty()) return;
  std::int64_t begin = 0;
  for (int j = 0; j < plan.axes; ++j) {
    plan.state_step[j] = step_along(numbers.layout(), space.axes.first + j);
    begin += scaled(plan.axis[j].owned.begin, plan.state_step[j]);
  }
  for (nest_cursor<4> column(plan.columns, 0, plan.first); !column.done(); column.next()) {
    std::int64_t number = 0;
    for (nest_cursor<4> at(plan.positions, 0, column.position()); !at.done(); at.next(), ++number) {
      target_offsets target{at[p::output], at[p::data] + begin};
      if (!find_target(constraint, call.where, plan, {number, at[p::index]}, target)) continue;
      for (nest_cursor<4> lane(plan.lanes, 0, {}); !lane.done(); lane.next()) {
        if (replace_if_it_wins<R>(call.output.data()[target.output + lane[p::output]],
                                  call.updates.data()[at[p::updates] + lane[p::updates]])) {
          numbers.data()[target.state + lane[p::data]] = static_cast<integer>(number);
        }
      }
    }
  }
}

// Checks the numbers of a call, whose other operands were checked.
template <class Call>
constexpr bool check_positions_of(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                                  const Call& call, status& error) noexcept {
  const auto& numbers = call.reduce.numbers;
  const auto overlaps = [&](int operand) {
    return operand == 0   ? overlaps_with(numbers, call.data)
           : operand == 1 ? call.where.overlaps_with(numbers)
           : operand == 2 ? overlaps_with(numbers, call.updates)
                          : overlaps_with(numbers, call.output);
  };
  using integer = std::remove_cvref_t<decltype(*numbers.data())>;
  return strew::detail::check_positions<integer>(rules, at, axes, numbers.layout(), overlaps, error);
}

}  // namespace typed

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_TYPED_POSITIONS_HPP
