// SPDX-License-Identifier: Apache-2.0
// without_init is the outer one.
// g++ says: template argument deduction/substitution failed
// clang says: constraints not satisfied
#include <strew/operators/reduction.hpp>

auto reduction = strew::reduction::without_nan(strew::reduction::without_init(strew::reduction::sum));
