// SPDX-License-Identifier: Apache-2.0
// The drawing: cells by a view of the canvas with four axes, signs as bars of one colour.
#include "sheet.hpp"

#include <strew/operators/slice_scatter.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>

namespace {

using strew::tensor_view;

constexpr std::int64_t picture_size = 256;  // points on the canvas, rounded to a multiple of a pixel's size
constexpr std::int64_t gap = 48;
constexpr std::int64_t sign_length = 24;
constexpr std::int64_t sign_thickness = 6;
constexpr pixel sign_colour{128, 136, 148, 255};  // visible on white and on black

picture shaded(const picture& source) {
  picture result = source;
  for (std::int64_t y = 0; y < source.height(); ++y) {
    for (std::int64_t x = 0; x < source.width(); ++x) result(y, x) = mixed(source(y, x), pixel{}, 0.2);
  }
  return result;
}

}  // namespace

sheet::sheet(std::int64_t count, std::int64_t height, std::int64_t width)
    : pitch_{std::max<std::int64_t>(1, picture_size / std::max(height, width / count))},
      face_{pitch_ < 4 ? pitch_ : pitch_ - 1},
      canvas_{std::max(pitch_ * height, gap), pitch_ * width + gap * (count - 1)} {}

bool sheet::draw(const picture& p) {
  const std::int64_t y = (canvas_.height() - pitch_ * p.height()) / 2;
  const std::int64_t x = x_;
  x_ += pitch_ * p.width() + gap;
  const picture edges = shaded(p);
  fill_cells(y, x, edges, pitch_);
  fill_cells(y, x, p, face_);
  for (std::int64_t i = 0; i < pitch_ * p.height(); ++i) {
    for (std::int64_t j = 0; j < pitch_ * p.width(); ++j) {
      const picture& expected = i % pitch_ < face_ && j % pitch_ < face_ ? p : edges;
      if (canvas_(y + i, x + j) != expected(i / pitch_, j / pitch_)) return false;
    }
  }
  return true;
}

void sheet::draw_plus() {
  draw_bar(0, sign_thickness, sign_length);
  draw_bar(0, sign_length, sign_thickness);
}

void sheet::draw_equals() {
  draw_bar(-sign_thickness, sign_thickness, sign_length);
  draw_bar(sign_thickness, sign_thickness, sign_length);
}

// Fills the upper left `side` x `side` points of each cell of a picture at (y, x). Here the canvas has four axes: the
// picture's row, the row in the cell, the picture's column, the column in the cell. The picture repeats its pixels over
// the second and the fourth, with strides of 0.
void sheet::fill_cells(std::int64_t y, std::int64_t x, const picture& p, std::int64_t side) {
  const std::int64_t line = canvas_.width();
  const tensor_view<pixel> cells{
      &canvas_(y, x), {p.height(), pitch_, p.width(), pitch_}, {pitch_ * line, line, pitch_, 1}};
  const tensor_view<const pixel> pixels{&p(0, 0), {p.height(), side, p.width(), side}, {p.width(), 0, 1, 0}};
  strew::slice_scatter(cells, pixels, {.start = {0, 0}, .stop = {side, side}, .step = {1, 1}, .axes = {1, 3}});
}

// A bar in the middle of the last gap, `below` the middle of the canvas.
void sheet::draw_bar(std::int64_t below, std::int64_t height, std::int64_t width) {
  const std::int64_t y = canvas_.height() / 2 + below - height / 2;
  const std::int64_t x = x_ - gap / 2 - width / 2;
  const tensor_view<const pixel> bar{&sign_colour, {height, width}, {0, 0}};
  strew::slice_scatter(canvas_.view(), bar, {.start = {y, x}, .stop = {y + height, x + width}, .step = {1, 1}});
}
