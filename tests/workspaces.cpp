// SPDX-License-Identifier: Apache-2.0
// Lent memory of every size, none of it aligned: the output is the same, nothing beside that memory is written, and as
// much as scatter_elements_update_workspace() asks for is used.
#include "byte_calls.hpp"
#include "catch.hpp"
#include "kernel_cases.hpp"

#include <strew/scatter_elements_update.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace strew::test {
namespace {

// Memory of a size, behind it and before it more that is not lent.
class lent_memory {
 public:
  explicit lent_memory(std::int64_t most) : memory_(static_cast<std::size_t>(most) + 3 * room, untouched) {}
  [[nodiscard]] std::span<std::byte> lend(std::int64_t size) {
    begin_ = room + static_cast<std::size_t>(size) * 7 % 64;
    size_ = static_cast<std::size_t>(size);
    return std::span(memory_).subspan(begin_, size_);
  }
  // Whether the borrower wrote to memory that was not lent.
  [[nodiscard]] bool was_written_around() const {
    return !is_untouched(0, begin_) || !is_untouched(begin_ + size_, memory_.size());
  }
  [[nodiscard]] bool was_used() const { return !is_untouched(begin_, begin_ + size_); }
  void restore() { std::fill(memory_.begin(), memory_.end(), untouched); }

 private:
  static constexpr std::size_t room = 200;
  static constexpr std::byte untouched{0x5a};

  [[nodiscard]] bool is_untouched(std::size_t begin, std::size_t end) const {
    if (begin == end) return true;
    return memory_[begin] == untouched && std::memcmp(&memory_[begin], &memory_[begin] + 1, end - begin - 1) == 0;
  }

  std::vector<std::byte> memory_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

// Runs a call with memory of each size up to `all`, then of some, then of each around what is asked for.
struct memory_of_every_size {
  std::int64_t threads;
  std::int64_t asked;
  std::int64_t all;
  layout_kind data = layout_kind::row_major;
  layout_kind updates = layout_kind::row_major;

  template <class Call>
  void check(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
             const Call& call) const {
    lent_memory memory(asked + 200);
    std::vector<char> from = values;
    std::vector<char> output(values.size());
    for (std::int64_t size = 0; size <= asked + 130; size += size < all || size > asked - 200 ? 1 : 199) {
      std::fill(output.begin(), output.end(), '\0');
      const runner who{threads, memory.lend(size)};
      const status result = call(who, byte_tensor{from.data(), d.extents()}, byte_tensor{output.data(), d.extents()});
      const bool right = result.ok() && output == expected;
      if (!right || memory.was_written_around() || (size >= asked && !memory.was_used())) {
        CAPTURE(text_of(d), threads, size, asked, right, memory.was_written_around(), memory.was_used());
        FAIL("the output differs, memory that was not lent was written, or what was asked for was not used");
      }
      memory.restore();
    }
  }
};

// Columns so long that they are scattered in tiles.
void check_all_sizes(const dimensions& d, std::int64_t threads, std::int64_t all) {
  const std::int64_t at_least_one = std::max<std::int64_t>(threads, 1);
  const std::size_t asked = scatter_elements_update_workspace(d.extents(), 1, static_cast<std::size_t>(at_least_one));
  check_elements(scatter_kind::onnx, d, d, index_type::int64, random_indices(d.size(), -d.axis, d.axis - 1),
                 memory_of_every_size{threads, static_cast<std::int64_t>(asked), all});
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
