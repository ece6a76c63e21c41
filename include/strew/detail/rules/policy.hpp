// SPDX-License-Identifier: Apache-2.0
// The policies for indices that an operator's rule forbids, and how they resolve an index.
#ifndef STREW_DETAIL_RULES_POLICY_HPP
#define STREW_DETAIL_RULES_POLICY_HPP

#include <strew/config.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether indices that pass the check are legal by the operator's rule. With all other policies they are resolved.
constexpr bool leaves_legal_indices(index_policy policy) noexcept {
  return policy == index_policy::error || policy == index_policy::assume_valid;
}

// The element that an index selects on an axis of `extent` elements, or out_of_bounds: then the update is dropped.
// `bits` are those of a std::uint64_t if is_unsigned. For policies other than drop the extent is not 0, and indices
// with assume_valid are legal, so the result is an element.
constexpr std::int64_t resolve_index(std::int64_t bits, bool is_unsigned, std::int64_t extent, index_rule rule,
                                     index_policy policy) noexcept {
  const bool is_huge = is_unsigned && bits < 0;
  const std::int64_t index = is_huge ? int64_max : bits;
  switch (policy) {
    case index_policy::clip: {
      const std::int64_t counted =
          index < 0 && rule == index_rule::wrapping && index >= -extent ? index + extent : index;
      return counted < 0 ? 0 : counted < extent ? counted : extent - 1;
    }
    case index_policy::wrap: {
      if (is_huge) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) % static_cast<std::uint64_t>(extent));
      }
      const std::int64_t rest = index % extent;
      return rest < 0 ? rest + extent : rest;
    }
    default:
      return normalize_index(index, extent, rule);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_POLICY_HPP
