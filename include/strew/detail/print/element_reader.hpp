// SPDX-License-Identifier: Apache-2.0
// Reads the elements of a tensor as one of the kinds of values that are printed, and chooses their format.
#ifndef STREW_DETAIL_PRINT_ELEMENT_READER_HPP
#define STREW_DETAIL_PRINT_ELEMENT_READER_HPP

#include <strew/config.hpp>
#include <strew/detail/print/decimal.hpp>
#include <strew/detail/print/formats.hpp>
#include <strew/view/element.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::printing {

inline constexpr int float16_fraction = 10;
inline constexpr int bfloat16_fraction = 7;

template <class T>
concept plain_float = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, long double>;

#if STREW_HAS_FLOAT16
template <class T>
concept half_float = std::same_as<T, _Float16>;
#else
template <class T>
concept half_float = false;
#endif

// std::complex, without <complex>, and types with its interface.
template <class T>
concept complex_element = std::is_class_v<T> && requires(const T& number) {
  requires plain_float<std::remove_cvref_t<decltype(number.real())>>;
  requires std::same_as<decltype(number.real()), decltype(number.imag())>;
};

template <class T>
concept streamed_element = requires(std::ostream& stream, const T& element) {
  { stream << element } -> std::convertible_to<std::ostream&>;
};

template <class T>
concept printable_element = std::is_integral_v<T> || std::is_enum_v<T> || plain_float<T> || half_float<T> ||
    complex_element<T> || streamed_element<T>;

// The value that is printed for an element.
template <printable_element T>
decltype(auto) printed_value(const T& element) noexcept {
  if constexpr (std::same_as<T, bool>) {
    return is_true(element);
  } else if constexpr (plain_float<T>) {
    return T{element};
  } else if constexpr (half_float<T>) {
    return short_float{std::bit_cast<std::uint16_t>(element), float16_fraction};
  } else if constexpr (complex_element<T>) {
    return complex_number<std::remove_cvref_t<decltype(element.real())>>{element.real(), element.imag()};
  } else if constexpr (std::is_integral_v<T>) {
    using widest = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<std::conditional_t<(sizeof(T) > sizeof(widest)), T, widest>>(element);
  } else if constexpr (streamed_element<T>) {
    return (element);
  } else {
    return printed_value(static_cast<std::underlying_type_t<T>>(element));
  }
}

template <class Value>
struct format_traits {
  using format = word_format<Value, append_by_stream>;
};
template <>
struct format_traits<bool> {
  using format = bool_format;
};
template <std::integral Integer>
struct format_traits<Integer> {
  using format = word_format<Integer, append_integer>;
};
template <class Number>
  requires(plain_float<Number> || std::same_as<Number, short_float>)
struct format_traits<Number> {
  using format = float_format<Number>;
};
template <class Number>
struct format_traits<complex_number<Number>> {
  using format = complex_format<Number>;
};

template <class T>
struct view_reader {
  T* data;

  decltype(auto) operator()(std::int64_t offset) const noexcept {
    return printed_value<std::remove_const_t<T>>(data[offset]);
  }
};

// ---- Elements of a type that is known at run time only, at any address. load(bytes) returns their value.

template <class T>
struct load_element {
  using value = std::remove_cvref_t<decltype(printed_value(std::declval<const T&>()))>;
  static constexpr std::int64_t size = sizeof(T);

  [[nodiscard]] value operator()(const char* bytes) const noexcept {
    T element;
    std::memcpy(&element, bytes, sizeof element);
    return printed_value(element);
  }
};
// A byte, since one other than 0 or 1 is no valid bool.
struct load_bool {
  static constexpr std::int64_t size = 1;
  [[nodiscard]] bool operator()(const char* bytes) const noexcept { return *bytes != 0; }
};
template <int FractionBits>
struct load_short_float {
  static constexpr std::int64_t size = 2;
  [[nodiscard]] short_float operator()(const char* bytes) const noexcept {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    return {bits, FractionBits};
  }
};
template <class Load>
struct load_complex {
  static constexpr std::int64_t size = 2 * Load::size;
  [[nodiscard]] auto operator()(const char* bytes) const noexcept {
    const Load load;
    return complex_number<decltype(load(bytes))>{load(bytes), load(bytes + Load::size)};
  }
};

// The bytes of an element of unknown kind, of which the first are shown.
struct raw_bytes {
  const char* bytes;
  std::int64_t size;
};
struct append_bytes {
  static constexpr std::int64_t most = 16;

  static void append(std::string& text, const raw_bytes& element) {
    constexpr char digits[] = "0123456789ABCDEF";
    text += "b'";
    for (std::int64_t k = 0; k < element.size && k < most; ++k) {
      const auto byte = static_cast<unsigned char>(element.bytes[k]);
      text.append("\\x").append({digits[byte / 16], digits[byte % 16]});
    }
    text += element.size > most ? "...'" : "'";
  }
};
template <>
struct format_traits<raw_bytes> {
  using format = word_format<raw_bytes, append_bytes>;
};
struct load_bytes {
  std::int64_t size;
  [[nodiscard]] raw_bytes operator()(const char* bytes) const noexcept { return {bytes, size}; }
};

template <class Load>
struct byte_reader {
  const char* data;
  Load load{};

  auto operator()(std::int64_t offset) const noexcept { return load(data + offset * load.size); }
};

}  // namespace strew::detail::printing

#endif  // STREW_DETAIL_PRINT_ELEMENT_READER_HPP
