// SPDX-License-Identifier: Apache-2.0
// The executor of all calls: a strew::thread_pool that reports the parts done to a progress bar.
#ifndef STREW_NPY_COUNTING_POOL_HPP
#define STREW_NPY_COUNTING_POOL_HPP

#include "progress_bar.hpp"

#include <strew/execution/executor.hpp>
#include <strew/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace strew_npy {

class counting_pool {
 public:
  // `threads` threads, the caller's included; 0 for as many as the machine runs at once.
  counting_pool(unsigned threads, progress_bar& bar);
  counting_pool(const counting_pool&) = delete;
  counting_pool& operator=(const counting_pool&) = delete;
  ~counting_pool();

  // The bytes of all parts of the next operator.
  void expect(std::uint64_t bytes) noexcept { expected_ = bytes; }

  void operator()(std::size_t n, const strew::task& body) noexcept;
  // The concurrency for operators. With a bar it is at least two, so that there are parts to count with one thread too.
  [[nodiscard]] std::size_t concurrency() const noexcept;

  // Copies in blocks and counts their bytes. Both have the same size.
  void copy(std::span<const std::byte> from, std::span<std::byte> to) noexcept;

 private:
  std::unique_ptr<strew::thread_pool> threads_;
  progress_bar& bar_;
  std::uint64_t expected_ = 0;
};

}  // namespace strew_npy

template <>
struct strew::executor_traits<strew_npy::counting_pool> {
  [[nodiscard]] static std::size_t concurrency(const strew_npy::counting_pool& pool) noexcept {
    return pool.concurrency();
  }
  [[nodiscard]] static std::span<std::byte> memory(const strew_npy::counting_pool&) noexcept { return {}; }
};

#endif  // STREW_NPY_COUNTING_POOL_HPP
