// SPDX-License-Identifier: Apache-2.0
// A list of integers is not built from truth values in braces.
// g++ says: no matching function for call to 'strew::index_list::index_list(
// clang says: no matching constructor for initialization of 'strew::index_list'
#include <strew/strew.hpp>

strew::index_list list{true, false};
