// SPDX-License-Identifier: Apache-2.0
// Scatters of rows by segments.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>

namespace strew::inline STREW_ABI::erased {

void segment_scatter(const request& request, const executor_ref& ex, status& error) {
  detail::dispatch_segments<all_reductions, true>(request, ex, error);
}

}  // namespace strew::erased
