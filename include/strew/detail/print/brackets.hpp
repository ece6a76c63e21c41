// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor that are shown, and the brackets and lines around them.
#ifndef STREW_DETAIL_PRINT_BRACKETS_HPP
#define STREW_DETAIL_PRINT_BRACKETS_HPP

#include <strew/config.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::printing {

// The elements at both ends of each axis, or all of them.
class shown_elements {
 public:
  // All elements.
  explicit shown_elements(const strided_layout& layout) noexcept : layout_{layout} {
    for (int axis = 0; axis < layout.rank(); ++axis) leading_[axis] = layout.extent(axis);
  }
  // `edge_items` at both ends of each axis, at most `most` elements in all: with more, outer axes show only their first
  // coordinate. 1 <= edge_items <= most / 2.
  shown_elements(const strided_layout& layout, std::int64_t edge_items, std::int64_t most) noexcept : layout_{layout} {
    for (int axis = layout.rank(); axis-- > 0;) {
      const bool is_short = layout.extent(axis) <= 2 * edge_items;
      leading_[axis] = is_short ? layout.extent(axis) : edge_items;
      trailing_[axis] = is_short ? 0 : edge_items;
      const std::int64_t count = leading_[axis] + trailing_[axis];
      if (count > most) {
        leading_[axis] = 1;
        trailing_[axis] = 0;
        most = 0;
      } else {
        most /= count;
      }
    }
  }

  [[nodiscard]] int rank() const noexcept { return layout_.rank(); }

  // Calls visit(offset) for each shown coordinate of an axis, and skip() in the place of those that are not shown.
  template <class Visit, class Skip>
  void for_each_along(int axis, std::int64_t offset, const Visit& visit, const Skip& skip) const {
    const std::int64_t extent = layout_.extent(axis);
    const std::int64_t stride = layout_.stride(axis);
    for (std::int64_t k = 0; k < leading_[axis]; ++k) visit(offset + k * stride);
    if (leading_[axis] + trailing_[axis] < extent) skip();
    for (std::int64_t k = extent - trailing_[axis]; k < extent; ++k) visit(offset + k * stride);
  }
  // Calls visit(offset) for each shown element, in row-major order.
  template <class Visit>
  void for_each(const Visit& visit, int axis = 0, std::int64_t offset = 0) const {
    if (axis == rank()) return visit(offset);
    for_each_along(
        axis, offset, [&](std::int64_t next) { for_each(visit, axis + 1, next); }, [] {});
  }

 private:
  const strided_layout& layout_;
  std::int64_t leading_[max_rank] = {};
  std::int64_t trailing_[max_rank] = {};
};

// Writes the brackets of a tensor of rank 1 or more; append_element(text, offset) writes an element.
template <class AppendElement>
class bracket_writer {
 public:
  bracket_writer(const shown_elements& shown, std::int64_t line_width, const AppendElement& append_element)
      : shown_{shown}, line_width_{line_width}, append_element_{append_element} {}

  [[nodiscard]] std::string write() {
    write_axis(0, 0);
    return std::move(text_);
  }

 private:
  void write_axis(int axis, std::int64_t offset) {
    text_ += '[';
    if (axis + 1 == shown_.rank()) {
      write_row(axis, offset);
    } else {
      bool is_first = true;
      const auto separate = [&] {
        if (!is_first) text_.append(newlines(axis), '\n').append(indent(axis), ' ');
        is_first = false;
      };
      shown_.for_each_along(
          axis, offset,
          [&](std::int64_t next) {
            separate();
            write_axis(axis + 1, next);
          },
          [&] {
            separate();
            text_ += "...";
          });
    }
    text_ += ']';
  }

  // Writes elements, as many in a line as fit.
  void write_row(int axis, std::int64_t offset) {
    const std::int64_t width = line_width_ - axis - 1;
    std::size_t line_begin = text_.size();  // after the indentation
    std::string word;
    const auto append_word = [&] {
      const std::size_t used = text_.size() - line_begin;
      if (used > 0) text_ += ' ';
      if (used > 0 && static_cast<std::int64_t>(indent(axis) + used + 1 + word.size()) > width) {
        while (text_.size() > line_begin && text_.back() == ' ') text_.pop_back();
        text_.append(1, '\n').append(indent(axis), ' ');
        line_begin = text_.size();
      }
      text_ += word;
    };
    shown_.for_each_along(
        axis, offset,
        [&](std::int64_t next) {
          word.clear();
          append_element_(word, next);
          append_word();
        },
        [&] {
          word = "...";
          append_word();
        });
  }

  [[nodiscard]] static std::size_t indent(int axis) noexcept { return static_cast<std::size_t>(axis) + 1; }
  [[nodiscard]] std::size_t newlines(int axis) const noexcept {
    return static_cast<std::size_t>(shown_.rank() - axis - 1);
  }

  const shown_elements& shown_;
  std::int64_t line_width_;
  const AppendElement& append_element_;
  std::string text_;
};
template <class AppendElement>
bracket_writer(const shown_elements&, std::int64_t, const AppendElement&) -> bracket_writer<AppendElement>;

}  // namespace strew::detail::printing

#endif  // STREW_DETAIL_PRINT_BRACKETS_HPP
