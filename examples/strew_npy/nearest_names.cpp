// SPDX-License-Identifier: Apache-2.0
// Restricted Damerau-Levenshtein distances.
#include "nearest_names.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace strew_npy {
namespace {

constexpr std::size_t far = std::numeric_limits<std::size_t>::max();

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::size_t count_edits(std::string_view from, std::string_view to) {
  // Rows of the dynamic programming table, one for each letter of `from`; the last three are kept.
  std::vector<std::size_t> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool is_same = lower(from[i - 1]) == lower(to[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      const bool is_exchanged =
          i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) && lower(from[i - 2]) == lower(to[j - 1]);
      if (is_exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[to.size()];
}

// As count_edits, or `far` if the names have little in common.
std::size_t count_few_edits(std::string_view misspelt, std::string_view name) {
  const std::size_t shorter = std::min(misspelt.size(), name.size());
  const std::size_t longer = std::max(misspelt.size(), name.size());
  if (shorter < 2) return far;
  const std::size_t most = std::max<std::size_t>(1, shorter / 3);
  if (longer - shorter > most) return far;  // names on the command line may be of any length
  const std::size_t edits = count_edits(misspelt, name);
  return edits <= most ? edits : far;
}

std::string_view without_first_word(std::string_view name) {
  const std::size_t end = name.find_first_of("_-");
  return end == std::string_view::npos ? std::string_view() : name.substr(end + 1);
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view misspelt, const std::vector<std::string_view>& known) {
  using rank = std::pair<std::size_t, bool>;  // edits, and whether the name lacks a word
  rank best{far, false};
  std::vector<std::string_view> nearest;
  for (const std::string_view name : known) {
    const rank of_name = std::min(rank(count_few_edits(misspelt, name), false),
                                  rank(count_few_edits(misspelt, without_first_word(name)), true));
    if (of_name.first == far || of_name > best) continue;
    if (of_name < best) nearest.clear();
    best = of_name;
    nearest.push_back(name);
  }
  return nearest;
}

}  // namespace strew_npy
