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

// Upper bound on the elements of a tensor in computations of workspace sizes.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 48;

// Multiplies; 0 if a factor is not positive or the product exceeds most_elements.
constexpr void multiply_size(std::int64_t& product, std::int64_t factor) noexcept {
  product = factor < 1 || product > most_elements / factor ? 0 : product * factor;
}

// A scatter of rows or of elements of dense operands with given extents; `rows` is 0 if they are not legal.
struct scatter_shape {
  std::int64_t outer = 1;  // the product of the extents before the axis
  std::int64_t rows = 0;   // the extent of the axis
  std::int64_t inner = 1;  // the product of the extents after it
  std::int64_t indices = 1;
  bool covers = false;  // whether indices have data's extents off the axis

  constexpr scatter_shape(const index_list& data_extents, const index_list& indices_extents,
                          std::int64_t axis) noexcept {
    const std::int64_t k = normalize_axis(axis, data_extents.size());
    if (k == out_of_bounds) return;
    for (int i = 0; i < data_extents.size(); ++i) {
      if (i == k) continue;
      multiply_size(i < k ? outer : inner, data_extents[i]);
    }
    for (int i = 0; i < indices_extents.size(); ++i) multiply_size(indices, indices_extents[i]);
    const std::int64_t extent = data_extents[static_cast<int>(k)];
    if (outer < 1 || inner < 1 || indices < 1 || outer > most_elements / inner ||
        extent > most_elements / (outer * inner)) {
      return;
    }
    rows = extent;
    covers = indices_extents.size() == data_extents.size();
    for (int i = 0; covers && i < data_extents.size(); ++i) covers = i == k || indices_extents[i] == data_extents[i];
  }
};

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
