// SPDX-License-Identifier: Apache-2.0
// slice_scatter.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/rules/check_slice.hpp>

namespace strew::inline STREW_ABI::erased {

namespace {

STREW_NOINLINE void fill_slice(const request& given, const executor_ref& ex, status& error) {
  index_list extents;
  strided_layout repeated;
  const char* const operation = given.type.rules.name;
  request found = given;
  found.updates.layout = &repeated;
  if (detail::find_slice_updates(operation, given.data.layout->extents(), *given.slice, extents, error) &&
      library::repeat(given, operation, extents, repeated, error)) {
    detail::dispatch_slices(found, ex, error);
  }
}

}  // namespace

void slice_scatter(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return fill_slice(request, ex, error);
  if (request.type.converts != nullptr) return detail::dispatch_slices<true>(request, ex, error);
  detail::dispatch_slices(request, ex, error);
}

}  // namespace strew::erased
