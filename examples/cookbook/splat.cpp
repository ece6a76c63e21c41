// SPDX-License-Identifier: Apache-2.0
// 2-D splatting: each point adds its colour to the four pixels around it, weighted by how near they are (bilinear). The
// points are those of a strange attractor by Clifford Pickover: x' = sin(a y) + c cos(a x), y' = sin(b x) + d cos(b y).
#include "../help.hpp"
#include "picture.hpp"

#include <strew/operators/index_put.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <tuple>
#include <vector>

namespace {

constexpr std::int64_t height = 400;
constexpr std::int64_t width = 480;
constexpr double pixels_per_unit = 130;
constexpr std::size_t points = 50'000;  // a batch
constexpr int batches = 40;

using colour = std::array<float, 3>;

// The updates of a batch: 4 pixels for each point.
struct splats {
  std::vector<std::int32_t> y, x;
  std::vector<colour> colours;

  void add(double at_y, double at_x, const colour& c) {
    const double top = std::floor(at_y);
    const double left = std::floor(at_x);
    for (const int down : {0, 1}) {
      for (const int right : {0, 1}) {
        const double weight = (1 - std::abs(top + down - at_y)) * (1 - std::abs(left + right - at_x));
        const auto w = static_cast<float>(weight);
        y.push_back(static_cast<std::int32_t>(top) + down);
        x.push_back(static_cast<std::int32_t>(left) + right);
        colours.push_back({w * c[0], w * c[1], w * c[2]});
      }
    }
  }
};

class attractor {
 public:
  splats next_batch() {
    splats result;
    for (std::size_t i = 0; i < points; ++i) {
      const double x = std::sin(a * y_) + c * std::cos(a * x_);
      const double y = std::sin(b * x_) + d * std::cos(b * y_);
      const auto jump = static_cast<float>(std::min(1.0, std::hypot(x - x_, y - y_) / 2));
      x_ = x;
      y_ = y;
      const colour blue_to_gold{0.1f + 1.1f * jump, 0.3f + 0.4f * jump * jump, 1 - 0.95f * jump};
      result.add(height / 2 + pixels_per_unit * (y - 0.115), width / 2 + pixels_per_unit * (x - 0.29), blue_to_gold);
    }
    return result;
  }

 private:
  static constexpr double a = -1.4, b = 1.6, c = 1, d = 0.7;
  double x_ = 0.1, y_ = 0.1;
};

void add_by_scatter(std::vector<colour>& image, const splats& s) {
  const auto count = static_cast<std::int64_t>(s.y.size());
  const strew::tensor_view output{image.data()->data(), {height, width, 3}};
  const strew::tensor_view rows{s.y.data(), {count}};
  const strew::tensor_view columns{s.x.data(), {count}};
  const strew::tensor_view colours{s.colours.data()->data(), {count, 3}};
  // output[rows[i], columns[i], :] += colours[i, :]
  strew::index_put(output, std::tuple{rows, columns}, colours, strew::reduction::sum);
}

void add_by_plain_loops(std::vector<colour>& image, const splats& s) {
  for (std::size_t i = 0; i < s.y.size(); ++i) {
    colour& to = image[static_cast<std::size_t>(s.y[i] * width + s.x[i])];
    for (std::size_t k = 0; k < 3; ++k) to[k] += s.colours[i][k];
  }
}

// Sums range from 0 to thousands, so brightness is the logarithm of the largest channel; bright pixels become white. 52
// levels look the same and make the file half as large.
picture developed(const std::vector<colour>& image) {
  constexpr float exposure = 0.1f;
  float brightest = 0;
  for (const colour& sum : image) brightest = std::max(brightest, std::max({sum[0], sum[1], sum[2]}));
  picture result(height, width);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const colour& sum = image[static_cast<std::size_t>(y * width + x)];
      const float most = std::max({sum[0], sum[1], sum[2], 1e-9f});
      const float brightness = std::log1p(exposure * most) / std::log1p(exposure * brightest);
      const auto level = [&](float part) {
        const float hue = part / most + (1 - part / most) * brightness * brightness * brightness;
        return static_cast<std::uint8_t>(std::lround(std::min(1.35f * brightness * hue, 1.0f) * 51) * 5);
      };
      result(y, x) = {level(sum[0]), level(sum[1]), level(sum[2]), 255};
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "2-D splatting: two million points of a strange attractor add their colours to the pixels around them\n"
      "(index_put). The picture is written to splat.png in the current directory."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::vector<colour> image(height * width);
  std::vector<colour> expected(height * width);
  attractor orbit;
  for (int i = 0; i < batches; ++i) {
    const splats s = orbit.next_batch();
    add_by_scatter(image, s);
    add_by_plain_loops(expected, s);
  }
  const bool right = image == expected;
  const std::string error = write_png("splat.png", developed(image));
  std::printf("%zu points, 4 pixels each: %s\n", batches * points, right ? "as by plain loops" : "WRONG");
  std::printf("splat.png: %s\n", error.empty() ? "written" : error.c_str());
  return right && error.empty() ? 0 : 1;
}
