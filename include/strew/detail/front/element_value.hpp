// SPDX-License-Identifier: Apache-2.0
// Numbers as elements: one value for all updates, and the factor of index_add. The rule of all forms of a call is here.
#ifndef STREW_DETAIL_FRONT_ELEMENT_VALUE_HPP
#define STREW_DETAIL_FRONT_ELEMENT_VALUE_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/error_message.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// ---- Numbers. By their operators, since C++20 counts neither _Float16 nor integers of 128 bits among them. Vectors of
// GNU and _Complex have no order that is a bool.

template <class V>
concept built_in_number =
    !std::is_class_v<V> && !std::is_union_v<V> && !std::is_enum_v<V> && requires(const V& a, const V& b) {
  { a < b } -> std::same_as<bool>;
  a* b;
};
template <class V>
concept built_in_integer = built_in_number<V> && requires(const V& a, const V& b) {
  a % b;
};
template <class V>
concept built_in_floating = built_in_number<V> && !built_in_integer<V>;

// Elements of two floating-point parts.
template <class T>
concept complex_element = !built_in_number<T> && requires(const T& value) {
  typename T::value_type;
  requires built_in_floating<typename T::value_type> || has_accumulator<typename T::value_type>;
  { value.real() } -> std::convertible_to<typename T::value_type>;
  { value.imag() } -> std::convertible_to<typename T::value_type>;
};
template <class T>
concept number_element = built_in_number<T> || has_accumulator<T> || complex_element<T>;

// A value as a number, for elements T that are numbers. Enumerations and classes are promoted, so that their range can
// be checked.
template <class T, class Value>
constexpr decltype(auto) as_number(const Value& value) noexcept(built_in_number<Value> || std::is_enum_v<Value>) {
  if constexpr (number_element<T> && !std::is_same_v<T, Value> && !built_in_number<Value> &&
                requires { requires built_in_number<decltype(+value)>; }) {
    return +value;
  } else {
    return (value);
  }
}
template <class T, class Value>
using number_type = std::remove_cvref_t<decltype(as_number<T>(std::declval<const Value&>()))>;

// Whether a value is a floating-point number and the elements are integers.
template <class T, class Value>
inline constexpr bool is_fraction = built_in_integer<T>&& built_in_floating<number_type<T, Value>>;

// ---- Rounding

template <class A>
constexpr bool is_finite(A value) noexcept {
  constexpr A infinity = std::numeric_limits<A>::infinity();
  return -infinity < value && value < infinity;
}

// A number as an A, of which the last bit is 1 where it is not exact: A rounds it to fewer bits as it would round the
// number, so that it is rounded once. Numbers beyond the largest become that.
template <class A, built_in_number V>
constexpr A round_to_odd(V value) noexcept {
  if constexpr (built_in_integer<V>) {
    int halvings = 0;
    if constexpr (sizeof(V) * 8 > std::numeric_limits<A>::digits) {
      constexpr V bound = static_cast<V>(V{1} << std::numeric_limits<A>::digits);
      const auto is_too_long = [&] { return value >= bound || (static_cast<V>(-1) < V{} && value <= V{} - bound); };
      for (; is_too_long(); ++halvings) {
        const V last = static_cast<V>(value % 2);
        value = static_cast<V>(value / 2);
        if (value % 2 == 0) value = static_cast<V>(value + last);
      }
    }
    auto result = static_cast<A>(value);
    for (; halvings > 0; --halvings) result *= 2;
    return result;
  } else if constexpr (sizeof(V) <= sizeof(A)) {
    return static_cast<A>(value);
  } else {
    constexpr A largest = (std::numeric_limits<A>::max)();
    constexpr auto most = static_cast<V>(largest);
    constexpr V infinity = std::numeric_limits<V>::infinity();
    if (most < value && value < infinity) return largest;
    if (-infinity < value && value < -most) return -largest;
    const auto nearest = static_cast<A>(value);
    if constexpr (sizeof(A) == 4 || sizeof(A) == 8) {
      using word = std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>;
      const auto held = static_cast<V>(nearest);
      const auto bits = std::bit_cast<word>(nearest);
      const bool is_above = V{} < value ? held > value : held < value;  // of larger magnitude
      const bool is_exact = !(held < value) && !(value < held);         // also a NaN
      if (!is_exact && bits % 2 == 0) return std::bit_cast<A>(static_cast<word>(is_above ? bits - 1 : bits + 1));
    }
    return nearest;
  }
}

// A number rounded once, to the nearest, ties to even. Clears `fits` if it is finite and rounds beyond the largest T.
template <built_in_floating T, built_in_number V>
  requires(!has_accumulator<T>)
constexpr T round_number(V value, bool& fits) noexcept {
  using limits = std::numeric_limits<T>;
  constexpr bool is_narrow = built_in_integer<V> ? sizeof(V) * 8 <= limits::max_exponent - 1 : sizeof(V) <= sizeof(T);
  if constexpr (is_narrow) {
    return static_cast<T>(value);
  } else if constexpr (built_in_integer<V>) {
    constexpr int digits = limits::digits + 1;  // of the number from which on integers round beyond the largest
    constexpr bool may_exceed = sizeof(V) * 8 >= limits::max_exponent && !(static_cast<V>(-1) < V{});
    if constexpr (may_exceed && limits::is_specialized) {
      constexpr V beyond = static_cast<V>(((V{1} << digits) - 1) << (limits::max_exponent - digits));
      if (value >= beyond) fits = false;
    }
    return fits ? static_cast<T>(value) : T{};
  } else {
    // `beyond` has one digit more than the largest T.
    constexpr auto most = static_cast<V>((limits::max)());
    constexpr auto epsilon = static_cast<V>(limits::epsilon());
    constexpr V beyond = most / (2 - epsilon) * (2 - epsilon / 2);
    if (-most <= value && value <= most) return static_cast<T>(value);
    const V magnitude = value < V{} ? -value : value;
    if (magnitude < beyond) return value < V{} ? -(limits::max)() : (limits::max)();
    if (magnitude < std::numeric_limits<V>::infinity()) fits = false;
    return fits ? static_cast<T>(value) : T{};
  }
}
// For types that convert from and to their accumulator alone.
template <has_accumulator T, built_in_number V>
constexpr T round_number(V value, bool& fits) noexcept(noexcept(static_cast<T>(accumulator_of<T>{}))) {
  using wide = accumulator_of<T>;
  if constexpr (!built_in_floating<wide>) {
    return static_cast<T>(static_cast<wide>(value));
  } else {
    const auto odd = round_to_odd<wide>(value);
    const auto held = static_cast<wide>(static_cast<T>(odd));
    if (is_finite(odd) && !is_finite(held)) fits = false;
    // A T as precise as its accumulator.
    const bool is_exact = held <= odd && odd <= held;
    return static_cast<T>(is_exact ? round_number<wide>(value, fits) : odd);
  }
}

// ---- A value as an element. A floating-point value is rounded once, to the nearest element, ties to even; infinities
// and NaNs remain. An integer is rounded once to a floating-point element. Clears `fits` if a finite value rounds
// beyond the largest element, or an integer does not fit an integer element; the result is then of no use.
template <class T, class Value>
constexpr T to_element(const Value& value, bool& fits) {
  if constexpr (std::is_same_v<T, Value>) {
    return value;
  } else if constexpr (built_in_integer<T> && built_in_integer<Value>) {
    const auto held = static_cast<T>(value);
    fits = fits && static_cast<Value>(held) == value && (held < T{}) == (value < Value{});
    return held;
  } else if constexpr ((built_in_floating<T> || has_accumulator<T>)&&built_in_number<Value>) {
    return round_number<T>(value, fits);
  } else if constexpr (complex_element<T> && built_in_number<Value>) {
    return static_cast<T>(to_element<typename T::value_type>(value, fits));
  } else if constexpr (complex_element<T> && complex_element<Value>) {
    using part = typename T::value_type;
    return T(to_element<part>(value.real(), fits), to_element<part>(value.imag(), fits));
  } else {
    return static_cast<T>(value);
  }
}

// ---- Messages

// A value as messages print it.
template <class Value>
constexpr printed_number printed_value(const Value& value) noexcept {
  using enum printed_number::kind;
  bool fits = true;
  if constexpr (built_in_integer<Value>) {
    const auto bits = static_cast<std::uint64_t>(value);
    static_cast<void>(to_element<std::int64_t>(value, fits));
    if (fits) return {bits, as_signed};
    fits = true;
    static_cast<void>(to_element<std::uint64_t>(value, fits));
    if (fits) return {bits, as_unsigned};
  } else if constexpr (built_in_floating<Value>) {
    const double rounded = to_element<double>(value, fits);
    if (fits) return {std::bit_cast<std::uint64_t>(rounded), as_floating};
  }
  return {0, unknown};
}

// Writes a double, given by its bits: the fewest digits that identify it.
inline void write_floating(error_message& line, std::uint64_t bits) noexcept {
  const auto number = std::bit_cast<double>(bits);
  char digits[32] = {};
  for (int count = 15; count <= 17; ++count) {
    std::snprintf(digits, sizeof digits, "%.*g", count, number);
    const double read = std::strtod(digits, nullptr);
    if (!(read < number) && !(read > number)) break;
  }
  for (const char* digit = digits; *digit != '\0'; ++digit) {
    const bool is_point = (*digit < '0' || *digit > '9') && *digit != '-' && *digit != '+' && *digit != 'e';
    line.append(is_point ? '.' : *digit);  // the locale has its own
  }
}

// The largest element in text; empty for types other than the usual ones.
template <class T>
constexpr const char* text_of_largest() noexcept {
  if constexpr (complex_element<T>) {
    return text_of_largest<typename T::value_type>();
  } else if constexpr (has_accumulator<T>) {
    if constexpr (std::is_same_v<accumulator_of<T>, float>) {
      const auto is_largest = [](float most, float beyond) {
        return is_finite(widen(static_cast<T>(most))) && !is_finite(widen(static_cast<T>(beyond)));
      };
      if (is_largest(65504, 65520)) return "65504";
      if (is_largest(0x1.fep127F, 0x1.ffp127F)) return "3.3895314e+38";
    }
    return "";
  } else {
    return std::numeric_limits<T>::max_exponent == 128    ? "3.4028235e+38"
           : std::numeric_limits<T>::max_exponent == 1024 ? "1.7976931348623157e+308"
                                                          : "";
  }
}

// Sets the error that elements T cannot represent a value; returns false.
template <class T>
STREW_COLD constexpr bool refuse_value(const char* operation, const char* operand, const printed_number& value,
                                       status& error) noexcept {
  const auto set = [&](const char* text, std::int64_t least = 0, std::int64_t most = 0, const char* largest = "") {
    refuse(error, errc::value_out_of_range, operation, operand, text, {0, least, most}, {}, largest);
    number_writer write = nullptr;
    if constexpr (!built_in_integer<T>) {
      if (value.as == printed_number::kind::as_floating) write = write_floating;
    }
    error.set_first_number(value, write);
  };
  if (value.as == printed_number::kind::unknown) {
    set(" is a value beyond the range of the elements of data");
  } else if constexpr (!built_in_integer<T>) {
    const char* const largest = text_of_largest<T>();
    set(*largest != '\0' ? " = {0} is outside [-{o}, {o}], the range of the elements of data"
                         : " = {0} is outside the range of the elements of data",
        0, 0, largest);
  } else if constexpr (sizeof(T) == 8 && !(static_cast<T>(-1) < T{})) {
    set(" = {0} is negative, and the elements of data are unsigned");
  } else if constexpr (sizeof(T) <= 8) {
    set(" = {0} is outside [{1}, {2}], the range of the elements of data",
        static_cast<std::int64_t>((std::numeric_limits<T>::min)()),
        static_cast<std::int64_t>((std::numeric_limits<T>::max)()));
  } else {
    set(" = {0} is outside the range of the elements of data");
  }
  return false;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_ELEMENT_VALUE_HPP
