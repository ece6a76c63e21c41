// SPDX-License-Identifier: Apache-2.0
// The tests of a program to which this is linked begin with these thresholds.
#include "support/kernel_limits.hpp"

namespace {

[[maybe_unused]] const bool are_set = (strew::test::set_usual_limits(strew::test::limits_of_buckets()), true);

}  // namespace
