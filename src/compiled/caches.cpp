// SPDX-License-Identifier: Apache-2.0
// onnx::tensor_scatter.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>

namespace strew::inline STREW_ABI::erased {

void tensor_scatter(const request& request, const executor_ref& ex, status& error) {
  if (request.type.converts != nullptr) return detail::dispatch_caches<true>(request, ex, error);
  detail::dispatch_caches(request, ex, error);
}

}  // namespace strew::erased
