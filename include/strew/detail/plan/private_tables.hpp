// SPDX-License-Identifier: Apache-2.0
// The private copies of an output with many updates, see kernels/private_copy.hpp: whether they pay, and their memory.
#ifndef STREW_DETAIL_PLAN_PRIVATE_TABLES_HPP
#define STREW_DETAIL_PLAN_PRIVATE_TABLES_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether private copies pay for outputs of a size with a number of indices.
constexpr bool suits_private_tables(std::int64_t output_bytes, std::int64_t indices) noexcept {
  const tuning::thresholds& limits = tuning::limits();
  return output_bytes > 0 && output_bytes <= limits.largest_private_copy &&
         indices / output_bytes >= limits.private_copy_indices;
}

// The most shares of the updates, each with a table of its own, on a number of threads.
constexpr std::int64_t most_shares(std::int64_t indices, std::int64_t threads) noexcept {
  const std::int64_t most = indices / tuning::limits().smallest_private_share;
  const std::int64_t shares = most < threads ? most : threads;
  return shares < 1 ? 1 : shares < tuning::most_checks ? shares : tuning::most_checks;
}

// The tables: one for each share, and in place one for the output as it was.
struct private_tables {
  std::int64_t size;  // bytes of a table: the output's, rounded up to cache lines
  std::int64_t shares;
  bool in_place;

  constexpr private_tables(std::int64_t output_bytes, std::int64_t all, bool is_in_place) noexcept
      : size{(output_bytes + line - 1) / line * line}, shares{all}, in_place{is_in_place} {}

  [[nodiscard]] constexpr std::int64_t bytes() const noexcept { return size * (shares + (in_place ? 1 : 0)); }
  // Bytes of a workspace for them; 0 if they are on the stack.
  [[nodiscard]] constexpr std::uint64_t workspace() const noexcept {
    return bytes() <= tuning::limits().used_private_copy_on_stack
               ? 0
               : static_cast<std::uint64_t>(bytes() + scratch_memory::alignment);
  }

 private:
  static constexpr std::int64_t line = scratch_memory::alignment;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_PRIVATE_TABLES_HPP
