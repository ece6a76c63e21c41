// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from a truth value among integers.
// g++ says: strew::index_list
// clang says: strew::index_list
#include <strew/strew.hpp>

strew::index_list list{true, 2};
