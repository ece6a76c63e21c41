// SPDX-License-Identifier: Apache-2.0
// quickstart.cpp is printed unchanged in the README, so its arguments are handled here.
#include "help.hpp"

// Only main may end without a return statement: "int main()" becomes an unused number and a function without a result.
#define main() \
  unused = 0;  \
  void quickstart()
#include "quickstart.cpp"
#undef main

int main(int argc, char** argv) {
  const example_help help{"The first program of the README: amounts are added to the days that they belong to."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  quickstart();
}
