// SPDX-License-Identifier: Apache-2.0
// A picture in memory; reads and writes PNG files.
#ifndef STREW_EXAMPLES_PICTURE_HPP
#define STREW_EXAMPLES_PICTURE_HPP

#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct pixel {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 0;

  friend bool operator==(const pixel&, const pixel&) = default;
};

// The colour `part` of the way from one to the other, with the alpha of the first.
[[nodiscard]] pixel mixed(pixel from, pixel to, double part);

// The colour `part` of the way along a scale of at least two colours: the first at 0 and below, the last at 1 and
// above.
[[nodiscard]] pixel on_scale(std::span<const pixel> colours, double part);

// Owns its pixels, row by row; view() is the operand for operators.
class picture {
 public:
  picture(std::int64_t height, std::int64_t width, pixel background = {})
      : height_{height}, width_{width}, pixels_(static_cast<std::size_t>(height * width), background) {}

  [[nodiscard]] std::int64_t height() const { return height_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] strew::tensor_view<pixel> view() { return {pixels_.data(), {height_, width_}}; }
  [[nodiscard]] strew::tensor_view<const pixel> view() const { return {pixels_.data(), {height_, width_}}; }

  [[nodiscard]] pixel& operator()(std::int64_t y, std::int64_t x) { return pixels_[position(y, x)]; }
  [[nodiscard]] const pixel& operator()(std::int64_t y, std::int64_t x) const { return pixels_[position(y, x)]; }

  friend bool operator==(const picture&, const picture&) = default;

 private:
  [[nodiscard]] std::size_t position(std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>(y * width_ + x);
  }

  std::int64_t height_;
  std::int64_t width_;
  std::vector<pixel> pixels_;
};

// Both return an error text, or an empty string.
[[nodiscard]] std::string read_png(const std::string& path, picture& result);
[[nodiscard]] std::string write_png(const std::string& path, const picture& source);

#endif  // STREW_EXAMPLES_PICTURE_HPP
