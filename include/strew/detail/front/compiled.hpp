// SPDX-License-Identifier: Apache-2.0
// The functions of the compiled library. Each runs a request with the loops for its element size and index type.
#ifndef STREW_DETAIL_FRONT_COMPILED_HPP
#define STREW_DETAIL_FRONT_COMPILED_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// Whether calls are run by the compiled library, which has the loops.
inline constexpr bool calls_library = STREW_COMPILED != 0;

}  // namespace detail

namespace erased {

struct bound_schedule;

// The texts of errors, to which requests refer.
STREW_EXPORT extern const detail::scatter_texts texts_of_axis;
STREW_EXPORT extern const detail::scatter_texts texts_of_multi_indices;
STREW_EXPORT extern const detail::scatter_texts texts_of_tensors;
STREW_EXPORT extern const detail::scatter_texts texts_of_numbers;

// The loops for indices of each type, by rule, to which requests refer.
STREW_EXPORT extern const detail::index_loops* const loops_for_indices[2][8];

// One function for each family of operators, all of one signature. Those for indices are families by how targets are
// addressed and by how updates are combined; there are none of tensors and numbers that reduce.
enum class combining : unsigned char {
  assigns,
  sums,     // also with a factor
  reduces,  // in any other way
};
// A family's number: names of types in `detail` differ between units of different flags, and those of templates with
// arguments of other types are hidden by clang.
constexpr unsigned char family_of(detail::addressing by, combining how) noexcept {
  return static_cast<unsigned char>(3 * static_cast<int>(by) + static_cast<int>(how));
}
template <unsigned char Family>
STREW_EXPORT void scatter_by(const request& given, const executor_ref& ex, status& error);
STREW_EXPORT void slice_scatter(const request& request, const executor_ref& ex, status& error);
// select_scatter and diagonal_scatter.
STREW_EXPORT void part_scatter(const request& request, const executor_ref& ex, status& error);
// The family of a scatter by indices whose reduction is known at run time only.
STREW_EXPORT void scatter(const request& request, const executor_ref& ex, status& error);
// Scatters by indices that also store which update an element holds.
STREW_EXPORT void scatter_with_positions(const request& given, const executor_ref& ex, status& error);
// masked_scatter and masked_fill.
STREW_EXPORT void masked_scatter(const request& request, const executor_ref& ex, status& error);
STREW_EXPORT void tensor_scatter(const request& request, const executor_ref& ex, status& error);
// How updates of one element type become elements of another, or null.
STREW_EXPORT const detail::conversion* find_conversion(dynamic::element_type to, dynamic::element_type from) noexcept;
// Rows whose updates are segments.
STREW_EXPORT void segment_scatter(const request& request, const executor_ref& ex, status& error);
// Scatters by indices that are used again: the bytes of their schedule, its making, and its runs.
STREW_EXPORT void measure_schedule(const request& request, std::uint64_t& bytes, status& error);
STREW_EXPORT void make_schedule(const request& request, char* memory, bound_schedule& made, status& error);
STREW_EXPORT void run_by_schedule(const request& request, const bound_schedule& made, const executor_ref& ex,
                                  status& error);

}  // namespace erased
}  // namespace strew

#endif  // STREW_DETAIL_FRONT_COMPILED_HPP
