// SPDX-License-Identifier: Apache-2.0
// A strict, bounded parser of .npy headers. Debian has no C++ library for them; others (cnpy and its descendants) read
// whole files into memory and search the header for words instead of parsing it, which excludes mapping and is not safe
// for hostile files. No recursion, and no allocation whose size the file determines.
#include "npy_header.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace strew_npy {
namespace {

// The limit of NumPy's reader. An array of 64 axes needs less than 1,500 bytes.
constexpr std::size_t longest_header = 10'000;

// Reads the kinds of Python literals that occur in a header, each after optional blanks.
class literal_scanner {
 public:
  explicit literal_scanner(std::string_view text) noexcept : text_(text) {}

  // Consumes `letter` if it is next; returns whether it was.
  bool accept(char letter) noexcept {
    skip_blanks();
    if (!next_is(letter)) return false;
    ++at_;
    return true;
  }

  void expect(char letter) {
    if (!accept(letter)) fail(std::string("expected '") + letter + "'");
  }

  // Between single or double quotes, printable ASCII without escapes.
  std::string_view string(const char* what) {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept('\'')) fail(std::string("expected ") + what);
    const std::size_t begin = at_;
    while (!next_is(quote)) {
      if (at_ == text_.size() || text_[at_] < ' ' || text_[at_] > '~' || text_[at_] == '\\') {
        fail("expected a string of plain characters and its closing quote");
      }
      ++at_;
    }
    return text_.substr(begin, at_++ - begin);
  }

  bool boolean() {
    skip_blanks();
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("expected True or False");
  }

  // Decimal, without a sign, at most 2^63 - 1.
  std::int64_t extent() {
    skip_blanks();
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const int digit = text_[at_] - '0';
      if (value > (strew::int64_max - digit) / 10) fail("an extent above 2^63 - 1");
      value = value * 10 + digit;
    }
    if (at_ == begin) fail("expected an extent: a whole number, not negative");
    if (text_[begin] == '0' && at_ - begin > 1) fail("an extent with leading zeros");
    return value;
  }

  // The L that ended the long integers of Python 2.
  void skip_long_suffix() noexcept {
    if (next_is('L')) ++at_;
  }

  void expect_end() {
    skip_blanks();
    if (at_ != text_.size()) fail("expected nothing but blanks after the dictionary");
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw header_error("malformed header: " + reason + " (at byte " + std::to_string(at_) + " of its text)");
  }

 private:
  [[nodiscard]] bool next_is(char letter) const noexcept { return at_ < text_.size() && text_[at_] == letter; }

  void skip_blanks() noexcept {
    while (next_is(' ') || next_is('\n')) ++at_;
  }

  bool accept_word(std::string_view word) noexcept {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The tuple of extents.
strew::index_list scan_shape(literal_scanner& scanner, bool from_python_2) {
  strew::index_list extents;
  scanner.expect('(');
  while (!scanner.accept(')')) {
    extents.push_back(scanner.extent());
    if (from_python_2) scanner.skip_long_suffix();
    if (extents.overflowed()) {
      throw header_error("has more than " + std::to_string(strew::max_rank) + " axes");
    }
    // (3) is a number in Python; a tuple of one needs its comma.
    if (!scanner.accept(',')) {
      if (extents.size() == 1) scanner.fail("expected ','");
      scanner.expect(')');
      break;
    }
  }
  return extents;
}

struct header_fields {
  std::optional<std::string_view> descr;
  std::optional<bool> fortran_order;
  std::optional<strew::index_list> shape;
};

// The last value of a repeated key counts, as in Python.
header_fields scan_fields(std::string_view text, bool from_python_2) {
  literal_scanner scanner(text);
  header_fields fields;
  // NumPy's dictionary begins immediately; leading blanks would be indentation in Python.
  if (!text.starts_with('{')) scanner.fail("expected '{'");
  scanner.expect('{');
  while (!scanner.accept('}')) {
    const std::string_view key = scanner.string("a key between quotes");
    scanner.expect(':');
    if (key == "descr") {
      fields.descr = scanner.string("the name of a plain type (structured types are not supported)");
    } else if (key == "fortran_order") {
      fields.fortran_order = scanner.boolean();
    } else if (key == "shape") {
      fields.shape = scan_shape(scanner, from_python_2);
    } else {
      scanner.fail("unknown key '" + std::string(key) + "'");
    }
    if (!scanner.accept(',')) {
      scanner.expect('}');
      break;
    }
  }
  scanner.expect_end();
  if (!fields.descr || !fields.fortran_order || !fields.shape) {
    throw header_error("malformed header: 'descr', 'fortran_order' or 'shape' is missing");
  }
  return fields;
}

// A descr is the byte order, a letter and the width: "<f4". '|' means no order; '=' (this machine's) depends on the
// machine and is never written.
element_type to_element_type(std::string_view descr) {
  struct named_type {
    std::string_view code;
    element_type type;
  };
  using enum element_kind;
  static constexpr named_type known[] = {
      {"b1", {boolean, 1, "bool"}},
      {"i1", {signed_integer, 1, "int8"}},
      {"i2", {signed_integer, 2, "int16"}},
      {"i4", {signed_integer, 4, "int32"}},
      {"i8", {signed_integer, 8, "int64"}},
      {"u1", {unsigned_integer, 1, "uint8"}},
      {"u2", {unsigned_integer, 2, "uint16"}},
      {"u4", {unsigned_integer, 4, "uint32"}},
      {"u8", {unsigned_integer, 8, "uint64"}},
      {"f2", {floating_point, 2, "float16"}},
      {"f4", {floating_point, 4, "float32"}},
      {"f8", {floating_point, 8, "float64"}},
      {"c8", {complex, 8, "complex64"}},
      {"c16", {complex, 16, "complex128"}},
  };
  const std::string_view code = descr.substr(std::min<std::size_t>(1, descr.size()));
  const auto* const found =
      std::find_if(std::begin(known), std::end(known), [code](const named_type& n) { return n.code == code; });
  const char order = descr.empty() ? '\0' : descr.front();
  const bool is_known = found != std::end(known) && (order == '<' || order == '>' || order == '|');
  if (!is_known || (order == '|' && found->type.width > 1)) {
    throw header_error("element type '" + std::string(descr.substr(0, 40)) +
                       "' is not supported (bool, integers, float16 to float64 and complex are)");
  }
  element_type type = found->type;
  if (type.width > 1) type.order = order == '<' ? std::endian::little : std::endian::big;
  return type;
}

strew::index_list reversed(const strew::index_list& list) {
  strew::index_list result = list;
  std::reverse_copy(list.begin(), list.end(), &result[0]);
  return result;
}

strew::strided_layout to_layout(const strew::index_list& extents, bool fortran_order, std::size_t width) {
  strew::strided_layout layout;
  strew::status outcome = strew::strided_layout::try_make(extents, width, layout);
  if (outcome.ok() && fortran_order && extents.size() > 1) {
    outcome = strew::strided_layout::try_make(reversed(extents), width, layout);
    if (outcome.ok()) outcome = strew::strided_layout::try_make(extents, reversed(layout.strides()), width, layout);
  }
  if (!outcome.ok()) throw header_error("shape " + to_string(extents) + " is more than 2^63 - 1 bytes");
  return layout;
}

// The unsigned little-endian number of `count` bytes.
std::size_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t k = count; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

struct located_text {
  unsigned version;
  std::size_t begin;
  std::size_t size;
};

// The part before the dictionary: \x93NUMPY, the version in two bytes, the dictionary's length in two or four.
located_text locate_text(std::string_view file) {
  constexpr std::string_view magic = "\x93NUMPY";
  const std::size_t version_at = magic.size();
  const std::size_t length_at = version_at + 2;
  if (!file.starts_with(magic)) throw header_error("is not a .npy file: it does not begin with \\x93NUMPY");
  if (file.size() < length_at + 2) throw header_error("ends inside its header");
  const std::size_t version = little_endian(file, version_at, 1);
  const std::size_t minor = little_endian(file, version_at + 1, 1);
  if (version < 1 || version > 3 || minor != 0) {
    throw header_error("has format version " + std::to_string(version) + '.' + std::to_string(minor) +
                       "; 1.0, 2.0 and 3.0 are known");
  }
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t begin = length_at + length_size;
  if (file.size() < begin) throw header_error("ends inside its header");
  const std::size_t size = little_endian(file, length_at, length_size);
  if (size > longest_header) {
    throw header_error("has a header of " + std::to_string(size) + " bytes; at most " + std::to_string(longest_header) +
                       " are read");
  }
  if (size > file.size() - begin) throw header_error("ends inside its header");
  return {static_cast<unsigned>(version), begin, size};
}

}  // namespace

npy_header parse_npy_header(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const located_text dictionary = locate_text(text);
  const header_fields fields = scan_fields(text.substr(dictionary.begin, dictionary.size), dictionary.version < 3);
  const element_type element = to_element_type(*fields.descr);
  const strew::strided_layout layout = to_layout(*fields.shape, *fields.fortran_order, element.width);

  const std::size_t data_offset = dictionary.begin + dictionary.size;
  const std::size_t expected = static_cast<std::size_t>(layout.size()) * element.width;
  const std::size_t present = file.size() - data_offset;
  if (present != expected) {
    throw header_error("has " + std::to_string(present) + " bytes after its header; " + to_string(element) + ' ' +
                       to_string(layout.extents()) + " takes " + std::to_string(expected));
  }
  return {element, layout, data_offset};
}

std::string to_string(const element_type& type) {
  const char* const order = type.order == std::endian::native ? ""
                            : type.order == std::endian::big  ? "big-endian "
                                                              : "little-endian ";
  return order + std::string(type.name);
}

std::string to_string(const strew::index_list& extents) {
  std::string text = "(";
  for (int k = 0; k < extents.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(extents[k]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

}  // namespace strew_npy
