// SPDX-License-Identifier: Apache-2.0
// Memory that a caller lends to an operator for the time of a call. strew/heap_workspace.hpp allocates it instead.
#ifndef STREW_WORKSPACE_HPP
#define STREW_WORKSPACE_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strew::inline STREW_ABI {

// An executor that also lends scratch memory. Operators never allocate; those with a faster way that needs more than
// some tens of KiB of stack take it from here. How much helps is what workspace_bytes() of strew/extents.hpp says; with
// less, or none, the output is the same and only slower. A NaN stays a NaN; its sign and payload are promised for
// assignment, min and max alone.
//
//   std::vector<std::byte> memory(
//       strew::workspace_bytes<float>(strew::scatter_update, data.extents(), indices.extents(), axis));
//   strew::scatter_update(strew::workspace{memory}, data, indices, updates, axis, output);
//   strew::scatter_update(strew::workspace{memory, pool}, data, indices, updates, axis, output);
//
// The bytes need no alignment and their values do not matter. They must not be shared by calls that run at the same
// time, nor overlap an operand; `memory` and the executor must outlive the calls.
template <executor Ex = const serial_executor>
class workspace {
 public:
  constexpr explicit workspace(std::span<std::byte> memory) noexcept : memory_{memory}, executor_{serial} {}
  constexpr workspace(std::span<std::byte> memory, Ex& ex) noexcept : memory_{memory}, executor_{ex} {}

  STREW_KEYED constexpr void operator()(std::size_t n, const task& body) const
      noexcept(detail::executes_without_throwing<Ex>) {
    executor_(n, body);
  }

 private:
  friend struct executor_traits<workspace>;

  std::span<std::byte> memory_;
  Ex& executor_;
};

workspace(std::span<std::byte>)->workspace<const serial_executor>;

template <class Ex>
struct executor_traits<workspace<Ex>> {
  using inner = executor_traits<std::remove_const_t<Ex>>;

  STREW_KEYED [[nodiscard]] static constexpr auto concurrency(const workspace<Ex>& lent) noexcept(
      noexcept(inner::concurrency(lent.executor_))) {
    return inner::concurrency(lent.executor_);
  }
  STREW_KEYED [[nodiscard]] static constexpr std::span<std::byte> memory(const workspace<Ex>& lent) noexcept {
    return lent.memory_;
  }
};

namespace detail::inline STREW_CODE {

template <class Ex>
inline constexpr bool is_serial<workspace<Ex>> = is_serial<std::remove_const_t<Ex>>;

// A tensor of more elements is asked no workspace for: no machine holds it.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 48;

// 0 where a factor is not positive or the product is above most_elements.
constexpr void multiply_size(std::int64_t& product, std::int64_t factor) noexcept {
  product = factor < 1 || product > most_elements / factor ? 0 : product * factor;
}

// A scatter of rows or of elements whose operands are dense, as its extents say; `rows` is 0 where they are not legal.
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

// The bytes with which a problem is solved by way of buckets; 0 where that would not pay.
[[nodiscard]] constexpr std::size_t bucket_workspace(const bucket_problem& of, std::size_t threads) noexcept {
  if (!suits_buckets(of)) return 0;
  constexpr std::size_t most_threads = tuning::most_checks;
  const std::size_t some = threads < most_threads ? threads : most_threads;
  const auto bytes = static_cast<std::uint64_t>(plan_buckets(of, static_cast<std::int64_t>(some)).bytes(of));
  return saturated_size(bytes + scratch::alignment);
}

// The bytes of a workspace from which each part of a call gets `bytes`; the largest std::size_t if they are more.
[[nodiscard]] constexpr std::size_t workspace_size(std::uint64_t bytes, std::size_t threads) noexcept {
  constexpr auto most_parts = static_cast<std::uint64_t>(tuning::most_parts_a_thread);
  const std::uint64_t parts = threads < 2 ? 1 : saturating_multiply(threads, most_parts);
  return saturated_size(saturating_multiply(saturating_add(bytes, 2 * scratch::alignment), parts));
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_WORKSPACE_HPP
