// SPDX-License-Identifier: Apache-2.0
// Whether a view holds an element twice, and whether two views share memory: exact rather than by address ranges, but
// limited in time for contrived strides.
#ifndef STREW_VIEW_OVERLAP_HPP
#define STREW_VIEW_OVERLAP_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// undecided: the search reached its limit of steps.
enum class overlap_result : unsigned char { no, yes, undecided };

// The result for two tests together: yes before undecided before no.
constexpr overlap_result combine(overlap_result a, overlap_result b) noexcept {
  return a == overlap_result::no || b == overlap_result::yes ? b : a;
}

// The sums a_1 x_1 + ... + a_n x_n with integers 0 <= x_k <= u_k and a_k > 0. Both tests of this header ask whether
// some such sum equals a target: a bounded linear Diophantine equation.
class bounded_sums {
 public:
  STREW_COLD constexpr void add_term(std::uint64_t coefficient, std::uint64_t limit) noexcept {
    if (coefficient == 0 || limit == 0) return;
    int k = 0;
    while (k < count_ && coefficient_[k] > coefficient) ++k;
    if (k < count_ && coefficient_[k] == coefficient) {
      limit_[k] += limit;
      return;
    }
    for (int moved = count_++; moved > k; --moved) {
      coefficient_[moved] = coefficient_[moved - 1];
      limit_[moved] = limit_[moved - 1];
    }
    coefficient_[k] = coefficient;
    limit_[k] = limit;
  }

  // The most steps that the searches of one question take together. A step divides at most twice for each term, and
  // takes 0.1 us with 16 axes.
  static constexpr int step_limit = 1 << 14;

  // Whether some sum equals `target`, searched from the largest coefficient down. A few steps for layouts of nested
  // axes. Contrived strides can take exponential time, so the search ends when `steps`, to which its own are added,
  // exceeds step_limit.
  STREW_COLD [[nodiscard]] constexpr overlap_result reaches(std::uint64_t target, int& steps) noexcept {
    for (int k = count_; k-- > 0;) features_[k] = features_[k + 1] + coefficient_[k] * limit_[k];
    steps_ = steps;
    const overlap_result found = reaches_from(0, target);
    steps = steps_;
    return found;
  }

 private:
  static constexpr int capacity = 2 * max_rank + 2;

  // Whether the residues allow the target: the terms from k to j add multiples of their greatest common divisor, and
  // the terms after j must add at least the remainder of the target by this divisor.
  STREW_COLD [[nodiscard]] constexpr bool residues_fit(int k, std::uint64_t target) const noexcept {
    std::uint64_t divisor = 0;
    for (int j = k; j < count_; ++j) {
      divisor = std::gcd(divisor, coefficient_[j]);
      if (target % divisor > features_[j + 1]) return false;
    }
    return true;
  }

  STREW_COLD constexpr overlap_result reaches_from(int k, std::uint64_t target) noexcept {
    if (target == 0) return overlap_result::yes;
    // k == capacity: GCC does not see that count_ is at most the capacity, and warns of entries beyond it.
    if (k == count_ || k == capacity || target > features_[k] || !residues_fit(k, target)) return overlap_result::no;
    const std::uint64_t coefficient = coefficient_[k];
    const std::uint64_t rest = features_[k + 1];  // the most that the smaller terms can add
    std::uint64_t most = target / coefficient;
    if (most > limit_[k]) most = limit_[k];
    const std::uint64_t least = target > rest ? (target - rest - 1) / coefficient + 1 : 0;
    for (std::uint64_t x = most + 1; x-- > least;) {
      if (++steps_ > step_limit) return overlap_result::undecided;
      if (const overlap_result found = reaches_from(k + 1, target - coefficient * x); found != overlap_result::no)
        return found;
    }
    return overlap_result::no;
  }

  int count_ = 0;
  int steps_ = 0;
  std::uint64_t coefficient_[capacity] = {};  // descending
  std::uint64_t limit_[capacity] = {};
  std::uint64_t features_[capacity + 1] = {};  // the largest sum of the terms k, k + 1, ...; 0 after the last
};

// Whether the axes nest: each stride is larger than the span of the axes inside it. Such a layout needs no search.
constexpr bool nests(const strided_layout& l) noexcept {
  std::uint64_t inside = 0;
  for (int k = l.rank(); k-- > 0;) {
    if (l.extent(k) < 2) continue;
    const std::uint64_t stride = magnitude(l.stride(k));
    if (stride <= inside) return false;
    inside += stride * static_cast<std::uint64_t>(l.extent(k) - 1);
  }
  return true;
}

// Whether two coordinates have the same offset, for layouts that do not nest. Rarely needed, hence out of line. The
// searches for all axes share one limit of steps, so that the longest one does not grow with the rank.
STREW_COLD constexpr overlap_result search_repeated(const strided_layout& l, int& steps) noexcept {
  // Cases that need no search.
  if (l.size() > l.highest_offset() - l.lowest_offset() + 1) return overlap_result::yes;  // fewer offsets than elements
  for (int k = 0; k < l.rank(); ++k) {
    if (l.extent(k) > 1 && l.stride(k) == 0) return overlap_result::yes;
  }
  // Two coordinates share an element if the sum of d_k * stride_k over the axes is 0 with |d_k| < extent_k. By symmetry
  // the first d_k that is not 0 is positive. So for each axis k: d_k = 1 + x, and for the axes j after it d_j = y_j -
  // (extent_j - 1), with y_j from 0 to 2 (extent_j - 1). All strides may be taken as positive.
  for (int k = 0; k < l.rank(); ++k) {
    if (l.extent(k) < 2) continue;
    const std::uint64_t stride = magnitude(l.stride(k));
    bounded_sums sums;
    sums.add_term(stride, static_cast<std::uint64_t>(l.extent(k) - 2));
    std::uint64_t target = 0;
    for (int j = k + 1; j < l.rank(); ++j) {
      const std::uint64_t inner = magnitude(l.stride(j));
      const auto last = static_cast<std::uint64_t>(l.extent(j) - 1);
      sums.add_term(inner, 2 * last);
      target += inner * last;
    }
    if (target < stride) continue;
    if (const overlap_result found = sums.reaches(target - stride, steps); found != overlap_result::no) return found;
  }
  return overlap_result::no;
}

// Whether two coordinates of the layout are the same element.
constexpr overlap_result find_repeated(const strided_layout& l) noexcept {
  if (l.is_row_major() || l.empty() || nests(l)) return overlap_result::no;
  int steps = 0;
  return search_repeated(l, steps);
}

// As find_shared, for views whose address ranges intersect.
STREW_COLD constexpr overlap_result search_shared(std::int64_t distance, const strided_layout& a, std::uint64_t a_size,
                                                  const strided_layout& b, std::uint64_t b_size, int& steps) noexcept {
  if (magnitude(distance) < (distance < 0 ? b_size : a_size)) return overlap_result::yes;  // the first elements overlap
  // a's bytes: sum of i_k * stride_k + p with p < a_size; b's: distance + sum of j_k * stride_k + q with q < b_size.
  // Counting b's axes from their far end turns the equation into one of sums.
  bounded_sums sums;
  std::uint64_t target = static_cast<std::uint64_t>(distance) + b_size - 1;  // modulo 2^64, as are all the steps
  sums.add_term(1, a_size - 1);
  sums.add_term(1, b_size - 1);
  const auto add_axes = [&](const strided_layout& l, std::uint64_t element_size, bool far_end_if_positive) {
    for (int k = 0; k < l.rank(); ++k) {
      if (l.extent(k) < 2) continue;
      const std::uint64_t bytes = magnitude(l.stride(k)) * element_size;
      const auto last = static_cast<std::uint64_t>(l.extent(k) - 1);
      sums.add_term(bytes, last);
      if ((l.stride(k) > 0) == far_end_if_positive) target += bytes * last;
    }
  };
  add_axes(a, a_size, false);
  add_axes(b, b_size, true);
  return sums.reaches(target, steps);
}

// The bytes of a view before its first element, and those from there on.
constexpr std::uint64_t bytes_below(const strided_layout& l, std::uint64_t element_size) noexcept {
  return static_cast<std::uint64_t>(-l.lowest_offset()) * element_size;
}
constexpr std::uint64_t bytes_above(const strided_layout& l, std::uint64_t element_size) noexcept {
  return (static_cast<std::uint64_t>(l.highest_offset()) + 1) * element_size;
}

// Whether two views share a byte, with b's first element `distance` bytes after a's; sizes of their elements in bytes.
// O(rank) if their address ranges are disjoint, otherwise at most bounded_sums::step_limit steps.
constexpr overlap_result find_shared(std::int64_t distance, const strided_layout& a, std::uint64_t a_size,
                                     const strided_layout& b, std::uint64_t b_size) noexcept {
  if (a.empty() || b.empty()) return overlap_result::no;
  // Unsigned sums: two spans may exceed 2^63 - 1.
  const bool apart = distance < 0 ? magnitude(distance) >= bytes_below(a, a_size) + bytes_above(b, b_size)
                                  : magnitude(distance) >= bytes_above(a, a_size) + bytes_below(b, b_size);
  if (apart) return overlap_result::no;
  int steps = 0;
  return search_shared(distance, a, a_size, b, b_size, steps);
}

// b - a in bytes, with the right sign for 32-bit addresses too.
inline std::int64_t distance_between(const void* a, const void* b) noexcept {
  const std::uint64_t address_a = reinterpret_cast<std::uintptr_t>(a);
  const std::uint64_t address_b = reinterpret_cast<std::uintptr_t>(b);
  return static_cast<std::int64_t>(address_b - address_a);
}

// The distance from a to b in elements, for constant evaluation, where pointers into different arrays can be compared
// but not subtracted. Returns false if the ranges are disjoint; otherwise one begins inside the other.
template <class T>
constexpr bool find_distance(const T* a, const strided_layout& a_layout, const T* b, const strided_layout& b_layout,
                             std::int64_t& distance) noexcept {
  for (std::int64_t at = a_layout.lowest_offset(); at <= a_layout.highest_offset(); ++at) {
    distance = at - b_layout.lowest_offset();
    if (a + at == b + b_layout.lowest_offset()) return true;
  }
  for (std::int64_t at = b_layout.lowest_offset(); at <= b_layout.highest_offset(); ++at) {
    distance = a_layout.lowest_offset() - at;
    if (b + at == a + a_layout.lowest_offset()) return true;
  }
  return false;
}

// Whether two views share memory.
template <class A, class B>
constexpr overlap_result find_shared(const A* a, const strided_layout& a_layout, const B* b,
                                     const strided_layout& b_layout) noexcept {
  if (!is_constant_evaluated()) {
    return find_shared(distance_between(a, b), a_layout, sizeof(A), b_layout, sizeof(B));
  }
  if constexpr (std::is_same_v<A, B>) {
    std::int64_t distance = 0;
    if (!a_layout.empty() && !b_layout.empty() && find_distance(a, a_layout, b, b_layout, distance)) {
      return find_shared(distance * static_cast<std::int64_t>(sizeof(A)), a_layout, sizeof(A), b_layout, sizeof(B));
    }
  }
  return overlap_result::no;  // arrays of different types are different arrays
}

// As find_shared; true if it is undecided.
template <class A, class B>
constexpr bool shares_memory(const A* a, const strided_layout& a_layout, const B* b,
                             const strided_layout& b_layout) noexcept {
  return find_shared(a, a_layout, b, b_layout) != overlap_result::no;
}

}  // namespace detail

// Whether no two coordinates of the layout are the same element, as an output requires. Exact, except that it may
// return false for contrived strides, for which the search would take too long. O(rank) for layouts whose axes nest in
// their order, otherwise a search of at most 2^14 steps of O(rank) each, whatever the strides.
STREW_KEYED [[nodiscard]] constexpr bool has_distinct_elements(const strided_layout& l) noexcept {
  return detail::find_repeated(l) == detail::overlap_result::no;
}

}  // namespace strew

#endif  // STREW_VIEW_OVERLAP_HPP
