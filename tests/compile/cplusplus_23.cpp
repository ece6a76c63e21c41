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
