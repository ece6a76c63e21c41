// SPDX-License-Identifier: Apache-2.0
// Which characters are printed as they are, and the escapes for all others.
#include "shown_name.hpp"

#include <cstddef>

namespace strew_npy {
namespace {

// The bytes of the first character; 0 if it is not printable or not UTF-8.
std::size_t printable_size(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= ' ' && lead != 0x7F ? 1 : 0;
  if (lead < 0xC0 || lead > 0xF7) return 0;
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < size) return 0;
  char32_t code = lead & (0x7FU >> size);
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xC0U) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3FU);
  }
  constexpr char32_t smallest[] = {0x80, 0x800, 0x10000};
  const auto is_in = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
  const bool is_character = code >= smallest[size - 2] && code <= 0x10FFFF && !is_in(0xD800, 0xDFFF);
  // Control characters; the ends of lines and of paragraphs with the changes of direction; more changes of direction.
  const bool is_plain = !is_in(0x80, 0x9F) && !is_in(0x2028, 0x202E) && !is_in(0x2066, 0x2069);
  return is_character && is_plain ? size : 0;
}

std::string escape_of(char letter) {
  constexpr char digits[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(letter);
  switch (letter) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return {'\\', 'x', digits[code / 16], digits[code % 16]};
  }
}

// Escapes the text, with a backslash before each of `marks`.
std::string escaped(std::string_view text, std::string_view marks) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = printable_size(text);
    if (size == 0) {
      result += escape_of(text.front());
    } else {
      if (marks.find(text.front()) != std::string_view::npos) result += '\\';
      result += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

}  // namespace

std::string escaped(std::string_view text) {
  return escaped(text, "\\");
}

std::string shown(std::string_view name) {
  if (!name.empty() && escaped(name) == name) return std::string(name);
  return "$'" + escaped(name, "\\'") + "'";
}

}  // namespace strew_npy
