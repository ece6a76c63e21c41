// SPDX-License-Identifier: Apache-2.0
// The executor of all calls: a strew::thread_pool that tells a progress bar which parts are done.
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
  // So many threads in all, of which 1 is the caller's; 0 stands for as many as the machine runs at once.
  counting_pool(unsigned threads, progress_bar& bar);
  counting_pool(const counting_pool&) = delete;
  counting_pool& operator=(const counting_pool&) = delete;
  ~counting_pool();

  // What the parts of the next operator come to.
  void expect(std::uint64_t bytes) noexcept { expected_ = bytes; }

  void operator()(std::size_t n, const strew::task& body) noexcept;
  // What operators are told. With a bar it is at least two, so that one thread has parts to count too.
  [[nodiscard]] std::size_t concurrency() const noexcept;

  // Copies in blocks, counting their bytes. Both are of one size.
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
