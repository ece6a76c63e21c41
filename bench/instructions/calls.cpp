// SPDX-License-Identifier: Apache-2.0
// Calls, small and large, each in a function of its own, whose instructions check.py counts: the way of a call
// through its checks and loops, as users compile it.
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <vector>

namespace {

using strew::tensor_view;
using index = std::int64_t;

// Values below a bound that no compiler foresees, the same in every run.
template <class T>
std::vector<T> mixed(std::size_t size, std::uint64_t bound) {
  std::vector<T> values(size);
  std::uint64_t state = 1;
  for (T& value : values) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<T>((state >> 33) % bound);
  }
  return values;
}

constexpr std::size_t large = std::size_t{1} << 18;  // elements: 1 MiB of float
std::vector<float> data = mixed<float>(large, 1000);
std::vector<float> updates = mixed<float>(large, 1000);
std::vector<float> output(large);
std::vector<index> ascending = [] {
  std::vector<index> values(512);
  std::iota(values.begin(), values.end(), index{0});
  return values;
}();
std::vector<index> rows = mixed<index>(4096, 512);
std::vector<index> elements = mixed<index>(large, 512);
std::vector<std::int32_t> elements_32 = mixed<std::int32_t>(large, 512);
std::vector<index> numbers = mixed<index>(large, large);
std::vector<index> pairs = mixed<index>(2 * large, 512);
std::vector<char> mask_bytes = mixed<char>(large, 2);

template <class T>
tensor_view<const T> seen(const std::vector<T>& from, strew::index_list extents) {
  return {from.data(), extents};
}
tensor_view<float> out(strew::index_list extents) {
  return {output.data(), extents};
}
tensor_view<const bool> mask() {
  return {reinterpret_cast<const bool*>(mask_bytes.data()), {512, 512}};
}

// Of small calls, whose views would else be most of what is counted.
const std::vector<index> two{5, 2};
const std::vector<index> pairs_of_rows{5, 2, 0, 1, 3, 3, 7, 0};
const tensor_view<const float> small_data = seen(data, {8, 4});
const tensor_view<const index> small_rows = seen(two, {2});
const tensor_view<const index> small_indices = seen(pairs_of_rows, {2, 4});
const tensor_view<const float> small_updates = seen(updates, {2, 4});
const tensor_view<float> small_output = out({8, 4});

const tensor_view<float> large_rows = out({4096, 64});
const tensor_view<const float> large_row_updates = seen(updates, {2, 64});
std::vector<float> eight(8);
const std::vector<float> two_updates{1, 2};

const auto small_update = strew::prepare<float, index>(
    strew::scatter_update, {small_data.layout(), small_rows.layout(), small_updates.layout(), small_output.layout()},
    0);
const auto rows_update = [] {
  const auto all = out({16, 64}).layout();
  return strew::prepare<float, index>(strew::scatter_update, {all, small_rows.layout(), out({2, 64}).layout(), all}, 0);
}();
const auto large_update = [] {
  const auto all = out({512, 512}).layout();
  return strew::prepare<float, index>(strew::scatter_elements_update, {all, all, all, all}, 1);
}();
std::vector<std::byte> schedule(large_update.bound_bytes());
const auto bound_update = large_update.bind(elements.data(), schedule);
strew::heap_workspace workspace;

}  // namespace

#define STREW_CALL(name) extern "C" [[gnu::noinline]] void strew_call_##name()

STREW_CALL(slice_scatter_small) {
  strew::slice_scatter(small_data, small_updates, {.start = 0, .stop = 8, .step = 4}, small_output);
}
STREW_CALL(slice_scatter_large) {
  strew::slice_scatter(seen(data, {512, 512}), seen(updates, {512, 256}),
                       {.start = 0, .stop = 512, .step = 2, .axes = 1}, out({512, 512}));
}
STREW_CALL(scatter_update_small) {
  strew::scatter_update(small_data, small_rows, small_updates, 0, small_output);
}
STREW_CALL(scatter_update_made_anew) {
  strew::scatter_update(tensor_view<const float>{data.data(), {8, 4}}, tensor_view<const std::int64_t>{two.data(), {2}},
                        tensor_view<const float>{updates.data(), {2, 4}}, 0, tensor_view<float>{output.data(), {8, 4}});
}
STREW_CALL(scatter_update_containers) {
  strew::scatter_update(eight, two, two_updates, 0);
}
STREW_CALL(scatter_update_few_in_place) {
  strew::scatter_update(large_rows, small_rows, large_row_updates, 0);
}
STREW_CALL(scatter_update_rows) {
  strew::scatter_update(seen(data, {512, 512}), seen(rows, {256}), seen(updates, {256, 512}), 0, out({512, 512}));
}
STREW_CALL(scatter_update_ascending) {
  strew::scatter_update(seen(data, {512, 512}), seen(ascending, {256}), seen(updates, {256, 512}), 0, out({512, 512}));
}
STREW_CALL(scatter_elements_update_small) {
  strew::scatter_elements_update(small_data, small_indices, small_updates, 0, small_output);
}
STREW_CALL(scatter_elements_update_last_axis) {
  strew::scatter_elements_update(seen(data, {512, 512}), seen(elements_32, {512, 512}), seen(updates, {512, 512}), 1,
                                 out({512, 512}));
}
STREW_CALL(onnx_scatter_first_axis) {
  strew::onnx::scatter(seen(data, {512, 512}), seen(elements, {512, 512}), seen(updates, {512, 512}), 0,
                       out({512, 512}));
}
STREW_CALL(scatter_elements_sum) {
  strew::v12::scatter_elements_update(seen(data, {512, 512}), seen(elements, {512, 512}), seen(updates, {512, 512}), 1,
                                      strew::reduction::sum, out({512, 512}));
}
STREW_CALL(index_add_small) {
  strew::index_add(small_data, 0, small_rows, small_updates, small_output);
}
STREW_CALL(index_add_histogram) {
  strew::index_add(out({512}), 0, seen(elements, {large}), seen(updates, {large}));
}
STREW_CALL(index_reduce_mean) {
  strew::index_reduce(seen(data, {512, 512}), 0, seen(rows, {512}), seen(updates, {512, 512}), strew::reduction::mean,
                      out({512, 512}));
}
STREW_CALL(scatter_nd_rows) {
  strew::v15::scatter_nd_update(seen(data, {512, 512}), seen(rows, {512, 1}), seen(updates, {512, 512}),
                                out({512, 512}));
}
STREW_CALL(scatter_nd_pairs_sum) {
  strew::v15::scatter_nd_update(seen(data, {512, 512}), seen(pairs, {large, 2}), seen(updates, {large}),
                                strew::reduction::sum, out({512, 512}));
}
STREW_CALL(index_put_pairs) {
  strew::index_put(seen(data, {512, 512}), std::tuple{seen(elements, {large}), seen(elements_32, {large})},
                   seen(updates, {large}), out({512, 512}));
}
STREW_CALL(put_in_workspace) {
  strew::put(workspace, seen(data, {512, 512}), seen(numbers, {large}), seen(updates, {large}), out({512, 512}));
}
STREW_CALL(masked_scatter_large) {
  strew::masked_scatter(seen(data, {512, 512}), mask(), seen(updates, {512, 512}), out({512, 512}));
}
STREW_CALL(tensor_scatter_cache) {
  strew::onnx::tensor_scatter(out({8, 64, 512}), seen(updates, {8, 1, 512}), seen(ascending, {8}), {.axis = 1});
}
STREW_CALL(prepared_small) {
  small_update.run(data.data(), two.data(), updates.data(), output.data());
}
STREW_CALL(prepared_rows) {
  rows_update.run(data.data(), two.data(), updates.data(), output.data());
}
STREW_CALL(prepared_few_in_place) {
  rows_update.run(output.data(), two.data(), updates.data());
}
STREW_CALL(bound_large) {
  bound_update.run(data.data(), updates.data(), output.data());
}

int main() {
  strew_call_slice_scatter_small();
  strew_call_slice_scatter_large();
  strew_call_scatter_update_small();
  strew_call_scatter_update_made_anew();
  strew_call_scatter_update_containers();
  strew_call_scatter_update_few_in_place();
  strew_call_scatter_update_rows();
  strew_call_scatter_update_ascending();
  strew_call_scatter_elements_update_small();
  strew_call_scatter_elements_update_last_axis();
  strew_call_onnx_scatter_first_axis();
  strew_call_scatter_elements_sum();
  strew_call_index_add_small();
  strew_call_index_add_histogram();
  strew_call_index_reduce_mean();
  strew_call_scatter_nd_rows();
  strew_call_scatter_nd_pairs_sum();
  strew_call_index_put_pairs();
  strew_call_put_in_workspace();
  strew_call_masked_scatter_large();
  strew_call_tensor_scatter_cache();
  strew_call_prepared_small();
  strew_call_prepared_rows();
  strew_call_prepared_few_in_place();
  strew_call_bound_large();
  double sum = 0;
  for (const float value : output) sum += static_cast<double>(value);
  std::printf("%g\n", sum);  // what was written is used
}
