// SPDX-License-Identifier: Apache-2.0
// The innermost loops over segments: the updates of each are consecutive, so the element with which they are combined
// stays in a register, or in the first-level cache.
#ifndef STREW_DETAIL_KERNELS_SEGMENT_LOOPS_HPP
#define STREW_DETAIL_KERNELS_SEGMENT_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/half_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/reduce_loops.hpp>
#include <strew/detail/kernels/reduce_row.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_vectors.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Offsets that were checked, as 64-bit integers at any address.
struct segment_offsets {
  const char* data;

  STREW_INLINE std::int64_t operator[](std::int64_t i) const noexcept { return load<std::int64_t>(data + 8 * i); }
};

// Consecutive segments: their elements begin as those at `data`, which are the same ones in place, and are written to
// `to`; updates[0] is the first update of the call. `lanes` are the elements of each segment. Strides are in bytes.
struct segment_run {
  struct operand_strides {
    std::int64_t to;
    std::int64_t data;
    std::int64_t updates;
  };

  char* to;
  const char* data;
  const char* updates;
  operand_strides segment;  // from one segment to the next; from one update to the next
  operand_strides lane;
  std::int64_t lanes;
  segment_offsets offsets;  // count + 1
  std::int64_t count;
  bool in_place;
  bool is_far;        // whether the updates are beyond the second-level cache
  std::int64_t unit;  // bytes of an element

  // Whether updates are closer to each other than lanes, so that each lane is gone through by itself.
  [[nodiscard]] bool is_by_lanes() const noexcept {
    return lanes > 1 && magnitude(segment.updates) < magnitude(lane.updates);
  }
  [[nodiscard]] bool are_lanes_contiguous() const noexcept {
    return lane.to == unit && lane.data == unit && lane.updates == unit;
  }
  // Whether segments of one update each can be the lanes of one segment.
  [[nodiscard]] bool may_join() const noexcept {
    const std::int64_t bytes = lanes * unit;
    return lanes == 1 ||
           (are_lanes_contiguous() && segment.to == bytes && segment.data == bytes && segment.updates == bytes);
  }
  // Goes on with later segments.
  void skip(std::int64_t some) noexcept {
    to += some * segment.to;
    data += some * segment.data;
    offsets.data += 8 * some;
  }
  void join() noexcept {
    if (lanes == 1) lane = segment;
    lanes *= count;
    count = 1;
  }
};

using segments_function = void (*)(const void* reduce, const segment_run& run) noexcept;

// The updates of one segment, one at least, for some lanes: to = data combined with `count` updates.
struct one_segment {
  char* to;
  const char* data;
  const char* updates;
  std::int64_t step;  // from one update to the next
  std::int64_t count;
  std::uintptr_t ahead = 0;  // how many bytes ahead updates are prefetched; 0: not
};

// ---- Single elements

template <class T, class R>
STREW_INLINE void combine_single(const R& reduce, const one_segment& of) noexcept {
  using how = reduction_step<T, R>;
  using state = typename how::state;
  char value[sizeof(T)];
  char kept[sizeof(state)] = {};
  std::memcpy(value, of.data, sizeof(T));
  const char* update = of.updates;
  for (std::int64_t i = 0; i < of.count; ++i, update += of.step) reduce_single<T>(reduce, value, update, kept);
  if constexpr (how::finishes) {
    const auto last = load_element<state>(kept);
    if (how::is_unfinished(last)) finish_element<T, R>(value, last);
  }
  std::memcpy(of.to, value, sizeof(T));
}

// ---- Rows of contiguous elements

// As many vectors as there are numbers in Vector, kept in registers.
template <class T, class R, std::size_t... Vector>
STREW_INLINE void combine_vectors(const one_segment& of, std::int64_t at, std::index_sequence<Vector...>) noexcept {
  struct vector {
    char bytes[16];
  };
  vector values[sizeof...(Vector)];
  (std::memcpy(values[Vector].bytes, of.data + at + 16 * Vector, 16), ...);
  const char* update = of.updates + at;
  for (std::int64_t i = 0; i < of.count; ++i, update += of.step) {
    if (sizeof...(Vector) == 4 && of.ahead != 0) prefetch_to_read(update, of.ahead);
    (reduce_vector<T, R>(values[Vector].bytes, update + 16 * Vector), ...);
  }
  (std::memcpy(of.to + at + 16 * Vector, values[Vector].bytes, 16), ...);
}
// A contiguous row; long ones some updates at a time, whose cache lines and pages the processor can follow, and from
// memory with the next ones prefetched, since it does not find the order.
template <class T, class R>
STREW_INLINE void combine_contiguous(const one_segment& all, const segment_run& run) noexcept {
  constexpr std::int64_t block = 64;
  const std::int64_t bytes = run.lanes * run.unit;
  one_segment of = all;
  if (run.is_far && bytes > block && bytes <= tuning::limits().longest_prefetched_row)
    of.ahead = static_cast<std::uintptr_t>(tuning::segment_updates * of.step);
  std::int64_t left = all.count;
  do {
    of.count = bytes > block && left > tuning::segment_updates ? tuning::segment_updates : left;
    left -= of.count;
    std::int64_t at = 0;
    for (; at + block <= bytes; at += block) combine_vectors<T, R>(of, at, std::make_index_sequence<4>{});
    if (at + 32 <= bytes) {
      combine_vectors<T, R>(of, at, std::make_index_sequence<2>{});
      at += 32;
    }
    if (at + 16 <= bytes) {
      combine_vectors<T, R>(of, at, std::make_index_sequence<1>{});
      at += 16;
    }
    for (; at < bytes; at += static_cast<std::int64_t>(sizeof(T))) {
      combine_single<T, R>(R{}, {of.to + at, of.data + at, of.updates + at, of.step, of.count});
    }
    of.data = of.to;
    of.updates += of.count * of.step;
  } while (left > 0);
}

// ---- Rows of any elements

template <class T>
inline constexpr std::size_t width_of_row = sizeof(T) <= 64 ? sizeof(T) : any_width;

template <class T, class R, bool IsContiguous>
STREW_INLINE void combine_row(const R& reduce, const one_segment& of, const segment_run& run) noexcept;

// The updates of a scaled sum are multiplied first, some at a time.
template <class T>
STREW_INLINE void combine_scaled(const scaled_sum<T>& reduce, const one_segment& all, const segment_run& run) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t most = 4096 / size < 1 ? 1 : 4096 / size;
  char products[static_cast<std::size_t>(most * size)];
  segment_run piece = run;
  piece.lane.updates = size;
  for (std::int64_t lane = 0; lane < run.lanes; lane += most) {
    piece.lanes = run.lanes - lane < most ? run.lanes - lane : most;
    one_segment of{all.to + lane * run.lane.to, all.data + lane * run.lane.data, products, piece.lanes * size, 0};
    const std::int64_t together = most / piece.lanes;
    for (std::int64_t i = 0; i < all.count; i += of.count) {
      of.count = all.count - i < together ? all.count - i : together;
      const char* const updates = all.updates + i * all.step + lane * run.lane.updates;
      if (piece.lanes == 1) {
        scale_elements<T>(reduce.alpha, updates, all.step, of.count, products);
      } else {
        for (std::int64_t k = 0; k < of.count; ++k) {
          scale_elements<T>(reduce.alpha, updates + k * all.step, run.lane.updates, piece.lanes,
                            products + k * of.step);
        }
      }
      if (piece.lanes == 1) {
        combine_single<T>(reduction::sum, of);
      } else {
        combine_row<T, reduction::sum_type, false>(reduction::sum, of, piece);
      }
      of.data = of.to;
      piece.lane.data = run.lane.to;
    }
    piece.lane.data = run.lane.data;
  }
}

// Combines the updates of a segment one after the other with a row that stays in the first-level cache; each element
// has a state, or all of them have one.
template <class T, class R, bool IsContiguous>
STREW_INLINE void combine_in_turn(const R& reduce, const one_segment& of, const segment_run& run) noexcept {
  using how = reduction_step<T, R>;
  constexpr bool has_states = how::grid == state_layout::elements;
  constexpr auto state_size = static_cast<std::int64_t>(sizeof(typename how::state));
  constexpr std::int64_t most = has_states ? tuning::segment_states / state_size : int64_max;
  char states[static_cast<std::size_t>(has_states ? most * state_size : state_size)];
  row_run row{run.lanes, run.lane.to, run.lane.updates, has_states ? state_size : 0, run.unit};
  for (std::int64_t lane = 0; lane < run.lanes; lane += row.extent) {
    row.extent = run.lanes - lane < most ? run.lanes - lane : most;
    std::memset(states, 0, static_cast<std::size_t>(has_states ? row.extent * state_size : state_size));
    char* const to = of.to + lane * run.lane.to;
    const char* const data = of.data + lane * run.lane.data;
    const char* update = of.updates + lane * run.lane.updates;
    if (to != data) copy_run<width_of_row<T>>(to, run.lane.to, data, run.lane.data, row.extent, run.unit);
    for (std::int64_t i = 0; i < of.count; ++i, update += of.step) {
      reduce_row<T, R, IsContiguous>(reduce, to, update, states, row);
    }
    if constexpr (how::finishes) finish_states<T, R>(to, run.lane.to, states, row.state_stride, row.extent);
  }
}

template <class T, class R, bool IsContiguous>
STREW_INLINE void combine_row(const R& reduce, const one_segment& of, const segment_run& run) noexcept {
  using how = reduction_step<T, R>;
  using later = typename later_reduction<R>::type;
  if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    combine_scaled<T>(reduce, of, run);
  } else if constexpr (IsContiguous && has_vectors<T, R>()) {
    combine_contiguous<T, R>(of, run);
  } else if constexpr (IsContiguous && how::grid == state_layout::rows && has_vectors<T, later>()) {
    // All elements of a row have one state.
    typename how::state kept{};
    T unused{};
    one_segment rest = of;
    if constexpr (requires { how::starts(kept); }) {
      static_cast<void>(how::starts(kept));
      rest = {of.to, of.updates, of.updates + of.step, of.step, of.count - 1};
    }
    for (std::int64_t i = 0; i < rest.count; ++i) how::apply(reduce, unused, unused, kept);
    combine_contiguous<T, later>(rest, run);
    if constexpr (how::finishes) {
      if (how::is_unfinished(kept)) finish_row<T, R>(of.to, run.unit, kept, run.lanes);
    }
  } else {
    combine_in_turn<T, R, IsContiguous>(reduce, of, run);
  }
}

// ---- Runs of segments

// Calls body(one) for each segment that has updates, and copy(to, data) for the others, out of place.
template <class Body, class Copy>
STREW_INLINE void for_each_segment(const segment_run& all, const Body& body, const Copy& copy) noexcept {
  const segment_run run = all;  // a copy: stores of char may alias it
  one_segment of{run.to, run.data, nullptr, run.segment.updates, 0};
  std::int64_t first = run.offsets[0];
  for (std::int64_t s = 0; s < run.count; ++s, of.to += run.segment.to, of.data += run.segment.data) {
    const std::int64_t end = run.offsets[s + 1];
    of.count = end - first;
    if (of.count > 0) {
      of.updates = run.updates + first * run.segment.updates;
      body(of);
    } else if (!run.in_place) {
      copy(of.to, of.data);
    }
    first = end;
  }
}
// Calls body(run) for each lane by itself.
template <class Body>
STREW_INLINE void for_each_lane(const segment_run& run, const Body& body) noexcept {
  segment_run one = run;
  one.lanes = 1;
  for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
    body(one);
    one.to += run.lane.to;
    one.data += run.lane.data;
    one.updates += run.lane.updates;
  }
}

// The lengths of segments that are short on average: the processor does not predict which one is next unless all are
// equal.
enum class short_segments : unsigned char { none, of_two_updates, of_other_equal_lengths, of_many_lengths };
STREW_VECTORISED inline short_segments find_short_segments(const segment_run& run) noexcept {
  if ((run.offsets[run.count] - run.offsets[0]) / run.count >= tuning::limits().short_segments) {
    return short_segments::none;
  }
  const std::int64_t length = run.offsets[1] - run.offsets[0];
  std::int64_t others = 0;
  for (std::int64_t s = 1; s < run.count; ++s) others |= (run.offsets[s + 1] - run.offsets[s]) ^ length;
  if (others != 0) return short_segments::of_many_lengths;
  return length == 2 ? short_segments::of_two_updates : short_segments::of_other_equal_lengths;
}
// Calls body(one) for each of segments of two updates, without a loop over these.
template <class Body>
STREW_INLINE void for_each_pair(const segment_run& all, const Body& body) noexcept {
  const segment_run run = all;  // a copy: stores of char may alias it
  one_segment of{run.to, run.data, run.updates + run.offsets[0] * run.segment.updates, run.segment.updates, 2};
  for (std::int64_t s = 0; s < run.count; ++s) {
    body(of);
    of.to += run.segment.to;
    of.data += run.segment.data;
    of.updates += 2 * run.segment.updates;
  }
}
// Calls body(to, update) for each update of segments of elements or short rows, without a branch for each segment: a
// number at each position says how many segments begin there.
template <class Body>
STREW_INLINE void for_each_update_of_segments(const segment_run& all, const Body& body) noexcept {
  const segment_run run = all;  // a copy: stores of char may alias it
  std::int32_t begins[tuning::positions];
  const std::int64_t end = run.offsets[run.count];
  std::int64_t next = 1;
  char* to = run.to;
  for (std::int64_t first = run.offsets[0]; first < end; first += tuning::positions) {
    const std::int64_t count = end - first < tuning::positions ? end - first : tuning::positions;
    std::memset(begins, 0, static_cast<std::size_t>(count) * sizeof(std::int32_t));
    for (; next < run.count && run.offsets[next] < first + count; ++next) ++begins[run.offsets[next] - first];
    const char* update = run.updates + first * run.segment.updates;
    for (std::int64_t i = 0; i < count; ++i, update += run.segment.updates) {
      to += begins[i] * run.segment.to;
      body(to, update);
    }
  }
}

// Whether a sum or the like waits for the one before it, for some cycles: then long segments of elements are combined
// four at a time.
template <class T, class R>
inline constexpr bool waits_for_last = is_one_of<T, float, double>&& has_vectors<T, R>();
template <class T, class R, std::int64_t... Segment>
STREW_INLINE void combine_together(const segment_run& run, std::int64_t first, std::int64_t least,
                                   std::integer_sequence<std::int64_t, Segment...>) noexcept {
  struct element {
    char bytes[sizeof(T)];
  };
  element values[sizeof...(Segment)];
  const char* const updates[] = {run.updates + run.offsets[first + Segment] * run.segment.updates...};
  (std::memcpy(values[Segment].bytes, run.data + (first + Segment) * run.segment.data, sizeof(T)), ...);
  for (std::int64_t i = 0; i < least; ++i) {
    (reduce_single<T>(R{}, values[Segment].bytes, updates[Segment] + i * run.segment.updates, nullptr), ...);
  }
  (combine_single<T>(R{}, {run.to + (first + Segment) * run.segment.to, values[Segment].bytes,
                           updates[Segment] + least * run.segment.updates, run.segment.updates,
                           run.offsets[first + Segment + 1] - run.offsets[first + Segment] - least}),
   ...);
}
// As for_each_segment, with four segments at a time where all of them are long.
template <class T, class R, class Body, class Copy>
STREW_INLINE void combine_long_segments(const segment_run& all, const Body& body, const Copy& copy) noexcept {
  const segment_run run = all;  // a copy: stores of char may alias it
  segment_run one = run;
  one.count = 1;
  for (std::int64_t s = 0; s < run.count;) {
    std::int64_t least = s + 4 > run.count ? 0 : int64_max;
    for (std::int64_t k = s; k < s + 4 && least > 0; ++k) {
      const std::int64_t length = run.offsets[k + 1] - run.offsets[k];
      least = length < least ? length : least;
    }
    const bool are_long = least >= tuning::limits().long_segments;
    if (are_long) {
      combine_together<T, R>(run, s, least, std::make_integer_sequence<std::int64_t, 4>{});
    } else {
      for_each_segment(one, body, copy);
    }
    const std::int64_t done = are_long ? 4 : 1;
    one.skip(done);
    s += done;
  }
}
STREW_INLINE bool are_long_segments(const segment_run& run) noexcept {
  return (run.offsets[run.count] - run.offsets[0]) / run.count >= tuning::limits().long_segments;
}

// Copies data's elements, out of place. One lane.
template <std::size_t Width>
STREW_INLINE void copy_elements(const segment_run& run) noexcept {
  if (run.in_place) return;
  copy_run<Width>(run.to, run.segment.to, run.data, run.segment.data, run.count, run.unit);
}

// Rows of this many vectors.
template <class T, class R, std::size_t Vectors>
STREW_INLINE void combine_vector_rows(const segment_run& run) noexcept {
  STREW_RAN("combine_segments of vectors", type_name<T>, reduction_name<R>, Vectors);
  const auto combine = [](const one_segment& of) { combine_vectors<T, R>(of, 0, std::make_index_sequence<Vectors>{}); };
  if constexpr (Vectors == 1) {
    const short_segments lengths = find_short_segments(run);
    if (lengths == short_segments::of_two_updates) return for_each_pair(run, combine);
    if (lengths == short_segments::of_many_lengths) {
      if (!run.in_place) copy_blocks_of<16>(run.to, run.segment.to, run.data, run.segment.data, run.count);
      return for_each_update_of_segments(run, [](char* to, const char* update) { reduce_vector<T, R>(to, update); });
    }
  }
  for_each_segment(run, combine, [](char* to, const char* data) { std::memcpy(to, data, 16 * Vectors); });
}

#if STREW_HAS_F16C
// Segments of single float16, each step rounded as everywhere.
template <class R>
STREW_NOINLINE STREW_F16C void combine_half_segments_f16c(const segment_run& all) noexcept {
  using halves __attribute__((vector_size(16))) = short;
  using floats __attribute__((vector_size(16))) = float;
  const segment_run run = all;  // a copy: stores of char may alias it
  for (std::int64_t s = 0; s < run.count; ++s) {
    const std::int64_t count = run.offsets[s + 1] - run.offsets[s];
    if (count == 0 && run.in_place) continue;
    short element;
    std::memcpy(&element, run.data + s * run.segment.data, half_size);
    floats x = __builtin_ia32_vcvtph2ps(halves{element});
    for (std::int64_t i = run.offsets[s]; i < run.offsets[s + 1]; ++i) {
      short update;
      std::memcpy(&update, run.updates + i * run.segment.updates, half_size);
      combine_floats<R>(x, __builtin_ia32_vcvtph2ps(halves{update}));
      const halves rounded = __builtin_ia32_vcvtps2ph(x, 0);
      element = rounded[0];
      x = __builtin_ia32_vcvtph2ps(rounded);
    }
    std::memcpy(run.to + s * run.segment.to, &element, half_size);
  }
}
#endif

template <class T, class R>
STREW_VECTORISED void combine_segments(const void* object, const segment_run& run) noexcept {
  const R& reduce = reduction_of<R>(object);
  const auto copy_element = [](char* to, const char* data) { std::memcpy(to, data, sizeof(T)); };
  if (run.lanes == 1 || run.is_by_lanes()) {
    STREW_RAN("combine_segments of elements", type_name<T>, reduction_name<R>);
    return for_each_lane(run, [&](const segment_run& lane) {
      if constexpr (std::is_same_v<R, scaled_sum<T>>) {
        for_each_segment(
            lane, [&](const one_segment& of) { combine_scaled<T>(reduce, of, lane); }, copy_element);
      } else {
#if STREW_HAS_F16C
        if constexpr (converts_elements<T, R>) {
          if (tuning::limits().half_count < tuning::never && has_f16c()) {
            STREW_RAN("combine_segments of elements f16c", reduction_name<R>);
            return combine_half_segments_f16c<R>(lane);
          }
        }
#endif
        const auto combine = [&](const one_segment& of) { combine_single<T>(reduce, of); };
        if constexpr (reduction_step<T, R>::grid == state_layout::none) {
          const short_segments lengths = find_short_segments(lane);
          if (lengths == short_segments::of_two_updates) return for_each_pair(lane, combine);
          if (lengths == short_segments::of_many_lengths) {
            STREW_RAN("combine_segments of few elements", type_name<T>, reduction_name<R>);
            copy_elements<width_of_row<T>>(lane);
            return for_each_update_of_segments(
                lane, [&](char* to, const char* update) { reduce_single<T>(reduce, to, update, nullptr); });
          }
        }
        if constexpr (waits_for_last<T, R>) {
          if (are_long_segments(lane)) return combine_long_segments<T, R>(lane, combine, copy_element);
        }
        for_each_segment(lane, combine, copy_element);
      }
    });
  }
  const auto copy = [&](char* to, const char* data) {
    copy_run<width_of_row<T>>(to, run.lane.to, data, run.lane.data, run.lanes, run.unit);
  };
  if (run.are_lanes_contiguous()) {
    if constexpr (has_vectors<T, R>()) {
      if (run.lanes * run.unit == 16) return combine_vector_rows<T, R, 1>(run);
      if (run.lanes * run.unit == 64) return combine_vector_rows<T, R, 4>(run);
    }
    STREW_RAN("combine_segments of rows", type_name<T>, reduction_name<R>);
    for_each_segment(
        run, [&](const one_segment& of) { combine_row<T, R, true>(reduce, of, run); }, copy);
  } else {
    STREW_RAN("combine_segments of strided rows", type_name<T>, reduction_name<R>);
    for_each_segment(
        run, [&](const one_segment& of) { combine_row<T, R, false>(reduce, of, run); }, copy);
  }
}

// Calls copy(to, from) for each segment with the last of its updates, or out of place with data's elements.
template <class Copy>
STREW_INLINE void assign_each(const segment_run& run, const Copy& copy) noexcept {
  for_each_segment(
      run, [&](const one_segment& of) { copy(of.to, of.updates + (of.count - 1) * of.step); }, copy);
}
template <std::size_t Width>
void assign_segments(const void*, const segment_run& run) noexcept {
  if (run.lanes == 1 || run.is_by_lanes()) {
    STREW_RAN("assign_segments of elements", Width);
    return for_each_lane(run, [&](const segment_run& lane) {
      assign_each(lane, [&](char* to, const char* from) { move_element<Width>(to, from, lane.unit); });
    });
  }
  if (run.are_lanes_contiguous()) {
    STREW_RAN("assign_segments of rows", Width);
    const std::int64_t bytes = run.lanes * run.unit;
    return assign_each(run, [&](char* to, const char* from) {
      if (bytes <= longest_small_copy) return copy_small(to, from, bytes);
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    });
  }
  STREW_RAN("assign_segments of strided rows", Width);
  for_each_segment(
      run,
      [&](const one_segment& of) {
        copy_run<Width>(of.to, run.lane.to, of.updates + (of.count - 1) * of.step, run.lane.updates, run.lanes,
                        run.unit);
      },
      [&](char* to, const char* data) { copy_run<Width>(to, run.lane.to, data, run.lane.data, run.lanes, run.unit); });
}

template <class T, class R>
constexpr segments_function find_segment_loop() noexcept {
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return assign_segments<width_of_row<T>>;
  } else {
    return combine_segments<T, R>;
  }
}
template <class T, class R>
inline constexpr segments_function segment_loop_of = find_segment_loop<T, R>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SEGMENT_LOOPS_HPP
