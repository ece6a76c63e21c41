// SPDX-License-Identifier: Apache-2.0
// The memory of the benchmarks. All cases of a program share it, so the program needs what its largest case needs.
#ifndef STREW_BENCH_BUFFERS_HPP
#define STREW_BENCH_BUFFERS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace strew::bench {

// Memory aligned to 64 bytes, every page of it written: the first write to a page costs more than any operator.
class buffer {
 public:
  // What the memory is filled with depends on the seed.
  explicit buffer(std::uint64_t seed) : seed_{seed} {}

  // At least `count` elements. What was there before may be lost.
  template <class T>
  T* at_least(std::int64_t count) {
    reserve(count * static_cast<std::int64_t>(sizeof(T)));
    return static_cast<T*>(static_cast<void*>(memory_.get()));
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct release {
    void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
  };

  void reserve(std::int64_t bytes);

  std::uint64_t seed_;
  std::int64_t size_ = 0;
  std::unique_ptr<std::byte[], release> memory_;
};

struct buffers {
  buffer data{1};
  buffer indices{2};
  buffer updates{3};
  buffer output{4};
  buffer expected{5};
  buffer scratch{6};
};

inline buffers& shared_buffers() {
  static buffers shared;
  return shared;
}

// The numbers 0 .. count-1 in a random order, another one for each seed: the number at position i < count. A function
// rather than a table, since cases follow each other at random and shuffling a table would take longer than they do.
std::int64_t random_order(std::int64_t i, std::int64_t count, std::int64_t seed = 0);

}  // namespace strew::bench

#endif  // STREW_BENCH_BUFFERS_HPP
