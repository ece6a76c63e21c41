// SPDX-License-Identifier: Apache-2.0
// The units of the program. Each returns how many results were wrong.
#ifndef STREW_TESTS_COMPILE_ONE_DEFINITION_UNIT_HPP
#define STREW_TESTS_COMPILE_ONE_DEFINITION_UNIT_HPP

#include <strew/strew.hpp>
#include <strew/threads.hpp>

int plain(strew::tensor_view<float> data, strew::thread_pool& pool);
int avx2(strew::tensor_view<float> data, strew::thread_pool& pool);
int portable(strew::tensor_view<float> data, strew::thread_pool& pool);

#endif  // STREW_TESTS_COMPILE_ONE_DEFINITION_UNIT_HPP
