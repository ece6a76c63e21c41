// SPDX-License-Identifier: Apache-2.0
// Memory between two pages without access, and the frame of a program: arguments, counts, and the message of a
// difference or of an access to a guard page, with what reproduces it.
#ifndef STREW_TESTS_ATTACK_GUARDED_HPP
#define STREW_TESTS_ATTACK_GUARDED_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace attack {

using byte = unsigned char;

// Bytes between two pages without access.
class guarded_block {
 public:
  explicit guarded_block(std::size_t bytes);
  guarded_block(const guarded_block&) = delete;
  guarded_block& operator=(const guarded_block&) = delete;
  ~guarded_block();

  [[nodiscard]] byte* begin() const noexcept { return begin_; }
  [[nodiscard]] byte* end() const noexcept { return begin_ + size_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  byte* begin_ = nullptr;
  std::size_t size_ = 0;  // a multiple of the page size
};

// Which guard page an operand touches.
enum class flush : byte { front, back };

// The blocks of one operand, one for each class of sizes, made when they are needed. An operand begins at the front
// page or ends at the back page; the bytes beside it on the other side, up to 64, hold a pattern.
class guarded_slot {
 public:
  // `bytes` at one of the pages, `shift` bytes away from it.
  byte* place(std::size_t bytes, flush at, std::size_t shift = 0);
  // The same bytes again, with the neighbours that are compared.
  [[nodiscard]] byte* framed_begin() const noexcept { return framed_begin_; }
  [[nodiscard]] std::size_t framed_size() const noexcept { return framed_size_; }
  // Keeps the framed bytes as they are, and as those that are expected after the call.
  void keep();
  // Writes the kept bytes back.
  void restore() noexcept;
  // What is expected at an address within the frame.
  [[nodiscard]] byte* expected(const byte* address) noexcept { return expected_.data() + (address - framed_begin_); }
  [[nodiscard]] bool is_as_expected() const noexcept;
  // The position of the first byte that is not as expected.
  [[nodiscard]] std::size_t first_difference() const noexcept;

 private:
  static constexpr std::size_t classes = 8;
  std::unique_ptr<guarded_block> blocks_[classes];
  byte* framed_begin_ = nullptr;
  std::size_t framed_size_ = 0;
  std::vector<byte> kept_;
  std::vector<byte> expected_;
};

// The arguments of a program: <seed> <cases> [<first case>].
struct options {
  std::uint64_t seed = 1;
  std::uint64_t cases = 1000;
  std::uint64_t first = 0;
};
options read_options(int argc, char** argv, std::uint64_t cases);

// What the program is doing, printed with a difference and with a signal. `text` must be of static duration.
void set_case(const char* program, std::uint64_t seed, std::uint64_t number) noexcept;
void set_step(const char* text) noexcept;
// One more call of the library, and one more that it refused as it should.
void count_call(bool is_refused = false) noexcept;
void count_calls(std::uint64_t calls) noexcept;
// Prints the case and what is wrong with it and ends the program.
[[noreturn]] void fail(const std::string& what);
// Prints the counts of the program; its exit status.
int finish(const char* program);

}  // namespace attack

#endif  // STREW_TESTS_ATTACK_GUARDED_HPP
