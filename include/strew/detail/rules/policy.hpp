// SPDX-License-Identifier: Apache-2.0
// The policies for indices that an operator's rule forbids, and which element an index names under them.
#ifndef STREW_DETAIL_RULES_POLICY_HPP
#define STREW_DETAIL_RULES_POLICY_HPP

#include <strew/config.hpp>
#include <strew/index.hpp>
#include <strew/integer.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

enum class index_policy : unsigned char {
  error,         // the default: the call is refused before anything is written
  drop,          // the update is not applied
  clip,          // the nearest element; under a wrapping rule a legal negative index first counts from the end
  wrap,          // the index modulo the extent, floored, from any distance
  assume_valid,  // not checked: undefined behaviour where it is not so (asserted in debug builds)
};

// Indices with a policy: a view of them, or for index_put a tuple of views.
template <index_policy Policy, class Indices>
struct indices_with_policy {
  Indices indices;
};

namespace detail::inline STREW_CODE {

// The element that an index names on an axis of `extent` elements, or out_of_bounds: then the update is dropped. `bits`
// are those of a std::uint64_t where is_unsigned says so. Under a policy other than drop it names one: the extent is
// not 0 then, and an index that is assumed valid is.
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

}  // namespace detail
}  // namespace strew

#endif  // STREW_DETAIL_RULES_POLICY_HPP
