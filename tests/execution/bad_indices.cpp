// SPDX-License-Identifier: Apache-2.0
// One index that is out of bounds anywhere in a large call, in place, on 1 to 8 threads, with every kind of workspace
// and in every form: no bit of the output or around it changes, and the status has the first such coordinate in
// row-major order. STREW_BAD_INDICES is how many calls are drawn for each operator and each number of threads.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/listed_calls.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// A pool with memory of the caller's, perhaps none.
struct pool_with_memory {
  thread_pool& pool;
  std::span<std::byte> memory;

  void operator()(std::size_t n, const task& body) const noexcept { pool(n, body); }
};

// Is not copied as bytes, so it goes through the loops over a type.
struct assigned_integer {
  std::int32_t value = 0;

  assigned_integer() = default;
  explicit assigned_integer(std::int32_t from) noexcept : value(from) {}
  assigned_integer(const assigned_integer&) = default;
  assigned_integer& operator=(const assigned_integer& other) noexcept {
    value = other.value;
    return *this;
  }
  ~assigned_integer() = default;
  friend assigned_integer operator+(const assigned_integer& a, const assigned_integer& b) noexcept {
    return assigned_integer(
        static_cast<std::int32_t>(static_cast<std::uint32_t>(a.value) + static_cast<std::uint32_t>(b.value)));
  }
};

struct larger {
  std::int32_t operator()(const std::int32_t& a, const std::int32_t& b) const noexcept { return a < b ? b : a; }
};

}  // namespace
}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::pool_with_memory> {
  static std::size_t concurrency(const strew::test::pool_with_memory& ex) noexcept { return ex.pool.concurrency(); }
  static std::span<std::byte> memory(const strew::test::pool_with_memory& ex) noexcept { return ex.memory; }
};

namespace strew::test {
namespace {

// Where an index is bad: its tensor, its number in it, and its value.
struct bad_index {
  std::size_t tensor;
  std::size_t number;
  std::int64_t value;
};

index_list coordinate_of(const listed_call& of, const bad_index& at) {
  const index_list& extents = of.index_extents[at.tensor];
  std::vector<std::int64_t> coordinate(static_cast<std::size_t>(extents.size()));
  auto rest = static_cast<std::int64_t>(at.number);
  for (std::size_t axis = coordinate.size(); axis-- > 0;) {
    const std::int64_t extent = extents[static_cast<int>(axis)];
    coordinate[axis] = rest % extent;
    rest /= extent;
  }
  index_list result;
  for (const std::int64_t each : coordinate) result.push_back(each);
  return result;
}

// A value outside of any range on axes as short as these.
std::int64_t draw_bad_value(random_source& random, std::int64_t extent) {
  return random.pick<std::int64_t>({extent, -extent - 1, std::int64_t{1} << 32,
                                    std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max()});
}
// Of the axis that the index selects on.
std::int64_t extent_for(const listed_call& of, const bad_index& at) {
  switch (of.listed().by) {
    case places::tuples:
      return of.data_extents[at.number % 2 == 0 ? 0 : 1];
    case places::tensors:
      return of.data_extents[static_cast<int>(at.tensor)];
    case places::numbers:
      return of.data_extents[0] * of.data_extents[1];
    case places::starts:
      return of.data_extents[1];
    default:
      return of.data_extents[0];
  }
}

// Puts bad indices into a call and takes them out again.
class spoiled_call {
 public:
  spoiled_call(listed_call& of, random_source& random) : of_(of), kept_(of.indices) {
    const std::size_t tensors = of.indices.size();
    const auto size = static_cast<std::int64_t>(of.indices[0].size());
    bad_index& first = first_;
    first.tensor = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(tensors)));
    first.number = static_cast<std::size_t>(random.pick<std::int64_t>({0, size - 1, random.below(size)}));
    first.value = draw_bad_value(random, extent_for(of, first));
    of.indices[first.tensor][first.number] = first.value;
    // Others after it, in the same tensor.
    for (std::int64_t others = random.below(3); others > 0; --others) {
      if (static_cast<std::int64_t>(first.number) + 1 >= size) break;
      bad_index other = first;
      other.number = static_cast<std::size_t>(random.between(static_cast<std::int64_t>(first.number) + 1, size - 1));
      of.indices[other.tensor][other.number] = draw_bad_value(random, extent_for(of, other));
    }
  }
  spoiled_call(const spoiled_call&) = delete;
  spoiled_call& operator=(const spoiled_call&) = delete;
  ~spoiled_call() { of_.indices = kept_; }

  [[nodiscard]] const bad_index& first() const { return first_; }

 private:
  listed_call& of_;
  std::vector<std::vector<std::int64_t>> kept_;
  bad_index first_{};
};

// Data between other elements.
template <class T>
struct guarded_data {
  static constexpr std::size_t margin = 1000;
  std::vector<T> all;

  guarded_data(const listed_call& of, random_source& random) {
    auto bits = static_cast<std::uint32_t>(random.below(std::int64_t{1} << 31));
    all.reserve(of.data_size() + 2 * margin);
    for (std::size_t k = 0; k < of.data_size() + 2 * margin; ++k) {
      bits = bits * 1664525U + 1013904223U;
      all.emplace_back(static_cast<std::int32_t>(bits));
    }
  }
  [[nodiscard]] T* elements() { return all.data() + margin; }
  [[nodiscard]] std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> result(all.size() * sizeof(T));
    std::memcpy(result.data(), static_cast<const void*>(all.data()), result.size());
    return result;
  }
};

enum class load_form { attempted, throwing, prepared, bound, run_time, run_time_bound };
constexpr int load_forms = 6;

// The call on tensors whose types are known at run time only.
template <class Calls, class Ex>
status run_dynamic(load_form form, const listed_call& of, Ex& ex, std::int32_t* elements,
                   const std::vector<std::int32_t>& from, const dynamic::reduction& reduce) {
  constexpr dynamic::element_type type{dynamic::element_kind::signed_integer, sizeof(std::int32_t)};
  const dynamic::tensor data{elements, type, of.data_extents};
  const dynamic::const_tensor updates{from.data(), type, of.updates_extents};
  std::array<dynamic::index_tensor, 2> indices;
  for (std::size_t k = 0; k < of.indices.size(); ++k) {
    indices[k] = {of.indices[k].data(), index_type::int64, of.index_extents[k]};
  }
  const auto call = [&](auto&& executor) {
    const auto with = [&](const auto& at) {
      return Calls::arguments(of.on, data, at, updates, listed_reduction<Calls>(reduce),
                              [&](const auto&... arguments) { return Calls::attempt(executor, arguments...); });
    };
    if constexpr (Calls::drawn_as == operation::index_put) {
      return with(std::span<const dynamic::index_tensor>(indices));
    } else {
      return with(indices[0]);
    }
  };
  if constexpr (Calls::drawn_as != operation::tensor_scatter) {
    if (form == load_form::run_time_bound) {
      dynamic::schedule bound;
      if (status error = call(bound.measure()); !error.ok()) return error;
      std::vector<std::byte> memory(static_cast<std::size_t>(bound.bytes()));
      if (status error = call(bound.make(memory)); !error.ok()) return error;
      return call(bound.run(ex));
    }
  }
  return call(ex);
}

dynamic::reduction draw_dynamic_reduction(random_source& random, operation which) {
  for (;;) {
    const auto kind = random.pick<reduction_kind>({reduction_kind::none, reduction_kind::sum, reduction_kind::sub,
                                                   reduction_kind::prod, reduction_kind::min, reduction_kind::max,
                                                   reduction_kind::mean});
    const bool include_init = random.one_in(2);
    if (matrix::offers(which, kind, include_init)) return {kind, include_init};
  }
}

template <class Calls, class Ex, class T>
status run_typed(load_form form, const listed_call& of, Ex& ex, const listed_tensors<T>& on, output_kind where,
                 random_source& random) {
  const auto how = static_cast<listed_form>(form);
  if constexpr (Calls::how != matrix::combining::named) {
    return run_listed<Calls>(how, of, ex, on, where, unnamed{});
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    constexpr bool has_all = matrix::offers(Calls::drawn_as, reduction_kind::mean, false);
    switch (random.below(has_all ? 4 : 2)) {
      case 0:
        return run_listed<Calls>(how, of, ex, on, where, reduction::sum);
      case 1:
        return run_listed<Calls>(how, of, ex, on, where, larger{});
      case 2:
        if constexpr (has_all) return run_listed<Calls>(how, of, ex, on, where, reduction::max);
        break;
      default:
        if constexpr (has_all) {
          return run_listed<Calls>(how, of, ex, on, where, reduction::without_init(reduction::mean));
        }
        break;
    }
    return {};
  } else {
    return run_listed<Calls>(how, of, ex, on, where, reduction::sum);
  }
}
static_assert(static_cast<int>(listed_form::attempted) == static_cast<int>(load_form::attempted) &&
              static_cast<int>(listed_form::throwing) == static_cast<int>(load_form::throwing) &&
              static_cast<int>(listed_form::prepared) == static_cast<int>(load_form::prepared) &&
              static_cast<int>(listed_form::bound) == static_cast<int>(load_form::bound));

// Memory of a call, drawn.
std::size_t draw_memory(random_source& random) {
  return random.pick<std::size_t>({0, 0, 1000, 50'000, std::size_t{1} << 22});
}

std::int64_t refused_calls = 0;

template <class Calls, class T>
void refuse_drawn_call(listed_call& of, thread_pool& pool, random_source& random, limits_for_test& limits,
                       std::vector<std::byte>& memory) {
  tuning::set_by_tests = {};
  const std::int64_t thresholds = random.below(4);
  if (thresholds == 1) tuning::set_by_tests = limits_of_small_parts();
  if (thresholds == 2) tuning::set_by_tests = limits_of_buckets();
  if (thresholds == 3) limits.draw(random, true);
  guarded_data<T> data(of, random);
  std::vector<T> updates;
  for (std::size_t k = 0; k < of.updates_size(); ++k) updates.push_back(T(static_cast<std::int32_t>(k)));
  const std::vector<unsigned char> before = data.bytes();
  const spoiled_call spoiled(of, random);
  const bad_index& bad = spoiled.first();
  const output_kind where = random.one_in(2) ? output_kind::data : output_kind::left_out;
  const auto form = static_cast<load_form>(random.below(std::is_same_v<T, std::int32_t> ? load_forms : 4));
  const std::size_t bytes = draw_memory(random);
  const bool is_heap = random.one_in(4);
  CAPTURE(thresholds, form, where, bytes, is_heap, bad.tensor, bad.number, bad.value);
  status outcome;
  const listed_tensors<T> on{data.elements(), updates.data(), data.elements()};
  const auto run_on = [&](auto& ex) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      if (form == load_form::run_time || form == load_form::run_time_bound) {
        const dynamic::reduction reduce = draw_dynamic_reduction(random, Calls::drawn_as);
        outcome = run_dynamic<Calls>(form, of, ex, data.elements(), updates, reduce);
        return;
      }
    }
    outcome = run_typed<Calls>(form, of, ex, on, where, random);
  };
  if (is_heap) {
    heap_workspace held{pool, bytes};
    run_on(held);
  } else {
    const pool_with_memory ex{pool, std::span(memory).first(bytes)};
    run_on(ex);
  }
  ++refused_calls;
  REQUIRE(outcome.code() == errc::index_out_of_bounds);
  REQUIRE(outcome.coordinate() == coordinate_of(of, bad));
  REQUIRE(std::string(outcome.message().c_str()).find(" = " + std::to_string(bad.value) + " is outside [") !=
          std::string::npos);
  REQUIRE(data.bytes() == before);
}

TEST_CASE("one bad index anywhere in a large call changes nothing, and the first one is named") {
  limits_for_test limits;
  refused_calls = 0;
  std::int64_t operators = 0;
  const auto calls = number_from("STREW_BAD_INDICES", 6);
  std::vector<std::unique_ptr<thread_pool>> pools;
  for (unsigned threads = 1; threads <= 8; ++threads) pools.push_back(std::make_unique<thread_pool>(threads));
  std::vector<std::byte> memory(std::size_t{1} << 22);
  for_each_listed([&]<class Calls>(std::size_t row) {
    if constexpr (!is_listed_unindexed<Calls> && !is_listed_mask<Calls>) {
      ++operators;
      for (const index_order order : {index_order::scattered, index_order::ascending}) {
        listed_call of = make_listed_call(row, {600, 40, 500}, order);
        for (const auto& pool : pools) {
          for (std::uint64_t call = 0; call < calls; ++call) {
            random_source random(call + 1000 * (pool->concurrency() + 100 * row));
            CAPTURE(matrix::operators[row].name, order, pool->concurrency(), call);
            if (call % 5 == 4) {
              refuse_drawn_call<Calls, assigned_integer>(of, *pool, random, limits, memory);
            } else {
              refuse_drawn_call<Calls, std::int32_t>(of, *pool, random, limits, memory);
            }
          }
        }
      }
    }
  });
  std::printf("calls with a bad index: %lld\n", static_cast<long long>(refused_calls));
  CHECK(operators > 0);
  CHECK(refused_calls == operators * 2 * 8 * static_cast<std::int64_t>(calls));
}

TEST_CASE("a source that is one element short changes nothing") {
  limits_for_test limits;
  using Calls = matrix::masked_scatter_calls;
  std::size_t row = 0;
  while (std::string(matrix::operators[row].name) != "masked_scatter") ++row;
  for (unsigned threads = 1; threads <= 8; ++threads) {
    CAPTURE(threads);
    thread_pool pool{threads};
    for (const bool has_small_parts : {false, true}) {
      tuning::set_by_tests = has_small_parts ? limits_of_small_parts() : tuning::thresholds();
      for (const listed_form form : all_listed_forms) {
        listed_call of = make_listed_call(row, {700, 40, 0});
        of.targets.pop_back();
        of.updates_extents = {static_cast<std::int64_t>(of.targets.size())};
        random_source random(threads);
        guarded_data<std::int32_t> data(of, random);
        const std::vector<unsigned char> before = data.bytes();
        const std::vector<std::int32_t> updates(of.updates_size(), 7);
        const listed_tensors<std::int32_t> on{data.elements(), updates.data(), data.elements()};
        const status outcome = run_listed<Calls>(form, of, pool, on, output_kind::data, unnamed{});
        REQUIRE(outcome.code() == errc::too_few_elements);
        REQUIRE(data.bytes() == before);
      }
    }
  }
}

}  // namespace
}  // namespace strew::test
