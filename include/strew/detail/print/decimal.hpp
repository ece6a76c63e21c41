// SPDX-License-Identifier: Apache-2.0
// The decimal digits of a floating-point number: the fewest that identify it, or a given number, correctly rounded.
#ifndef STREW_DETAIL_PRINT_DECIMAL_HPP
#define STREW_DETAIL_PRINT_DECIMAL_HPP

#include <strew/config.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::printing {

inline constexpr int most_digits = 100;  // after the point; a larger precision is clamped

inline constexpr std::size_t decimal_length = most_digits + 60;  // with sign, point and exponent

// A finite number as d0.d1d2... times 10 to the power of the exponent.
struct decimal {
  bool is_negative = false;
  int exponent = 0;
  int count = 1;
  char digits[decimal_length] = {'0'};

  // Removes trailing zeros, but not the first digit.
  void trim_zeros() noexcept {
    while (count > 1 && digits[count - 1] == '0') --count;
  }
  // Of 10^exponent / 10^(count - 1).
  void add_to_last_digit() noexcept {
    int k = count;
    while (k > 0 && digits[k - 1] == '9') digits[--k] = '0';
    if (k > 0) {
      ++digits[k - 1];
    } else {
      digits[0] = '1';
      ++exponent;
    }
  }
  // The number of digits after the point in positional notation.
  [[nodiscard]] int fraction_digits() const noexcept { return count - 1 > exponent ? count - 1 - exponent : 0; }
};

// A floating-point number of 16 bits, also without a built-in type: float16 with 10 bits of fraction, bfloat16 with 7.
class short_float {
 public:
  short_float(std::uint16_t bits, int fraction_bits) noexcept : bits_{bits}, fraction_bits_{fraction_bits} {}

  [[nodiscard]] bool is_negative() const noexcept { return (bits_ & 0x8000U) != 0; }
  [[nodiscard]] bool is_finite() const noexcept { return magnitude() < infinity(); }
  [[nodiscard]] bool is_nan() const noexcept { return magnitude() > infinity(); }
  // The exact value, without and with the sign.
  [[nodiscard]] double absolute() const noexcept { return value_of(magnitude()); }
  [[nodiscard]] double value() const noexcept { return is_negative() ? -absolute() : absolute(); }
  [[nodiscard]] int fraction_bits() const noexcept { return fraction_bits_; }

  // Whether `number` rounds to this value, ties to even.
  [[nodiscard]] bool is_nearest_to(double number) const noexcept {
    const double below = magnitude() == 0 ? 0 : (value_of(magnitude() - 1) + absolute()) / 2;
    const double above = (value_of(magnitude() + 1) + absolute()) / 2;
    return magnitude() % 2 == 0 ? below <= number && number <= above : below < number && number < above;
  }

 private:
  [[nodiscard]] unsigned magnitude() const noexcept { return bits_ & 0x7FFFU; }
  [[nodiscard]] unsigned infinity() const noexcept { return 0x7FFFU >> fraction_bits_ << fraction_bits_; }
  [[nodiscard]] double value_of(unsigned magnitude) const noexcept {
    const int bias = (1 << (14 - fraction_bits_)) - 1;
    const unsigned one = 1U << fraction_bits_;
    const int exponent = static_cast<int>(magnitude >> fraction_bits_);
    const unsigned fraction = magnitude & (one - 1);
    return exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits_)
                         : std::ldexp(fraction + one, exponent - bias - fraction_bits_);
  }

  std::uint16_t bits_;
  int fraction_bits_;
};

// Parses digits in scientific or in fixed notation, with any point.
inline decimal parse_decimal(const char* text, const char* end) noexcept {
  decimal result;
  result.count = 0;
  if (text != end && *text == '-') {
    result.is_negative = true;
    ++text;
  }
  int point = -1;
  for (; text != end && *text != 'e'; ++text) {
    if (*text < '0' || *text > '9') {
      point = result.count;
    } else {
      result.digits[result.count++] = *text;
    }
  }
  if (text != end) {
    ++text;
    std::from_chars(*text == '+' ? text + 1 : text, end, result.exponent);
  }
  int zeros = 0;
  while (zeros < result.count && result.digits[zeros] == '0') ++zeros;
  if (zeros == result.count) return result;
  result.exponent += (point < 0 ? result.count : point) - 1 - zeros;
  result.count -= zeros;
  for (int k = 0; k < result.count; ++k) result.digits[k] = result.digits[k + zeros];
  return result;
}

inline decimal parse_decimal(const char* text, const std::to_chars_result& written) noexcept {
  return written.ec == std::errc{} ? parse_decimal(text, written.ptr) : decimal{};
}

// Numbers that std::to_chars writes as doubles are written by std::snprintf, whose point is the locale's.
template <std::floating_point Number>
inline constexpr bool is_written_as_double =
    !STREW_HAS_WIDE_TO_CHARS && std::numeric_limits<Number>::digits > std::numeric_limits<double>::digits;

// The digits of a number that is written as a double, by std::snprintf; also for the tests.
inline decimal rounded_by_print(long double number, std::chars_format form, int count) noexcept {
  char text[decimal_length];
  const int length = form == std::chars_format::scientific
                         ? std::snprintf(text, decimal_length, "%.*Le", count, number)
                         : std::snprintf(text, decimal_length, "%.*Lf", count, number);
  if (length < 0 || static_cast<std::size_t>(length) >= decimal_length) return {};
  return parse_decimal(text, text + length);
}
inline decimal shortest_by_print(long double number) noexcept {
  const long double magnitude = std::fabs(number);
  for (int count = 0;; ++count) {
    decimal candidate = rounded_by_print(magnitude, std::chars_format::scientific, count);
    candidate.is_negative = std::signbit(number);
    if (count + 1 >= std::numeric_limits<long double>::max_digits10) return candidate;
    // The neighbours of a power of two are nearer below than above, so the next digits above may identify it although
    // the nearest ones, which are below, do not.
    for (int step = 0; step < 2; ++step) {
      if (step == 1) candidate.add_to_last_digit();
      char text[decimal_length + 8];  // without a point
      std::memcpy(text, candidate.digits, static_cast<std::size_t>(candidate.count));
      char* const exponent = text + candidate.count;
      *exponent = 'e';
      *std::to_chars(exponent + 1, exponent + 7, candidate.exponent + 1 - candidate.count).ptr = '\0';
      if (std::strtold(text, nullptr) != magnitude) continue;
      candidate.trim_zeros();
      return candidate;
    }
  }
}

// The fewest digits that identify the number, and of these the nearest ones.
template <std::floating_point Number>
decimal shortest(Number number) noexcept {
  if constexpr (is_written_as_double<Number>) return shortest_by_print(number);
  char text[decimal_length];
  return parse_decimal(text, std::to_chars(text, text + decimal_length, number, std::chars_format::scientific));
}
// The number rounded to `count` + 1 digits, ties to even. count <= most_digits.
template <std::floating_point Number>
decimal rounded(Number number, int count) noexcept {
  if constexpr (is_written_as_double<Number>) return rounded_by_print(number, std::chars_format::scientific, count);
  char text[decimal_length];
  return parse_decimal(text, std::to_chars(text, text + decimal_length, number, std::chars_format::scientific, count));
}
// The number rounded to `places` digits after the point, ties to even. The number is below 10^17.
template <std::floating_point Number>
decimal rounded_to_places(Number number, int places) noexcept {
  if constexpr (is_written_as_double<Number>) return rounded_by_print(number, std::chars_format::fixed, places);
  char text[decimal_length];
  return parse_decimal(text, std::to_chars(text, text + decimal_length, number, std::chars_format::fixed, places));
}

inline decimal rounded_to_places(const short_float& number, int places) noexcept {
  return rounded_to_places(number.value(), places);
}
inline decimal rounded(const short_float& number, int count) noexcept {
  return rounded(number.value(), count);
}
inline decimal shortest(const short_float& number) noexcept {
  for (int count = 0; count < 5; ++count) {
    decimal candidate = rounded(number, count);
    int digits = 0;
    for (int k = 0; k < candidate.count; ++k) digits = 10 * digits + (candidate.digits[k] - '0');
    // The neighbours of a power of two are nearer below than above, so the next digits above may identify it although
    // nearer ones below do not.
    for (const int next : {digits, digits + 1}) {
      const int power = candidate.exponent - count;
      const double scale = std::pow(10.0, power < 0 ? -power : power);
      if (!number.is_nearest_to(power < 0 ? next / scale : next * scale)) continue;
      char text[8];
      const char* const end = std::to_chars(text, text + sizeof text, next).ptr;
      candidate.exponent += static_cast<int>(std::int64_t{end - text}) - candidate.count;
      candidate.count = 0;
      for (const char* digit = text; digit != end; ++digit) candidate.digits[candidate.count++] = *digit;
      candidate.trim_zeros();
      return candidate;
    }
  }
  return rounded(number, 5);
}

}  // namespace strew::detail::printing

#endif  // STREW_DETAIL_PRINT_DECIMAL_HPP
