// SPDX-License-Identifier: Apache-2.0
#include <xtensor/xarray.hpp>
#include <xtensor/xview.hpp>

#include <cstddef>
#include <vector>

void xtensor_keep(const xt::xarray<float>& data, const std::vector<std::ptrdiff_t>& indices,
                  const xt::xarray<float>& updates, xt::xarray<float>& output) {
  output = data;
  xt::view(output, xt::keep(indices)) = updates;
}
