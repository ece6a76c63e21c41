// SPDX-License-Identifier: Apache-2.0
// The memory of a drawn call's operands, filled.
#ifndef STREW_BENCH_SWEEP_TENSORS_HPP
#define STREW_BENCH_SWEEP_TENSORS_HPP

#include "drawn_call.hpp"
#include "element_types.hpp"
#include "loops.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace strew::bench::sweep {

struct tensors {
  std::vector<std::byte> data, output, updates;
  std::vector<std::vector<std::byte>> indices;

  memory_of_call addresses() {
    memory_of_call at{data.data(), output.empty() ? data.data() : output.data(), updates.data(), {}};
    for (const auto& each : indices) at.indices.push_back(each.data());
    return at;
  }
};

// Values that no reduction carries beyond their type, however often it is repeated: factors are 1 and -1, half of the
// terms cancel the other half.
inline void fill(const drawn_call& call, std::vector<std::byte>& memory, std::int64_t count, std::uint64_t seed) {
  memory.resize(static_cast<std::size_t>(count * size_of(call.type)));
  with_type(call.type, [&]<class T>() {
    T* const all = reinterpret_cast<T*>(memory.data());
    std::uint64_t state = seed;
    for (std::int64_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const auto drawn = static_cast<int>(state >> 60);  // 0 to 15
      const int value = call.reduce == combining::prod ? (drawn % 2 == 0 ? 1 : -1) : drawn - 7;
      all[i] = T(static_cast<float>(value));
    }
    return 0;
  });
}

template <class Index>
void store(const operand& to, const std::vector<std::int64_t>& values, std::vector<std::byte>& memory) {
  memory.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, to.memory)) * sizeof(Index), std::byte{0});
  std::vector<std::int64_t> at(to.shape.size(), 0);
  std::size_t next = 0;
  for (bool more = !values.empty(); more;) {
    std::int64_t place = to.first;
    for (std::size_t k = 0; k < at.size(); ++k) place += at[k] * to.strides[k];
    const auto value = static_cast<Index>(values[next++]);
    std::memcpy(memory.data() + place * static_cast<std::int64_t>(sizeof(Index)), &value, sizeof value);
    more = false;
    for (std::size_t k = at.size(); k-- > 0 && !more;) {
      const bool expanded = to.strides[k] == 0;
      if (!expanded && ++at[k] < to.shape[k]) {
        more = true;
      } else {
        at[k] = 0;
      }
    }
  }
}

inline tensors make_tensors(const drawn_call& call) {
  tensors made;
  fill(call, made.data, call.data.memory, call.seed + 1);
  if (!call.in_place) fill(call, made.output, call.output.memory, call.seed + 2);
  fill(call, made.updates, std::max<std::int64_t>(1, call.updates.memory), call.seed + 3);
  if (call.how == form::value) {  // of 1 in the place of updates
    with_type(call.type, [&]<class T>() {
      std::fill_n(reinterpret_cast<T*>(made.updates.data()), made.updates.size() / sizeof(T), T(1.0F));
      return 0;
    });
  }
  for (std::size_t k = 0; k < call.indices.size(); ++k) {
    made.indices.emplace_back();
    if (has_mask(call.which)) {
      store<bool>(call.indices[k], call.values[k], made.indices[k]);
    } else if (call.wide_indices) {
      store<std::int64_t>(call.indices[k], call.values[k], made.indices[k]);
    } else {
      store<std::int32_t>(call.indices[k], call.values[k], made.indices[k]);
    }
  }
  return made;
}

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_TENSORS_HPP
