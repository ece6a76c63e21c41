// SPDX-License-Identifier: Apache-2.0
// Runs select_scatter and diagonal_scatter: a copy into one coordinate of an axis, or into a diagonal.
#ifndef STREW_DETAIL_FRONT_RUN_PART_SCATTER_HPP
#define STREW_DETAIL_FRONT_RUN_PART_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/status.hpp>
#include <strew/view/tensor_view.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <bool Repeats = false, class Ex, class T>
constexpr void run_part_scatter(Ex& ex, const tensor_view<const T>& data, const tensor_view<const T>& source,
                                const part_spec& spec, const tensor_view<T>& output, status& error) {
  if (is_constant_evaluated() || !is_bytewise<T>) {
    const shared_memory shared = typed::find_shared(data, source, output);
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
    constexpr const erased::call_type& type =
        call_type_in_library<slice_scatter_rules, T, index_policy::error, reduction::none_type, Repeats>;
    erased::part_scatter(make(type), refer_to(ex), error);
#else
    const erased::request request = make(call_type_of<slice_scatter_rules, T>);
    with_context(ex,
                 [&](const execution_context& ctx) { run_part(ctx, request, copy_loops_of<loop_width<T> >, error); });
#endif
  }
}

template <class Ex, class Data, class View, class Output>
constexpr void run_part_scatter(Ex& ex, const Data& data, const repeated<View>& source, const part_spec& spec,
                                const Output& output, status& error) {
  if constexpr (repeats_in_library<Output>) {
    if (!is_constant_evaluated()) {
      return run_part_scatter<true>(ex, data, source.element, spec, output, error);
    }
  }
  const char* const operation = spec.is_diagonal() ? diagonal_scatter_rules.name : select_scatter_rules.name;
  index_list extents;
  View all = source.element;
  if (find_part_updates(data.extents(), spec, extents, error) &&
      repeat(operation, source.element, extents, all, error)) {
    run_part_scatter(ex, data, all, spec, output, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_RUN_PART_SCATTER_HPP
