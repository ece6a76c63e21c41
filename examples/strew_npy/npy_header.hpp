// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: element type and layout.
#ifndef STREW_NPY_NPY_HEADER_HPP
#define STREW_NPY_NPY_HEADER_HPP

#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <bit>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strew_npy {

enum class element_kind : unsigned char { boolean, signed_integer, unsigned_integer, floating_point, complex };

struct element_type {
  element_kind kind;
  std::size_t width;                        // in bytes
  std::string_view name;                    // NumPy's name: "float32"
  std::endian order = std::endian::native;  // native where the width is 1

  friend bool operator==(const element_type&, const element_type&) = default;
};

struct npy_header {
  element_type element;
  strew::strided_layout layout;  // Fortran order is a matter of strides
  std::size_t data_offset;       // of the first element, in bytes from the beginning of the file; any number
};

// An error of a header, without the name of the file.
class header_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads the header of a whole .npy file, format version 1.0, 2.0 or 3.0. All fields are checked: on return the declared
// elements are exactly the rest of the file. Throws header_error.
//
// The header is a Python dictionary in the form that NumPy writes. Blanks, quotes, the order of the keys and trailing
// commas may differ; other equivalent Python is an error.
npy_header parse_npy_header(std::span<const std::byte> file);

// "float32", "big-endian float32".
std::string to_string(const element_type& type);
// As Python writes a tuple: "(2, 5)", "(3,)", "()".
std::string to_string(const strew::index_list& extents);

}  // namespace strew_npy

#endif  // STREW_NPY_NPY_HEADER_HPP
