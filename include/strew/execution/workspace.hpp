// SPDX-License-Identifier: Apache-2.0
// Memory that the caller gives to operators as scratch space. strew/heap_workspace.hpp allocates it instead.
#ifndef STREW_EXECUTION_WORKSPACE_HPP
#define STREW_EXECUTION_WORKSPACE_HPP

#include <strew/config.hpp>
#include <strew/execution/executor.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

// An executor with scratch memory. Operators never allocate; kernels that need more than 64 KiB of stack use this
// memory. workspace_bytes() of strew/operators/extents.hpp returns the size with which an operator is fastest. With
// less, or none, the output is the same.
//
//   std::vector<std::byte> memory(
//       strew::workspace_bytes<float>(strew::scatter_update, data.extents(), indices.extents(), axis));
//   strew::scatter_update(strew::workspace{memory}, data, indices, updates, axis, output);
//   strew::scatter_update(strew::workspace{memory, pool}, data, indices, updates, axis, output);
//
// The memory needs no alignment, and its contents are overwritten. It must not overlap an operand, nor be used by two
// calls at the same time. `memory` and the executor must outlive the calls. O(1), not counting the executor.
template <executor Ex = const serial_executor>
class workspace {
 public:
  // Serial, or on another executor.
  constexpr explicit workspace(std::span<std::byte> memory) noexcept : memory_{memory}, executor_{serial} {}
  constexpr workspace(std::span<std::byte> memory, Ex& ex) noexcept : memory_{memory}, executor_{ex} {}

  // Calls body(i) for each i < n on the executor.
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

  STREW_KEYED [[nodiscard]] static constexpr auto concurrency(const workspace<Ex>& ex) noexcept(
      noexcept(inner::concurrency(ex.executor_))) {
    return inner::concurrency(ex.executor_);
  }
  STREW_KEYED [[nodiscard]] static constexpr std::span<std::byte> memory(const workspace<Ex>& ex) noexcept {
    return ex.memory_;
  }
};

namespace detail::inline STREW_CODE {

template <class Ex>
inline constexpr bool is_serial<workspace<Ex>> = is_serial<std::remove_const_t<Ex>>;

}  // namespace detail
}  // namespace strew

#endif  // STREW_EXECUTION_WORKSPACE_HPP
