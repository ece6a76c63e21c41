// SPDX-License-Identifier: Apache-2.0
// The operators as cases: what a table says about a case, and how it is added. The header add_case.hpp is one of each
// program's own: it says what becomes of a case.
#ifndef STREW_BENCH_OPERATIONS_HPP
#define STREW_BENCH_OPERATIONS_HPP

#include "add_case.hpp"
#include "calls.hpp"
#include "cases.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace strew::bench {

// SliceScatter: every step-th coordinate of the axis, or of the middle half of it.
enum class part { all, middle_half };
struct slice_case {
  const char* name;
  shape data;
  part of;
  std::int64_t step;
};

template <class T>
void add_slice_scatter(const slice_case& c, std::int64_t bytes, const case_options& options = {}) {
  const shape data = c.data.filled(bytes / static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t begin = c.of == part::all ? 0 : data.extent() / 4;
  const std::int64_t end = data.extent() - begin;
  const std::int64_t step = c.step;
  const std::int64_t first = step > 0 ? begin : end - 1;
  const std::int64_t before_first = begin > 0 ? begin - 1 : std::numeric_limits<std::int64_t>::min();
  const slice_spec slice{.start = first, .stop = step > 0 ? end : before_first, .step = step, .axes = data.axis};
  const std::int64_t distance = step > 0 ? step : -step;
  const std::int64_t count = (end - begin + distance - 1) / distance;

  add_case<T>({std::string("slice_scatter/") + c.name, type_name<T>(), data, count, options}, [=](const tensors<T>& t) {
    return operation{slice_scatter_call<T>{t, slice},
                     [=](std::int64_t, std::int64_t j, std::int64_t) { return first + j * step; }};
  });
}

// ScatterUpdate: half of the rows, each once, in random order.
struct rows_case {
  const char* name;
  shape data;
};

template <class T, class I = std::int64_t>
void add_scatter_update(const rows_case& c, std::int64_t bytes, const case_options& options = {}) {
  const shape data = c.data.filled(bytes / static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t count = data.extent() / 2;
  const auto workspace = [&](std::size_t threads) {
    return workspace_bytes<T>(scatter_update, data.extents, {count}, data.axis, threads);
  };
  add_case<T>({std::string("scatter_update/") + c.name, type_name<T, I>(), data, count, with_loops<T, I>(options),
               workspace(1), workspace(2)},
              [=, axis = data.axis](const tensors<T>& t) {
                const I* const index =
                    make_indices<I>(count, [&](std::int64_t j) { return random_order(j, t.extent); });
                const tensor_view<const I> indices{index, count};
                return operation{
                    scatter_update_call<T, I>{{t, indices, axis}},
                    [=](std::int64_t, std::int64_t j, std::int64_t) { return static_cast<std::int64_t>(index[j]); }};
              });
}

// ScatterElementsUpdate and ONNX Scatter: half of the elements of each line along the axis, each once.
enum class order {
  random,       // another one for each line
  random_rows,  // the same for all lines, so whole rows are replaced
  sorted,       // ascending, not evenly
  sequential
};
struct elements_case {
  const char* name;
  shape data;
  order of_indices = order::random;
  bool negative = false;  // every other index counts from the end
};

template <template <class, class> class Call, class T, class I>
void add_elements(const std::string& operator_name, const elements_case& c, const case_options& options) {
  const std::int64_t count = c.data.extent() / 2;
  index_list replaced = c.data.extents;
  replaced[c.data.axis] = count;
  const auto workspace = [&](std::size_t threads) {
    return workspace_bytes<T>(scatter_elements_update, c.data.extents, replaced, c.data.axis, threads);
  };
  add_case<T>(
      {operator_name + '/' + c.name, type_name<T, I>(), c.data, count, with_loops<T, I>(options), workspace(1),
       workspace(2)},
      [=](const tensors<T>& t) {
        const I* const index = make_indices<I>(t.updates.size(), [&](std::int64_t k) {
          const std::int64_t j = k / t.inner % count;
          const std::int64_t line = c.of_indices == order::random ? k / (t.inner * count) * t.inner + k % t.inner : 0;
          const std::int64_t position = c.of_indices == order::sequential ? j
                                        : c.of_indices == order::sorted   ? 2 * j + random_order(j, count) % 2
                                                                          : random_order(j, t.extent, line);
          return c.negative && j % 2 == 1 ? position - t.extent : position;
        });
        const tensor_view<const I> indices{index, t.updates.extents()};
        return operation{Call<T, I>{{t, indices, c.data.axis}}, [=](std::int64_t o, std::int64_t j, std::int64_t i) {
                           const auto position = static_cast<std::int64_t>(index[(o * count + j) * t.inner + i]);
                           return position < 0 ? position + t.extent : position;
                         }};
      });
}

template <class T, class I = std::int64_t>
void add_scatter_elements_update(const elements_case& c, const case_options& options = {}) {
  add_elements<scatter_elements_update_call, T, I>("scatter_elements_update", c, options);
}

template <class T, class I = std::int64_t>
void add_onnx_scatter(const elements_case& c, const case_options& options = {}) {
  add_elements<onnx_scatter_call, T, I>("onnx_scatter", c, options);
}

}  // namespace strew::bench

#endif  // STREW_BENCH_OPERATIONS_HPP
