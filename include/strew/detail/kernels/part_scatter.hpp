// SPDX-License-Identifier: Apache-2.0
// select_scatter and diagonal_scatter on bytes: copies into one coordinate of an axis, and into a diagonal.
#ifndef STREW_DETAIL_KERNELS_PART_SCATTER_HPP
#define STREW_DETAIL_KERNELS_PART_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/status.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Copies data to the output, out of place.
inline void copy_data_apart(const execution_context& ctx, const erased::request& call, const copy_loops& copy) {
  erased::request copied = call;
  copied.updates = call.data;
  copied.data = {call.output.data, call.output.layout};
  if (!call.output.layout->empty()) copy_updates(ctx, copied, {&copy});
}

// Checks and runs such a call.
STREW_NOINLINE inline void run_part(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                                    status& error) {
  STREW_TRACED(ctx, call, nullptr, error, run_part(ctx, call, copy, error));
  const slice_layouts at{*call.data.layout, *call.updates.layout, *call.output.layout};
  const shared_memory shared = find_shared(call);
  const auto size = static_cast<std::size_t>(call.type.element_size);
  output_part part;
  if (!find_part(at, shared, *call.part, part, error)) return;
  strided_layout layout;
  erased::request replaced = call;
  if (call.part->is_diagonal()) {
    if (!shared.in_place) copy_data_apart(ctx, call, copy);
    if (at.updates.empty()) return;
    static_cast<void>(strided_layout::try_make(part.extents, part.strides, size, layout));
    replaced.output = {call.output.data + part.offset * call.type.element_size, &layout};
    replaced.data = {replaced.output.data, &layout};
    copy_updates(ctx, replaced, {&copy});
    return;
  }
  // One coordinate is a slice, which is copied in one pass with data.
  index_list extents;
  index_list strides;
  for (int i = 0; i < at.data.rank(); ++i) {
    const int from = i - (i > part.axis ? 1 : 0);
    extents.push_back(i == part.axis ? 1 : at.updates.extent(from));
    strides.push_back(i == part.axis ? 0 : at.updates.stride(from));
  }
  static_cast<void>(strided_layout::try_make(extents, strides, size, layout));
  replaced.updates.layout = &layout;
  const reachable_loops reachable{&copy};
  validated_call c{replaced, reachable};
  resolved_slice slice(at.data.extents());
  slice.narrow(part.axis, {part.element, 1, 1});
  c.set_in_place(shared.in_place);
  replace_slice(ctx, c, slice);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PART_SCATTER_HPP
