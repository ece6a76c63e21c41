// SPDX-License-Identifier: Apache-2.0
// Elements on the command line.
#ifndef STREW_NPY_ELEMENTS_HPP
#define STREW_NPY_ELEMENTS_HPP

#include "npy_header.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace strew_npy {

// The bytes of an element, in the byte order of its type, or nothing if the text is not one. Booleans: true, false, 1
// or 0; integers: a decimal number in range; floating-point: a decimal number, inf or nan; complex: one or two of
// these, separated by a comma. Numbers are rounded to the nearest, ties to even, those of 16 bits from double, as in
// NumPy; text of a finite number that rounds beyond the largest is not an element.
std::optional<std::vector<std::byte>> parse_element(std::string_view text, const element_type& type);

}  // namespace strew_npy

#endif  // STREW_NPY_ELEMENTS_HPP
