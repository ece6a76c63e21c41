// SPDX-License-Identifier: Apache-2.0
// STREW_CALL is a call on these operands.
#include <strew/strew.hpp>

#include <cstdint>
#include <tuple>

template <class T>
using view = strew::tensor_view<T>;

void one_call([[maybe_unused]] view<const float> data, [[maybe_unused]] view<const std::int64_t> indices,
              [[maybe_unused]] view<const bool> mask, [[maybe_unused]] view<const float> updates, view<float> output) {
  namespace reduction = strew::reduction;
  strew::STREW_CALL;
}
