// SPDX-License-Identifier: Apache-2.0
// index_add (PyTorch): a copy of data with updates added to whole rows of one axis.
#ifndef STREW_OPERATORS_INDEX_ADD_HPP
#define STREW_OPERATORS_INDEX_ADD_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/element_value.hpp>
#include <strew/detail/front/find_mistake.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>

namespace strew::inline STREW_ABI {

// The factor of index_add, which becomes an element as one value for all updates does (docs/operators.md): it is
// rounded once, or value_out_of_range. A floating-point factor of integer elements does not compile.
template <class T>
struct scaled_by {
  T alpha;
};
template <class T>
scaled_by(T) -> scaled_by<T>;

namespace detail::inline STREW_CODE {

template <class T>
inline constexpr bool is_plain_argument<scaled_by<T>> = true;

template <class T>
inline constexpr bool is_factor<scaled_by<T>> = true;
template <class T, class Alpha>
inline constexpr bool is_no_factor<T, scaled_by<Alpha>> = !is_value_of<T, Alpha>() || is_fraction<T, Alpha>;

inline constexpr operation_rules index_add_rules{"index_add", addressing::rows};

inline constexpr operation index_add_operation{
    .rules = index_add_rules,
    .arguments = {role::data, role::axis, role::indices, role::updates, role::factor},
    .wrong_order = mistake::order_of_index_add,
    // Those of index_reduce, whose functions it shares.
    .reductions = {.has_none = false, .has_mean = true, .may_omit_init = true},
    .combines = reduction_kind::sum};

}  // namespace detail

// output = data; output[.., index[i...], ..] += alpha * source[.., i..., ..] for each coordinate i of `index`, in
// row-major order, with the index on `axis`.
//
//   data[d[0], .., d[r-1]], index[n[0], .., n[q-1]],
//   source[d[0], .., (axis:) n[0], .., n[q-1], .., d[r-1]] -> output[d[0], .., d[r-1]]
//
//   index_add(data, axis, index, source, scaled_by{alpha}, output)
//
// An executor may come first. Without scaled_by alpha is 1. Without `output` the call is in place. The product with
// alpha is rounded before it is added. r >= 1; `axis` is an integer in [-r, r - 1]; `index` may have any rank (in
// PyTorch it has rank 1). Each index is in [0, d[axis] - 1]. Sums are computed in row-major order of `index`, at every
// number of threads. One value in the place of `source` is added to all targets. Rules for `output` and errors are
// those of scatter_update except count_mismatch. O(data.size() + index.size() + source.size()), no heap. Specification:
// torch.Tensor.index_add_.
//
// A segment sum: strew::index_add(sums, 0, strew::drop(segment_ids), values), with sums of zeros.
STREW_KEYED inline constexpr detail::throwing<detail::described<detail::index_add_operation>> index_add;
// Without exceptions: returns what index_add throws.
STREW_KEYED inline constexpr detail::attempted<detail::described<detail::index_add_operation>> try_index_add;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_ADD_HPP
