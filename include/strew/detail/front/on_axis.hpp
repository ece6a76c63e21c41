// SPDX-License-Identifier: Apache-2.0
// The orders of arguments of scatters on one axis: OpenVINO's and ONNX's, and PyTorch's.
#ifndef STREW_DETAIL_FRONT_ON_AXIS_HPP
#define STREW_DETAIL_FRONT_ON_AXIS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/integer.hpp>
#include <strew/status.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// data, indices, updates, axis, reduction (if any), output (if any).
template <const auto& Rules, reduction_set Set, bool AxisMayBeLeftOut = false>
struct on_axis_last {
  template <class Ex, class Data, class Indices, class Updates, index_integer Axis, class... Options>
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Axis& axis, const Options&... options) {
    with_options(
        data,
        [&](const auto& reduce, const auto& output) {
          reduce_on_axis<Rules, Set>::run(ex, error, data, indices, updates, axis, reduce, output);
        },
        options...);
  }
  template <class Ex, class Data, class Indices, class Updates, class... Options>
    requires(AxisMayBeLeftOut && (!index_integer<Options> && ...))
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Options&... options) {
    run(ex, error, data, indices, updates, 0, options...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, updates, axis (an integer), reduction (if "
                  "any), output (if any)");
  }
};

// data, axis, indices, updates, then a reduction where Reduces says so, output (if any).
template <const auto& Rules, reduction_set Set, bool Reduces>
struct on_axis_first {
  template <class Ex, class Data, index_integer Axis, class Indices, class Updates, class... Options>
    requires(sizeof...(Options) <= 2)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const Options&... options) {
    with_options(
        data,
        [&](const auto& reduce, const auto& output) {
          constexpr bool is_given = !std::is_same_v<std::remove_cvref_t<decltype(reduce)>, reduction::none_type>;
          static_assert(is_given || !Reduces, "strew: a reduction is missing: it stands after the source");
          static_assert(!is_given || Reduces, "strew: this operator takes no reduction");
          if constexpr (is_given == Reduces) {
            reduce_on_axis<Rules, Set>::run(ex, error, data, indices, updates, axis, reduce, output);
          }
        },
        options...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, axis (an integer), index, source, reduction (where the "
                  "operator takes one), output (if any)");
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_ON_AXIS_HPP
