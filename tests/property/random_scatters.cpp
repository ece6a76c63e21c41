// SPDX-License-Identifier: Apache-2.0
// Every operator against naive loops on random cases of two size classes, with thresholds drawn for each run, so that
// every kernel runs on shapes of all kinds and not only where it pays. Three of four cases are drawn for kernels that
// few cases ran so far: of the kind, and with the thresholds, of a case that ran one.
//
// STREW_RANDOM_CASES is how many small cases are drawn, with a fiftieth as many larger ones, STREW_RANDOM_SEED where
// their seeds begin: with both a failure comes again.
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/scatter_case.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// How a case came to be run by a kernel.
struct recipe {
  case_kind kind;
  std::uint64_t shapes = 0;  // their seed
  tuning::thresholds limits;
  std::size_t threads = 1;
  std::int64_t memory = 0;
};

// For each kernel the recipe by which it ran last.
class known_recipes {
 public:
  // Keeps a recipe for the kernels that the current run used and that few cases ran.
  void keep(const recipe& by) {
    const std::size_t count = std::min(kernel::count_ran.load(), std::size(kernel::ran));
    for (std::size_t k = 0; k < count; ++k) {
      const kernel* const ran = kernel::ran[k];
      if (ran->cases < enough) recipes_.insert_or_assign(ran, by);
    }
  }
  // One of the recipes of the kernels that the fewest cases ran, null where all ran often enough.
  [[nodiscard]] const recipe* draw(random_source& random) {
    if (draws_++ % 64 == 0) find_rarest();
    if (rarest_.empty()) return nullptr;
    return &random.pick(rarest_)->second;
  }

 private:
  using kernel = strew::detail::kernel_count;
  static constexpr std::uint64_t enough = 1200;
  static constexpr std::size_t most_rarest = 24;
  // Of all kernels in the same order in each run of a program, so that a seed is enough to repeat a case.
  using recipe_of_kernel = std::map<const kernel*, recipe>::value_type;

  void find_rarest() {
    rarest_.clear();
    std::erase_if(recipes_, [](const recipe_of_kernel& each) { return each.first->cases >= enough; });
    for (const recipe_of_kernel& each : recipes_) rarest_.push_back(&each);
    std::stable_sort(rarest_.begin(), rarest_.end(), [](const recipe_of_kernel* a, const recipe_of_kernel* b) {
      return a->first->cases < b->first->cases;
    });
    if (rarest_.size() > most_rarest) rarest_.resize(most_rarest);
  }

  std::map<const kernel*, recipe> recipes_;
  std::vector<const recipe_of_kernel*> rarest_;
  std::uint64_t draws_ = 0;
};

constexpr std::uint64_t seed_of_others = std::uint64_t{1} << 40;
// Of a case that is drawn anew, each with thresholds, threads and memory of its own.
constexpr int runs_of_a_case = 8;

void check_cases(size_class size, std::uint64_t share, std::uint64_t count) {
  const std::uint64_t share_of_cases = size == size_class::small ? 1 : 50;
  count = number_from("STREW_RANDOM_CASES", count * share_of_cases) / share_of_cases;
  const std::uint64_t first = number_from("STREW_RANDOM_SEED", 0) + share * 1'000'000'000;
  const std::int64_t most_memory = size == size_class::small ? 50'000 : 300'000;
  guarded_workspace memory(most_memory);
  limits_for_test limits;
  known_recipes recipes;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random_source random(seed);
    const recipe* const known = random.one_in(4) ? nullptr : recipes.draw(random);
    std::optional<recipe> again;
    if (known != nullptr) again = *known;
    case_kind kind = again ? again->kind : draw_case_kind(random, size);
    // What leads to a rare kernel of one type often leads to that of another.
    if (again && kind.form == call_form::run_time && random.one_in(8)) {
      draw_reduction(random, kind);
      kind.integers = random.one_in(2) ? index_type::int64 : index_type::int32;
    }
    const std::uint64_t seed_of_shapes = again && !random.one_in(3) ? again->shapes : seed + seed_of_others;
    random_source shapes(seed_of_shapes);
    const scatter_case each = draw_scatter_case(shapes, random, kind);
    const case_oracle oracle(each);
    begin_random_case();  // a case counts once for a kernel, however many of its runs go there
    const int runs = again ? 1 : runs_of_a_case;
    for (int run = 0; run < runs; ++run) {
      begin_random_run();
      recipe by{kind, seed_of_shapes, {}, static_cast<std::size_t>(random.pick<std::int64_t>({1, 1, 2, 3, 8})), 0};
      if (random.one_in(2)) by.memory = random.one_in(3) ? random.below(3000) : most_memory - random.below(1000);
      limits.draw(random, size == size_class::middle);
      by.limits = tuning::set_by_tests;
      if (again) {
        by = *again;
        by.kind = kind;
        by.shapes = seed_of_shapes;
      }
      tuning::set_by_tests = by.limits;
      circumstances_of_call in{by.threads, {}, nullptr};
      if (by.memory > 0) {
        memory.restore();
        in.memory = memory.lend(by.memory);
      }
      std::string found = oracle.deviation_of_run(in, random.one_in(4));
      if (found.empty() && by.memory > 0 && memory.was_written_around()) found = "written beside the workspace";
      if (!found.empty()) {  // an assertion of Catch2 takes longer than most runs
        CAPTURE(seed, run, by.threads, by.memory, text_of(each));
        FAIL(found);
      }
      recipes.keep(by);
    }
  }
}

TEST_CASE("random scatters of some elements equal naive loops, whatever kernel runs", "[random]") {
  check_cases(size_class::small, 0, 300'000);
}
TEST_CASE("random scatters of some thousand elements equal naive loops, whatever kernel runs", "[random]") {
  check_cases(size_class::middle, 1, 10'000);
}

}  // namespace
}  // namespace strew::test
