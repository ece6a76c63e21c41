// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_PYTHON_OPERATORS_HPP
#define STREW_PYTHON_OPERATORS_HPP

#include <nanobind/nanobind.h>

namespace strew_python {

// Defines all operators in the module and its submodules.
void define_operators(nanobind::module_& module);

}  // namespace strew_python

#endif  // STREW_PYTHON_OPERATORS_HPP
