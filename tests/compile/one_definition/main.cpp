// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> memory(3 * 4 * 8192, 1.0F);  // enough to be cut into parts
  const strew::tensor_view<float> data{memory.data(), {3, 4, 8192}};
  strew::thread_pool pool{2};
  int wrong = plain(data, pool) + portable(data, pool);
#if STREW_TEST_AVX2
  if (__builtin_cpu_supports("avx2") != 0) wrong += avx2(data, pool);
#endif
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
