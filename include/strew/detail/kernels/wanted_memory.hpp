// SPDX-License-Identifier: Apache-2.0
// The size of the workspace of a request, before it runs: the bytes that its kernels would use; and the bytes of its
// operands, by which it is limited. For executors that allocate their workspace (heap_workspace.hpp).
#ifndef STREW_DETAIL_KERNELS_WANTED_MEMORY_HPP
#define STREW_DETAIL_KERNELS_WANTED_MEMORY_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernels/multi_index_buckets.hpp>
#include <strew/detail/kernels/plain_kernels.hpp>
#include <strew/detail/kernels/private_copy.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/tiles.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/private_tables.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/plan/workspace_bytes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/reduction_steps.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The uses of memory by the kernels of a call.
struct memory_uses {
  bool buckets = false;
  bool row_buckets = false;  // for rows of any length, not only the size of an element
  bool tiles = false;
  bool shares = false;  // whether threads may have tables of their own
  bool assigns = false;
  state_layout grid = state_layout::none;
  std::int64_t state_size = 0;
  // The bytes of a state with which a reduction takes no more passes, by the numbers of updates and elements; null: the
  // size of the state.
  std::int64_t (*bytes_of_state)(std::int64_t updates, std::int64_t elements) noexcept = nullptr;
};
constexpr memory_uses uses_of_plain_scatter(const operation_rules& rules, std::int64_t element_size) noexcept {
  return {.buckets = true,
          .tiles = !rules.names_rows() && divides_tiles(element_size) && element_size <= 16,
          .assigns = true};
}
// For an assignment by a scatter that is not plain.
constexpr memory_uses uses_of_assignment(bool has_rows, std::int64_t element_size) noexcept {
  const bool sorts = has_rows && element_size <= static_cast<std::int64_t>(tuning::widest_bucketed) &&
                     (element_size & (element_size - 1)) == 0;
  return {.buckets = sorts, .row_buckets = sorts, .assigns = true};
}
template <class T, class R>
constexpr memory_uses uses_of_reduction(bool has_rows) noexcept {
  using how = reduction_step<T, R>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return uses_of_assignment(has_rows, size);
  } else if constexpr (!named_reduction<R>) {
    return {};
  } else if constexpr (how::grid != state_layout::none) {
    return {.grid = how::grid,
            .state_size = static_cast<std::int64_t>(sizeof(typename how::state)),
            .bytes_of_state = bytes_of_state<T, R>};
  } else {
    constexpr bool sorts = sizeof(T) <= tuning::widest_bucketed;
    return {.buckets = sorts,
            .row_buckets = sorts && has_rows,
            .tiles = !has_rows && divides_tiles(size),
            .shares = merges_exactly<T, R>};
  }
}
// For any call of an operator whose reduction is known.
template <const operation_rules& Rules, class T, class R>
constexpr memory_uses uses_of_call(index_policy policy) noexcept {
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    if (is_plain_scatter(Rules.by, Rules.rule, policy, reduction_kind::none)) {
      return uses_of_plain_scatter(Rules, sizeof(T));
    }
  }
  return uses_of_reduction<T, R>(Rules.names_rows());
}
template <class T, class R>
constexpr memory_uses uses_of_either(bool has_rows, bool include_init) noexcept {
  if constexpr (can_reduce<T, R>()) {
    return include_init ? uses_of_reduction<T, R>(has_rows)
                        : uses_of_reduction<T, reduction::without_init_type<R>>(has_rows);
  } else {
    return {};
  }
}
// For a reduction that is known at run time only; none if the elements lack it.
inline memory_uses uses_of(const operation_rules& rules, const erased::call_type& call) noexcept {
  const bool has_rows = rules.names_rows();
  const erased::reduction_choice& named = call.named;
  if (is_plain_scatter(rules.by, rules.rule, call.policy, named.kind)) {
    return uses_of_plain_scatter(rules, call.element_size);
  }
  if (named.kind == reduction_kind::none) return uses_of_assignment(has_rows, call.element_size);
  memory_uses found;
  with_element_type({named.of, call.element_size}, [&]<class T>() {
    switch (named.kind) {
      case reduction_kind::mean:
        found = uses_of_either<T, reduction::mean_type>(has_rows, named.include_init);
        break;
      case reduction_kind::min:
      case reduction_kind::max:
        found = uses_of_either<T, reduction::max_type>(has_rows, named.include_init);
        break;
      default:
        found = uses_of_either<T, reduction::sum_type>(has_rows, named.include_init);
    }
    return true;
  });
  if (named.skips_nan && found.grid != state_layout::none) {  // see step_without_nan
    found.grid = state_layout::elements;
    found.bytes_of_state = nullptr;
  }
  return found;
}

// ---- The operands

// The bytes of the elements of a layout; those along axes of stride 0 are counted once.
constexpr std::uint64_t bytes_held(const strided_layout& layout, std::int64_t size) noexcept {
  if (layout.empty()) return 0;
  std::uint64_t count = 1;
  for (int k = 0; k < layout.rank(); ++k) {
    if (layout.stride(k) != 0) count = saturating_multiply(count, static_cast<std::uint64_t>(layout.extent(k)));
  }
  const std::uint64_t span = static_cast<std::uint64_t>(layout.highest_offset() - layout.lowest_offset()) + 1;
  return saturating_multiply(count < span ? count : span, static_cast<std::uint64_t>(size));
}

constexpr std::int64_t size_of_index(index_type type) noexcept {
  return std::int64_t{1} << (static_cast<int>(type) % 4);
}

// The bytes of the elements and indices of a call.
constexpr std::uint64_t bytes_of_operands(const erased::request& call) noexcept {
  const std::int64_t size = call.type.element_size;
  std::uint64_t bytes =
      saturating_add(bytes_held(*call.output.layout, size), bytes_held(*call.updates.layout, call.type.updates_size));
  if (!call.is_in_place()) bytes = saturating_add(bytes, bytes_held(*call.data.layout, size));
  for (int j = 0; j < call.type.components; ++j) {
    const erased::index_operand& from = call.indices[j];
    bytes = saturating_add(bytes, bytes_held(*from.layout, size_of_index(from.loops->type)));
  }
  return bytes;
}

// ---- The kernels

// The dense plan of a call; false if it has none. Addresses are not compared.
constexpr bool plan_dense_call(const erased::request& call, dense_plan& plan) noexcept {
  const operation_rules& rules = call.type.rules;
  const scatter_layouts at = layouts_of(call);
  const std::int64_t size = call.type.element_size;
  if (call.type.components != 1) {
    multi_index_numbers multi_indices;
    if (call.type.components == 0 || !at.data.is_row_major() || !at.output.is_row_major() ||
        !at.updates.is_row_major() || !find_multi_index_numbers(call, multi_indices)) {
      return false;
    }
    std::int64_t rows = 1;
    for (int j = 0; j < call.type.components; ++j) rows *= at.output.extent(j);
    plan = {
        1, rows, at.indices.size(), at.output.size() / rows, size, at.output.size() * size, at.updates.size() * size,
        0};
    return true;
  }
  if (rules.by == addressing::numbers && at.output.rank() != 1) return false;
  const index_list first_axis(0);
  return plan_dense({!rules.names_rows(), rules.axis_may_exceed_data}, at,
                    call.axis != nullptr ? *call.axis : first_axis, {size, size_of_index(call.indices[0].loops->type)},
                    plan);
}
// Bytes for sorting updates into buckets.
constexpr std::uint64_t bytes_for_buckets(const erased::request& call, const memory_uses& uses,
                                          std::int64_t threads) noexcept {
  dense_plan plan;
  if (!plan_dense_call(call, plan)) return 0;
  if (call.type.rules.names_rows() && !uses.row_buckets && !are_row_elements(plan.width, plan.inner)) return 0;
  return bucket_workspace(series_of(call, plan).problem,
                          call.type.components > 1 ? direct_stores::others : direct_stores::along_axis,
                          static_cast<std::size_t>(threads));
}

// Bytes for tiles that are wider than those on the stack.
constexpr std::uint64_t bytes_for_tiles(const erased::request& call, int axis, std::int64_t threads) noexcept {
  if (call.is_in_place() || call.type.rules.by != addressing::elements || call.type.policy != index_policy::error)
    return 0;
  const std::int64_t rows = call.output.layout->extent(axis);
  // A part may have updates in all of its lanes.
  box covered(call.output.layout->extents());
  for (int k = 0; k < call.output.layout->rank(); ++k) {
    if (k != axis) covered.narrow(k, {0, call.indices[0].layout->extent(k)});
  }
  scatter_plan plan;
  plan.unit = plan.updates_unit = call.type.element_size;
  plan.index_unit = size_of_index(call.indices[0].loops->type);
  plan_scatter({false,
                false,
                false,
                {axis, 1},
                *call.indices[0].layout,
                *call.updates.layout,
                *call.output.layout,
                call.data.layout},
               covered, state_layout::none, plan);
  if (plan.empty() || !may_tile(plan, *call.indices[0].loops) || !pays_to_tile(plan)) return 0;
  const std::int64_t best = best_tile_width(rows, int64_max);
  if (best_tile_width(rows, tuning::limits().used_tile_on_stack) == best) return 0;
  return workspace_size(saturating_multiply(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(best)),
                        static_cast<std::size_t>(threads));
}

// Bytes for the states of elements or rows.
constexpr std::uint64_t bytes_for_states(const erased::request& call, const target_axes& axes, const memory_uses& uses,
                                         std::int64_t threads) noexcept {
  const strided_layout& output = *call.output.layout;
  const std::int64_t state_size = uses.bytes_of_state == nullptr
                                      ? uses.state_size
                                      : uses.bytes_of_state(call.updates.layout->size(), output.size());
  if (state_size == 0) return 0;
  const box all(output.extents());
  const scatter_space space{call.type.rules.names_rows(), false, false, axes, *call.indices[0].layout,
                            *call.updates.layout,         output};
  state_layout grid = space.has_rows ? uses.grid : state_layout::elements;
  if (grid == state_layout::rows) {  // see reduce_with_states
    scatter_plan whole;
    whole.unit = whole.updates_unit = call.type.element_size;
    whole.state_unit = state_size;
    plan_scatter(space, all, grid, whole);
    if (!has_states_of_rows(whole)) grid = state_layout::elements;
  }
  const std::int64_t states = count_states(space, grid, all);
  if (states <= tuning::limits().used_states / state_size) return 0;
  const std::uint64_t bytes =
      saturating_multiply(static_cast<std::uint64_t>(states), static_cast<std::uint64_t>(state_size));
  if (threads < 2) return bytes + 2 * scratch_memory::alignment;
  // Parts of different sizes get equal shares, hence twice the bytes.
  const std::uint64_t parts =
      saturating_multiply(static_cast<std::uint64_t>(threads), static_cast<std::uint64_t>(tuning::most_parts_a_thread));
  return saturating_add(saturating_multiply(bytes, 2), saturating_multiply(parts, 2 * scratch_memory::alignment));
}

// Bytes for private copies of the output; its size has no overflow.
constexpr std::uint64_t bytes_for_private_tables(const erased::request& call, const target_axes& axes,
                                                 const memory_uses& uses, std::int64_t threads) noexcept {
  const std::int64_t output_bytes = call.output.layout->size() * call.type.element_size;
  if (!may_copy_privately(call, uses.assigns) || (threads > 1 && !runs_as_one_part(call, axes, false))) {
    return 0;
  }
  const strided_layout& indices = *call.indices[0].layout;
  const std::int64_t shares = uses.shares && indices.rank() == 1 ? most_shares(indices.size(), threads) : 1;
  return private_tables(output_bytes, shares, call.is_in_place()).workspace();
}

// The bytes of the workspace with which a scatter by indices is fastest on `threads` threads; 0 if none helps, and if
// its shapes are illegal. O(rank).
constexpr std::uint64_t wanted_memory(const erased::request& call, reachable_loops::validate_function validate,
                                      const memory_uses& uses, std::int64_t threads) noexcept {
  const strided_layout& output = *call.output.layout;
  const tuning::thresholds& limits = tuning::limits();
  const std::uint64_t output_bytes = saturating_multiply(static_cast<std::uint64_t>(output.size()),
                                                         static_cast<std::uint64_t>(call.type.element_size));
  const bool has_states = uses.grid != state_layout::none;
  const std::int64_t least = limits.tiled_from < limits.bucketed_from ? limits.tiled_from : limits.bucketed_from;
  // Asked before anything is validated: a small call needs no more.
  const bool may_be_private = !has_states && call.type.components > 0 &&
                              output_bytes <= static_cast<std::uint64_t>(limits.largest_private_copy) &&
                              pays_to_copy_privately(call, static_cast<std::int64_t>(output_bytes));
  const bool needs_none = has_states ? output.size() <= limits.used_states / uses.state_size
                                     : output_bytes < static_cast<std::uint64_t>(least);
  if (needs_none && !may_be_private) return 0;
  status unused;
  target_axes axes{};
  if (output.empty() || call.updates.layout->empty() || !validate(call, {}, axes, unused)) return 0;
  if (may_be_private) {
    const std::uint64_t bytes = bytes_for_private_tables(call, axes, uses, threads);
    if (bytes > 0 || needs_none) return bytes;
  }
  if (has_states) return bytes_for_states(call, axes, uses, threads);
  const std::uint64_t bytes = uses.buckets ? bytes_for_buckets(call, uses, threads) : 0;
  return bytes == 0 && uses.tiles ? bytes_for_tiles(call, axes.first, threads) : bytes;
}

// The bytes for a call on row-major tensors of such extents, in place or not: what takes more. `positions`: the extents
// of the indices, without the last axis of multi-indices, of which `components` address a target together.
struct dense_extents {
  const index_list& data;
  const index_list& positions;
  const index_list& axis;
  int components;
};
template <const operation_rules& Rules>
constexpr std::uint64_t wanted_memory(const dense_extents& of, std::int64_t element_size, const memory_uses& uses,
                                      std::int64_t threads) noexcept {
  index_list extents;
  status unused;
  strided_layout data;
  strided_layout indices;
  strided_layout updates;
  const auto size = static_cast<std::size_t>(element_size);
  if (of.components < 1 || of.components > max_rank || of.data.overflowed() || of.positions.overflowed() ||
      !find_scatter_updates<Rules.by>(Rules, of.data, of.positions, &of.axis, of.components, extents, unused) ||
      !strided_layout::try_make(of.data, size, data).ok() || !strided_layout::try_make(extents, size, updates).ok() ||
      !strided_layout::try_make(of.positions, sizeof(std::int64_t), indices).ok()) {
    return 0;
  }
  erased::index_operand all[max_rank] = {};
  for (int j = 0; j < of.components; ++j) all[j] = {nullptr, &indices, &index_type_alone<std::int64_t>};
  const erased::call_type type{Rules, element_size, element_size, index_policy::error, false, nullptr, of.components};
  std::uint64_t most = 0;
  char there[2] = {};
  for (const int apart : {0, 1}) {
    const erased::request call{type, {there, &data}, {nullptr, &updates}, {there + apart, &data}, all, {&of.axis}};
    const std::uint64_t bytes = wanted_memory(call, validate<Rules.by>, uses, threads);
    if (bytes > most) most = bytes;
  }
  return most;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_WANTED_MEMORY_HPP
