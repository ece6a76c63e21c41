// SPDX-License-Identifier: Apache-2.0
// as_view on xtensor's own types.
#include "../catch.hpp"

#include <strew/as_view.hpp>
#include <strew/strew.hpp>
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

}  // namespace
