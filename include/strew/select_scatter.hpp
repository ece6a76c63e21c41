// SPDX-License-Identifier: Apache-2.0
// select_scatter and diagonal_scatter (PyTorch): copies into one coordinate of an axis, and into a diagonal.
#ifndef STREW_SELECT_SCATTER_HPP
#define STREW_SELECT_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/parts.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/request.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/parts.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class Ex, class T>
constexpr void run_part_scatter(Ex& ex, const tensor_view<const T>& data, const tensor_view<const T>& source,
                                const part_spec& spec, const tensor_view<T>& output, status& error) {
  if (std::is_constant_evaluated() || !is_bytewise<T>) {
    const shared_memory shared = generic::find_shared(data, source, output);
    output_part part;
    if (!find_part({data.layout(), source.layout(), output.layout()}, shared, spec, part, error)) return;
    if (!shared.in_place) assign(ex, data, output);
    assign(ex, source, part_of(output, part.offset, part.extents, part.strides));
  } else if constexpr (is_bytewise<T>) {
    const auto make = [&](const erased::call_type& type) {
      erased::request request = make_request(type, data, source, output);
      request.part = &spec;
      return request;
    };
#if STREW_COMPILED
    erased::part_scatter(make(call_type_in_library<slice_scatter_rules, T>), refer_to(ex), error);
#else
    const erased::request request = make(call_type_of<slice_scatter_rules, T>);
    with_workers(ex, [&](const workers& who) { run_part(who, request, copy_leaves_of<leaf_width<T> >, error); });
#endif
  }
}

// select_scatter: data, source, axis, index, output (if any).
struct select_scatter_operator {
  static constexpr const char* operation = select_scatter_rules.name;
  static constexpr signature form{.name = operation, .inputs = 4, .has_indices = false};
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
    if constexpr (check_operand_types<Data, Updates, typename Call::output_type>()) {
      part_spec part{axis, {static_cast<std::int64_t>(index), std::is_unsigned_v<Index>}};
      run_part_scatter(call.ex, read_only(data), read_only(source), part, call.output, call.error);
    }
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, source, axis, index (integers), output (if any)");
  }
};

// diagonal_scatter: data, source, offset, axis1, axis2, output (if any).
struct diagonal_scatter_operator {
  static constexpr const char* operation = diagonal_scatter_rules.name;
  static constexpr signature form{.name = operation, .inputs = 5, .has_indices = false};
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
    if constexpr (check_operand_types<Data, Updates, typename Call::output_type>()) {
      part_spec part{{axis1, axis2}, {saturate(offset), false}};
      run_part_scatter(call.ex, read_only(data), read_only(source), part, call.output, call.error);
    }
  }
  template <class... Arguments>
  static constexpr void check_order(type_list<Arguments...>) noexcept {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, source, offset, axis1, axis2 (integers), "
                  "output (if any)");
  }
};

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
STREW_KEYED inline constexpr detail::throwing<detail::select_scatter_operator> select_scatter;
// Without exceptions: returns what select_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::select_scatter_operator> try_select_scatter;

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
STREW_KEYED inline constexpr detail::throwing<detail::diagonal_scatter_operator> diagonal_scatter;
// Without exceptions: returns what diagonal_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::diagonal_scatter_operator> try_diagonal_scatter;

}  // namespace strew

#endif  // STREW_SELECT_SCATTER_HPP
