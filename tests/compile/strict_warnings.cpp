// SPDX-License-Identifier: Apache-2.0
// Users' builds turn on warnings that strew's own do not, optimise at other levels and set STREW_MAX_RANK. That this
// compiles is the test: everything, for all types of elements and of indices.
#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/print.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/view/index.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

constexpr int rank = strew::max_rank < 2 ? strew::max_rank : 2;

template <class List, class Index>
int build_list(Index index) {
  const List scalar = index;
  const List braced{index, index};
  const List vector = std::vector<Index>(2, index);
  const List array = std::array<Index, 1>{index};
  const List span = std::span<const Index>(&index, 1);
  return scalar.size() + braced.size() + vector.size() + array.size() + span.size();
}

template <class Index>
std::int64_t use_index_type(Index index, float* data) {
  const strew::tensor_view<float> row{data, {4}};
  const strew::tensor_view<float> part = strew::reverse(strew::slice(row, index, index, index, index), index);
  part(index) = row.at(index);
  return strew::normalize_axis(index, 3) + strew::normalize_index(index, 3, strew::index_rule::wrapping) +
         strew::detail::element_of(index, 3) + strew::resolve_slice(index, index, index, 3).count +
         build_list<strew::index_list>(index) + build_list<strew::stop_list>(index) +
         build_list<strew::axes_list>(index);
}

template <class T>
bool use_element_type(T* a, const char* b) {
  const strew::index_list extents = std::vector<int>(rank, 3);
  const strew::tensor_view<T> view{a, extents};
  const strew::tensor_view<const T> read_only = view;
  const strew::tensor_view<const char> letters{b, extents, extents};
  return strew::detail::shares_memory(a, view.layout(), b, letters.layout()) ||
         strew::has_distinct_elements(strew::transpose(read_only).layout()) ||
         strew::broadcast(view, extents).layout() == strew::permute(letters, extents).layout();
}

template <class T, class Index>
strew::status use_reductions(T* a, const Index* at, const bool* mask) {
  const strew::index_list extents = std::vector<int>(rank, 3);
  const strew::tensor_view<T> view{a, extents};
  const strew::tensor_view<const Index> grid{at, extents};
  const strew::tensor_view<const Index> line{at, {3}};
  strew::thread_pool pool;
  strew::status found = strew::v12::try_scatter_elements_update(pool, view, strew::drop(grid), view, 0,
                                                                strew::reduction::without_init(strew::reduction::sum));
  found = strew::v15::try_scatter_nd_update(view, strew::clip(line), view, strew::reduction::prod);
  found = strew::try_index_reduce(view, 0, line, view, strew::reduction::without_nan(strew::reduction::sum));
  found = strew::onnx::try_scatter_nd(pool, view, grid, view, [](const T& old, const T&) noexcept { return old; });
  found = strew::try_index_add(view, 0, strew::wrap(line), view, strew::scaled_by{T{}});
  found = strew::try_index_fill(view, 0, line, T{});
  found = strew::try_put(view, line, view, strew::reduction::sum);
  found = strew::try_index_put(view, std::tuple{line}, view, strew::reduction::sum);
  found = strew::try_masked_fill(view, strew::tensor_view<const bool>{mask, extents}, T{});
  found = strew::try_select_scatter(view, view, 0, 1);
  found = strew::try_diagonal_scatter(view, view, 0, 0, 1);
  found = strew::onnx::try_tensor_scatter(view, view, line, {});
  if constexpr (!std::is_same_v<T, bool>) {
    found = strew::try_scatter_reduce(view, 0, grid, view, strew::reduction::mean);
  }
  return found;
}

}  // namespace

// What follows is called by nobody, and compiled in full.
bool repeats(const strew::strided_layout& layout) {
  return !strew::has_distinct_elements(layout);
}

strew::status reduce_all(void* memory, const std::int32_t* at, const bool* mask) {
  strew::status found = use_reductions(static_cast<float*>(memory), at, mask);
  found = use_reductions(static_cast<std::int8_t*>(memory), at, mask);
  found = use_reductions(static_cast<std::uint16_t*>(memory), at, mask);
  found = use_reductions(static_cast<bool*>(memory), at, mask);
  return use_reductions(static_cast<std::complex<float>*>(memory), at, mask);
}

std::int64_t use_all(void* memory, float* data, const char* letters) {
  strew::thread_pool pool;
  pool(3, [](std::size_t) {});
  const bool elements = use_element_type(static_cast<bool*>(memory), letters) ||
                        use_element_type(static_cast<char*>(memory), letters) ||
                        use_element_type(static_cast<std::int16_t*>(memory), letters) ||
                        use_element_type(static_cast<double*>(memory), letters) ||
                        use_element_type(static_cast<long double*>(memory), letters) ||
                        use_element_type(static_cast<std::complex<float>*>(memory), letters) ||
                        use_element_type(static_cast<std::string*>(memory), letters);
  return use_index_type<signed char>(1, data) + use_index_type<short>(1, data) + use_index_type<int>(1, data) +
         use_index_type<long>(1, data) + use_index_type<long long>(1, data) + use_index_type<unsigned char>(1, data) +
         use_index_type<unsigned short>(1, data) + use_index_type<unsigned int>(1, data) +
         use_index_type<unsigned long>(1, data) + use_index_type<unsigned long long>(1, data) + (elements ? 1 : 0);
}

// Every operator on elements of one width, out of place and in place, on one thread and on many.
template <class T, class I>
bool call_all(T* data, const T* updates, const I* indices) {
  const strew::index_list extents = std::vector<int>(rank, 5);
  const strew::tensor_view<T> out{data, extents};
  const strew::tensor_view<T> in_place{data, extents};
  const strew::tensor_view<const T> in{updates, extents};
  const strew::tensor_view<const T> up{updates, extents};
  const strew::tensor_view<const I> at{indices, extents};
  const strew::tensor_view<const I> at_rows{indices, {5}};
  strew::thread_pool pool;
  return strew::try_slice_scatter(in, up, {.start = 0, .stop = 5, .step = 1}, out).ok() &&
         strew::try_slice_scatter(pool, in_place, up, {.start = 4, .stop = -6, .step = -1}).ok() &&
         strew::try_scatter_update(in, at_rows, up, 0, out).ok() &&
         strew::try_scatter_update(pool, in_place, at_rows, up, 0).ok() &&
         strew::try_scatter_elements_update(in, at, up, 0, out).ok() &&
         strew::try_scatter_elements_update(pool, in_place, at, up, 0).ok() &&
         strew::onnx::try_scatter(in, at, up, 0, out).ok() && strew::onnx::try_scatter(pool, in_place, at, up, 0).ok();
}

// The same, prepared and bound.
template <class T, class I>
bool call_prepared(T* data, const T* updates, const I* indices) {
  const strew::index_list extents = std::vector<int>(rank, 5);
  const auto run = [&](const auto& scatter, const strew::operand_layouts& layouts) {
    const auto call = strew::prepare<T, I>(scatter, layouts, 0);
    std::vector<std::byte> memory(call.bound_bytes());
    strew::thread_pool pool;
    const auto bound = call.bind(indices, memory);
    bound.run(updates, updates, data);
    return call.try_run(updates, indices, updates, data).ok() &&
           call.try_run(pool, updates, indices, updates, data).ok() && bound.try_run(pool, updates, updates, data).ok();
  };
  const strew::strided_layout all = strew::tensor_view<T>(data, extents).layout();
  const strew::strided_layout at_rows = strew::tensor_view<const I>(indices, {5}).layout();
  const strew::strided_layout at = strew::tensor_view<const I>(indices, extents).layout();
  return run(strew::scatter_update, {all, at_rows, all, all}) && run(strew::onnx::scatter, {all, at, all, all}) &&
         run(strew::scatter_elements_update, {all, at, all, all});
}

bool use_all_operators(void* memory, const void* others, const void* indices) {
  const auto call = [&](auto element, auto index) {
    return call_all(static_cast<decltype(element)*>(memory), static_cast<const decltype(element)*>(others),
                    static_cast<const decltype(index)*>(indices)) &&
           call_prepared(static_cast<decltype(element)*>(memory), static_cast<const decltype(element)*>(others),
                         static_cast<const decltype(index)*>(indices));
  };
  return call(char(), std::int8_t()) && call(short(), std::uint8_t()) && call(float(), std::int16_t()) &&
         call(double(), std::uint16_t()) && call(std::complex<double>(), std::int32_t()) &&
         call(std::array<char, 24>(), std::uint32_t()) && call(std::array<char, 3>(), std::int64_t()) &&
         call(std::string(), std::uint64_t());
}

bool use_run_time_types(void* memory, const void* others, const void* indices, strew::dynamic::element_type type,
                        strew::index_type of_index) {
  const strew::index_list extents = std::vector<int>(rank, 5);
  const strew::dynamic::tensor out{memory, type, extents};
  const strew::dynamic::const_tensor in{others, type, extents};
  const strew::dynamic::index_tensor at{indices, of_index, extents};
  strew::thread_pool pool;
  return strew::try_slice_scatter(pool, in, in, {.start = 0, .stop = 5, .step = 1}, out).ok() &&
         strew::try_scatter_update(in, at, in, 0, out).ok() &&
         strew::try_scatter_elements_update(in, at, in, 0, out).ok() &&
         strew::onnx::try_scatter(pool, out, at, in, 0).ok();
}
