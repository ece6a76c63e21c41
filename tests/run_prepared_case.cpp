// SPDX-License-Identifier: Apache-2.0
// The prepared and bound calls of random cases, on blocks of bytes.
#include "scatter_case.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace strew::test {
namespace {

using dynamic::element_kind;

template <std::size_t Size>
struct block {
  unsigned char bytes[Size];
};

template <class T, class Index, const auto& Operator>
status run_operator(const scatter_case& on, const circumstances_of_call& in) {
  const chosen_threads ex{in};
  const auto data = view_of<T>(*on.data);
  const auto indices = view_of<const Index>(on.indices[0]);
  const auto updates = view_of<const T>(*on.updates);
  const auto output = view_of<T>(on.written());
  auto prepared = prepare<T, Index>(Operator, {{}, {}, {}, {}}, 0);
  status outcome = try_prepare<T, Index>(Operator, {data.layout(), indices.layout(), updates.layout(), output.layout()},
                                         on.axis, prepared);
  if (!outcome.ok()) return outcome;
  if (on.form == call_form::prepared) {
    return prepared.try_run(ex, data.data(), indices.data(), updates.data(), output.data());
  }
  std::vector<std::byte> kept(prepared.bound_bytes() + 1);
  auto bound = decltype(prepared.bind(indices.data(), std::span<std::byte>())){};
  outcome = prepared.try_bind(indices.data(), std::span(kept).subspan(1), bound);
  if (!outcome.ok()) return outcome;
  // From now on the indices are not read.
  const std::vector<char> before = on.indices[0].image();
  for (std::size_t i = 0; i < on.indices[0].size(); ++i) std::memset(on.indices[0].element(i), 0x7f, sizeof(Index));
  outcome = bound.try_run(ex, data.data(), updates.data(), output.data());
  on.indices[0].restore(before);
  return outcome;
}

template <class T, class Index>
status run(const scatter_case& on, const circumstances_of_call& in) {
  switch (on.which) {
    case operation::scatter_update:
      return run_operator<T, Index, scatter_update>(on, in);
    case operation::scatter_elements_update:
      return run_operator<T, Index, scatter_elements_update>(on, in);
    default:
      return run_operator<T, Index, onnx::scatter>(on, in);
  }
}

}  // namespace

const std::vector<typed_pair>& prepared_pairs() {
  static const std::vector<typed_pair> all = [] {
    std::vector<typed_pair> pairs;
    for (const std::int64_t size : {1, 2, 4, 8, 16, 12, 3, 40}) {
      pairs.push_back({{element_kind::opaque, size}, size == 12 || size == 3 ? index_type::int32 : index_type::int64});
    }
    pairs.push_back({{element_kind::opaque, 4}, index_type::int32});
    return pairs;
  }();
  return all;
}

status run_prepared_case(const scatter_case& on, const circumstances_of_call& in) {
  switch (on.type.size) {
    case 1:
      return run<block<1>, std::int64_t>(on, in);
    case 2:
      return run<block<2>, std::int64_t>(on, in);
    case 3:
      return run<block<3>, std::int32_t>(on, in);
    case 4:
      if (on.integers == index_type::int32) return run<block<4>, std::int32_t>(on, in);
      return run<block<4>, std::int64_t>(on, in);
    case 8:
      return run<block<8>, std::int64_t>(on, in);
    case 12:
      return run<block<12>, std::int32_t>(on, in);
    case 40:
      return run<block<40>, std::int64_t>(on, in);
    default:
      return run<block<16>, std::int64_t>(on, in);
  }
}

}  // namespace strew::test
