// SPDX-License-Identifier: Apache-2.0
// A container of one's own that has an element_type as spans have.
// says first: strew: this temporary owns its elements: give the tensor a name, and view that
#include <strew/view/as_view.hpp>

#include <cstddef>
#include <vector>

struct owner {
  using element_type = float;
  std::vector<float> memory;
  const float* data() const { return memory.data(); }
  std::size_t size() const { return memory.size(); }
};

void f() {
  static_cast<void>(strew::as_view(owner{{1, 2}}));
}
