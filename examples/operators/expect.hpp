// SPDX-License-Identifier: Apache-2.0
// Checks of the results in the examples of the operators.
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

// The elements of a row-major view.
template <class T>
void expect(const strew::tensor_view<T>& seen, const std::vector<std::remove_const_t<T>>& values) {
  expect(std::equal(values.begin(), values.end(), seen.data(), seen.data() + seen.size()), "a tensor is wrong");
}

#endif  // STREW_EXAMPLES_EXPECT_HPP
