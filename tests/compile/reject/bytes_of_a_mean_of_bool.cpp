// SPDX-License-Identifier: Apache-2.0
// A mean of booleans is none.
// says first: strew: this element type lacks the operation of this reduction (mean of bool
#include <strew/strew.hpp>

auto bytes = strew::workspace_bytes<bool>(strew::index_reduce, {3, 5}, {2}, 1, strew::reduction::mean);
