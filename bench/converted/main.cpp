// SPDX-License-Identifier: Apache-2.0
// Sums and assignments of rows whose updates are of another type, beside the same calls on updates of data's type, and
// beside what users do without strew::converted: a converted copy of all updates first. In microseconds, the shortest
// of nine turns. Then maxima and assignments that also store which update won, beside those that do not.
#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

struct shape {
  std::int64_t rows;
  std::int64_t lanes;
  std::int64_t updates;
};

template <class Call>
void time(double& best, const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
}

template <class U>
void measure(const char* type, const shape& of, bool adds) {
  const auto size = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a * b); };
  std::vector<float> table(size(of.rows, of.lanes), 1);
  const std::vector<float> floats(size(of.updates, of.lanes), 1);
  const std::vector<U> given(floats.size(), U(1.0F));
  std::vector<float> copy(floats.size());
  std::vector<std::int64_t> indices(size(of.updates, 1));
  std::mt19937 random(1);
  for (auto& index : indices) index = static_cast<std::int64_t>(random()) % of.rows;
  const strew::tensor_view<float> data(table.data(), {of.rows, of.lanes});
  const strew::tensor_view<const float> plain(floats.data(), {of.updates, of.lanes});
  const strew::tensor_view<const U> updates(given.data(), {of.updates, of.lanes});
  const strew::tensor_view<const float> copied(copy.data(), {of.updates, of.lanes});
  const auto call = [&](const auto& with) {
    if (adds) {
      strew::index_add(data, 0, indices, with);
    } else {
      strew::index_copy(data, 0, indices, with);
    }
  };
  double without = 1e30;
  double converted = 1e30;
  double by_copy = 1e30;
  for (int turn = 0; turn < 9; ++turn) {
    time(without, [&] { call(plain); });
    time(converted, [&] { call(strew::converted(updates)); });
    time(by_copy, [&] {
      std::transform(given.begin(), given.end(), copy.begin(),
                     [](const U& update) { return static_cast<float>(update); });
      call(copied);
    });
  }
  std::printf(
      "%-10s %-8s [%lld, %lld] <- %lld rows   float %10.1f   converted %10.1f  x %.2f   by a copy %10.1f  x %.2f\n",
      adds ? "index_add" : "index_copy", type, static_cast<long long>(of.rows), static_cast<long long>(of.lanes),
      static_cast<long long>(of.updates), without, converted, converted / without, by_copy, by_copy / without);
}

void measure_positions(const shape& of, bool assigns) {
  const auto size = static_cast<std::size_t>(of.rows * of.lanes);
  std::vector<float> table(size);
  std::vector<std::int64_t> numbers(size);
  std::vector<float> given(static_cast<std::size_t>(of.updates * of.lanes));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(of.updates));
  std::mt19937 random(1);
  for (auto& index : indices) index = static_cast<std::int64_t>(random()) % of.rows;
  for (auto& update : given) update = static_cast<float>(random() % 1000);
  const strew::tensor_view<float> data(table.data(), {of.rows, of.lanes});
  const strew::tensor_view<const float> updates(given.data(), {of.updates, of.lanes});
  const strew::tensor_view<std::int64_t> won(numbers.data(), {of.rows, of.lanes});
  namespace red = strew::reduction;
  double without = 1e30;
  double with = 1e30;
  for (int turn = 0; turn < 9; ++turn) {
    std::fill(table.begin(), table.end(), 0.0F);
    time(without, [&] {
      if (assigns) return strew::scatter_update(data, indices, updates, 0);
      strew::index_reduce(data, 0, indices, updates, red::max);
    });
    std::fill(table.begin(), table.end(), 0.0F);
    time(with, [&] {
      if (assigns) return strew::scatter_update(data, indices, updates, 0, red::with_positions(red::none, won));
      strew::index_reduce(data, 0, indices, updates, red::with_positions(red::max, won));
    });
  }
  std::printf("%-14s [%lld, %lld] <- %lld rows   %10.1f   with positions %10.1f  x %.2f\n",
              assigns ? "scatter_update" : "index_reduce", static_cast<long long>(of.rows),
              static_cast<long long>(of.lanes), static_cast<long long>(of.updates), without, with, with / without);
}

}  // namespace

int main() {
  constexpr shape shapes[] = {{100'000, 128, 100'000},   {400'000, 64, 400'000}, {1'000'000, 16, 1'000'000},
                              {4'000'000, 1, 4'000'000}, {4096, 4096, 512},      {1000, 128, 4000},
                              {1000, 16, 4000}};
  for (const bool adds : {true, false}) {
    for (const shape& each : shapes) {
      measure<strew::dynamic::bfloat16>("bfloat16", each, adds);
      measure<strew::dynamic::float16>("float16", each, adds);
      measure<double>("double", each, adds);
    }
  }
  for (const bool assigns : {false, true}) {
    for (const shape& each : shapes) measure_positions(each, assigns);
  }
}
