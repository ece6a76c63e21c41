// SPDX-License-Identifier: Apache-2.0
// A prepared call of every operator for the cases of the matrix, and the addresses of its operands.
#ifndef STREW_TESTS_OPERATORS_MATRIX_PREPARED_CALLS_HPP
#define STREW_TESTS_OPERATORS_MATRIX_PREPARED_CALLS_HPP

#include "support/with_policy.hpp"
#include "walk.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace strew::test::matrix {

template <class Calls>
inline constexpr bool has_mask =
    Calls::drawn_as == operation::masked_scatter || Calls::drawn_as == operation::masked_fill;
template <class Calls>
inline constexpr bool has_value = Calls::drawn_as == operation::index_fill || Calls::drawn_as == operation::masked_fill;
template <class Calls>
inline constexpr bool is_unindexed =
    Calls::drawn_as == operation::slice_scatter || Calls::drawn_as == operation::select_scatter ||
    Calls::drawn_as == operation::diagonal_scatter;

template <class Calls, index_policy Policy, class T, class Index, class R>
auto prepare_case(const scatter_case& on, const R& reduce) {
  const strided_layout data = view_of<const T>(*on.data).layout();
  const strided_layout updates = view_of<const T>(*on.updates).layout();
  const strided_layout output = view_of<T>(on.written()).layout();
  // Only a fill has one element in the place of updates.
  T value{};
  if constexpr (has_value<Calls>) std::memcpy(&value, on.updates->element(0), sizeof value);
  return Calls::rest(on, value, reduce, [&](const auto&... rest) {
    if constexpr (is_unindexed<Calls>) {
      return prepare<T>(Calls::throwing, {data, updates, output}, rest...);
    } else if constexpr (Calls::drawn_as == operation::index_put) {
      std::vector<strided_layout> indices;
      for (const placed_bytes& each : on.indices) indices.push_back(view_of<const Index>(each).layout());
      const std::span<const strided_layout> all(indices);
      return prepare<T, Index>(Calls::throwing, {data, with_policy<Policy>(all), updates, output}, rest...);
    } else if constexpr (has_mask<Calls>) {
      const strided_layout mask = view_of<const bool>(*on.mask).layout();
      if constexpr (has_value<Calls>) {
        return prepare<T, bool>(Calls::throwing, {data, mask, output}, rest...);
      } else {
        return prepare<T, bool>(Calls::throwing, {data, mask, updates, output}, rest...);
      }
    } else {
      const auto indices = with_policy<Policy>(view_of<const Index>(on.indices[0]).layout());
      if constexpr (has_value<Calls>) {
        return prepare<T, Index>(Calls::throwing, {data, indices, output}, rest...);
      } else {
        return prepare<T, Index>(Calls::throwing, {data, indices, updates, output}, rest...);
      }
    }
  });
}

template <class T>
const T* address_of(const placed_bytes& tensor) {
  return view_of<const T>(tensor).data();
}

// Calls body(addresses of indices, or of a mask).
template <class Calls, class Index, class Body>
void with_addresses(const scatter_case& on, const Body& body) {
  if constexpr (Calls::drawn_as == operation::index_put) {
    std::array<const Index*, most_tensors> all{};
    for (std::size_t j = 0; j < on.indices.size(); ++j) all[j] = address_of<Index>(on.indices[j]);
    body(std::span<const Index* const>(all.data(), on.indices.size()));
  } else if constexpr (has_mask<Calls>) {
    body(address_of<bool>(*on.mask));
  } else {
    body(address_of<Index>(on.indices[0]));
  }
}

// Overwrites tensors that may not be read any more, and restores them.
class spoiled {
 public:
  explicit spoiled(const placed_bytes& tensor) : tensor_(tensor), before_(tensor.image()) {
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      std::memset(tensor.element(i), 0x7f, static_cast<std::size_t>(tensor.width()));
    }
  }
  spoiled(const spoiled&) = delete;
  spoiled& operator=(const spoiled&) = delete;
  ~spoiled() { tensor_.restore(before_); }

 private:
  const placed_bytes& tensor_;
  std::vector<char> before_;
};

// Runs a call, or if `binds` one whose indices are bound, which are then overwritten.
template <class Calls, index_policy Policy, class T, class Index, class R>
status run_prepared(const scatter_case& on, const circumstances_of_call& in, bool binds, const R& reduce) {
  const chosen_threads ex{in};
  const T* const data = address_of<T>(*on.data);
  const T* const updates = address_of<T>(*on.updates);
  T* const output = view_of<T>(on.written()).data();
  // A fill has one element in the place of updates.
  const auto run_with = [&](const auto& call, const auto&... indices) {
    if constexpr (has_value<Calls>) {
      call.run(ex, data, indices..., output);
    } else {
      call.run(ex, data, indices..., updates, output);
    }
  };
  return status_of([&] {
    const auto call = prepare_case<Calls, Policy, T, Index>(on, reduce);
    if constexpr (is_unindexed<Calls>) {
      run_with(call);
    } else {
      with_addresses<Calls, Index>(on, [&](const auto& indices) {
        if (!binds) return run_with(call, indices);
        std::vector<std::byte> kept(call.bound_bytes() + 1);
        const auto bound = call.bind(indices, std::span(kept).subspan(1));
        std::optional<spoiled> first;
        std::optional<spoiled> second;
        if (!on.indices.empty()) first.emplace(on.indices[0]);
        if (on.indices.size() > 1) second.emplace(on.indices[1]);
        if (on.mask) first.emplace(*on.mask);
        run_with(bound);
      });
    }
  });
}

}  // namespace strew::test::matrix

#endif  // STREW_TESTS_OPERATORS_MATRIX_PREPARED_CALLS_HPP
