// SPDX-License-Identifier: Apache-2.0
// Which kernels run a case, and why: each table that was asked, with what it said of its kernels, in their order.
//
//   why [SUBSTRING]        # of the names of cases; all are asked without one
//
// A build of the library with tables that tell: nothing here says how long a call takes.
#include "add_case.hpp"

#include <strew/detail/kernels/kernel_table.hpp>

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::mutex choices_mutex;
std::vector<strew::detail::kernel_choice> choices;

void note(const strew::detail::kernel_choice& choice) noexcept {
  const std::scoped_lock lock(choices_mutex);
  // Parts of one call are asked the same: each kernel is noted once, with what it said last.
  for (auto& known : choices) {
    if (known.name != choice.name) continue;
    known.may = known.may || choice.may;
    known.pays = known.pays || choice.pays;
    known.ran = known.ran || choice.ran;
    return;
  }
  choices.push_back(choice);
}

const char* reason(const strew::detail::kernel_choice& choice) {
  if (choice.ran) return "runs";
  if (!choice.may) return "may not run";
  return choice.pays ? "declined after a look" : "does not pay";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  strew::bench::case_source::add_all();
  strew::detail::on_kernel_choice = note;
  for (const auto& each : strew::bench::all_questions()) {
    if (each.name.find(wanted) == std::string::npos) continue;
    choices.clear();
    each.call();
    std::printf("%s\n", each.name.c_str());
    for (const auto& choice : choices) std::printf("    %-34s %s\n", choice.name, reason(choice));
  }
}
