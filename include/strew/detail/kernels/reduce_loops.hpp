// SPDX-License-Identifier: Apache-2.0
// The innermost loops of reductions.
#ifndef STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/reduce_row.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_vectors.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/tile_width.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_step.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What is prefetched of the update that is `ahead` rows ahead: bytes from the beginning of its target, a cache line for
// each `step` of them, and bytes of the update itself.
struct prefetched_bytes {
  std::int64_t ahead;
  std::int64_t target = 1;
  std::int64_t step = tuning::cache_line;
  std::int64_t update = 0;
};

// Calls body(to, from, state) for each update of a line; prefetches later ones. There is a second, shorter loop for
// lines of all updates without states: of single elements, for which it prefetches always the same, and of contiguous
// rows. `stateful` is one loop too, for reductions that keep a state; for all others `state` is null.
enum class update_loops { elements, rows, one, stateful };
template <update_loops Loops, class Body>
STREW_INLINE void for_each_update_of_line(const update_run& run, const prefetched_bytes& what,
                                          const Body& body) noexcept {
  const auto target = [&](std::int64_t i) { return run.to + i * run.to_stride + run.offset[i]; };
  const bool is_plain = run.number == nullptr && run.states == nullptr;
  constexpr bool are_elements = Loops == update_loops::elements;
  if ((are_elements || (Loops == update_loops::rows && what.target <= what.step && what.update == 0)) && is_plain) {
    std::int64_t i = 0;
    const std::int64_t ahead = are_elements || run.ahead == 0 ? run.ahead : what.ahead;
    if (ahead > 0 && ahead < run.count) {
      for (std::int64_t k = 0; k < ahead; ++k) prefetch_to_write(target(k), 0);
      const std::int64_t* const later = run.offset + ahead;
      char* const later_to = run.to + ahead * run.to_stride;
      for (const std::int64_t end = run.count - ahead; i < end; ++i) {
        prefetch_to_write(later_to + i * run.to_stride + later[i], 0);
        body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
      }
    }
    for (; i < run.count; ++i) body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
    return;
  }
  const auto number = [&](std::int64_t k) {
    return run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
  };
  // Prefetches are not in a function of their own, see prefetch.
  const std::int64_t ahead = Loops != update_loops::elements && run.ahead > 0 ? what.ahead : run.count;
  const std::int64_t end = run.count - ahead;
  for (std::int64_t k = 0; k < run.count; ++k) {
    if (k < end) {
      const std::int64_t later = number(k + ahead);
      prefetch(target(later), what.target, what.step);
      prefetch(run.from + later * run.from_stride, what.update);
      if constexpr (Loops == update_loops::stateful) {
        prefetch(run.states + later * run.state_stride + run.state_offset[later], 1);
      }
    }
    const std::int64_t i = number(k);
    char* state = nullptr;
    if constexpr (Loops == update_loops::stateful) state = run.states + i * run.state_stride + run.state_offset[i];
    body(target(i), run.from + i * run.from_stride, state);
  }
}
// The same for all lines.
template <update_loops Loops, class Body>
STREW_INLINE void for_each_update(const update_run& all, const prefetched_bytes& prefetched,
                                  const Body& body) noexcept {
  update_run run = all;  // copies: stores of char may alias them
  const prefetched_bytes what = prefetched;
  for (std::int64_t line = 1;; ++line) {
    for_each_update_of_line<Loops>(run, what, body);
    if (run.lines == nullptr || line == run.lines->count) return;
    run.to += run.lines->to;
    run.from += run.lines->from;
    run.offset += run.lines->offsets;
    if constexpr (Loops == update_loops::stateful) {
      run.states += run.lines->state;
      run.state_offset += run.lines->offsets;
    }
  }
}

// The hardware prefetches the rest of longer targets, and updates that follow each other in memory.
STREW_SMALL inline prefetched_bytes prefetched_of(const update_run& run, const row_run& row) noexcept {
  constexpr std::int64_t line = tuning::cache_line;
  const std::int64_t bytes = row.extent * row.unit;
  prefetched_bytes what{tuning::most_prefetched_targets};
  if (run.ahead == 0 || row.to_stride != row.unit || bytes == 0) return what;
  const auto at_most = [bytes](std::int64_t most) { return bytes < most ? bytes : most; };
  what.ahead = tuning::prefetched_targets / bytes;
  if (what.ahead > tuning::most_prefetched_targets) what.ahead = tuning::most_prefetched_targets;
  if (what.ahead < tuning::fewest_prefetched_targets) what.ahead = tuning::fewest_prefetched_targets;
  what.target = at_most(tuning::prefetched_target);
  // Rows that do not begin and end with a line are in one more line: the last byte is prefetched too.
  if (bytes < tuning::prefetched_target && bytes % line != 0 && line % bytes != 0) {
    what.step = (bytes - 1) / ((bytes + line - 2) / line);
  }
  const bool are_apart = run.number != nullptr || run.from_stride != bytes;
  if (bytes >= line && are_apart && row.from_stride == row.unit) what.update = at_most(tuning::prefetched_update);
  return what;
}

template <class T, class R>
void reduce_elements(const void* object, const update_run& run, const row_run&) noexcept {
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
  if (row.to_stride != size || row.from_stride != size) {
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
// The same without vectors of their own: the compiler is asked for them, if it has any.
template <class T, class R>
  requires(!has_vectors<T, R>())
STREW_VECTORISED void reduce_rows(const void* object, const update_run& run, const row_run& row) noexcept {
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
inline void assign_line(const void*, char* to, const char* from, std::int64_t count, std::int64_t unit) noexcept {
  STREW_RAN("assign_line");
  std::memcpy(to, from, static_cast<std::size_t>(count * unit));
}

// Calls body(i) for those of the numbers below `count` of which is_wanted(i) is true, without a branch for each: which
// ones they are is random.
template <class IsWanted, class Body>
STREW_INLINE void for_each_wanted(std::int64_t count, const IsWanted& is_wanted, const Body& body) noexcept {
  std::uint16_t number[tuning::positions];
  for (std::int64_t i = 0; i < count; i += tuning::positions) {
    const std::int64_t some = count - i < tuning::positions ? count - i : tuning::positions;
    std::int64_t wanted = 0;
    for (std::int64_t k = 0; k < some; ++k) {
      number[wanted] = static_cast<std::uint16_t>(k);
      wanted += is_wanted(i + k) ? 1 : 0;
    }
    for (std::int64_t n = 0; n < wanted; ++n) body(i + number[n]);
  }
}

// Finishes the elements of a run with their states; strides in bytes.
template <class T, class R>
void finish_states(char* to, std::int64_t to_stride, const char* state, std::int64_t state_stride,
                   std::int64_t count) noexcept {
  STREW_RAN("finish_states", type_name<T>, reduction_name<R>);
  using how = reduction_step<T, R>;
  const auto finish = [](char* element, const typename how::state& kept) {
    T value = load_element<T>(element);
    how::finish(value, kept);
    store_element(element, value);
  };
  if (state_stride == 0) {  // all elements of the row have this state
    const auto kept = load_element<typename how::state>(state);
    if (!how::is_unfinished(kept)) return;
    for (std::int64_t i = 0; i < count; ++i) finish(to + i * to_stride, kept);
    return;
  }
  const auto state_at = [&](std::int64_t i) { return load_element<typename how::state>(state + i * state_stride); };
  for_each_wanted(
      count, [&](std::int64_t i) { return how::is_unfinished(state_at(i)); },
      [&](std::int64_t i) { finish(to + i * to_stride, state_at(i)); });
}

template <class T, class R, class Integer>
void reduce_direct(const void* object, const direct_run& all) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  constexpr auto unit = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  direct_run run = all;  // a copy: stores of char may alias `all`
  const std::int64_t end = run.ahead > 0 && run.ahead < run.count ? run.count - run.ahead : 0;
  const char* later = run.indices + (end > 0 ? run.ahead * size : 0);
  const auto index = [](const char* from, std::int64_t i) {
    return static_cast<std::int64_t>(load<Integer>(from + i * size));
  };
  const bool is_along = run.to_stride == 0 && run.weight == unit && run.from_stride == unit;
  for (std::int64_t line = run.lines;;) {
    std::int64_t i = 0;
    if (is_along) {
      // The strides as constants: 0.85 to 0.95 of the time.
      STREW_RAN("reduce_direct along", type_name<T>, reduction_name<R>, sizeof(Integer));
      for (; i < end; ++i) {
        prefetch_to_write(run.to + index(later, i) * unit, 0);
        reduce_single<T>(reduce, run.to + index(run.indices, i) * unit, run.from + i * unit, nullptr);
      }
      for (; i < run.count; ++i) {
        reduce_single<T>(reduce, run.to + index(run.indices, i) * unit, run.from + i * unit, nullptr);
      }
    } else {
      STREW_RAN("reduce_direct any", type_name<T>, sizeof(Integer));
      for (; i < run.count; ++i) {
        char* const to = run.to + i * run.to_stride;
        if (i < end) prefetch_to_write(to + run.ahead * run.to_stride + index(later, i) * run.weight, 0);
        reduce_single<T>(reduce, to + index(run.indices, i) * run.weight, run.from + i * run.from_stride, nullptr);
      }
    }
    if (--line <= 0) return;
    run.to += run.to_line;
    run.from += run.from_line;
    run.indices += run.index_line;
    later += run.index_line;
  }
}

// The same along the axis itself, for indices that are checked on the way: returns false at the first illegal one, with
// the updates before it combined.
template <class T, class R, class Integer>
bool reduce_checked(const void* object, const direct_run& all) noexcept {
  STREW_RAN("reduce_checked", type_name<T>, reduction_name<R>, sizeof(Integer));
  STREW_EXPECT(all.to_stride == 0 && all.weight == static_cast<std::int64_t>(sizeof(T)));
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  constexpr auto unit = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  const direct_run run = all;  // a copy: stores of char may alias `all`
  const char* from = run.from;
  const char* at = run.indices;
  for (std::int64_t left = run.count; left > 0;) {
    // Indices and updates are prefetched by hand: the hardware gives up when stores at random come between.
    constexpr std::int64_t group = tuning::prefetched_group;
    constexpr std::int64_t ahead = tuning::prefetched_stream;
    const bool prefetches = run.streams && left >= ahead + group;
    if (prefetches) {
      prefetch_stream(at + ahead * size, group * size);
      prefetch_stream(from + ahead * run.from_stride, group * unit);
    }
    const char* const end = at + (prefetches ? group : left) * size;
    left -= prefetches ? group : left;
    for (; at != end; at += size, from += run.from_stride) {
      auto index = static_cast<std::int64_t>(load<Integer>(at));
      if (index < 0) index += run.wrapped;  // without a branch sums take 0.9 of the time, maxima 1.4
      if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(run.extent)) return false;
      reduce_single<T>(reduce, run.to + index * unit, from, nullptr);
    }
  }
  return true;
}

// The same for rows of a tile, see tiles.hpp. For named reductions only.
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
      const std::int64_t place = target_at<Integer, false>(index, j, 0);
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

// Plain assignment of elements of a width.
template <std::size_t Width>
void assign_elements(const void*, const update_run& run, const row_run& row) noexcept {
  STREW_EXPECT(Width == any_width || row.unit == static_cast<std::int64_t>(Width));
  STREW_RAN("assign_elements", Width);
  for_each_update<update_loops::elements>(
      run, {tuning::most_prefetched_targets},
      [&](char* to, const char* from, char*) { move_element<Width>(to, from, row.unit); });
}
inline void assign_contiguous_rows(const update_run& run, const row_run& row) noexcept {
  STREW_RAN("assign_rows contiguous");
  const std::int64_t bytes = row.extent * row.unit;
  const bool is_small = are_short_blocks(bytes);
  for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
    if (is_small) return copy_small(to, from, bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  });
}
// Contiguous rows of one value in the place of all updates: a row of it is made once. Returns false, with nothing done,
// for others.
STREW_SMALL inline bool assign_rows_of_value(const update_run& run, const row_run& row) noexcept {
  const std::int64_t bytes = row.extent * row.unit;
  if (row.from_stride != 0 || run.from_stride != 0 || (run.lines != nullptr && run.lines->from != 0) ||
      row.to_stride != row.unit || bytes > longest_small_copy) {
    return false;
  }
  STREW_RAN("assign_rows of one value");
  char value[longest_small_copy];
  const auto unit = static_cast<std::size_t>(row.unit);
  for (std::int64_t k = 0; k < bytes; k += row.unit) std::memcpy(value + k, run.from, unit);
  update_run filled = run;
  filled.from = value;
  assign_contiguous_rows(filled, row);
  return true;
}
template <std::size_t Width>
void assign_rows(const void*, const update_run& run, const row_run& row) noexcept {
  const row_run r = row;
  if (r.to_stride == r.unit && r.from_stride == r.unit) return assign_contiguous_rows(run, row);
  if (assign_rows_of_value(run, row)) return;
  STREW_RAN("assign_rows strided", Width);
  const bool is_short = Width != any_width && r.extent * r.unit < tuning::cache_line;
  for_each_update<update_loops::one>(run, prefetched_of(run, row), [&](char* to, const char* from, char*) {
    if (!is_short) return copy_run<Width>(to, r.to_stride, from, r.from_stride, r.extent, r.unit);
    for (std::int64_t k = r.extent; k > 0; --k, to += r.to_stride, from += r.from_stride) {
      move_element<Width>(to, from, r.unit);
    }
  });
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_LOOPS_HPP
