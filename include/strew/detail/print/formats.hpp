// SPDX-License-Identifier: Apache-2.0
// How elements are written: in columns as in NumPy's arrays, or as NumPy's scalars.
#ifndef STREW_DETAIL_PRINT_FORMATS_HPP
#define STREW_DETAIL_PRINT_FORMATS_HPP

#include <strew/config.hpp>
#include <strew/detail/print/decimal.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::printing {

inline void append_right(std::string& text, std::string_view word, std::size_t width) {
  if (word.size() < width) text.append(width - word.size(), ' ');
  text.append(word);
}

// ---- Floating-point numbers

template <std::floating_point Number>
bool is_finite(Number number) noexcept {
  return std::isfinite(number);
}
inline bool is_finite(const short_float& number) noexcept {
  return number.is_finite();
}
template <std::floating_point Number>
bool is_nan(Number number) noexcept {
  return std::isnan(number);
}
inline bool is_nan(const short_float& number) noexcept {
  return number.is_nan();
}
template <std::floating_point Number>
bool is_negative(Number number) noexcept {
  return std::signbit(number);
}
inline bool is_negative(const short_float& number) noexcept {
  return number.is_negative();
}
template <std::floating_point Number>
Number absolute(Number number) noexcept {
  return std::fabs(number);
}
inline double absolute(const short_float& number) noexcept {
  return number.absolute();
}

// Types with few digits change to scientific notation at smaller numbers.
template <class Number>
struct float_limits {
  static constexpr double of_array = std::numeric_limits<Number>::digits10 >= 8 ? 1e8 : 1e6;
  static constexpr double of_scalar = std::numeric_limits<Number>::digits10 >= 8 ? 1e16 : 1e6;
  static constexpr Number ratio = 1000;
};
template <>
struct float_limits<short_float> {
  static constexpr double of_array = 1e3;
  static constexpr double of_scalar = 1e3;
  static constexpr double ratio = 1000.25;  // a larger quotient rounds to more than 1000 in float16
};

inline void append_exponent(std::string& text, int exponent, int length) {
  char digits[12];
  const char* const end = std::to_chars(digits, digits + sizeof digits, exponent < 0 ? -exponent : exponent).ptr;
  text += exponent < 0 ? "e-" : "e+";
  for (std::int64_t k = end - digits; k < length; ++k) text += '0';
  text.append(static_cast<const char*>(digits), end);
}
constexpr int exponent_length(int exponent) noexcept {
  const int magnitude = exponent < 0 ? -exponent : exponent;
  return magnitude < 100 ? 2 : magnitude < 1000 ? 3 : 4;
}
// Appends the digits before the point and the point; missing digits are 0.
inline void append_whole(std::string& text, const decimal& number) {
  if (number.exponent < 0) text += '0';
  for (int k = 0; k <= number.exponent; ++k) text += k < number.count ? number.digits[k] : '0';
  text += '.';
}
inline void append_fraction(std::string& text, const decimal& number) {
  for (int k = 1; k <= number.fraction_digits(); ++k) {
    const int digit = number.exponent + k;
    text += digit < 0 ? '0' : number.digits[digit];
  }
}

// Appends a scalar with all its digits. `whole` is appended to a number without a fraction.
template <class Number>
void append_scalar(std::string& text, const Number& number, std::string_view whole = ".0") {
  if (is_nan(number)) {
    text += "nan";
    return;
  }
  if (is_negative(number)) text += '-';
  if (!is_finite(number)) {
    text += "inf";
    return;
  }
  const decimal digits = shortest(number);
  const auto value = static_cast<long double>(absolute(number));
  if (value == 0 || (value >= 1e-4L && value < static_cast<long double>(float_limits<Number>::of_scalar))) {
    append_whole(text, digits);
    append_fraction(text, digits);
    if (digits.fraction_digits() == 0) text.replace(text.size() - 1, 1, whole);
  } else {
    text += digits.digits[0];
    if (digits.count > 1) text.append(1, '.').append(digits.digits + 1, digits.digits + digits.count);
    append_exponent(text, digits.exponent, 2);
  }
}

// ---- A format for each kind of element. Its constructor reads all elements, then append() writes one in its column;
// append_alone is for tensors of rank 0.

struct float_style {
  int precision = 8;
  bool suppress = false;
  bool shows_plus = false;
};

// The numbers of a tensor: all in positional or all in scientific notation, with aligned points.
template <class Number>
class float_format {
 public:
  // visit_all(visit) calls visit(number) for each number.
  template <class VisitAll>
  float_format(const float_style& style, const VisitAll& visit_all) : style_{style} {
    choose_notation(visit_all);
    int places = 0;
    bool has_finite = false;
    bool has_others = false;
    int others = style_.shows_plus ? 4 : 3;
    visit_all([&](const Number& number) {
      if (!is_finite(number)) {
        has_others = true;
        if (!is_nan(number) && is_negative(number)) others = 4;
        return;
      }
      has_finite = true;
      const decimal digits = cut(number);
      const int sign = is_negative(number) || style_.shows_plus ? 1 : 0;
      const int whole = is_scientific_ || digits.exponent < 0 ? 1 : digits.exponent + 1;
      left_ = whole + sign > left_ ? whole + sign : left_;
      const int behind = is_scientific_ ? digits.count - 1 : digits.fraction_digits();
      places = behind > places ? behind : places;
      const int length = exponent_length(digits.exponent);
      exponent_length_ = length > exponent_length_ ? length : exponent_length_;
    });
    right_ = places;
    if (!has_finite) is_scientific_ = false;
    if (is_scientific_) {
      places_ = places;
      right_ += 2 + exponent_length_;
    }
    if (has_others && left_ < others - right_ - 1) left_ = others - right_ - 1;
  }

  void append(std::string& text, const Number& number) const {
    append_unpadded(text, number);
    text.append(spaces_behind(number), ' ');
  }
  // Without trailing spaces.
  void append_unpadded(std::string& text, const Number& number) const {
    std::string word;
    const char* const sign = is_negative(number) && !is_nan(number) ? "-" : style_.shows_plus ? "+" : "";
    if (!is_finite(number)) {
      word.append(sign).append(is_nan(number) ? "nan" : "inf");
      const int width = left_ + 1 + right_;
      return append_right(text, word, static_cast<std::size_t>(width));
    }
    word += sign;
    if (is_scientific_) {
      decimal digits = shortest(number);
      if (digits.count - 1 != places_) digits = rounded(number, places_);
      word.append({digits.digits[0], '.'}).append(digits.digits + 1, digits.digits + digits.count);
      const int width = left_ + 1 + places_;
      append_right(text, word, static_cast<std::size_t>(width));
      return append_exponent(text, digits.exponent, exponent_length_);
    }
    const decimal digits = cut(number);
    append_whole(word, digits);
    const int width = left_ + 1;
    append_right(text, word, static_cast<std::size_t>(width));
    append_fraction(text, digits);
  }
  [[nodiscard]] std::size_t spaces_behind(const Number& number) const {
    return is_scientific_ || !is_finite(number) ? 0 : static_cast<std::size_t>(right_ - cut(number).fraction_digits());
  }
  static void append_alone(std::string& text, const Number& number) { append_scalar(text, number); }

 private:
  template <class VisitAll>
  void choose_notation(const VisitAll& visit_all) {
    using magnitude = decltype(absolute(std::declval<const Number&>()));
    magnitude least = 0;
    magnitude most = 0;
    visit_all([&](const Number& number) {
      const magnitude value = absolute(number);
      if (!is_finite(number) || value == 0) return;
      least = least == 0 || value < least ? value : least;
      most = value > most ? value : most;
    });
    if (most == 0) return;
    using limits = float_limits<Number>;
    is_scientific_ = most >= static_cast<magnitude>(limits::of_array) ||
                     (!style_.suppress && (least < static_cast<magnitude>(0.0001) || most / least > limits::ratio));
  }

  // The fewest digits, with at most the given precision after the point.
  decimal cut(const Number& number) const {
    decimal digits = shortest(number);
    if (is_scientific_) {
      if (digits.count - 1 > style_.precision) digits = rounded(number, style_.precision);
    } else if (digits.fraction_digits() > style_.precision) {
      digits = rounded_to_places(number, style_.precision);
    }
    digits.trim_zeros();
    return digits;
  }

  float_style style_;
  bool is_scientific_ = false;
  int left_ = 0;   // width before the point
  int right_ = 0;  // width after it
  int places_ = 0;
  int exponent_length_ = 2;
};

template <class Number>
struct complex_number {
  Number real;
  Number imaginary;
};

template <class Number>
class complex_format {
 public:
  template <class VisitAll>
  complex_format(const float_style& style, const VisitAll& visit_all)
      : real_{style,
              [&](const auto& visit) { visit_all([&](const complex_number<Number>& each) { visit(each.real); }); }},
        imaginary_{{style.precision, style.suppress, true}, [&](const auto& visit) {
                     visit_all([&](const complex_number<Number>& each) { visit(each.imaginary); });
                   }} {}

  void append(std::string& text, const complex_number<Number>& number) const {
    real_.append(text, number.real);
    imaginary_.append_unpadded(text, number.imaginary);
    text.append(1, 'j').append(imaginary_.spaces_behind(number.imaginary), ' ');
  }
  static void append_alone(std::string& text, const complex_number<Number>& number) {
    const bool has_real = absolute(number.real) != 0 || is_negative(number.real);
    if (has_real) {
      text += '(';
      append_scalar(text, number.real, "");
      if (is_nan(number.imaginary) || !is_negative(number.imaginary)) text += '+';
    }
    append_scalar(text, number.imaginary, "");
    text += has_real ? "j)" : "j";
  }

 private:
  float_format<Number> real_;
  float_format<Number> imaginary_;
};

// Words, right-aligned to a common width.
template <class Element, class Append>
class word_format {
 public:
  template <class VisitAll>
  word_format(const float_style&, const VisitAll& visit_all) {
    std::string word;
    visit_all([&](const Element& element) {
      word.clear();
      Append::append(word, element);
      width_ = word.size() > width_ ? word.size() : width_;
    });
  }

  void append(std::string& text, const Element& element) const {
    std::string word;
    Append::append(word, element);
    append_right(text, word, width_);
  }
  static void append_alone(std::string& text, const Element& element) { Append::append(text, element); }

 private:
  std::size_t width_ = 0;
};

struct append_integer {
  template <std::integral Integer>
  static void append(std::string& text, Integer integer) {
    char digits[3 * sizeof(Integer)];
    if constexpr (!STREW_HAS_WIDE_TO_CHARS && sizeof(Integer) > sizeof(std::int64_t)) {
      char* const end = digits + sizeof digits;
      char* first = end;
      const bool is_negative = integer < 0;
      do {
        const int digit = static_cast<int>(integer % 10);
        *--first = static_cast<char>('0' + (digit < 0 ? -digit : digit));
        integer /= 10;
      } while (integer != 0);
      if (is_negative) text += '-';
      text.append(first, end);
    } else {
      text.append(digits, std::to_chars(digits, digits + sizeof digits, integer).ptr);
    }
  }
};

// " True" is padded in columns even if there is no False.
class bool_format {
 public:
  template <class VisitAll>
  bool_format(const float_style&, const VisitAll&) noexcept {}

  static void append(std::string& text, bool value) { text += value ? " True" : "False"; }
  static void append_alone(std::string& text, bool value) { text += value ? "True" : "False"; }
};

struct append_by_stream {
  template <class Element>
  static void append(std::string& text, const Element& element) {
    std::ostringstream stream;
    stream << element;
    text += stream.str();
  }
};

}  // namespace strew::detail::printing

#endif  // STREW_DETAIL_PRINT_FORMATS_HPP
