// SPDX-License-Identifier: Apache-2.0
// Which parts are counted, and the threads.
#include "counting_pool.hpp"

#include "signals.hpp"

#include <strew/threads.hpp>

#include <algorithm>
#include <cstring>

namespace strew_npy {

counting_pool::counting_pool(unsigned threads, progress_bar& bar) : bar_(bar) {
  // Threads handle their own faults; all other signals are for the main thread.
  const deferred_signals are_for_the_main_thread(deferred_signals::which::all_but_faults);
  threads_ = std::make_unique<strew::thread_pool>(threads);
}

counting_pool::~counting_pool() = default;

std::size_t counting_pool::concurrency() const noexcept {
  const std::size_t count = threads_->concurrency();
  return bar_.may_appear() ? std::max<std::size_t>(count, 2) : count;
}

// Operators also check their indices on executors, in at most as many pieces as there are threads. So only calls with
// more pieces are certainly parts of the output, and only these are counted. If there are none, the bar waits for the
// end.
void counting_pool::operator()(std::size_t n, const strew::task& body) noexcept {
  if (!bar_.may_appear() || n <= concurrency()) {
    (*threads_)(n, body);
    return;
  }
  const std::uint64_t each = expected_ / n;
  (*threads_)(n, [&](std::size_t i) noexcept {
    body(i);
    bar_.advance(each);
  });
}

void counting_pool::copy(std::span<const std::byte> from, std::span<std::byte> to) noexcept {
  constexpr std::size_t block = std::size_t{4} << 20;
  // Each thread copies neighbouring blocks in order, which is faster on file systems.
  (*threads_)((from.size() + block - 1) / block, [&](std::size_t i) noexcept {
    const std::span<const std::byte> piece = from.subspan(i * block).first(std::min(block, from.size() - i * block));
    std::memcpy(to.data() + i * block, piece.data(), piece.size());
    bar_.advance(piece.size());
  });
}

}  // namespace strew_npy
