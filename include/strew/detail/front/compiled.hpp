// SPDX-License-Identifier: Apache-2.0
// The back end as the compiled library has it: each function makes its call with the leaves for the element size and
// the index type.
#ifndef STREW_DETAIL_FRONT_COMPILED_HPP
#define STREW_DETAIL_FRONT_COMPILED_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/executor.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

namespace strew::inline STREW_ABI::erased {

STREW_EXPORT void slice_scatter(const call& erased, const slice_spec& slice, const executor_ref& ex, status& error);
STREW_EXPORT void scatter_update(const call& erased, const index_list& axis, const executor_ref& ex, status& error);
STREW_EXPORT void scatter_elements_update(const call& erased, const index_list& axis, const executor_ref& ex,
                                          status& error);
STREW_EXPORT void onnx_scatter(const call& erased, const index_list& axis, const executor_ref& ex, status& error);

}  // namespace strew::erased

#endif  // STREW_DETAIL_FRONT_COMPILED_HPP
