// SPDX-License-Identifier: Apache-2.0
#include <xtensor/xarray.hpp>
#include <xtensor/xview.hpp>

#include <cstddef>

void xtensor_view(const xt::xarray<float>& data, const xt::xarray<float>& updates, std::ptrdiff_t start,
                  std::ptrdiff_t stop, xt::xarray<float>& output) {
  output = data;
  xt::view(output, xt::range(start, stop, 2)) = updates;
}
