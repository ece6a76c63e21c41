// SPDX-License-Identifier: Apache-2.0
// What a call can reach of buckets, by the width of an element.
#ifndef STREW_DETAIL_CPU_BUCKET_LEAVES_HPP
#define STREW_DETAIL_CPU_BUCKET_LEAVES_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/output_buckets.hpp>
#include <strew/detail/cpu/workspace_buckets.hpp>

#include <cstddef>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// `Memory`: the caller may lend some.
template <std::size_t Width, bool Memory>
constexpr bucket_leaves make_bucket_leaves() noexcept {
  bucket_leaves leaves{nullptr, scatter_by_output_buckets, nullptr, fill_buckets<Width, false>, empty_bucket<Width>};
  if constexpr (Memory) {
    leaves.in_workspace = scatter_by_buckets<index_source>;
    leaves.fill_chunks = fill_buckets<Width, true>;
  }
  return leaves;
}
template <std::size_t Width, bool Memory>
inline constexpr bucket_leaves bucket_leaves_of = make_bucket_leaves<Width, Memory>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_BUCKET_LEAVES_HPP
