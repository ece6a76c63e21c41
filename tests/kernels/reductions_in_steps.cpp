// SPDX-License-Identifier: Apache-2.0
// Reductions that keep states beside the output, by every way in which they are computed: with all states, in blocks of
// few, and in steps that keep none, with counts that overflow. Expectations come from a list of the updates of each
// element; bits are compared, but for NaNs that arithmetic made.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <cfenv>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace strew::test {

// So many threads, whose parts run backwards. One type for all calls, which take long to compile.
struct some_threads {
  std::size_t count;

  template <class Body>
  void operator()(std::size_t n, const Body& body) const {
    backwards{}(n, body);
  }
};

}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::some_threads> {
  static constexpr std::size_t concurrency(const strew::test::some_threads& ex) noexcept { return ex.count; }
  static constexpr std::span<std::byte> memory(const strew::test::some_threads&) noexcept { return {}; }
};

namespace strew::test {
namespace {

namespace red = strew::reduction;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
bool has_nan_part(const T& value) {
  if constexpr (is_complex<T>) {
    return has_nan_part(value.real()) || has_nan_part(value.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    return false;
  }
}

// What the documents say of one element: `values` are its updates in their order.
template <class T, class R>
T expected_element(const T& data, const std::vector<T>& values, const R&) {
  constexpr bool omits = requires {
    typename R::reduction_type;
  };
  if (values.empty()) return data;
  std::size_t next = 0;
  T result = omits ? values[next++] : data;
  if (omits && values.size() == 1) return result;
  if constexpr (R::kind == reduction_kind::mean) {
    const auto count = static_cast<std::int64_t>(values.size() + (omits ? 0 : 1));
    if constexpr (std::is_integral_v<T>) {
      // The sum of quotients, each rounded down, and that of rests: neither overflows, as the sum itself would.
      using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      const auto divisor = static_cast<wide>(count);
      wide quotients = 0;
      wide rests = 0;
      const auto add = [&](T value) {
        wide quotient = static_cast<wide>(value) / divisor;
        wide rest = static_cast<wide>(value) % divisor;
        if constexpr (std::is_signed_v<T>) {
          if (rest < 0) {
            --quotient;
            rest += divisor;
          }
        }
        quotients += quotient;
        rests += rest;
      };
      add(result);
      for (; next < values.size(); ++next) add(values[next]);
      return static_cast<T>(quotients + rests / divisor);
    } else if constexpr (is_complex<T>) {
      for (; next < values.size(); ++next) result = result + values[next];
      const auto divisor = static_cast<typename T::value_type>(count);
      return T(result.real() / divisor, result.imag() / divisor);
    } else {
      for (; next < values.size(); ++next) result = result + values[next];
      return result / static_cast<T>(count);
    }
  } else {
    for (; next < values.size(); ++next) {
      const T& update = values[next];
      if constexpr (R::kind == reduction_kind::sum) {
        if constexpr (std::is_integral_v<T>) {
          result = static_cast<T>(static_cast<std::uint64_t>(result) + static_cast<std::uint64_t>(update));
        } else {
          result = result + update;
        }
      } else if constexpr (R::kind == reduction_kind::prod) {
        if constexpr (std::is_integral_v<T>) {
          result = static_cast<T>(static_cast<std::uint64_t>(result) * static_cast<std::uint64_t>(update));
        } else {
          result = result * update;
        }
      } else if constexpr (!is_complex<T>) {
        if (has_nan_part(result)) break;
        const bool replaces = R::kind == reduction_kind::min ? update < result : result < update;
        if (has_nan_part(update) || replaces) result = update;
      }
    }
    return result;
  }
}

// Whether an element is right: bit by bit, but for NaNs that a sum, a product or a quotient made.
template <class T, class R>
bool is_right(const T& found, const T& expected, std::size_t updates, const R&) {
  if (std::memcmp(&found, &expected, sizeof(T)) == 0) return true;
  constexpr bool computes =
      R::kind == reduction_kind::sum || R::kind == reduction_kind::prod || R::kind == reduction_kind::mean;
  const bool is_copy = updates == 0 || (updates == 1 && requires { typename R::reduction_type; });
  if (!computes || is_copy) return false;
  if constexpr (is_complex<T>) {
    return is_right(found.real(), expected.real(), updates, R{}) &&
           is_right(found.imag(), expected.imag(), updates, R{});
  } else {
    return has_nan_part(found) && has_nan_part(expected);
  }
}

// Numbers of T; with `specials` also zeros of both signs, infinities, and quiet and signalling NaNs.
template <class T>
T draw_element(random_source& random, bool specials) {
  if constexpr (is_complex<T>) {
    const auto real = draw_element<typename T::value_type>(random, specials);
    return T(real, draw_element<typename T::value_type>(random, specials));
  } else if constexpr (std::is_integral_v<T>) {
    if (random.one_in(8)) return random.one_in(2) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    return static_cast<T>(random.between(-100, 100));
  } else {
    using limits = std::numeric_limits<T>;
    const T sign = random.one_in(2) ? T(1) : T(-1);
    if (specials && random.one_in(3)) {
      const std::int64_t choice = random.below(6);
      if (choice == 0) return sign * T(0);
      if (choice == 1) return sign * limits::infinity();
      if (choice == 2) return sign * limits::denorm_min();
      if (choice == 3) return sign * limits::max();
      // By bytes: registers of 32-bit x86 make signalling NaNs quiet.
      using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
      bits pattern = 0;
      const T infinity = limits::infinity();
      std::memcpy(&pattern, &infinity, sizeof(T));
      pattern |= static_cast<bits>(random.between(1, 1000));
      if (choice == 5 || sizeof(void*) < 8) pattern |= bits{1} << (limits::digits - 2);
      T nan;
      std::memcpy(&nan, &pattern, sizeof(T));
      return nan;
    }
    return sign * static_cast<T>(random.below(1000)) / T(8);
  }
}

enum class form { rows, rows_of_three, along_last, across, lanes, policy };

template <class T, class Index>
struct drawn {
  index_list data_extents;
  index_list index_extents;
  std::vector<T> data;
  std::vector<T> updates;  // in row-major order
  std::vector<Index> indices;
  std::vector<std::vector<T>> values;  // the updates of each element
};

template <class T, class Index>
drawn<T, Index> draw_case(form how, std::int64_t extent, std::int64_t count, bool specials, std::uint64_t seed) {
  random_source random(seed);
  drawn<T, Index> of;
  const bool has_rows = how == form::rows || how == form::rows_of_three || how == form::policy;
  const std::int64_t inner = how == form::rows_of_three || how == form::across || how == form::lanes ? 3 : 1;
  const std::int64_t outer = how == form::along_last ? 3 : 1;
  for (std::int64_t i = 0; i < outer * extent * inner; ++i) of.data.push_back(draw_element<T>(random, specials));
  for (std::int64_t i = 0; i < outer * count * inner; ++i) of.updates.push_back(draw_element<T>(random, specials));
  of.values.resize(of.data.size());
  const bool is_shared = has_rows || how == form::lanes;
  const std::int64_t indices = is_shared ? count : outer * count * inner;
  const std::int64_t below = how == form::policy ? extent + 2 : extent;
  for (std::int64_t i = 0; i < indices; ++i) {
    // Half of the updates go to a few elements.
    of.indices.push_back(static_cast<Index>(random.one_in(2) ? random.below(below) : random.below(3)));
  }
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < inner; ++k) {
        const std::int64_t update = (o * count + i) * inner + k;
        const std::int64_t row =
            static_cast<std::int64_t>(of.indices[static_cast<std::size_t>(is_shared ? i : update)]);
        if (row >= extent) continue;
        of.values[static_cast<std::size_t>((o * extent + row) * inner + k)].push_back(
            of.updates[static_cast<std::size_t>(update)]);
      }
    }
  }
  return of;
}

// Makes the call on an executor, in place or to an output, with updates next to each other or two apart.
template <class T, class Index, class R, class Ex>
std::vector<T> run_case(form how, const drawn<T, Index>& of, std::int64_t extent, std::int64_t count, const R& reduce,
                        const Ex& ex, bool in_place, bool apart) {
  std::vector<T> data = of.data;
  std::vector<T> output(data.size());
  const std::int64_t step = apart ? 2 : 1;
  std::vector<T> updates(of.updates.size() * static_cast<std::size_t>(step));
  for (std::size_t i = 0; i < of.updates.size(); ++i) {
    std::memcpy(static_cast<void*>(&updates[i * static_cast<std::size_t>(step)]), &of.updates[i], sizeof(T));
  }
  const auto call = [&](const index_list& data_extents, const index_list& updates_extents, const auto& scatter) {
    index_list strides;
    for (int k = 0; k < updates_extents.size(); ++k) {
      std::int64_t stride = step;
      for (int m = k + 1; m < updates_extents.size(); ++m) stride *= updates_extents[m];
      strides.push_back(stride);
    }
    const tensor_view<T> in{data.data(), data_extents};
    const tensor_view<const T> from{updates.data(), updates_extents, strides};
    scatter(in, from, tensor_view<T>{in_place ? data.data() : output.data(), data_extents});
  };
  switch (how) {
    case form::rows:
    case form::policy:
      call({extent}, {count}, [&](const auto& in, const auto& from, const auto& out) {
        const tensor_view<const Index> at{of.indices.data(), {count}};
        if (how == form::policy) {
          index_reduce(ex, in, 0, drop(at), from, reduce, out);
        } else {
          index_reduce(ex, in, 0, at, from, reduce, out);
        }
      });
      break;
    case form::rows_of_three:
      call({extent, 3}, {count, 3}, [&](const auto& in, const auto& from, const auto& out) {
        index_reduce(ex, in, 0, tensor_view<const Index>{of.indices.data(), {count}}, from, reduce, out);
      });
      break;
    case form::along_last:
      call({3, extent}, {3, count}, [&](const auto& in, const auto& from, const auto& out) {
        scatter_reduce(ex, in, 1, tensor_view<const Index>{of.indices.data(), {3, count}}, from, reduce, out);
      });
      break;
    case form::across:
      call({extent, 3}, {count, 3}, [&](const auto& in, const auto& from, const auto& out) {
        scatter_reduce(ex, in, 0, tensor_view<const Index>{of.indices.data(), {count, 3}}, from, reduce, out);
      });
      break;
    case form::lanes:
      call({extent, 3}, {count, 3}, [&](const auto& in, const auto& from, const auto& out) {
        const tensor_view<const Index> at{of.indices.data(), {count, 3}, {1, 0}};
        scatter_reduce(ex, in, 0, at, from, reduce, out);
      });
      break;
  }
  return in_place ? data : output;
}

template <class T, class Index, class R>
void require_right(form how, std::int64_t extent, std::int64_t count, bool specials, const R& reduce) {
  const drawn<T, Index> of = draw_case<T, Index>(how, extent, count, specials, static_cast<std::uint64_t>(extent));
  guarded_workspace memory(1 << 16);
  for (const int way : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const bool in_place = way % 2 == 0;
    const bool apart = way / 2 % 2 == 0;
    // None, enough for all states, and less.
    const some_threads threads{way == 2 || way == 3 || way > 5 ? std::size_t{3} : std::size_t{1}};
    memory.restore();
    const workspace lent{memory.lend(way < 4 ? 0 : way < 6 ? 1 << 16 : 1000), threads};
    const std::vector<T> found = run_case(how, of, extent, count, reduce, lent, in_place, apart);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const T expected = expected_element(of.data[i], of.values[i], reduce);
      if (!is_right(found[i], expected, of.values[i].size(), reduce)) ++wrong;
    }
    CAPTURE(static_cast<int>(how), extent, count, specials, way, sizeof(T), static_cast<int>(R::kind));
    CHECK(wrong == 0);
    CHECK_FALSE(memory.was_written_around());
  }
}

template <class T, class Index>
void require_all_right(std::int64_t extent, std::int64_t count) {
  for (const form how : {form::rows, form::rows_of_three, form::along_last, form::across, form::lanes, form::policy}) {
    for (const bool specials : {false, true}) {
      if (specials && std::is_integral_v<T>) continue;
      const auto check = [&](const auto& reduce) { require_right<T, Index>(how, extent, count, specials, reduce); };
      check(red::mean);
      check(red::without_init(red::mean));
      check(red::without_init(red::sum));
      check(red::without_init(red::prod));
      if constexpr (!is_complex<T>) {
        check(red::without_init(red::min));
        check(red::without_init(red::max));
      }
    }
  }
}

TEMPLATE_TEST_CASE("reductions with states equal loops, whatever memory there is for states", "", float,
                   std::complex<double>, std::int8_t, std::int32_t, std::uint64_t) {
  const limits_for_test limits;
  tuning::thresholds& now = tuning::set_by_tests;
  SECTION("as measured") {
    require_all_right<TestType, std::int64_t>(300, 500);
  }
  SECTION("of the targets alone") {
    now.states_an_update = 0;
    now.used_states = GENERATE(std::int64_t{64}, tuning::states_on_stack);
    require_all_right<TestType, std::int64_t>(150, 300);
    if constexpr (std::is_same_v<TestType, float>) {
      require_all_right<float, std::int32_t>(97, 301);
      require_all_right<float, std::uint8_t>(101, 150);
    }
  }
  SECTION("in small blocks") {
    now.states_an_update = tuning::never;
    now.used_states = 64;
    now.used_positions = GENERATE(std::int64_t{2}, std::int64_t{1024});
    now.vector_count = GENERATE(std::int64_t{1}, tuning::never);
    require_all_right<TestType, std::int64_t>(150, 300);
    if constexpr (std::is_same_v<TestType, float>) {
      require_all_right<float, std::int32_t>(97, 301);
      require_all_right<float, std::uint8_t>(101, 150);
    }
  }
  SECTION("with counts that overflow") {
    now.states_an_update = tuning::never;
    now.used_states = GENERATE(std::int64_t{64}, std::int64_t{256});
    now.largest_count = GENERATE(std::int64_t{2}, std::int64_t{3}, std::int64_t{40});
    now.most_counted_in_a_byte = GENERATE(std::int64_t{0}, tuning::never);
    require_all_right<TestType, std::int64_t>(200, 400);
    if constexpr (std::is_same_v<TestType, float>) {
      require_all_right<float, std::int32_t>(70, 333);
      require_all_right<float, std::uint8_t>(90, 200);
    }
  }
}

// More updates of one element than a count of a byte holds, and several such elements.
TEST_CASE("70,000 updates of one element") {
  constexpr std::int64_t extent = 20'000;
  constexpr std::int64_t heavy = 70'000;
  constexpr std::int64_t count = 3 * heavy + extent;
  std::vector<float> updates(count);
  std::vector<std::int64_t> at(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    updates[k] = static_cast<float>(i % 7);
    at[k] = i >= 3 * heavy ? i - 3 * heavy : i % 3 == 0 ? 5 : i % 3 == 1 ? 6 : extent - 1;
  }
  const tensor_view<const float> from{updates.data(), {count}};
  const tensor_view<const std::int64_t> index{at.data(), {count}};
  const auto check = [&](const auto& reduce) {
    constexpr bool omits = requires {
      typename std::remove_cvref_t<decltype(reduce)>::reduction_type;
    };
    std::vector<float> expected(extent, 3.0F);
    std::vector<std::int64_t> numbers(extent);
    for (std::size_t i = 0; i < std::size_t{count}; ++i) {
      const auto k = static_cast<std::size_t>(at[i]);
      expected[k] = omits && numbers[k] == 0 ? updates[i] : expected[k] + updates[i];
      ++numbers[k];
    }
    for (std::size_t k = 0; k < std::size_t{extent}; ++k) {
      expected[k] /= static_cast<float>(numbers[k] + (omits ? 0 : 1));
    }
    std::vector<float> output(extent, 3.0F);
    index_reduce(tensor_view<float>{output.data(), {extent}}, 0, index, from, reduce);
    CHECK(output == expected);
    heap_workspace memory;
    output.assign(extent, 3.0F);
    index_reduce(memory, tensor_view<float>{output.data(), {extent}}, 0, index, from, reduce);
    CHECK(output == expected);
    const limits_for_test limits;
    tuning::set_by_tests.most_counted_in_a_byte = 0;  // in states
    output.assign(extent, 3.0F);
    index_reduce(tensor_view<float>{output.data(), {extent}}, 0, index, from, reduce);
    CHECK(output == expected);
  };
  check(red::mean);
  check(red::without_init(red::mean));
}

#if defined(__x86_64__) || defined(__aarch64__)
// -0 is the identity of sums only where -0 + 0 is 0.
TEST_CASE("first updates keep their bits while sums are rounded downwards") {
  const limits_for_test limits;
  tuning::set_by_tests.used_states = 64;
  std::vector<float> output(100, 5.0F);
  const std::vector<float> updates(100, 0.0F);
  std::vector<std::int64_t> at(100);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int64_t>(99 - i);
  REQUIRE(std::fesetround(FE_DOWNWARD) == 0);
  scatter_reduce(tensor_view<float>{output.data(), {100}}, 0, tensor_view<const std::int64_t>{at.data(), {100}},
                 tensor_view<const float>{updates.data(), {100}}, red::without_init(red::sum));
  std::fesetround(FE_TONEAREST);
  CHECK(std::memcmp(output.data(), updates.data(), 100 * sizeof(float)) == 0);
}
#endif

}  // namespace
}  // namespace strew::test
