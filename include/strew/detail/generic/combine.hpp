// SPDX-License-Identifier: Apache-2.0
// The scatter in which updates meet what is there, or in which tuples name places, as plain loops over a type: for
// constant evaluation, for elements that are more than their bytes, and for reductions that may throw.
#ifndef STREW_DETAIL_GENERIC_COMBINE_HPP
#define STREW_DETAIL_GENERIC_COMBINE_HPP

#include <strew/config.hpp>
#include <strew/detail/combination.hpp>
#include <strew/detail/generic/calls.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/element.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::generic {

// Where a position leads: offsets in the output and in the cells. False where it is dropped or another part's.
template <class Source>
constexpr bool find_target(const Source& source, const target_rules& rules, const scatter_space& space,
                           const scatter_plan& plan, std::int64_t number, std::int64_t index_offset,
                           std::int64_t& output, std::int64_t& cell) noexcept {
  const int first = space.axes.first;
  const auto step_to = [&](int j, std::int64_t coordinate) {
    output += coordinate * plan.weight[j];
    cell += (coordinate - plan.owned[j].begin) * plan.cell_weight[j];
    return plan.owned[j].contains(coordinate);
  };
  const auto resolve = [&](int j, std::int64_t extent) {
    const std::int64_t offset = rules.by == naming::views ? offset_of_number(source.layout(j), number) : index_offset;
    return resolve_index(source.bits(j, offset), source.is_unsigned(j), extent, rules.rule, rules.policy);
  };
  if (rules.by == naming::number) {
    std::int64_t rest = resolve(0, space.output.size());
    if (rest == out_of_bounds) return false;
    bool is_owned = true;
    for (int k = space.output.rank(); k-- > 0;) {
      is_owned = step_to(k, rest % space.output.extent(k)) && is_owned;
      rest /= space.output.extent(k);
    }
    return is_owned;
  }
  bool is_owned = true;
  for (int j = 0; j < source.count(); ++j) {
    const std::int64_t coordinate = resolve(j, space.output.extent(first + j));
    if (coordinate == out_of_bounds) return false;
    is_owned = step_to(j, coordinate) && is_owned;
  }
  return is_owned;
}

// One update. Callables are given what a bool stands for, see is_true.
template <class T, class R>
constexpr void apply(const R& reduce, T& element, const T& update, typename combination<T, R>::cell& cell) {
  if constexpr (std::is_same_v<T, bool>) {
    bool value = is_true(element);
    combination<T, R>::apply(reduce, value, is_true(update), cell);
    element = value;
  } else {
    combination<T, R>::apply(reduce, element, update, cell);
  }
}

template <class T, class Source, class R>
constexpr void run_combine(const scatter_plan& plan, const Source& source, const target_rules& rules,
                           const scatter_space& space, T* to, const T* from, typename combination<T, R>::cell* cells,
                           const R& reduce) {
  using p = scatter_plan;
  typename combination<T, R>::cell unused{};
  for (nest_cursor<4> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    std::int64_t number = 0;
    for (nest_cursor<4> at(plan.positions, 0, outer.position()); !at.done(); at.next(), ++number) {
      std::int64_t output = at[p::output];
      std::int64_t cell = at[p::cell];
      if (!find_target(source, rules, space, plan, number, at[p::index], output, cell)) continue;
      for (nest_cursor<4> row(plan.row, 0, {}); !row.done(); row.next()) {
        generic::apply(reduce, to[output + row[p::output]], from[at[p::updates] + row[p::updates]],
                       cells == nullptr ? unused : cells[cell + row[p::cell]]);
      }
    }
  }
}

// Checks all indices; `extents` are those of the target axes, or the number of elements.
template <class Source>
constexpr bool check_targets(const Source& source, const target_rules& rules, int first_axis, const index_list& extents,
                             status& error) noexcept {
  if (source.layout(0).empty() || !needs_check(rules, extents)) return true;
  const auto bits = [&](int j, const index_list& coordinate) {
    return source.bits(j, source.layout(j).offset(coordinate));
  };
  const auto is_unsigned = [&](int j) { return source.is_unsigned(j); };
  return refuse_first_bad_target(rules, source.layout(0), source.count(), first_axis, extents, bits, is_unsigned,
                                 error);
}

// What of a checked scatter lies in a box.
template <class T, class Source, class R>
constexpr void combine_part(const scatter_space& space, const Source& source, const target_rules& rules,
                            const box& part, T* to, const T* from, const R& reduce) {
  using how = combination<T, R>;
  using cell = typename how::cell;
  if constexpr (how::grid == cell_grid::none) {
    scatter_plan plan;
    plan_scatter(space, part, cell_grid::none, plan);
    if (!plan.empty()) run_combine<T>(plan, source, rules, space, to, from, static_cast<cell*>(nullptr), reduce);
  } else {
    std::int64_t capacity = tuning::typed_cells;
    if (!std::is_constant_evaluated()) capacity = tuning::limits().used_typed_cells;
    STREW_EXPECT(capacity >= 1 && capacity <= tuning::typed_cells);
    for_each_window(space, cell_grid::elements, part, capacity, [&](const box& window) {
      scatter_plan plan;
      plan_scatter(space, window, cell_grid::elements, plan);
      if (plan.empty()) return;
      cell cells[static_cast<std::size_t>(tuning::typed_cells)] = {};
      run_combine<T>(plan, source, rules, space, to, from, static_cast<cell*>(cells), reduce);
      if constexpr (how::finishes) {
        for (nest_cursor<2> at(plan.all, 0, plan.first_of_all); !at.done(); at.next()) {
          if (how::is_unfinished(cells[at[1]])) how::finish(to[at[0]], cells[at[1]]);
        }
      }
    });
  }
}

}  // namespace strew::detail::generic

#endif  // STREW_DETAIL_GENERIC_COMBINE_HPP
