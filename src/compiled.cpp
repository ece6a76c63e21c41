// SPDX-License-Identifier: Apache-2.0
// The compiled library: the back end of all operators, once.
#include <strew/detail/cpu/dispatch.hpp>
#include <strew/detail/front/compiled.hpp>

namespace strew::inline STREW_ABI::erased {

void slice_scatter(const call& erased, const slice_spec& slice, const executor_ref& ex, status& error) {
  detail::dispatch_slice_scatter(erased, slice, ex, error);
}

void scatter_update(const call& erased, const index_list& axis, const executor_ref& ex, status& error) {
  detail::dispatch_scatter_rows(erased, "scatter_update", axis, ex, error);
}

void scatter_elements_update(const call& erased, const index_list& axis, const executor_ref& ex, status& error) {
  detail::dispatch_scatter_elements<detail::scatter_elements_update_rules>(erased, axis, ex, error);
}

void onnx_scatter(const call& erased, const index_list& axis, const executor_ref& ex, status& error) {
  detail::dispatch_scatter_elements<detail::onnx_scatter_rules>(erased, axis, ex, error);
}

}  // namespace strew::erased
