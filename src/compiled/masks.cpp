// SPDX-License-Identifier: Apache-2.0
// masked_scatter and masked_fill.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>

namespace strew::inline STREW_ABI::erased {

void masked_scatter(const request& given, const executor_ref& ex, status& error) {
  strided_layout repeated;
  request found = given;
  if (given.type.repeats) {
    if (!library::repeat(given, given.type.rules.name, given.data.layout->extents(), repeated, error)) return;
    found.updates.layout = &repeated;
  }
  if (given.type.converts != nullptr) return detail::dispatch_masked<true>(given, ex, error);
  detail::dispatch_masked(found, ex, error);
}

}  // namespace strew::erased
