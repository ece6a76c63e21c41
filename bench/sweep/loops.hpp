// SPDX-License-Identifier: Apache-2.0
// A drawn call as the loops that a user would write, which know nothing of the library: as many nested loops as updates
// have axes after those are merged that can be, in row-major order or in the order of the output's strides.
#ifndef STREW_BENCH_SWEEP_LOOPS_HPP
#define STREW_BENCH_SWEEP_LOOPS_HPP

#include "drawn_call.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace strew::bench::sweep {

// The addresses of a call's tensors: of the first byte of their memory.
struct memory_of_call {
  std::byte* data;
  std::byte* output;  // data where the call is in place
  const std::byte* updates;
  std::vector<const std::byte*> indices;
};

enum class loop_order { row_major, output };

// The loops as a function that may be called again and again. With `checked` every index is compared with its axis
// before the first element is written; returns false where one is illegal. Compiled with -O2, as the library is, and
// with -O3, since the library asks for that itself in loops where it counts.
namespace o2 {
std::function<bool()> loops_of(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked);
}
namespace o3 {
std::function<bool()> loops_of(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked);
}

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_LOOPS_HPP
