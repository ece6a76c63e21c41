// SPDX-License-Identifier: Apache-2.0
// The lines that cases print with STREW_TRACE: by which kernels each is run, and why the others do not run it.
//
//   why [SUBSTRING]        # of the names of cases; all are run without one
//
// Each call is the first on its memory, so its time is not that of the benchmarks.
#include "add_case.hpp"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  strew::bench::case_source::add_all();
  for (const auto& each : strew::bench::all_questions()) {
    if (each.name.find(wanted) == std::string::npos) continue;
    std::fprintf(stderr, "%s\n", each.name.c_str());
    each.call();
  }
}
