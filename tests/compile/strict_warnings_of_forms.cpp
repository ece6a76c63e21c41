// SPDX-License-Identifier: Apache-2.0
// As strict_warnings.cpp, which has the types of elements and indices: here are the forms of calls. That this compiles
// is the test: views and layouts from lists, each operator on views and on tensors whose types are known at run time
// only, bound calls and schedules, printing.
#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/prepare.hpp>
#include <strew/print.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <tuple>
#include <vector>

using strew::status;
using strew::strided_layout;
using strew::tensor_view;

strided_layout layout_of_somebody();

float view_from_layout(float* data) {
  const strided_layout layout = layout_of_somebody();
  const tensor_view<float> view{data, layout.extents(), layout.strides()};
  return view.size() > 3 ? view(0) : 1;
}

float view_from_lists(float* data, const strew::index_list& extents, const strew::index_list& strides) {
  const tensor_view<float> strided(data, extents, strides);
  const tensor_view<float> dense(data, extents);
  const tensor_view braced(data, {2, 3}, {3, 1});
  const tensor_view deduced{data, {2, 3}};
  tensor_view<float> made;
  if (!tensor_view<float>::try_make(data, extents, strides, made).ok()) return 0;
  return strided.at(0) + dense.at(0) + braced(1, 2) + deduced(1, 2) + made.at(extents);
}

bool layouts_from_lists(const strew::index_list& extents, const strew::index_list& strides) {
  strided_layout first, second;
  return strided_layout::try_make(extents, strides, 4, first).ok() &&
         strided_layout::try_make(extents, 4, second).ok() &&
         strided_layout::try_make(first.strides(), first.extents(), 4, first).ok() && first == second;
}

std::string print_all(std::ostream& stream, float* data, const void* bytes, strew::dynamic::element_type type) {
  stream << tensor_view<float>(data, {2, 3}) << strew::index_list{1, 2} << status()
         << strew::dynamic::const_tensor(bytes, type, {2});
  return strew::to_string(tensor_view(static_cast<const std::complex<long double>*>(bytes), {1})) +
         strew::to_string(tensor_view<const bool>(static_cast<const bool*>(bytes), {2}));
}

namespace {

// The same calls on both.
template <class Tensor, class Indices, class Mask>
status call_operators(const Tensor& out, const Tensor& in, const Indices& grid, const Indices& line, const Mask& mask) {
  namespace by = strew::reduction;
  strew::thread_pool pool;
  status found = strew::try_slice_scatter(pool, in, in, {.start = 0, .stop = 3, .step = 1}, out);
  found = strew::try_select_scatter(in, in, 0, 1, out);
  found = strew::try_diagonal_scatter(in, in, 0, 0, 1, out);
  found = strew::try_scatter_update(pool, in, line, in, 0, out);
  found = strew::try_index_copy(in, 0, line, in, out);
  found = strew::try_index_add(in, 0, line, in, out);
  found = strew::try_index_reduce(in, 0, line, in, by::prod, out);
  found = strew::try_scatter_elements_update(pool, in, grid, in, 0, out);
  found = strew::v12::try_scatter_elements_update(in, strew::drop(grid), in, 0, by::without_init(by::max), out);
  found = strew::onnx::try_scatter(in, grid, in, 0, out);
  found = strew::onnx::try_scatter_elements(in, grid, in, 0, by::min, out);
  found = strew::try_scatter(in, 0, grid, in, out);
  found = strew::try_scatter_add(in, 0, grid, in, out);
  found = strew::try_scatter_reduce(pool, in, 0, strew::clip(grid), in, by::mean, out);
  found = strew::try_put_along_axis(in, strew::wrap(grid), in, 0, out);
  found = strew::v3::try_scatter_nd_update(in, grid, in, out);
  found = strew::v15::try_scatter_nd_update(in, grid, in, by::sub, out);
  found = strew::onnx::try_scatter_nd(in, grid, in, by::sum, out);
  found = strew::try_put(in, line, in, by::sum, out);
  found = strew::try_masked_scatter(in, mask, in, out);
  found = strew::onnx::try_tensor_scatter(in, in, line, {}, out);
  return found;
}

}  // namespace

status call_on_views(float* data, const std::int32_t* at, const bool* mask) {
  const tensor_view<float> out{data, {3, 3}};
  const tensor_view<const float> in = out;
  const tensor_view<const std::int32_t> line{at, {3}};
  const tensor_view<const std::int32_t> grid{at, {3, 3}};
  status found = call_operators<tensor_view<float>>(out, out, grid, line, tensor_view<const bool>{mask, {3, 3}});
  found = strew::try_index_put(in, std::tuple{line}, in, strew::reduction::sum, out);
  found = strew::try_index_fill(out, 0, line, 1);
  found = strew::try_index_fill(out, 0, line, 0.1);
  found = strew::try_index_fill(out, 0, line, 0.1L);
  return strew::try_masked_fill(out, tensor_view<const bool>{mask, {3, 3}}, 1);
}

status call_on_run_time_types(void* data, const void* at, const void* mask, strew::dynamic::element_type type,
                              strew::index_type of_index, std::int64_t extent) {
  const strew::dynamic::tensor out{data, type, {extent, extent}};
  const strew::dynamic::index_tensor line{at, of_index, {extent}};
  const strew::dynamic::index_tensor grid{at, of_index, {extent, extent}};
  const strew::dynamic::const_tensor chosen{mask, strew::dynamic::element_type_of<bool>, {extent, extent}};
  status found = call_operators(out, out, grid, line, chosen);
  strew::dynamic::schedule bound;
  found = strew::try_index_add(bound.measure(), out, 0, line, out);
  std::vector<std::byte> memory(bound.bytes());
  found = strew::try_index_add(bound.make(memory), out, 0, line, out);
  return strew::try_index_add(bound.run(), out, 0, line, out);
}

status run_bound(double* data, const std::int64_t* at, std::span<std::byte> memory) {
  const strided_layout all = tensor_view<double>(data, {3, 3}).layout();
  const strided_layout line = tensor_view<const std::int64_t>(at, {3}).layout();
  const auto add = strew::prepare<double, std::int64_t>(strew::index_add, {all, line, all, all}, 0);
  const auto bound = add.bind(at, memory);
  bound.run(data, data, data);
  return bound.try_run(data, data, data);
}
