// SPDX-License-Identifier: Apache-2.0
// What every operator asks of its operands: one element type, an output shaped like data with elements of its own, and
// no memory shared between the output and an input.
#ifndef STREW_OPERANDS_HPP
#define STREW_OPERANDS_HPP

#include <strew/box.hpp>
#include <strew/kernel/copy.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew {

// Satisfied when Output can be written and all inputs hold its element type. No operator converts elements.
template <class Output, class... Inputs>
concept scatters_into =
    element<Output> && !std::is_const_v<Output> && (std::is_same_v<std::remove_const_t<Inputs>, Output> && ...);

namespace detail {

// A list of extents that stands for a shape: not too long, nowhere negative.
constexpr bool check_shape(const char* operation, const char* name, const index_list& extents, status& error) noexcept {
  if (extents.overflowed()) {
    return refuse(error, errc::too_many_axes, operation, name, " has more than {0} entries (STREW_MAX_RANK)",
                  {max_rank});
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (extents[k] < 0) {
      return refuse(error, errc::negative_extent, operation, name, "{c} = {0} is negative", {extents[k]}, k);
    }
  }
  return true;
}

constexpr bool check_data_rank(const char* operation, int rank, status& error) noexcept {
  if (rank < 1) return refuse(error, errc::rank_mismatch, operation, "data", " has rank 0, expected at least 1");
  return true;
}

// The operand has the extents of another one, called `other`.
constexpr bool check_extents(const char* operation, const char* operand, const index_list& extents,
                             const index_list& expected, const char* other, status& error) noexcept {
  if (extents.size() != expected.size()) {
    return refuse(error, errc::rank_mismatch, operation, operand, " has rank {0}, expected {1} as {o} has",
                  {extents.size(), expected.size()}, {}, other);
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (extents[k] != expected[k]) {
      return refuse(error, errc::extent_mismatch, operation, operand,
                    " has extent {0} on axis {1}, expected {2} as {o} has", {extents[k], k, expected[k]}, {}, other);
    }
  }
  return true;
}

// The output and an input share no memory.
template <class T, class Input>
constexpr bool check_apart(const char* operation, const tensor_view<T>& output, const char* name,
                           const tensor_view<Input>& input, status& error) noexcept {
  if (shares_memory<T, std::remove_const_t<Input>>(output.data(), output.layout(), input.data(), input.layout())) {
    return refuse(error, errc::overlap, operation, "output", " shares memory with {o}", {}, {}, name);
  }
  return true;
}

template <class A, class B>
constexpr bool is_same_view(const tensor_view<A>& a, const tensor_view<B>& b) noexcept {
  return a.data() == b.data() && a.layout() == b.layout();
}

// The output has the shape of data, elements of its own, and is data itself (in place) or apart from it.
template <class D, class T>
constexpr bool check_output(const char* operation, const tensor_view<D>& data, const tensor_view<T>& output,
                            bool in_place, status& error) noexcept {
  if (!check_extents(operation, "output", output.extents(), data.extents(), "data", error)) return false;
  if (!has_distinct_elements(output.layout())) {
    return refuse(error, errc::repeated_element, operation, "output",
                  " holds some element twice (a stride of 0, or axes that overlap)");
  }
  return in_place || check_apart(operation, output, "data without being the very same view", data, error);
}

// Plans the copy of data to the output, as far as it lies in the box.
constexpr void plan_data_copy(const strided_layout& data, const strided_layout& output, const box& part,
                              copy_plan& plan) noexcept {
  plan.whole_size = output.size();
  if (part.is_whole() && data.is_row_major() && output.is_row_major()) {  // the same as below, sooner
    plan.nest.add_inner(output.size(), {1, 1});
    plan.is_row_major = !output.empty();
    return;
  }
  for (int k = 0; k < data.rank(); ++k) {
    plan.first[copy_plan::target] += part[k].begin * output.stride(k);
    plan.first[copy_plan::source] += part[k].begin * data.stride(k);
    plan.nest.add_inner(part[k].count, {output.stride(k), data.stride(k)});
  }
  plan.finish();
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_OPERANDS_HPP
