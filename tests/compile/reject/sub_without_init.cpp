// SPDX-License-Identifier: Apache-2.0
// There is no sub without what was there.
// g++ says: template argument deduction/substitution failed
// clang says: constraints not satisfied
#include <strew/operators/reduction.hpp>

auto reduction = strew::reduction::without_init(strew::reduction::sub);
