// SPDX-License-Identifier: Apache-2.0
// Every random case by every kernel that may run it, whatever pays: a case is run once by each setting of
// forced_kernels.hpp, whole and in parts, without lent memory and with it, and compared with naive loops each time.
// Where random_scatters.cpp draws thresholds for many cases, here what one kernel does is seen beside what all others
// do to the same operands.
//
// STREW_RANDOM_CASES is how many small cases are drawn, with a fortieth as many larger ones, STREW_RANDOM_SEED where
// their seeds begin: with both a failure comes again.
#include "forced_kernels.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/scatter_case.hpp"

#include <strew/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using strew::detail::kernel_count;

// Which settings ran the kernels that they are there for, and whether any of these ran where nothing was forced.
class forced_runs {
 public:
  forced_runs() {
    for (const forced_kernels& setting : all_forced_kernels()) {
      entry made{&setting, {}, false};
      const std::string prefix = setting.what.kernels == nullptr ? "" : setting.what.kernels;
      for (kernel_count* each = kernel_count::all; each != nullptr && !prefix.empty(); each = each->next) {
        if (each->name.compare(0, prefix.size(), prefix) == 0) made.kernels.push_back(each);
      }
      entries_.push_back(made);
    }
  }
  // To be called after the runs of a setting, which are one to the counters.
  void note(std::size_t setting) {
    if (setting != 0) {
      entry& by = entries_[setting];
      by.has_run = by.has_run || has_run_now(by.kernels);
      return;
    }
    for (const entry& each : entries_) {
      if (is_there(each.setting->what.needs) && has_run_now(each.kernels)) unforced_.insert(each.setting->name);
    }
  }
  // Names of settings whose kernels ran where nothing was forced.
  [[nodiscard]] const std::set<std::string>& unforced() const { return unforced_; }
  // Names of settings that ran none of their kernels.
  [[nodiscard]] std::set<std::string> missing() const {
    std::set<std::string> names;
    for (const entry& each : entries_) {
      const effect& what = each.setting->what;
      if (what.kernels != nullptr && is_there(what.needs) && !each.has_run) names.insert(each.setting->name);
    }
    return names;
  }

 private:
  struct entry {
    const forced_kernels* setting;
    std::vector<const kernel_count*> kernels;
    bool has_run;
  };

  static bool has_run_now(const std::vector<const kernel_count*>& kernels) {
    return std::any_of(kernels.begin(), kernels.end(), [](const kernel_count* each) { return each->ran_now(); });
  }

  std::vector<entry> entries_;
  std::set<std::string> unforced_;
};

// Memory that is never wiped: what a run finds there is what another left.
class lenders {
 public:
  explicit lenders(size_class size) : little_size_{size == size_class::small ? 14'000 : 30'000}, little_{little_size_} {
    plenty_.restore();
    little_.restore();
  }
  std::span<std::byte> lend(lent how) {
    if (how == lent::none) return {};
    return how == lent::plenty ? plenty_.lend(plenty_size) : little_.lend(little_size_);
  }
  [[nodiscard]] bool were_written_around(lent how) const {
    return how != lent::none && (how == lent::plenty ? plenty_ : little_).was_written_around();
  }

 private:
  static constexpr std::int64_t plenty_size = 3'000'000;  // for buckets of 512 chunks and entries beside

  std::int64_t little_size_;
  guarded_workspace plenty_{plenty_size};
  guarded_workspace little_;
};

constexpr std::uint64_t seed_of_others = std::uint64_t{1} << 40;

void check_cases(size_class size, std::uint64_t share, std::uint64_t least) {
  const std::uint64_t share_of_cases = size == size_class::small ? 1 : 40;
  const std::uint64_t count = number_from("STREW_RANDOM_CASES", least * share_of_cases) / share_of_cases;
  const std::uint64_t first = number_from("STREW_RANDOM_SEED", 0) + share * 1'000'000'000;
  const std::vector<forced_kernels>& settings = all_forced_kernels();
  const limits_for_test limits;
  lenders memory(size);
  forced_runs forced;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random_source random(seed);
    random_source shapes(seed + seed_of_others);
    const scatter_case each = draw_scatter_case(shapes, random, draw_case_kind(random, size));
    const case_oracle oracle(each);
    begin_random_case();
    for (std::size_t s = 0; s < settings.size(); ++s) {
      begin_random_run();
      const bool watches_parts = (seed + s) % 8 == 0;  // which takes as long as several runs
      for (const run_form& form : settings[s].forms) {
        force(settings[s], form);
        std::string found = oracle.deviation_of_run({form.threads, memory.lend(form.memory), nullptr}, watches_parts);
        if (found.empty() && memory.were_written_around(form.memory)) found = "written beside the workspace";
        if (!found.empty()) {  // an assertion of Catch2 takes longer than most runs
          CAPTURE(seed, settings[s].name, form.threads, name_of(form.memory), text_of(each));
          FAIL(found);
        }
      }
      forced.note(s);
    }
  }
  CHECK(forced.unforced() == std::set<std::string>{});
  // Of larger cases too few are drawn for all. The compiled library binds no indices, and has counters of its own where
  // it is shared.
  if (size == size_class::small && count >= least && STREW_COMPILED == 0) {
    CHECK(forced.missing() == std::set<std::string>{});
  }
}

TEST_CASE("random scatters of some elements equal naive loops by every kernel that may run", "[random]") {
  // With the headers alone each kernel must run, the rarest once in some ten thousand cases.
  check_cases(size_class::small, 2, STREW_COMPILED == 0 ? 60'000 : 24'000);
}
TEST_CASE("random scatters of some thousand elements equal naive loops by every kernel that may run", "[random]") {
  check_cases(size_class::middle, 3, 600);
}

TEST_CASE("each threshold is set by a setting that forces kernels, or there is a reason") {
  for (const forced_kernels& setting : all_forced_kernels()) {
    CAPTURE(setting.name);
    CHECK((setting.what.kernels == nullptr) != (setting.what.parameters == nullptr));
  }
  // None is missing but fullest_run, which is no integer.
  CHECK(all_limits().size() * sizeof(std::int64_t) + sizeof(double) == sizeof(tuning::thresholds));
  const limits_for_test limits;
  const std::vector<limit_left_alone>& left = limits_left_alone();
  std::size_t number = 0;
  for (const limit_range& range : all_limits()) {
    const auto limit = range.limit;
    force_no_kernel();
    const std::int64_t unforced = tuning::set_by_tests.*limit;
    bool is_set = false;
    for (const forced_kernels& setting : all_forced_kernels()) {
      for (const run_form& form : setting.forms) {
        force(setting, form);
        const std::int64_t value = tuning::set_by_tests.*limit;
        CAPTURE(setting.name, number, value);
        CHECK((range.smallest <= value && value <= range.largest));
        is_set = is_set || value != unforced;
      }
    }
    const bool is_left =
        std::any_of(left.begin(), left.end(), [&](const limit_left_alone& each) { return each.limit == limit; });
    CAPTURE(number);  // in all_limits()
    CHECK(is_set != is_left);
    ++number;
  }
}

}  // namespace
}  // namespace strew::test
