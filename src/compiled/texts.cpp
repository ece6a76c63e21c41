// SPDX-License-Identifier: Apache-2.0
// The texts of errors.
#include <strew/detail/front/compiled.hpp>

namespace strew::inline STREW_ABI::erased {

const detail::scatter_texts texts_of_axis = detail::texts_of_axis;
const detail::scatter_texts texts_of_multi_indices = detail::texts_of_multi_indices;
const detail::scatter_texts texts_of_tensors = detail::texts_of_tensors;
const detail::scatter_texts texts_of_numbers = detail::texts_of_numbers;

}  // namespace strew::erased
