// SPDX-License-Identifier: Apache-2.0
// The innermost loops of reductions in steps (reduce_in_steps.hpp): those that count the updates of each element and
// divide by the counts, and those that find whether first updates keep their bits.
#ifndef STREW_DETAIL_KERNELS_COUNT_LOOPS_HPP
#define STREW_DETAIL_KERNELS_COUNT_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/mask_bits.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_vectors.hpp>
#include <strew/detail/kernels/state_runs.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Counts of a byte, which stop at the largest. One that has stopped becomes the number of a wide count, and a further
// round over the indices counts these.
using byte_count = std::uint8_t;
struct count_round {
  bool is_first = true;
  std::int64_t repeated = 0;  // wide counts of the next round
  std::int64_t wide[tuning::repeated_counts] = {};
};

// The count at an address in memory for states.
STREW_INLINE byte_count* count_at(char* states) noexcept {
  return static_cast<byte_count*>(static_cast<void*>(states));
}
inline byte_count largest_count() noexcept {
  return static_cast<byte_count>(tuning::limits().largest_count);
}

template <bool Repeats>
STREW_INLINE void count_one(byte_count& count, byte_count most, std::int64_t* wide) noexcept {
  if constexpr (Repeats) {
    if (count != 0 && count != most) ++wide[count - 1];
  } else {
    count = static_cast<byte_count>(count + (count != most ? 1 : 0));
  }
}

// Counts the updates of a run; of rows once for each, or for each element.
template <bool Repeats>
void count_updates(const void* object, const update_run& all, const row_run& row) noexcept {
  STREW_RAN("count_updates", Repeats);
  std::int64_t* const wide = static_cast<count_round*>(const_cast<void*>(object))->wide;
  const byte_count most = largest_count();
  const std::int64_t extent = row.state_stride == 0 ? 1 : row.extent;
  update_run run = all;
  for (std::int64_t line = 1;; ++line) {
    for (std::int64_t e = 0; e < extent; ++e) {
      char* const states = run.states + e * row.state_stride;
      for (std::int64_t k = 0; k < run.count; ++k) {
        const std::int64_t i = run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
        count_one<Repeats>(*count_at(states + i * run.state_stride + run.state_offset[i]), most, wide);
      }
    }
    if (run.lines == nullptr || line == run.lines->count) return;
    run.states += run.lines->state;
    run.state_offset += run.lines->offsets;
  }
}

// Counts the updates of runs of 64-bit indices that are read in place.
inline void count_run(const void*, const state_run& run, const target_axis& axis) noexcept {
  STREW_RAN("count_run");
  const byte_count most = largest_count();
  for_each_of_run<std::int64_t>(run, axis,
                                [&](char* state, const char*) { count_one<false>(*count_at(state), most, nullptr); });
}

// The number of updates that a count stands for, 0 if that is not known yet. The count is then 0, or, if it has
// stopped, the number of a wide one of the next round.
STREW_INLINE std::int64_t take_count(byte_count& count, byte_count most, count_round& round) noexcept {
  const byte_count taken = count;
  if (taken == most) {
    const std::int64_t others = most - 1;
    if (round.repeated < (others < tuning::repeated_counts ? others : tuning::repeated_counts)) {
      count = static_cast<byte_count>(++round.repeated);
    }
    return 0;
  }
  count = 0;
  return taken == 0 || round.is_first ? taken : round.wide[taken - 1];
}

// Divides the sums of a run of elements by their counts, also by 1, which keeps numbers and takes less time than a
// branch; strides in bytes.
template <class T, class R>
void divide_by_counts(char* to, std::int64_t to_stride, char* counts, std::int64_t count_stride, std::int64_t elements,
                      count_round& round) noexcept {
  STREW_RAN("divide_by_counts", type_name<T>, reduction_name<R>);
  const byte_count most = largest_count();
  if (count_stride == 0) {  // all elements of the row have this count
    const count_state of{take_count(*count_at(counts), most, round)};
    if (of.count != 0) finish_row<T, R>(to, to_stride, of, elements);
    return;
  }
  const auto bits_of = [&](std::int64_t i, std::int64_t some) {
    return count_stride == 1 ? load_mask_bits(counts + i, some) : ~std::uint64_t{0} >> (mask_bits - some);
  };
  for_each_wanted(elements, bits_of, [&](std::int64_t i) {
    const count_state of{take_count(*count_at(counts + i * count_stride), most, round)};
    if (of.count != 0) finish_element<T, R>(to + i * to_stride, of);
  });
}

// ---- First updates

// Whether a NaN is among `count` elements that are `stride` bytes apart.
template <class T>
STREW_VECTORISED bool has_nan(const char* from, std::int64_t stride, std::int64_t count) noexcept {
  STREW_RAN("has_nan", type_name<T>);
  using part = typename number_in<T>::type;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr auto part_size = static_cast<std::int64_t>(sizeof(part));
  constexpr std::int64_t parts = size / part_size;
  int found = 0;
  if (stride == size) {
    for (std::int64_t i = 0; i < count * parts; ++i) {
      const auto value = load<part>(from + i * part_size);
      found |= is_nan(value) ? 1 : 0;
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < parts; ++k) {
        const auto value = load<part>(from + i * stride + k * part_size);
        found |= is_nan(value) ? 1 : 0;
      }
    }
  }
  return found != 0;
}

// Whether -0 + x and 1 * x have the bits of x where they are numbers: not while -0 + 0 is rounded towards -0, and not
// while the smallest numbers are flushed to 0. The thread that asks is the one that computes.
template <class T>
bool keeps_first_update() noexcept {
  using part = typename number_in<T>::type;
  using bits = std::conditional_t<sizeof(part) == 4, std::uint32_t, std::uint64_t>;
  const volatile part zero = 0;
  const volatile part minus_zero = -part(0);
  const volatile part one = 1;
  const volatile part least = std::numeric_limits<part>::denorm_min();
  const part sum_of_zeros = minus_zero + zero;
  const part sum = minus_zero + least;
  const part product = one * least;
  return std::bit_cast<bits>(sum_of_zeros) == 0 && std::bit_cast<bits>(sum) == 1 && std::bit_cast<bits>(product) == 1;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_COUNT_LOOPS_HPP
