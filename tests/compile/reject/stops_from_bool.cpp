// SPDX-License-Identifier: Apache-2.0
// A list of stops is not built from a truth value.
// g++ says: no matching function for call to 'strew::stop_list::stop_list(
// clang says: no matching constructor for initialization of 'strew::stop_list'
#include <strew/strew.hpp>

strew::stop_list list{true};
