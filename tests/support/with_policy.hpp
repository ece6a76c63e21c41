// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TESTS_SUPPORT_WITH_POLICY_HPP
#define STREW_TESTS_SUPPORT_WITH_POLICY_HPP

#include <strew/operators/index_policy.hpp>

namespace strew::test {

// The policy around indices, or around their layouts; error for none.
template <index_policy Policy, class Indices>
auto with_policy(const Indices& indices) {
  if constexpr (Policy == index_policy::drop) {
    return drop(indices);
  } else if constexpr (Policy == index_policy::clip) {
    return clip(indices);
  } else if constexpr (Policy == index_policy::wrap) {
    return wrap(indices);
  } else if constexpr (Policy == index_policy::assume_valid) {
    return assume_valid(indices);
  } else {
    return indices;
  }
}

// Calls body(indices) with the policy around them.
template <class Indices, class Body>
auto with_policy(index_policy policy, const Indices& indices, const Body& body) {
  switch (policy) {
    case index_policy::drop:
      return body(drop(indices));
    case index_policy::clip:
      return body(clip(indices));
    case index_policy::wrap:
      return body(wrap(indices));
    default:
      return body(indices);
  }
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_WITH_POLICY_HPP
