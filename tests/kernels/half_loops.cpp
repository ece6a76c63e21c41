// SPDX-License-Identifier: Apache-2.0
// 16-bit floating-point numbers: conversions and reductions by every way of computing them, compared with arithmetic on
// float whose result is rounded by the standard library.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"

#include <strew/detail/half_formats.hpp>
#include <strew/detail/kernels/half_loops.hpp>
#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;
using detail::converted;
using dynamic::bfloat16;
using dynamic::float16;
using bits = std::uint16_t;

// ---- What the formats are: digits of the significand, and the exponent of the smallest normal number.

struct format {
  int digits;
  int least;

  int fraction() const { return digits - 1; }
  bits infinity() const { return static_cast<bits>(0x7fff >> fraction() << fraction()); }
  bool is_nan(bits value) const { return (value & 0x7fff) > infinity(); }
  double value(bits of) const {
    static const std::vector<double> of_float16 = format{11, -14}.all_values();
    static const std::vector<double> of_bfloat16 = format{8, -126}.all_values();
    return (digits == 11 ? of_float16 : of_bfloat16)[of];
  }
  // To the nearest, ties to even; not of a NaN.
  bits rounded(double number) const {
    const int sign = std::signbit(number) ? 0x8000 : 0;
    const double magnitude = std::fabs(number);
    if (magnitude == 0) return static_cast<bits>(sign);
    if (std::isinf(magnitude)) return static_cast<bits>(sign | infinity());
    const int exponent = std::max(std::ilogb(magnitude), least);
    const double steps = std::nearbyint(std::ldexp(magnitude, fraction() - exponent));
    // A number of steps of 2^digits carries into the exponent, beyond the last one to infinity.
    const double word = std::ldexp(exponent - least, fraction()) + steps;
    return static_cast<bits>(sign | static_cast<int>(std::fmin(word, infinity())));
  }

 private:
  double find_value(bits of) const {
    const int magnitude = of & 0x7fff;
    const int exponent = magnitude >> fraction();
    const int rest = magnitude - (exponent << fraction());
    double result = std::ldexp(rest, least - fraction());
    if (exponent > 0) result = std::ldexp(rest + (1 << fraction()), least + exponent - 1 - fraction());
    if (magnitude == infinity()) result = std::numeric_limits<double>::infinity();
    if (is_nan(of)) result = std::numeric_limits<double>::quiet_NaN();
    return (of & 0x8000) != 0 ? -result : result;
  }
  std::vector<double> all_values() const {
    std::vector<double> all;
    for (int of = 0; of < 65536; ++of) all.push_back(find_value(static_cast<bits>(of)));
    return all;
  }
};
template <class T>
constexpr format format_of = std::is_same_v<T, bfloat16> ? format{8, -126} : format{11, -14};

float stored(float value) {
  volatile float memory = value;
  return memory;
}
enum class kind { sum, sub, prod, min, max };
bits expected(format f, kind how, bits a, bits b) {
  if (how == kind::min || how == kind::max) {
    if (f.is_nan(a) || f.is_nan(b)) return f.is_nan(a) ? a : b;
    const bool replaces = how == kind::min ? f.value(b) < f.value(a) : f.value(a) < f.value(b);
    return replaces ? b : a;
  }
  const auto x = static_cast<float>(f.value(a));
  const auto y = static_cast<float>(f.value(b));
  const float result = stored(how == kind::sum ? x + y : how == kind::sub ? x - y : x * y);
  if (!std::isnan(result)) return f.rounded(static_cast<double>(result));
  // A quiet NaN; of one operand that is a NaN with its upper bits, as all processors of today have them.
  if (f.is_nan(a) != f.is_nan(b)) {
    const bits quiet = static_cast<bits>(1 << (f.fraction() - 1));
    return static_cast<bits>((f.is_nan(a) ? a : b) | quiet);
  }
  return 0x7fff;
}
// Whether `got` is right: of NaNs of two operands, or of none, nothing but that they are NaNs is known, nor is the sign
// of a NaN after a subtraction.
bool is_right(format f, kind how, [[maybe_unused]] bits a, [[maybe_unused]] bits b, bits wanted, bits got) {
  if (got == wanted) return true;
  if (how == kind::min || how == kind::max || !f.is_nan(wanted)) return false;
#if defined(__x86_64__)
  if (f.is_nan(a) != f.is_nan(b)) return ((got ^ wanted) & 0x7fff) == 0;
#endif
  return f.is_nan(got);
}

template <class R>
constexpr kind kind_of = std::is_same_v<R, red::sum_type>    ? kind::sum
                         : std::is_same_v<R, red::sub_type>  ? kind::sub
                         : std::is_same_v<R, red::prod_type> ? kind::prod
                         : std::is_same_v<R, red::min_type>  ? kind::min
                                                             : kind::max;

template <class T>
std::vector<T> as_elements(const std::vector<bits>& from) {
  std::vector<T> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::bit_cast<T>(from[i]);
  return to;
}

// Numbers where rules change: zeros, the ends of the subnormals, one, the largest, infinities, quiet and signalling
// NaNs.
std::vector<bits> notable(format f) {
  const int one_exponent = 1 << f.fraction();
  const int infinity = f.infinity();
  std::vector<bits> all;
  for (const int magnitude : {0, 1, 2, 3, one_exponent - 1, one_exponent, one_exponent + 1, infinity / 2 - one_exponent,
                              infinity / 2, infinity / 2 + 1, infinity - one_exponent, infinity - 1, infinity,
                              infinity + 1, infinity + one_exponent / 2, infinity + one_exponent / 2 + 5, 0x7fff}) {
    all.push_back(static_cast<bits>(magnitude));
    all.push_back(static_cast<bits>(magnitude | 0x8000));
  }
  return all;
}

std::mt19937 random_numbers(52);
std::int64_t below(std::int64_t bound) {
  return static_cast<std::int64_t>(random_numbers()) % bound;
}
// Of any exponent, or near one, where sums have several digits of both.
bits a_half(format f) {
  const auto any = static_cast<bits>(random_numbers());
  if (below(2) == 0) return any;
  const int near = f.infinity() / 2 + static_cast<int>(below(8 << f.fraction())) - (4 << f.fraction());
  return static_cast<bits>((any & 0x8000) | near);
}

// The ways of computing: as measured; never a chosen one; a chosen one for as few as there are.
const std::int64_t counts_to_choose_from[] = {tuning::thresholds{}.half_count, tuning::never, 1};

// ---- Conversions

template <class T, converted How>
void check_conversions() {
  constexpr format f = format_of<T>;
  const auto narrow = [](float value) { return std::bit_cast<bits>(detail::narrow_to_half<T, How>(value)); };
  for (int word = 0; word < 65536; ++word) {
    const auto half = static_cast<bits>(word);
    const float value = detail::widen_half<T, How>(std::bit_cast<T>(half));
    bool is_exact = static_cast<double>(value) == f.value(half) && std::signbit(value) == ((half & 0x8000) != 0) &&
                    narrow(value) == half;
    if (f.is_nan(half)) {
      // Compilers leave out both conversions where they are instructions: a signalling NaN may stay one.
      is_exact = std::isnan(value) && (narrow(value) == (half | (1 << (f.fraction() - 1))) ||
                                       (STREW_CONVERTS_FLOAT16 != 0 && narrow(value) == half));
    }
    CAPTURE(half);
    if (!is_exact) FAIL("not exact, or a NaN without its payload");
    if ((half & 0x7fff) >= f.infinity()) continue;
    // The number between this one and the next one, beyond the largest too, and those around it.
    const double magnitude = std::fabs(f.value(half));
    const double step =
        magnitude == 0 ? f.value(1) : std::ldexp(1, std::max(std::ilogb(value), f.least) - f.fraction());
    const auto middle = static_cast<float>(magnitude + step / 2);
    for (float each : {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, 2 * middle)}) {
      if ((half & 0x8000) != 0) each = -each;
      if (narrow(each) != f.rounded(static_cast<double>(each))) FAIL("not the nearest number, or not the even one");
    }
  }
  for (int i = 0; i < 1'000'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random_numbers()));
    if (std::isnan(value)) continue;
    if (narrow(value) != f.rounded(static_cast<double>(value))) {
      CAPTURE(value, narrow(value));
      FAIL("not the nearest number");
    }
  }
}
TEST_CASE("halves and floats convert exactly or to the nearest, one by one and in loops", "[half]") {
  check_conversions<float16, converted::one>();
  check_conversions<float16, converted::many>();
  check_conversions<bfloat16, converted::one>();
  check_conversions<bfloat16, converted::many>();
#if STREW_HAS_FLOAT16
  check_conversions<_Float16, converted::one>();
#endif
}

static_assert(static_cast<float>(float16(0x1.8p-25F)) == 0x1p-24F && static_cast<float>(float16(0x1p-25F)) == 0);
static_assert(float16(65519.99F).bits == 0x7bff && float16(-65520.0F).bits == 0xfc00);
static_assert(red::sum(float16(1.5F), float16(2.25F)).bits == float16(3.75F).bits);
static_assert(red::min(bfloat16(1.5F), bfloat16(-2.25F)).bits == bfloat16(-2.25F).bits);

// ---- Loops

template <class T, class R>
void check_pairs(const std::vector<bits>& elements, const std::vector<bits>& updates) {
  const auto n = static_cast<std::int64_t>(elements.size());
  const std::vector<T> from = as_elements<T>(updates);
  std::vector<bits> wanted(elements.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = expected(format_of<T>, kind_of<R>, elements[i], updates[i]);
  }
  for (const std::int64_t count : counts_to_choose_from) {
    tuning::set_by_tests.half_count = count;
    std::vector<T> to = as_elements<T>(elements);
    detail::combine_halves<T, R>(reinterpret_cast<char*>(to.data()), 2, reinterpret_cast<const char*>(from.data()), 2,
                                 n);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto got = std::bit_cast<bits>(to[i]);
      if (!is_right(format_of<T>, kind_of<R>, elements[i], updates[i], wanted[i], got)) {
        CAPTURE(count, elements[i], updates[i], got, wanted[i]);
        FAIL("not the half of the sum, the product or the extremum");
      }
    }
  }
}
template <class T, class R>
void check_arithmetic() {
  const limits_for_test limits;
  constexpr format f = format_of<T>;
  std::vector<bits> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<bits>(i);
  for (const bits partner : notable(f)) {
    check_pairs<T, R>(all, std::vector<bits>(all.size(), partner));
    check_pairs<T, R>(std::vector<bits>(all.size(), partner), all);
  }
  std::vector<bits> elements(1'000'000);
  std::vector<bits> updates(elements.size());
  for (bits& each : elements) each = a_half(f);
  for (bits& each : updates) each = a_half(f);
  check_pairs<T, R>(elements, updates);
}
template <class T>
void check_all_arithmetic() {
  check_arithmetic<T, red::sum_type>();
  check_arithmetic<T, red::sub_type>();
  check_arithmetic<T, red::prod_type>();
  check_arithmetic<T, red::min_type>();
  check_arithmetic<T, red::max_type>();
}
TEST_CASE("float16 is combined with one rounding in every way", "[half]") {
  check_all_arithmetic<float16>();
}
TEST_CASE("bfloat16 is combined with one rounding in every way", "[half]") {
  check_all_arithmetic<bfloat16>();
}
#if STREW_HAS_FLOAT16
TEST_CASE("the compiler's float16 is combined with one rounding in every way", "[half]") {
  check_all_arithmetic<_Float16>();
}
#endif

// ---- Calls: [groups, positions, width] along the middle axis, with strides of each operand

// A tensor of this shape in memory of its own, with no element beyond the first and the last one.
template <class T>
struct placed {
  std::vector<std::int64_t> strides;
  std::int64_t first = 0;
  std::vector<T> memory;

  placed(const std::vector<std::int64_t>& extents, std::int64_t step, bool is_column_major) : strides(extents.size()) {
    std::int64_t apart = step;
    std::int64_t span = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::size_t axis = is_column_major ? i : extents.size() - 1 - i;
      strides[axis] = apart;
      if (apart < 0) first -= (extents[axis] - 1) * apart;
      span += (extents[axis] - 1) * std::abs(apart);
      apart *= extents[axis];
    }
    memory.assign(static_cast<std::size_t>(span), std::bit_cast<T>(bits{0x1234}));
  }
  std::size_t place(std::int64_t group, std::int64_t position, std::int64_t lane) const {
    return static_cast<std::size_t>(first + group * strides[0] + position * strides[1] + lane * strides[2]);
  }
};

enum class started { from_data, from_updates };
template <class T, class R>
void check_call(std::int64_t groups, std::int64_t extent, std::int64_t positions, std::int64_t width, R, started from) {
  constexpr format f = format_of<T>;
  constexpr std::int64_t steps[] = {1, 1, 1, 2, -1, -3};
  placed<T> output({groups, extent, width}, steps[below(6)], below(3) == 0);
  placed<T> updates({groups, positions, width}, steps[below(6)], below(3) == 0);
  // Small powers of two, so that no product of many overflows, and everything else.
  const bool is_tame = below(2) == 0;
  const auto draw = [&] {
    return is_tame ? f.rounded(std::ldexp(1 + static_cast<int>(below(4)), static_cast<int>(below(3)) - 2)) : a_half(f);
  };
  for (T& each : output.memory) each = std::bit_cast<T>(draw());
  for (T& each : updates.memory) each = std::bit_cast<T>(draw());
  std::vector<std::int64_t> index(static_cast<std::size_t>(positions));
  for (std::int64_t& each : index) each = below(extent);

  std::vector<T> wanted = output.memory;
  std::vector<bool> has_update(wanted.size());
  std::vector<bool> is_any_nan(wanted.size());
  for (std::int64_t g = 0; g < groups; ++g) {
    for (std::int64_t p = 0; p < positions; ++p) {
      for (std::int64_t lane = 0; lane < width; ++lane) {
        const std::size_t at = output.place(g, index[static_cast<std::size_t>(p)], lane);
        const T update = updates.memory[updates.place(g, p, lane)];
        const auto a = std::bit_cast<bits>(wanted[at]);
        const auto b = std::bit_cast<bits>(update);
        const bool copies = from == started::from_updates && !has_update[at];
        const bits result = copies ? b : expected(f, kind_of<R>, a, b);
        const bool is_exact = copies || kind_of<R> == kind::min || kind_of<R> == kind::max;
        is_any_nan[at] = !is_exact && f.is_nan(result);
        wanted[at] = std::bit_cast<T>(result);
        has_update[at] = true;
      }
    }
  }
  const tensor_view<T> out{output.memory.data() + output.first,
                           {groups, extent, width},
                           {output.strides[0], output.strides[1], output.strides[2]}};
  const tensor_view<const T> in{updates.memory.data() + updates.first,
                                {groups, positions, width},
                                {updates.strides[0], updates.strides[1], updates.strides[2]}};
  const tensor_view<const std::int64_t> at{index.data(), {positions}};
  if (from == started::from_updates) {
    if constexpr (!std::is_same_v<R, red::sub_type>) {
      index_reduce(out, 1, at, in, without_init(R{}));
    }
  } else if constexpr (std::is_same_v<R, red::sum_type>) {
    index_add(out, 1, at, in);
  } else {
    index_reduce(out, 1, at, in, R{});
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto got = std::bit_cast<bits>(output.memory[i]);
    const auto right = std::bit_cast<bits>(wanted[i]);
    if (is_any_nan[i] ? !f.is_nan(got) : got != right) {
      CAPTURE(groups, extent, positions, width, i, got, right, tuning::set_by_tests.half_count);
      FAIL("not as one update after the other");
    }
  }
}
template <class T, class R>
void check_calls(R reduction) {
  const limits_for_test limits;
  for (const std::int64_t count : counts_to_choose_from) {
    tuning::set_by_tests.half_count = count;
    for (int round = 0; round < 60; ++round) {
      // Short rows of every length; single elements with many updates each; rows beyond the blocks that are gathered.
      check_call<T>(1 + below(3), 1 + below(5), 1 + below(9), 1 + round, reduction, started::from_data);
      check_call<T>(1 + below(3), 1 + below(40), 1 + below(200), 1, reduction, started::from_data);
      check_call<T>(1, 2, 3, 250 + below(300), reduction, started::from_data);
      check_call<T>(1 + below(3), 1 + below(5), 1 + below(9), 1 + below(40), reduction, started::from_updates);
      check_call<T>(1, 1 + below(40), 1 + below(200), 1, reduction, started::from_updates);
    }
  }
}
template <class T>
void check_all_calls() {
  check_calls<T>(red::sum);
  check_calls<T>(red::prod);
  check_calls<T>(red::min);
  check_calls<T>(red::max);
}
TEST_CASE("calls on float16, with rows, single elements and strides", "[half]") {
  check_all_calls<float16>();
}
TEST_CASE("calls on bfloat16, with rows, single elements and strides", "[half]") {
  check_all_calls<bfloat16>();
}
#if STREW_HAS_FLOAT16
TEST_CASE("calls on the compiler's float16, with rows, single elements and strides", "[half]") {
  check_all_calls<_Float16>();
}
#endif

template <class T>
void check_scaled_sums() {
  const limits_for_test limits;
  constexpr format f = format_of<T>;
  for (const std::int64_t count : counts_to_choose_from) {
    tuning::set_by_tests.half_count = count;
    for (const std::int64_t width : {1, 5, 8, 100, 5000}) {
      const auto size = static_cast<std::size_t>(width);
      std::vector<bits> elements(size);
      std::vector<bits> updates(size);
      for (bits& each : elements) each = f.rounded(static_cast<double>(below(1000)) / 64);
      for (bits& each : updates) each = f.rounded(static_cast<double>(below(1000)) / 128);
      std::vector<T> to = as_elements<T>(elements);
      const std::vector<T> from = as_elements<T>(updates);
      const std::int64_t row = 0;
      index_add(tensor_view<T>{to.data(), {1, width}}, 0, tensor_view<const std::int64_t>{&row, {1}},
                tensor_view<const T>{from.data(), {1, width}}, scaled_by{static_cast<T>(0.3F)});
      const bits alpha = f.rounded(static_cast<double>(0.3F));
      for (std::size_t i = 0; i < size; ++i) {
        REQUIRE(std::bit_cast<bits>(to[i]) ==
                expected(f, kind::sum, elements[i], expected(f, kind::prod, alpha, updates[i])));
      }
    }
  }
}
TEST_CASE("scaled sums of halves round the product and the sum", "[half]") {
  check_scaled_sums<float16>();
  check_scaled_sums<bfloat16>();
}

}  // namespace
}  // namespace strew::test
