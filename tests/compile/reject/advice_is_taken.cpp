// SPDX-License-Identifier: Apache-2.0
// What the texts of strew/detail/mistakes.hpp tell users to write, once each: this one compiles.
#include <strew/strew.hpp>

#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

using floats = strew::tensor_view<float>;
using indices_view = strew::tensor_view<const int>;

// no_executor
void executors(floats data, indices_view indices) {
  const auto ex = [](std::size_t n, auto&& body) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  };
  strew::scatter_update(ex, data, indices, data, 0);
}

// braces, no_data, no_indices, no_updates, no_output, bare_extents
void operands(float* pointer, const int* at, std::vector<float>& values, const std::vector<int>& places) {
  strew::scatter_update(strew::tensor_view{pointer, {2, 3}}, strew::tensor_view{at, {2}},
                        strew::tensor_view{pointer, {2, 3}}, 0, strew::tensor_view{pointer, {2, 3}});
  strew::scatter_update(strew::as_view(values), strew::as_view(places), values, 0, strew::as_view(values));
  strew::index_put(values, std::tuple{places}, values);
  static_cast<void>(strew::tensor_view{pointer, {3, 4}, {4, 1}});
}

// array_of_arrays
void arrays(float (&array)[2][3], indices_view indices) {
  strew::scatter_update(strew::tensor_view{&array[0][0], {2, 3}}, indices, 0.5F, 0);
}

// bits: as data, updates and output, and as a mask.
void bits(indices_view indices) {
  std::vector<char> chars(4);
  strew::scatter_update(chars, indices, chars, 0);
  strew::masked_fill(chars, chars, 'x', chars);
  strew::masked_scatter(std::vector<float>(4), chars, std::vector<float>(4), strew::tensor_view<float>());
  bool array[4] = {};
  strew::scatter_update(array, indices, array, 0);
  strew::masked_fill(array, array, true);
  static_cast<void>(strew::as_view(chars)), static_cast<void>(strew::as_view(array));
}

// no_data, no_indices, no_updates_or_value, no_output: tensors whose types are known at run time.
struct runtime_tensor {
  void* data;
  struct {
    int device_type;
  } device;
  int ndim;
  struct {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
  } dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
void at_run_time(const runtime_tensor& tensor, floats data, indices_view indices) {
  strew::scatter_update(strew::as_view<float>(tensor), strew::as_view<const int>(tensor),
                        strew::as_view<const float>(tensor), 0, data);
  const strew::dynamic::tensor any = strew::dynamic::as_tensor(tensor);
  strew::scatter_update(any, strew::dynamic::as_index_tensor(tensor), any, 0, any);
  strew::scatter_update(any, indices, any, 0);
  // no_tuple, unnamed_reduction, no_mask
  const strew::dynamic::index_tensor several[] = {strew::dynamic::as_index_tensor(tensor)};
  strew::index_put(any, std::span(several), any, strew::reduction::sum);
  strew::index_put(any, std::span(several), any, strew::dynamic::reduction{strew::reduction_kind::sum});
  strew::masked_fill(any, strew::dynamic::as_const_tensor(tensor), 1);
}

// no_tuple, index_type, swapped
void indices_of_any_type(floats data) {
  const std::vector<std::int8_t> rows(1);
  const std::vector<std::uint64_t> columns(1);
  strew::index_put(data, std::tuple{strew::as_view(rows), columns}, 0.5F);
  strew::scatter_update(data, rows, data, 0);
  strew::scatter_update(data, columns, data, 0);
}

// no_mask
template <class Element>
void masks(floats data, const std::vector<Element>& mask, strew::tensor_view<const Element> view) {
  strew::masked_fill(data, mask, 1);
  strew::masked_fill(data, view, 1);
  strew::masked_scatter(data, view, data);
}
void all_masks(floats data, strew::tensor_view<const bool> view) {
  masks<char>(data, {}, {});
  masks<signed char>(data, {}, {});
  masks<unsigned char>(data, {}, {});
  masks<std::byte>(data, {}, {});
  strew::masked_fill(data, view, 1);
}

// no_value, fraction, no_updates_or_value
void values(strew::tensor_view<int> data, indices_view indices, strew::tensor_view<const bool> mask) {
  const int one = 1;
  strew::masked_fill(data, mask, 1);
  strew::masked_fill(data, mask, strew::tensor_view{&one, {}});
  strew::index_fill(data, 0, indices, static_cast<int>(0.5));
  strew::scatter_update(data, indices, 7, 0);
}

// const_data, const_output, element_types
void written(const std::vector<float>& data, indices_view indices, std::vector<float>& output) {
  strew::scatter_update(data, indices, data, 0, output);
}

// string_as_reduction, reduction_behind_output, missing_reduction, not_offered, not_reducible, factor
void reductions(floats data, indices_view indices, const std::string& name, strew::tensor_view<bool> flags,
                strew::tensor_view<std::complex<float>> numbers) {
  strew::index_reduce(data, 0, indices, data, strew::reduction::mean, data);
  strew::index_reduce(data, 0, indices, data, [](float a, float b) { return a < b ? a : b; });
  strew::put(data, indices, data, [](float current, float update) { return current - update; });
  strew::reduction_kind kind{};
  if (strew::reduction::parse(name, kind)) {
    strew::reduction::visit<float>(kind, true, [&](const auto& reduction) { static_cast<void>(reduction); });
  }
  strew::index_add(data, 0, indices, data, strew::scaled_by{2});
  strew::index_reduce(flags, 0, indices, flags, strew::reduction::max);
  strew::put(numbers, indices, numbers, strew::reduction::sum);
}

// no_axis, missing_axis, output_or_axis, order_..
void orders(floats data, indices_view indices, strew::tensor_view<const bool> mask, std::vector<int>& integers) {
  const auto& ex = strew::serial;
  strew::scatter_update(ex, data, indices, data, 0, data);
  strew::scatter_update(data, indices, data, {-1}, data);
  strew::scatter_update(integers, indices, integers, 0, strew::as_view(integers));
  strew::onnx::scatter(integers, indices, integers, strew::as_view(integers));
  strew::v12::scatter_elements_update(ex, data, indices, data, 0, strew::reduction::sum, data);
  strew::index_copy(ex, data, 0, indices, data, data);
  strew::index_reduce(ex, data, 0, indices, data, strew::reduction::prod, data);
  strew::v15::scatter_nd_update(ex, data, indices, data, strew::reduction::sum, data);
  strew::put_along_axis(ex, data, indices, data, 0, data);
  strew::index_add(ex, data, 0, indices, data, strew::scaled_by{0.5F}, data);
  strew::index_fill(ex, data, 0, indices, 1, data);
  strew::index_put(ex, data, std::tuple{indices}, data, strew::reduction::sum, data);
  strew::put(ex, data, indices, data, strew::reduction::sum, data);
  strew::select_scatter(ex, data, data, 0, 1, data);
  strew::diagonal_scatter(ex, data, data, 0, 0, 1, data);
  strew::masked_scatter(ex, data, mask, data, data);
  strew::masked_fill(ex, data, mask, 1, data);
  strew::slice_scatter(ex, data, data, {.start = 0, .stop = 2, .step = 1}, data);
  strew::onnx::tensor_scatter(ex, data, data, indices, {}, data);
  strew::onnx::tensor_scatter(ex, data, data, {.mode = strew::onnx::cache_mode::circular, .axis = -1}, data);
}

// layouts_of_prepared, missing_argument_of_prepared, nothing_to_bind; for addresses see addresses_of_prepared_calls.cpp
void prepared(floats data, indices_view indices, strew::tensor_view<const char> mask) {
  const strew::strided_layout all = data.layout();
  static_cast<void>(strew::prepare<float, int>(strew::scatter_update, {all, indices.layout(), all, all}, 0));
  static_cast<void>(strew::prepare<float, int>(strew::index_add, {all, indices.layout(), all}, 0));
  static_cast<void>(strew::prepare<float, char>(strew::masked_fill, {all, mask.layout()}, 1));
  static_cast<void>(strew::prepare<float>(strew::slice_scatter, {all, all}, {.start = 0, .stop = 2, .step = 1}));
}

// dying_elements, no_tensor_of_type, other_element_type
void views(std::vector<float>& named, const std::vector<float>& constant) {
  static_cast<void>(strew::as_view(named));
  static_cast<void>(strew::as_view<const float>(constant));
  strew::tensor_view<const float> view;
  static_cast<void>(strew::try_as_view(constant, view));
}

}  // namespace
