// SPDX-License-Identifier: Apache-2.0
// Colours, and PNG files through libpng's simplified interface, which turns every kind of PNG into 8-bit RGBA.
#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace {

// A limit, since a header of a few bytes can declare any number of pixels.
constexpr std::int64_t most_pixels = std::int64_t{1} << 24;

png_image new_image() {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  return image;
}

}  // namespace

pixel mixed(pixel from, pixel to, double part) {
  const auto between = [part](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * std::clamp(part, 0.0, 1.0)));
  };
  return {between(from.red, to.red), between(from.green, to.green), between(from.blue, to.blue), from.alpha};
}

pixel on_scale(std::span<const pixel> colours, double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  return mixed(colours[below], colours[below + 1], place - static_cast<double>(below));
}

std::string read_png(const std::string& path, picture& result) {
  png_image image = new_image();
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return image.message;
  const std::int64_t height = image.height;
  const std::int64_t width = image.width;
  if (height * width > most_pixels) {
    png_image_free(&image);
    return std::to_string(width) + " x " + std::to_string(height) + " pixels, more than " +
           std::to_string(most_pixels) + " in all";
  }
  image.format = PNG_FORMAT_RGBA;
  picture read(height, width);
  if (png_image_finish_read(&image, nullptr, read.view().data(), 0, nullptr) == 0) return image.message;
  result = std::move(read);
  return {};
}

std::string write_png(const std::string& path, const picture& source) {
  png_image image = new_image();
  image.height = static_cast<png_uint_32>(source.height());
  image.width = static_cast<png_uint_32>(source.width());
  image.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&image, path.c_str(), 0, source.view().data(), 0, nullptr) == 0) return image.message;
  return {};
}
