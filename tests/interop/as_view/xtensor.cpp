// SPDX-License-Identifier: Apache-2.0
// as_view on xtensor's own types.
#include "support/catch.hpp"

#include <strew/strew.hpp>
#include <strew/view/as_view.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <type_traits>
#include <vector>

namespace {

using strew::as_view;
using strew::index_list;

template <class View, class Tensor>
bool shows(const View& view, Tensor& tensor) {
  bool all = view.extents() == index_list{static_cast<int>(tensor.shape()[0]), static_cast<int>(tensor.shape()[1])};
  for (std::size_t i = 0; i < tensor.shape()[0]; ++i) {
    for (std::size_t j = 0; j < tensor.shape()[1]; ++j) all = all && &view(i, j) == &tensor(i, j);
  }
  return all;
}

TEST_CASE("containers of either order, adaptors, strided views") {
  xt::xarray<float> array = xt::zeros<float>({3, 4});
  xt::xtensor<double, 2, xt::layout_type::column_major> columns({3, 4});
  xt::xtensor_fixed<int, xt::xshape<2, 3>> fixed;
  std::vector<float> memory(12);
  auto adapted = xt::adapt(memory, std::vector<std::size_t>{4, 3});
  CHECK(shows(as_view(array), array));
  CHECK(shows(as_view(columns), columns));
  CHECK(shows(as_view(fixed), fixed));
  CHECK(shows(as_view(adapted), adapted));
  auto part = xt::view(array, xt::range(1, 3), xt::range(0, 4, 2));
  CHECK(shows(as_view(part), part));
  auto line = xt::view(array, 1, xt::all());
  CHECK(as_view(line).extents() == index_list{4});
  CHECK(&as_view(line)(2) == &array(1, 2));
  const xt::xarray<float>& constant = array;
  CHECK(std::is_same_v<decltype(as_view(constant)), strew::tensor_view<const float>>);
}

TEST_CASE("xtensor's tensors, scattered") {
  xt::xarray<float> table = xt::zeros<float>({4, 2});
  const xt::xtensor<int, 1> rows{3, 1};
  const xt::xtensor<float, 2> updates{{1, 2}, {3, 4}};
  strew::scatter_update(table, rows, updates, 0);
  strew::index_add(table, 0, rows, updates);
  CHECK(table(3, 1) == 4);
  CHECK(table(1, 0) == 6);
  auto right = xt::view(table, xt::all(), xt::range(1, 2));
  strew::slice_scatter(right, xt::xtensor<float, 2>{{7}}, {.start = 0, .stop = 1, .step = 1, .axes = 0});
  CHECK(table(0, 1) == 7);
  xt::xtensor<float, 2> output({4, 2});
  strew::onnx::scatter(table, xt::xtensor<int, 2>{{2}}, xt::xtensor<float, 2>{{9}}, output);
  CHECK(output(2, 0) == 9);
}

}  // namespace
