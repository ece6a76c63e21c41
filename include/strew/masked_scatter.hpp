// SPDX-License-Identifier: Apache-2.0
// masked_scatter and masked_fill (PyTorch): the elements that a mask selects, in row-major order.
#ifndef STREW_MASKED_SCATTER_HPP
#define STREW_MASKED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/assign.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// The elements of a view in row-major order.
template <std::size_t Operands>
constexpr void add_axes(loop_nest<Operands>& nest, const index_list& extents,
                        const index_list* const (&strides)[Operands]) noexcept {
  for (int k = 0; k < extents.size(); ++k) {
    per_operand<Operands> steps{};
    for (std::size_t i = 0; i < Operands; ++i) steps[i] = (*strides[i])[k];
    nest.add_inner(extents[k], steps);
  }
}

constexpr std::int64_t count_selected(const tensor_view<const bool>& mask) noexcept {
  loop_nest<1> nest;
  add_axes<1>(nest, mask.extents(), {&mask.strides()});
  const auto run = nest.innermost();
  std::int64_t count = 0;
  for (nest_cursor<1> at(nest, 1, {}); !at.done(); at.next()) {
    for (std::int64_t i = 0; i < run.extent; ++i) count += mask.data()[at[0] + i * run.strides[0]] ? 1 : 0;
  }
  return count;
}

// output[i] = the next element of the source, for each i that the mask selects. There are enough.
template <class T>
constexpr void put_selected(const tensor_view<const bool>& mask, const tensor_view<const T>& source,
                            const tensor_view<T>& output) {
  loop_nest<2> nest;
  add_axes<2>(nest, mask.extents(), {&mask.strides(), &output.strides()});
  loop_nest<1> order;
  add_axes<1>(order, source.extents(), {&source.strides()});
  const auto run = nest.innermost();
  nest_cursor<1> next(order, 0, {});
  for (nest_cursor<2> at(nest, 1, {}); !at.done(); at.next()) {
    for (std::int64_t i = 0; i < run.extent; ++i) {
      if (!mask.data()[at[0] + i * run.strides[0]]) continue;
      output.data()[at[1] + i * run.strides[1]] = source.data()[next[0]];
      next.next();
    }
  }
}

// masked_scatter: data, mask, source, output (if any).
struct masked_scatter_operator {
  static constexpr const char* operation = "masked_scatter";

  template <class Ex, class Data, class Mask, class Updates, class... Output>
    requires(sizeof...(Output) <= 1)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Mask& mask, const Updates& source,
                            const Output&... output) {
    with_options(
        data,
        [&](const auto&, const auto& to) {
          constexpr bool is_mask = std::is_same_v<std::remove_const_t<view_element<Mask>>, bool>;
          static_assert(is_mask, "strew: a mask is a strew::tensor_view of bool");
          if constexpr (is_mask && check_operand_types<Data, Updates, std::remove_cvref_t<decltype(to)>>()) {
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
          check_apart(name, shared.updates, "updates", error))) {
      return;
    }
    if (!is_fill) {
      const std::int64_t wanted = count_selected(mask);
      if (source.size() < wanted) {
        refuse(error, errc::too_few_elements, name, "source", " has {0} elements, mask selects {1}",
               {source.size(), wanted});
        return;
      }
    }
    if (!shared.in_place) {
      if (data.rank() == 0) {
        *output.data() = *data.data();
      } else {
        assign(ex, data, output, error);
      }
    }
    if (error.ok()) put_selected(mask, source, output);
  }
};

// masked_fill: data, mask, value, output (if any).
struct masked_fill_operator {
  template <class Ex, class T, class Mask, std::convertible_to<std::remove_const_t<T>> Value>
  static constexpr void run(Ex& ex, status& error, const tensor_view<T>& data, const Mask& mask, const Value& value) {
    if constexpr (check_data_is_writable<tensor_view<T>>()) run(ex, error, data, mask, value, data);
  }
  template <class Ex, class D, class Mask, class Value, class T>
    requires std::is_convertible_v<const Value&, T>
  static constexpr void run(Ex& ex, status& error, const tensor_view<D>& data, const Mask& mask, const Value& value,
                            const tensor_view<T>& output) {
    constexpr bool is_mask = std::is_same_v<std::remove_const_t<view_element<Mask>>, bool>;
    static_assert(is_mask, "strew: a mask is a strew::tensor_view of bool");
    if constexpr (is_mask && check_operand_types<tensor_view<D>, tensor_view<T>, tensor_view<T>>()) {
      const T held = static_cast<T>(value);
      index_list strides = output.extents();
      for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
      strided_layout layout;
      tensor_view<const T> updates;
      static_cast<void>(strided_layout::try_make(output.extents(), strides, sizeof(T), layout));
      static_cast<void>(tensor_view<const T>::try_bind(&held, layout, updates));
      masked_scatter_operator::run_checked("masked_fill", ex, error, read_only(data), read_only(mask), updates, output,
                                           true);
    }
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, mask, value (of the element type), output "
                  "(if any)");
  }
};

}  // namespace detail

// output = data; the elements that the mask selects become those of `source`, both in row-major order.
//
//   data[d0, .., dr-1], mask of bool[d0, .., dr-1], source of any shape -> output[d0, .., dr-1]
//
//   masked_scatter(data, mask, source, output)
//
// with an executor first if there is one, which copies data; without `output` in place. r >= 0. The source has at least
// as many elements as the mask selects; the rest are not read. Errors, all found before the first write: rank_mismatch,
// extent_mismatch, repeated_element, overlap, too_few_elements. Should an executor throw, nothing of the source is
// written. O(data.size()), no heap.
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
// Document: torch.Tensor.masked_fill_.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_fill_operator, detail::by_exception> masked_fill;
// Without exceptions: returns what masked_fill throws.
STREW_KEYED inline constexpr detail::general_operator<detail::masked_fill_operator, detail::by_status> try_masked_fill;

}  // namespace strew

#endif  // STREW_MASKED_SCATTER_HPP
