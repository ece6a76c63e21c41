// SPDX-License-Identifier: Apache-2.0
// The time of one row with both versions of the headers.
#ifndef STREW_COMPARE_MEASURE_HPP
#define STREW_COMPARE_MEASURE_HPP

#include "rows.hpp"
#include "statistics.hpp"

namespace compare {

struct result {
  double nanoseconds;     // of one call with the old headers, median
  median_estimate ratio;  // new / old, over the pairs
};

// A row is slower if its whole interval lies above this.
inline constexpr double largest_ratio = 1.03;
[[nodiscard]] inline bool is_slower(const result& r) {
  return r.ratio.low > largest_ratio;
}
[[nodiscard]] inline bool is_faster(const result& r) {
  return r.ratio.high < 1 / largest_ratio;
}

// Measures old, new, old, new ... : `pairs` times each. pairs >= fewest_values.
result measure(const row& r, int pairs);

}  // namespace compare

#endif  // STREW_COMPARE_MEASURE_HPP
