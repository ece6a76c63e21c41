// SPDX-License-Identifier: Apache-2.0
#ifndef STREW_TEST_SINGLE_HEADER_UNIT_HPP
#define STREW_TEST_SINGLE_HEADER_UNIT_HPP

#include "strew.hpp"

namespace strew::test {

// rows[indices] = 1, on one thread and in a unit that knows of no other. Shapes: rows[3, 2], indices[2].
void set_rows(const tensor_view<int>& rows, const tensor_view<const std::int64_t>& indices);

}  // namespace strew::test

#endif  // STREW_TEST_SINGLE_HEADER_UNIT_HPP
