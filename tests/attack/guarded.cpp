// SPDX-License-Identifier: Apache-2.0
#include "guarded.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attack {

namespace {

struct running {
  const char* program = "";
  const char* step = "";
  std::uint64_t seed = 0;
  std::uint64_t number = 0;
  std::uint64_t calls = 0;
  std::uint64_t refused = 0;
};
running now;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void print_case() {
  std::fprintf(stderr, "%s: case %llu of seed %llu, %s\n  to see it again: strew_attack_%s %llu 1 %llu\n", now.program,
               static_cast<unsigned long long>(now.number), static_cast<unsigned long long>(now.seed), now.step,
               now.program, static_cast<unsigned long long>(now.seed), static_cast<unsigned long long>(now.number));
}

// The program ends in any case, so that printing here may go wrong.
extern "C" void end_by_signal(int number, siginfo_t* from, void*) {
  std::fprintf(stderr, "signal %d, %s address %p\n", number, number == SIGSEGV || number == SIGBUS ? "at" : "near",
               from->si_addr);
  print_case();
  std::_Exit(1);
}

constexpr std::size_t block_sizes[] = {1, 4, 17, 64, 1024, 4096, 24576, 98304};  // pages
constexpr byte pattern = 0xA5;

}  // namespace

guarded_block::guarded_block(std::size_t bytes) {
  const std::size_t page = page_size();
  size_ = (bytes + page - 1) / page * page;
  void* const all = mmap(nullptr, size_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) fail("no memory for a block");
  begin_ = static_cast<byte*>(all) + page;
  if (size_ > 0 && mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) fail("no memory for a block");
}
guarded_block::~guarded_block() {
  munmap(begin_ - page_size(), size_ + 2 * page_size());
}

byte* guarded_slot::place(std::size_t bytes, flush at, std::size_t shift) {
  std::size_t which = 0;
  while (which + 1 < classes && block_sizes[which] * page_size() < bytes + shift) ++which;
  if (!blocks_[which]) blocks_[which] = std::make_unique<guarded_block>(block_sizes[which] * page_size());
  const guarded_block& block = *blocks_[which];
  if (block.size() < bytes + shift) fail("a block of " + std::to_string(bytes) + " bytes is too large");
  byte* const first = at == flush::front ? block.begin() + shift : block.end() - bytes - shift;
  constexpr std::size_t most_beside = 64;
  const auto before = static_cast<std::size_t>(first - block.begin());
  const auto after = static_cast<std::size_t>(block.end() - first) - bytes;
  framed_begin_ = first - (before < most_beside ? before : most_beside);
  byte* const framed_end = first + bytes + (after < most_beside ? after : most_beside);
  framed_size_ = static_cast<std::size_t>(framed_end - framed_begin_);
  std::memset(framed_begin_, pattern, static_cast<std::size_t>(first - framed_begin_));
  std::memset(first + bytes, pattern, static_cast<std::size_t>(framed_end - first) - bytes);
  return first;
}

void guarded_slot::keep() {
  if (kept_.size() < framed_size_) {
    kept_.resize(framed_size_);
    expected_.resize(framed_size_);
  }
  std::memcpy(kept_.data(), framed_begin_, framed_size_);
  std::memcpy(expected_.data(), framed_begin_, framed_size_);
}
void guarded_slot::restore() noexcept {
  std::memcpy(framed_begin_, kept_.data(), framed_size_);
}
bool guarded_slot::is_as_expected() const noexcept {
  return std::memcmp(expected_.data(), framed_begin_, framed_size_) == 0;
}
std::size_t guarded_slot::first_difference() const noexcept {
  std::size_t at = 0;
  while (at < framed_size_ && expected_[at] == framed_begin_[at]) ++at;
  return at;
}

options read_options(int argc, char** argv, std::uint64_t cases) {
  options result;
  result.cases = cases;
  if (argc > 1) result.seed = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) result.cases = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) result.first = std::strtoull(argv[3], nullptr, 10);
  // On a stack of its own, as an overflow of the usual one is a fault to be reported, too.
  static byte stack[1 << 16];
  stack_t signal_stack{};
  signal_stack.ss_sp = stack;
  signal_stack.ss_size = sizeof stack;
  sigaltstack(&signal_stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = end_by_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
  return result;
}

void set_case(const char* program, std::uint64_t seed, std::uint64_t number) noexcept {
  now.program = program;
  now.seed = seed;
  now.number = number;
  now.step = "";
}
void set_step(const char* text) noexcept {
  now.step = text;
}
void count_call(bool is_refused) noexcept {
  now.calls += 1;
  now.refused += is_refused ? 1U : 0U;
}
void count_calls(std::uint64_t calls) noexcept {
  now.calls += calls;
}
void fail(const std::string& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "difference: %s\n", what.c_str());
  print_case();
  std::_Exit(1);
}
int finish(const char* program) {
  std::printf("%s: %llu calls, %llu of them refused\n", program, static_cast<unsigned long long>(now.calls),
              static_cast<unsigned long long>(now.refused));
  return 0;
}

}  // namespace attack
