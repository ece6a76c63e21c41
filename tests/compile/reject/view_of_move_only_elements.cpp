// SPDX-License-Identifier: Apache-2.0
// Elements are assigned by copy.
// g++ says: satisfaction of 'element<T>' [with T = std::unique_ptr<int
// clang says: because 'std::unique_ptr<int>' does not satisfy 'element'
#include <strew/strew.hpp>

#include <memory>

strew::tensor_view<std::unique_ptr<int>> view;
