// SPDX-License-Identifier: Apache-2.0
// quickstart.cpp is printed unchanged in the README, so its arguments are handled here.
#include "help.hpp"

#define main quickstart
#include "quickstart.cpp"
#undef main

int main(int argc, char** argv) {
  const example_help help{"The first program of the README: amounts are added to the days that they belong to."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  return quickstart();
}
