// SPDX-License-Identifier: Apache-2.0
// There is no sub without NaNs.
// g++ says: template argument deduction/substitution failed
// clang says: constraints not satisfied
#include <strew/operators/reduction.hpp>

auto reduction = strew::reduction::without_nan(strew::reduction::sub);
