// SPDX-License-Identifier: Apache-2.0
// Tensors as text, in the format of NumPy's str(). Opt-in: strew.hpp does not include it.
#ifndef STREW_PRINT_HPP
#define STREW_PRINT_HPP

#include <strew/config.hpp>
#include <strew/detail/print/brackets.hpp>
#include <strew/detail/print/element_reader.hpp>
#include <strew/detail/print/formats.hpp>
#include <strew/error_message.hpp>
#include <strew/fwd.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <concepts>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

namespace strew::inline STREW_ABI {

// NumPy's print options of the same names, with its defaults.
struct print_options {
  int precision = 8;              // most digits after the point of floating-point numbers; 0 to 100
  std::int64_t threshold = 1000;  // with more elements than this, only the ends of each axis are shown
  std::int64_t edge_items = 3;    // the number shown at each end; at least 1
  std::int64_t line_width = 75;   // in characters; a wider element gets a line of its own
  bool suppress = false;          // no scientific notation for small numbers
};

namespace detail::inline STREW_CODE::printing {

// The most elements that are shown of a large tensor.
inline constexpr std::int64_t most_shown = 100000;

constexpr std::int64_t clamped(std::int64_t number, std::int64_t least, std::int64_t most) noexcept {
  return number < least ? least : number > most ? most : number;
}

// read(offset) returns the value of an element.
template <class Read>
std::string print(const strided_layout& layout, const Read& read, const print_options& options) {
  using value = std::remove_cvref_t<decltype(read(0))>;
  using format = typename format_traits<value>::format;
  if (layout.empty()) return "[]";
  if (layout.rank() == 0) {
    std::string text;
    format::append_alone(text, read(0));
    return text;
  }
  const std::int64_t most = options.threshold > most_shown ? options.threshold : most_shown;
  const shown_elements shown = layout.size() > options.threshold
                                   ? shown_elements{layout, clamped(options.edge_items, 1, most / 2), most}
                                   : shown_elements{layout};
  const float_style style{static_cast<int>(clamped(options.precision, 0, most_digits)), options.suppress};
  const format columns{style,
                       [&](const auto& visit) { shown.for_each([&](std::int64_t offset) { visit(read(offset)); }); }};
  const auto append = [&](std::string& word, std::int64_t offset) { columns.append(word, read(offset)); };
  return bracket_writer{shown, clamped(options.line_width, 0, int64_max), append}.write();
}

}  // namespace detail::printing

// Satisfied by the element types that can be printed: numbers, bool, enumerations, complex numbers, and types with an
// operator<<.
template <class T>
concept printable = detail::printing::printable_element<std::remove_const_t<T>>;

// The result of str(array) in NumPy 2.3 and newer: nested brackets, columns of one width, floating-point numbers with
// the fewest digits that identify them in their type, "..." in the place of most elements of a large tensor.
// Characters, std::byte and enumerations are printed as numbers. A tensor of rank 0 is printed as a NumPy scalar, with
// all digits and without regard to the options; one without elements as []. Older versions of NumPy print float16 from
// 1e3 on and float32 from 1e6 on without an exponent.
//
// Differences from NumPy: elements of types that NumPy does not have are padded on the left to a common width. If the
// ends of the axes of a large tensor have more than 100 000 elements (rank 7 and up), only the first coordinate of the
// outer axes is shown.
//
// Reads only the elements shown, three times. O(elements shown) time and memory; these are at most the larger of
// options.threshold and 100 000. Throws std::bad_alloc, and what an element's operator<< throws.
template <printable T>
STREW_KEYED [[nodiscard]] std::string to_string(const tensor_view<T>& view, const print_options& options = {}) {
  return detail::printing::print(view.layout(), detail::printing::view_reader<T>{view.data()}, options);
}

template <printable T>
STREW_KEYED std::ostream& operator<<(std::ostream& stream, const tensor_view<T>& view) {
  return stream << to_string(view);
}

// The message of the status, or "ok".
STREW_KEYED [[nodiscard]] inline std::string to_string(const status& outcome) {
  return outcome.ok() ? "ok" : outcome.message().c_str();
}

// The list as in messages: [2, 3].
template <std::same_as<index_list> List>
STREW_KEYED [[nodiscard]] std::string to_string(const List& list) {
  return error_message{}.append(list).c_str();
}
template <std::same_as<index_list> List>
STREW_KEYED std::ostream& operator<<(std::ostream& stream, const List& list) {
  return stream << to_string(list);
}

// to_string and << for tensors whose types are known at run time only. dynamic.hpp need not be included before. Opaque
// elements, and elements whose kind has no C++ type of their size here, are printed as their first 16 bytes.
// Floating-point numbers of more than 8 bytes are read as long double.
namespace dynamic {

template <class Pointer>
STREW_KEYED [[nodiscard]] std::string to_string(const basic_tensor<Pointer>& values,
                                                const print_options& options = {}) {
  namespace printing = strew::detail::printing;
  using kind = decltype(values.type().kind);
  using load_half = printing::load_short_float<printing::float16_fraction>;
  const auto* const bytes = static_cast<const char*>(values.data());
  const std::int64_t size = values.type().size;
  std::string text;
  const auto prints = [&]<class... Load>(const Load&...) {
    return ((size == Load::size &&
             (text = printing::print(values.layout(), printing::byte_reader<Load>{bytes}, options), true)) ||
            ...);
  };
  bool is_printed = false;
  switch (values.type().kind) {
    case kind::boolean:
      is_printed = prints(printing::load_bool{});
      break;
    case kind::signed_integer:
      is_printed = prints(printing::load_element<std::int8_t>{}, printing::load_element<std::int16_t>{},
                          printing::load_element<std::int32_t>{}, printing::load_element<std::int64_t>{});
      break;
    case kind::unsigned_integer:
      is_printed = prints(printing::load_element<std::uint8_t>{}, printing::load_element<std::uint16_t>{},
                          printing::load_element<std::uint32_t>{}, printing::load_element<std::uint64_t>{});
      break;
    case kind::floating_point:
      is_printed = prints(load_half{}, printing::load_element<float>{}, printing::load_element<double>{},
                          printing::load_element<long double>{});
      break;
    case kind::brain_float:
      is_printed = prints(printing::load_short_float<printing::bfloat16_fraction>{});
      break;
    case kind::complex:
      is_printed = prints(printing::load_complex<load_half>{}, printing::load_complex<printing::load_element<float>>{},
                          printing::load_complex<printing::load_element<double>>{},
                          printing::load_complex<printing::load_element<long double>>{});
      break;
    default:
      break;
  }
  if (is_printed) return text;
  return printing::print(values.layout(), printing::byte_reader<printing::load_bytes>{bytes, {size}}, options);
}
template <class Pointer>
STREW_KEYED std::ostream& operator<<(std::ostream& stream, const basic_tensor<Pointer>& values) {
  return stream << to_string(values);
}

template <std::same_as<index_tensor> Tensor>
STREW_KEYED [[nodiscard]] std::string to_string(const Tensor& values, const print_options& options = {}) {
  namespace printing = strew::detail::printing;
  using type = decltype(values.type());
  const auto print_as = [&]<class Index>(Index) {
    const printing::byte_reader<printing::load_element<Index>> read{static_cast<const char*>(values.data())};
    return printing::print(values.layout(), read, options);
  };
  switch (values.type()) {
    case type::int8:
      return print_as(std::int8_t{});
    case type::int16:
      return print_as(std::int16_t{});
    case type::int32:
      return print_as(std::int32_t{});
    case type::uint8:
      return print_as(std::uint8_t{});
    case type::uint16:
      return print_as(std::uint16_t{});
    case type::uint32:
      return print_as(std::uint32_t{});
    case type::uint64:
      return print_as(std::uint64_t{});
    default:
      return print_as(std::int64_t{});
  }
}
template <std::same_as<index_tensor> Tensor>
STREW_KEYED std::ostream& operator<<(std::ostream& stream, const Tensor& values) {
  return stream << to_string(values);
}

}  // namespace dynamic
}  // namespace strew

#endif  // STREW_PRINT_HPP
