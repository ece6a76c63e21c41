// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error, which may be closed or connected to anything.
#ifndef STREW_NPY_STANDARD_STREAMS_HPP
#define STREW_NPY_STANDARD_STREAMS_HPP

#include <stdexcept>
#include <string>

namespace strew_npy {

// Standard output cannot be written.
class output_lost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opens /dev/null for each standard stream that is closed. Otherwise the next file that is opened would get its
// descriptor, and printed text would be written to that file. Writing to the stream remains an error. Throws
// file_error.
void hold_standard_descriptors();

// Writes all of the text to standard output. Throws output_lost.
void print(const std::string& text);

}  // namespace strew_npy

#endif  // STREW_NPY_STANDARD_STREAMS_HPP
