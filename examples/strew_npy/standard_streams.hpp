// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error, which whoever starts the program may have closed or connected to anything.
#ifndef STREW_NPY_STANDARD_STREAMS_HPP
#define STREW_NPY_STANDARD_STREAMS_HPP

#include <stdexcept>
#include <string>

namespace strew_npy {

// Standard output takes no more text.
class output_lost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Puts /dev/null in the place of each standard stream that is closed. Otherwise the next file to be opened would get
// its descriptor, and what is printed would land in that file. Writing to the stream stays an error. Throws file_error.
void hold_standard_descriptors();

// Writes to standard output, to the end: what it cannot take is an error here. Throws output_lost.
void print(const std::string& text);

}  // namespace strew_npy

#endif  // STREW_NPY_STANDARD_STREAMS_HPP
