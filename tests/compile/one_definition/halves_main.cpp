// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

int plain();
int avx();
int f16c();
int avx512f();
int avx512bw();
int avx512vl();

// What a unit needs beside its name is had by every processor that has what its name says.
int main() {
  int wrong = plain();
  if (__builtin_cpu_supports("avx") != 0) wrong += avx();
  if (__builtin_cpu_supports("avx2") != 0) wrong += f16c();
  if (__builtin_cpu_supports("avx512f") != 0) wrong += avx512f();
  if (__builtin_cpu_supports("avx512bw") != 0) wrong += avx512bw();
  if (__builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0) wrong += avx512vl();
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
