// SPDX-License-Identifier: Apache-2.0
// A drawing of pictures from left to right, each pixel as a cell. Every stroke is a slice_scatter.
#ifndef STREW_EXAMPLES_SHEET_HPP
#define STREW_EXAMPLES_SHEET_HPP

#include "picture.hpp"

#include <cstdint>

class sheet {
 public:
  // Room for `count` pictures that are together `width` pixels wide and at most `height` high.
  sheet(std::int64_t count, std::int64_t height, std::int64_t width);

  // Draws the next picture. Returns whether each of its points on the canvas is right.
  [[nodiscard]] bool draw(const picture& p);
  // Draw a sign in the gap after the last picture.
  void draw_plus();
  void draw_equals();

  [[nodiscard]] const picture& canvas() const { return canvas_; }

 private:
  void fill_cells(std::int64_t y, std::int64_t x, const picture& p, std::int64_t side);
  void draw_bar(std::int64_t below, std::int64_t height, std::int64_t width);

  std::int64_t pitch_;  // from one cell to the next
  std::int64_t face_;   // the part of a cell in the pixel's colour; the rest is a shaded edge
  std::int64_t x_ = 0;  // where the next picture begins
  picture canvas_;
};

#endif  // STREW_EXAMPLES_SHEET_HPP
