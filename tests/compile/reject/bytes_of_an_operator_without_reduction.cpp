// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate has no reductions.
// says first: strew: this operator takes no reduction, so its workspace_bytes does not either
#include <strew/strew.hpp>

auto bytes = strew::workspace_bytes<float>(strew::scatter_update, {3, 5}, {2}, 1, strew::reduction::sum);
