// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TESTS_SUPPORT_NOISE_HPP
#define STREW_TESTS_SUPPORT_NOISE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strew::test {

// Bytes without a pattern, so that none is taken for its neighbour.
inline std::vector<char> noise(std::int64_t count, std::uint64_t seed) {
  std::vector<char> result(static_cast<std::size_t>(count));
  std::uint64_t state = seed;
  for (char& byte : result) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(state >> 56);
  }
  return result;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_NOISE_HPP
