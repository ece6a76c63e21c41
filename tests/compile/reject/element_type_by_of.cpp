// SPDX-License-Identifier: Apache-2.0
// The element type of a C++ type is a constant.
// says first: strew: the element type of a C++ type is strew::dynamic::element_type_of<T>
#include <strew/strew.hpp>

#include <strew/dynamic.hpp>

constexpr strew::dynamic::element_type f() {
  return strew::dynamic::element_type::of<float>();
}
