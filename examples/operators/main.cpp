// SPDX-License-Identifier: Apache-2.0
// Every operator on small tensors, with the expected result. The pages of the documentation show parts of these files.
#include "../help.hpp"
#include "expect.hpp"

#include <cstdio>
#include <string_view>

namespace {

bool is_all_right = true;

}  // namespace

void expect(bool is_right, std::string_view what) {
  if (is_right) return;
  is_all_right = false;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
}

int main(int argc, char** argv) {
  constexpr example_help help{"Every operator on small tensors, each checked against the result that it should have."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  slices();
  rows();
  elements();
  tuples();
  parts();
  calls();
  views();
  std::printf("the operators are %s\n", is_all_right ? "right" : "wrong");
  return is_all_right ? 0 : 1;
}
