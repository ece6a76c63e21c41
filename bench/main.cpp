// SPDX-License-Identifier: Apache-2.0
// The main function of every benchmark program. It notes in the results how the program was compiled.
#include "cases.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  benchmark::AddCustomContext("compiler", STREW_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", STREW_BENCH_FLAGS);
  strew::bench::case_source::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
