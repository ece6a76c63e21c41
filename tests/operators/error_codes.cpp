// SPDX-License-Identifier: Apache-2.0
// The table of errors in docs/operators.md: it has every code of errc, each with the message of a call that is made
// here.
#include "support/catch.hpp"
#include "support/dl_tensor.hpp"
#include "support/errc_names.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// One refused call for each code.
std::vector<status> refused_calls() {
  static float memory[12], other[12];
  static std::int64_t rows[2] = {0, 9};
  static const bool mask[3] = {true, true, false};
  const tensor_view<float> data{memory, {3, 4}}, updates{other, {2, 4}}, line{other, {4}};
  const tensor_view<std::int64_t> legal{rows, {1}}, bad{rows, {2}};
  const dynamic::element_type floats{dynamic::element_kind::floating_point, 4};
  const dynamic::element_type doubles{dynamic::element_kind::floating_point, 8};
  tensor_view<float> view;
  dynamic::tensor dynamic_view;
  index_list many;
  for (int k = 0; k <= max_rank; ++k) many.push_back(1);
  std::int64_t shape[1] = {12};
  const dl_tensor on_device{memory, {2, 0}, 1, {2, 32, 1}, shape, nullptr, 0};
  const auto prepared = prepare<float, std::int64_t>(index_add, {data.layout(), bad.layout(), updates.layout()}, 0);
  decltype(prepared.bind(rows, std::span<std::byte>{})) bound;
  return {
      tensor_view<float>::try_make(memory, many, view),
      tensor_view<float>::try_make(memory, {3, -4}, view),
      tensor_view<float>::try_make(memory, {std::numeric_limits<std::int64_t>::max(), 4}, view),
      tensor_view<float>::try_make(nullptr, {3, 4}, view),
      try_scatter_update(data, bad, line, 0),
      try_scatter_update(data, legal, updates, 0),
      try_slice_scatter(data, updates, {.start = 0, .stop = {2, 4}}),
      try_scatter_update(data, bad, updates, 2),
      try_slice_scatter(data, updates, {.start = {0, 0}, .axes = {1, -1}}),
      try_slice_scatter(data, updates, {.step = 0, .axes = 0}),
      try_scatter_update(data, bad, updates, 0),
      try_index_add(data, 0, bad, updates, tensor_view<float>{memory, {3, 4}, {0, 1}}),
      try_index_add(data, 0, bad, updates, tensor_view<float>{other, {3, 4}}),
      try_scatter_update(dynamic::tensor{memory, floats, {3}}, legal, dynamic::tensor{other, doubles, {1}}, 0),
      dynamic::tensor::try_make_from_byte_strides(memory, floats, {2, 4}, {18, 4}, dynamic_view),
      prepared.try_bind(rows, std::span<std::byte>{}, bound),
      try_masked_scatter(tensor_view<float>{memory, {3}}, tensor_view<const bool>{mask, {3}},
                         tensor_view<float>{other, {1}}),
      v12::try_scatter_elements_update(dynamic::tensor{memory, {dynamic::element_kind::boolean, 1}, {3}}, legal,
                                       dynamic::tensor{other, {dynamic::element_kind::boolean, 1}, {1}}, 0,
                                       dynamic::reduction{reduction_kind::mean, true}),
      try_as_view<float>(on_device, view),
      try_index_add(tensor_view<std::int8_t>{reinterpret_cast<std::int8_t*>(memory), {3}}, 0, legal, 200),
  };
}

TEST_CASE("the table of errors has every code with the message of a call") {
  std::map<std::string, std::string, std::less<>> calls;
  for (const status& outcome : refused_calls()) {
    CHECK(calls.emplace(name_of(outcome.code()), outcome.message().c_str()).second);
  }
  std::map<std::string, std::string, std::less<>> rows;
  std::ifstream file(STREW_SOURCE_DIR "/docs/operators.md");
  REQUIRE(file);
  std::string line;
  while (std::getline(file, line) && line != "## Errors") {
  }
  // | `code` | when | `message` |
  while (std::getline(file, line)) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line);
    std::string cell[4];
    for (std::string& text : cell) std::getline(cells, text, '|');
    REQUIRE(cell[1].size() > 4);
    REQUIRE(cell[3].size() > 4);
    rows.emplace(cell[1].substr(2, cell[1].size() - 4), cell[3].substr(2, cell[3].size() - 4));
  }
  CHECK(calls.size() == static_cast<std::size_t>(last_code));
  for (const auto& row : rows) CHECK(calls.contains(row.first));
  if (sizeof(void*) < 8) {
    WARN("messages with sizes are those of 64-bit machines: only the codes were compared");
    return;
  }
  CHECK(rows == calls);
  for (const auto& [code, message] : calls) {
    INFO("| `" << code << "` | | `" << message << "` |");
    CHECK(rows[code] == message);
  }
}

}  // namespace
}  // namespace strew::test
