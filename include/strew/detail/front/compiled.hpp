// SPDX-License-Identifier: Apache-2.0
// The back end as the compiled library has it: each function makes its call with the loops for the element size and
// the index type.
#ifndef STREW_DETAIL_FRONT_COMPILED_HPP
#define STREW_DETAIL_FRONT_COMPILED_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>

namespace strew::inline STREW_ABI::erased {

// The texts of errors: calls refer to them.
STREW_EXPORT extern const detail::scatter_texts texts_of_axis;
STREW_EXPORT extern const detail::scatter_texts texts_of_multi_indices;
STREW_EXPORT extern const detail::scatter_texts texts_of_tensors;
STREW_EXPORT extern const detail::scatter_texts texts_of_numbers;

STREW_EXPORT void slice_scatter(const request& request, const executor_ref& ex, status& error);
// Both of select_scatter and diagonal_scatter.
STREW_EXPORT void part_scatter(const request& request, const executor_ref& ex, status& error);
// All scatters by indices.
STREW_EXPORT void scatter(const request& request, const executor_ref& ex, status& error);
// Both of masked_scatter and masked_fill.
STREW_EXPORT void masked_scatter(const request& request, const executor_ref& ex, status& error);
STREW_EXPORT void tensor_scatter(const request& request, const executor_ref& ex, status& error);

}  // namespace strew::erased

#endif  // STREW_DETAIL_FRONT_COMPILED_HPP
