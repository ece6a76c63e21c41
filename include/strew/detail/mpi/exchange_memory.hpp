// SPDX-License-Identifier: Apache-2.0
// The memory of a distributed call on one rank, where it comes from and how it is divided.
#ifndef STREW_DETAIL_MPI_EXCHANGE_MEMORY_HPP
#define STREW_DETAIL_MPI_EXCHANGE_MEMORY_HPP

#include <strew/config.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/execution/executor.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Scratch memory of a call without a workspace.
inline constexpr std::size_t exchange_stack = std::size_t{32} * 1024;

struct exchange_memory {
  std::byte* begin;
  std::int64_t bytes;
};

// ---- Division

[[nodiscard]] constexpr std::int64_t sum_of_bytes(std::int64_t a, std::int64_t b) noexcept {
  return saturate(saturating_add(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}
// The bytes of a part of `count` items, in whole cache lines.
[[nodiscard]] constexpr std::int64_t bytes_of_part(std::int64_t count, std::int64_t item) noexcept {
  constexpr std::int64_t line = tuning::cache_line;
  const auto bytes = saturating_multiply(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(item));
  return saturate(saturating_add(bytes, line - 1)) / line * line;
}

// Takes parts one after the other, each from a cache line on. Without memory it only measures.
class memory_cursor {
 public:
  memory_cursor() noexcept = default;
  explicit memory_cursor(const exchange_memory& of) noexcept : begin_{of.begin}, size_{of.bytes} {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(of.begin) % tuning::cache_line);
    taken_ = misaligned == 0 ? 0 : tuning::cache_line - misaligned;
  }

  template <class T>
  [[nodiscard]] T* take(std::int64_t count) noexcept {
    return reinterpret_cast<T*>(take_bytes(count, static_cast<std::int64_t>(sizeof(T))));
  }
  [[nodiscard]] std::byte* take_bytes(std::int64_t count, std::int64_t item) noexcept {
    std::byte* const part = begin_ == nullptr ? nullptr : begin_ + taken_;
    taken_ = sum_of_bytes(taken_, bytes_of_part(count, item));
    return part;
  }

  [[nodiscard]] exchange_memory rest() const noexcept {
    return {begin_ == nullptr ? nullptr : begin_ + taken_, size_ - taken_};
  }
  [[nodiscard]] std::int64_t taken() const noexcept { return taken_; }

 private:
  std::byte* begin_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t taken_ = 0;
};

// ---- Where it comes from

// The memory of an executor: a span that it has, or the stack if that is larger, or what it allocates on demand. What a
// rank receives may be far more than it has, so no limit follows from its operands, but one from the executor may.
template <class Ex>
class call_memory {
  using executor = std::remove_const_t<Ex>;
  struct nothing {};

 public:
  static constexpr bool grows = memory_on_demand<executor>::allocates;

  explicit call_memory(Ex& ex) noexcept : ex_{ex} {}

  // Returns the memory, which has these bytes if it grows.
  [[nodiscard]] exchange_memory reserve(std::int64_t bytes) {
    std::span<std::byte> memory = executor_traits<executor>::memory(ex_);
    if constexpr (grows) {
      const auto wanted = static_cast<std::uint64_t>(bytes);
      if (memory.size() < wanted) memory_on_demand<executor>::reserve(ex_, wanted, wanted);
      memory = executor_traits<executor>::memory(ex_);
    } else {
      if (memory.size() < exchange_stack) memory = stack_;
    }
    return {memory.data(), static_cast<std::int64_t>(memory.size())};
  }

 private:
  Ex& ex_;
  alignas(tuning::cache_line) std::conditional_t<grows, nothing, std::byte[exchange_stack]> stack_;
};
// Of a call that is bound, whose memory is checked when its size is known.
struct any_memory {
  static constexpr bool grows = false;

  [[nodiscard]] static exchange_memory reserve(std::int64_t) noexcept { return {nullptr, int64_max}; }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_EXCHANGE_MEMORY_HPP
