// SPDX-License-Identifier: Apache-2.0
// Sums, maxima, tuples, histograms and the update of a cache beside memcpy. Each is, row by row or element by element,
// a scatter along one axis, and so checked by the same loops as the others.
#include "add_case.hpp"
#include "cases.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace strew::bench {

namespace {

namespace red = reduction;

// Rows of `inner` elements: `count` of them go to rows at random, so that some meet and others are left, to ascending
// ones, or all to one.
enum class places { random, sorted, one };
struct row_sums {
  const char* name;
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t count;
  places where = places::random;
  twin compared_with = twin::memcpy;
};

std::int64_t place(const row_sums& c, std::int64_t j) {
  switch (c.where) {
    case places::sorted:
      return 2 * j + random_order(j, c.count) % 2;
    case places::one:
      return c.rows / 2;
    case places::random:
      break;
  }
  return random_order(j, 1 << 30) % c.rows;
}

void add_row_sums(const row_sums& c) {
  const shape data{c.inner == 1 ? index_list{c.rows} : index_list{c.rows, c.inner}, 0};
  const auto wants = [&](std::size_t threads) {
    return workspace_bytes<float>(index_reduce, data.extents, {c.count}, 0, red::sum, threads);
  };
  add_case<float>(
      {std::string("index_add/") + c.name,
       "float32",
       data,
       c.count,
       {.two_threads = true, .loops = true, .compared_with = c.compared_with},
       wants(1),
       wants(2)},
      [=](const tensors<float>& t) {
        fill_with_numbers(t);
        const auto* const index = make_indices<std::int64_t>(c.count, [&](std::int64_t j) { return place(c, j); });
        const tensor_view<const std::int64_t> indices{index, c.count};
        const auto call = [=](auto&... executor) { index_add(executor..., t.data, 0, indices, t.updates, t.output); };
        return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return index[j]; }, sum{}};
      });
}

// Elements of a square matrix: as many updates as elements, to random places of their lines.
template <class Reduction, class Combine>
void add_elements(const char* name, int axis, const Reduction& reduction, Combine combine) {
  constexpr std::int64_t n = 1024;
  add_case<float>(
      {std::string("scatter_elements/") + name, "float32", {{n, n}, axis}, n, {.two_threads = true, .loops = true}},
      [=](const tensors<float>& t) {
        fill_with_numbers(t);
        const auto* const index =
            make_indices<std::int64_t>(n * n, [=](std::int64_t k) { return random_order(k, 1 << 30) % n; });
        const tensor_view<const std::int64_t> indices{index, {n, n}};
        const auto call = [=](auto&... executor) {
          onnx::scatter_elements(executor..., t.data, indices, t.updates, axis, reduction, t.output);
        };
        const auto position = [=, inner = t.inner](std::int64_t o, std::int64_t j, std::int64_t i) {
          return index[(o * n + j) * inner + i];
        };
        return operation{call, position, combine};
      });
}

// Tuples of k numbers below `extent` name slices of `inner` elements: half of the slices, each once, in random order,
// or as many that are summed.
struct tuples {
  const char* name;
  int k;
  std::int64_t extent;
  std::int64_t inner;
};

template <class Reduction, class Combine>
void add_tuples(const tuples& c, const Reduction& reduction, Combine combine) {
  index_list extents;
  std::int64_t rows = 1;
  for (int a = 0; a < c.k; ++a) {
    extents.push_back(c.extent);
    rows *= c.extent;
  }
  if (c.inner > 1) extents.push_back(c.inner);
  const std::int64_t count = rows / 2;
  const index_list indices_extents{count, c.k};
  const auto wants = [&](std::size_t threads) {
    return workspace_bytes<float>(onnx::scatter_nd, extents, indices_extents, threads);
  };
  constexpr bool is_sum = !std::is_same_v<Combine, replaced>;
  // For the loops, which count rows, the leading axes are one.
  add_case<float>({std::string("scatter_nd/") + c.name,
                   "float32",
                   {{rows, c.inner}, 0},
                   count,
                   {.two_threads = true, .loops = true},
                   wants(1),
                   wants(2)},
                  [=](const tensors<float>& t) {
                    fill_with_numbers(t);
                    const auto row = [=](std::int64_t j) {
                      return is_sum ? random_order(j, 1 << 30) % rows : random_order(j, rows);
                    };
                    auto* const numbers = shared_buffers().indices.at_least<std::int64_t>(count * c.k);
                    for (std::int64_t j = 0; j < count; ++j) {
                      std::int64_t rest = row(j);
                      for (int a = c.k; a-- > 0; rest /= c.extent) numbers[j * c.k + a] = rest % c.extent;
                    }
                    const tensor_view<const std::int64_t> indices{numbers, indices_extents};
                    index_list updates_extents{count};
                    if (c.inner > 1) updates_extents.push_back(c.inner);
                    const tensor_view<const float> data{t.data.data(), extents};
                    const tensor_view<const float> updates{t.updates.data(), updates_extents};
                    const tensor_view<float> output{t.output.data(), extents};
                    const auto call = [=](auto&... executor) {
                      onnx::scatter_nd(executor..., data, indices, updates, reduction, output);
                    };
                    const auto position = [=](std::int64_t, std::int64_t j, std::int64_t) {
                      std::int64_t number = 0;
                      for (int a = 0; a < c.k; ++a) number = number * c.extent + numbers[j * c.k + a];
                      return number;
                    };
                    return operation{call, position, combine};
                  });
}

// A cache of keys [8, 32, 4096, 128], into which each sample gets so many tokens at a place of its own, in place.
void add_cache(const char* name, std::int64_t tokens) {
  constexpr std::int64_t samples = 8;
  constexpr std::int64_t heads = 32;
  constexpr std::int64_t length = 4096;
  constexpr std::int64_t size = 128;
  add_case<float>(
      {std::string("tensor_scatter/") + name,
       "float32",
       {{samples * heads, length, size}, 1},
       tokens,
       {.in_place = true, .two_threads = true}},
      [=](const tensors<float>& t) {
        const auto* const first =
            make_indices<std::int64_t>(samples, [=](std::int64_t i) { return random_order(i, length - tokens); });
        const tensor_view<const std::int64_t> write_indices{first, {samples}};
        const tensor_view<const float> update{t.updates.data(), {samples, heads, tokens, size}};
        const tensor_view<float> cache{t.output.data(), {samples, heads, length, size}};
        const auto call = [=](auto&... executor) {
          onnx::tensor_scatter(executor..., cache, update, write_indices, {});
        };
        return operation{call, [=](std::int64_t o, std::int64_t j, std::int64_t) { return first[o / heads] + j; }};
      });
}

void add_cases() {
  constexpr std::int64_t elements = 32 * MiB / 4;
  for (const row_sums& c :
       {row_sums{"rows_of_1", elements, 1, elements / 2}, row_sums{"rows_of_4", elements / 4, 4, elements / 8},
        row_sums{"rows_of_16", elements / 16, 16, elements / 32},
        row_sums{"rows_of_64", elements / 64, 64, elements / 128},
        row_sums{"rows_of_64_sorted", elements / 64, 64, elements / 128, places::sorted},
        row_sums{"rows_of_64_to_one", elements / 64, 64, elements / 128, places::one},
        row_sums{"rows_of_80", elements / 80 / 16 * 16, 80, elements / 160},
        row_sums{"rows_of_1024", elements / 1024, 1024, elements / 2048}, row_sums{"rows_of_64", 1024, 64, 512},
        row_sums{"rows_of_80", 556416, 80, 481385}}) {
    add_row_sums(c);
  }
  for (const row_sums& c :
       {row_sums{"histogram_64", 64, 1, 16 * MiB}, row_sums{"histogram_256", 256, 1, 16 * MiB},
        row_sums{"histogram_4K", 4 * KiB, 1, 16 * MiB}, row_sums{"histogram_64K", 64 * KiB, 1, 16 * MiB},
        row_sums{"histogram_16M", 16 * MiB, 1, 16 * MiB}}) {
    row_sums histogram = c;
    histogram.compared_with = twin::memcpy_of_updates;
    add_row_sums(histogram);
  }
  add_elements("sum_last_axis", 1, red::sum, sum{});
  add_elements("sum_axis0", 0, red::sum, sum{});
  add_elements("max_last_axis", 1, red::max, maximum{});
  add_elements("max_axis0", 0, red::max, maximum{});
  for (const tuples& c : {tuples{"1_slices_of_1", 1, elements, 1}, tuples{"1_slices_of_64", 1, elements / 64, 64},
                          tuples{"1_slices_of_1024", 1, elements / 1024, 1024}, tuples{"2_slices_of_1", 2, 2896, 1},
                          tuples{"2_slices_of_64", 2, 362, 64}, tuples{"2_slices_of_1024", 2, 90, 1024},
                          tuples{"3_slices_of_1", 3, 208, 1}, tuples{"3_slices_of_16", 3, 80, 16},
                          tuples{"3_slices_of_64", 3, 50, 64}, tuples{"3_slices_of_1024", 3, 20, 1024}}) {
    add_tuples(c, red::none, replaced{});
  }
  add_tuples({"sum_2_slices_of_1", 2, 2896, 1}, red::sum, sum{});
  add_tuples({"sum_2_slices_of_64", 2, 362, 64}, red::sum, sum{});
  add_cache("one_token", 1);
  add_cache("64_tokens", 64);
}

const case_source reduction_cases{add_cases};

}  // namespace

}  // namespace strew::bench
