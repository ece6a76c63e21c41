// SPDX-License-Identifier: Apache-2.0
// select_scatter and diagonal_scatter (PyTorch): copies into one coordinate of an axis, and into a diagonal.
#ifndef STREW_SELECT_SCATTER_HPP
#define STREW_SELECT_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/assign.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// The extents of data without the axes whose bits are set.
constexpr index_list without_axes(const index_list& extents, std::uint64_t axes) noexcept {
  index_list result;
  for (int k = 0; k < extents.size(); ++k) {
    if ((axes >> k & 1) == 0) result.push_back(extents[k]);
  }
  return result;
}

// What select_scatter and diagonal_scatter ask of their operands beside axes and indices.
template <class T>
constexpr bool check_source(const char* operation, const tensor_view<const T>& data, const tensor_view<const T>& source,
                            const index_list& extents, const tensor_view<T>& output, status& error) noexcept {
  const shared_memory shared = generic::find_shared(data, source, output);
  return check_output(operation, data.layout(), output.layout(), shared, error) &&
         check_extents(operation, "updates", source.extents(), extents, "that part of data", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

// select_scatter: data, source, axis, index, output (if any).
struct select_scatter_operator {
  static constexpr const char* operation = "select_scatter";

  template <class Ex, class Data, class Updates, index_integer Axis, index_integer Index, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Updates& source, const Axis& axis,
                            const Index& index, const Output&... output) {
    with_output(
        data,
        [&](const auto& to) {
          if constexpr (check_operand_types<Data, Updates, std::remove_cvref_t<decltype(to)>>()) {
            with_typed_views(
                operation, read_only(data), read_only(source), to, error,
                [&](const auto& d, const auto& s, const auto& o) { run_checked(ex, error, d, s, axis, index, o); });
          }
        },
        output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, source, axis, index (integers), output (if any)");
  }

 private:
  template <class Ex, class T, class Index>
  static constexpr void run_checked(Ex& ex, status& error, const tensor_view<const T>& data,
                                    const tensor_view<const T>& source, const index_list& axis, Index index,
                                    const tensor_view<T>& output) {
    int k = 0;
    if (!(check_data_rank(operation, data.rank(), error) && check_single_axis(operation, axis, data.rank(), k, error) &&
          check_source(operation, data, source, without_axes(data.extents(), std::uint64_t{1} << k), output, error))) {
      return;
    }
    const std::int64_t extent = data.extent(k);
    const std::int64_t element = normalize_index(index, extent, index_rule::wrapping);
    if (element == out_of_bounds) {
      refuse(error, errc::index_out_of_bounds, operation, "index",
             extent == 0 ? " = {0} names no element (axis {3} of data has extent 0)"
                         : " = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})",
             {static_cast<std::int64_t>(index), -extent, extent - 1, k, extent});
      if (std::is_unsigned_v<Index>) error.first_number_is_unsigned();
      return;
    }
    index_list extents;
    index_list strides;
    for (int i = 0; i < data.rank(); ++i) {
      extents.push_back(i == k ? 1 : source.extent(i - (i > k ? 1 : 0)));
      strides.push_back(i == k ? 0 : source.stride(i - (i > k ? 1 : 0)));
    }
    const slice_spec slice{.start = element, .stop = element + 1, .step = 1, .axes = k};
    run_call(slice_scatter_call{}, ex, data, part_of(source, 0, extents, strides), slice, output, error);
  }
};

// A diagonal of a tensor.
struct diagonal {
  std::int64_t offset;  // of its first element, as coordinates on the two axes
  std::int64_t row;
  std::int64_t column;
  std::int64_t length;

  constexpr diagonal(std::int64_t distance, std::int64_t rows, std::int64_t columns) noexcept
      : offset{distance}, row{0}, column{0}, length{0} {
    if (offset >= columns || offset <= -rows) return;  // also keeps what follows from overflowing
    row = offset < 0 ? -offset : 0;
    column = offset < 0 ? 0 : offset;
    length = rows - row < columns - column ? rows - row : columns - column;
  }
};

// diagonal_scatter: data, source, offset, axis1, axis2, output (if any).
struct diagonal_scatter_operator {
  static constexpr const char* operation = "diagonal_scatter";

  template <class Ex, class Data, class Updates, index_integer Offset, index_integer Axis1, index_integer Axis2,
            class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Updates& source, const Offset& offset,
                            const Axis1& axis1, const Axis2& axis2, const Output&... output) {
    with_output(
        data,
        [&](const auto& to) {
          if constexpr (check_operand_types<Data, Updates, std::remove_cvref_t<decltype(to)>>()) {
            with_typed_views(operation, read_only(data), read_only(source), to, error,
                             [&](const auto& d, const auto& s, const auto& o) {
                               run_checked(ex, error, d, s, saturate(offset), {axis1, axis2}, o);
                             });
          }
        },
        output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, source, offset, axis1, axis2 (integers), "
                  "output (if any)");
  }

  // The axes, each named once, and the extents of the diagonal: data without both, its length last.
  static constexpr bool find_source(const char* name, const index_list& data, std::int64_t offset,
                                    const index_list& axes, int& rows, int& columns, index_list& extents,
                                    status& error) noexcept {
    axis_set used;
    if (max_rank < 2 || data.size() < 2) {
      return refuse(error, errc::rank_mismatch, name, "data", " has rank {0}, expected at least 2", {data.size()});
    }
    if (!(used.insert(name, 0, axes[0], data.size(), "data", rows, error) || refuse_as_given(error, axes, 0)) ||
        !(used.insert(name, 1, axes[1], data.size(), "data", columns, error) || refuse_as_given(error, axes, 1))) {
      return false;
    }
    extents = without_axes(data, std::uint64_t{1} << rows | std::uint64_t{1} << columns);
    extents.push_back(diagonal(offset, data[rows], data[columns]).length);
    return true;
  }

 private:
  template <class Ex, class T>
  static constexpr void run_checked(Ex& ex, status& error, const tensor_view<const T>& data,
                                    const tensor_view<const T>& source, std::int64_t offset, const index_list& axes,
                                    const tensor_view<T>& output) {
    int rows = 0;
    int columns = 0;
    index_list extents;
    if (!(find_source(operation, data.extents(), offset, axes, rows, columns, extents, error) &&
          check_source(operation, data, source, extents, output, error))) {
      return;
    }
    if (!is_same_view(data, output)) assign(ex, data, output, error);
    if (source.empty() || !error.ok()) return;
    const diagonal at(offset, data.extent(rows), data.extent(columns));
    index_list strides = without_axes(output.strides(), std::uint64_t{1} << rows | std::uint64_t{1} << columns);
    // Where the diagonal has one element its stride is not taken, and may be too large.
    strides.push_back(at.length == 1 ? 0 : output.stride(rows) + output.stride(columns));
    assign(ex, source,
           part_of(output, at.row * output.stride(rows) + at.column * output.stride(columns), extents, strides), error);
  }
};

constexpr bool find_select_source(const index_list& data, std::int64_t axis, index_list& result,
                                  status& error) noexcept {
  constexpr const char* operation = "select_scatter_source_extents";
  int k = 0;
  if (!(check_shape(operation, "data_extents", data, error) && check_data_rank(operation, data.size(), error) &&
        check_single_axis(operation, axis, data.size(), k, error))) {
    return false;
  }
  result = without_axes(data, std::uint64_t{1} << k);
  return true;
}

}  // namespace detail

// output = data; output[.., index, ..] = source[.., ..], where the index stands on `axis`.
//
//   data[d0, .., dr-1], source[data's without axis] -> output[d0, .., dr-1]
//
//   select_scatter(data, source, axis, index, output)
//
// with an executor first if there is one; without `output` in place. r >= 1; `axis` in [-r, r-1]; `index` in
// [-d_axis, d_axis - 1]. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds. O(data.size()), no heap. Document: torch.select_scatter.
STREW_KEYED inline constexpr detail::general_operator<detail::select_scatter_operator, detail::by_exception>
    select_scatter;
// Without exceptions: returns what select_scatter throws.
STREW_KEYED inline constexpr detail::general_operator<detail::select_scatter_operator, detail::by_status>
    try_select_scatter;

// output = data; output[.., i + max(0, -offset), .., i + max(0, offset), ..] = source[.., .., i], where the coordinates
// stand on axis1 and axis2.
//
//   data[d0, .., dr-1], source[data's without both axes, length of the diagonal] -> output[d0, .., dr-1]
//
//   diagonal_scatter(data, source, offset, axis1, axis2, output)
//
// with an executor first if there is one; without `output` in place. r >= 2; the axes in [-r, r-1] and different. The
// length is max(0, min(d1, d2 - offset)), or for a negative offset max(0, min(d1 + offset, d2)): an offset of any size
// is legal, and an empty diagonal a copy. Errors, all found before the first write: rank_mismatch, axis_out_of_range,
// repeated_axis, extent_mismatch, repeated_element, overlap. Should an executor throw, elements of the diagonal may
// hold data's values. O(data.size()), no heap. Document: torch.diagonal_scatter.
STREW_KEYED inline constexpr detail::general_operator<detail::diagonal_scatter_operator, detail::by_exception>
    diagonal_scatter;
// Without exceptions: returns what diagonal_scatter throws.
STREW_KEYED inline constexpr detail::general_operator<detail::diagonal_scatter_operator, detail::by_status>
    try_diagonal_scatter;

// The extents that select_scatter asks of `source`. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, axis_out_of_range.
STREW_KEYED constexpr status try_select_scatter_source_extents(const index_list& data_extents, std::int64_t axis,
                                                               index_list& result) noexcept {
  status error;
  static_cast<void>(detail::find_select_source(data_extents, axis, result, error));
  return error;
}
STREW_KEYED [[nodiscard]] constexpr index_list select_scatter_source_extents(const index_list& data_extents,
                                                                             std::int64_t axis) {
  index_list result;
  detail::raise_if_error(try_select_scatter_source_extents(data_extents, axis, result));
  return result;
}

// The extents that diagonal_scatter asks of `source`. O(rank).
// Errors: rank_mismatch, too_many_axes, negative_extent, axis_out_of_range, repeated_axis.
STREW_KEYED constexpr status try_diagonal_scatter_source_extents(const index_list& data_extents, std::int64_t offset,
                                                                 std::int64_t axis1, std::int64_t axis2,
                                                                 index_list& result) noexcept {
  constexpr const char* operation = "diagonal_scatter_source_extents";
  status error;
  int rows = 0;
  int columns = 0;
  index_list extents;
  if (detail::check_shape(operation, "data_extents", data_extents, error) &&
      detail::diagonal_scatter_operator::find_source(operation, data_extents, offset, {axis1, axis2}, rows, columns,
                                                     extents, error)) {
    result = extents;
  }
  return error;
}
STREW_KEYED [[nodiscard]] constexpr index_list diagonal_scatter_source_extents(const index_list& data_extents,
                                                                               std::int64_t offset, std::int64_t axis1,
                                                                               std::int64_t axis2) {
  index_list result;
  detail::raise_if_error(try_diagonal_scatter_source_extents(data_extents, offset, axis1, axis2, result));
  return result;
}

}  // namespace strew

#endif  // STREW_SELECT_SCATTER_HPP
