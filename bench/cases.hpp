// SPDX-License-Identifier: Apache-2.0
// A case: one call of an operator, checked against a plain loop, timed beside its twin.
#ifndef STREW_BENCH_CASES_HPP
#define STREW_BENCH_CASES_HPP

#include "buffers.hpp"

#include <benchmark/benchmark.h>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

namespace strew::bench {

inline constexpr std::int64_t KiB = 1024;
inline constexpr std::int64_t MiB = 1024 * KiB;

// Each program defines this function, which adds its cases.
void add_cases();

// What an operator is compared with: a copy of the bytes that it writes, or the loops that a user would write.
enum class twin { memcpy, loop };

// Extents of data, row-major, and the axis that is scattered on. An extent of `fill` is as large as the size wants.
inline constexpr std::int64_t fill = -1;
struct shape {
  index_list extents;
  int axis;

  [[nodiscard]] shape filled(std::int64_t elements) const {
    shape result = *this;
    for (const std::int64_t extent : extents) elements /= extent == fill ? 1 : extent;
    for (int k = 0; k < extents.size(); ++k) {
      if (extents[k] == fill) result.extents[k] = elements;
    }
    return result;
  }
  // The number of elements of the axes first .. last-1.
  [[nodiscard]] std::int64_t size(int first, int last) const {
    std::int64_t product = 1;
    for (int k = first; k < last; ++k) product *= extents[k];
    return product;
  }
  [[nodiscard]] std::int64_t extent() const { return extents[axis]; }
};

struct case_options {
  bool in_place = false;     // the output is data
  bool two_threads = false;  // also on two threads
  bool workspace = false;    // also with a workspace
  twin compared_with = twin::memcpy;
};

struct case_description {
  std::string name;  // operator/case
  std::string type;
  shape data;
  std::int64_t updated;  // the extent of updates on the axis
  case_options options;
  std::size_t workspace = 0;  // the bytes that the operator asks for
};

template <class T>
std::string type_name() {
  return (std::is_floating_point_v<T> ? "float" : "int") + std::to_string(8 * sizeof(T));
}
// Elements of type T moved by indices of type I; int64 is not mentioned.
template <class T, class I>
std::string type_name() {
  return type_name<T>() + (std::is_same_v<I, std::int64_t> ? "" : "_by_" + type_name<I>());
}

inline std::string size_name(std::int64_t bytes) {
  if (bytes % KiB != 0) return std::to_string(bytes) + "B";
  return bytes < MiB ? std::to_string(bytes / KiB) + "KiB" : std::to_string(bytes / MiB) + "MiB";
}

// The tensors of a case, in the shared buffers. In place, data is the output.
template <class T>
struct tensors {
  explicit tensors(const case_description& c)
      : outer{c.data.size(0, c.data.axis)},
        extent{c.data.extent()},
        inner{c.data.size(c.data.axis + 1, c.data.extents.size())},
        updated{c.updated} {
    index_list update_extents = c.data.extents;
    update_extents[c.data.axis] = updated;
    buffers& shared = shared_buffers();
    updates = {shared.updates.at_least<T>(outer * updated * inner), update_extents};
    output = {shared.output.at_least<T>(outer * extent * inner), c.data.extents};
    data = output;
    if (!c.options.in_place) data = {shared.data.at_least<T>(outer * extent * inner), c.data.extents};
  }

  // Row-major, as data[outer, extent, inner] and updates[outer, updated, inner].
  std::int64_t outer, extent, inner, updated;
  tensor_view<const T> data, updates;
  tensor_view<T> output;
};

// The indices of a case: an element of `indices` for each of count, as index(i) gives it.
template <class I, class Index>
const I* make_indices(std::int64_t count, Index index) {
  I* const indices = shared_buffers().indices.at_least<I>(count);
  for (std::int64_t i = 0; i < count; ++i) indices[i] = static_cast<I>(index(i));
  return indices;
}

// What a case does. call() runs the operator once; call(executor) runs it there. position(o, j, i) tells where
// updates[o, j, i] goes: to output[o, position, i].
template <class Call, class Position>
struct operation {
  Call call;
  Position position;
};
template <class Call, class Position>
operation(Call, Position) -> operation<Call, Position>;

template <class T>
std::int64_t byte_count(const tensor_view<T>& view) {
  return view.size() * static_cast<std::int64_t>(sizeof(T));
}

template <class To, class From>
void copy_all(To* to, const From& from) {
  std::memcpy(to, from.data(), static_cast<std::size_t>(byte_count(from)));
}

// The loops that every operator amounts to.
template <class T, class Position>
void scatter_in_loops(const tensors<T>& t, Position position, T* output) {
  copy_all(output, t.data);
  const T* update = t.updates.data();
  for (std::int64_t o = 0; o < t.outer; ++o) {
    for (std::int64_t j = 0; j < t.updated; ++j) {
      for (std::int64_t i = 0; i < t.inner; ++i) {
        output[(o * t.extent + position(o, j, i)) * t.inner + i] = *update++;
      }
    }
  }
}

// Ends the program if the operator does not give what the loops give: the time of a wrong result means nothing.
template <class T, class Call, class Position>
void check(const case_description& c, const tensors<T>& t, Call call, Position position) {
  T* const expected = shared_buffers().expected.at_least<T>(t.data.size());
  scatter_in_loops(t, position, expected);
  const auto bytes = static_cast<std::size_t>(byte_count(t.output));
  if (!c.options.in_place) std::memset(t.output.data(), 0xa5, bytes);
  call();
  if (std::memcmp(t.output.data(), expected, bytes) == 0) return;
  std::fprintf(stderr, "%s of %lld bytes: the output is wrong\n", c.name.c_str(), static_cast<long long>(bytes));
  std::exit(1);
}

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
  const std::int64_t bytes = c.data.size(0, c.data.extents.size()) * static_cast<std::int64_t>(sizeof(T));
  // In place the operator writes the updates alone.
  const std::int64_t processed = c.options.in_place ? bytes / c.data.extent() * c.updated : bytes;

  const auto add = [&](const char* side, auto run) {
    const char* const suffix = c.options.in_place ? "_in_place/" : "/";
    const std::string name = c.name + suffix + c.type + '/' + size_name(bytes) + '/' + side;
    auto* const added = benchmark::RegisterBenchmark(name.c_str(), run);
    // A fixed number of iterations wherever one call is long enough to tell: nothing is spent on finding it.
    constexpr std::int64_t bytes_per_repetition = 512 * MiB;
    if (bytes < 16 * KiB) {
      added->MinTime(0.02);
    } else {
      added->Iterations(std::max<std::int64_t>(1, bytes_per_repetition / bytes));
    }
    return added;
  };
  const auto time_operator = [=](benchmark::State& state, bool& checked, auto&... executor) {
    const tensors<T> t(c);
    const auto operation = prepare(t);
    const auto call = [&] { operation.call(executor...); };
    if (!checked) check(c, t, call, operation.position);
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
  if (c.options.workspace) {
    add("workspace", [=, checked = false](benchmark::State& state) mutable {
      const workspace lent{
          {shared_buffers().scratch.at_least<std::byte>(static_cast<std::int64_t>(c.workspace)), c.workspace}};
      time_operator(state, checked, lent);
    });
  }
  if (c.options.compared_with == twin::memcpy) {
    const auto time_copy = [=](benchmark::State& state, auto& executor, std::int64_t parts) {
      const tensors<T> t(c);
      const auto* const from = reinterpret_cast<const char*>(c.options.in_place ? t.updates.data() : t.data.data());
      auto* const to = reinterpret_cast<char*>(t.output.data());
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
  } else {
    add("loop", [=](benchmark::State& state) {
      const tensors<T> t(c);
      const auto operation = prepare(t);
      measure(state, processed, [&] { scatter_in_loops(t, operation.position, t.output.data()); });
    });
  }
}

}  // namespace strew::bench

#endif  // STREW_BENCH_CASES_HPP
