// SPDX-License-Identifier: Apache-2.0
// masked_scatter and masked_fill (PyTorch): the elements that a mask selects, in row-major order.
#ifndef STREW_MASKED_SCATTER_HPP
#define STREW_MASKED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/assign.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/fill.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/generic/masked.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class Mask>
constexpr bool check_mask() noexcept {
  constexpr bool is_mask = std::is_same_v<std::remove_const_t<view_element<Mask>>, bool>;
  if constexpr (check_no_bits<Mask>()) static_assert(is_mask, "strew: a mask is a strew::tensor_view of bool");
  return is_mask;
}

// masked_scatter: data, mask, source, output (if any).
struct masked_scatter_operator {
  static constexpr const char* operation = "masked_scatter";

  template <class Ex, class Data, class Mask, class Updates, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Mask& mask, const Updates& source,
                            const Output&... output) {
    with_output(
        data,
        [&](const auto& to) {
          if constexpr (check_mask<Mask>() && check_operand_types<Data, Updates, std::remove_cvref_t<decltype(to)>>()) {
            with_typed_views(operation, read_only(data), read_only(source), to, error,
                             [&](const auto& d, const auto& s, const auto& o) {
                               run_checked(operation, ex, error, d, read_only(mask), s, o, false);
                             });
          }
        },
        output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>, "strew: the order is executor (if any), data, mask, source, output (if any)");
  }

  // `is_fill`: the source is one element again and again.
  template <class Ex, class T>
  static constexpr void run_checked(const char* name, Ex& ex, status& error, const tensor_view<const T>& data,
                                    const tensor_view<const bool>& mask, const tensor_view<const T>& source,
                                    const tensor_view<T>& output, bool is_fill) {
    const shared_memory shared = generic::find_shared(data, source, output);
    // Data of rank 0 is legal here.
    const auto check_shapes = [&] {
      return data.rank() == 0 ? check_extents(name, "output", output.extents(), data.extents(), "data", error) &&
                                    check_apart(name, shared.data, "data without being the very same view", error)
                              : check_output(name, data.layout(), output.layout(), shared, error);
    };
    if (!(check_shapes() && check_extents(name, "mask", mask.extents(), data.extents(), "data", error) &&
          check_apart(name, generic::meets(output, mask), "mask", error) &&
          check_apart(name, shared.updates, is_fill ? "value" : "source", error))) {
      return;
    }
    const auto scatter = [&](const workers* who) {
      masked_call<T> call(who, shared.in_place ? nullptr : &data, mask, source, output);
      if (!is_fill) {
        if (const std::int64_t wanted = call.count(); source.size() < wanted) {
          refuse(error, errc::too_few_elements, name, "source", " has {0} elements, mask selects {1}",
                 {source.size(), wanted});
          return;
        }
      }
      call.put();
    };
    if (std::is_constant_evaluated()) {
      scatter(nullptr);
    } else {
      run_generic<T>(ex, scatter);
    }
  }
};

// masked_fill: data, mask, value, output (if any).
struct masked_fill_operator {
  static constexpr const char* operation = "masked_fill";
  static constexpr std::size_t value_position = 2;  // among the arguments, from data on

  template <class Ex, class Data, class Mask, class Value, class... Output>
    requires(is_value_for<Value, Data> && sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Mask& mask, const Value& value,
                            const Output&... output) {
    with_output(
        data,
        [&]<class To>(const To& to) {
          if constexpr (check_mask<Mask>() && check_operand_types<Data, Data, To>()) {
            with_repeated<Data>(operation, value, data.extents(), error, [&](const auto& updates) {
              with_typed_views(
                  operation, read_only(data), updates, to, error, [&](const auto& d, const auto& s, const auto& o) {
                    masked_scatter_operator::run_checked(operation, ex, error, d, read_only(mask), s, o, true);
                  });
            });
          }
        },
        output...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, mask, value (an element, or a view of one, of rank 0), "
                  "output (if any)");
  }
};

}  // namespace detail

// output = data; the elements that the mask selects become those of `source`, both in row-major order.
//
//   data[d0, .., dr-1], mask of bool[d0, .., dr-1], source of any shape -> output[d0, .., dr-1]
//
//   masked_scatter(data, mask, source, output)
//
// with an executor first if there is one; without `output` in place. r >= 0. The source has at least as many elements
// as the mask selects; the rest are not read. A byte of the mask that is not 0 selects. Errors, all found before the
// first write: rank_mismatch, extent_mismatch, repeated_element, overlap, too_few_elements. O(data.size()), no heap.
// Document: torch.Tensor.masked_scatter_.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_scatter_operator, detail::by_exception>
    masked_scatter;
// Without exceptions: returns what masked_scatter throws.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_scatter_operator, detail::by_status>
    try_masked_scatter;

// The same with one value.
//
//   masked_fill(data, mask, value, output)
//
// The value is a scalar that converts to the element type, or a view of rank 0 that shares no memory with the output.
// Document: torch.Tensor.masked_fill_.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_fill_operator, detail::by_exception> masked_fill;
// Without exceptions: returns what masked_fill throws.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_fill_operator, detail::by_status> try_masked_fill;

}  // namespace strew

#endif  // STREW_MASKED_SCATTER_HPP
