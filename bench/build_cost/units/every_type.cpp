// SPDX-License-Identifier: Apache-2.0
// What bindings of another language need: functions for 5 element widths x 8 index types x 4 operators.
#include <strew/strew.hpp>

#include <complex>
#include <cstdint>
#include <tuple>

template <class T, class I>
void scatter(strew::tensor_view<const T> data, strew::tensor_view<const I> indices, strew::tensor_view<const T> updates,
             const strew::slice_spec& slice, strew::tensor_view<T> output) {
  strew::slice_scatter(data, updates, slice, output);
  strew::scatter_update(data, indices, updates, 0, output);
  strew::scatter_elements_update(data, indices, updates, 0, output);
  strew::onnx::scatter(data, indices, updates, 0, output);
}

template <class T, class... Indices>
struct functions {
  std::tuple<decltype(&scatter<T, Indices>)...> by_index{&scatter<T, Indices>...};
};

template <class T>
using functions_of = functions<T, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                               std::uint32_t, std::uint64_t>;

functions_of<std::int8_t> width_1;
functions_of<std::int16_t> width_2;
functions_of<float> width_4;
functions_of<double> width_8;
functions_of<std::complex<double>> width_16;
