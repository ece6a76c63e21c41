// SPDX-License-Identifier: Apache-2.0
// Operators and the heap, of which this program counts every allocation: no call allocates, in any form, on any
// executor, for typed tensors and for those whose types are known at run time only, whether it succeeds or not. Only
// heap_workspace does, and where each of its allocations fails in turn the output is the same.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/listed_calls.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace {

// Of all threads. An allocation fails if its number is the one chosen; the others are counted on.
std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> failing_allocation{-1};

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (allocations++ == failing_allocation) return nullptr;
  const std::size_t rounded = (std::max(size, std::size_t{1}) + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

// All that a program may replace.
void* operator new(std::size_t size) {
  return allocate_or_throw(size, usual);
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size, usual);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, usual);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, usual);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace strew::test {
namespace {

struct float_tensors {
  std::vector<float> data;
  std::vector<float> updates;
  std::vector<float> output;

  explicit float_tensors(const listed_call& of) {
    for (std::size_t k = 0; k < of.data_size(); ++k) data.push_back(static_cast<float>(k % 1000));
    output.assign(data.size(), -1.0F);
    for (std::size_t k = 0; k < of.updates_size(); ++k) updates.push_back(static_cast<float>(k % 777));
  }
  [[nodiscard]] listed_tensors<float> operands() { return {data.data(), updates.data(), output.data()}; }
};

std::int64_t calls_counted = 0;

// The number of allocations of all threads during the call.
template <class Call>
std::int64_t allocations_of(const Call& call) {
  const std::int64_t before = allocations;
  call();
  ++calls_counted;
  return allocations - before;
}

// Small calls, calls that are cut into parts, and those of buckets, tiles and states.
struct counted_case {
  call_size size;
  int thresholds;
};
const counted_case counted_cases[] = {{{6, 5, 4}, 0}, {{40, 12, 30}, 1}, {{40, 12, 30}, 2}, {{300, 70, 300}, 1}};
void set_thresholds(int which) {
  tuning::set_by_tests = {};
  if (which == 1) tuning::set_by_tests = limits_of_small_parts();
  if (which == 2) tuning::set_by_tests = limits_of_buckets();
}

// Spoils one index, so that the call is an error; false for an operator without indices.
bool spoil(listed_call& of) {
  if (of.indices.empty()) return false;
  of.indices[0].back() = std::int64_t{1} << 40;
  return true;
}

// No call on this executor allocates.
template <class Calls, class Ex, class R>
void count_typed(listed_call& of, Ex& ex, const R& reduce) {
  float_tensors on(of);
  const listed_tensors<float> operands = on.operands();
  const auto prepared = prepare_listed<Calls, float>(of, on.updates[0], reduce);
  std::vector<std::byte> kept(1 << 20);
  status outcome;
  for (const output_kind where : all_output_kinds) {
    for (const listed_form form : all_listed_forms) {
      if (where == output_kind::left_out && form != listed_form::attempted) continue;
      CAPTURE(where, form);
      std::int64_t count = 0;
      if (form == listed_form::attempted || form == listed_form::throwing) {
        count = allocations_of([&] { outcome = call_listed<Calls>(form, of, ex, operands, where, reduce); });
      } else {
        const bool is_bound = form == listed_form::bound;
        count = allocations_of(
            [&] { outcome = run_prepared_listed<Calls>(is_bound, prepared, of, ex, operands, where, kept); });
      }
      REQUIRE(outcome.ok());
      REQUIRE(count == 0);
    }
  }
  REQUIRE(allocations_of([&] {
            const auto again = prepare_listed<Calls, float>(of, on.updates[0], reduce);
            static_cast<void>(again);
          }) == 0);
  // An error, and its message.
  std::vector<std::vector<std::int64_t>> indices = of.indices;
  if (spoil(of)) {
    bool has_message = false;
    REQUIRE(allocations_of([&] {
              outcome = call_listed<Calls>(listed_form::attempted, of, ex, operands, output_kind::data, reduce);
              has_message = outcome.message().c_str()[0] != '\0';
            }) == 0);
    REQUIRE(outcome.code() == errc::index_out_of_bounds);
    REQUIRE(has_message);
  }
  of.indices = indices;
}

// The same operators on tensors whose types are known at run time only.
template <class Calls, class Ex>
void count_dynamic(listed_call& of, Ex& ex, const dynamic::reduction& reduce) {
  float_tensors on(of);
  constexpr dynamic::element_type type{dynamic::element_kind::floating_point, sizeof(float)};
  const dynamic::tensor data{on.data.data(), type, of.data_extents};
  const dynamic::tensor output{on.output.data(), type, of.data_extents};
  const dynamic::const_tensor updates{on.updates.data(), type, of.updates_extents};
  std::array<dynamic::index_tensor, 2> indices;
  for (std::size_t k = 0; k < of.indices.size(); ++k) {
    indices[k] = {of.indices[k].data(), index_type::int64, of.index_extents[k]};
  }
  const auto with_indices = [&](const auto& body) {
    if constexpr (Calls::drawn_as == operation::index_put) {
      return body(std::span<const dynamic::index_tensor>(indices));
    } else if constexpr (is_listed_mask<Calls>) {
      return body(tensor_view<const bool>{of.mask.get(), of.data_extents});
    } else if constexpr (is_listed_unindexed<Calls>) {
      return body(unnamed{});
    } else {
      return body(indices[0]);
    }
  };
  const auto call = [&](auto&& executor, bool in_place) {
    return with_indices([&](const auto& at) {
      const auto named = listed_reduction<Calls>(reduce);
      if (in_place) {
        return Calls::arguments(of.on, data, at, updates, named,
                                [&](const auto&... arguments) { return Calls::attempt(executor, arguments...); });
      }
      return Calls::arguments(of.on, dynamic::const_tensor(data), at, updates, named,
                              [&](const auto&... arguments) { return Calls::attempt(executor, arguments..., output); });
    });
  };
  status outcome;
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    REQUIRE(allocations_of([&] { outcome = call(ex, in_place); }) == 0);
    REQUIRE(outcome.ok());
  }
  if constexpr (!is_listed_unindexed<Calls> && !is_listed_mask<Calls> && Calls::drawn_as != operation::tensor_scatter) {
    dynamic::schedule bound;
    REQUIRE(allocations_of([&] { outcome = call(bound.measure(), false); }) == 0);
    REQUIRE(outcome.ok());
    std::vector<std::byte> memory(static_cast<std::size_t>(bound.bytes()));
    REQUIRE(allocations_of([&] { outcome = call(bound.make(memory), false); }) == 0);
    REQUIRE(outcome.ok());
    REQUIRE(allocations_of([&] { outcome = call(bound.run(ex), false); }) == 0);
    REQUIRE(outcome.ok());
  }
  std::vector<std::vector<std::int64_t>> kept = of.indices;
  if (spoil(of)) {
    REQUIRE(allocations_of([&] { outcome = call(ex, true); }) == 0);
    REQUIRE(outcome.code() == errc::index_out_of_bounds);
  }
  of.indices = kept;
}

// Calls body(executor) with executors without memory, and with some that is the caller's.
template <class Body>
void on_every_executor(const Body& body) {
  static thread_pool pool{4};
  static std::vector<std::byte> memory(1 << 18);
  body(serial);
  body(pool);
  const workspace<> alone{memory};
  body(alone);
  const workspace around{memory, pool};
  body(around);
}

TEST_CASE("no operator allocates, in any form and on any executor") {
  const limits_for_test limits;
  calls_counted = 0;
  for (const counted_case& each : counted_cases) {
    set_thresholds(each.thresholds);
    for_each_listed([&]<class Calls>(std::size_t row) {
      CAPTURE(matrix::operators[row].name, each.size.rows, each.thresholds);
      listed_call of = make_listed_call(row, each.size);
      on_every_executor([&](auto& ex) {
        count_typed<Calls>(of, ex, reduction::sum);
        if constexpr (Calls::how == matrix::combining::named &&
                      matrix::offers(Calls::drawn_as, reduction_kind::mean, false)) {
          count_typed<Calls>(of, ex, reduction::without_init(reduction::mean));
        }
      });
    });
  }
  std::printf("typed calls without an allocation: %lld\n", static_cast<long long>(calls_counted));
  CHECK(calls_counted > 4'000);
}

TEST_CASE("no operator allocates on tensors of run-time types, bound or not") {
  const limits_for_test limits;
  calls_counted = 0;
  for (const counted_case& each : counted_cases) {
    set_thresholds(each.thresholds);
    for_each_listed([&]<class Calls>(std::size_t row) {
      CAPTURE(matrix::operators[row].name, each.size.rows, each.thresholds);
      listed_call of = make_listed_call(row, each.size);
      on_every_executor([&](auto& ex) {
        count_dynamic<Calls>(of, ex, dynamic::reduction{reduction_kind::sum});
        if constexpr (Calls::how == matrix::combining::named &&
                      matrix::offers(Calls::drawn_as, reduction_kind::mean, false)) {
          count_dynamic<Calls>(of, ex, dynamic::reduction{reduction_kind::mean, false});
        }
      });
    });
  }
  std::printf("calls of run-time types without an allocation: %lld\n", static_cast<long long>(calls_counted));
  CHECK(calls_counted > 1'500);
}

TEST_CASE("the counter sees what a call allocates") {
  CHECK(allocations_of([] {
          const std::vector<int> some(10);
          static_cast<void>(some.size());
        }) == 1);
}

// Each allocation of a heap_workspace fails in turn, then all of them.
template <class Calls, class Ex, class R>
void fail_allocations(const listed_call& of, Ex& ex, const R& reduce, std::int64_t& failed) {
  float_tensors expected(of);
  REQUIRE(call_listed<Calls>(listed_form::attempted, of, serial, expected.operands(), output_kind::other, reduce).ok());
  for (const listed_form form : {listed_form::attempted, listed_form::prepared, listed_form::bound}) {
    CAPTURE(form);
    float_tensors on(of);
    const listed_tensors<float> operands = on.operands();
    const auto prepared = prepare_listed<Calls, float>(of, on.updates[0], reduce);
    std::vector<std::byte> kept(1 << 20);
    for (std::int64_t n = 0;; ++n) {
      std::fill(on.output.begin(), on.output.end(), -2.0F);
      heap_workspace held{ex, std::size_t{1} << 22};
      status outcome;
      failing_allocation = allocations + n;
      const std::int64_t count = allocations_of([&] {
        outcome = form == listed_form::attempted
                      ? call_listed<Calls>(form, of, held, operands, output_kind::other, reduce)
                      : run_prepared_listed<Calls>(form == listed_form::bound, prepared, of, held, operands,
                                                   output_kind::other, kept);
      });
      failing_allocation = -1;
      REQUIRE(outcome.ok());
      REQUIRE(std::memcmp(on.output.data(), expected.output.data(), on.output.size() * sizeof(float)) == 0);
      if (count <= n) break;
      ++failed;
    }
  }
}

TEST_CASE("where an allocation of a heap_workspace fails the output is the same") {
  const limits_for_test limits;
  std::int64_t failed = 0;
  static thread_pool pool{4};
  for (const counted_case& each : counted_cases) {
    set_thresholds(each.thresholds);
    tuning::set_by_tests.tiled_from = tuning::set_by_tests.fewest_tiled_updates = 0;
    for_each_listed([&]<class Calls>(std::size_t row) {
      CAPTURE(matrix::operators[row].name, each.size.rows, each.thresholds);
      const listed_call of = make_listed_call(row, each.size);
      const auto on = [&](auto& ex) {
        fail_allocations<Calls>(of, ex, reduction::sum, failed);
        if constexpr (Calls::how == matrix::combining::named &&
                      matrix::offers(Calls::drawn_as, reduction_kind::mean, false)) {
          fail_allocations<Calls>(of, ex, reduction::without_init(reduction::mean), failed);
        }
      };
      on(serial);
      on(pool);
    });
  }
  std::printf("allocations of a heap_workspace that failed: %lld\n", static_cast<long long>(failed));
  CHECK(failed > 100);
}

}  // namespace
}  // namespace strew::test
