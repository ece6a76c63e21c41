// SPDX-License-Identifier: Apache-2.0
// Checks of the results in the examples of the operators. The pages of the documentation show a tensor's result as a
// comment and a condition as an assert (docs/site/hooks.py).
#ifndef STREW_EXAMPLES_EXPECT_HPP
#define STREW_EXAMPLES_EXPECT_HPP

#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <vector>

void slices();
void rows();
void elements();
void tuples();
void parts();
void calls();
void views();

// Prints `what` to standard error if it is wrong; the program then fails.
void expect(bool is_right, std::string_view what);

// The elements of a row-major view or of a vector.
template <class T>
void expect(const strew::tensor_view<T>& seen, const std::vector<std::remove_const_t<T>>& values) {
  expect(std::equal(values.begin(), values.end(), seen.data(), seen.data() + seen.size()), "a tensor is wrong");
}
template <class T>
void expect(const std::vector<T>& seen, const std::vector<T>& values) {
  expect(seen == values, "a vector is wrong");
}

#endif  // STREW_EXAMPLES_EXPECT_HPP
