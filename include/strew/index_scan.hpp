// SPDX-License-Identifier: Apache-2.0
// The check of a whole tensor of indices before anything is written.
#ifndef STREW_INDEX_SCAN_HPP
#define STREW_INDEX_SCAN_HPP

#include <strew/config.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>
#include <strew/kernel/run.hpp>
#include <strew/layout.hpp>
#include <strew/loop_nest.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::detail {

// What a look at some indices finds; findings of several looks are or-ed.
enum : unsigned { nothing_found = 0, bad_index = 1, negative_index = 2 };

// The bits of some signed indices, or-ed, each with the sign bit that says whether any is negative.
template <class U>
struct index_bits {
  U index = 0;
  U bad = 0;
};

// An index counts from the nearer end of its axis, a negative one as its distance to -1, so that no sum overflows; it
// is bad if it lies more than `limit` from there. Written as it is because compilers turn it into vector code, which
// they do not do for `bad |= index >= extent`.
template <class I, class U, class Stride>
STREW_VECTORISED constexpr index_bits<U> collect_wrapping_bits(const I* indices, Stride stride, std::int64_t count,
                                                               U limit) noexcept {
  index_bits<U> bits;
  for (std::int64_t i = 0; i < count; ++i) {
    const I index = indices[i * stride];
    const auto position = static_cast<U>(index < 0 ? ~index : index);
    bits.index = static_cast<U>(bits.index | static_cast<U>(index));
    bits.bad = static_cast<U>(bits.bad | static_cast<U>(limit - position));
  }
  return bits;
}

// As above, where negative indices are bad. One that is negative need not be compared.
template <class I, class U, class Stride>
STREW_INLINE constexpr U strict_bits_loop(const I* indices, Stride stride, std::int64_t count, U limit) noexcept {
  U bad = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<U>(indices[i * stride]);
    bad = static_cast<U>(bad | index | static_cast<U>(limit - index));
  }
  return bad;
}
template <class I, class U>
STREW_VECTORISED_AVX2 U collect_strict_bits_avx2(const I* indices, std::int64_t count, U limit) noexcept {
  return strict_bits_loop(indices, std::integral_constant<std::int64_t, 1>{}, count, limit);
}
template <class I, class U, class Stride>
STREW_VECTORISED constexpr U collect_strict_bits(const I* indices, Stride stride, std::int64_t count,
                                                 U limit) noexcept {
  if constexpr (!std::is_same_v<Stride, std::int64_t>) {
    if (!std::is_constant_evaluated() && chooses_avx2(count)) return collect_strict_bits_avx2(indices, count, limit);
  }
  return strict_bits_loop(indices, stride, count, limit);
}

template <class U, class Stride>
STREW_VECTORISED constexpr U largest_of(const U* indices, Stride stride, std::int64_t count) noexcept {
  U largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const U index = indices[i * stride];
    largest = index > largest ? index : largest;
  }
  return largest;
}

// Checks a run of indices.
template <class I>
constexpr unsigned scan_run(const I* indices, std::int64_t stride, std::int64_t count, std::int64_t extent,
                            index_rule rule) noexcept {
  using unsigned_type = std::make_unsigned_t<I>;
  constexpr auto largest = std::numeric_limits<I>::max();
  if (extent == 0) return count == 0 ? nothing_found : bad_index;
  // The largest legal index, in the index's own type.
  const bool all_fit = static_cast<std::uint64_t>(extent - 1) >= static_cast<std::uint64_t>(largest);
  const auto limit = all_fit ? static_cast<unsigned_type>(largest) : static_cast<unsigned_type>(extent - 1);
  unsigned found = nothing_found;
  with_stride(stride, [&](auto index_stride) {
    if constexpr (std::is_unsigned_v<I>) {
      if (largest_of(indices, index_stride, count) > limit) found = bad_index;
    } else if (rule == index_rule::strict) {
      if (static_cast<I>(collect_strict_bits(indices, index_stride, count, limit)) < 0) found = bad_index;
    } else {
      const index_bits<unsigned_type> bits = collect_wrapping_bits(indices, index_stride, count, limit);
      if (static_cast<I>(bits.bad) < 0) found |= bad_index;
      if (static_cast<I>(bits.index) < 0) found |= negative_index;
    }
  });
  return found;
}

// Names the first bad index in row-major order. There is one.
template <class I>
STREW_COLD constexpr bool refuse_first_bad_index(const char* operation, const I* indices, const strided_layout& layout,
                                                 int axis, std::int64_t extent, index_rule rule,
                                                 status& error) noexcept {
  index_list coordinate = layout.extents();
  for (int k = 0; k < coordinate.size(); ++k) coordinate[k] = 0;
  while (normalize_index(indices[layout.offset(coordinate)], extent, rule) != out_of_bounds) {
    int k = coordinate.size() - 1;
    while (++coordinate[k] == layout.extent(k)) coordinate[k--] = 0;
  }
  const I value = indices[layout.offset(coordinate)];
  const std::int64_t low = rule == index_rule::strict ? 0 : -extent;
  refuse(error, errc::index_out_of_bounds, operation, "indices",
         extent == 0 ? "{a} = {0} names no element (axis {3} has extent 0)"
                     : "{a} = {0} is outside [{1}, {2}] (axis {3} has extent {4})",
         {static_cast<std::int64_t>(value), low, extent - 1, axis, extent}, coordinate);
  if (std::is_unsigned_v<I>) error.first_number_is_unsigned();
  return false;
}

// What the check learns of the indices on the way.
struct index_facts {
  bool wraps = false;  // whether any is negative
  // Whether they are first, first + step, first + 2 step, .. in row-major order, step not 0: a slice.
  bool is_slice = false;
  std::int64_t first = 0;
  std::int64_t step = 1;
  // Whether they form one run in which none is negative or less than the one before. Looked for only where there is
  // more than one thread, since it tells which indices concern which part of the output.
  bool ascends = false;
};

// Whether no index of a run is less than the one before. Those of most tensors fall within the first block.
template <class I>
STREW_VECTORISED constexpr bool run_ascends(const I* indices, std::int64_t stride, std::int64_t count) noexcept {
  constexpr std::int64_t block = 512;
  for (std::int64_t begin = 1; begin < count; begin += block) {
    const std::int64_t end = count - begin < block ? count : begin + block;
    unsigned falls = 0;
    for (std::int64_t i = begin; i < end; ++i) falls |= indices[i * stride] < indices[(i - 1) * stride] ? 1U : 0U;
    if (falls != 0) return false;
  }
  return true;
}

// Whether index i of a run is first + i * step. The terms do not overflow.
template <class I, class Stride>
STREW_VECTORISED constexpr bool run_is_slice(const I* indices, Stride stride, std::int64_t count, std::int64_t first,
                                             std::int64_t step) noexcept {
  using unsigned_type = std::make_unsigned_t<I>;
  auto expected = static_cast<unsigned_type>(first);
  const auto difference = static_cast<unsigned_type>(step);
  unsigned_type unequal = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    unequal = static_cast<unsigned_type>(unequal | (static_cast<unsigned_type>(indices[i * stride]) ^ expected));
    expected = static_cast<unsigned_type>(expected + difference);
  }
  return unequal == 0;
}

// Calls scan(begin, count) for pieces of a run of indices, on the executor where there are enough of them, and returns
// what all of them found.
template <class Ex, class Scan>
constexpr unsigned scan_in_pieces(Ex& ex, std::int64_t count, const Scan& scan) {
  if constexpr (!std::is_same_v<std::remove_const_t<Ex>, serial_executor>) {
    if (!std::is_constant_evaluated()) {
      constexpr std::int64_t smallest_piece = smallest_part < 4 ? 1 : smallest_part / 4;  // indices
      constexpr std::int64_t most = 64;
      std::int64_t pieces = count / smallest_piece;
      const auto threads = static_cast<std::int64_t>(concurrency_of(ex));
      if (pieces > threads) pieces = threads;
      if (pieces > most) pieces = most;
      if (pieces > 1) {
        unsigned found[most] = {};  // written once a piece, so sharing a cache line costs nothing
        const auto scan_piece = [&](std::size_t i) noexcept {
          const auto piece = static_cast<std::int64_t>(i);
          const std::int64_t begin = count / pieces * piece;
          found[i] = scan(begin, piece + 1 == pieces ? count - begin : count / pieces);
        };
        ex(static_cast<std::size_t>(pieces), scan_piece);
        unsigned all = nothing_found;
        for (std::int64_t i = 0; i < pieces; ++i) all |= found[i];
        return all;
      }
    }
  }
  return scan(std::int64_t{0}, count);
}

// Whether a run of two or more indices is a slice; if it is, `facts` says which.
template <class Ex, class I>
constexpr bool learn_slice(Ex& ex, const I* indices, std::int64_t stride, std::int64_t count, index_facts& facts) {
  const std::int64_t first = saturate(indices[0]);
  const std::int64_t second = saturate(indices[stride]);
  const std::int64_t last = saturate(indices[(count - 1) * stride]);
  // No legal tensor has indices near the limits, where their differences overflow. A look at the last index tells
  // most tensors that are no slice.
  constexpr std::int64_t limit = int64_max / 4;
  const auto is_near = [](std::int64_t index) { return index >= -limit && index <= limit; };
  if (first == second || !is_near(first) || !is_near(second) || !is_near(last)) return false;
  const std::int64_t step = second - first;
  const double span = static_cast<double>(count - 1) * static_cast<double>(step);
  if (span < -4e18 || span > 4e18 || last - first != (count - 1) * step) return false;
  const unsigned found = scan_in_pieces(ex, count, [&](std::int64_t begin, std::int64_t size) {
    bool is_slice = false;
    with_stride(stride, [&](auto index_stride) {
      is_slice = run_is_slice(indices + begin * stride, index_stride, size, first + begin * step, step);
    });
    return is_slice ? nothing_found : bad_index;
  });
  if (found != nothing_found) return false;
  facts.is_slice = true;
  facts.first = first;
  facts.step = step;
  return true;
}

// Checks every index against the extent of the axis it will be used on. O(layout.size()).
template <class I, class Ex>
constexpr bool check_indices(Ex& ex, const char* operation, const I* indices, const strided_layout& layout, int axis,
                             std::int64_t extent, index_rule rule, index_facts& facts, status& error) {
  loop_nest<1> nest;
  if (layout.is_row_major()) {
    nest.add_inner(layout.size(), {1});
  } else {
    for (int k = 0; k < layout.rank(); ++k) nest.add_inner(layout.extent(k), {layout.stride(k)});
  }
  unsigned found = nothing_found;
  if (nest.rank() == 1 && !nest.empty()) {
    const std::int64_t count = nest.extent(0);
    const std::int64_t stride = nest.strides(0)[0];
    if (learn_slice(ex, indices, stride, count, facts)) {
      const std::int64_t ends[] = {facts.first, facts.first + (count - 1) * facts.step};  // they bound the rest
      found = scan_run(ends, 1, 2, extent, rule);
      // Indices on both sides of 0 are no slice: they go from one end of the axis to the other.
      if ((ends[0] < 0) != (ends[1] < 0)) facts.is_slice = false;
      if (ends[0] < 0) facts.first += extent;
    } else {
      found = scan_in_pieces(ex, count, [&](std::int64_t begin, std::int64_t size) {
        return scan_run(indices + begin * stride, stride, size, extent, rule);
      });
    }
  } else {
    nest.for_each_run({}, [&](const per_operand<1>& at, std::int64_t count, const per_operand<1>& stride) {
      found |= scan_run(indices + at[0], stride[0], count, extent, rule);
    });
  }
  facts.wraps = (found & negative_index) != 0;
  const bool ok = (found & bad_index) == 0;
  if constexpr (!std::is_same_v<std::remove_const_t<Ex>, serial_executor>) {
    if (!std::is_constant_evaluated() && ok && !facts.wraps && !facts.is_slice && nest.rank() == 1 && !nest.empty() &&
        concurrency_of(ex) > 1) {
      facts.ascends = run_ascends(indices, nest.strides(0)[0], nest.extent(0));
    }
  }
  return ok || refuse_first_bad_index(operation, indices, layout, axis, extent, rule, error);
}

}  // namespace strew::detail

#endif  // STREW_INDEX_SCAN_HPP
