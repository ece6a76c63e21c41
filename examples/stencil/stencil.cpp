// SPDX-License-Identifier: Apache-2.0
// SliceScatter on a picture: a small picture is written into a large one through three slices, with steps and
// backwards, and all of them are drawn side by side.
//
//   stencil [in.png] [out.png]     without in.png it makes a picture of its own; out.png is stencil.png when left out
#include "../help.hpp"
#include "picture.hpp"
#include "sheet.hpp"

#include <strew/operators/slice_scatter.hpp>

#include <array>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

// A moonlit evening in the hills.
picture own_picture() {
  constexpr pixel zenith{40, 44, 160, 255};
  constexpr pixel horizon{120, 200, 255, 255};
  constexpr pixel moon{200, 244, 255, 255};
  constexpr pixel mountain{44, 96, 206, 255};
  constexpr pixel hills{28, 36, 104, 255};
  constexpr int side = 32;
  picture result(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      pixel& p = result(y, x);
      p = mixed(zenith, horizon, (y - 2) / 18.0);
      if (std::hypot(y - 10, x - 10) < 5.3) p = moon;
      if (y > 13 + 0.9 * std::abs(x - 23)) p = mountain;
      if (y > 25 - 1.7 * std::sin((x + 1) / 3.0)) p = hills;
    }
  }
  return result;
}

// Every second pixel of every second row, with red and blue exchanged: the evening becomes a sunset.
picture half_with_red_for_blue(const picture& source) {
  picture result((source.height() + 1) / 2, (source.width() + 1) / 2);
  for (std::int64_t y = 0; y < result.height(); ++y) {
    for (std::int64_t x = 0; x < result.width(); ++x) {
      const pixel p = source(2 * y, 2 * x);
      result(y, x) = {p.blue, p.green, p.red, p.alpha};
    }
  }
  return result;
}

// A slice of the data, and for the check the target of pixel (y, x) of the updates: (top + y * down, left + x *
// across).
struct stencil {
  std::string name;
  strew::slice_spec slice;
  std::int64_t top, down, left, across;
};

// Three slices for half a picture in the whole one: in the middle, every second pixel, and mirrored in the lower half.
std::array<stencil, 3> stencils_for(const picture& data, const picture& updates) {
  const std::int64_t height = updates.height();
  const std::int64_t width = updates.width();
  const std::int64_t top = (data.height() - height) / 2;
  const std::int64_t left = (data.width() - width) / 2;
  const auto range = [](std::int64_t start, std::int64_t stop) {
    return std::to_string(start) + ":" + std::to_string(stop);
  };
  const strew::slice_spec middle{.start = {top, left}, .stop = {top + height, left + width}, .step = {1, 1}};
  const strew::slice_spec spread{.start = {0, 0}, .stop = {INT_MAX, INT_MAX}, .step = {2, 2}};
  const strew::slice_spec reflection{.start = {-1, 0}, .stop = {-1 - height, data.width()}, .step = {-1, 2}};
  return {{{"[" + range(top, top + height) + ", " + range(left, left + width) + "]", middle, top, 1, left, 1},
           {"[::2, ::2]", spread, 0, 2, 0, 2},
           {"[" + range(-1, -1 - height) + ":-1, ::2]", reflection, data.height() - 1, -1, 0, 2}}};
}

picture scattered(const picture& data, const picture& updates, const stencil& s) {
  picture result(data.height(), data.width());
  strew::slice_scatter(data.view(), updates.view(), s.slice, result.view());
  return result;
}

picture scattered_by_plain_loops(const picture& data, const picture& updates, const stencil& s) {
  picture result = data;
  for (std::int64_t y = 0; y < updates.height(); ++y) {
    for (std::int64_t x = 0; x < updates.width(); ++x) {
      result(s.top + y * s.down, s.left + x * s.across) = updates(y, x);
    }
  }
  return result;
}

std::string size_of(const picture& p) {
  return std::to_string(p.width()) + " x " + std::to_string(p.height());
}

int fail(const std::string& what) {
  std::fprintf(stderr, "stencil: %s\n", what.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "SliceScatter on a picture: a small one is written into a large one through three slices,\n"
      "and all are drawn side by side. Without in.png it makes a picture of its own;\n"
      "out.png is stencil.png when left out.",
      " [in.png] [out.png]", 2};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const std::string output = argc > 2 ? argv[2] : "stencil.png";
  picture data = own_picture();
  if (argc > 1) {
    const std::string error = read_png(argv[1], data);
    if (!error.empty()) return fail(std::string{"cannot read "} + argv[1] + ": " + error);
  }
  const picture updates = half_with_red_for_blue(data);
  std::printf("data     %s pixels\nupdates  %s pixels\n", size_of(data).c_str(), size_of(updates).c_str());

  sheet drawing{5, data.height(), 4 * data.width() + updates.width()};
  bool drawn = drawing.draw(data);
  drawing.draw_plus();
  drawn = drawing.draw(updates) && drawn;
  drawing.draw_equals();
  bool right = true;
  for (const stencil& s : stencils_for(data, updates)) {
    const picture result = scattered(data, updates, s);
    const bool same = result == scattered_by_plain_loops(data, updates, s);
    std::printf("data%s = updates: %s\n", s.name.c_str(), same ? "as by plain loops" : "WRONG, plain loops differ");
    right = right && same;
    drawn = drawing.draw(result) && drawn;
  }
  if (!drawn) std::printf("the drawing: WRONG, it does not show the pictures\n");

  const std::string error = write_png(output, drawing.canvas());
  if (!error.empty()) return fail("cannot write " + output + ": " + error);
  std::printf("written: %s, %s pixels\n", output.c_str(), size_of(drawing.canvas()).c_str());
  return right && drawn ? 0 : 1;
}
