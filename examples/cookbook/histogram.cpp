// SPDX-License-Identifier: Apache-2.0
// A histogram: 1 is added to the bin of each value. The values are the gaps between neighbouring primes below ten
// million. Indices are clipped, so the last bin counts all larger gaps.
#include "../help.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/operators/index_policy.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr std::size_t bins = 24;
using histogram = std::array<std::int64_t, bins>;

// A gap of 2 has bin 0, one of 4 bin 1, and so on: gaps between odd primes are even.
std::vector<std::int32_t> bins_of_prime_gaps(std::size_t limit) {
  std::vector<bool> composite(limit);
  std::vector<std::int32_t> result;
  std::size_t last = 3;
  for (std::size_t n = 3; n < limit; n += 2) {
    if (composite[n]) continue;
    for (std::size_t multiple = n * n; multiple < limit; multiple += 2 * n) composite[multiple] = true;
    if (n > last) result.push_back(static_cast<std::int32_t>((n - last) / 2 - 1));
    last = n;
  }
  return result;
}

histogram by_scatter(const std::vector<std::int32_t>& bin_numbers) {
  histogram counts{};
  strew::index_add(counts, 0, strew::clip(bin_numbers), 1);  // counts[bin] += 1 for the bin of each value
  return counts;
}

histogram by_plain_loops(const std::vector<std::int32_t>& bin_numbers) {
  histogram counts{};
  for (const std::int32_t bin : bin_numbers) {
    ++counts[static_cast<std::size_t>(bin) < bins ? static_cast<std::size_t>(bin) : bins - 1];
  }
  return counts;
}

// A bar of block characters, to an eighth of a column.
std::string bar(std::int64_t count, std::int64_t largest) {
  constexpr std::int64_t length = 50;
  constexpr std::array<const char*, 8> rest{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const std::int64_t eighths = 8 * length * count / largest;
  std::string result;
  for (std::int64_t i = 0; i < eighths / 8; ++i) result += "█";
  return result + rest[static_cast<std::size_t>(eighths % 8)];
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "A histogram of the gaps between primes below ten million: ones are added to the bins that values\n"
      "name (index_add)."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const std::vector<std::int32_t> bin_numbers = bins_of_prime_gaps(10'000'000);
  const histogram counts = by_scatter(bin_numbers);
  const std::int64_t largest = *std::max_element(counts.begin(), counts.end());
  for (std::size_t i = 0; i < bins; ++i) {
    std::printf("%2zu%c %7lld %s\n", 2 * (i + 1), i + 1 < bins ? ' ' : '+', static_cast<long long>(counts[i]),
                bar(counts[i], largest).c_str());
  }
  const bool right = counts == by_plain_loops(bin_numbers);
  std::printf("%zu gaps, and the counts are %s\n", bin_numbers.size(), right ? "as by plain loops" : "WRONG");
  return right ? 0 : 1;
}
