// SPDX-License-Identifier: Apache-2.0
#include "buffers.hpp"

#include <bit>
#include <cstring>

namespace strew::bench {

namespace {

// A bijection of the numbers below 2^bits, another one for each key: rounds of what hashes do, which can all be undone.
std::uint64_t mix(std::uint64_t x, int bits, std::uint64_t key) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  const int shift = bits / 2 + 1;
  for (const std::uint64_t odd : {0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93}) {
    key = std::rotl(key * odd, 32);
    x = ((x ^ (x >> shift)) * odd + key) & mask;
  }
  return x ^ (x >> shift);
}

}  // namespace

void buffer::reserve(std::int64_t bytes) {
  if (bytes <= size_) return;
  constexpr std::int64_t word = sizeof(std::uint64_t);
  const std::int64_t words = (bytes + word - 1) / word;
  memory_.reset();  // first, so that the old and the new memory are never held together
  memory_.reset(static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(words * word), alignment)));
  size_ = words * word;
  for (std::int64_t i = 0; i < words; ++i) {
    const std::uint64_t value = mix(static_cast<std::uint64_t>(i), 64, seed_);
    std::memcpy(memory_.get() + i * word, &value, sizeof value);
  }
}

std::int64_t random_order(std::int64_t i, std::int64_t count, std::int64_t seed) {
  if (count < 2) return i;
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
  auto x = static_cast<std::uint64_t>(i);
  // Numbers beyond count are mapped on until they are not: a bijection of the smaller set.
  do {
    x = mix(x, bits, static_cast<std::uint64_t>(seed) + 1);
  } while (x >= static_cast<std::uint64_t>(count));
  return static_cast<std::int64_t>(x);
}

}  // namespace strew::bench
