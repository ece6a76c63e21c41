// SPDX-License-Identifier: Apache-2.0
// A temporary is gone when its view is used.
// says first: strew: this temporary owns its elements: give the tensor a name, and view that
#include <strew/view/as_view.hpp>

#include <vector>

std::vector<float> make();

void f() {
  static_cast<void>(strew::as_view(make()));
}
