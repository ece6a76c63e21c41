// SPDX-License-Identifier: Apache-2.0
// diagonal_scatter (PyTorch): a copy of data with a diagonal replaced.
#ifndef STREW_OPERATORS_DIAGONAL_SCATTER_HPP
#define STREW_OPERATORS_DIAGONAL_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// diagonal_scatter: data, source, offset, axis1, axis2, output (if any).
struct diagonal_scatter_operator {
  static constexpr const char* operation = diagonal_scatter_rules.name;
  static constexpr signature form{
      .name = operation, .inputs = 5, .has_indices = false, .wrong_order = mistake::order_of_diagonal_scatter};
  struct shapes {
    static constexpr const char* name = operation;
    static constexpr addressing by = addressing::slices;

    static constexpr bool find_updates(const char* name_of_call, index_list& result, status& error,
                                       const index_list& data, const whole_number& offset, const whole_number& axis1,
                                       const whole_number& axis2) noexcept {
      diagonal_source found;
      if (!(check_shape(name_of_call, "data_extents", data, error) &&
            find_diagonal_source(name_of_call, data, offset.value(), {axis1.entry, axis2.entry}, found, error))) {
        return false;
      }
      result = found.extents;
      return true;
    }
  };

  template <class Call, class Data, class Updates, index_integer Offset, index_integer Axis1, index_integer Axis2>
  static constexpr void run(const Call& call, const Data& data, const Updates& source, const Offset& offset,
                            const Axis1& axis1, const Axis2& axis2) {
    part_spec part{{axis1, axis2}, {saturate(offset), false}};
    const auto& updates = read_only(source);
    submit<diagonal_scatter_rules>(
        call.ex, operands_of<index_policy::error>(read_only(data), part, updates, call.output), call.error);
  }
};

}  // namespace detail

// output = data; output[.., i + max(0, -offset), .., i + max(0, offset), ..] = source[.., .., i], with these
// coordinates on axis1 and axis2.
//
//   data[d0, .., dr-1], source[data's extents without both axes, length of the diagonal] -> output[d0, .., dr-1]
//
//   diagonal_scatter(data, source, offset, axis1, axis2, output)
//
// with an executor first if there is one; without `output` in place: only the diagonal is written. r >= 2; `axis1` and
// `axis2` are integers in [-r, r-1] and different. The diagonal has max(0, min(d1, d2 - offset)) elements, for a
// negative offset max(0, min(d1 + offset, d2)). An offset of any size is legal; with an empty diagonal the output is a
// copy of data. One value in the place of `source` is written to the whole diagonal.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, repeated_axis, extent_mismatch,
// repeated_element, overlap; for one value also value_out_of_range. If an assignment of T or an executor throws,
// elements of the diagonal may hold data's values. O(data.size()), in place O(source.size()); no heap. Specification:
// torch.diagonal_scatter.
STREW_KEYED inline constexpr detail::throwing<detail::diagonal_scatter_operator> diagonal_scatter;
// Without exceptions: returns what diagonal_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::diagonal_scatter_operator> try_diagonal_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_DIAGONAL_SCATTER_HPP
