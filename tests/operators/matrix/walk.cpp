// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace strew::test::matrix {
namespace {

constexpr std::int64_t most_memory = 50'000;

const form_column& column_of(form which) {
  return forms[static_cast<std::size_t>(which)];
}

bool suits(const scatter_case& drawn, const wanted_cases& wanted) {
  if (drawn.indices.size() > most_tensors) return false;
  // What assume_valid promises an axis without elements cannot keep.
  if (drawn.policy == index_policy::assume_valid && drawn.is_error) return false;
  return drawn.in_place || !wanted.in_place;
}

void make_updates_one_value(const scatter_case& drawn) {
  const placed_bytes& updates = *drawn.updates;
  for (std::size_t i = 1; i < updates.size(); ++i) {
    std::memmove(updates.element(i), updates.element(0), static_cast<std::size_t>(updates.width()));
  }
}

std::vector<form>& all_walked_forms() {
  static std::vector<form> all;
  return all;
}

}  // namespace

walked_form::walked_form(form which) {
  all_walked_forms().push_back(which);
}
const std::vector<form>& walked_forms() {
  return all_walked_forms();
}

bool has_cell(std::size_t row, form which) {
  const std::string_view text = cell(operators[row], which);
  INFO(operators[row].name << ", " << column_of(which).name);
  CHECK((text.empty() || is_listed_word(text)));
  return text.empty();
}

void check_way(std::size_t row, const wanted_cases& wanted, std::size_t number, const way& each) {
  limits_for_test limits;
  guarded_workspace memory(most_memory);
  int writing = 0;  // cases in which an update is written
  const std::uint64_t first = number_from("STREW_RANDOM_SEED", 0);
  const int count = static_cast<int>(number_from("STREW_MATRIX_CASES", static_cast<std::uint64_t>(wanted.count)));
  int done = 0;
  const auto has_enough = [&] { return done >= count && (3 * writing >= count || done >= 4 * count); };
  for (std::uint64_t seed = first; !has_enough(); ++seed) {
    random_source random(seed + 1000 * (static_cast<std::uint64_t>(row) + 100 * number));
    case_kind kind = each.kind;
    kind.size = random.one_in(8) ? size_class::middle : size_class::small;
    kind.placed = random.pick<placing>({placing::row_major, placing::dense, placing::any, placing::any});
    kind.asked_policy = wanted.policy;
    kind.has_numbers = wanted.which == form::positions;
    const scatter_case drawn = draw_scatter_case(random, random, kind);
    if (!suits(drawn, wanted)) continue;
    ++done;
    if (wanted.has_value) make_updates_one_value(drawn);
    const case_oracle oracle(drawn);
    circumstances_of_call in;
    if (wanted.has_parts) {
      limits.draw(random, kind.size == size_class::middle);
      in.threads = static_cast<std::size_t>(random.pick<std::int64_t>({1, 2, 3, 8}));
      memory.restore();
      in.memory = memory.lend(random.one_in(3) ? random.below(3000) : most_memory - random.below(1000));
    }
    std::string found = oracle.deviation_of_run(in, wanted.has_parts && random.one_in(4), each.run);
    if (found.empty() && memory.was_written_around()) found = "written beside the workspace";
    if (!found.empty()) {
      CAPTURE(seed, text_of(drawn));
      FAIL_CHECK(operators[row].name << ", " << column_of(wanted.which).name << ": " << found);
      return;
    }
    const bool writes = std::any_of(drawn.targets.begin(), drawn.targets.end(),
                                    [](std::int64_t target) { return target != scatter_case::dropped; });
    if (writes && !drawn.is_error) ++writing;
  }
  INFO(operators[row].name << ", " << column_of(wanted.which).name << ": too few cases write anything");
  CHECK(3 * writing >= count);
}

}  // namespace strew::test::matrix
