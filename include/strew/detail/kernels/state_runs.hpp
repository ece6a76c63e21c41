// SPDX-License-Identifier: Apache-2.0
// The innermost loops over updates that change states only, not elements: they read contiguous indices in place, in any
// order.
#ifndef STREW_DETAIL_KERNELS_STATE_RUNS_HPP
#define STREW_DETAIL_KERNELS_STATE_RUNS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/own_positions.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A run of contiguous indices on one axis that are integers of the loops, and its updates: the state of update i is
// `stride` bytes after that of the one before, and `step` bytes after that of the owned coordinate before.
struct state_run {
  const char* indices;
  std::int64_t count;
  char* states;
  std::int64_t stride;
  std::int64_t step;
  const char* from;
  std::int64_t from_stride;
  std::int64_t ahead;  // how many updates ahead states are prefetched
};

// Calls body(state, update) for each update whose target is owned.
template <class Integer, class Body>
STREW_INLINE void for_each_of_run(const state_run& of, const target_axis& axis, const Body& body) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  const state_run run = of;  // copies: stores of states may alias them
  const axis_range owned = axis.owned;
  const std::int64_t wrapped = axis.wraps ? axis.extent : 0;
  const auto state = [&](std::int64_t i) {
    const auto index = static_cast<std::int64_t>(load<Integer>(run.indices + i * size));
    const std::int64_t target = index + (index < 0 ? wrapped : 0) - owned.begin;
    return run.states + i * run.stride + target * run.step;
  };
  if (axis.owns_all()) {
    std::int64_t i = 0;
    for (const std::int64_t end = run.ahead > 0 ? run.count - run.ahead : 0; i < end; ++i) {
      prefetch_to_write(state(i + run.ahead), 0);
      body(state(i), run.from + i * run.from_stride);
    }
    for (; i < run.count; ++i) body(state(i), run.from + i * run.from_stride);
    return;
  }
  std::uint16_t number[tuning::positions];
  const std::int64_t block = tuning::limits().used_positions;
  for (std::int64_t i = 0; i < run.count; i += block) {
    const std::int64_t some = run.count - i < block ? run.count - i : block;
    const std::int64_t kept = find_own_positions<Integer>(run.indices + i * size, some, owned, number);
    for (std::int64_t k = 0; k < kept; ++k) body(state(i + number[k]), run.from + (i + number[k]) * run.from_stride);
  }
}

// Adds integers to the sums of a mean.
template <class T, class Integer>
void add_to_states(const void*, const state_run& run, const target_axis& axis) noexcept {
  STREW_RAN("add_to_states", type_name<T>, sizeof(Integer));
  using how = reduction_step<T, reduction::mean_type>;
  for_each_of_run<Integer>(run, axis, [](char* state, const char* update) {
    auto kept = load_element<typename how::state>(state);
    T unused{};
    how::apply(reduction::mean, unused, load_element<T>(update), kept);
    store_element(state, kept);
  });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_STATE_RUNS_HPP
