// SPDX-License-Identifier: Apache-2.0
// A decoder's key/value cache, written in place in four ways: a prompt at once (slice_scatter), one token at the same
// position in every row of the batch (scatter_update), one token at an individual position in each row
// (scatter_elements_update), and the same in a ring, where the newest tokens replace the oldest (onnx::tensor_scatter).
// Each is checked against plain loops and timed beside memcpy of as many bytes.
#include "../help.hpp"

#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/slice_scatter.hpp>
#include <strew/operators/tensor_scatter.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using strew::tensor_view;
using half = std::uint16_t;  // the bits of a 16-bit float: a scatter only moves them

constexpr int batch = 4;
constexpr int heads = 16;
constexpr int capacity = 2048;  // positions
constexpr int depth = 128;
constexpr int position_axis = 2;

constexpr int prompt = 1024;  // tokens
constexpr int answer = 64;

std::vector<half> made_up_numbers(std::size_t count, std::uint32_t seed) {
  std::vector<half> result(count);
  for (half& number : result) {
    seed = seed * 1664525 + 1013904223;
    number = static_cast<half>(seed >> 16);
  }
  return result;
}

// The keys or the values, and the expected ones by plain loops.
struct cache {
  explicit cache(std::uint32_t seed)
      : memory(made_up_numbers(std::size_t{batch} * heads * capacity * depth, seed)), expected(memory) {}

  [[nodiscard]] tensor_view<half> view() { return {memory.data(), {batch, heads, capacity, depth}}; }

  std::vector<half> memory;
  std::vector<half> expected;
};

// New keys or values, for `calls` calls with `tokens` tokens each. A model computes them as [batch, tokens, heads,
// depth]; a permuted view is [batch, heads, tokens, depth] like the cache, without a copy.
struct projection {
  projection(int call_count, int token_count, std::uint32_t seed)
      : tokens{token_count},
        call_size{std::size_t{batch} * static_cast<std::size_t>(token_count) * heads * depth},
        memory(made_up_numbers(static_cast<std::size_t>(call_count) * call_size, seed)) {}

  [[nodiscard]] const half* data(int call) const { return memory.data() + static_cast<std::size_t>(call) * call_size; }
  [[nodiscard]] tensor_view<const half> view(int call) const {
    return strew::permute(tensor_view{data(call), {batch, tokens, heads, depth}}, {0, 2, 1, 3});
  }

  int tokens;
  std::size_t call_size;  // elements
  std::vector<half> memory;
};

// Makes the compiler assume that the memory is read, so that it does not remove the copy.
inline void keep(const void* memory) {
  asm volatile("" : : "r"(memory) : "memory");
}

// The shortest of five runs, in nanoseconds.
template <class Run>
double time_of(Run&& run) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, elapsed.count());
  }
  return shortest;
}

class decoder {
 public:
  // One step: calls write(cache, new_tokens, call), which must write token t of row b to position first(call, b) + t.
  template <class Write, class First>
  void step(const char* title, const char* operation, int calls, int tokens, const Write& write, const First& first) {
    const std::array fresh{projection{calls, tokens, 3}, projection{calls, tokens, 4}};
    const auto for_each_call = [&](const auto& body) {
      for (int call = 0; call < calls; ++call) {
        for (std::size_t i = 0; i < caches_.size(); ++i) body(caches_[i], fresh[i], call);
      }
    };
    const double scatter_time = time_of(
        [&] { for_each_call([&](cache& c, const projection& p, int call) { write(c.view(), p.view(call), call); }); });
    std::vector<half> copy(fresh[0].memory.size());
    const double copy_time = time_of([&] {
      for_each_call([&](cache&, const projection& p, int call) {
        half* const to = copy.data() + (p.data(call) - p.memory.data());
        std::memcpy(to, p.data(call), p.call_size * sizeof(half));
        keep(to);
      });
    });
    for_each_call([&](cache& c, const projection& p, int call) { write_by_plain_loops(c, p, call, first); });
    const auto bytes = static_cast<double>(2 * copy.size() * sizeof(half));
    std::printf("%-30s %-24s %6d %6d %8.2f %6.1f %9.2f  %s\n", title, operation, calls * tokens, 2 * calls, bytes / 1e6,
                bytes / scatter_time, copy_time / scatter_time, verdict(as_expected()));
  }

  // A token for which the cache has no position left.
  void step_past_the_end() {
    const projection fresh{1, 1, 5};
    const tensor_view<half> keys = caches_[0].view();
    const tensor_view<const half> token = fresh.view(0);
    const std::int64_t position = capacity;
    const strew::status outcome = strew::try_scatter_update(keys, tensor_view{&position, {1}}, token, position_axis);
    if (!outcome.ok()) std::printf("\nThe cache is full: %s\n", outcome.message().c_str());
    const bool refused = outcome.code() == strew::errc::index_out_of_bounds;
    std::printf("Refused, and nothing written: %s\n", verdict(refused && as_expected()));
  }

  [[nodiscard]] bool right() const { return right_; }

 private:
  template <class First>
  static void write_by_plain_loops(cache& c, const projection& p, int call, const First& first) {
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t t = 0; t < p.tokens; ++t) {
        for (std::int64_t h = 0; h < heads; ++h) {
          half* const to = c.expected.data() + ((b * heads + h) * capacity + first(call, b) + t) * depth;
          const half* const from = p.data(call) + ((b * p.tokens + t) * heads + h) * depth;
          for (int d = 0; d < depth; ++d) to[d] = from[d];
        }
      }
    }
  }

  [[nodiscard]] bool as_expected() const {
    return std::ranges::all_of(caches_, [](const cache& c) { return c.memory == c.expected; });
  }

  const char* verdict(bool right) {
    right_ = right_ && right;
    return right ? "right" : "WRONG";
  }

  std::array<cache, 2> caches_{cache{1}, cache{2}};  // keys and values
  bool right_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "A decoder's key/value cache, written in place in four ways, each checked and timed beside memcpy."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::printf("Keys and values, each [%d, %d, %d, %d] of 16 bits: 2 x %.1f MB.\n", batch, heads, capacity, depth,
              2e-6 * batch * heads * capacity * depth);
  std::printf(
      "tokens: written to each row; calls: for keys and values; MB: written by all calls of a step, in the shortest "
      "of\n"
      "five runs; GB/s: its speed; x memcpy: that speed divided by memcpy's with the same bytes, so 1.00 is as "
      "fast.\n");
#ifndef __OPTIMIZE__
  std::printf("Built without optimisation: the figures mean little.\n");
#endif
  std::printf("\n%-30s %-24s %6s %6s %8s %6s %9s  %s\n", "step", "operator", "tokens", "calls", "MB", "GB/s",
              "x memcpy", "result");
  decoder d;

  d.step(
      "the prompt, all at once", "slice_scatter", 1, prompt,
      [](const auto& cache_view, const auto& tokens, int) {
        strew::slice_scatter(cache_view, tokens, {.start = 0, .stop = prompt, .step = 1, .axes = position_axis});
      },
      [](int, std::int64_t) { return 0; });

  d.step(
      "all rows at the same position", "scatter_update", answer, 1,
      [](const auto& cache_view, const auto& token, int call) {
        const std::int64_t position = prompt + call;
        strew::scatter_update(cache_view, tensor_view{&position, {1}}, token, position_axis);
      },
      [](int call, std::int64_t) { return prompt + call; });

  constexpr std::array<int, batch> lengths{1500, 31, 977, 1984};
  d.step(
      "each row at its own position", "scatter_elements_update", answer, 1,
      [&](const auto& cache_view, const auto& token, int call) {
        std::array<std::int64_t, batch> positions{};
        for (std::size_t b = 0; b < batch; ++b) positions[b] = lengths[b] + call;
        const tensor_view<const std::int64_t> one_per_row{positions.data(), {batch, 1, 1, 1}};
        const auto indices = strew::broadcast(one_per_row, token.extents());
        strew::scatter_elements_update(cache_view, indices, token, position_axis);
      },
      [&](int call, std::int64_t row) { return lengths[static_cast<std::size_t>(row)] + call; });

  constexpr std::array<std::int64_t, batch> written{5000, 2040, 31, 4090};  // tokens of each row so far
  d.step(
      "a ring, each row at its own", "onnx::tensor_scatter", answer, 1,
      [&](const auto& cache_view, const auto& token, int call) {
        std::array<std::int64_t, batch> positions = written;
        for (std::int64_t& position : positions) position += call;
        const tensor_view<const std::int64_t> one_per_row{positions.data(), {batch}};
        strew::onnx::tensor_scatter(cache_view, token, one_per_row,
                                    {.mode = strew::onnx::cache_mode::circular, .axis = position_axis});
      },
      [&](int call, std::int64_t row) { return (written[static_cast<std::size_t>(row)] + call) % capacity; });

  d.step_past_the_end();
  return d.right() ? 0 : 1;
}
