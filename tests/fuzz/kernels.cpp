// SPDX-License-Identifier: Apache-2.0
// Every path of a call against naive loops, so against all others: a random case of the property tests whose choices
// are the bytes of an input, run with settings of all thresholds, by forced families of kernels, whole and in parts of
// an element, without a workspace and with some of any size. Each run has to leave the same bytes. Built without
// intrinsics, as the program kernels_portable.
#include "fail.hpp"
#include "kernels/forced_kernels.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/scatter_case.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace strew::test {
namespace {

constexpr std::int64_t most_memory = 300'000;

std::int64_t draw_memory(random_source& random, lent how) {
  switch (how) {
    case lent::none:
      return 0;
    case lent::plenty:
      return most_memory - random.below(64);
    default:
      return random.one_in(2) ? random.below(64) : random.below(30'000);
  }
}

void run_one(random_source& random) {
  static limits_for_test limits;
  static guarded_workspace memory(most_memory);
  const size_class size = random.one_in(16) ? size_class::middle : size_class::small;
  tuning::set_by_tests = {};
  const case_kind kind = draw_case_kind(random, size);
  random_source values(static_cast<std::uint64_t>(random.below(1 << 16)));
  const scatter_case each = draw_scatter_case(random, values, kind);
  const case_oracle oracle(each);
  const std::vector<forced_kernels>& settings = all_forced_kernels();
  for (std::int64_t runs = random.between(1, 12); runs > 0; --runs) {
    const forced_kernels* const setting = random.one_in(4) ? nullptr : &random.pick(settings);
    circumstances_of_call in;
    std::int64_t memory_bytes = 0;
    if (setting != nullptr) {
      const run_form& form = random.pick(setting->forms);
      force(*setting, form);
      in.threads = form.threads;
      memory_bytes = draw_memory(random, form.memory);
    } else {
      limits.draw(random, size == size_class::middle);
      in.threads = static_cast<std::size_t>(random.pick<std::int64_t>({1, 1, 2, 3, 8}));
      memory_bytes = draw_memory(random, static_cast<lent>(random.below(3)));
    }
    memory.restore();
    if (memory_bytes > 0) in.memory = memory.lend(memory_bytes);
    std::string found = oracle.deviation_of_run(in, random.one_in(8));
    if (found.empty() && memory_bytes > 0 && memory.was_written_around()) found = "written beside the workspace";
    if (!found.empty()) {
      fail(found + ", by " + (setting == nullptr ? "drawn thresholds" : setting->name) + ", " +
           std::to_string(in.threads) + " threads, a workspace of " + std::to_string(memory_bytes) + " bytes, " +
           text_of(each));
    }
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
