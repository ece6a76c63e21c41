// SPDX-License-Identifier: Apache-2.0
// A picture from overlapping patches (fold, col2im, overlap-add). Each patch of a noisy picture is denoised
// independently; then all are added at their positions, weighted by a window, and divided by the sum of the windows.
// The indices are broadcast: a row number for each row of a patch and a column number for each of its columns are
// stored.
#include "../help.hpp"
#include "picture.hpp"

#include <strew/operators/index_put.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

namespace {

constexpr std::size_t side = 176;                         // of the picture
constexpr std::size_t patch = 16;                         // side of a patch
constexpr std::size_t step = 4;                           // from patch to patch
constexpr std::size_t count = (side - patch) / step + 1;  // of patches, down and across
constexpr float noise = 0.09f;

using image = std::vector<float>;                 // [side, side]
using matrix = std::array<float, patch * patch>;  // [patch, patch]

// The sum of patches [n, n, patch, patch] whose upper left corners are `distance` pixels from each other.
template <class T>
image folded(const strew::tensor_view<T>& patches, std::size_t distance) {
  const std::int64_t n = patches.extent(0);
  std::vector<std::int64_t> numbers;  // [n, patch]: of row or column j of patch i
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    for (std::size_t j = 0; j < patch; ++j) numbers.push_back(static_cast<std::int64_t>(i * distance + j));
  }

  image result(side * side);
  const strew::tensor_view output{result.data(), {side, side}};
  const strew::tensor_view of_rows{numbers.data(), {n, 1, patch, 1}};
  const strew::tensor_view of_columns{numbers.data(), {1, n, 1, patch}};
  const auto rows = strew::broadcast(of_rows, patches.extents());
  const auto columns = strew::broadcast(of_columns, patches.extents());
  strew::index_put(output, std::tuple{rows, columns}, patches, strew::reduction::sum);
  return result;
}

// ---- The rest: a picture, the denoising of a patch, the check, the drawing.

// The sun behind four ranges of hills, each darker than the one before.
float brightness_at(float y, float x) {
  float result = 0.5f + 0.4f * y;
  const float from_sun = std::hypot(y - 0.36f, x - 0.66f);
  result += 0.25f * std::exp(-8 * from_sun);
  if (from_sun < 0.12f) result = 1;
  for (int range = 0; range < 4; ++range) {
    const auto k = static_cast<float>(range);
    const float ridge =
        0.47f + 0.13f * k + 0.05f * std::sin((5 + k) * x + 2 * k) + 0.022f * std::sin((17 + 4 * k) * x + k);
    if (y > ridge) result = 0.56f - 0.16f * k + 0.5f * (y - ridge);
  }
  return std::clamp(result, 0.0f, 1.0f);
}

image scene() {
  image result(side * side);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = brightness_at(static_cast<float>(i / side) / side, static_cast<float>(i % side) / side);
  }
  return result;
}

image with_noise(image values) {
  std::mt19937 random;
  for (float& value : values) {
    float sum = -6;  // of twelve numbers from 0 to 1: nearly a normal distribution
    for (int k = 0; k < 12; ++k) sum += static_cast<float>(random() >> 8) / (1 << 24);
    value += noise * sum;
  }
  return values;
}

matrix cosines() {
  matrix result{};
  for (std::size_t k = 0; k < patch; ++k) {
    for (std::size_t i = 0; i < patch; ++i) {
      const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / patch;
      result[k * patch + i] = static_cast<float>(std::cos(angle) * std::sqrt((k == 0 ? 1.0 : 2.0) / patch));
    }
  }
  return result;
}

enum class direction { forwards, backwards };

// c m c' or c' m c.
matrix transformed(const matrix& c, const matrix& m, direction d) {
  const auto coefficient = [&](std::size_t k, std::size_t i) {
    return d == direction::forwards ? c[k * patch + i] : c[i * patch + k];
  };
  matrix half{};
  matrix result{};
  for (std::size_t n = 0; n < patch * patch * patch; ++n) {
    const std::size_t k = n / (patch * patch), j = n / patch % patch, i = n % patch;
    half[k * patch + j] += coefficient(k, i) * m[i * patch + j];
  }
  for (std::size_t n = 0; n < patch * patch * patch; ++n) {
    const std::size_t k = n / (patch * patch), j = n / patch % patch, i = n % patch;
    result[k * patch + j] += coefficient(j, i) * half[k * patch + i];
  }
  return result;
}

float window(std::size_t i) {
  const auto bump = [](std::size_t k) {
    return std::sin(std::numbers::pi_v<float> * (static_cast<float>(k) + 0.5f) / patch);
  };
  return bump(i / patch) * bump(i % patch);
}

// Patches [count, count, patch, patch] times the window, without the frequencies that may be noise.
std::vector<float> denoised_patches(const image& from) {
  const matrix c = cosines();
  std::vector<float> result;
  for (std::size_t p = 0; p < count * count; ++p) {
    matrix m;
    for (std::size_t i = 0; i < m.size(); ++i) {
      m[i] = from[(p / count * step + i / patch) * side + p % count * step + i % patch];
    }
    m = transformed(c, m, direction::forwards);
    for (float& frequency : m) frequency = std::abs(frequency) < 2.8f * noise ? 0 : frequency;
    m = transformed(c, m, direction::backwards);
    for (std::size_t i = 0; i < m.size(); ++i) result.push_back(m[i] * window(i));
  }
  return result;
}

image folded_by_plain_loops(const std::vector<float>& patches) {
  image result(side * side);
  for (std::size_t p = 0; p < count * count; ++p) {
    for (std::size_t i = 0; i < patch * patch; ++i) {
      result[(p / count * step + i / patch) * side + p % count * step + i % patch] += patches[p * patch * patch + i];
    }
  }
  return result;
}

double distance(const image& a, const image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>((a[i] - b[i]) * (a[i] - b[i]));
  return std::sqrt(sum / static_cast<double>(a.size()));
}

void draw(picture& canvas, std::size_t left, const image& values) {
  constexpr std::array scale{pixel{26, 22, 58, 255}, pixel{94, 44, 98, 255}, pixel{200, 84, 92, 255},
                             pixel{250, 164, 92, 255}, pixel{255, 240, 196, 255}};
  constexpr float levels = 48;  // few enough for a small file
  for (std::size_t i = 0; i < values.size(); ++i) {
    pixel& p = canvas(static_cast<std::int64_t>(i / side), static_cast<std::int64_t>(left + i % side));
    p = on_scale(scale, static_cast<double>(std::round(levels * values[i]) / levels));
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "A picture from overlapping patches (index_put): each is denoised by itself, and all are added where\n"
      "they came from. Before and after are drawn into patches.png in the current directory."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const image original = scene();
  const image noisy = with_noise(original);
  const std::vector<float> patches = denoised_patches(noisy);
  matrix windows{};
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i] = window(i);
  const strew::tensor_view all{patches.data(), {count, count, patch, patch}};
  const strew::tensor_view weights{windows.data(), all.extents(), {0, 0, patch, 1}};  // one window, seen by all patches
  const auto apart = strew::slice(strew::slice(all, 0, 0, count, patch / step), 1, 0, count, patch / step);

  image denoised = folded(all, step);
  bool right = denoised == folded_by_plain_loops(patches);
  const image weight = folded(weights, step);
  for (std::size_t i = 0; i < denoised.size(); ++i) denoised[i] /= weight[i];
  right = right && distance(denoised, original) < distance(noisy, original) / 3;

  constexpr std::size_t gap = 12;
  picture canvas(side, 3 * side + 2 * gap);
  draw(canvas, 0, noisy);
  draw(canvas, side + gap, folded(apart, patch));
  draw(canvas, 2 * (side + gap), denoised);
  const std::string error = write_png("patches.png", canvas);
  std::printf("%zu patches added: %s\n", count * count, right ? "as by plain loops" : "WRONG");
  std::printf("patches.png: %s\n", error.empty() ? "written" : error.c_str());
  return right && error.empty() ? 0 : 1;
}
