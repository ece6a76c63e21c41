// SPDX-License-Identifier: Apache-2.0
// Parses an element.
#include "elements.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <type_traits>

namespace strew_npy {
namespace {

using bytes_of_element = std::vector<std::byte>;

template <class T>
bool parse_all(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  if constexpr (std::is_floating_point_v<T>) {
    // A number below half the smallest above 0 rounds to 0.
    const bool is_out_of_range = code == std::errc::result_out_of_range && rest == end;
    if (is_out_of_range && std::fabs(std::strtod(std::string(text).c_str(), nullptr)) < 1) {
      value = text.starts_with('-') ? -T{} : T{};
      return true;
    }
  }
  return code == std::errc() && rest == end;
}

template <class T>
void append(bytes_of_element& bytes, const T& value) {
  const std::size_t before = bytes.size();
  bytes.resize(before + sizeof value);
  std::memcpy(bytes.data() + before, &value, sizeof value);
}

template <class T>
bool append_parsed(bytes_of_element& bytes, std::string_view text) {
  T value{};
  if (!parse_all(text, value)) return false;
  append(bytes, value);
  return true;
}

bool append_boolean(bytes_of_element& bytes, std::string_view text) {
  const bool is_true = text == "true" || text == "1";
  append(bytes, is_true);
  return is_true || text == "false" || text == "0";
}

constexpr double beyond_half = 65520;  // the smallest number that rounds beyond the largest IEEE 754 binary16

// Rounds to IEEE 754 binary16, ties to even; returns the bits.
std::uint16_t half_bits(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (size == 0) return sign;
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(size, &exponent);
  const int step = std::max(exponent - 1, -14) - 10;  // neighbours of the number are 2^step apart
  const int count = static_cast<int>(std::nearbyint(std::ldexp(size, -step)));
  return static_cast<std::uint16_t>(sign | ((step + 24) * 1024 + count));
}

bool append_half(bytes_of_element& bytes, std::string_view text) {
  double value = 0;
  if (!parse_all(text, value) || (std::isfinite(value) && std::fabs(value) >= beyond_half)) return false;
  append(bytes, half_bits(value));
  return true;
}

bool append_integer(bytes_of_element& bytes, std::string_view text, bool is_signed, std::size_t width) {
  switch (width) {
    case 1:
      return is_signed ? append_parsed<std::int8_t>(bytes, text) : append_parsed<std::uint8_t>(bytes, text);
    case 2:
      return is_signed ? append_parsed<std::int16_t>(bytes, text) : append_parsed<std::uint16_t>(bytes, text);
    case 4:
      return is_signed ? append_parsed<std::int32_t>(bytes, text) : append_parsed<std::uint32_t>(bytes, text);
    default:
      return is_signed ? append_parsed<std::int64_t>(bytes, text) : append_parsed<std::uint64_t>(bytes, text);
  }
}

bool append_floating(bytes_of_element& bytes, std::string_view text, std::size_t width) {
  return width == 2   ? append_half(bytes, text)
         : width == 4 ? append_parsed<float>(bytes, text)
                      : append_parsed<double>(bytes, text);
}

bool append_element(bytes_of_element& bytes, std::string_view text, const element_type& type) {
  switch (type.kind) {
    case element_kind::boolean:
      return append_boolean(bytes, text);
    case element_kind::signed_integer:
    case element_kind::unsigned_integer:
      return append_integer(bytes, text, type.kind == element_kind::signed_integer, type.width);
    case element_kind::floating_point:
      return append_floating(bytes, text, type.width);
    case element_kind::complex:
      break;
  }
  const std::size_t comma = text.find(',');
  const std::string_view imaginary = comma == std::string_view::npos ? "0" : text.substr(comma + 1);
  return append_floating(bytes, text.substr(0, comma), type.width / 2) &&
         append_floating(bytes, imaginary, type.width / 2);
}

}  // namespace

std::optional<bytes_of_element> parse_element(std::string_view text, const element_type& type) {
  bytes_of_element bytes;
  if (!append_element(bytes, text, type)) return std::nullopt;
  if (type.order != std::endian::native) {
    const auto part = static_cast<std::ptrdiff_t>(type.kind == element_kind::complex ? type.width / 2 : type.width);
    for (auto at = bytes.begin(); at != bytes.end(); at += part) std::reverse(at, at + part);
  }
  return bytes;
}

}  // namespace strew_npy
