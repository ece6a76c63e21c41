// SPDX-License-Identifier: Apache-2.0
// Suggestions for misspelt names.
#ifndef STREW_NPY_NEAREST_NAMES_HPP
#define STREW_NPY_NEAREST_NAMES_HPP

#include <string_view>
#include <vector>

namespace strew_npy {

// The known names with the smallest edit distance: insertions, deletions, replacements and exchanges of neighbouring
// letters, without regard to case. None if that is more than one edit for three letters. The first word of a known name
// may be missing (tensor_scatter for onnx_tensor_scatter); complete names at the same distance come first.
std::vector<std::string_view> nearest_names(std::string_view misspelt, const std::vector<std::string_view>& known);

}  // namespace strew_npy

#endif  // STREW_NPY_NEAREST_NAMES_HPP
