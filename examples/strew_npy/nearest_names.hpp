// SPDX-License-Identifier: Apache-2.0
// Which name was meant, where one is misspelt.
#ifndef STREW_NPY_NEAREST_NAMES_HPP
#define STREW_NPY_NEAREST_NAMES_HPP

#include <string_view>
#include <vector>

namespace strew_npy {

// Those of the known names that take the fewest edits: letters that are put in, left out or replaced, and neighbours
// that are exchanged, whatever their case. None where that is more than one edit for each three letters. A known name
// may also lack its first word, as tensor_scatter does of onnx_tensor_scatter; a whole one that is as near comes first.
std::vector<std::string_view> nearest_names(std::string_view misspelt, const std::vector<std::string_view>& known);

}  // namespace strew_npy

#endif  // STREW_NPY_NEAREST_NAMES_HPP
