// SPDX-License-Identifier: Apache-2.0
// How a fuzzer reports what it found.
#ifndef STREW_TESTS_FUZZ_FAIL_HPP
#define STREW_TESTS_FUZZ_FAIL_HPP

#include <strew/status.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace strew::test {

[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "strew: %s\n", why.c_str());
  std::abort();
}
[[noreturn]] inline void fail(const std::string& why, const status& outcome) {
  fail(why + ": " + (outcome.ok() ? "ok" : outcome.message().c_str()));
}

// "2 3 4"
template <class List>
std::string text_of_list(const List& list) {
  std::string text;
  for (const auto& each : list) text += (text.empty() ? "" : " ") + std::to_string(each);
  return text;
}

// Every error has a text.
inline void check_message(const status& outcome) {
  if (!outcome.ok() && outcome.message().view().empty()) fail("an error without a message");
}

}  // namespace strew::test

#endif  // STREW_TESTS_FUZZ_FAIL_HPP
