// SPDX-License-Identifier: Apache-2.0
// The innermost loops of reductions that also store which update an element holds.
#ifndef STREW_DETAIL_KERNELS_POSITION_LOOPS_HPP
#define STREW_DETAIL_KERNELS_POSITION_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/typed/winning_update.hpp>
#include <strew/operators/reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What these loops are called with in the place of a reduction: update i of a run has the number first + i * step. The
// states of the run are the numbers of the output, integers of `size` bytes.
struct numbered_run {
  std::int64_t first;
  std::int64_t step;
  std::int64_t size;
};

STREW_INLINE void store_number(char* to, std::int64_t number, std::int64_t size) noexcept {
  const auto put = [&](auto value) { std::memcpy(to, &value, sizeof value); };
  switch (size) {
    case 1:
      return put(static_cast<std::uint8_t>(number));
    case 2:
      return put(static_cast<std::uint16_t>(number));
    case 4:
      return put(static_cast<std::uint32_t>(number));
    default:
      return put(number);
  }
}

// Applies updates, each to all elements of its row. replace(to, from) combines one and returns whether it won.
template <class Replace>
STREW_INLINE void for_each_numbered(const void* of, const update_run& given, const row_run& elements,
                                    const Replace& replace) noexcept {
  const numbered_run numbers = *static_cast<const numbered_run*>(of);
  const update_run run = given;  // copies: stores of char may alias them
  const row_run row = elements;
  for (std::int64_t k = 0; k < run.count; ++k) {
    const std::int64_t i = run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
    const std::int64_t number = numbers.first + i * numbers.step;
    char* to = run.to + i * run.to_stride + run.offset[i];
    const char* from = run.from + i * run.from_stride;
    char* stored = run.states + i * run.state_stride + run.state_offset[i];
    for (std::int64_t j = row.extent;;) {
      if (replace(to, from)) store_number(stored, number, numbers.size);
      if (--j <= 0) break;  // before addresses leave the operands
      to += row.to_stride;
      from += row.from_stride;
      stored += row.state_stride;
    }
  }
}

template <class T, class R>
void reduce_numbered(const void* of, const update_run& run, const row_run& row) noexcept {
  STREW_RAN("reduce_numbered", type_name<T>, reduction_name<R>);
  for_each_numbered(of, run, row, [](char* to, const char* from) {
    if constexpr (std::is_same_v<T, bool>) {  // every byte but 0 is true, and results are 0 or 1
      const bool current = *to != 0;
      const bool won = wins<R>(current, *from != 0);
      *to = static_cast<char>(current != won);
      return won;
    } else {
      const bool won = wins<R>(load<T>(to), load<T>(from));
      if (won) move_element<sizeof(T)>(to, from, 0);
      return won;
    }
  });
}
template <std::size_t Width>
void assign_numbered(const void* of, const update_run& run, const row_run& row) noexcept {
  STREW_RAN("assign_numbered", Width);
  for_each_numbered(of, run, row, [&](char* to, const char* from) {
    move_element<Width>(to, from, row.unit);
    return true;
  });
}

template <std::size_t Width>
inline constexpr reduce_loops assigning_position_loops_of{assign_numbered<Width>, assign_numbered<Width>, nullptr,
                                                          state_layout::none, 0};
template <class T, class R>
inline constexpr reduce_loops position_loops_of{reduce_numbered<T, R>, reduce_numbered<T, R>, nullptr,
                                                state_layout::none, 0};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_POSITION_LOOPS_HPP
