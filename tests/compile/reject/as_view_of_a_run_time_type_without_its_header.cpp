// SPDX-License-Identifier: Apache-2.0
// The header for tensors whose types are known at run time is missing.
// says first: strew: as_view<T> knows no such tensor: include strew/runtimes.hpp
#include <strew/strew.hpp>

struct tensor {
  void* data;
  int ndim;
};

void f(tensor& of) {
  static_cast<void>(strew::as_view<float>(of));
}
