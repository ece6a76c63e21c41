// SPDX-License-Identifier: Apache-2.0
// Errors: the codes, the status of a call with the data of its message, and the exception.
#ifndef STREW_STATUS_HPP
#define STREW_STATUS_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/error_message.hpp>
#include <strew/view/index_list.hpp>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>

namespace strew::inline STREW_ABI {

// Error codes: what is wrong with the arguments of a call.
enum class errc : unsigned char {
  ok,
  too_many_axes,          // a rank, or a list of bounds or axes, above max_rank
  negative_extent,        // an extent below zero
  size_overflow,          // a view of more elements, or of a wider span in bytes, than PTRDIFF_MAX
  null_data,              // a view of elements without memory
  rank_mismatch,          // an operand's rank is not the one that the specification requires
  extent_mismatch,        // an operand's extent is not the one that the specification requires
  count_mismatch,         // lists of bounds or axes that differ in length, or an axis that is not one element
  axis_out_of_range,      // an axis outside [-rank, rank - 1]
  repeated_axis,          // the same axis twice
  zero_step,              // a slice whose step is zero
  index_out_of_bounds,    // an index outside its axis
  repeated_element,       // an output in which two coordinates are one element: stride 0, or axes that overlap
  overlap,                // an output that shares memory with an input other than as the very same view
  type_mismatch,          // an operand whose run-time type is not the one that the operator requires
  misaligned_stride,      // a stride in bytes that is no multiple of the element size
  too_little_memory,      // memory that is smaller than required
  too_few_elements,       // a source with fewer elements than the mask selects
  unsupported_reduction,  // a reduction that the operator or the element type lacks
  unreachable_memory,     // elements on a device, misaligned, or read-only where they are to be written
  value_out_of_range,  // a value in the place of updates, a factor, or a number of with_positions that its type cannot
                       // hold
  unsupported_distribution,  // distributed tensors whose distributions the operator cannot serve
  mismatched_calls,          // calls that differ between the ranks of a communicator
  communication,             // MPI has failed
};

// The result of a call: ok, or an error with the data of its message. No heap. The text is formatted by message() only.
class [[nodiscard("strew: a status says whether the call succeeded: look at its ok()")]] status {
 public:
  // Ok. The data of a message is not initialised, since it is read only on an error.
  STREW_KEYED constexpr status() noexcept {
    if (detail::is_constant_evaluated()) copy_details(status(errc::ok, "", "", ""));
  }

  // An error. `operation`, `operand`, `text` and `other` are string literals. The message is "operation: operand"
  // followed by `text`, in which {0} .. {4} are replaced by `numbers`, {c} by `coordinate`, {a} by `coordinate` unless
  // it is empty, and {o} by `other`.
  STREW_KEYED STREW_COLD constexpr status(errc code, const char* operation, const char* operand, const char* text,
                                          const std::initializer_list<std::int64_t>& numbers = {},
                                          const index_list& coordinate = {}, const char* other = "") noexcept
      : code_{code},
        operation_{operation},
        operand_{operand},
        text_{text},
        other_{other},
        write_first_number_{nullptr},
        numbers_{},
        coordinate_{coordinate} {
    STREW_ASSERT(numbers.size() <= number_count);
    coordinate_.copy_saturated(coordinate);
    std::int64_t* slot = numbers_;
    for (const std::int64_t number : numbers) *slot++ = number;
  }

  constexpr status(const status& other) noexcept : status() {
    *this = other;
  }
  STREW_KEYED constexpr status& operator=(const status& other) noexcept {
    code_ = other.code_;
    if (!ok()) copy_details(other);
    return *this;
  }
  constexpr ~status() = default;

  // Whether the call succeeded, and the error code.
  [[nodiscard]] constexpr bool ok() const noexcept {
    return code_ == errc::ok;
  }
  [[nodiscard]] constexpr explicit operator bool() const noexcept {
    return ok();
  }
  [[nodiscard]] constexpr errc code() const noexcept {
    return code_;
  }

  // The call that failed, such as "scatter_update"; empty when ok.
  [[nodiscard]] constexpr const char* operation() const noexcept {
    return ok() ? "" : operation_;
  }
  // The argument at fault, such as "indices"; empty when ok.
  [[nodiscard]] constexpr const char* operand() const noexcept {
    return ok() ? "" : operand_;
  }
  // The position in that argument: the coordinate of a bad index, or the position in a list of bounds or axes. Empty if
  // there is none.
  [[nodiscard]] constexpr const index_list& coordinate() const noexcept {
    return coordinate_;
  }

  // One line with operation, operand, coordinate, value and range. Empty when ok.
  STREW_KEYED [[nodiscard]] STREW_COLD constexpr error_message message() const noexcept {
    error_message line;
    if (ok()) return line;
    line.append(operation_).append(": ").append(operand_);
    for (const char* text = text_; *text != '\0'; ++text) {
      if (*text != '{') {
        line.append(*text);
        continue;
      }
      const char field = text[1];
      text += 2;  // on the closing brace
      if (field == 'c') {
        line.append(coordinate_);
      } else if (field == 'a') {
        if (!coordinate_.empty()) line.append(coordinate_);
      } else if (field == 'o') {
        line.append(other_);
      } else if (field == '0' && write_first_number_ != nullptr) {
        // Constant evaluation has no function that writes floating-point numbers.
        if (detail::is_constant_evaluated()) {
          line.append("a number");
        } else {
          write_first_number_(line, static_cast<std::uint64_t>(numbers_[0]));
        }
      } else if (field == '0') {
        line.append(detail::printed_number{static_cast<std::uint64_t>(numbers_[0]), first_number_});
      } else {
        line.append(numbers_[field - '0']);
      }
    }
    return line;
  }

  // Writes the message, or "ok", to a stream of characters.
  template <detail::text_stream Stream>
  STREW_KEYED friend Stream& operator<<(Stream& stream, const status& outcome) {
    if (outcome.ok()) return detail::write_text(stream, "ok");
    return stream << outcome.message();
  }

  // Makes message() print {0} as a std::uint64_t, so that 2^63 is not printed as a negative number.
  constexpr void first_number_is_unsigned() noexcept {
    first_number_ = detail::printed_number::kind::as_unsigned;
  }
  // Sets the number that is printed for {0}, by `write` if it is no integer: so calls without such numbers contain no
  // code that writes them.
  STREW_KEYED constexpr void set_first_number(const detail::printed_number& number,
                                              detail::number_writer write = nullptr) noexcept {
    numbers_[0] = static_cast<std::int64_t>(number.bits);
    first_number_ = number.as;
    write_first_number_ = write;
  }

 private:
  static constexpr std::size_t number_count = 5;

  STREW_KEYED STREW_COLD constexpr void copy_details(const status& other) noexcept {
    first_number_ = other.first_number_;
    write_first_number_ = other.write_first_number_;
    operation_ = other.operation_;
    operand_ = other.operand_;
    text_ = other.text_;
    other_ = other.other_;
    for (std::size_t k = 0; k < number_count; ++k) numbers_[k] = other.numbers_[k];
    coordinate_ = other.coordinate_;
    coordinate_.copy_saturated(other.coordinate_);
  }

  errc code_ = errc::ok;
  detail::printed_number::kind first_number_ = detail::printed_number::kind::as_signed;
  const char* operation_;
  const char* operand_;
  const char* text_;
  const char* other_;
  detail::number_writer write_first_number_;
  std::int64_t numbers_[number_count];
  index_list coordinate_;
};

// The exception of the throwing forms. what() is the message of the status. It derives from std::invalid_argument,
// since every error is an argument that the operator's specification forbids.
class scatter_error : public std::invalid_argument {
 public:
  explicit scatter_error(const status& error) : std::invalid_argument(error.message().c_str()), status_(error) {}

  [[nodiscard]] errc code() const noexcept { return status_.code(); }
  [[nodiscard]] const strew::status& status() const noexcept { return status_; }

 private:
  strew::status status_;
};

namespace detail::inline STREW_CODE {

// Sets `error`, with the arguments of status's constructor, and returns false. Checks return true or refuse(...): a
// chain of && stops at the first error, and a check that passes constructs no status.
STREW_COLD constexpr bool refuse(status& error, errc code, const char* operation, const char* operand, const char* text,
                                 const std::initializer_list<std::int64_t>& numbers = {},
                                 const index_list& coordinate = {}, const char* other = "") noexcept {
  error = status(code, operation, operand, text, numbers, coordinate, other);
  return false;
}

// Makes {0} of an error print the value as it was given. Returns false, for chains of checks: check(...) ||
// refuse_as_given(error, list, k).
STREW_COLD constexpr bool refuse_as_given(status& error, const index_list& list, int position) noexcept {
  error.set_first_number(list.printed(position));
  return false;
}

// Checks that the list was not built from more than max_rank values.
constexpr bool check_capacity(const char* operation, const char* operand, const index_list& list,
                              status& error) noexcept {
  return !list.overflowed() || refuse(error, errc::too_many_axes, operation, operand,
                                      " has more than {0} entries (STREW_MAX_RANK)", {max_rank});
}

// Throws the error as a scatter_error; ends the program with -fno-exceptions.
[[noreturn]] STREW_COLD inline void raise(const status& error) {
#if STREW_HAS_EXCEPTIONS
  throw scatter_error(error);
#else
  static_cast<void>(error);
  std::abort();
#endif
}

constexpr void raise_if_error(const status& outcome) {
  if (!outcome.ok()) raise(outcome);
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_STATUS_HPP
