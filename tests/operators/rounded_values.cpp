// SPDX-License-Identifier: Apache-2.0
// One value in the place of updates, and the factor of index_add: each is rounded once, or refused, in every form of a
// call. Expectations come from integer arithmetic on the exact value.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Types of users.
namespace numbers {

// As bfloat16; made of a float, which it rounds to the nearest, ties to even.
struct brain {
  std::uint16_t bits = 0;

  brain() = default;
  constexpr brain(float value) : bits(strew::dynamic::bfloat16(value).bits) {}
  constexpr explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};
// As precise as its accumulator.
struct single {
  float value = 0;

  single() = default;
  constexpr single(float given) : value(given) {}
  constexpr explicit operator float() const { return value; }
};

}  // namespace numbers

template <>
struct strew::reduction::floating<numbers::brain> {
  using accumulator = float;
  static constexpr bool is_nan(const numbers::brain& value) { return (value.bits & 0x7fffU) > 0x7f80U; }
};
template <>
struct strew::reduction::floating<numbers::single> {
  using accumulator = float;
  static constexpr bool is_nan(const numbers::single& value) { return std::isnan(value.value); }
};

using strew::errc;
using strew::tensor_view;
using strew::test::constify;

namespace {

// ---- The exact value of a number, and what it rounds to

struct exact {
  bool is_negative;
  std::uint64_t whole;  // times 2^exponent
  int exponent;
};
template <class V>
exact exact_of(const V& value) {
  if constexpr (std::is_integral_v<V>) {
    const bool is_negative = std::is_signed_v<V> && value < V{};
    const auto bits = static_cast<std::uint64_t>(value);
    return {is_negative, is_negative ? 0 - bits : bits, 0};
  } else {
    int exponent = 0;
    const auto wide = static_cast<long double>(value);
    const long double fraction = std::frexp(std::fabs(wide), &exponent);
    return {std::signbit(wide), static_cast<std::uint64_t>(std::ldexp(fraction, 64)), exponent - 64};
  }
}

struct format {
  int digits;
  int least;       // 2^least is the smallest number above 0
  double largest;  // finite
};
template <class T>
constexpr format format_of() {
  if constexpr (std::is_same_v<T, double>) return {53, -1074, std::numeric_limits<double>::max()};
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, numbers::single>) return {24, -149, 0x1.fffffep127};
  if constexpr (std::is_same_v<T, strew::dynamic::bfloat16> || std::is_same_v<T, numbers::brain>) {
    return {8, -133, 0x1.fep127};
  }
  return {11, -24, 65504};
}

// The nearest number of a format, of two the one whose last digit is even; nothing beyond the largest.
std::optional<double> rounded(const exact& value, const format& to) {
  int length = 0;
  while (length < 64 && value.whole >> length != 0) ++length;
  const int step = std::max({value.exponent, value.exponent + length - to.digits, to.least});
  const int dropped = step - value.exponent;
  std::uint64_t kept = 0;
  if (dropped == 0) {
    kept = value.whole;
  } else if (dropped <= 64) {
    kept = dropped == 64 ? 0 : value.whole >> dropped;
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = dropped == 64 ? value.whole : value.whole & (2 * half - 1);
    if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  }
  const double magnitude = std::ldexp(static_cast<double>(kept), step);
  if (magnitude > to.largest) return std::nullopt;
  return value.is_negative ? -magnitude : magnitude;
}

// The value of an element.
template <class T>
double number_of(const T& element) {
  if constexpr (std::is_same_v<T, strew::dynamic::float16>) {
    const unsigned fraction = element.bits & 0x3ffU;
    const unsigned exponent = element.bits >> 10 & 0x1fU;
    const double magnitude = exponent == 0   ? std::ldexp(fraction, -24)
                             : exponent < 31 ? std::ldexp(fraction + 1024U, static_cast<int>(exponent) - 25)
                                             : (fraction == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN());
    return (element.bits & 0x8000U) != 0 ? -magnitude : magnitude;
  } else if constexpr (std::is_same_v<T, strew::dynamic::bfloat16>) {
    return std::bit_cast<float>(std::uint32_t{element.bits} << 16);
  } else {
    return static_cast<double>(static_cast<float>(element));
  }
}
template <>
double number_of(const double& element) {
  return element;
}

// ---- The forms of a call. Each returns the element that a value becomes, or nothing if it is refused.

const std::vector<int> at{1};
template <class T>
constexpr strew::dynamic::element_type run_time_type() {
  using enum strew::dynamic::element_kind;
  if constexpr (std::is_same_v<T, strew::dynamic::bfloat16>) return {brain_float, 2};
  return {floating_point, sizeof(T)};
}
// Whether T is only a type of run-time tensors here, since nothing converts to it.
template <class T>
inline constexpr bool has_no_conversions =
    std::is_same_v<T, strew::dynamic::bfloat16> || std::is_same_v<T, strew::dynamic::float16>;

template <class T>
std::optional<double> result_of(const strew::status& found, const T (&data)[2]) {
  if (found.ok()) return number_of(data[1]);
  CHECK(found.code() == errc::value_out_of_range);
  CHECK(std::memcmp(&data[0], &data[1], sizeof(T)) == 0);  // nothing is written
  return std::nullopt;
}
template <class T, class V>
std::optional<double> typed(const V& value) {
  T data[2] = {};
  return result_of(strew::try_index_fill(data, 0, at, value), data);
}
template <class T, class V>
std::optional<double> prepared(const V& value) {
  T data[2] = {};
  const strew::strided_layout layout = tensor_view(data, {2}).layout();
  strew::prepared<T, int, strew::index_fill, std::int64_t, T> call;
  const strew::status found =
      strew::try_prepare(strew::index_fill, {layout, strew::as_view(at).layout()}, 0, value, call);
  if (found.ok()) call.run(&data[0], at.data());
  return result_of(found, data);
}
template <class T, class V>
std::optional<double> bound(const V& value) {
  T data[2] = {};
  const strew::strided_layout layout = tensor_view(data, {2}).layout();
  try {
    const auto call = strew::prepare<T, int>(strew::index_fill, {layout, strew::as_view(at).layout()}, 0, value);
    std::vector<std::byte> memory(call.bound_bytes());
    call.bind(at.data(), memory).run(&data[0]);
  } catch (const strew::scatter_error& error) {
    return result_of(error.status(), data);
  }
  return result_of({}, data);
}
template <class T, class V>
std::optional<double> scaled(const V& value) {
  T data[2] = {};
  const T one[1] = {T(1)};
  std::optional<double> result = result_of(strew::try_index_add(data, 0, at, one, strew::scaled_by{value}), data);
  if (result && *result == 0) result = std::copysign(0.0, static_cast<double>(value));  // 0.0 + -0.0
  return result;
}
template <class T, class V>
std::optional<double> on_run_time_types(const V& value) {
  T data[2] = {};
  const strew::dynamic::tensor view(data, run_time_type<T>(), {2});
  return result_of(strew::try_index_fill(view, 0, at, value), data);
}

bool is_same(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return !a && !b;
  return (std::isnan(*a) && std::isnan(*b)) || (*a == *b && std::signbit(*a) == std::signbit(*b));
}

// Checks all forms with a value.
template <class T, class V>
void check(const V& value, const std::optional<double>& expected) {
  CAPTURE(sizeof(T), sizeof(V), static_cast<long double>(value), expected.value_or(HUGE_VAL), expected.has_value());
  if constexpr (!has_no_conversions<T>) {
    CHECK(is_same(typed<T>(value), expected));
    if constexpr (sizeof(V) == 8) {  // all forms get the element from one function: a few types of values are enough
      CHECK(is_same(prepared<T>(value), expected));
      CHECK(is_same(bound<T>(value), expected));
      CHECK(is_same(scaled<T>(value), expected));
    }
  }
  if constexpr (!std::is_class_v<T> || has_no_conversions<T>) CHECK(is_same(on_run_time_types<T>(value), expected));
}
template <class T, class V>
void check(const V& value) {
  check<T>(value, rounded(exact_of(value), format_of<T>()));
}
template <class T>
void check_special() {
  using limits = std::numeric_limits<double>;
  check<T>(limits::infinity(), limits::infinity());
  check<T>(-limits::infinity(), -limits::infinity());
  check<T>(limits::quiet_NaN(), limits::quiet_NaN());
  check<T>(-0.0, -0.0);
}

// Doubles at which the rounding of a format changes.
std::vector<double> critical(const format& of) {
  const double epsilon = std::ldexp(1, 1 - of.digits);
  const double half_step = std::ldexp(of.largest / (2 - epsilon), -of.digits);
  const double smallest = std::ldexp(1, of.least);
  std::vector<double> result;
  for (const double tie : {of.largest + half_step,
                           of.largest,
                           1 + epsilon / 2,
                           1 + 3 * epsilon / 2,
                           2 - epsilon / 2,
                           smallest / 2,
                           smallest,
                           smallest * 3 / 2,
                           smallest / epsilon,
                           smallest / epsilon * (1 - epsilon / 4),
                           of.largest * 2,
                           1e300,
                           1e-300,
                           0x1p-1074,
                           std::numeric_limits<double>::max(),
                           0.1,
                           1e39,
                           3.4028235e38,
                           1 + 0x1p-11 + 0x1p-50,
                           1 + 0x1p-8 + 0x1p-50}) {
    for (const double near : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, HUGE_VAL)}) {
      if (!std::isfinite(near)) continue;
      result.push_back(near);
      result.push_back(-near);
    }
  }
  return result;
}

template <class T>
void check_table() {
  check_special<T>();
  for (const double value : critical(format_of<T>())) check<T>(value);
  for (const float value : {65504.0F, 65519.0F, 65520.0F, -1e9F, 0x1.fffffep127F, -0x1.fffffep127F, 1e-45F, 0.1F}) {
    check<T>(value);
  }
  for (const std::int64_t value : std::initializer_list<std::int64_t>{
           0, 1, -1, 2049, -2051, 65519, 65520, -65520, 70000, 257, (1 << 24) + 1, (1LL << 53) + 1, -(1LL << 53) - 3,
           (1LL << 62) + (1LL << 38) + 1, (1LL << 62) + (1LL << 54) + 1, (1LL << 62) + (1LL << 54),
           std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    check<T>(value);
  }
  for (const std::uint64_t value : {~std::uint64_t{0}, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1024,
                                    (std::uint64_t{1} << 63) + (std::uint64_t{1} << 39) + 1}) {
    check<T>(value);
  }
  check<T>(70000);
  check<T>(std::uint16_t{65535});
  check<T>(true);
}

TEST_CASE("values for floating-point elements are rounded once or refused, in all forms") {
  check_table<float>();
  check_table<double>();
}
TEST_CASE("values for elements of 16 bits are rounded once or refused, in all forms") {
#if STREW_HAS_FLOAT16
  check_table<_Float16>();
#endif
  check_table<strew::dynamic::float16>();
  check_table<strew::dynamic::bfloat16>();
}
TEST_CASE("values for floating-point elements of users are rounded once or refused, in all forms") {
  check_table<numbers::brain>();
  check_table<numbers::single>();
}

// ---- Random values

// Of any exponent of a format and a little beyond, or near a tie.
double random_number(strew::test::random_source& random, const format& of) {
  const int bits = random.one_in(2) ? 53 : of.digits + static_cast<int>(random.below(3));
  const std::int64_t whole = random.between(std::int64_t{1} << (bits - 1), (std::int64_t{1} << bits) - 1);
  int top = 0;
  std::frexp(of.largest, &top);
  const double value =
      std::ldexp(static_cast<double>(whole),
                 static_cast<int>(random.between(std::max(of.least - 2, -1074), std::min(top + 1, 1023))) - bits + 1);
  const double sign = random.one_in(2) ? -1 : 1;
  return sign * (random.one_in(2) ? value : std::nextafter(value, random.one_in(2) ? 0.0 : HUGE_VAL));
}

template <class T, class Form>
void check_random(std::uint64_t seed, const Form& form) {
  strew::test::random_source random(seed);
  const auto count = strew::test::number_from("STREW_RANDOM_CASES", 100000);
  int failures = 0;
  for (std::uint64_t k = 0; k < count && failures < 10; ++k) {
    const double value = random_number(random, format_of<T>());
    if (!std::isfinite(value)) continue;
    const auto whole = static_cast<std::int64_t>(random.between(0, strew::int64_max - 1) >> random.below(63));
    const auto expect = [&](const auto& given) {
      const std::optional<double> expected = rounded(exact_of(given), format_of<T>());
      if (is_same(form(given), expected)) return;
      ++failures;
      CAPTURE(sizeof(T), static_cast<long double>(given), expected.value_or(HUGE_VAL));
      CHECK(is_same(form(given), expected));
    };
    expect(value);
    if (!random.one_in(4)) continue;
    expect(random.one_in(2) ? whole : -whole);
    expect(static_cast<std::uint64_t>(whole) * 2 + 1);
    if (std::getenv("STREW_TEST_UNDER_VALGRIND") != nullptr) continue;  // it has long doubles of 64 bits
    expect(static_cast<long double>(value) * (1 + std::ldexp(static_cast<long double>(random.below(3) - 1), -60)));
  }
}
template <class T>
void check_random_values() {
  if constexpr (!has_no_conversions<T>) check_random<T>(1, [](const auto& value) { return typed<T>(value); });
  if constexpr (!std::is_class_v<T> || has_no_conversions<T>) {
    check_random<T>(2, [](const auto& value) { return on_run_time_types<T>(value); });
  }
}

TEST_CASE("random values are rounded once or refused") {
  check_random_values<float>();
  check_random_values<double>();
#if STREW_HAS_FLOAT16
  check_random_values<_Float16>();
#endif
  check_random_values<strew::dynamic::float16>();
  check_random_values<strew::dynamic::bfloat16>();
  check_random_values<numbers::brain>();
}

// ---- Other elements and other values

template <class T, class V>
std::string message_of(const V& value) {
  T data[2] = {};
  return std::string(strew::try_index_add(data, 0, at, value).message().view());
}
template <class V>
std::string message_on(strew::dynamic::element_type type, const V& value) {
  alignas(16) std::byte memory[32] = {};
  const strew::dynamic::tensor data(memory, type, {2});
  return std::string(strew::try_index_copy(data, 0, at, value).message().view());
}
const std::string has_range = ", the range of the elements of data";

TEST_CASE("messages have the value as it was given, and the range") {
  CHECK(message_of<float>(1e39) == "index_add: updates = 1e+39 is outside [-3.4028235e+38, 3.4028235e+38]" + has_range);
  CHECK(message_of<float>(-0x1.ffffffp127) ==
        "index_add: updates = -3.4028235677973366e+38 is outside [-3.4028235e+38, 3.4028235e+38]" + has_range);
  CHECK(message_of<std::complex<float>>(1e300) ==
        "index_add: updates = 1e+300 is outside [-3.4028235e+38, 3.4028235e+38]" + has_range);
  CHECK(message_of<numbers::brain>(0x1.ffp127) ==
        "index_add: updates = 3.39617752923046e+38 is outside [-3.3895314e+38, 3.3895314e+38]" + has_range);
  using enum strew::dynamic::element_kind;
  CHECK(message_on({floating_point, 2}, 70000) == "index_copy: updates = 70000 is outside [-65504, 65504]" + has_range);
  CHECK(message_on({floating_point, 2}, ~std::uint64_t{0}) ==
        "index_copy: updates = 18446744073709551615 is outside [-65504, 65504]" + has_range);
  CHECK(message_on({floating_point, 2}, 65520.5) ==
        "index_copy: updates = 65520.5 is outside [-65504, 65504]" + has_range);
  CHECK(message_on({brain_float, 2}, 3.4e38) ==
        "index_copy: updates = 3.4e+38 is outside [-3.3895314e+38, 3.3895314e+38]" + has_range);
  CHECK(message_on({unsigned_integer, 8}, -1) ==
        "index_copy: updates = -1 is negative, and the elements of data are unsigned");
  CHECK(message_on({boolean, 1}, 2) == "index_copy: updates = 2 is outside [0, 1]" + has_range);
  CHECK(message_on({signed_integer, 4}, 1.0F) ==
        "index_copy: updates is a floating-point value, but the elements of data are integers");

  std::int8_t bytes[2] = {};
  const strew::strided_layout layout = tensor_view(bytes, {2}).layout();
  const auto scaled_by_500 = strew::scaled_by{500};
  CHECK(strew::try_index_add(bytes, 0, at, std::vector<std::int8_t>{1}, scaled_by_500).message().view() ==
        "index_add: alpha = 500 is outside [-128, 127]" + has_range);
  strew::prepared<std::int8_t, int, strew::index_add, std::int64_t, strew::scaled_by<int>> sums;
  CHECK(strew::try_prepare(strew::index_add, {layout, layout, layout}, 0, scaled_by_500, sums).message().view() ==
        "index_add: alpha = 500 is outside [-128, 127]" + has_range);
  strew::prepared<std::int8_t, int, strew::index_fill, std::int64_t, std::int8_t> fill;
  CHECK(strew::try_prepare(strew::index_fill, {layout, layout}, 0, 128, fill).message().view() ==
        "index_fill: value = 128 is outside [-128, 127]" + has_range);
}

TEST_CASE("parts of complex elements are rounded once or refused") {
  std::complex<float> data[2] = {};
  strew::index_fill(data, 0, at, 3.4028235e38);
  CHECK(data[1] == std::complex<float>(0x1.fffffep127F));
  const std::complex<float> one[1] = {1};
  strew::index_add(data, 0, at, one, strew::scaled_by{std::complex<double>(-3.4028235e38, 3.4028235e38)});
  CHECK(data[1] == std::complex<float>(0, 0x1.fffffep127F));
  CHECK(strew::try_index_add(data, 0, at, one, strew::scaled_by{std::complex<double>(1, 1e39)}).code() ==
        errc::value_out_of_range);
  CHECK(strew::try_index_add(data, 0, at, one, strew::scaled_by{std::complex<double>(1e39, 1)}).code() ==
        errc::value_out_of_range);
  CHECK(message_on({strew::dynamic::element_kind::complex, 8}, 3.4028235e38).empty());
  strew::index_fill(data, 0, at, std::complex<double>(0.1, -3.4028235e38));
  CHECK(data[1] == std::complex<float>(0.1F, -0x1.fffffep127F));
  std::complex<float> same[2] = {};
  const strew::dynamic::tensor at_run_time(same, {strew::dynamic::element_kind::complex, 8}, {2});
  strew::index_fill(at_run_time, 0, at, std::complex<double>(-3.4028235e38, 0.1));
  CHECK(same[1] == std::complex<float>(-0x1.fffffep127F, 0.1F));
  CHECK(strew::try_index_fill(at_run_time, 0, at, std::complex<double>(0, 1e39)).code() == errc::value_out_of_range);
  CHECK(message_on({strew::dynamic::element_kind::floating_point, 4}, std::complex<float>(1)) ==
        "index_copy: updates is a complex value, but the elements of data are not complex");
  CHECK(message_on({strew::dynamic::element_kind::complex, 8}, 3.4028236e38) ==
        "index_copy: updates = 3.4028236e+38 is outside [-3.4028235e+38, 3.4028235e+38]" + has_range);
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

TEST_CASE("values of 128 bits fit or are refused") {
  CHECK(typed<float>(wide{1} << 100) == 0x1p100);
  CHECK(typed<float>((wide{1} << 100) + (wide{1} << 76)) == 0x1p100);  // a tie
  CHECK(typed<float>((wide{1} << 100) + (wide{1} << 76) + 1) == 0x1p100 + 0x1p77);
  CHECK_FALSE(typed<float>(~unsigned_wide{0} << 103));
  CHECK(typed<float>((~unsigned_wide{0} << 103) - 1) == 0x1.fffffep127);
  CHECK(typed<numbers::brain>((wide{1} << 100) + (wide{1} << 92) + 1) == 0x1p100 + 0x1p93);
  CHECK(typed<numbers::brain>(-(wide{1} << 100) - (wide{1} << 92)) == -0x1p100);
  CHECK_FALSE(typed<numbers::brain>(~unsigned_wide{0}));
  CHECK(message_of<std::int8_t>(wide{300}) == "index_add: updates = 300 is outside [-128, 127]" + has_range);
  CHECK(message_of<std::uint64_t>(unsigned_wide{1} << 64) ==
        "index_add: updates is a value beyond the range of the elements of data");
}
#endif

#if STREW_HAS_FLOAT16
TEST_CASE("values and elements of 16 bits") {
  CHECK(typed<float>(static_cast<_Float16>(0.5F)) == 0.5);
  CHECK(on_run_time_types<float>(static_cast<_Float16>(0.5F)) == 0.5);
  CHECK(on_run_time_types<strew::dynamic::bfloat16>(static_cast<_Float16>(65504.0F)) == 65536.0);
  CHECK(message_on({strew::dynamic::element_kind::signed_integer, 1}, static_cast<_Float16>(1.0F)) ==
        "index_copy: updates is a floating-point value, but the elements of data are integers");
  CHECK(message_of<std::complex<_Float16>>(70000.0) ==
        "index_add: updates = 70000 is outside [-65504, 65504]" + has_range);
}
#endif

TEST_CASE("values are rounded and refused in constant evaluation") {
  constify([](auto& expect) {
    float data[2] = {};
    const int one[] = {1};
    strew::index_fill(tensor_view{data, {2}}, 0, tensor_view{one, {1}}, 3.4028235e38);
    expect(data[1] == 0x1.fffffep127F);
    const strew::status found = strew::try_index_fill(tensor_view{data, {2}}, 0, tensor_view{one, {1}}, 1e39);
    expect(found.code() == errc::value_out_of_range);
    expect(data[1] == 0x1.fffffep127F);
    numbers::brain brains[2] = {};
    strew::index_fill(tensor_view{brains, {2}}, 0, tensor_view{one, {1}}, 1 + 0x1p-8 + 0x1p-50);
    expect(brains[1].bits == 0x3f81);
    strew::index_fill(tensor_view{brains, {2}}, 0, tensor_view{one, {1}}, -std::numeric_limits<double>::infinity());
    expect(brains[1].bits == 0xff80);
    expect(!strew::try_index_fill(tensor_view{brains, {2}}, 0, tensor_view{one, {1}}, 1e300).ok());
  });
}

}  // namespace
