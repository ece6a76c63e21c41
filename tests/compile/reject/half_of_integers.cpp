// SPDX-License-Identifier: Apache-2.0
// A value of 16 bits, which C++20 does not count among the floating-point types, for integers.
// says first: strew: a floating-point value does not go into elements that are integers
#include <strew/strew.hpp>

void f(strew::tensor_view<int> data, strew::tensor_view<const int> index) {
#if STREW_HAS_FLOAT16
  strew::index_fill(data, 0, index, static_cast<_Float16>(0.5F));
#else
  strew::index_fill(data, 0, index, 0.5F);
#endif
}
