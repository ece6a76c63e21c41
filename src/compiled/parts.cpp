// SPDX-License-Identifier: Apache-2.0
// select_scatter and diagonal_scatter.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/rules/part_view.hpp>

namespace strew::inline STREW_ABI::erased {

namespace {

STREW_NOINLINE void fill_part(const request& given, const executor_ref& ex, status& error) {
  index_list extents;
  strided_layout repeated;
  request found = given;
  found.updates.layout = &repeated;
  if (detail::find_part_updates(given.data.layout->extents(), *given.part, extents, error) &&
      library::repeat(given, given.type.rules.name, extents, repeated, error)) {
    detail::dispatch_part(found, ex, error);
  }
}

}  // namespace

void part_scatter(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return fill_part(request, ex, error);
  if (request.type.converts != nullptr) return detail::dispatch_part<true>(request, ex, error);
  detail::dispatch_part(request, ex, error);
}

}  // namespace strew::erased
