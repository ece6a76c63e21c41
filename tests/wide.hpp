// SPDX-License-Identifier: Apache-2.0
// A 128-bit integer, in which nothing that the oracles compute can overflow.
#ifndef STREW_TESTS_WIDE_HPP
#define STREW_TESTS_WIDE_HPP

namespace strew::test {

__extension__ using wide = __int128;

}  // namespace strew::test

#endif  // STREW_TESTS_WIDE_HPP
