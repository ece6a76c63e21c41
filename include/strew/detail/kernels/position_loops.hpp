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
#include <strew/detail/kernels/stream.hpp>
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

// Stores a word if `won`, by a mask: compilers would make branches of conditions, and those of random updates are
// mispredicted half the time.
template <class Word>
STREW_INLINE void store_if(bool won, char* to, Word word) noexcept {
  const auto old = load<Word>(to);
  const auto mask = static_cast<Word>(Word{0} - static_cast<Word>(won));
  const auto stored = static_cast<Word>(old ^ ((old ^ word) & mask));
  std::memcpy(to, &stored, sizeof(Word));
}
// The same for a number of `size` bytes.
STREW_INLINE void store_number_if(bool won, char* to, std::int64_t number, std::int64_t size) noexcept {
  switch (size) {
    case 1:
      return store_if(won, to, static_cast<std::uint8_t>(number));
    case 2:
      return store_if(won, to, static_cast<std::uint16_t>(number));
    case 4:
      return store_if(won, to, static_cast<std::uint32_t>(number));
    default:
      return store_if(won, to, static_cast<std::uint64_t>(number));
  }
}
// The same for an element.
template <std::size_t Width>
STREW_INLINE void move_if(bool won, char* to, const char* from) noexcept {
  if constexpr (Width == 1) {
    store_if(won, to, load<std::uint8_t>(from));
  } else if constexpr (Width == 2) {
    store_if(won, to, load<std::uint16_t>(from));
  } else if constexpr (Width == 4) {
    store_if(won, to, load<std::uint32_t>(from));
  } else if constexpr (Width == 8) {
    store_if(won, to, load<std::uint64_t>(from));
  } else if (won) {
    move_element<Width>(to, from, 0);
  }
}

// Applies updates, each to all elements of its row. replace(to, from) combines one and returns whether it won. Where
// none did a number is replaced by itself: a branch would be mispredicted for most random updates.
template <class Replace>
STREW_INLINE void for_each_numbered(const void* of, const update_run& given, const row_run& elements,
                                    const Replace& replace) noexcept {
  const numbered_run numbers = *static_cast<const numbered_run*>(of);
  const update_run run = given;  // copies: stores of char may alias them
  const row_run row = elements;
  const auto apply = [&](std::int64_t i, const row_run& all) {
    const std::int64_t number = numbers.first + i * numbers.step;
    char* to = run.to + i * run.to_stride + run.offset[i];
    const char* from = run.from + i * run.from_stride;
    char* stored = run.states + i * run.state_stride + run.state_offset[i];
    for (std::int64_t j = all.extent;;) {
      const bool won = replace(to, from);
      store_number_if(won, stored, number, numbers.size);
      if (--j <= 0) break;  // before addresses leave the operands
      to += all.to_stride;
      from += all.from_stride;
      stored += all.state_stride;
    }
  };
  if (row.extent == 1 && run.number == nullptr) {
    const std::int64_t prefetched = run.ahead > 0 && run.ahead < run.count ? run.count - run.ahead : 0;
    for (std::int64_t i = 0; i < run.count; ++i) {
      if (i < prefetched) {
        const std::int64_t later = i + run.ahead;
        prefetch_to_write(run.to + later * run.to_stride + run.offset[later], 0);
        prefetch_to_write(run.states + later * run.state_stride + run.state_offset[later], 0);
      }
      apply(i, row_run{1, 0, 0, 0, 0});
    }
    return;
  }
  for (std::int64_t k = 0; k < run.count; ++k) {
    apply(run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]), row);
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
      move_if<sizeof(T)>(won, to, from);
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
