// SPDX-License-Identifier: Apache-2.0
// The scatters with reductions, tuples and policies against naive loops on random cases: every operator, reduction,
// kind of element and of index; strided and broadcast operands; in place and not, in many parts, with much memory,
// little and none.
#ifndef STREW_TESTS_PROPERTY_PROPERTY_REDUCTIONS_HPP
#define STREW_TESTS_PROPERTY_PROPERTY_REDUCTIONS_HPP

#include "property.hpp"
#include "support/catch.hpp"
#include "support/guarded_buffer.hpp"
#include "support/guarded_workspace.hpp"
#include "support/random_source.hpp"
#include "support/reduction_oracle.hpp"
#include "support/with_policy.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {

// One thread or several, the last part first, and memory or none: one type, so that calls are compiled once.
struct some_executor {
  std::size_t threads = 1;
  std::span<std::byte> memory;

  template <class Body>
  void operator()(std::size_t n, const Body& body) const {
    while (n-- > 0) body(n);
  }
};

}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::some_executor> {
  static constexpr std::size_t concurrency(const strew::test::some_executor& ex) noexcept { return ex.threads; }
  static constexpr std::span<std::byte> memory(const strew::test::some_executor& ex) noexcept { return ex.memory; }
};

namespace strew::test {

using oracle::kind;

// Values of which sums overflow, cancel and meet NaNs.
template <class T>
T draw_value(random_source& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random.one_in(2);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(1, static_cast<char>('a' + random.below(26)));
  } else if constexpr (std::is_integral_v<T>) {
    if (random.one_in(6)) return std::numeric_limits<T>::max();
    if (random.one_in(6)) return std::numeric_limits<T>::min();
    return static_cast<T>(random.between(-5, 9));
  } else if constexpr (oracle::is_complex<T>) {
    using part = typename T::value_type;
    const auto draw_part = [&random] {
      if (random.one_in(30)) return std::numeric_limits<part>::infinity();
      if (random.one_in(30)) return std::numeric_limits<part>::quiet_NaN();
      return static_cast<part>(random.between(-9, 9)) / (random.one_in(2) ? 8 : 7);
    };
    const part real = draw_part();
    return {real, draw_part()};
  } else {
    const auto of = [](float value) { return static_cast<T>(value); };
    switch (random.below(14)) {
      case 0: {  // of any sign, with a payload that fits 16 bits too
        const auto payload = static_cast<std::uint32_t>(random.below(64)) << 16;
        const std::uint32_t sign = random.one_in(2) ? 0x80000000U : 0;
        return of(std::bit_cast<float>(0x7fc00000U | sign | payload));
      }
      case 1:
        return of(std::numeric_limits<float>::infinity());
      case 2:
        return of(-std::numeric_limits<float>::infinity());
      case 3:
        return of(-0.0F);
      case 4:
        return of(0.0F);
      case 5:
        return of(1e20F);
      case 6:
        return of(-1e20F);
      default:
        return of(static_cast<float>(random.between(-100, 100)) / 8);
    }
  }
}

// Which element an index names under a rule and a policy, if any; `is_error` where there is none and it is not dropped.
template <class I>
std::optional<std::int64_t> find_element(I index, std::int64_t extent, bool wraps, index_policy policy,
                                         bool& is_error) {
  const wide value(index);
  const wide size(extent);
  const bool is_legal = value < size && value >= (wraps ? -size : wide(0));
  if (policy == index_policy::clip || policy == index_policy::wrap) {
    is_error = is_error || extent == 0;
    if (extent == 0) return std::nullopt;
    if (policy == index_policy::wrap) {
      wide rest = value;
      wide step = size << 80;  // no value lies further
      for (; step >= size; step = step.half()) {
        while (rest >= step) rest = rest - step;
        while (rest < wide(0)) rest += step;
        if (step == size) break;
      }
      return static_cast<std::int64_t>(rest);
    }
    wide counted = value;
    if (wraps && value < wide(0) && value >= -size) counted += size;
    if (counted < wide(0)) return 0;
    return counted < size ? static_cast<std::int64_t>(counted) : extent - 1;
  }
  if (!is_legal) {
    is_error = is_error || policy != index_policy::drop;
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value < wide(0) ? value + size : value);
}

// Calls body(named reduction) for a kind.
template <class T, class Body>
void with_reduction(kind how, bool init, const Body& body) {
  static constexpr reduction_kind kinds[] = {reduction_kind::none, reduction_kind::sum, reduction_kind::sub,
                                             reduction_kind::prod, reduction_kind::min, reduction_kind::max,
                                             reduction_kind::mean};
  REQUIRE(reduction::try_visit<T>(kinds[static_cast<std::size_t>(how)], init, body).ok());
}

template <class T>
std::vector<kind> kinds_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return {kind::none, kind::sum, kind::sub, kind::prod, kind::min, kind::max};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {kind::none, kind::sum, kind::min, kind::max};
  } else if constexpr (oracle::is_complex<T>) {
    return {kind::none, kind::sum, kind::sub, kind::prod, kind::mean};
  } else {
    return {kind::none, kind::sum, kind::sub, kind::prod, kind::min, kind::max, kind::mean};
  }
}

// The elements of a tensor of indices: mostly legal ones, many of them the same, now and then others.
template <class I>
void draw_some_indices(random_source& random, guarded_buffer<I>& indices, std::int64_t extent, bool wraps,
                       bool has_bad) {
  const bool negatives = wraps && std::numeric_limits<I>::is_signed;
  indices.for_each_element([&](I& index) {
    const std::int64_t most = random.one_in(2) ? extent : (extent + 1) / 2;
    index = extent == 0 ? I{} : static_cast<I>(random.between(negatives ? -most : 0, most - 1));
    if (!has_bad || !random.one_in(5)) return;
    const std::int64_t far = random.between(-3 * extent - 3, 3 * extent + 3);
    index = random.one_in(4)   ? std::numeric_limits<I>::max()
            : random.one_in(4) ? std::numeric_limits<I>::min()
                               : static_cast<I>(far);
  });
}

template <class T>
std::string compare(kind how, const std::vector<T>& expected, const guarded_buffer<T>& output,
                    const guarded_buffer<T>& before) {
  const std::vector<T> values = output.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!oracle::agrees(how, values[i], expected[i])) return "element " + std::to_string(i) + " differs";
  }
  return output.is_same_around_elements(before) ? "" : "written beside the output";
}

// Dense, as buckets and tiles want it, or anyhow.
template <class T>
guarded_buffer<T> draw_operand(random_source& random, bool is_dense, const shape& extents, bool may_repeat) {
  if (is_dense) return guarded_buffer<T>(place_contiguous(extents));
  return draw_buffer<T>(random, extents, may_repeat);
}

// An operator's call on data and output, or in place where data is null: one type for all operators, and cheaper to
// compile than std::function.
template <class T>
struct erased_call {
  const void* call;
  status (*run)(const void* call, const some_executor& ex, const tensor_view<const T>* data,
                const tensor_view<T>& output);

  status operator()(const some_executor& ex, const tensor_view<const T>* data, const tensor_view<T>& output) const {
    return run(call, ex, data, output);
  }
};

template <class T, class Call>
erased_call<T> erase_call(const Call& call) {
  return {&call,
          [](const void* erased, const some_executor& ex, const tensor_view<const T>* data,
             const tensor_view<T>& output) -> status {
            const Call& run = *static_cast<const Call*>(erased);
            return data != nullptr ? run(ex, *data, output) : run(ex, output);
          }};
}

// Runs a call in place or not and compares.
template <class T>
std::string deviation_of_erased_call(random_source& random, bool is_dense, const shape& data_extents, kind how,
                                     bool init, bool is_error, const std::vector<oracle::update_of<T>>& met,
                                     const erased_call<T>& call) {
  const bool in_place = random.one_in(2);
  auto data = draw_operand<T>(random, is_dense, data_extents, !in_place);
  auto output = draw_operand<T>(random, is_dense, data_extents, false);
  data.for_each_element([&](T& element) { element = draw_value<T>(random); });
  const std::vector<T> expected = oracle::reduce_all(data.values(), met, how, init);
  output.for_each_element([&](T& element) { element = draw_value<T>(random); });
  const guarded_buffer<T> data_before = data;
  const guarded_buffer<T> output_before = output;
  guarded_workspace memory(400000);
  some_executor ex;
  if (random.one_in(2)) ex.threads = 3;
  if (is_dense || random.one_in(2)) ex.memory = memory.lend(random.below(random.one_in(2) ? 3000 : 400000));
  const tensor_view<const T> data_view = data.const_view();
  const status outcome = in_place ? call(ex, nullptr, data.view()) : call(ex, &data_view, output.view());
  if (memory.was_written_around()) return "written beside the workspace";
  if (is_error) {
    if (outcome.code() != errc::index_out_of_bounds) return "a bad index was not reported";
    return data.is_same_as(data_before) && output.is_same_as(output_before) ? "" : "written in spite of an error";
  }
  if (!outcome.ok()) return "refused: " + std::string(outcome.message().view());
  if (in_place) return compare(how, expected, data, data_before);
  if (!data.is_same_as(data_before)) return "data was written";
  return compare(how, expected, output, output_before);
}

template <class T, class Call>
std::string deviation_of_call(random_source& random, bool is_dense, const shape& data_extents, kind how, bool init,
                              bool is_error, const std::vector<oracle::update_of<T>>& met, const Call& call) {
  return deviation_of_erased_call<T>(random, is_dense, data_extents, how, init, is_error, met, erase_call<T>(call));
}

// Policies go with sums alone: with every reduction they would take minutes to compile.
template <class Indices, class R>
inline constexpr bool is_tried =
    strew::detail::policy_of<Indices> == index_policy::error || std::is_same_v<R, reduction::sum_type>;

inline index_policy draw_policy(random_source& random) {
  return random.pick<index_policy>(
      {index_policy::error, index_policy::error, index_policy::drop, index_policy::clip, index_policy::wrap});
}

template <class T>
auto all_callables(kind how) {
  return [how](const T& a, const T& b) noexcept(std::is_arithmetic_v<T>) { return oracle::reduce<T>(how, a, b); };
}

// One type of each class, since these programs take long to compile; in CI all are built once, with sanitizers.
#if defined(STREW_TEST_ALL_TYPES)
using reduced_types = std::tuple<types<float, int>, types<signed char, unsigned char>, types<unsigned short, short>,
                                 types<long, unsigned long>, types<unsigned long, signed char>, types<bool, unsigned>,
                                 types<std::complex<double>, long>, types<bfloat16, long>, types<std::string, int>
#if STREW_HAS_FLOAT16
                                 ,
                                 types<_Float16, long>
#endif
                                 >;
#else
using reduced_types = std::tuple<types<float, int>, types<signed char, unsigned char>,
                                 types<unsigned long, signed char>, types<bfloat16, long>, types<std::string, int>>;
#endif

template <class Case>
void for_each_reduced_case(std::uint64_t first, const Case& deviation_of_case) {
  check_random_cases(first, 700, deviation_of_case);
}

}  // namespace strew::test

#endif  // STREW_TESTS_PROPERTY_PROPERTY_REDUCTIONS_HPP
