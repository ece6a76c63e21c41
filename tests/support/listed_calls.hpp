// SPDX-License-Identifier: Apache-2.0
// One call of each operator of the list, on row-major operands of any element type: for tests of what fails during a
// call. What the operator does is found by naive loops over `targets`. The calls themselves are those of the list.
#ifndef STREW_TESTS_SUPPORT_LISTED_CALLS_HPP
#define STREW_TESTS_SUPPORT_LISTED_CALLS_HPP

#include "operators/matrix/calls.hpp"
#include "operators/matrix/list.hpp"
#include "scatter_case.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {

using matrix::places;
using matrix::unnamed;

// data[rows, columns], and `count` rows, elements of each column, or multi-indices for each column. There must be at
// least two rows and four columns, and no more indices than rows.
struct call_size {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t count;
};

// A call of an operator without the elements of its tensors.
struct listed_call {
  std::size_t row = 0;  // of the list
  scatter_case on;      // of which only what is no tensor
  index_list data_extents;
  index_list updates_extents;
  std::vector<index_list> index_extents;
  std::vector<std::vector<std::int64_t>> indices;
  std::unique_ptr<bool[]> mask;
  bool has_one_update = false;
  // For each update in row-major order the number of the element that it is written to; of one update all targets.
  std::vector<std::int64_t> targets;

  [[nodiscard]] const matrix::operator_row& listed() const { return matrix::operators[row]; }
  [[nodiscard]] std::size_t data_size() const { return static_cast<std::size_t>(data_extents[0] * data_extents[1]); }
  [[nodiscard]] std::size_t updates_size() const { return has_one_update ? 1 : targets.size(); }
  [[nodiscard]] std::size_t update_of(std::size_t target) const { return has_one_update ? 0 : target; }
};

// Indices without order and with duplicates, or ascending ones, in [0, extent).
enum class index_order { scattered, ascending };
inline std::int64_t listed_index(std::int64_t k, std::int64_t count, std::int64_t extent, index_order order) {
  if (order == index_order::ascending) return k * extent / count;
  return (k * k % 1021 * 7 + k * 3 + 1) % extent;
}

inline listed_call make_listed_call(std::size_t row, const call_size& size,
                                    index_order order = index_order::scattered) {
  const std::int64_t n = size.rows;
  const std::int64_t c = size.columns;
  listed_call of;
  of.row = row;
  of.data_extents = {n, c};
  const auto row_of = [&](std::int64_t k, std::int64_t count) { return listed_index(k, count, n, order); };
  switch (of.listed().by) {
    case places::slice:
      of.on.slice = {.start = 1, .stop = n, .step = 2, .axes = 0};
      of.updates_extents = {n / 2, c};
      for (std::int64_t i = 1; i < n; i += 2) {
        for (std::int64_t j = 0; j < c; ++j) of.targets.push_back(i * c + j);
      }
      break;
    case places::coordinate:
      of.on.axis = 1;
      of.on.number = c / 2;
      of.updates_extents = {n};
      for (std::int64_t i = 0; i < n; ++i) of.targets.push_back(i * c + c / 2);
      break;
    case places::diagonal:
      of.on.axis = 0;
      of.on.second_axis = 1;
      of.on.number = 1;
      for (std::int64_t i = 0; i < n && i + 1 < c; ++i) of.targets.push_back(i * c + i + 1);
      of.updates_extents = {static_cast<std::int64_t>(of.targets.size())};
      break;
    case places::rows:
      of.index_extents = {{size.count}};
      of.indices.emplace_back();
      of.updates_extents = {size.count, c};
      for (std::int64_t k = 0; k < size.count; ++k) {
        of.indices[0].push_back(row_of(k, size.count));
        for (std::int64_t j = 0; j < c; ++j) of.targets.push_back(of.indices[0].back() * c + j);
      }
      break;
    case places::elements:
      of.index_extents = {{size.count, c}};
      of.indices.emplace_back();
      of.updates_extents = {size.count, c};
      for (std::int64_t k = 0; k < size.count; ++k) {
        for (std::int64_t j = 0; j < c; ++j) {
          const std::int64_t index =
              order == index_order::scattered ? row_of(k * c + j, size.count * c) : row_of(k, size.count);
          of.indices[0].push_back(index);
          of.targets.push_back(index * c + j);
        }
      }
      break;
    case places::tuples:
    case places::tensors: {
      const bool is_packed = of.listed().by == places::tuples;
      const std::int64_t tuples = size.count * c;
      of.updates_extents = {tuples};
      if (is_packed) {
        of.index_extents = {{tuples, 2}};
        of.indices.resize(1);
      } else {
        of.index_extents = {{tuples}, {tuples}};
        of.indices.resize(2);
      }
      for (std::int64_t k = 0; k < tuples; ++k) {
        const std::int64_t i = row_of(k, tuples);
        const std::int64_t j = k % c;
        of.indices[0].push_back(i);
        of.indices[is_packed ? 0 : 1].push_back(j);
        of.targets.push_back(i * c + j);
      }
      break;
    }
    case places::numbers: {
      const std::int64_t count = size.count * c;
      of.index_extents = {{count}};
      of.updates_extents = {count};
      of.indices.emplace_back();
      for (std::int64_t k = 0; k < count; ++k) {
        of.indices[0].push_back(listed_index(k, count, n * c, order));
        of.targets.push_back(of.indices[0].back());
      }
      break;
    }
    case places::mask:
      of.mask = std::make_unique<bool[]>(of.data_size());
      for (std::int64_t k = 0; k < n * c; ++k) {
        const bool is_set = k * k % 7 < 3;
        of.mask[static_cast<std::size_t>(k)] = is_set;
        if (is_set) of.targets.push_back(k);
      }
      of.updates_extents = {static_cast<std::int64_t>(of.targets.size())};
      break;
    case places::starts: {
      const std::int64_t length = c / 2;
      of.on.axis = 1;
      of.index_extents = {{n}};
      of.indices.emplace_back();
      of.updates_extents = {n, length};
      for (std::int64_t i = 0; i < n; ++i) {
        of.indices[0].push_back(i % (c - length + 1));
        for (std::int64_t j = 0; j < length; ++j) of.targets.push_back(i * c + of.indices[0].back() + j);
      }
      break;
    }
  }
  if (of.listed().takes_value) {
    of.has_one_update = true;
    of.updates_extents = {};
  }
  return of;
}

// ---- Arguments

template <class Calls>
inline constexpr bool is_listed_fill =
    Calls::drawn_as == operation::index_fill || Calls::drawn_as == operation::masked_fill;
template <class Calls>
inline constexpr bool is_listed_mask =
    Calls::drawn_as == operation::masked_scatter || Calls::drawn_as == operation::masked_fill;
template <class Calls>
inline constexpr bool is_listed_unindexed =
    Calls::drawn_as == operation::slice_scatter || Calls::drawn_as == operation::select_scatter ||
    Calls::drawn_as == operation::diagonal_scatter;

inline tensor_view<const std::int64_t> listed_indices(const listed_call& of, std::size_t k) {
  return {of.indices[k].data(), of.index_extents[k]};
}

// Calls body(indices) with what the call has between data and updates.
template <class Calls, class Body>
auto with_listed_indices(const listed_call& of, const Body& body) {
  if constexpr (Calls::drawn_as == operation::index_put) {
    return body(std::tuple{listed_indices(of, 0), listed_indices(of, 1)});
  } else if constexpr (is_listed_mask<Calls>) {
    return body(tensor_view<const bool>{of.mask.get(), of.data_extents});
  } else if constexpr (is_listed_unindexed<Calls>) {
    return body(unnamed{});
  } else {
    return body(listed_indices(of, 0));
  }
}

// Where the result is written.
enum class output_kind { other, data, left_out };
inline constexpr output_kind all_output_kinds[] = {output_kind::other, output_kind::data, output_kind::left_out};

// The tensors of one call. The output is not used where the call is in place.
template <class T>
struct listed_tensors {
  T* data;
  const T* updates;
  T* output;
};

// The reduction of an operator that names one, otherwise nothing.
template <class Calls, class R>
auto listed_reduction(const R& reduce) {
  if constexpr (Calls::how == matrix::combining::named) {
    return reduce;
  } else {
    static_cast<void>(reduce);
    return unnamed{};
  }
}

// How a call is made.
enum class listed_form { attempted, throwing, prepared, bound };
inline constexpr listed_form all_listed_forms[] = {listed_form::attempted, listed_form::throwing, listed_form::prepared,
                                                   listed_form::bound};

template <class Calls, class T, class R>
auto prepare_listed(const listed_call& of, const T& value, const R& reduce) {
  const auto layout = [](const index_list& extents, std::size_t width) {
    strided_layout result;
    static_cast<void>(strided_layout::try_make(extents, width, result));
    return result;
  };
  const strided_layout whole = layout(of.data_extents, sizeof(T));
  const strided_layout updates = layout(of.updates_extents, sizeof(T));
  return Calls::rest(of.on, value, listed_reduction<Calls>(reduce), [&](const auto&... rest) {
    if constexpr (is_listed_unindexed<Calls>) {
      return prepare<T>(Calls::throwing, {whole, updates, whole}, rest...);
    } else if constexpr (Calls::drawn_as == operation::index_put) {
      const std::array<strided_layout, 2> both{layout(of.index_extents[0], 8), layout(of.index_extents[1], 8)};
      const std::span<const strided_layout> indices(both);
      return prepare<T, std::int64_t>(Calls::throwing, {whole, indices, updates, whole}, rest...);
    } else if constexpr (is_listed_mask<Calls>) {
      const strided_layout mask = layout(of.data_extents, 1);
      if constexpr (is_listed_fill<Calls>) {
        return prepare<T, bool>(Calls::throwing, {whole, mask, whole}, rest...);
      } else {
        return prepare<T, bool>(Calls::throwing, {whole, mask, updates, whole}, rest...);
      }
    } else {
      const strided_layout indices = layout(of.index_extents[0], 8);
      if constexpr (is_listed_fill<Calls>) {
        return prepare<T, std::int64_t>(Calls::throwing, {whole, indices, whole}, rest...);
      } else {
        return prepare<T, std::int64_t>(Calls::throwing, {whole, indices, updates, whole}, rest...);
      }
    }
  });
}

// Calls body(addresses of indices, or of a mask).
template <class Calls, class Body>
auto with_listed_addresses(const listed_call& of, const Body& body) {
  if constexpr (Calls::drawn_as == operation::index_put) {
    const std::array<const std::int64_t*, 2> both{of.indices[0].data(), of.indices[1].data()};
    return body(std::span<const std::int64_t* const>(both));
  } else if constexpr (is_listed_mask<Calls>) {
    return body(static_cast<const bool*>(of.mask.get()));
  } else {
    return body(static_cast<const std::int64_t*>(of.indices[0].data()));
  }
}

// The plain call, thrown or returned.
template <class Calls, class Ex, class T, class R>
status call_listed(listed_form form, const listed_call& of, Ex& ex, const listed_tensors<T>& on, output_kind where,
                   const R& reduce) {
  const auto call = [&](const auto&... arguments) -> status {
    if (form == listed_form::attempted) return Calls::attempt(ex, arguments...);
    try {
      Calls::call(ex, arguments...);
    } catch (const scatter_error& error) {
      return error.status();
    }
    return {};
  };
  const tensor_view<T> data{on.data, of.data_extents};
  const tensor_view<const T> updates{on.updates, of.updates_extents};
  return with_listed_indices<Calls>(of, [&](const auto& indices) {
    const auto reduction = listed_reduction<Calls>(reduce);
    if (where == output_kind::left_out) {
      return Calls::arguments(of.on, data, indices, updates, reduction, call);
    }
    const tensor_view<T> output{where == output_kind::data ? on.data : on.output, of.data_extents};
    return Calls::arguments(of.on, tensor_view<const T>(data), indices, updates, reduction,
                            [&](const auto&... arguments) { return call(arguments..., output); });
  });
}

// The prepared call, with bound indices perhaps. `kept` is memory for them, resized if it is too small.
template <class Calls, class Ex, class Prepared, class T>
status run_prepared_listed(bool is_bound, const Prepared& call, const listed_call& of, Ex& ex,
                           const listed_tensors<T>& on, output_kind where, std::vector<std::byte>& kept) {
  T* const output = where == output_kind::other ? on.output : on.data;
  const T* const data = on.data;
  const T* const updates = on.updates;
  if constexpr (is_listed_unindexed<Calls>) {
    static_cast<void>(is_bound);
    static_cast<void>(kept);
    return call.try_run(ex, data, updates, output);
  } else {
    return with_listed_addresses<Calls>(of, [&](const auto& indices) -> status {
      if (!is_bound) {
        if constexpr (is_listed_fill<Calls>) {
          return call.try_run(ex, data, indices, output);
        } else {
          return call.try_run(ex, data, indices, updates, output);
        }
      }
      if (kept.size() < call.bound_bytes()) kept.resize(call.bound_bytes());
      decltype(call.bind(indices, kept)) made;
      if (status error = call.try_bind(indices, kept, made); !error.ok()) return error;
      if constexpr (is_listed_fill<Calls>) {
        return made.try_run(ex, data, output);
      } else {
        return made.try_run(ex, data, updates, output);
      }
    });
  }
}

template <class Calls, class Ex, class T, class R>
status run_listed(listed_form form, const listed_call& of, Ex& ex, const listed_tensors<T>& on, output_kind where,
                  const R& reduce) {
  if (form == listed_form::attempted || form == listed_form::throwing) {
    return call_listed<Calls>(form, of, ex, on, where, reduce);
  }
  std::vector<std::byte> kept;
  return run_prepared_listed<Calls>(form == listed_form::bound, prepare_listed<Calls, T>(of, *on.updates, reduce), of,
                                    ex, on, where, kept);
}

// Calls body.template operator()<calls of the row>(row) for each operator.
template <class Body>
void for_each_listed(const Body& body) {
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    (body.template operator()<std::tuple_element_t<Row, matrix::all_calls>>(Row), ...);
  }
  (std::make_index_sequence<std::size(matrix::operators)>());
}

// ---- Naive loops

// The values of each element of the output from its first to its last one: what it is before, data's, and after each of
// its updates. combine(current, update) is the reduction.
template <class Value, class Combine>
std::vector<std::vector<Value>> listed_histories(const listed_call& of, const std::vector<Value>& before,
                                                 const std::vector<Value>& data, const std::vector<Value>& updates,
                                                 const Combine& combine) {
  std::vector<std::vector<Value>> histories(data.size());
  for (std::size_t k = 0; k < data.size(); ++k) histories[k] = {before[k], data[k]};
  for (std::size_t k = 0; k < of.targets.size(); ++k) {
    std::vector<Value>& history = histories[static_cast<std::size_t>(of.targets[k])];
    history.push_back(combine(history.back(), updates[of.update_of(k)]));
  }
  return histories;
}
template <class Value>
std::vector<Value> last_values(const std::vector<std::vector<Value>>& histories) {
  std::vector<Value> result;
  for (const std::vector<Value>& history : histories) result.push_back(history.back());
  return result;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_LISTED_CALLS_HPP
