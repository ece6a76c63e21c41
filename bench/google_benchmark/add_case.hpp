// SPDX-License-Identifier: Apache-2.0
// Cases as benchmarks of Google Benchmark, each timed beside its twin.
#ifndef STREW_BENCH_GOOGLE_BENCHMARK_ADD_CASE_HPP
#define STREW_BENCH_GOOGLE_BENCHMARK_ADD_CASE_HPP

#include "cases.hpp"

#include <benchmark/benchmark.h>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace strew::bench {

template <class Call>
void measure(benchmark::State& state, std::int64_t bytes, Call call) {
  call();  // so that what fits in a cache is there
  for ([[maybe_unused]] auto _ : state) {
    call();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
}

// Adds <name>/<type>/<size>/ followed by `strew`, by `memcpy` or `loop`, and by what else the options ask for.
// `prepare` takes the tensors and returns an operation.
template <class T, class Prepare>
void add_case(const case_description& c, Prepare prepare) {
  const std::int64_t bytes = byte_count<T>(c);
  // In place the operator writes the updates alone.
  const bool copies_updates = c.options.in_place || c.options.compared_with == twin::memcpy_of_updates;
  const auto size = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t processed = copies_updates ? bytes / c.data.extent() * c.updated : bytes;

  const auto add = [&](const char* side, auto run) {
    const std::string name = full_name<T>(c) + '/' + side;
    auto* const added = benchmark::RegisterBenchmark(name.c_str(), run);
    // A fixed number of iterations wherever one call is long enough to tell: nothing is spent on finding it.
    constexpr std::int64_t bytes_per_repetition = 512 * MiB;
    if (processed < 16 * KiB) {
      added->MinTime(0.02);
    } else {
      added->Iterations(std::max<std::int64_t>(1, bytes_per_repetition / processed));
    }
    return added;
  };
  const auto time_operator = [=](benchmark::State& state, bool& checked, auto&... executor) {
    const tensors<T> t(c);
    const auto operation = prepare(t);
    const auto call = [&] { operation.call(executor...); };
    if (!checked) check(c, t, call, operation);
    checked = true;
    measure(state, processed, call);
  };

  add("strew", [=, checked = false](benchmark::State& state) mutable { time_operator(state, checked); });
  if (c.options.two_threads) {
    auto* const added = add("two_threads", [=, checked = false](benchmark::State& state) mutable {
      thread_pool pool{2};  // not kept, since its threads would be in the way of the other benchmarks
      time_operator(state, checked, pool);
    });
    added->UseRealTime();
  }
  const auto lend = [](std::size_t wanted) {
    return std::span(shared_buffers().scratch.at_least<std::byte>(static_cast<std::int64_t>(wanted)), wanted);
  };
  if (c.workspace > 0) {
    add("workspace", [=, checked = false](benchmark::State& state) mutable {
      const workspace lent{lend(c.workspace)};
      time_operator(state, checked, lent);
    });
  }
  if (c.workspace_of_two > 0 && c.options.two_threads) {
    auto* const added = add("two_workspace", [=, checked = false](benchmark::State& state) mutable {
      thread_pool pool{2};
      const workspace lent{lend(c.workspace_of_two), pool};
      time_operator(state, checked, lent);
    });
    added->UseRealTime();
  }
  const auto add_form = [&](const char* side, auto form_of) {
    add(side, [=](benchmark::State& state) {
      const tensors<T> t(c);
      const auto operation = prepare(t);
      if constexpr (requires { form_of(operation.call); }) {
        const auto call = form_of(operation.call);
        check(c, t, call, operation);
        measure(state, processed, call);
      }
    });
  };
  if (c.options.prepared) {
    add_form("prepared", [](const auto& call) -> decltype(call.prepared()) { return call.prepared(); });
  }
  if (c.options.made_anew) {
    add_form("made_anew", [](const auto& call) -> decltype(call.made_anew()) { return call.made_anew(); });
    if (c.data.extents.size() == 1) {
      add_form("containers", [](const auto& call) -> decltype(call.on_containers()) { return call.on_containers(); });
    }
  }
  if (c.options.compared_with != twin::loop) {
    const auto time_copy = [=](benchmark::State& state, auto& executor, std::int64_t parts) {
      const tensors<T> t(c);
      const auto* const from = reinterpret_cast<const char*>(copies_updates ? t.updates.data() : t.data.data());
      // The updates may be more than the output takes.
      auto* const to = reinterpret_cast<char*>(
          processed <= bytes ? t.output.data() : shared_buffers().expected.at_least<T>(processed / size));
      const std::int64_t part = processed / parts;
      measure(state, processed, [&] {
        executor(static_cast<std::size_t>(parts), [&](std::size_t i) {
          const std::int64_t begin = static_cast<std::int64_t>(i) * part;
          std::memcpy(to + begin, from + begin, static_cast<std::size_t>(part));
        });
      });
    };
    add("memcpy", [=](benchmark::State& state) { time_copy(state, serial, 1); });
    if (c.options.two_threads) {  // what the machine has for a second thread
      auto* const added = add("two_memcpy", [=](benchmark::State& state) {
        thread_pool pool{2};
        time_copy(state, pool, 2);
      });
      added->UseRealTime();
    }
  }
  if (c.options.loops || c.options.compared_with == twin::loop) {
    add(c.options.compared_with == twin::loop ? "loop" : "bare_loop", [=](benchmark::State& state) {
      const tensors<T> t(c);
      const auto operation = prepare(t);
      measure(state, processed, [&] { scatter_in_loops(t, operation, t.output.data()); });
    });
  }
}

}  // namespace strew::bench

#endif  // STREW_BENCH_GOOGLE_BENCHMARK_ADD_CASE_HPP
