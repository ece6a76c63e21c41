// SPDX-License-Identifier: Apache-2.0
// A bound of a slice is not a character.
// g++ says: satisfaction of 'index_integer<Stop>' [with Stop = char]
// clang says: because 'char' does not satisfy 'index_integer'
#include <strew/strew.hpp>

constexpr auto range = strew::resolve_slice(0, 'a', 1, 128);
