// SPDX-License-Identifier: Apache-2.0
// The rules for an axis and for an index: which values are legal, and how they are normalised.
#ifndef STREW_VIEW_INDEX_HPP
#define STREW_VIEW_INDEX_HPP

#include <strew/config.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

// Which indices are legal on an axis of extent s.
enum class index_rule : unsigned char {
  strict,    // [0, s - 1]: ScatterUpdate-3, ScatterElementsUpdate-3
  wrapping,  // [-s, s - 1], a negative index counting from the end: ONNX Scatter
};

// What an operator does with an index that its rule forbids. The functions of strew/operators/index_policy.hpp wrap
// indices with a policy.
enum class index_policy : unsigned char {
  error,         // the default: the call fails before anything is written
  drop,          // the update is not applied
  clip,          // it becomes the nearest legal one (with index_rule::wrapping, legal negative ones count from the end)
  wrap,          // it is taken modulo the extent, as Python's %
  assume_valid,  // no check: an illegal index is undefined behaviour (asserted in builds without NDEBUG)
};

// Indices with a policy: a view of them, or for index_put a tuple of views.
template <index_policy Policy, class Indices>
struct indices_with_policy {
  Indices indices;
};

// Segments in the place of indices, by a view of their offsets; made by strew::segments (strew/operators/segments.hpp).
template <class Offsets>
struct segments_by {
  Offsets offsets;
};

// The result of normalize_axis and normalize_index for an axis or index that is not legal.
inline constexpr std::int64_t out_of_bounds = -1;

// The axis in [0, rank - 1] for `axis` in [-rank, rank - 1], a negative one counting from the end; out_of_bounds for
// any other. O(1).
template <index_integer Axis>
STREW_KEYED [[nodiscard]] constexpr std::int64_t normalize_axis(Axis axis, int rank) noexcept {
  const std::int64_t value = saturate(axis);
  const std::int64_t counted = value < 0 ? value + rank : value;
  return counted >= 0 && counted < rank ? counted : out_of_bounds;
}

// The element in [0, extent - 1] that `index` selects under `rule`, or out_of_bounds. Values are compared in the full
// range of Index: none wraps, overflows or is truncated. extent >= 0. O(1).
template <index_integer Index>
STREW_KEYED [[nodiscard]] constexpr std::int64_t normalize_index(Index index, std::int64_t extent,
                                                                 index_rule rule) noexcept {
  const std::int64_t value = saturate(index);  // an extent never exceeds 2^63 - 1, so 2^63 - 1 is outside every axis
  if (value >= extent) return out_of_bounds;
  if (value >= 0) return value;
  if (rule == index_rule::strict || value < -extent) return out_of_bounds;
  return value + extent;
}

namespace detail::inline STREW_CODE {

// The element that a legal index selects.
template <class Index>
constexpr std::int64_t element_of(Index index, std::int64_t extent) noexcept {
  const auto value = static_cast<std::int64_t>(index);
  if constexpr (std::is_signed_v<Index>) {
    return value < 0 ? value + extent : value;
  } else {
    return value;
  }
}

// Checks that the list has `length` entries; `reason` is the text that explains this length.
constexpr bool check_length(const char* operation, const char* operand, const index_list& list, int length,
                            status& error, const char* reason = "") noexcept {
  if (!check_capacity(operation, operand, list, error)) return false;
  if (list.size() != length) {
    return refuse(error, errc::count_mismatch, operation, operand, " has length {0}, expected {1}{o}",
                  {list.size(), length}, {}, reason);
  }
  return true;
}

// The argument that is an axis. `position` is its position in a list of axes, empty if it is a single one.
struct named_axis {
  const char* operation;
  const char* operand;
  const index_list& position;
};
// The tensor with this axis, and its rank.
struct axis_owner {
  const char* name;
  int rank;
};

// Checks an axis and normalises it.
constexpr bool check_axis(const named_axis& from, std::int64_t axis, const axis_owner& owner, int& result,
                          status& error) noexcept {
  const int rank = owner.rank;
  const std::int64_t normalised = normalize_axis(axis, rank);
  if (normalised == out_of_bounds) {
    return refuse(
        error, errc::axis_out_of_range, from.operation, from.operand,
        rank == 0 ? "{a} = {0} names no axis ({o} has rank 0)" : "{a} = {0} is outside [{1}, {2}] ({o} has rank {3})",
        {axis, -rank, rank - 1, rank}, from.position, owner.name);
  }
  result = static_cast<int>(normalised);
  return true;
}

// Checks the axis of an operator with one axis, an integer or a list of one.
constexpr bool check_single_axis(const char* operation, const index_list& axis, int rank, int& result,
                                 status& error) noexcept {
  return check_length(operation, "axis", axis, 1, error) &&
         (check_axis({operation, "axis", {}}, axis[0], {"data", rank}, result, error) ||
          refuse_as_given(error, axis, 0));
}

// The axes of a list, checked one after the other; each may occur once.
class axis_set {
 public:
  constexpr bool insert(const char* operation, int position, std::int64_t axis, const axis_owner& owner, int& result,
                        status& error) noexcept {
    if (!check_axis({operation, "axes", position}, axis, owner, result, error)) return false;
    const std::uint64_t bit = std::uint64_t{1} << result;
    if ((axes_ & bit) != 0) {
      return refuse(error, errc::repeated_axis, operation, "axes", "{c} = {0} names axis {1} a second time",
                    {axis, result}, position);
    }
    axes_ |= bit;
    return true;
  }

 private:
  std::uint64_t axes_ = 0;  // one bit per axis; max_rank is at most 64
};

}  // namespace detail
}  // namespace strew

#endif  // STREW_VIEW_INDEX_HPP
