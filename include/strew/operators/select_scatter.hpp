// SPDX-License-Identifier: Apache-2.0
// select_scatter (PyTorch): a copy of data with one coordinate of an axis replaced.
#ifndef STREW_OPERATORS_SELECT_SCATTER_HPP
#define STREW_OPERATORS_SELECT_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// select_scatter: data, source, axis, index, output (if any).
struct select_scatter_operator {
  static constexpr const char* operation = select_scatter_rules.name;
  static constexpr signature form{
      .name = operation, .inputs = 4, .has_indices = false, .wrong_order = mistake::order_of_select_scatter};
  struct shapes {
    static constexpr const char* name = operation;
    static constexpr addressing by = addressing::slices;

    static constexpr bool find_updates(const char* name_of_call, index_list& result, status& error,
                                       const index_list& data, const whole_number& axis) noexcept {
      int k = 0;
      if (!(check_shape(name_of_call, "data_extents", data, error) &&
            check_data_rank(name_of_call, data.size(), error) &&
            check_single_axis(name_of_call, as_axis(axis), data.size(), k, error))) {
        return false;
      }
      result = without_axes(data, std::uint64_t{1} << k);
      return true;
    }
  };

  template <class Call, class Data, class Updates, index_integer Axis, index_integer Index>
  static constexpr void run(const Call& call, const Data& data, const Updates& source, const Axis& axis,
                            const Index& index) {
    part_spec part{axis, {static_cast<std::int64_t>(index), std::is_unsigned_v<Index>}};
    const auto& updates = read_only(source);
    submit<select_scatter_rules>(call.ex, operands_of<index_policy::error>(read_only(data), part, updates, call.output),
                                 call.error);
  }
};

}  // namespace detail

// output = data; output[.., index, ..] = source[.., ..], with the index on `axis`.
//
//   data[d0, .., dr-1], source[data's extents without axis] -> output[d0, .., dr-1]
//
//   select_scatter(data, source, axis, index, output)
//
// with an executor first if there is one; without `output` in place: only that coordinate is written. r >= 1; `axis` is
// an integer in [-r, r-1]; `index` is an integer in [-d_axis, d_axis - 1]. One value in the place of `source` is
// written to all of its targets.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds; for one value also value_out_of_range. If an assignment of T throws,
// each element of the output holds its old value, data's, or its new one. O(data.size()), in place O(source.size()); no
// heap. Specification: torch.select_scatter.
STREW_KEYED inline constexpr detail::throwing<detail::select_scatter_operator> select_scatter;
// Without exceptions: returns what select_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::select_scatter_operator> try_select_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_SELECT_SCATTER_HPP
