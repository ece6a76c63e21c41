// SPDX-License-Identifier: Apache-2.0
// Memory that a caller lends to an operator for the time of a call.
#ifndef STREW_WORKSPACE_HPP
#define STREW_WORKSPACE_HPP

#include <strew/executor.hpp>
#include <strew/kernel/scratch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strew {

// An executor that also lends scratch memory. Operators never allocate; those with a faster way that needs more than
// some tens of KiB of stack take it from here. How much helps is what the function named like the operator with
// `_workspace` behind says; with less, or none, the output is the same and only slower.
//
//   std::vector<std::byte> memory(strew::scatter_elements_update_workspace(data.extents(), axis));
//   strew::scatter_elements_update(strew::workspace{memory}, data, indices, updates, axis, output);
//   strew::scatter_elements_update(strew::workspace{memory, pool}, data, indices, updates, axis, output);
//
// The bytes need no alignment and their values do not matter. They must not be shared by calls that run at the same
// time, nor overlap an operand; `memory` and the executor must outlive the calls.
template <executor Ex = const serial_executor>
class workspace {
 public:
  constexpr explicit workspace(std::span<std::byte> memory) noexcept : memory_{memory}, executor_{serial} {}
  constexpr workspace(std::span<std::byte> memory, Ex& ex) noexcept : memory_{memory}, executor_{ex} {}

  template <class Body>
  constexpr void operator()(std::size_t n, const Body& body) const {
    executor_(n, body);
  }
  [[nodiscard]] constexpr std::size_t concurrency() const { return detail::concurrency_of(executor_); }
  [[nodiscard]] constexpr std::span<std::byte> memory() const noexcept { return memory_; }

 private:
  std::span<std::byte> memory_;
  Ex& executor_;
};

workspace(std::span<std::byte>)->workspace<const serial_executor>;

namespace detail {

// No call is cut into more parts than this for each thread.
inline constexpr std::uint64_t most_parts_a_thread = 8;

// The scratch memory of an executor: what a workspace lends, else none.
template <class Ex>
[[nodiscard]] constexpr scratch scratch_of(Ex& ex) noexcept {
  if constexpr (requires { ex.memory(); }) {
    return {ex.memory().data(), static_cast<std::int64_t>(ex.memory().size())};
  } else {
    return {};
  }
}

// The bytes of a workspace from which each part of a call gets `bytes`.
[[nodiscard]] constexpr std::size_t workspace_size(std::uint64_t bytes, std::size_t threads) noexcept {
  const std::uint64_t parts = threads < 2 ? 1 : saturating_multiply(threads, most_parts_a_thread);
  return static_cast<std::size_t>(saturating_multiply(saturating_add(bytes, 2 * scratch::alignment), parts));
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_WORKSPACE_HPP
