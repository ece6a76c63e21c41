// SPDX-License-Identifier: Apache-2.0
// The rules and targets of select_scatter (one coordinate of an axis) and diagonal_scatter.
#ifndef STREW_DETAIL_RULES_PART_VIEW_HPP
#define STREW_DETAIL_RULES_PART_VIEW_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline constexpr operation_rules select_scatter_rules{"select_scatter", addressing::slices};
inline constexpr operation_rules diagonal_scatter_rules{"diagonal_scatter", addressing::slices};

// A coordinate on one axis, or a diagonal of two axes with its offset.
struct part_spec {
  index_list axes;
  raw_index number;

  [[nodiscard]] constexpr bool is_diagonal() const noexcept { return axes.size() == 2; }
};

// The part of the output that the source replaces: the extents of the source, the strides in the output, and the offset
// of its first element.
struct output_part {
  index_list extents;
  index_list strides;
  std::int64_t offset = 0;
  int axis = 0;              // for a coordinate
  std::int64_t element = 0;  // the coordinate
};

// The extents, or strides, without the axes whose bits are set.
constexpr index_list without_axes(const index_list& extents, std::uint64_t axes) noexcept {
  index_list result;
  for (int k = 0; k < extents.size(); ++k) {
    if ((axes >> k & 1) == 0) result.push_back(extents[k]);
  }
  return result;
}

// The rules of both operators but those for axes and coordinates.
constexpr bool check_source(const char* operation, const slice_layouts& at, const index_list& extents,
                            const shared_memory& shared, status& error) noexcept {
  return check_output(operation, at.data, at.output, shared, error) &&
         check_extents(operation, "updates", at.updates.extents(), extents, "that part of data", error) &&
         check_apart(operation, shared.updates, "updates", error);
}

constexpr bool find_selected(const slice_layouts& at, const shared_memory& shared, const part_spec& spec,
                             output_part& part, status& error) noexcept {
  constexpr const char* operation = select_scatter_rules.name;
  int& k = part.axis;
  if (!(check_data_rank(operation, at.data.rank(), error) &&
        check_single_axis(operation, spec.axes, at.data.rank(), k, error))) {
    return false;
  }
  part.extents = without_axes(at.data.extents(), std::uint64_t{1} << k);
  if (!check_source(operation, at, part.extents, shared, error)) return false;
  const std::int64_t extent = at.data.extent(k);
  const bool is_huge = spec.number.is_unsigned && spec.number.bits < 0;
  part.element = normalize_index(is_huge ? int64_max : spec.number.bits, extent, index_rule::wrapping);
  if (part.element == out_of_bounds) {
    refuse(error, errc::index_out_of_bounds, operation, "index",
           extent == 0 ? " = {0} names no element (axis {3} of data has extent 0)"
                       : " = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})",
           {spec.number.bits, -extent, extent - 1, k, extent});
    if (spec.number.is_unsigned) error.first_number_is_unsigned();
    return false;
  }
  part.strides = without_axes(at.output.strides(), std::uint64_t{1} << k);
  part.offset = part.element * at.output.stride(k);
  return true;
}

// A diagonal of a tensor.
struct diagonal {
  std::int64_t offset;  // of its first element, as coordinates on the two axes
  std::int64_t row;
  std::int64_t column;
  std::int64_t length;

  constexpr diagonal(std::int64_t distance, std::int64_t rows, std::int64_t columns) noexcept
      : offset{distance}, row{0}, column{0}, length{0} {
    if (offset >= columns || offset <= -rows) return;  // the arithmetic below cannot overflow then
    row = offset < 0 ? -offset : 0;
    column = offset < 0 ? 0 : offset;
    length = rows - row < columns - column ? rows - row : columns - column;
  }
};

// The axes, which must differ, and the extents of the source: data's without both axes, then the length of the
// diagonal.
struct diagonal_source {
  int rows = 0;
  int columns = 0;
  index_list extents;
};
constexpr bool find_diagonal_source(const char* operation, const index_list& data, std::int64_t offset,
                                    const index_list& axes, diagonal_source& found, status& error) noexcept {
  axis_set used;
  auto& [rows, columns, extents] = found;
  if (max_rank < 2 || data.size() < 2) {
    return refuse(error, errc::rank_mismatch, operation, "data", " has rank {0}, expected at least 2", {data.size()});
  }
  if (!(used.insert(operation, 0, axes[0], {"data", data.size()}, rows, error) || refuse_as_given(error, axes, 0)) ||
      !(used.insert(operation, 1, axes[1], {"data", data.size()}, columns, error) || refuse_as_given(error, axes, 1))) {
    return false;
  }
  extents = without_axes(data, std::uint64_t{1} << rows | std::uint64_t{1} << columns);
  extents.push_back(diagonal(offset, data[rows], data[columns]).length);
  return true;
}

constexpr bool find_diagonal(const slice_layouts& at, const shared_memory& shared, const part_spec& spec,
                             output_part& part, status& error) noexcept {
  constexpr const char* operation = diagonal_scatter_rules.name;
  const std::int64_t offset = spec.number.is_unsigned && spec.number.bits < 0 ? int64_max : spec.number.bits;
  diagonal_source found;
  if (!(find_diagonal_source(operation, at.data.extents(), offset, spec.axes, found, error) &&
        check_source(operation, at, found.extents, shared, error))) {
    return false;
  }
  const diagonal on(offset, at.data.extent(found.rows), at.data.extent(found.columns));
  const index_list& steps = at.output.strides();
  part.extents = found.extents;
  part.strides = without_axes(steps, std::uint64_t{1} << found.rows | std::uint64_t{1} << found.columns);
  // The stride of a diagonal of fewer than two elements is not used, and may be too large.
  part.strides.push_back(on.length < 2 ? 0 : steps[found.rows] + steps[found.columns]);
  part.offset = on.row * steps[found.rows] + on.column * steps[found.columns];
  return true;
}

// The extents of a source.
constexpr bool find_part_updates(const index_list& data, const part_spec& spec, index_list& result,
                                 status& error) noexcept {
  if (spec.is_diagonal()) {
    const std::int64_t offset = spec.number.is_unsigned && spec.number.bits < 0 ? int64_max : spec.number.bits;
    diagonal_source found;
    if (!find_diagonal_source(diagonal_scatter_rules.name, data, offset, spec.axes, found, error)) return false;
    result = found.extents;
  } else {
    constexpr const char* operation = select_scatter_rules.name;
    int k = 0;
    if (!(check_data_rank(operation, data.size(), error) &&
          check_single_axis(operation, spec.axes, data.size(), k, error))) {
      return false;
    }
    result = without_axes(data, std::uint64_t{1} << k);
  }
  return true;
}

constexpr bool find_part(const slice_layouts& at, const shared_memory& shared, const part_spec& spec, output_part& part,
                         status& error) noexcept {
  return spec.is_diagonal() ? find_diagonal(at, shared, spec, part, error)
                            : find_selected(at, shared, spec, part, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_PART_VIEW_HPP
