// SPDX-License-Identifier: Apache-2.0
// The four basic scatters as tables of cases, beside memcpy, and on tensors so small that most of the time goes into
// checks, beside loops without any. reductions.cpp and family.cpp have the others.
#include "operations.hpp"

#include <cstdint>

namespace strew::bench {

namespace {

// SliceScatter beside memcpy.

void add_cases_of_slice_scatter() {
  const slice_case axis0_half = {"axis0_half", {{fill, 1024}, 0}, part::middle_half, 1};
  const slice_case inner_half = {"inner_half", {{fill, 1024}, 1}, part::middle_half, 1};
  const slice_case step2 = {"step2", {{fill, 1024}, 1}, part::all, 2};
  const slice_case step3 = {"step3", {{fill, 1024}, 1}, part::all, 3};
  const slice_case step5 = {"step5", {{fill, 1024}, 1}, part::all, 5};
  const slice_case reversed = {"step-1", {{fill, 1024}, 1}, part::all, -1};
  // Every other one of blocks that are contiguous, named by their size in float32.
  const slice_case blocks_of_16 = {"blocks_16B", {{fill, 2, 4}, 1}, part::all, 2};
  const slice_case blocks_of_64 = {"blocks_64B", {{fill, 2, 16}, 1}, part::all, 2};
  const slice_case blocks_of_256 = {"blocks_256B", {{fill, 2, 64}, 1}, part::all, 2};

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB, 128 * MiB, 256 * MiB}) {
    for (const auto& c :
         {axis0_half, inner_half, step2, step3, step5, reversed, blocks_of_16, blocks_of_64, blocks_of_256}) {
      add_slice_scatter<float>(c, bytes, {.two_threads = true});
    }
  }
  for (const auto& c : {axis0_half, inner_half, step2, step3}) add_slice_scatter<float>(c, 512 * MiB);

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB}) {
    for (const auto& c : {step2, step3, step5, reversed}) {
      add_slice_scatter<std::int8_t>(c, bytes);
      add_slice_scatter<std::int16_t>(c, bytes);
      add_slice_scatter<double>(c, bytes);
    }
    for (const auto& c : {axis0_half, step2}) add_slice_scatter<float>(c, bytes, {.in_place = true});
  }
}

const case_source slice_scatter_cases{add_cases_of_slice_scatter};

// ScatterUpdate beside memcpy.

void add_cases_of_scatter_update() {
  // Named by the elements of a row.
  const rows_case inner1 = {"inner1", {{fill}, 0}};
  const rows_case inner4 = {"inner4", {{fill, 4}, 0}};
  const rows_case inner16 = {"inner16", {{fill, 16}, 0}};
  const rows_case inner64 = {"inner64", {{fill, 64}, 0}};
  const rows_case inner1024 = {"inner1024", {{fill, 1024}, 0}};
  const rows_case last_axis = {"last_axis", {{fill, 1024}, 1}};

  for (const std::int64_t bytes : {256 * KiB, 32 * MiB, 128 * MiB, 256 * MiB}) {
    for (const auto& c : {inner1, inner4}) add_scatter_update<float>(c, bytes, {.two_threads = true});
    for (const auto& c : {inner16, inner64, inner1024, last_axis}) {
      add_scatter_update<float>(c, bytes, {.two_threads = true});
    }
  }
  for (const std::int64_t bytes : {256 * KiB, 32 * MiB}) {
    for (const auto& c : {inner1, inner64, last_axis}) {
      add_scatter_update<float, std::int32_t>(c, bytes);
      add_scatter_update<std::int8_t>(c, bytes);
      add_scatter_update<double>(c, bytes);
    }
    for (const auto& c : {inner1, inner64}) add_scatter_update<float>(c, bytes, {.in_place = true});
  }
}

const case_source scatter_update_cases{add_cases_of_scatter_update};

// ScatterElementsUpdate beside memcpy.

void add_cases_of_scatter_elements_update() {
  const elements_case last_axis_1024 = {"last_axis_1024x1024", {{1024, 1024}, 1}};
  const elements_case last_axis_8192 = {"last_axis_8192x1024", {{8192, 1024}, 1}};
  const elements_case axis0_1024 = {"axis0_1024x1024", {{1024, 1024}, 0}};
  const elements_case axis0_8192 = {"axis0_8192x1024", {{8192, 1024}, 0}};
  const elements_case axis0_1M = {"axis0_1Mx8", {{1024 * 1024, 8}, 0}};
  const elements_case equal_rows = {"axis0_1024x1024_equal_rows", {{1024, 1024}, 0}, order::random_rows};
  const elements_case flat_64K = {"1d_64K_random", {{64 * 1024}, 0}};
  const elements_case flat_1M = {"1d_1M_random", {{1024 * 1024}, 0}};
  const elements_case flat_4M = {"1d_4M_random", {{4 * 1024 * 1024}, 0}};
  const elements_case flat_16M = {"1d_16M_random", {{16 * 1024 * 1024}, 0}};
  const elements_case flat_64M = {"1d_64M_random", {{64 * 1024 * 1024}, 0}};
  const elements_case flat_64K_sorted = {"1d_64K_sorted", {{64 * 1024}, 0}, order::sorted};
  const elements_case flat_4M_sorted = {"1d_4M_sorted", {{4 * 1024 * 1024}, 0}, order::sorted};
  const elements_case flat_4M_sequential = {"1d_4M_sequential", {{4 * 1024 * 1024}, 0}, order::sequential};

  for (const auto& c : {axis0_1024, axis0_8192}) {
    add_scatter_elements_update<float>(c, {.two_threads = true, .workspace = true});
  }
  for (const auto& c : {axis0_1M, equal_rows, last_axis_1024, last_axis_8192, flat_64K, flat_1M, flat_4M, flat_16M,
                        flat_64M, flat_64K_sorted, flat_4M_sorted, flat_4M_sequential}) {
    add_scatter_elements_update<float>(c, {.two_threads = true});
  }
  for (const auto& c : {last_axis_1024, axis0_1024, flat_64K, flat_4M}) {
    add_scatter_elements_update<std::int8_t>(c);
    add_scatter_elements_update<std::int16_t>(c);
    add_scatter_elements_update<double>(c);
    add_scatter_elements_update<float, std::int32_t>(c);
  }
  for (const auto& c : {last_axis_1024, flat_4M}) add_scatter_elements_update<float>(c, {.in_place = true});
}

const case_source scatter_elements_update_cases{add_cases_of_scatter_elements_update};

// ONNX Scatter beside memcpy. It shares its kernels with ScatterElementsUpdate, but its indices may count from the end.

void add_cases_of_onnx_scatter() {
  add_onnx_scatter<float>({"last_axis_1024x1024", {{1024, 1024}, 1}});
  add_onnx_scatter<float>({"axis0_1024x1024", {{1024, 1024}, 0}});
  add_onnx_scatter<float>({"1d_64K_random", {{64 * 1024}, 0}});
  add_onnx_scatter<float>({"last_axis_1024x1024_negative", {{1024, 1024}, 1}, order::random, true});
  add_onnx_scatter<float>({"1d_64K_random_negative", {{64 * 1024}, 0}, order::random, true});
}

const case_source onnx_scatter_cases{add_cases_of_onnx_scatter};

// The operators on tensors so small that most of the time goes into checks, beside loops without any.

struct small_case {
  const char* name;
  shape data;
};

void add_cases_of_small_tensors() {
  const case_options options{.made_anew = true, .compared_with = twin::loop};
  const case_options prepared{.prepared = true, .made_anew = true, .compared_with = twin::loop};
  for (const small_case& c :
       {small_case{"small_rank1", {{8}, 0}}, small_case{"small_rank2", {{4, 8}, 1}},
        small_case{"small_rank3", {{2, 8, 4}, 1}}, small_case{"small_rank4", {{2, 8, 2, 2}, 1}}}) {
    const std::int64_t bytes = c.data.size(0, c.data.extents.size()) * static_cast<std::int64_t>(sizeof(float));
    add_slice_scatter<float>({c.name, c.data, part::middle_half, 1}, bytes, options);
    add_scatter_update<float>({c.name, c.data}, bytes, prepared);
    add_scatter_elements_update<float>({c.name, c.data}, prepared);
    add_onnx_scatter<float>({c.name, c.data}, prepared);
  }
  // Above the size from which calls take the general way.
  const small_case rows{"small_rows_of_64", {{16, 64}, 0}};
  add_scatter_update<float>({rows.name, rows.data}, 4 * KiB, prepared);
  add_scatter_elements_update<float>({rows.name, rows.data}, prepared);
}

const case_source small_tensors_cases{add_cases_of_small_tensors};

}  // namespace

}  // namespace strew::bench
