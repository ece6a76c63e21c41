// SPDX-License-Identifier: Apache-2.0
// The check of a whole tensor of indices before anything is written.
#ifndef STREW_INDEX_SCAN_HPP
#define STREW_INDEX_SCAN_HPP

#include <strew/config.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/loop_nest.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strew::detail {

// The bits of all `limit - position` of a run of indices, or-ed, where position counts from the nearer end of the axis:
// the index itself, or for a negative one its distance to -1. Where `strict` is all ones a negative index adds its own
// bits, among them the sign. So the sign bit of the result says whether any index is bad. Written as it is because
// compilers turn it into vector code, which they do not do for `bad |= index >= extent`.
template <class I, class U, class Stride>
STREW_VECTORISED constexpr U collect_bad_bits(const I* indices, Stride stride, std::int64_t count, U limit,
                                              U strict) noexcept {
  U bad = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const I index = indices[i * stride];
    const auto position = static_cast<U>(index < 0 ? ~index : index);
    bad = static_cast<U>(bad | static_cast<U>(limit - position) | (static_cast<U>(index) & strict));
  }
  return bad;
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

// Whether all of a run of indices are legal.
template <class I>
constexpr bool run_is_in_bounds(const I* indices, std::int64_t stride, std::int64_t count, std::int64_t extent,
                                index_rule rule) noexcept {
  using unsigned_type = std::make_unsigned_t<I>;
  constexpr auto largest = std::numeric_limits<I>::max();
  if (extent == 0) return count == 0;
  // The largest legal index, in the index's own type.
  const bool all_fit = static_cast<std::uint64_t>(extent - 1) >= static_cast<std::uint64_t>(largest);
  const auto limit = all_fit ? static_cast<unsigned_type>(largest) : static_cast<unsigned_type>(extent - 1);
  bool ok = false;
  with_stride(stride, [&](auto index_stride) {
    if constexpr (std::is_unsigned_v<I>) {
      ok = largest_of(indices, index_stride, count) <= limit;
    } else {
      const auto strict = static_cast<unsigned_type>(rule == index_rule::strict ? -1 : 0);
      ok = static_cast<I>(collect_bad_bits(indices, index_stride, count, limit, strict)) >= 0;
    }
  });
  return ok;
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
  // Whether they are first, first + step, first + 2 step, .. in row-major order, step not 0: a slice.
  bool is_slice = false;
  std::int64_t first = 0;
  std::int64_t step = 1;
};

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
// whether all returned true.
template <class Ex, class Scan>
constexpr bool scan_in_pieces(Ex& ex, std::int64_t count, const Scan& scan) {
  constexpr std::int64_t smallest_piece = smallest_part < 4 ? 1 : smallest_part / 4;  // indices
  if constexpr (!std::is_same_v<std::remove_const_t<Ex>, serial_executor>) {
    if (!std::is_constant_evaluated()) {
      constexpr std::int64_t most = 64;
      std::int64_t pieces = count / smallest_piece;
      const auto threads = static_cast<std::int64_t>(concurrency_of(ex));
      if (pieces > threads) pieces = threads;
      if (pieces > most) pieces = most;
      if (pieces > 1) {
        bool ok[most] = {};  // written once a piece, so sharing a cache line costs nothing
        const auto scan_piece = [&](std::size_t i) noexcept {
          const auto piece = static_cast<std::int64_t>(i);
          const std::int64_t begin = count / pieces * piece;
          ok[i] = scan(begin, piece + 1 == pieces ? count - begin : count / pieces);
        };
        ex(static_cast<std::size_t>(pieces), scan_piece);
        bool all = true;
        for (std::int64_t i = 0; i < pieces; ++i) all = all && ok[i];
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
  // Both ends are near 0 in any legal tensor, so that differences of them do not overflow; and one look at the last
  // index tells most tensors that are none.
  constexpr std::int64_t limit = int64_max / 4;
  if (first == second || first < -limit || first > limit || second < -limit || second > limit) return false;
  const std::int64_t step = second - first;
  if (last < -limit || last > limit || (last - first) % step != 0 || (last - first) / step != count - 1) return false;
  const bool is_slice = scan_in_pieces(ex, count, [&](std::int64_t begin, std::int64_t size) {
    bool ok = false;
    with_stride(stride, [&](auto index_stride) {
      ok = run_is_slice(indices + begin * stride, index_stride, size, first + begin * step, step);
    });
    return ok;
  });
  if (is_slice) facts = {true, first, step};
  return is_slice;
}

// Checks every index against the extent of the axis it will be used on. O(layout.size()).
template <class I, class Ex>
constexpr bool check_indices(Ex& ex, const char* operation, const I* indices, const strided_layout& layout, int axis,
                             std::int64_t extent, index_rule rule, index_facts& facts, status& error) {
  loop_nest<1> nest;
  for (int k = 0; k < layout.rank(); ++k) nest.add_inner(layout.extent(k), {layout.stride(k)});
  bool ok = true;
  if (nest.rank() == 1 && !nest.empty()) {
    const std::int64_t count = nest.extent(0);
    const std::int64_t stride = nest.strides(0)[0];
    if (learn_slice(ex, indices, stride, count, facts)) {
      // The ends bound the rest. Indices that wrap are a slice if all do.
      const std::int64_t last = facts.first + (count - 1) * facts.step;
      ok = normalize_index(facts.first, extent, rule) != out_of_bounds &&
           normalize_index(last, extent, rule) != out_of_bounds;
      facts.is_slice = ok && (facts.first < 0) == (last < 0);
      if (facts.first < 0) facts.first += extent;
    } else {
      ok = scan_in_pieces(ex, count, [&](std::int64_t begin, std::int64_t size) {
        return run_is_in_bounds(indices + begin * stride, stride, size, extent, rule);
      });
    }
  } else {
    nest.for_each_run({}, [&](const per_operand<1>& at, std::int64_t count, const per_operand<1>& stride) {
      ok = ok && run_is_in_bounds(indices + at[0], stride[0], count, extent, rule);
    });
  }
  return ok || refuse_first_bad_index(operation, indices, layout, axis, extent, rule, error);
}

}  // namespace strew::detail

#endif  // STREW_INDEX_SCAN_HPP
