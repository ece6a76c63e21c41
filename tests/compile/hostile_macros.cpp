// SPDX-License-Identifier: Apache-2.0
// Names that C and Windows headers take as macros may stand before strew's headers: <complex.h> defines I in GNU mode,
// <windows.h> min, max, near, far and small. That this compiles is the test; it is built with the extensions of GNU on.
#include <complex.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <type_traits>

#if defined(_LIBCPP_VERSION)
#define I 1  // its <complex.h> is <complex>
#elif !defined(I)
#error "<complex.h> defines no I here: compile this file with -std=gnu++20"
#endif

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define ERROR 0
#define DELETE (0x00010000L)
#define STRICT 1
#define TRUE 1
#define FALSE 0
#define YES 1
#define NO 0
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define True 1
#define False 0
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

// One after the other, each with all that it includes.
#include <strew/bound.hpp>
#include <strew/config.hpp>
#include <strew/dynamic.hpp>
#include <strew/error_message.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/print.hpp>
#include <strew/status.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

// Templates break only where they are used.
std::int64_t use_all(float* data, std::uint64_t extent, std::int32_t index) {
  const strew::tensor_view<float> view{data, {extent, extent}};
  const strew::slice_spec spec{.start = index, .stop = index, .step = 1, .axes = {0}};
  const auto part = strew::slice(strew::reverse(strew::permute(view, {1, 0}), 0), 0, 0, index, 2);
  const auto wider = strew::broadcast(strew::transpose(part), {extent, extent, extent});
  strew::thread_pool pool;
  pool(static_cast<std::size_t>(extent), [&](std::size_t k) { view.at(k, index) = view(index, k); });
  return spec.start[0] + strew::normalize_axis(index, 2) +
         strew::normalize_index(index, 5, strew::index_rule::wrapping) +
         strew::resolve_slice(index, index, 1, 5).count + strew::has_distinct_elements(wider.layout()) +
         strew::detail::shares_memory(part.data(), part.layout(), wider.data(), wider.layout());
}

strew::status reduce_all(float* data, const std::int64_t* indices) {
  const strew::tensor_view<float> view{data, {2, 2}};
  const strew::tensor_view<const std::int64_t> at{indices, {2, 2}};
  strew::status found = strew::v12::try_scatter_elements_update(view, strew::drop(at), view, 0, strew::reduction::max);
  found = strew::try_scatter_reduce(view, 0, at, view, strew::reduction::without_init(strew::reduction::min));
  found = strew::try_index_put(view, std::tuple{at}, view, strew::reduction::sum);
  return strew::onnx::try_scatter_nd(view, at, view, strew::reduction::min);
}

strew::status call_all(float* data, const std::int8_t* indices, std::int64_t extent) {
  const strew::tensor_view<float> out{data, {extent, 4}};
  const strew::tensor_view<const std::int8_t> at{indices, {3, 4}};
  const strew::tensor_view<const std::int8_t> at_rows{indices, {3}};
  const strew::tensor_view<const float> up{data + 100, {3, 4}};
  strew::thread_pool pool;
  strew::slice_scatter(pool, out, up, {.start = 0, .stop = 3, .step = 1});
  strew::scatter_update(pool, out, at_rows, up, 0);
  strew::scatter_elements_update(out, at, up, 0);
  return strew::onnx::try_scatter(pool, strew::dynamic::tensor{out}, strew::dynamic::index_tensor{at},
                                  strew::dynamic::const_tensor{up}, 0);
}
