// SPDX-License-Identifier: Apache-2.0
// heap_workspace: an executor that allocates a workspace. Opt-in: strew.hpp does not include it, so that only its users
// pay for computing the size of the workspace.
#ifndef STREW_HEAP_WORKSPACE_HPP
#define STREW_HEAP_WORKSPACE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/kernels/wanted_memory.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

// An executor with scratch memory, as strew::workspace, but allocated on the heap: before each call it grows to the
// size with which that call is fastest. It keeps its memory between calls and shrinks only by set_limit and release.
//
//   strew::heap_workspace memory;  // serial
//   strew::scatter_update(memory, data, indices, updates, axis, output);
//
//   strew::heap_workspace memory{pool};  // on another executor
//   strew::scatter_update(memory, data, indices, updates, axis, output);
//
// The output is the same as without it. A call that needs no workspace, or whose shapes are not legal, allocates
// nothing. A call may get less than it would use: the limit is never exceeded, and an allocation that fails is no
// error.
//
// Concurrent calls need a heap_workspace each, which may share an executor. Calls change it, so it must not be const.
// It can be neither copied nor moved; the executor must outlive it. Overhead of a call: O(rank), and one allocation if
// the memory grows.
template <executor Ex = const serial_executor>
class heap_workspace {
 public:
  // Serial. Nothing is allocated before the first call.
  constexpr heap_workspace() noexcept requires(std::is_same_v<Ex, const serial_executor>) : executor_{serial} {}
  // With a limit in bytes, see set_limit.
  constexpr explicit heap_workspace(std::size_t limit) noexcept requires(std::is_same_v<Ex, const serial_executor>)
      : executor_{serial}, limit_{limit}, has_limit_{true} {}
  // On another executor, without and with a limit.
  constexpr explicit heap_workspace(Ex& ex) noexcept : executor_{ex} {}
  constexpr heap_workspace(Ex& ex, std::size_t limit) noexcept : executor_{ex}, limit_{limit}, has_limit_{true} {}
  heap_workspace(const heap_workspace&) = delete;
  heap_workspace& operator=(const heap_workspace&) = delete;
  ~heap_workspace() { delete[] memory_; }

  // Calls body(i) for each i < n on the executor.
  STREW_KEYED void operator()(std::size_t n, const task& body) noexcept(detail::executes_without_throwing<Ex>) {
    executor_(n, body);
  }

  // The bytes that are allocated.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // From now on at most this many bytes are allocated; if there are more, all are freed. Without a limit a call
  // allocates at most four times the bytes of its elements and indices (those of axes of stride 0 are counted once).
  void set_limit(std::size_t bytes) noexcept {
    limit_ = bytes;
    has_limit_ = true;
    if (bytes_ > limit_) release();
  }
  // Frees the memory.
  void release() noexcept {
    delete[] memory_;
    memory_ = nullptr;
    bytes_ = 0;
    refused_ = most;
  }

 private:
  friend struct executor_traits<heap_workspace>;
  friend struct detail::memory_on_demand<heap_workspace>;

  static constexpr std::size_t most = static_cast<std::size_t>((std::numeric_limits<std::ptrdiff_t>::max)());
  // Smaller allocations are not tried.
  static constexpr std::size_t least = 4096;

  // Allocates up to `wanted` bytes for a call whose operands have `operands` bytes. The old memory is freed first, so
  // that the limit is never exceeded; its contents are not needed.
  void reserve(std::uint64_t wanted, std::uint64_t operands) noexcept {
    const std::uint64_t limit = has_limit_ ? limit_ : detail::saturating_multiply(operands, 4);
    const std::uint64_t allowed = limit < most ? limit : most;
    auto size = static_cast<std::size_t>(wanted < allowed ? wanted : allowed);
    // A size that could not be allocated is not tried again: each attempt would free the pages in use.
    while (size >= refused_) size /= 2;
    if (size <= bytes_) return;
    const std::size_t held = bytes_;
    delete[] memory_;
    bytes_ = 0;
    while ((memory_ = new (std::nothrow) std::byte[size]) == nullptr) {
      refused_ = size;
      if (size / 2 < least) return;
      size = size / 2 < held && held < size ? held : size / 2;
    }
    bytes_ = size;
  }

  Ex& executor_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t limit_ = 0;
  std::size_t refused_ = most;  // the least size that could not be allocated
  bool has_limit_ = false;
};

template <class Ex>
struct executor_traits<heap_workspace<Ex>> {
  using inner = executor_traits<std::remove_const_t<Ex>>;

  STREW_KEYED [[nodiscard]] static constexpr auto concurrency(const heap_workspace<Ex>& ex) noexcept(
      noexcept(inner::concurrency(ex.executor_))) {
    return inner::concurrency(ex.executor_);
  }
  STREW_KEYED [[nodiscard]] static constexpr std::span<std::byte> memory(const heap_workspace<Ex>& ex) noexcept {
    return {ex.memory_, ex.bytes_};
  }
};

namespace detail::inline STREW_CODE {

template <class Ex>
inline constexpr bool is_serial<heap_workspace<Ex>> = is_serial<std::remove_const_t<Ex>>;

template <class Ex>
struct memory_on_demand<heap_workspace<Ex>> {
  static constexpr bool allocates = true;

  // For a scatter with reduction R of elements T. The request may be one for the compiled library, which has no texts.
  template <const operation_rules& Rules, class T, class R>
  static void reserve(heap_workspace<Ex>& ex, const erased::request& call) {
    reserve(ex, call, Rules, validate<Rules.by>, uses_of_call<Rules, T, R>(call.type.policy));
  }
  // For a scatter whose types are known at run time only.
  template <const operation_rules& Rules>
  static void reserve_named(heap_workspace<Ex>& ex, const erased::request& call) {
    reserve(ex, call, Rules, validate<Rules.by>, uses_of(Rules, call.type));
  }
  static void reserve(heap_workspace<Ex>& ex, std::uint64_t wanted, std::uint64_t operands) noexcept {
    ex.reserve(wanted, operands);
  }

 private:
  static void reserve(heap_workspace<Ex>& ex, const erased::request& call, const operation_rules& rules,
                      reachable_loops::validate_function validate, memory_uses uses) {
    if (call.type.converts != nullptr) uses.buckets = false;  // updates are not moved before they are converted
    const erased::call_type type{rules,   call.type.element_size, call.type.updates_size, call.type.policy, false,
                                 nullptr, call.type.components};
    erased::request by_rules{type, call.data, call.updates, call.output, call.indices, {nullptr}};
    by_rules.axis = call.axis;
    const std::uint64_t wanted = wanted_memory(by_rules, validate, uses, refer_to(ex).threads);
    if (wanted > ex.bytes_) ex.reserve(wanted, bytes_of_operands(by_rules));
  }
};

}  // namespace detail
}  // namespace strew

#endif  // STREW_HEAP_WORKSPACE_HPP
