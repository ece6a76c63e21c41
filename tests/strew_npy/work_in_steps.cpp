// SPDX-License-Identifier: Apache-2.0
// Work with a progress bar that advances by one part for each byte of standard input, on the threads of strew-npy, so
// that the output on a terminal is reproducible.
#include "counting_pool.hpp"
#include "progress_bar.hpp"
#include "signals.hpp"

#include <strew/execution/executor.hpp>

#include <unistd.h>

#include <cstdint>
#include <cstdlib>

int main(int, char** arguments) {
  constexpr std::uint64_t part_bytes = std::uint64_t{1} << 30;
  const auto threads = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
  const std::size_t parts = std::strtoul(arguments[2], nullptr, 10);
  strew_npy::install_signal_handlers();
  strew_npy::progress_bar bar(true);
  strew_npy::counting_pool pool(threads, bar);
  char step = 0;
  static_cast<void>(!read(STDIN_FILENO, &step, 1));  // until then the operands are being checked
  bar.begin(parts * part_bytes);
  pool.expect(parts * part_bytes);
  const auto run_part = [](const void*, std::size_t) noexcept {
    char step_of_part = 0;
    static_cast<void>(!read(STDIN_FILENO, &step_of_part, 1));
  };
  pool(parts, strew::task(run_part, nullptr));
}
