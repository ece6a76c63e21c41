// SPDX-License-Identifier: Apache-2.0
// Properties of all operators: errors, policies, reductions, shapes, constant evaluation.
#include "expect.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace {

void exceptions() {
  std::array<int, 4> memory{1, 2, 3, 4};
  const std::array indices{2, 4};
  const std::array updates{20, 40};
  const strew::tensor_view data{memory.data(), {4}};

  try {
    strew::scatter_update(data, indices, updates, 0);
  } catch (const strew::scatter_error& error) {
    expect(error.code() == strew::errc::index_out_of_bounds, "the code");
    expect(std::string_view(error.what()) == "scatter_update: indices[1] = 4 is outside [0, 3] (axis 0 has extent 4)",
           "the message");
  }
  expect(data, {1, 2, 3, 4});  // nothing was written, not even the legal update
}

void statuses() {
  std::array<int, 4> memory{1, 2, 3, 4};
  const std::array places{2, 4};
  const std::array numbers{20, 40};
  const strew::tensor_view data{memory.data(), {4}};

  const strew::status outcome = strew::try_scatter_update(data, places, numbers, 0);

  expect(!outcome.ok(), "an error");
  expect(outcome.code() == strew::errc::index_out_of_bounds, "the code");
  expect(std::string_view(outcome.operand()) == "indices", "the operand");
  expect(outcome.coordinate()[0] == 1, "the coordinate");
}

void overlaps() {
  std::array<int, 6> memory{1, 2, 3, 4, 5, 6};
  const std::array indices{0, 1};
  const strew::tensor_view data{memory.data(), {4}};
  const strew::tensor_view tail{memory.data() + 3, {2}};

  // The updates are elements 3 and 4 of the memory; element 3 is also in data.
  const strew::status outcome = strew::try_scatter_update(data, indices, tail, 0);

  expect(outcome.code() == strew::errc::overlap, "the code");
}

void policies() {
  const std::array data{1, 2, 3, 4};
  const std::array indices{-1, 9, 2};
  const std::array updates{10, 20, 30};
  std::array<int, 4> memory{};
  const strew::tensor_view output{memory.data(), {4}};

  strew::scatter_update(data, strew::drop(indices), updates, 0, output);
  expect(output, {1, 2, 30, 4});

  strew::scatter_update(data, strew::clip(indices), updates, 0, output);
  expect(output, {10, 2, 30, 20});

  strew::scatter_update(data, strew::wrap(indices), updates, 0, output);
  expect(output, {1, 20, 30, 10});
}

void callable() {
  std::array<int, 3> memory{12, 0, 255};
  const std::array places{0, 2, 0};
  const std::array masks{10, 15, 24};
  const strew::tensor_view flags{memory.data(), {3}};

  // NumPy's np.bitwise_and.at: any function of the current element and an update. It is noexcept, so that it may run on
  // several threads.
  const auto bitwise_and = [](int current, int update) noexcept { return current & update; };
  strew::index_reduce(flags, 0, places, masks, bitwise_and);

  expect(flags, {8, 0, 15});
}

void reduction_by_name() {
  std::array<float, 3> memory{1, 2, 3};
  const std::array indices{0, 0};
  const std::array<float, 2> updates{5, 4};
  const strew::tensor_view data{memory.data(), {3}};

  // As read from a model: a reduction that the operator's specification lacks is an error.
  const strew::reduction_kind kind = strew::reduction_kind::max;
  constexpr bool use_init_val = false;
  strew::reduction::visit<float, strew::v12::scatter_elements_update_reductions>(
      kind, use_init_val,
      [&](auto reduction) { strew::v12::scatter_elements_update(data, indices, updates, 0, reduction); });

  expect(data, {5, 2, 3});
}

void shapes() {
  // The extents that an operator requires of its updates: data[:axis] + indices + data[axis + 1:].
  const strew::index_list extents = strew::updates_extents(strew::scatter_update, {5, 3}, {2, 4}, 0);

  expect(extents == strew::index_list{2, 4, 3}, "the extents of updates");
}

void heap_workspaces() {
  std::vector<float> numbers{1, 2, 3, 4, 5};
  const std::vector<int> places{3, 0};
  const std::vector<float> terms{30, 10};

  strew::heap_workspace memory;  // kept from call to call; these calls do not need it
  strew::scatter_update(memory, numbers, places, terms, 0);
  strew::index_add(memory, numbers, 0, places, terms);

  expect(numbers, {20, 2, 3, 60, 5});
}

void workspaces() {
  constexpr int size = 1 << 12;
  std::vector<float> numbers(size);
  const std::vector<int> places(size / 2, 7);
  const std::vector<float> terms(size / 2, 1);
  const strew::tensor_view data{numbers.data(), {size}};
  const strew::tensor_view indices{places.data(), {size / 2}};
  const strew::tensor_view updates{terms.data(), {size / 2}};

  // 0 bytes if none would help. With less memory the output is the same.
  const std::size_t bytes = strew::workspace_bytes<float>(strew::v12::scatter_elements_update, data.extents(),
                                                          indices.extents(), 0, strew::reduction::sum);
  std::vector<std::byte> memory(bytes);
  strew::v12::scatter_elements_update(strew::workspace{memory}, data, indices, updates, 0, strew::reduction::sum);

  expect(data(7) == size / 2, "the sum");
}

constexpr std::array<int, 4> at_compile_time() {
  std::array<int, 4> memory{1, 2, 3, 4};
  const std::array places{2, 0};
  const std::array numbers{30, 10};
  strew::scatter_update(memory, places, numbers, 0);
  return memory;
}
static_assert(at_compile_time() == std::array{10, 2, 30, 4});

}  // namespace

void calls() {
  exceptions();
  statuses();
  overlaps();
  policies();
  callable();
  reduction_by_name();
  shapes();
  heap_workspaces();
  workspaces();
}
