// SPDX-License-Identifier: Apache-2.0
// nanobind's arrays as operands: test_nanobind.py calls these with NumPy's.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace nb = nanobind;

using floats = nb::ndarray<float, nb::device::cpu>;
using constant_floats = nb::ndarray<const float, nb::device::cpu>;
using integers = nb::ndarray<const std::int64_t, nb::device::cpu>;

// On a device that is known, an element type is all that operators need; elsewhere they ask the array.
static_assert(std::is_same_v<decltype(strew::as_view(std::declval<floats&>())), strew::tensor_view<float>>);
static_assert(
    std::is_same_v<decltype(strew::as_view(std::declval<integers&>())), strew::tensor_view<const std::int64_t>>);
static_assert(!strew::executor<floats>, "an array can be called with two arguments, and is no executor");

NB_MODULE(strew_nanobind, module) {
  module.def("index_add",
             [](floats data, integers index, constant_floats source) { strew::index_add(data, 0, index, source); });
  module.def("scatter_update", [](nb::ndarray<> data, nb::ndarray<nb::ro> index, nb::ndarray<nb::ro> updates) {
    strew::scatter_update(strew::dynamic::as_tensor(data), strew::dynamic::as_index_tensor(index),
                          strew::dynamic::as_const_tensor(updates), 0);
  });
  module.def("sum_of_view", [](nb::ndarray<double, nb::ndim<2>, nb::device::cpu> data) {
    auto elements = data.view();
    const auto view = strew::as_view(elements);
    double sum = 0;
    for (std::int64_t i = 0; i < view.extent(0); ++i) {
      for (std::int64_t j = 0; j < view.extent(1); ++j) sum += view(i, j);
    }
    return sum;
  });
  module.def("why_not_floats", [](nb::ndarray<nb::ro> data) {
    strew::tensor_view<const float> view;
    return std::string(strew::try_as_view<const float>(data, view).message().c_str());
  });
}
