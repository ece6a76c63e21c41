// SPDX-License-Identifier: Apache-2.0
// masked_scatter and masked_fill (PyTorch): a copy of data with the elements that a mask selects replaced.
#ifndef STREW_OPERATORS_MASKED_SCATTER_HPP
#define STREW_OPERATORS_MASKED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/kernels/run_masked.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/status.hpp>
#include <strew/view/tensor_view.hpp>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <const operation_rules& Rules, bool Repeats = false, class Ex, class T, class M>
constexpr void run_masked_scatter(Ex& ex, const tensor_view<const T>& data, const tensor_view<const M>& mask,
                                  const tensor_view<const T>& source, const tensor_view<T>& output, status& error) {
  const auto typed = [&]<class Selected>(const execution_context* ctx, const Selected* selected) {
    const masked_layouts at{data.layout(), mask.layout(), source.layout(), output.layout()};
    shared_memory shared = typed::find_shared(data, source, output);
    shared.indices = typed::overlaps_with(output, mask);
    if (!check_masked(Rules, at, shared, error)) return;
    const masked_operands<typed_elements<T>, Selected> operands{
        {}, selected, shared.in_place ? nullptr : data.data(), source.data(), output.data()};
    put_selected(ctx, Rules, at, operands, error);
  };
  if (is_constant_evaluated()) {
    typed(nullptr, mask.data());
  } else if constexpr (!is_bytewise<T>) {
    run_typed<T>(ex, [&](const execution_context* ctx) { typed(ctx, address(mask.data())); });
  } else {
    const erased::index_operand selected{address(mask.data()), &mask.layout(), nullptr};
#if STREW_COMPILED
    constexpr const erased::call_type& type =
        call_type_in_library<Rules, T, index_policy::error, reduction::none_type, Repeats>;
    erased::request request = make_request(type, data, source, output);
    request.indices = &selected;
    erased::masked_scatter(request, refer_to(ex), error);
#else
    erased::request request = make_request(call_type_of<Rules, T>, data, source, output);
    request.indices = &selected;
    with_context(ex, [&](const execution_context& ctx) { run_masked<loop_width<T> >(ctx, request, error); });
#endif
  }
}

template <const operation_rules& Rules, class Ex, class Data, class Mask, class View, class Output>
constexpr void run_masked_scatter(Ex& ex, const Data& data, const Mask& mask, const repeated<View>& value,
                                  const Output& output, status& error) {
  if constexpr (repeats_in_library<Output>) {
    if (!is_constant_evaluated()) {
      return run_masked_scatter<Rules, true>(ex, data, mask, value.element, output, error);
    }
  }
  View all = value.element;
  if (repeat(Rules.name, value.element, data.extents(), all, error)) {
    run_masked_scatter<Rules>(ex, data, mask, all, output, error);
  }
}

// masked_scatter: data, mask, source, output (if any).
struct masked_scatter_operator {
  static constexpr signature form{.name = masked_scatter_rules.name,
                                  .inputs = 3,
                                  .has_mask = true,
                                  .takes_value = false,
                                  .wrong_order = mistake::order_of_masked_scatter};
  using shapes = shapes_without_updates<addressing::slices>;

  template <class Call, class Data, class Mask, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Mask& mask, const Updates& source) {
    run_masked_scatter<masked_scatter_rules>(call.ex, read_only(data), read_only(mask), read_only(source), call.output,
                                             call.error);
  }
};

// masked_fill: data, mask, value, output (if any).
struct masked_fill_operator {
  static constexpr signature form{.name = masked_fill_rules.name,
                                  .inputs = 3,
                                  .has_mask = true,
                                  .has_updates = false,
                                  .wrong_order = mistake::order_of_masked_fill};
  using shapes = shapes_without_updates<addressing::slices>;

  template <class Call, class Data, class Mask, class Value>
  static constexpr void run(const Call& call, const Data& data, const Mask& mask, const Value& value) {
    run_masked_scatter<masked_fill_rules>(call.ex, read_only(data), read_only(mask), value, call.output, call.error);
  }
};

}  // namespace detail

// output = data; the elements that the mask selects are replaced by those of `source`, both in row-major order.
//
//   data[d0, .., dr-1], mask[d0, .., dr-1], source of any shape -> output[d0, .., dr-1]
//
//   masked_scatter(data, mask, source, output)
//
// with an executor first if there is one; without `output` in place: only selected elements are written. r >= 0. The
// source has at least as many elements as the mask selects; further ones are not read. The mask has elements bool,
// char, signed char, unsigned char or std::byte; with tensors of strew/dynamic.hpp it may be one of booleans or of
// integers of one byte, too. An element selects if its byte is not 0.
//
// `output` may be exactly the view `data`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, extent_mismatch, repeated_element, overlap,
// too_few_elements. If an assignment of T throws, each element of the output holds its old or its new value.
// O(data.size()), no heap. Specification: torch.Tensor.masked_scatter_.
STREW_KEYED inline constexpr detail::throwing<detail::masked_scatter_operator> masked_scatter;
// Without exceptions: returns what masked_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::masked_scatter_operator> try_masked_scatter;

// output = data; the elements that the mask selects are replaced by the value: as masked_scatter, with one value.
//
//   data[d0, .., dr-1], mask[d0, .., dr-1] -> output[d0, .., dr-1]
//
//   masked_fill(data, mask, value, output)
//
// The value is a scalar that converts to the element type, or a view of rank 0 that shares no memory with the output.
// Errors are those of masked_scatter except too_few_elements; also value_out_of_range. O(data.size()), no heap.
// Specification: torch.Tensor.masked_fill_.
STREW_KEYED inline constexpr detail::throwing<detail::masked_fill_operator> masked_fill;
// Without exceptions: returns what masked_fill throws.
STREW_KEYED inline constexpr detail::attempted<detail::masked_fill_operator> try_masked_fill;

}  // namespace strew

#endif  // STREW_OPERATORS_MASKED_SCATTER_HPP
