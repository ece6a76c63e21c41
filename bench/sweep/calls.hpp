// SPDX-License-Identifier: Apache-2.0
// A drawn call as a call of the library.
#ifndef STREW_BENCH_SWEEP_CALLS_HPP
#define STREW_BENCH_SWEEP_CALLS_HPP

#include "drawn_call.hpp"
#include "loops.hpp"
#if STREW_SWEEP_PARTS
#include "parts_in_turn.hpp"
#endif

#include <strew/status.hpp>
#include <strew/threads.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace strew::bench::sweep {

// What calls are made on: threads, and memory for workspaces and bound indices.
#if STREW_SWEEP_PARTS
using pool_of_calls = parts_in_turn;
#else
using pool_of_calls = thread_pool;
#endif
struct surroundings {
  pool_of_calls& pool;
  std::vector<std::byte>& workspace;
  std::vector<std::byte>& bound;
};

// On tensors whose types are known at run time; prepared calls on tensors of float with indices of 64 bits.
std::function<status()> call_of(const drawn_call& call, const memory_of_call& at, const surroundings& in);

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_CALLS_HPP
