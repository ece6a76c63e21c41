// SPDX-License-Identifier: Apache-2.0
// The text of an error in a fixed buffer: no heap, usable in constant evaluation.
#ifndef STREW_ERROR_MESSAGE_HPP
#define STREW_ERROR_MESSAGE_HPP

#include <strew/config.hpp>
#include <strew/view/index_list.hpp>

#include <cstdint>
#include <string_view>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// Satisfied by streams of characters such as std::ostream, whose header the caller includes.
template <class Stream>
concept text_stream = requires(Stream& stream, std::string_view text) {
  typename Stream::char_type;
  stream << text;
};

template <class Stream>
Stream& write_text(Stream& stream, std::string_view text) {
  stream << text;
  return stream;
}

}  // namespace detail

// One line of text. Its capacity suffices for every message of strew (names, a coordinate of max_rank numbers, five
// more numbers); longer text is truncated.
class error_message {
 public:
  static constexpr int capacity = 256 + 22 * max_rank;

  // The text.
  [[nodiscard]] constexpr const char* c_str() const noexcept { return text_; }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] constexpr operator std::string_view() const noexcept { return view(); }

  template <detail::text_stream Stream>
  STREW_KEYED friend Stream& operator<<(Stream& stream, const error_message& message) {
    return detail::write_text(stream, message.view());
  }

  // Appends; what exceeds the capacity is dropped.
  STREW_KEYED constexpr error_message& append(char letter) noexcept {
    if (size_ < capacity) text_[size_++] = letter;
    return *this;
  }
  STREW_KEYED constexpr error_message& append(const char* text) noexcept {
    while (*text != '\0') append(*text++);
    return *this;
  }
  STREW_KEYED STREW_COLD constexpr error_message& append(const detail::printed_number& number) noexcept {
    using enum detail::printed_number::kind;
    const bool negative = number.as == as_signed && static_cast<std::int64_t>(number.bits) < 0;
    if (negative) append('-');
    std::uint64_t rest = negative ? std::uint64_t{0} - number.bits : number.bits;
    char digits[20] = {};
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    while (count > 0) append(digits[--count]);
    return append(number.as == at_least ? " or more" : "");
  }
  STREW_KEYED constexpr error_message& append(std::uint64_t number) noexcept {
    return append({number, detail::printed_number::kind::as_unsigned});
  }
  STREW_KEYED constexpr error_message& append(std::int64_t number) noexcept {
    return append({static_cast<std::uint64_t>(number), detail::printed_number::kind::as_signed});
  }
  // As a coordinate: [1, 0, 2].
  STREW_KEYED STREW_COLD constexpr error_message& append(const index_list& list) noexcept {
    append('[');
    for (int k = 0; k < list.size(); ++k) append(k == 0 ? "" : ", ").append(list.printed(k));
    return append(']');
  }

 private:
  char text_[capacity + 1] = {};
  int size_ = 0;
};

namespace detail {

// Appends a number, given by 64 bits, to a message.
using number_writer = void (*)(error_message& line, std::uint64_t bits) noexcept;

}  // namespace detail
}  // namespace strew

#endif  // STREW_ERROR_MESSAGE_HPP
