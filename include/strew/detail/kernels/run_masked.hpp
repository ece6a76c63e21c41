// SPDX-License-Identifier: Apache-2.0
// Scatters by a mask on bytes.
#ifndef STREW_DETAIL_KERNELS_RUN_MASKED_HPP
#define STREW_DETAIL_KERNELS_RUN_MASKED_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/masked_loops.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/status.hpp>

#include <cstddef>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Checks a call, but not the number of elements that its mask selects.
STREW_NOINLINE inline bool check_masked_request(const erased::request& call, bool& in_place, status& error) noexcept {
  const erased::index_operand& mask = *call.indices;
  shared_memory shared = find_shared(call);
  shared.indices = overlaps_output(call, mask.data, *mask.layout, 1);
  in_place = shared.in_place;
  return check_masked(call.type.rules, {*call.data.layout, *mask.layout, *call.updates.layout, *call.output.layout},
                      shared, error);
}

// Checks and runs a call on elements of a width. The mask is in the place of indices.
template <std::size_t Width>
void run_masked(const execution_context& ctx, const erased::request& call, status& error) {
  bool in_place = false;
  if (!check_masked_request(call, in_place, error)) return;
  const masked_layouts at{*call.data.layout, *call.indices->layout, *call.updates.layout, *call.output.layout};
  const std::int64_t size = call.type.element_size;
  const masked_operands<byte_elements<Width>> operands{
      {size, size}, call.indices->data, in_place ? nullptr : call.data.data, call.updates.data, call.output.data};
  put_selected(&ctx, call.type.rules, at, operands, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_RUN_MASKED_HPP
