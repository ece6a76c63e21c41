// SPDX-License-Identifier: Apache-2.0
// index_add, index_copy, index_reduce and index_fill (PyTorch): a copy of data with whole rows of one axis replaced or
// reduced.
#ifndef STREW_OPERATORS_INDEX_OPS_HPP
#define STREW_OPERATORS_INDEX_OPS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/element_value.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI {

// The factor of index_add, which becomes an element as one value for all updates does (docs/operators.md): it is
// rounded once, or value_out_of_range. A floating-point factor of integer elements does not compile.
template <class T>
struct scaled_by {
  T alpha;
};
template <class T>
scaled_by(T) -> scaled_by<T>;

// The reductions of index_reduce.
inline constexpr reduction_set index_reduce_reductions{.has_none = false, .has_mean = true, .may_omit_init = true};

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_add_rules{"index_add", addressing::rows};
inline constexpr operation_rules index_copy_rules{"index_copy", addressing::rows};
inline constexpr operation_rules index_reduce_rules{"index_reduce", addressing::rows};
inline constexpr operation_rules index_fill_rules{"index_fill", addressing::rows, index_rule::wrapping};

template <class T>
inline constexpr bool is_plain_argument<scaled_by<T>> = true;

template <class T>
inline constexpr bool is_factor<scaled_by<T>> = true;
template <class T, class Alpha>
inline constexpr bool is_no_factor<T, scaled_by<Alpha>> = !is_value_of<T, Alpha>() || is_fraction<T, Alpha>;

inline constexpr operation index_add_operation{
    .rules = index_add_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::factor},
    .wrong_order = mistake::order_of_index_add,
    .reductions = index_reduce_reductions,
    .combines = reduction_kind::sum};
inline constexpr operation index_copy_operation{.rules = index_copy_rules,
                                                .arguments = {role::data, role::axis, role::indices, role::updates},
                                                .wrong_order = mistake::order_of_assignment};
inline constexpr operation index_reduce_operation{
    .rules = index_reduce_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::reduction},
    .wrong_order = mistake::order_with_axis_first,
    .reductions = index_reduce_reductions,
    .needs_reduction = true};
inline constexpr operation index_fill_operation{.rules = index_fill_rules,
                                                .arguments = {role::data, role::axis, role::indices, role::value},
                                                .wrong_order = mistake::order_of_index_fill};

}  // namespace detail

// output = data; output[.., index[i...], ..] += alpha * source[.., i..., ..] for each coordinate i of `index`, in
// row-major order, with the index on `axis`.
//
//   data[d0, .., dr-1], index[i0, .., iq-1], source[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
//   index_add(data, axis, index, source, scaled_by{alpha}, output)
//
// with an executor first if there is one; without scaled_by alpha is 1; without `output` in place. The product with
// alpha is rounded before it is added. r >= 1; `axis` is an integer in [-r, r-1]; `index` may have any rank (in PyTorch
// it has rank 1). Each index is in [0, d_axis - 1]. Sums are computed in row-major order of `index`, at every number of
// threads. One value in the place of `source` is added to all targets. Rules for `output` and errors are those of
// scatter_update except count_mismatch. O(data.size() + index.size() + source.size()), no heap. Specification:
// torch.Tensor.index_add_.
//
// A segment sum: strew::index_add(sums, 0, strew::drop(segment_ids), values), with sums of zeros.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_add_operation>> index_add;
// Without exceptions: returns what index_add throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_add_operation>> try_index_add;

// output = data; output[.., index[i...], ..] = source[.., i..., ..] for each coordinate i of `index`: as index_add, but
// the source that comes last in row-major order of `index` wins.
//
//   data[d0, .., dr-1], index[i0, .., iq-1], source[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
//   index_copy(data, axis, index, source, output)
//
// Errors and complexity are those of index_add. Specification: torch.Tensor.index_copy_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_copy_operation>> index_copy;
// Without exceptions: returns what index_copy throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_copy_operation>> try_index_copy;

// output = data; output[.., index[i...], ..] is combined with source[.., i..., ..] for each coordinate i of `index`: as
// index_add, with the reductions prod, mean (not of bool), max (amax), min (amin), sum and any callable; without_init
// of a named one for include_self = false.
//
//   data[d0, .., dr-1], index[i0, .., iq-1], source[d0, .., (axis:) i0, .., iq-1, .., dr-1] -> output[d0, .., dr-1]
//
//   index_reduce(data, axis, index, source, reduction, output)
//
// Errors are those of index_add. O(data.size() + index.size() + source.size()), no heap. For mean and without_init this
// requires memory for a state of each row or element, on the stack for 1,365 to 32,768 of them or in a workspace; with
// less the indices are read again for each block of the output (see v12::scatter_elements_update). Specification:
// torch.Tensor.index_reduce_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_reduce_operation>> index_reduce;
// Without exceptions: returns what index_reduce throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_reduce_operation>> try_index_reduce;

// output = data; output[.., index[i...], ..] = value for each coordinate i of `index`, with the index on `axis`.
//
//   data[d0, .., dr-1], index[i0, .., iq-1] -> output[d0, .., dr-1]
//
//   index_fill(data, axis, index, value, output)
//
// with an executor first if there is one; without `output` in place. r >= 1; `axis` is an integer in [-r, r-1]. Each
// index is in [-d_axis, d_axis - 1], a negative one counting from the end. The value is a scalar that converts to the
// element type, or a view of rank 0 that shares no memory with the output. Rules for `output` and errors are those of
// scatter_update except count_mismatch. O(data.size() + index.size() + elements written), no heap. Specification:
// torch.Tensor.index_fill_.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_fill_operation>> index_fill;
// Without exceptions: returns what index_fill throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_fill_operation>> try_index_fill;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_OPS_HPP
