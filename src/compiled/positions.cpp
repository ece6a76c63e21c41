// SPDX-License-Identifier: Apache-2.0
// Scatters by indices that also store which update an element holds. Of tensors whose types are known at run time only:
// other calls have their own loops.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch_positions.hpp>

namespace strew::inline STREW_ABI::erased {

void scatter_with_positions(const request& given, const executor_ref& ex, status& error) {
  library::with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::dispatch_with_positions<By>(call, ex, error);
  });
}

}  // namespace strew::erased
