// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

void stable_sort(std::vector<float>& values) {
  std::stable_sort(values.begin(), values.end());
}
