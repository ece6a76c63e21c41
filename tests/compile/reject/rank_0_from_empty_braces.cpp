// SPDX-License-Identifier: Apache-2.0
// A view of rank 0 may be asked for with empty braces, by the constructors and by try_make.
#include <strew/strew.hpp>

float element = 1;
strew::tensor_view<float> view{&element, {}};
bool made = strew::tensor_view<float>::try_make(&element, {}, view).ok();
