// SPDX-License-Identifier: Apache-2.0
// The loops of reductions: a set for each element type and reduction.
#ifndef STREW_DETAIL_KERNELS_REDUCE_TABLE_HPP
#define STREW_DETAIL_KERNELS_REDUCE_TABLE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/count_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/multi_index_buckets.hpp>
#include <strew/detail/kernels/own_positions.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/state_runs.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/reduction_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T, int Value>
inline constexpr T identity_of = static_cast<T>(Value);

template <class T, class R>
constexpr table_merge make_table_merge() noexcept {
  if constexpr (!merges_exactly<T, R>) {
    return {};
  } else if constexpr (std::is_same_v<R, reduction::sum_type>) {
    return {true, &identity_of<T, 0>};
  } else if constexpr (std::is_same_v<R, reduction::prod_type>) {
    return {true, &identity_of<T, 1>};
  } else {
    return {true, nullptr};
  }
}

struct scatter_part;

// The steps of a reduction that keeps states: see reduction_steps.hpp. What there is none of is null.
struct reduction_steps {
  using divide_function = void (*)(char* to, std::int64_t to_stride, char* counts, std::int64_t count_stride,
                                   std::int64_t elements, count_round& round) noexcept;

  const reduce_loops* first;  // stores the identity at all targets
  const reduce_loops* plain;
  bool (*keeps_first_updates)(const scatter_part& part) noexcept = nullptr;  // null: it always does
  divide_function divide = nullptr;                                          // by counts of a byte
};

// Whether the updates of a part that are first keep their bits, see reduce_in_steps.hpp.
template <class T>
bool keeps_first_updates(const scatter_part& part) noexcept;

// The loops of a step, in one table for all executors.
template <class T, class R, class Integer, bool IsDirect>
constexpr reduce_loops make_step_loops() noexcept {
  reduce_loops loops{reduce_elements<T, R>, reduce_rows<T, R>, nullptr, state_layout::none, 0, reduce_line<T, R>};
  loops.integer_size = static_cast<int>(sizeof(Integer));
  if constexpr (IsDirect && !converts_elements<T, R>) loops.direct = reduce_direct<T, R, Integer>;
  return loops;
}
template <class T, class R, class Integer, bool IsDirect>
inline constexpr reduce_loops step_loops_of = make_step_loops<T, R, Integer, IsDirect>();

template <class T, class R, class Integer, bool IsDirect>
constexpr reduction_steps make_reduction_steps() noexcept {
  using of = reduction_steps_of<R>;
  using plain = typename of::plain;
  reduction_steps steps{nullptr, &step_loops_of<T, plain, Integer, IsDirect>};
  if constexpr (of::omits_init) steps.first = &step_loops_of<T, start_of<T, plain>, Integer, IsDirect>;
  if constexpr (checks_first_updates<T, R>) {
    steps.keeps_first_updates = keeps_first_updates<T>;
  }
  if constexpr (of::divides) {
    steps.divide = divide_by_counts<T, R>;
  }
  return steps;
}
template <class T, class R, class Integer, bool IsDirect>
inline constexpr reduction_steps reduction_steps_with = make_reduction_steps<T, R, Integer, IsDirect>();

// The loops that count updates.
template <bool Repeats>
constexpr reduce_loops make_count_loops() noexcept {
  reduce_loops loops{count_updates<Repeats>, count_updates<Repeats>, nullptr, state_layout::rows, sizeof(byte_count)};
  loops.read_own = own_positions::read;
  if constexpr (!Repeats) {
    loops.integer_size = 8;
    loops.states = count_run;
  }
  return loops;
}
template <bool Repeats>
inline constexpr reduce_loops count_loops_of = make_count_loops<Repeats>();

template <class T, class R, std::size_t Width>
inline constexpr bucket_loops reduce_buckets_of{scatter_by_buckets<index_source>, fill_buckets<Width>,
                                                reduce_bucket<T, R>};

template <class T, class R, class Integer, scatter_features Reach>
constexpr reduce_loops make_reduce_loops() noexcept {
  using how = reduction_step<T, R>;
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return assign_loops_of<(sizeof(T) <= 64 ? sizeof(T) : any_width), Integer, Reach>;
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {add_scaled<T>, add_scaled<T>, nullptr, state_layout::none, 0, add_scaled_line<T>};
  } else if constexpr (how::grid != state_layout::none) {
    static_assert(
        sizeof(typename how::state) <= tuning::states_on_stack,
        "strew: the accumulator of strew::reduction::floating is larger than the stack that is used for some");
    reduce_loops loops{reduce_elements<T, R>, reduce_rows<T, R>, nullptr, how::grid, sizeof(typename how::state)};
    if constexpr (how::finishes) loops.finish = finish_states<T, R>;
    loops.read_own = own_positions::read;
    if constexpr (wrapping_integer<T> && R::kind == reduction_kind::mean && Reach.direct) {
      loops.integer_size = static_cast<int>(sizeof(Integer));
      loops.states = add_to_states<T, Integer>;
    }
    if constexpr (has_steps<T, R>()) loops.steps = &reduction_steps_with<T, R, Integer, Reach.direct>;
    return loops;
  } else {
    reduce_loops loops{reduce_elements<T, R>, reduce_rows<T, R>, nullptr, state_layout::none, 0, reduce_line<T, R>};
    loops.integer_size = static_cast<int>(sizeof(Integer));
    if constexpr (Reach.direct && !converts_elements<T, R>) {
      loops.direct = reduce_direct<T, R, Integer>;
      loops.checked = reduce_checked<T, R, Integer>;
    }
    loops.merge = make_table_merge<T, R>();
    loops.read_own = index_reader::read_own_in_turn;
    loops.keeps_order = !named_reduction<R>;
    // No operator on elements has the reduction sub.
    constexpr bool has_tiles = named_reduction<R> && !std::is_same_v<R, reduction::sub_type>;
    if constexpr (Reach.kind == scatter_kind::element && has_tiles && divides_tiles(sizeof(T))) {
      loops.tiles.width = static_cast<std::int64_t>(sizeof(T));
      loops.tiles.tile = reduce_tile_rows<T, R, Integer>;
    }
    if constexpr (Reach.memory && named_reduction<R> && sizeof(T) <= tuning::widest_bucketed) {
      loops.buckets = &reduce_buckets_of<T, R, sizeof(T)>;
      if constexpr (Reach.kind == scatter_kind::row) {
        if constexpr (buckets_have_rows<T>) loops.row_buckets = &reduce_buckets_of<T, R, any_width>;
        loops.multi_indices = scatter_by_buckets<multi_index_numbers>;
      }
    }
    return loops;
  }
}
template <class T, class R, class Integer, scatter_features Reach>
inline constexpr reduce_loops reduce_loops_of = make_reduce_loops<T, R, Integer, Reach>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_TABLE_HPP
