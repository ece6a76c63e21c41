// SPDX-License-Identifier: Apache-2.0
// How many random cases ran each kernel: counted in a program, and written as lines "kernel<TAB>cases" to a file of its
// own in the folder that STREW_KERNEL_COUNTS names, if it names one, when the program ends. kernel_report.py adds up
// those of all programs.
#ifndef STREW_TESTS_SUPPORT_KERNEL_COUNTS_HPP
#define STREW_TESTS_SUPPORT_KERNEL_COUNTS_HPP

#include <strew/detail/kernel_counter.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace strew::test {

inline int process_number() {
#if defined(_WIN32)
  return _getpid();
#else
  return getpid();
#endif
}

struct kernel_counts_writer {
  kernel_counts_writer() = default;
  kernel_counts_writer(const kernel_counts_writer&) = delete;
  kernel_counts_writer& operator=(const kernel_counts_writer&) = delete;
  ~kernel_counts_writer() {
    const char* const folder = std::getenv("STREW_KERNEL_COUNTS");
    if (folder == nullptr || strew::detail::random_case == 0) return;
    const std::string path = std::string(folder) + '/' + std::to_string(process_number()) + ".tsv";
    std::FILE* const file = std::fopen(path.c_str(), "a");
    if (file == nullptr) return;
    for (const strew::detail::kernel_count* each = strew::detail::kernel_count::all; each != nullptr;
         each = each->next) {
      std::fprintf(file, "%s\t%llu\n", each->name.c_str(), static_cast<unsigned long long>(each->cases.load()));
    }
    std::fclose(file);
  }
};
// From here to the next one, kernels run for another run of the same random case.
inline void begin_random_run() noexcept {
  ++strew::detail::random_run;
  strew::detail::kernel_count::count_ran = 0;
}
// From here to the next one, kernels run for another random case.
inline void begin_random_case() noexcept {
  static const kernel_counts_writer written_at_exit;  // before the counters, which are older, end
  ++strew::detail::random_case;
  begin_random_run();
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_KERNEL_COUNTS_HPP
