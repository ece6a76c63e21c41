// SPDX-License-Identifier: Apache-2.0
// scatter_add and scatter_reduce (PyTorch), put_along_axis (NumPy): elements of one axis.
#ifndef STREW_SCATTER_REDUCE_HPP
#define STREW_SCATTER_REDUCE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/on_axis.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/reduction_memory.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/reduction.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI {

inline constexpr reduction_set scatter_reduce_reductions{.has_none = false, .has_mean = true, .may_omit_init = true};

namespace detail::inline STREW_CODE {

inline constexpr elements_rules scatter_add_rules{"scatter_add", index_rule::strict, true};
inline constexpr elements_rules scatter_reduce_rules{"scatter_reduce", index_rule::strict, true};
inline constexpr elements_rules put_along_axis_rules{"put_along_axis", index_rule::wrapping, true};

// scatter_add: data, axis, index, source, output (if any).
struct scatter_add_operator {
  template <class Ex, class Data, index_integer Axis, class Indices, class Updates, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const Output&... output) {
    on_axis_first<scatter_add_rules, scatter_reduce_reductions, true>::run(ex, error, data, axis, indices, updates,
                                                                           reduction::sum, output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, output (if any)");
  }
};

// put_along_axis: data, indices, values, axis, output (if any).
struct put_along_axis_operator {
  template <class Ex, class Data, class Indices, class Updates, index_integer Axis, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Axis& axis, const Output&... output) {
    on_axis_last<put_along_axis_rules, reduction_set{}>::run(ex, error, data, indices, updates, axis, reduction::none,
                                                             output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, values, axis (an integer), output (if any)");
  }
};

}  // namespace detail

// output = data; output[i.., index[i.., j, k..], k..] += source[i.., j, k..], where the index stands on `axis`.
//
//   data[d0, .., dr-1], index[n0, .., nr-1], source[n0, .., nr-1] -> output[d0, .., dr-1]
//
//   scatter_add(data, axis, index, source, output)
//
// with an executor first if there is one; without `output` in place. r >= 1; `axis` is an integer in [-r, r-1];
// n_k <= d_k on every axis but `axis`. Each index lies in [0, d_axis - 1]. PyTorch lets index be smaller than source:
// pass a narrowed view of it. Updates of one element are added in row-major order, at every number of threads.
// Errors and complexity are those of v12::scatter_elements_update. Document: torch.Tensor.scatter_add_.
STREW_KEYED inline constexpr detail::general_operator<detail::scatter_add_operator, detail::by_exception> scatter_add;
// Without exceptions: returns what scatter_add throws.
STREW_KEYED inline constexpr detail::general_operator<detail::scatter_add_operator, detail::by_status> try_scatter_add;

// The same with a reduction: sum, prod, mean, max (amax), min (amin), any callable; without_init for
// include_self = false.
//
//   scatter_reduce(data, axis, index, source, reduction, output)
//
// Document: torch.Tensor.scatter_reduce_.
STREW_KEYED inline constexpr detail::general_operator<
    detail::on_axis_first<detail::scatter_reduce_rules, scatter_reduce_reductions, true>, detail::by_exception>
    scatter_reduce;
// Without exceptions: returns what scatter_reduce throws.
STREW_KEYED inline constexpr detail::general_operator<
    detail::on_axis_first<detail::scatter_reduce_rules, scatter_reduce_reductions, true>, detail::by_status>
    try_scatter_reduce;

// output = data; output[i.., indices[i.., j, k..], k..] = values[i.., j, k..]: the scatter of elements by NumPy's name.
//
//   put_along_axis(data, indices, values, axis, output)
//
// As v12::scatter_elements_update without a reduction; what NumPy broadcasts is to be a view with strides of 0.
// Document: numpy.put_along_axis.
STREW_KEYED inline constexpr detail::general_operator<detail::put_along_axis_operator, detail::by_exception>
    put_along_axis;
// Without exceptions: returns what put_along_axis throws.
STREW_KEYED inline constexpr detail::general_operator<detail::put_along_axis_operator, detail::by_status>
    try_put_along_axis;

// The bytes of a workspace for scatter_reduce and scatter_add, see v12::scatter_elements_update_workspace.
template <class T, class R = reduction::sum_type>
STREW_KEYED [[nodiscard]] constexpr std::size_t scatter_reduce_workspace(const index_list& data_extents,
                                                                         const index_list& indices_extents,
                                                                         std::int64_t axis, const R& = {},
                                                                         std::size_t threads = 1) noexcept {
  return detail::reduction_workspace<T, R>(false, data_extents, indices_extents, axis, threads);
}

}  // namespace strew

#endif  // STREW_SCATTER_REDUCE_HPP
