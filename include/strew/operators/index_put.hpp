// SPDX-License-Identifier: Apache-2.0
// index_put and put (PyTorch): a copy of data with slices, addressed by a tensor of indices for each axis, or elements,
// addressed by row-major numbers, replaced or added to.
#ifndef STREW_OPERATORS_INDEX_PUT_HPP
#define STREW_OPERATORS_INDEX_PUT_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

namespace strew::inline STREW_ABI {

// The reductions of index_put and put: none, or sum (accumulate).
inline constexpr reduction_set index_put_reductions{.has_prod = false, .has_order = false};

namespace detail::inline STREW_CODE {

inline constexpr operation_rules index_put_rules{"index_put", addressing::tensors, index_rule::wrapping};
inline constexpr operation_rules put_rules{"put", addressing::numbers, index_rule::wrapping};

// A tuple of tensors as views; indices of other types, of dynamic.hpp, are returned unchanged.
template <class Indices>
constexpr Indices views_of(const Indices& indices, status&) noexcept {
  return indices;
}
template <class... Tensors>
constexpr auto views_of(const std::tuple<Tensors...>& tensors, status& error) noexcept {
  return std::apply(
      [&](const auto&... each) { return std::tuple<viewed<decltype(each)>...>{view_external_tensor(each, error)...}; },
      tensors);
}

template <class... Tensors>
inline constexpr bool is_plain_argument<std::tuple<Tensors...>> = true;

// index_put: data, std::tuple of indices, values, reduction (if any), output (if any).
struct index_put_operator {
  static constexpr signature form{.name = index_put_rules.name,
                                  .inputs = 3,
                                  .has_option = true,
                                  .takes_tensors = true,
                                  .wrong_order = mistake::order_of_index_put};
  static constexpr reduction_set reductions = index_put_reductions;
  static constexpr bool needs_reduction = false;
  struct shapes {
    static constexpr const char* name = index_put_rules.name;
    static constexpr addressing by = index_put_rules.by;

    static constexpr bool find_updates(const char* name_of_call, index_list& result, status& error,
                                       const index_list& data, const index_list& indices,
                                       const whole_number& tensors) noexcept {
      return find_tensor_updates(name_of_call, data, indices, tensors.value(), result, error);
    }
  };

  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    const auto views = views_of(without_policy(indices), call.error);
    if (!call.error.ok()) return;
    const auto source = source_of(views);
    if (source.count() < 1) {
      refuse(call.error, errc::rank_mismatch, index_put_rules.name, "indices", " holds no tensor, expected at least 1");
      return;
    }
    submit<index_put_rules, index_put_reductions>(
        call.ex, operands_of<policy_of<Indices>>(data, source, updates, call.output, reduce), call.error);
  }
};

// A row-major view as one of rank 1.
template <class T>
constexpr tensor_view<T> flat(const tensor_view<T>& view) noexcept {
  tensor_view<T> result;
  static_cast<void>(tensor_view<T>::try_make(view.data(), view.size(), result));  // no larger than the view
  return result;
}

// put: data, indices, source, reduction (if any), output (if any).
struct put_operator {
  static constexpr signature form{
      .name = put_rules.name, .inputs = 3, .has_option = true, .wrong_order = mistake::order_of_put};
  static constexpr reduction_set reductions = index_put_reductions;
  static constexpr bool needs_reduction = false;
  struct shapes {
    static constexpr const char* name = put_rules.name;
    static constexpr addressing by = put_rules.by;

    static constexpr bool find_updates(const char* name_of_call, index_list& result, status& error,
                                       const index_list& data, const index_list& indices) noexcept {
      if (!check_shapes(name_of_call, data, indices, error)) return false;
      result = indices;
      return true;
    }
  };

  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    const auto& output = call.output;
    const auto source = source_of(without_policy(indices));
    constexpr index_policy policy = policy_of<Indices>;
    // The compiled library itself views row-major operands as rank 1.
    constexpr bool may_be_flat =
        !runs_multi_indices_in_library<typename Call::executor_type, typename Call::output_type, R>;
    if ((may_be_flat || is_constant_evaluated()) && data.layout().is_row_major() && output.layout().is_row_major() &&
        data.extents() == output.extents() && data.rank() > 0) {
      const auto data_elements = flat(data);
      const auto output_elements = flat(output);
      submit<put_rules, index_put_reductions>(
          call.ex, operands_of<policy>(data_elements, source, updates, output_elements, reduce), call.error);
    } else {
      submit<put_rules, index_put_reductions>(call.ex, operands_of<policy>(data, source, updates, output, reduce),
                                              call.error);
    }
  }
};

}  // namespace detail

// output = data; for each coordinate i of the indices, in row-major order: output[i0[i], .., ik-1[i], ..] = values[i,
// ..], or += with reduction::sum (accumulate).
//
//   data[d0, .., dr-1], std::tuple of k views of indices [n0, ..], values[n0, .., dk, .., dr-1] -> output[d0, .., dr-1]
//
//   index_put(data, std::tuple{i0, i1}, values, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none, and the last of equal multi-indices wins;
// without `output` in place. 1 <= k <= r; all indices have one shape, their types may differ. Indices on axis j are in
// [-d_j, d_j - 1]. One value in the place of `values` stands for all of them. For masks, slices and new axes in
// PyTorch's tuple pass views instead. A policy wraps the tuple: strew::drop(std::tuple{i0, i1}). Rules for `output` and
// errors are those of v14::scatter_nd_update. O(data.size() + values.size() + k * size of the indices), no heap.
// Specification: torch.Tensor.index_put_.
STREW_KEYED inline constexpr detail::throwing<detail::index_put_operator> index_put;
// Without exceptions: returns what index_put throws.
STREW_KEYED inline constexpr detail::attempted<detail::index_put_operator> try_index_put;

// output = data; for each coordinate i of `index`, in row-major order: the element of the output with row-major number
// index[i] is replaced by source[i], or += source[i] with reduction::sum (accumulate).
//
//   data[d0, .., dr-1], index[n0, ..], source[n0, ..] -> output[d0, .., dr-1]
//
//   put(data, index, source, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none, and the last of equal numbers wins; without
// `output` in place. r >= 1. Numbers count the elements of the view in row-major order of its coordinates, whatever its
// strides, and are in [-size, size - 1]. One value in the place of `source` stands for all of it. Rules for `output`
// are those of v14::scatter_nd_update. Errors, all found before the first write: rank_mismatch, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds; for one value also value_out_of_range. O(data.size() +
// source.size()), no heap; calls on views that are not row-major run on one thread. Specification: torch.Tensor.put_,
// numpy.put (with strew::clip or strew::wrap for its modes).
STREW_KEYED inline constexpr detail::throwing<detail::put_operator> put;
// Without exceptions: returns what put throws.
STREW_KEYED inline constexpr detail::attempted<detail::put_operator> try_put;

}  // namespace strew

#endif  // STREW_OPERATORS_INDEX_PUT_HPP
