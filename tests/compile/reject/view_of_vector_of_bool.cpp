// SPDX-License-Identifier: Apache-2.0
// Bits have no addresses.
// says first: strew: std::vector<bool> holds bits, to which no view can point: take std::vector<char> or an array
#include <strew/view/as_view.hpp>

#include <vector>

void f(std::vector<bool>& bits) {
  static_cast<void>(strew::as_view(bits));
}
