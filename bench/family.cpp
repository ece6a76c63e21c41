// SPDX-License-Identifier: Apache-2.0
// A row for each operator that the other files do not measure, and for indices that are broadcast along an axis. Each
// is a scatter along one axis, and so checked by the same loops as the others.
#include "add_case.hpp"
#include "cases.hpp"

#include <strew/strew.hpp>

#include <cstdint>
#include <string>
#include <tuple>

namespace strew::bench {

namespace {

namespace red = reduction;

constexpr std::int64_t rows = 128 * KiB;  // of 64 elements: 32 MiB
constexpr std::int64_t inner = 64;

// Half of the rows, each once, in random order. run(t, indices, executor...) makes the call.
template <class Run, class Combine = replaced>
void add_rows(const char* name, const Run& run, Combine combine = {}, bool are_alike = false) {
  add_case<float>(
      {std::string(name) + "/rows_of_64", "float32", {{rows, inner}, 0}, rows / 2, {.two_threads = true}},
      [=](const tensors<float>& t) {
        fill_with_numbers(t, are_alike);
        const auto* const index =
            make_indices<std::int64_t>(rows / 2, [](std::int64_t j) { return random_order(j, rows); });
        const tensor_view<const std::int64_t> indices{index, {rows / 2}};
        const auto call = [=](auto&... executor) { run(t, indices, executor...); };
        return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return index[j]; }, combine};
      });
}

// Half of the elements of each line of 1024, each once, in random order.
template <class Run, class Combine = replaced>
void add_lines(const char* name, const Run& run, Combine combine = {}) {
  constexpr std::int64_t lines = 8192;
  constexpr std::int64_t n = 1024;
  add_case<float>(
      {std::string(name) + "/last_axis_8192x1024", "float32", {{lines, n}, 1}, n / 2, {.two_threads = true}},
      [=](const tensors<float>& t) {
        fill_with_numbers(t);
        const auto* const index = make_indices<std::int64_t>(
            lines * n / 2, [=](std::int64_t k) { return random_order(k % (n / 2), n, k / (n / 2)); });
        const tensor_view<const std::int64_t> indices{index, {lines, n / 2}};
        const auto call = [=](auto&... executor) { run(t, indices, executor...); };
        return operation{call, [=](std::int64_t o, std::int64_t j, std::int64_t) { return index[o * (n / 2) + j]; },
                         combine};
      });
}

void add_rows_of_family() {
  add_rows("index_copy", [](const tensors<float>& t, const auto& indices, auto&... executor) {
    index_copy(executor..., t.data, 0, indices, t.updates, t.output);
  });
  add_rows(
      "index_fill",
      [](const tensors<float>& t, const auto& indices, auto&... executor) {
        index_fill(executor..., t.data, 0, indices, 3.0F, t.output);
      },
      replaced{}, true);
  add_rows(
      "index_reduce",
      [](const tensors<float>& t, const auto& indices, auto&... executor) {
        index_reduce(executor..., t.data, 0, indices, t.updates, red::max, t.output);
      },
      maximum{});
  add_lines("scatter", [](const tensors<float>& t, const auto& indices, auto&... executor) {
    scatter(executor..., t.data, 1, indices, t.updates, t.output);
  });
  add_lines("put_along_axis", [](const tensors<float>& t, const auto& indices, auto&... executor) {
    put_along_axis(executor..., t.data, indices, t.updates, 1, t.output);
  });
  add_lines(
      "scatter_add",
      [](const tensors<float>& t, const auto& indices, auto&... executor) {
        scatter_add(executor..., t.data, 1, indices, t.updates, t.output);
      },
      sum{});
  add_lines(
      "scatter_reduce",
      [](const tensors<float>& t, const auto& indices, auto&... executor) {
        scatter_reduce(executor..., t.data, 1, indices, t.updates, red::max, t.output);
      },
      maximum{});
  add_lines(
      "v12_scatter_elements_update",
      [](const tensors<float>& t, const auto& indices, auto&... executor) {
        v12::scatter_elements_update(executor..., t.data, indices, t.updates, 1, red::sum, t.output);
      },
      sum{});
}

// Rows by indices that are broadcast along them: one index for all elements of a row.
void add_broadcast() {
  add_case<float>({"scatter_elements_update/broadcast_along_rows_of_64",
                   "float32",
                   {{rows, inner}, 0},
                   rows / 2,
                   {.two_threads = true}},
                  [](const tensors<float>& t) {
                    const auto* const index =
                        make_indices<std::int64_t>(rows / 2, [](std::int64_t j) { return random_order(j, rows); });
                    const tensor_view<const std::int64_t> indices{index, {rows / 2, inner}, {1, 0}};
                    const auto call = [=](auto&... executor) {
                      scatter_elements_update(executor..., t.data, indices, t.updates, 0, t.output);
                    };
                    return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return index[j]; }};
                  });
}

// Rows of 64 elements by two tensors of indices, and single elements by their numbers.
void add_tuples() {
  constexpr std::int64_t leading = 512;
  constexpr std::int64_t middle = rows / leading;
  add_case<float>({"index_put/2_slices_of_64", "float32", {{rows, inner}, 0}, rows / 2, {.two_threads = true}},
                  [](const tensors<float>& t) {
                    const auto row = [](std::int64_t j) { return random_order(j, rows); };
                    auto* const first = shared_buffers().indices.at_least<std::int64_t>(rows);
                    std::int64_t* const second = first + rows / 2;
                    for (std::int64_t j = 0; j < rows / 2; ++j) {
                      first[j] = row(j) / middle;
                      second[j] = row(j) % middle;
                    }
                    const tensor_view<const std::int64_t> i{first, {rows / 2}};
                    const tensor_view<const std::int64_t> k{second, {rows / 2}};
                    const tensor_view<const float> data{t.data.data(), {leading, middle, inner}};
                    const tensor_view<float> output{t.output.data(), {leading, middle, inner}};
                    const auto call = [=](auto&... executor) {
                      index_put(executor..., data, std::tuple{i, k}, t.updates, output);
                    };
                    return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return row(j); }};
                  });
  constexpr std::int64_t elements = rows * inner;
  add_case<float>(
      {"put/1d_8M_random", "float32", {{elements}, 0}, elements / 2, {.two_threads = true}},
      [](const tensors<float>& t) {
        const auto* const index =
            make_indices<std::int64_t>(elements / 2, [](std::int64_t j) { return random_order(j, elements); });
        const tensor_view<const std::int64_t> numbers{index, {elements / 2}};
        const auto call = [=](auto&... executor) { put(executor..., t.data, numbers, t.updates, t.output); };
        return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return index[j]; }};
      });
}

void add_parts() {
  add_case<float>({"select_scatter/one_of_64", "float32", {{rows, inner}, 1}, 1, {.two_threads = true}},
                  [](const tensors<float>& t) {
                    const tensor_view<const float> source{t.updates.data(), {rows}};
                    const auto call = [=](auto&... executor) {
                      select_scatter(executor..., t.data, source, 1, 17, t.output);
                    };
                    return operation{call, [](std::int64_t, std::int64_t, std::int64_t) { return std::int64_t{17}; }};
                  });
  constexpr std::int64_t n = 2896;
  add_case<float>(
      {"diagonal_scatter/2896x2896", "float32", {{n, n}, 1}, 1, {.two_threads = true}}, [](const tensors<float>& t) {
        const tensor_view<const float> source{t.updates.data(), {n}};
        const auto call = [=](auto&... executor) { diagonal_scatter(executor..., t.data, source, 0, 0, 1, t.output); };
        return operation{call, [](std::int64_t o, std::int64_t, std::int64_t) { return o; }};
      });
}

// Every second element on average, at random places.
template <class Run>
void add_masked(const char* name, const Run& run, bool are_alike) {
  constexpr std::int64_t elements = rows * inner;
  const auto is_set = [](std::int64_t i) { return random_order(i, 1 << 30) % 2 == 0; };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < elements; ++i) count += is_set(i) ? 1 : 0;
  add_case<float>({std::string(name) + "/half", "float32", {{elements}, 0}, count, {.two_threads = true}},
                  [=](const tensors<float>& t) {
                    fill_with_numbers(t, are_alike);
                    auto* const place = shared_buffers().indices.at_least<std::int64_t>(count + elements / 8);
                    auto* const mask = static_cast<bool*>(static_cast<void*>(place + count));
                    std::int64_t k = 0;
                    for (std::int64_t i = 0; i < elements; ++i) {
                      mask[i] = is_set(i);
                      if (mask[i]) place[k++] = i;
                    }
                    const tensor_view<const bool> chosen{mask, {elements}};
                    const auto call = [=](auto&... executor) { run(t, chosen, executor...); };
                    return operation{call, [=](std::int64_t, std::int64_t j, std::int64_t) { return place[j]; }};
                  });
}

void add_cases() {
  add_rows_of_family();
  add_broadcast();
  add_tuples();
  add_parts();
  add_masked(
      "masked_scatter",
      [](const tensors<float>& t, const auto& mask, auto&... executor) {
        masked_scatter(executor..., t.data, mask, t.updates, t.output);
      },
      false);
  add_masked(
      "masked_fill",
      [](const tensors<float>& t, const auto& mask, auto&... executor) {
        masked_fill(executor..., t.data, mask, 3.0F, t.output);
      },
      true);
}

const case_source family_cases{add_cases};

}  // namespace

}  // namespace strew::bench
