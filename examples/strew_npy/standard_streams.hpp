// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error, which whoever starts the program may have closed or connected to anything.
#ifndef STREW_NPY_STANDARD_STREAMS_HPP
#define STREW_NPY_STANDARD_STREAMS_HPP

namespace strew_npy {

// Puts /dev/null in the place of each standard stream that is closed. Otherwise the next file to be opened would get
// its descriptor, and what is printed would land in that file. Writing to the stream stays an error. Throws file_error.
void hold_standard_descriptors();

}  // namespace strew_npy

#endif  // STREW_NPY_STANDARD_STREAMS_HPP
