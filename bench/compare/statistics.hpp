// SPDX-License-Identifier: Apache-2.0
// The median of a sample, and between which of its values the median of the population lies.
#ifndef STREW_COMPARE_STATISTICS_HPP
#define STREW_COMPARE_STATISTICS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace compare {

// Fewer values than these give no interval of 95 %.
inline constexpr int fewest_values = 6;

struct median_estimate {
  double median;
  double low, high;  // with 95 % confidence at least
};

// The number of values below the median is binomial, whatever their distribution: so the k-th value from below and the
// k-th from above enclose it unless fewer than k lie on one side. values.size() >= fewest_values.
inline median_estimate estimate_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  std::size_t k = 0;
  double probability = std::pow(0.5, static_cast<double>(n));  // of exactly k values below
  double tail = probability;                                   // of at most k
  while (2 * tail <= 0.05) {
    ++k;
    probability *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    tail += probability;
  }
  const double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  return {median, values[k - 1], values[n - k]};
}

}  // namespace compare

#endif  // STREW_COMPARE_STATISTICS_HPP
