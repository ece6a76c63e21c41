// SPDX-License-Identifier: Apache-2.0
// The innermost loops of reductions.
#ifndef STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/each_update.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/reduce_row.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_vectors.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T, class R>
void reduce_elements(const void* object, const update_run& run, const row_run&) noexcept {
#if STREW_HAS_F16C
  if constexpr (converts_elements<T, R>) {
    if (tuning::limits().half_count < tuning::never && has_f16c()) {
      STREW_RAN("reduce_halves f16c", reduction_name<R>);
      return reduce_halves_f16c<R>(run);
    }
  }
#endif
  STREW_RAN("reduce_elements", type_name<T>, reduction_name<R>);
  const R& reduce = reduction_of<R>(object);
  for_each_update<reduction_step<T, R>::grid == state_layout::none ? update_loops::elements : update_loops::stateful>(
      run, {tuning::most_prefetched_targets},
      [&](char* to, const char* from, char* state) { reduce_single<T>(reduce, to, from, state); });
}
template <class T>
void add_scaled(const void* object, const update_run& run, const row_run& row) noexcept {
  STREW_RAN("add_scaled", type_name<T>);
  const auto& reduce = *static_cast<const scaled_sum<T>*>(object);
  for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
    add_scaled_row<T>(reduce, to, from, row);
  });
}

// Rows, and contiguous updates with as many contiguous elements.
template <class T, class R>
  requires(has_vectors<T, R>())
void reduce_rows(const void*, const update_run& run, const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t frequent = 16 / size;  // elements of a row, as a compile-time constant
  const bool is_contiguous = row.to_stride == size && row.from_stride == size;
  if constexpr (size <= 4) {
    if (is_contiguous && 2 * row.extent == frequent) {
      STREW_RAN("reduce_rows of 8 bytes", type_name<T>, reduction_name<R>);
      return for_each_update<update_loops::elements>(
          run, {tuning::most_prefetched_targets},
          [](char* to, const char* from, char*) { reduce_vector<T, R, 8>(to, from); });
    }
  }
  if (!is_contiguous) {
    STREW_RAN("reduce_rows strided", type_name<T>, reduction_name<R>);
    for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
      reduce_row<T, R, false>(R{}, to, from, nullptr, row);
    });
  } else if (row.extent == frequent) {
    STREW_RAN("reduce_rows of 16 bytes", type_name<T>, reduction_name<R>);
    for_each_update<update_loops::elements>(run, {tuning::most_prefetched_targets},
                                            [](char* to, const char* from, char*) { reduce_vector<T, R>(to, from); });
  } else {
    STREW_RAN("reduce_rows contiguous", type_name<T>, reduction_name<R>);
    for_each_update<update_loops::rows>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
      reduce_row<T, R, true>(R{}, to, from, nullptr, row);
    });
  }
}
template <class T, class R>
  requires(has_vectors<T, R>())
void reduce_line(const void*, char* to, const char* from, std::int64_t count, std::int64_t) noexcept {
  STREW_RAN("reduce_line", type_name<T>, reduction_name<R>);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  reduce_row<T, R, true>(R{}, to, from, nullptr, {count, size, size, 0, size});
}
// Rows of reductions without vectors of their own: the compiler is asked for them, if it has any, unless all updates of
// a row but the first have some.
template <class T, class R>
STREW_INLINE void reduce_other_rows(const void* object, const update_run& run, const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  constexpr bool has_states = reduction_step<T, R>::grid != state_layout::none;
  if (row.to_stride == size && row.from_stride == size) {
    STREW_RAN("reduce_rows contiguous", type_name<T>, reduction_name<R>);
    constexpr auto loops = has_states ? update_loops::stateful : update_loops::rows;
    for_each_update<loops>(run, prefetched_of(run, row), [&](char* to, const char* from, char* state) {
      reduce_row<T, R, true>(reduce, to, from, state, row);
    });
  } else {
    STREW_RAN("reduce_rows strided", type_name<T>, reduction_name<R>);
    constexpr auto loops = has_states ? update_loops::stateful : update_loops::one;
    for_each_update<loops>(run, prefetched_of(run, row), [&](char* to, const char* from, char* state) {
      reduce_row<T, R, false>(reduce, to, from, state, row);
    });
  }
}
template <class T, class R>
  requires(!has_vectors<T, R>() && has_vectors<T, typename later_reduction<R>::type>())
void reduce_rows(const void* object, const update_run& run, const row_run& row) noexcept {
  reduce_other_rows<T, R>(object, run, row);
}
template <class T, class R>
  requires(!has_vectors<T, R>() && !has_vectors<T, typename later_reduction<R>::type>())
STREW_VECTORISED void reduce_rows(const void* object, const update_run& run, const row_run& row) noexcept {
  reduce_other_rows<T, R>(object, run, row);
}
template <class T, class R>
  requires(!has_vectors<T, R>())
STREW_VECTORISED void reduce_line(const void* object, char* to, const char* from, std::int64_t count,
                                  std::int64_t) noexcept {
  STREW_RAN("reduce_line", type_name<T>, reduction_name<R>);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  reduce_row<T, R, true>(reduction_of<R>(object), to, from, nullptr, {count, size, size, 0, size});
}
template <class T>
void add_scaled_line(const void* object, char* to, const char* from, std::int64_t count, std::int64_t) noexcept {
  STREW_RAN("add_scaled_line", type_name<T>);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  add_scaled_row<T>(*static_cast<const scaled_sum<T>*>(object), to, from, {count, size, size, 0, size});
}

// Calls body(i) for those of the numbers below `count` that are wanted, without a branch for each: which ones they are
// is random. Bit k of bits_of(i, some) says whether i + k is, for k < some <= 64.
template <class BitsOf, class Body>
STREW_INLINE void for_each_wanted(std::int64_t count, const BitsOf& bits_of, const Body& body) noexcept {
  constexpr std::int64_t bits = 64;
  for (std::int64_t i = 0; i < count; i += bits) {
    std::uint64_t wanted = bits_of(i, count - i < bits ? count - i : bits);
    for (; wanted != 0; wanted &= wanted - 1) body(i + std::countr_zero(wanted));
  }
}

// Finishes an element, or those of a row, with a state; the stride in bytes.
template <class T, class R>
STREW_INLINE void finish_element(char* to, const typename reduction_step<T, R>::state& kept) noexcept {
  T value = load_element<T>(to);
  reduction_step<T, R>::finish(value, kept);
  store_element(to, value);
}
template <class T, class R>
STREW_VECTORISED void finish_row(char* to, std::int64_t to_stride, const typename reduction_step<T, R>::state& state,
                                 std::int64_t count) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const auto kept = state;
  if (to_stride == size) {
    for (std::int64_t i = 0; i < count; ++i) finish_element<T, R>(to + i * size, kept);
  } else {
    for (std::int64_t i = 0; i < count; ++i) finish_element<T, R>(to + i * to_stride, kept);
  }
}

// Finishes the elements of a run with their states; strides in bytes.
template <class T, class R>
void finish_states(char* to, std::int64_t to_stride, const char* state, std::int64_t state_stride,
                   std::int64_t count) noexcept {
  STREW_RAN("finish_states", type_name<T>, reduction_name<R>);
  using how = reduction_step<T, R>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(typename how::state));
  constexpr std::int64_t together = size % 8 == 0 ? 8 : 1;
  if (state_stride == 0) {  // all elements of the row have this state
    const auto kept = load_element<typename how::state>(state);
    if (how::is_unfinished(kept)) finish_row<T, R>(to, to_stride, kept, count);
    return;
  }
  const auto state_at = [&](std::int64_t i) { return load_element<typename how::state>(state + i * state_stride); };
  const auto bits_of = [&](std::int64_t first, std::int64_t some) {
    std::uint64_t wanted = 0;
    for (std::int64_t k = 0; k < some;) {
      const bool are_eight = state_stride == size && k + 8 <= some;
      std::uint64_t any = are_eight ? 0 : 1;
      for (std::int64_t b = 0; are_eight && b < size; b += together) {  // of eight states as many words as their bytes
        const char* const words = state + (first + k) * size + 8 * b;
        any |= load<std::uint64_t>(words);
        if constexpr (together == 8) {
          any |= load<std::uint64_t>(words + 8) | load<std::uint64_t>(words + 16) | load<std::uint64_t>(words + 24) |
                 load<std::uint64_t>(words + 32) | load<std::uint64_t>(words + 40) | load<std::uint64_t>(words + 48) |
                 load<std::uint64_t>(words + 56);
        }
      }
      const std::int64_t end = are_eight ? k + 8 : some;
      for (; any != 0 && k < end; ++k) {
        wanted |= std::uint64_t{how::is_unfinished(state_at(first + k)) ? 1U : 0U} << k;
      }
      k = end;
    }
    return wanted;
  };
  for_each_wanted(count, bits_of, [&](std::int64_t i) { finish_element<T, R>(to + i * to_stride, state_at(i)); });
}

template <class T, class R, class Integer>
void reduce_direct(const void* object, const direct_run& all) noexcept {
  constexpr auto unit = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  direct_run run = all;  // a copy: stores of char may alias `all`
  const std::int64_t end = run.ahead > 0 && run.ahead < run.count ? run.count - run.ahead : 0;
  const char* later = run.indices + (end > 0 ? run.ahead * run.index_stride : 0);
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  const auto index = [](const char* from, std::int64_t offset) { return target_at<Integer, false>(from + offset, 0); };
  const bool is_along = run.to_stride == 0 && run.weight == unit && run.from_stride == unit && run.index_stride == size;
  for (std::int64_t line = run.lines;;) {
    std::int64_t i = 0;
    if (is_along) {
      // The strides as constants: 0.85 to 0.95 of the time.
      STREW_RAN("reduce_direct along", type_name<T>, reduction_name<R>, sizeof(Integer));
      for (; i < end; ++i) {
        prefetch_to_write(run.to + index(later, i * size) * unit, 0);
        reduce_single<T>(reduce, run.to + index(run.indices, i * size) * unit, run.from + i * unit, nullptr);
      }
      for (; i < run.count; ++i) {
        reduce_single<T>(reduce, run.to + index(run.indices, i * size) * unit, run.from + i * unit, nullptr);
      }
    } else {
      STREW_RAN("reduce_direct any", type_name<T>, sizeof(Integer));
      for (; i < run.count; ++i) {
        char* const to = run.to + i * run.to_stride;
        const std::int64_t at = i * run.index_stride;
        if (i < end) prefetch_to_write(to + run.ahead * run.to_stride + index(later, at) * run.weight, 0);
        reduce_single<T>(reduce, to + index(run.indices, at) * run.weight, run.from + i * run.from_stride, nullptr);
      }
    }
    if (--line <= 0) return;
    run.to += run.to_line;
    run.from += run.from_line;
    run.indices += run.index_line;
    later += run.index_line;
  }
}

// Reduces elements along the axis itself, by indices that are checked on the way: returns false at the first illegal
// one, with the updates before it combined.
template <class T, class R, class Integer>
bool reduce_checked(const void* object, const direct_run& all) noexcept {
  STREW_RAN("reduce_checked", type_name<T>, reduction_name<R>, sizeof(Integer));
  STREW_EXPECT(all.to_stride == 0 && all.weight == static_cast<std::int64_t>(sizeof(T)));
  constexpr auto unit = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  const direct_run run = all;  // a copy: stores of char may alias `all`
  const std::int64_t stride = run.index_stride;
  const char* from = run.from;
  const char* at = run.indices;
  for (std::int64_t left = run.count; left > 0;) {
    // Indices and updates are prefetched by hand: the hardware gives up when stores at random come between.
    constexpr std::int64_t group = tuning::prefetched_group;
    constexpr std::int64_t ahead = tuning::prefetched_stream;
    const bool prefetches = run.streams && left >= ahead + group;
    if (prefetches) {
      prefetch_stream(at + ahead * stride, group * static_cast<std::int64_t>(sizeof(Integer)));
      prefetch_stream(from + ahead * run.from_stride, group * unit);
    }
    std::int64_t count = prefetches ? group : left;
    left -= count;
    for (; count > 0; --count, at += stride, from += run.from_stride) {
      auto index = static_cast<std::int64_t>(load<Integer>(at));
      if (index < 0) index += run.wrapped;  // without a branch sums take 0.9 of the time, maxima 1.4
      if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(run.extent)) return false;
      reduce_single<T>(reduce, run.to + index * unit, from, nullptr);
    }
  }
  return true;
}

// Reduces rows of a tile, see tiles.hpp. For named reductions only.
template <class T, class R, class Integer>
void reduce_tile_rows(const tile_columns& into, const void* indices, std::int64_t rows) noexcept {
  static_assert(divides_tiles(sizeof(T)));
  STREW_EXPECT(into.columns <= std::int64_t{1} << into.shift);
  STREW_RAN("reduce_tile_rows", type_name<T>, reduction_name<R>, sizeof(Integer));
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  const tile_columns t = into;
  const char* index = static_cast<const char*>(indices);
  const char* update = t.updates;
  for (std::int64_t row = 0; row < rows; ++row, index += t.index_stride, update += t.update_stride) {
    if (row + ahead < rows) {
      prefetch(index + ahead * t.index_stride, t.columns * static_cast<std::int64_t>(sizeof(Integer)));
      prefetch(update + ahead * t.update_stride, t.columns * size);
    }
    for (std::int64_t j = 0; j < t.columns; ++j) {
      const std::int64_t place = target_at<Integer, false>(index + j * static_cast<std::int64_t>(sizeof(Integer)), 0);
      reduce_single<T>(R{}, t.tile + ((place << t.shift) + j) * size, update + j * size, nullptr);
    }
  }
}

// Whether a row of elements T may be so short that it is sorted into buckets.
template <class T>
inline constexpr bool buckets_have_rows = 2 * static_cast<std::int64_t>(sizeof(T)) <= tuning::widest_bucketed;

// Combines the entries of a bucket with their block; an entry has an element or a short row.
template <class T, class R>
void reduce_bucket(char* block, const char* from, std::int64_t count, std::int64_t width) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  STREW_EXPECT(width % size == 0 && (buckets_have_rows<T> || width == size));
  constexpr std::int64_t ahead = tuning::prefetched_entries;
  const std::int64_t entry = bucket_entry(width);
  const auto target = [&](std::int64_t i) {
    return block + static_cast<std::int64_t>(load<std::uint32_t>(from + i * entry)) * width;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (i + ahead < count) prefetch_to_write(target(i + ahead), 0);
    char* const to = target(i);
    const char* const update = from + i * entry + 4;
    if constexpr (buckets_have_rows<T>) {
      if (width != size) {
        STREW_RAN("reduce_bucket of rows", type_name<T>, reduction_name<R>);
        for (std::int64_t e = 0; e < width; e += size) reduce_element<T>(R{}, to + e, update + e, nullptr);
        continue;
      }
    }
    STREW_RAN("reduce_bucket", type_name<T>, reduction_name<R>);
    reduce_single<T>(R{}, to, update, nullptr);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP
