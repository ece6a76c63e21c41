// SPDX-License-Identifier: Apache-2.0
// The addresses that prepared and bound calls take, right: this one compiles.
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

struct base {
  int value;
};
struct derived : base {};

// Converts to a pointer, as handles of memory do.
struct handle {
  float* first;

  operator float*() const noexcept { return first; }
};

void update(const strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>& prepared,
            const strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& bound, handle from) {
  float data[4] = {};
  float output[4] = {};
  const float updates[4] = {};
  std::int64_t indices[4] = {};
  const auto* const read_only = static_cast<const std::int64_t*>(indices);
  prepared.run(data, indices, updates, output);
  prepared.run(data, indices, updates);
  prepared.run(&data[0], read_only, &updates[0], &output[0]);
  prepared.run(strew::serial, data, read_only, from, from);
  prepared.run(from, read_only, from);
  prepared.run(nullptr, nullptr, nullptr, nullptr);
  static_cast<void>(prepared.try_run(strew::serial, nullptr, nullptr, nullptr));
  static_cast<void>(prepared.try_run(data, indices, updates, output));
  bound.run(data, updates, output);
  static_cast<void>(bound.try_run(strew::serial, data, updates));
  bound.run(nullptr, nullptr);
}

void bind(const strew::prepared<float, std::int64_t, strew::index_add, std::int64_t>& prepared,
          strew::bound<float, std::int64_t, strew::index_add, std::int64_t>& made, std::span<std::byte> memory) {
  std::int64_t indices[4] = {};
  const auto* const read_only = static_cast<const std::int64_t*>(indices);
  made = prepared.bind(indices, memory);
  made = prepared.bind(read_only, memory);
  made = prepared.bind({}, {});
  std::vector<std::byte> bytes(prepared.bound_bytes());
  static_cast<void>(prepared.try_bind(nullptr, bytes, made));
}

void mask(const strew::prepared<float, bool, strew::masked_scatter>& prepared,
          strew::bound<float, bool, strew::masked_scatter>& made, std::span<std::byte> memory) {
  float data[2] = {};
  bool selected[2] = {true, false};
  prepared.run(data, selected, data);
  prepared.run(data, static_cast<const bool*>(selected), data, data);
  made = prepared.bind(selected, memory);
  made.run(data, data);
}

void several(const strew::prepared<float, std::int64_t, strew::index_put>& prepared,
             strew::bound<float, std::int64_t, strew::index_put>& made, std::span<std::byte> memory) {
  float data[4] = {};
  const std::int64_t rows[2] = {};
  const std::int64_t columns[2] = {};
  const std::int64_t* pointers[] = {rows, columns};
  const std::array<const std::int64_t*, 2> both{rows, columns};
  const std::vector<const std::int64_t*> list{rows, columns};
  prepared.run(data, pointers, data);
  prepared.run(data, both, data);
  prepared.run(data, list, data);
  prepared.run(data, std::span<const std::int64_t* const, 2>(both), data);
  prepared.run(data, std::vector<const std::int64_t*>{rows, columns}, data);
  made = prepared.bind(both, memory);
  static_cast<void>(prepared.try_bind(pointers, memory, made));
}

void elements(const strew::prepared<base, std::int64_t, strew::scatter_update, std::int64_t>& prepared) {
  derived data[1] = {};
  base output[1] = {};
  const std::int64_t indices[1] = {};
  prepared.run(data, indices, data, output);
}

void parts(const strew::prepared<float, void, strew::slice_scatter>& prepared) {
  float data[1] = {};
  prepared.run(data, data, data);
}
