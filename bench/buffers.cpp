// SPDX-License-Identifier: Apache-2.0
#include "buffers.hpp"

#include <bit>
#include <cstring>

namespace strew::bench {

namespace {

// A bijection of the numbers below 2^bits (the finaliser of splitmix64, cut to that width).
std::uint64_t mix(std::uint64_t x, int bits) {
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const int shift = bits / 2 + 1;
  x = ((x ^ (x >> shift)) * 0xbf58476d1ce4e5b9) & mask;
  x = ((x ^ (x >> shift)) * 0x94d049bb133111eb) & mask;
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
    const std::uint64_t value = mix(static_cast<std::uint64_t>(i) + (seed_ << 56), 64);
    std::memcpy(memory_.get() + i * word, &value, sizeof value);
  }
}

std::int64_t random_order(std::int64_t i, std::int64_t count, std::int64_t seed) {
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t offset = mix(static_cast<std::uint64_t>(seed), 64) & mask;
  auto x = static_cast<std::uint64_t>(i);
  // Numbers beyond count are mapped on until they are not: a bijection of the smaller set.
  do {
    x = mix(x ^ offset, bits);
  } while (x >= static_cast<std::uint64_t>(count));
  return static_cast<std::int64_t>(x);
}

}  // namespace strew::bench
