// SPDX-License-Identifier: Apache-2.0
// What an operator does about an index that its rule forbids, where that is not an error: a policy that rides on the
// indices of a call.
#ifndef STREW_INDEX_POLICY_HPP
#define STREW_INDEX_POLICY_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/rules/policy.hpp>

namespace strew::inline STREW_ABI {

// Wrap the indices of any operator that takes some. The order of updates stays as it is; on an axis of extent 0 `drop`
// drops all, `clip` and `wrap` are errors.
//
//   strew::scatter_update(data, strew::drop(indices), updates, axis, output);
template <class Indices>
STREW_KEYED constexpr indices_with_policy<index_policy::drop, Indices> drop(const Indices& indices) noexcept {
  return {indices};
}
template <class Indices>
STREW_KEYED constexpr indices_with_policy<index_policy::clip, Indices> clip(const Indices& indices) noexcept {
  return {indices};
}
template <class Indices>
STREW_KEYED constexpr indices_with_policy<index_policy::wrap, Indices> wrap(const Indices& indices) noexcept {
  return {indices};
}
template <class Indices>
STREW_KEYED constexpr indices_with_policy<index_policy::assume_valid, Indices> assume_valid(
    const Indices& indices) noexcept {
  return {indices};
}

}  // namespace strew

#endif  // STREW_INDEX_POLICY_HPP
