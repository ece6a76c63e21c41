// SPDX-License-Identifier: Apache-2.0
// index_add, index_copy, index_reduce and index_fill (PyTorch): whole rows of one axis.
#ifndef STREW_INDEX_ADD_HPP
#define STREW_INDEX_ADD_HPP

#include <strew/config.hpp>
#include <strew/detail/combination.hpp>
#include <strew/detail/front/fill.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/on_axis.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/reduction_memory.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/reduction.hpp>
#include <strew/scatter_update.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

// The factor of index_add. It is a T, so a floating-point factor of integers does not compile.
template <class T>
struct scaled_by {
  T alpha;
};
template <class T>
scaled_by(T) -> scaled_by<T>;

inline constexpr reduction_set index_reduce_reductions{.has_none = false, .has_mean = true, .may_omit_init = true};

namespace detail::inline STREW_CODE {

inline constexpr rows_rules index_add_rules{"index_add", index_rule::strict};
inline constexpr rows_rules index_copy_rules{"index_copy", index_rule::strict};
inline constexpr rows_rules index_reduce_rules{"index_reduce", index_rule::strict};
inline constexpr rows_rules index_fill_rules{"index_fill", index_rule::wrapping};

template <class T>
inline constexpr bool is_plain_argument<scaled_by<T>> = true;

// index_add: data, axis, index, source, scaled_by{alpha} (if any), output (if any).
struct index_add_operator {
  template <class Ex, class Data, index_integer Axis, class Indices, class Updates, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const Output&... output) {
    on_axis_first<index_add_rules, index_reduce_reductions, true>::run(ex, error, data, axis, indices, updates,
                                                                       reduction::sum, output...);
  }
  template <class Ex, class Data, index_integer Axis, class Indices, class Updates, class Alpha, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const scaled_by<Alpha>& factor, const Output&... output) {
    using element = std::remove_const_t<view_element<Data>>;
    constexpr bool is_exact =
        std::is_same_v<Alpha, element> || !(std::is_floating_point_v<Alpha> && std::is_integral_v<element>);
    static_assert(is_exact, "strew: the factor of index_add has the element type: integers take no fraction");
    if constexpr (is_exact && is_view<Data>) {
      on_axis_first<index_add_rules, index_reduce_reductions, true>::run(
          ex, error, data, axis, indices, updates, scaled_sum<element>{static_cast<element>(factor.alpha)}, output...);
    }
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, "
                  "strew::scaled_by{alpha} (if any), output (if any)");
  }
};

// index_copy: data, axis, index, source, output (if any).
struct index_copy_operator {
  template <class Ex, class Data, index_integer Axis, class Indices, class Updates, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const Output&... output) {
    on_axis_first<index_copy_rules, reduction_set{}, false>::run(ex, error, data, axis, indices, updates, output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, output (if any)");
  }
};

// index_fill: data, axis, index, value, output (if any).
struct index_fill_operator {
  static constexpr std::size_t value_position = 3;  // among the arguments, from data on

  template <class Ex, class Data, index_integer Axis, class Indices, class Value, class... Output>
    requires(is_value_for<Value, Data> && sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Value& value, const Output&... output) {
    with_output(
        data, [&](const auto& to) { fill(ex, error, data, axis, indices, value, to); }, output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, value (an element, or a view "
                  "of one, of rank 0), output (if any)");
  }

 private:
  template <class Ex, class Data, class Axis, class Indices, class Value, class Output>
  static constexpr void fill(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                             const Value& value, const Output& output) {
    if constexpr (check_scatter_types<Data, bare_indices<Indices>, Data, Output>()) {
      constexpr const char* operation = index_fill_rules.operation;
      index_list extents;
      error = try_rows_updates(operation, data.extents(), without_policy(indices).extents(), axis, extents);
      if (!error.ok()) return;
      with_repeated<Data>(operation, value, extents, error, [&](const auto& updates) {
        reduce_on_axis<index_fill_rules, reduction_set{}>::run(ex, error, data, indices, updates, axis, reduction::none,
                                                               output);
      });
    }
  }
};

}  // namespace detail

// output = data; output[.., index[i...], ..] += source[.., i..., ..] for each coordinate i of `index`, in row-major
// order.
//
//   data[d0, .., dr-1], index[i0, .., iq-1], source[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
//   index_add(data, axis, index, source, scaled_by{alpha}, output)
//
// with an executor first if there is one; without `output` in place. With scaled_by each element of the source is
// multiplied by alpha and rounded, and then added. r >= 1; `axis` is an integer in [-r, r-1]; index may be of any rank,
// PyTorch's has one. Each index lies in [0, d_axis - 1]. Sums are made in row-major order of `index`, at every number
// of threads. Errors: those of scatter_update. O(data.size() + source.size()), no heap. Document:
// torch.Tensor.index_add_.
//
// A segment sum: strew::index_add(sums, 0, strew::drop(segment_ids), values), with sums of zeros.
STREW_KEYED inline constexpr detail::general_operator<detail::index_add_operator, detail::by_exception> index_add;
// Without exceptions: returns what index_add throws.
STREW_KEYED inline constexpr detail::general_operator<detail::index_add_operator, detail::by_status> try_index_add;

// The same without a sum: the last of equal indices wins.
//
//   index_copy(data, axis, index, source, output)
//
// Document: torch.Tensor.index_copy_.
STREW_KEYED inline constexpr detail::general_operator<detail::index_copy_operator, detail::by_exception> index_copy;
// Without exceptions: returns what index_copy throws.
STREW_KEYED inline constexpr detail::general_operator<detail::index_copy_operator, detail::by_status> try_index_copy;

// The same with a reduction: prod, mean, max (amax), min (amin), sum, any callable; without_init for
// include_self = false.
//
//   index_reduce(data, axis, index, source, reduction, output)
//
// For mean and without_init: O(data.size() + source.size()) as long as there is memory for a cell for each row or
// element, on the stack for 4 to 32 thousand or in a workspace; else the indices are read again for each so many.
// Document: torch.Tensor.index_reduce_.
STREW_KEYED inline constexpr detail::general_operator<
    detail::on_axis_first<detail::index_reduce_rules, index_reduce_reductions, true>, detail::by_exception>
    index_reduce;
// Without exceptions: returns what index_reduce throws.
STREW_KEYED inline constexpr detail::general_operator<
    detail::on_axis_first<detail::index_reduce_rules, index_reduce_reductions, true>, detail::by_status>
    try_index_reduce;

// output = data; output[.., index[i...], ..] = value. Each index lies in [-d_axis, d_axis - 1].
//
//   index_fill(data, axis, index, value, output)
//
// The value is a scalar that converts to the element type, or a view of rank 0 that shares no memory with the output.
// Document: torch.Tensor.index_fill_.
STREW_KEYED inline constexpr detail::general_operator<detail::index_fill_operator, detail::by_exception> index_fill;
// Without exceptions: returns what index_fill throws.
STREW_KEYED inline constexpr detail::general_operator<detail::index_fill_operator, detail::by_status> try_index_fill;

// The extents that index_add, index_copy and index_reduce ask of `source`: data[:axis] + index + data[axis + 1:].
// O(rank). Errors: those of scatter_update_updates_extents.
STREW_KEYED constexpr status try_index_add_source_extents(const index_list& data_extents, std::int64_t axis,
                                                          const index_list& index_extents,
                                                          index_list& result) noexcept {
  return detail::try_rows_updates("index_add_source_extents", data_extents, index_extents, axis, result);
}
STREW_KEYED [[nodiscard]] constexpr index_list index_add_source_extents(const index_list& data_extents,
                                                                        std::int64_t axis,
                                                                        const index_list& index_extents) {
  index_list result;
  detail::raise_if_error(try_index_add_source_extents(data_extents, axis, index_extents, result));
  return result;
}

// The bytes of a workspace for index_reduce and index_add, see v12::scatter_elements_update_workspace.
template <class T, class R = reduction::sum_type>
STREW_KEYED [[nodiscard]] constexpr std::size_t index_reduce_workspace(const index_list& data_extents,
                                                                       const index_list& indices_extents,
                                                                       std::int64_t axis, const R& = {},
                                                                       std::size_t threads = 1) noexcept {
  return detail::reduction_workspace<T, R>(true, data_extents, indices_extents, axis, threads);
}

}  // namespace strew

#endif  // STREW_INDEX_ADD_HPP
