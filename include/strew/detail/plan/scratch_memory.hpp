// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the caller, or none.
#ifndef STREW_DETAIL_PLAN_SCRATCH_MEMORY_HPP
#define STREW_DETAIL_PLAN_SCRATCH_MEMORY_HPP

#include <strew/config.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Bytes that a kernel may overwrite; none by default. Kernels fall back if there are too few.
class scratch_memory {
 public:
  static constexpr std::int64_t alignment = 64;

  constexpr scratch_memory() noexcept = default;
  constexpr scratch_memory(std::byte* begin, std::int64_t size) noexcept : begin_{begin}, size_{size} {}

  [[nodiscard]] constexpr std::int64_t bytes() const noexcept { return size_; }

  // Part i of n equal parts.
  [[nodiscard]] constexpr scratch_memory part(std::int64_t i, std::int64_t n) const noexcept {
    const std::int64_t size = size_ / n / alignment * alignment;
    return size == 0 ? scratch_memory() : scratch_memory(begin_ + i * size, size);
  }

  // Memory for `count` objects of a type whose assignment starts their lifetime, or null if there is too little.
  template <class T>
  [[nodiscard]] T* take(std::int64_t count) const noexcept {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(begin_);
    const auto misaligned = static_cast<std::int64_t>(address % alignment);
    const std::int64_t skipped = misaligned == 0 ? 0 : alignment - misaligned;
    if (size_ <= skipped || (size_ - skipped) / static_cast<std::int64_t>(sizeof(T)) < count) return nullptr;
    return reinterpret_cast<T*>(begin_ + skipped);
  }

 private:
  std::byte* begin_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_SCRATCH_MEMORY_HPP
