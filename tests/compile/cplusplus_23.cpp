// SPDX-License-Identifier: Apache-2.0
// A call at run time, as C++23, does not run the code for constant evaluation, which uses no executor. With clang 14
// and libstdc++ 12 the function std::is_constant_evaluated is true at run time, so the headers ask the compiler's
// builtin.
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct counting {
  int* calls;
  void operator()(std::size_t n, const strew::task& body) const noexcept {
    ++*calls;
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

// Constant evaluation by clang++ refuses an address beyond the end of memory, which g++ lets pass: rows with a gap
// after each but the last.
constexpr bool scatters_by_padded_mask(bool fills) {
  int output[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const int updates[4] = {20, 21, 22, 23};
  const bool mask[11] = {true, false, true, false, false, true, false, false, false, true, false};
  const strew::tensor_view<int> to{output, {3, 3}, {4, 1}};
  const strew::tensor_view<const bool> selected{mask, {3, 3}, {4, 1}};
  if (fills) {
    strew::masked_fill(to, selected, 20);
  } else {
    strew::masked_scatter(to, selected, strew::tensor_view<const int>{updates, {4}});
  }
  const int step = fills ? 0 : 1;
  return output[0] == 20 && output[1] == 1 && output[2] == 20 + step && output[3] == 3 && output[4] == 4 &&
         output[5] == 20 + 2 * step && output[9] == 20 + 3 * step && output[10] == 10;
}
static_assert(scatters_by_padded_mask(false));
static_assert(scatters_by_padded_mask(true));

}  // namespace

int main() {
  constexpr std::int64_t count = 1 << 20;
  const std::vector<float> data(count, 1);
  const std::vector<float> updates(count, 2);
  std::vector<float> output(count);
  int calls = 0;
  const strew::status made = strew::try_slice_scatter(
      counting{&calls}, strew::tensor_view<const float>(data.data(), {count}),
      strew::tensor_view<const float>(updates.data(), {count}),
      strew::slice_spec{.start = {0}, .stop = {count}, .step = {1}}, strew::tensor_view<float>(output.data(), {count}));
  return made.ok() && calls > 0 && output.front() == 2 && output.back() == 2 ? 0 : 1;
}
