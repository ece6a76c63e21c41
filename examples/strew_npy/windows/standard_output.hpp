// SPDX-License-Identifier: Apache-2.0
// Whether a file is also standard output.
#ifndef STREW_NPY_WINDOWS_STANDARD_OUTPUT_HPP
#define STREW_NPY_WINDOWS_STANDARD_OUTPUT_HPP

namespace strew_npy {

bool is_standard_output(int descriptor);

}  // namespace strew_npy

#endif  // STREW_NPY_WINDOWS_STANDARD_OUTPUT_HPP
