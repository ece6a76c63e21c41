// SPDX-License-Identifier: Apache-2.0
// An executor of a number of threads and of memory that are known at run time only. Its tasks run in any order on the
// calling thread, or on threads.
#ifndef STREW_TESTS_ATTACK_EXECUTORS_HPP
#define STREW_TESTS_ATTACK_EXECUTORS_HPP

#include "draws.hpp"
#include "guarded.hpp"

#include <strew/execution/executor.hpp>
#include <strew/threads.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace attack {
// Unnamed, since units of one program have different pools behind the same names.
namespace {

class any_executor {
 public:
  enum class order : byte { ascending, descending, shuffled, threads };

  any_executor() = default;
  any_executor(order how, int threads, std::span<std::byte> memory) : how_{how}, threads_{threads}, memory_{memory} {}

  void operator()(std::size_t n, const strew::task& body) const noexcept {
    switch (how_) {
      case order::ascending:
        for (std::size_t i = 0; i < n; ++i) body(i);
        break;
      case order::descending:
        for (std::size_t i = n; i-- > 0;) body(i);
        break;
      case order::shuffled: {
        // A step that has no common divisor with n visits each number once.
        std::size_t step = n / 2 + 1;
        while (greatest_common_divisor(step, n) != 1) ++step;
        std::size_t i = n / 3;
        for (std::size_t k = 0; k < n; ++k, i = (i + step) % n) body(i);
        break;
      }
      default:
        pool_of(threads_)(n, body);
    }
  }
  [[nodiscard]] int threads() const noexcept { return threads_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept { return memory_; }

 private:
  static std::size_t greatest_common_divisor(std::size_t a, std::size_t b) noexcept {
    while (b != 0) {
      const std::size_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
  static strew::thread_pool& pool_of(int threads) noexcept {
    static std::unique_ptr<strew::thread_pool> pools[9];
    auto& pool = pools[threads];
    if (!pool) pool = std::make_unique<strew::thread_pool>(static_cast<unsigned>(threads));
    return *pool;
  }

  order how_ = order::ascending;
  int threads_ = 1;
  std::span<std::byte> memory_;
};

// An executor of 1 to 8 threads, with a workspace of a size that `most` suggests in `slot`.
inline any_executor draw_executor(draws& random, guarded_slot& slot, std::int64_t most) {
  constexpr any_executor::order orders[] = {any_executor::order::ascending, any_executor::order::descending,
                                            any_executor::order::shuffled};
  const auto how = random.one_in(64) ? any_executor::order::threads : orders[random.below(3)];
  std::span<std::byte> memory;
  if (!random.one_in(3)) {
    const auto size = static_cast<std::size_t>(random.skewed(most));
    byte* const at = slot.place(size, random.one_in(2) ? flush::front : flush::back,
                                static_cast<std::size_t>(random.one_in(3) ? random.below(64) : 0));
    memory = std::span(reinterpret_cast<std::byte*>(at), size);
  }
  return {how, random.small(1, 8), memory};
}

}  // namespace
}  // namespace attack

template <>
struct strew::executor_traits<attack::any_executor> {
  static int concurrency(const attack::any_executor& of) noexcept { return of.threads(); }
  static std::span<std::byte> memory(const attack::any_executor& of) noexcept { return of.memory(); }
};

#endif  // STREW_TESTS_ATTACK_EXECUTORS_HPP
