// SPDX-License-Identifier: Apache-2.0
// Lent memory of every size, none of it aligned: the output is the same, nothing beside that memory is written, and as
// much as workspace_bytes(onnx::scatter, ..) asks for is used.
#include "byte_calls.hpp"
#include "kernel_cases.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/scatter_elements.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strew::test {
namespace {

// Runs a call with memory of each size up to `all`, then of some, then of each around what is asked for.
struct memory_of_every_size {
  std::int64_t threads;
  std::int64_t asked;
  std::int64_t all;
  bool is_used = true;  // whether a memory of the size that is asked for must be used
  layout_kind data = layout_kind::row_major;
  layout_kind updates = layout_kind::row_major;

  template <class Call>
  void check(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
             const Call& call) const {
    guarded_workspace memory(asked + 200);
    std::vector<char> from = values;
    std::vector<char> output(values.size());
    for (std::int64_t size = 0; size <= asked + 130; size += size < all || size > asked - 200 ? 1 : 199) {
      std::fill(output.begin(), output.end(), '\0');
      const runner who{threads, memory.lend(size)};
      const status result = call(who, byte_tensor{from.data(), d.extents()}, byte_tensor{output.data(), d.extents()});
      const bool right = result.ok() && output == expected;
      if (!right || memory.was_written_around() || (is_used && asked > 0 && size >= asked && !memory.was_used())) {
        CAPTURE(text_of(d), threads, size, asked, right, memory.was_written_around(), memory.was_used());
        FAIL("the output differs, memory that was not lent was written, or what was asked for was not used");
      }
      memory.restore();
    }
  }
};

// As much as onnx::scatter asks for. The functions take the type of an element, of which here only the size matters.
template <std::size_t Width>
struct element_of {
  char bytes[Width];
};
std::size_t workspace_for(const dimensions& d, const dimensions& u, std::int64_t threads) {
  const auto n = static_cast<std::size_t>(threads);
  switch (d.width) {
    case 1:
      return workspace_bytes<element_of<1>>(onnx::scatter, d.extents(), u.extents(), 1, n);
    case 4:
      return workspace_bytes<element_of<4>>(onnx::scatter, d.extents(), u.extents(), 1, n);
    case 8:
      return workspace_bytes<element_of<8>>(onnx::scatter, d.extents(), u.extents(), 1, n);
    default:
      return workspace_bytes<element_of<16>>(onnx::scatter, d.extents(), u.extents(), 1, n);
  }
}

// Columns so long that they are scattered in tiles, which take no negative indices.
void check_all_sizes(const dimensions& d, std::int64_t threads, std::int64_t all) {
  const std::int64_t at_least_one = std::max<std::int64_t>(threads, 1);
  const std::size_t asked = workspace_for(d, d, at_least_one);
  for (const bool has_negative : {false, true}) {
    check_elements(scatter_kind::onnx, d, d, index_type::int64,
                   random_indices(d.size(), has_negative ? -d.axis : 0, d.axis - 1),
                   memory_of_every_size{threads, static_cast<std::int64_t>(asked), all, !has_negative});
  }
}

TEST_CASE("a workspace of any size gives the same output, one of the size that is asked for is used", "[workspaces]") {
  check_all_sizes({1, 1, 20, 1700}, 0, 6000);
  check_all_sizes({16, 1, 9, 250}, 0, 3000);
  check_all_sizes({4, 2, 40, 210}, 0, 500);
  check_all_sizes({1, 1, 1100, 70}, 0, 200);  // so many rows that no tile fits on the stack
}

TEST_CASE("a workspace of any size is shared out to the parts of a call", "[workspaces]") {
  check_all_sizes({8, 12, 20, 230}, 3, 200);
  check_all_sizes({4, 1, 12, 20'000}, 2, 200);
}

TEST_CASE("operators that need no memory take any", "[workspaces]") {
  std::vector<std::byte> memory(5000);
  for (const std::int64_t threads : {0, 3}) {
    for (std::size_t size = 0; size < memory.size() - 1; size += 499) {
      const circumstances in{{0}, {{threads, std::span(memory).subspan(1, size)}}};
      check_slice({4, 3, 70, 40}, 1, 2, 30, 40, in);
      check_rows({4, 3, 70, 40}, index_type::int32, random_indices(50, 0, 69), in);
    }
  }
}

}  // namespace
}  // namespace strew::test
