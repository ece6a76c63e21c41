// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TESTS_SUPPORT_GUARDED_WORKSPACE_HPP
#define STREW_TESTS_SUPPORT_GUARDED_WORKSPACE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace strew::test {

// A workspace of a size that is drawn for each call, with memory before and behind it that no call may write.
class guarded_workspace {
 public:
  explicit guarded_workspace(std::int64_t most) : memory_(static_cast<std::size_t>(most) + 3 * room, untouched) {}
  [[nodiscard]] std::span<std::byte> lend(std::int64_t size) {
    begin_ = room + static_cast<std::size_t>(size) * 7 % 64;
    size_ = static_cast<std::size_t>(size);
    return std::span(memory_).subspan(begin_, size_);
  }
  // Whether a call wrote to memory outside its workspace.
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

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_GUARDED_WORKSPACE_HPP
