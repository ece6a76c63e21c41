// SPDX-License-Identifier: Apache-2.0
// Scatters by indices that also store which update an element holds. Of tensors whose types are known at run time only:
// other calls have their own loops.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch_positions.hpp>

namespace strew::inline STREW_ABI::erased {

void scatter_with_positions(const request& given, const executor_ref& ex, status& error) {
  using enum detail::addressing;
  const call_type type = library::complete(given.type, given.type.components);
  const request found{type, given.data, given.updates, given.output, given.indices, {given.axis}};
  switch (type.rules.by) {
    case rows:
      return detail::dispatch_with_positions<rows>(found, ex, error);
    case elements:
      return detail::dispatch_with_positions<elements>(found, ex, error);
    case multi_indices:
      return detail::dispatch_with_positions<multi_indices>(found, ex, error);
    case tensors:
      return detail::dispatch_with_positions<tensors>(found, ex, error);
    case numbers:
      return detail::dispatch_with_positions<numbers>(found, ex, error);
    default:
      STREW_ASSERT(false);
  }
}

}  // namespace strew::erased
