// SPDX-License-Identifier: Apache-2.0
// Scatters of rows by segments.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>

namespace strew::inline STREW_ABI::erased {

void segment_scatter(const request& request, const executor_ref& ex, status& error) {
  constexpr reduction_set set = [] {
    reduction_set all = all_reductions;
    all.may_skip_nan = true;
    return all;
  }();
  detail::dispatch_segments<set, true>(request, ex, error);
}

}  // namespace strew::erased
