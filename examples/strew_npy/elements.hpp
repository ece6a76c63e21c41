// SPDX-License-Identifier: Apache-2.0
// Single elements, written on the command line.
#ifndef STREW_NPY_ELEMENTS_HPP
#define STREW_NPY_ELEMENTS_HPP

#include "npy_header.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace strew_npy {

// The bytes of an element, in the byte order of its type; nothing where the text is none: true, false, 1 or 0 of
// booleans, a whole number in range, a number in decimal, inf or nan, and of complex ones two of these with a comma, or
// one. Numbers of 16 bits are rounded from double, as NumPy does.
std::optional<std::vector<std::byte>> parse_element(std::string_view text, const element_type& type);

}  // namespace strew_npy

#endif  // STREW_NPY_ELEMENTS_HPP
