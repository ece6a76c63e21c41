// SPDX-License-Identifier: Apache-2.0
// The oracle's arithmetic: elements as bytes, reductions by the rules of the specifications, one step at a time.
#ifndef STREW_TESTS_ATTACK_NUMBERS_HPP
#define STREW_TESTS_ATTACK_NUMBERS_HPP

#include "draws.hpp"
#include "guarded.hpp"

#include <cstdint>

namespace attack {

// Kinds of elements; `opaque` ones are moved only.
enum class kind : byte { opaque, boolean, signed_integer, unsigned_integer, floating, brain, complex };
struct element {
  kind is = kind::opaque;
  std::int64_t size = 1;
};
enum class reduce : byte { none, sum, sub, prod, min, max, mean };

[[nodiscard]] bool is_number(element of) noexcept;
// Whether the elements have a reduction.
[[nodiscard]] bool takes(element of, reduce by) noexcept;

// Whether an element is a NaN, of complex ones in one of the parts.
[[nodiscard]] bool is_nan(element of, const byte* value) noexcept;

// *to = f(*to, *with).
void combine(element of, reduce by, byte* to, const byte* with) noexcept;

// The values that meet at one target, in their order.
class mean_state {
 public:
  void add(element of, const byte* value) noexcept;
  void finish(element of, byte* to) const noexcept;
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

 private:
  std::int64_t count_ = 0;
  alignas(16) byte sum_[16] = {};
};

// Whether two elements are equal after arithmetic: equal bits, or NaN in the same places.
[[nodiscard]] bool are_equal(element of, const byte* a, const byte* b) noexcept;
// Whether the bits of a NaN are promised.
[[nodiscard]] constexpr bool keeps_bits(element of, reduce by) noexcept {
  const bool may_be_nan = of.is == kind::floating || of.is == kind::brain || of.is == kind::complex;
  return !may_be_nan || by == reduce::none || by == reduce::min || by == reduce::max;
}

// Writes `count` elements `stride` bytes apart: any bits, or small numbers and some special ones.
void draw_elements(draws& random, element of, byte* first, std::int64_t count, std::int64_t stride) noexcept;

}  // namespace attack

#endif  // STREW_TESTS_ATTACK_NUMBERS_HPP
