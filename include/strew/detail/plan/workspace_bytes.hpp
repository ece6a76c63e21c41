// SPDX-License-Identifier: Apache-2.0
// The bytes of the workspace that a problem needs.
#ifndef STREW_DETAIL_PLAN_WORKSPACE_BYTES_HPP
#define STREW_DETAIL_PLAN_WORKSPACE_BYTES_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

[[nodiscard]] constexpr std::size_t saturated_size(const std::uint64_t bytes) noexcept {
  constexpr std::size_t most = static_cast<std::size_t>(-1);
  return bytes < most ? static_cast<std::size_t>(bytes) : most;
}

// The bytes of the buckets of a problem; 0 if buckets do not pay.
[[nodiscard]] constexpr std::size_t bucket_workspace(const bucket_problem& of, direct_stores instead,
                                                     std::size_t threads) noexcept {
  constexpr std::size_t most_threads = tuning::most_checks;
  const auto some = static_cast<std::int64_t>(threads < most_threads ? threads : most_threads);
  if (!suits_buckets(of, bucketed_from(of, instead, some))) return 0;
  const auto bytes = static_cast<std::uint64_t>(plan_buckets(of, some).bytes(of));
  return saturated_size(bytes + scratch_memory::alignment);
}

// The bytes of a workspace of which each part of a call gets `bytes`; saturates to the largest std::size_t.
[[nodiscard]] constexpr std::size_t workspace_size(std::uint64_t bytes, std::size_t threads) noexcept {
  constexpr auto most_parts = static_cast<std::uint64_t>(tuning::most_parts_a_thread);
  const std::uint64_t parts = threads < 2 ? 1 : saturating_multiply(threads, most_parts);
  return saturated_size(saturating_multiply(saturating_add(bytes, 2 * scratch_memory::alignment), parts));
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_WORKSPACE_BYTES_HPP
