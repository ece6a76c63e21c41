// SPDX-License-Identifier: Apache-2.0
// Calls that only ask kernels, as strew::explain makes them, on random cases: nothing is written, errors are found, and
// what would run is what runs.
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/scatter_case.hpp"

#include <strew/detail/kernel_notes.hpp>
#include <strew/status.hpp>
#include <strew/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace strew::test {
namespace {

struct heard {
  std::set<std::string> kernels;   // that ran, or would
  std::set<std::string> declined;  // once they had seen the indices
  int lines = 0;
  std::string line;
};

status hear(bool runs, const scatter_case& of, const circumstances_of_call& in, heard& to) {
  const strew::detail::trace_listener listener{[](void* all, const strew::detail::call_trace& trace, const char* line) {
                                                 auto& found = *static_cast<heard*>(all);
                                                 ++found.lines;
                                                 found.line = line;
                                                 if (std::string(line).rfind("strew: ", 0) != 0)
                                                   found.kernels.insert("no line");
                                                 for (const strew::detail::kernel_note& note : trace) {
                                                   if (note.ran > 0) found.kernels.insert(note.name);
                                                   if (note.declined > 0) found.declined.insert(note.name);
                                                 }
                                               },
                                               &to, runs};
  const strew::detail::listening_scope scope(listener);
  return run_scatter_case(of, in);
}

void check_cases(size_class size, std::uint64_t first, std::uint64_t count) {
  const std::int64_t most_memory = 300'000;
  guarded_workspace memory(most_memory);
  limits_for_test limits;
  std::set<std::string> asked;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random_source random(seed);
    random_source shapes(seed + (std::uint64_t{1} << 41));
    case_kind kind = draw_case_kind(random, size);
    if (kind.form == call_form::bound) kind.form = call_form::prepared;  // explain takes operators
    const scatter_case each = draw_scatter_case(shapes, random, kind);
    const placed_bytes& to = each.written();
    const std::vector<char> before = to.image();
    limits.draw(random, size == size_class::middle);
    circumstances_of_call in{static_cast<std::size_t>(random.pick<std::int64_t>({1, 1, 3})), {}, nullptr};
    if (random.one_in(2)) {
      memory.restore();
      in.memory = memory.lend(most_memory - random.below(1000));
    }
    heard would;
    heard ran;
    const status asked_for = hear(false, each, in, would);
    const bool is_as_before = to.is_like(before);
    const status outcome = hear(true, each, in, ran);
    asked.insert(would.kernels.begin(), would.kernels.end());
    // A prepared call that is refused before it has a request has no line.
    const bool is_heard = (would.lines == 1 || !outcome.ok()) && would.lines == ran.lines;
    // One kernel that looks at the indices declines; what runs then was not asked for.
    const bool is_alike = !ran.declined.empty() || !outcome.ok() || would.kernels == ran.kernels;
    if (!is_as_before || asked_for.code() != outcome.code() || !is_heard || !is_alike) {
      std::string names;
      for (const std::string& name : would.kernels) names += name + ", ";
      names += "ran ";
      for (const std::string& name : ran.kernels) names += name + ", ";
      CAPTURE(seed, in.threads, in.memory.size(), text_of(each), names, would.lines, ran.lines, ran.line);
      CHECK(is_as_before);
      CHECK(asked_for.code() == outcome.code());
      CHECK(is_heard);
      CHECK(is_alike);
      return;
    }
    if (outcome.ok()) to.restore(before);
  }
  CHECK(asked.size() > 10);
  CHECK(asked.count("no line") == 0);
}

TEST_CASE("calls that only ask kernels write nothing, and say what runs, for tensors of some elements", "[random]") {
  check_cases(size_class::small, 8'000'000'000, 20'000);
}
TEST_CASE("calls that only ask kernels write nothing, and say what runs, for tensors of some thousand elements",
          "[random]") {
  check_cases(size_class::middle, 9'000'000'000, 1'500);
}

}  // namespace
}  // namespace strew::test
