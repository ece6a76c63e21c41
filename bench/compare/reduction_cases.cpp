// SPDX-License-Identifier: Apache-2.0
// Rows of calls with reductions, or by tuples of indices: both versions have to write the same.
#include "buffers.hpp"
#include "cases.hpp"
#include "reductions.hpp"
#include "rows.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace strew::bench {

namespace {

enum class order { random, ascending, slice };

struct reduction_case {
  const char* name;
  compare::reduction_call which;
  std::vector<std::int64_t> data;
  int axis;
  std::int64_t count;  // of the indices along the axis, or of the tuples
  int tuple;           // numbers of a tuple; 0: the indices are coordinates on the axis
  order of_indices;
};

std::int64_t size_of(const std::vector<std::int64_t>& extents) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  return size;
}

std::int64_t index_at(order of, std::int64_t i, std::int64_t count, std::int64_t extent) {
  if (of == order::random) return random_order(i % extent, extent);
  return of == order::slice ? i % extent : i * extent / count;
}

compare::arguments<float, std::int64_t> make(const reduction_case& c) {
  buffers& memory = shared_buffers();
  const bool are_elements = c.which == compare::reduction_call::elements_sum;
  std::vector<std::int64_t> indices{c.count};
  std::vector<std::int64_t> updates = c.data;
  if (c.tuple > 0) {
    indices = {c.count, c.tuple};
    updates = {c.count};
    updates.insert(updates.end(), c.data.begin() + c.tuple, c.data.end());
  } else {
    updates[static_cast<std::size_t>(c.axis)] = c.count;
    if (are_elements) indices = updates;
  }
  auto* const at = memory.indices.at_least<std::int64_t>(size_of(indices));
  std::int64_t inner = 1;
  for (std::size_t k = static_cast<std::size_t>(c.axis) + 1; k < c.data.size(); ++k) inner *= c.data[k];
  for (std::int64_t i = 0; i < size_of(indices); ++i) {
    const std::int64_t along = c.tuple > 0 ? i / c.tuple : are_elements ? i / inner % c.count : i;
    const std::int64_t extent = c.data[static_cast<std::size_t>(c.tuple > 0 ? i % c.tuple : c.axis)];
    at[i] = index_at(c.of_indices, c.tuple > 0 ? along + i % c.tuple : along + (are_elements ? i % inner : 0), c.count,
                     extent) %
            extent;
  }
  auto* const data = memory.data.at_least<float>(size_of(c.data));
  auto* const values = memory.updates.at_least<float>(size_of(updates));
  for (std::int64_t i = 0; i < size_of(c.data); ++i) data[i] = static_cast<float>(i % 1001);
  for (std::int64_t i = 0; i < size_of(updates); ++i) values[i] = static_cast<float>(i % 17);
  return {{data, c.data},
          {at, indices},
          {values, updates},
          {memory.output.at_least<float>(size_of(c.data)), c.data},
          c.axis,
          {}};
}

void add(const reduction_case& c, compare::means how) {
  const std::int64_t bytes = size_of(c.data) * 4;
  compare::all_rows().push_back({c.name, bytes, how, [=] {
                                   const auto arguments = make(c);
                                   const compare::version_calls calls{
                                       compare::old_headers::prepare_reduction(c.which, arguments, how),
                                       compare::new_headers::prepare_reduction(c.which, arguments, how)};
                                   auto* const expected = shared_buffers().expected.at_least<char>(bytes);
                                   const auto size = static_cast<std::size_t>(bytes);
                                   calls.of_old();
                                   std::memcpy(expected, arguments.output.data, size);
                                   std::memset(arguments.output.data, 0xa5, size);
                                   calls.of_new();
                                   if (std::memcmp(arguments.output.data, expected, size) != 0) {
                                     std::fprintf(stderr, "%s: the outputs differ\n", c.name);
                                     std::exit(1);
                                   }
                                   return calls;
                                 }});
}

void add_cases() {
  using enum compare::reduction_call;
  const std::vector<reduction_case> cases{
      {"index_copy/8x4", index_copy, {8, 4}, 0, 4, 0, order::random},
      {"index_add/8x4", index_add, {8, 4}, 0, 4, 0, order::random},
      {"index_reduce_mean/8x4", index_reduce_mean, {8, 4}, 0, 4, 0, order::random},
      {"elements_sum/8x4", elements_sum, {8, 4}, 0, 4, 0, order::random},
      {"scatter_nd/8x4", scatter_nd, {8, 4}, 0, 4, 1, order::random},
      {"scatter_nd_max/4x4x4", scatter_nd_max, {4, 4, 4}, 0, 4, 2, order::random},
      {"index_add/64x64", index_add, {64, 64}, 0, 32, 0, order::random},
      {"index_copy/4096x16", index_copy, {4096, 16}, 0, 2048, 0, order::random},
      {"index_add/4096x16", index_add, {4096, 16}, 0, 2048, 0, order::random},
      {"index_reduce_mean/4096x16", index_reduce_mean, {4096, 16}, 0, 2048, 0, order::random},
      {"elements_sum/axis0_256x256", elements_sum, {256, 256}, 0, 128, 0, order::random},
      {"elements_sum/last_axis_256x256", elements_sum, {256, 256}, 1, 128, 0, order::random},
      {"scatter_nd/256x256", scatter_nd, {256, 256}, 0, 128, 1, order::random},
      {"scatter_nd_max/64x64x16", scatter_nd_max, {64, 64, 16}, 0, 2048, 2, order::random},
      {"index_add/1d_64K", index_add, {65536}, 0, 32768, 0, order::random},
      {"index_add/1d_64K_slice", index_add, {65536}, 0, 32768, 0, order::slice},
      {"index_add/4096x4_slice", index_add, {4096, 4}, 0, 2048, 0, order::slice},
      {"scatter_nd/1d_64K_slice", scatter_nd, {65536}, 0, 32768, 1, order::slice},
      {"index_add/64B_rows_32M", index_add, {524288, 16}, 0, 262144, 0, order::random},
      {"index_add/64B_rows_32M_ascending", index_add, {524288, 16}, 0, 262144, 0, order::ascending},
      {"elements_sum/axis0_2048x2048", elements_sum, {2048, 2048}, 0, 1024, 0, order::random},
      {"scatter_nd_max/64B_slices_32M", scatter_nd_max, {1024, 512, 16}, 0, 262144, 2, order::random},
  };
  for (const reduction_case& c : cases) {
    add(c, compare::means::serial);
    if (size_of(c.data) * 4 >= 256 * KiB) add(c, compare::means::two_threads);
  }
}

const case_source reduction_cases{add_cases};

}  // namespace

}  // namespace strew::bench
