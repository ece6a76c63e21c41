// SPDX-License-Identifier: Apache-2.0
// The names of the codes of errors.
#ifndef STREW_TESTS_SUPPORT_ERRC_NAMES_HPP
#define STREW_TESTS_SUPPORT_ERRC_NAMES_HPP

#include <strew/status.hpp>

namespace strew::test {

// Of calls without MPI. tests/mpi has those of distributed tensors.
inline constexpr errc last_code = errc::value_out_of_range;

// A switch without a default, so that a new enumerator does not compile before it has its name here.
constexpr const char* name_of(errc code) noexcept {
  switch (code) {
    case errc::ok:
      return "ok";
    case errc::too_many_axes:
      return "too_many_axes";
    case errc::negative_extent:
      return "negative_extent";
    case errc::size_overflow:
      return "size_overflow";
    case errc::null_data:
      return "null_data";
    case errc::rank_mismatch:
      return "rank_mismatch";
    case errc::extent_mismatch:
      return "extent_mismatch";
    case errc::count_mismatch:
      return "count_mismatch";
    case errc::axis_out_of_range:
      return "axis_out_of_range";
    case errc::repeated_axis:
      return "repeated_axis";
    case errc::zero_step:
      return "zero_step";
    case errc::index_out_of_bounds:
      return "index_out_of_bounds";
    case errc::repeated_element:
      return "repeated_element";
    case errc::overlap:
      return "overlap";
    case errc::type_mismatch:
      return "type_mismatch";
    case errc::misaligned_stride:
      return "misaligned_stride";
    case errc::too_little_memory:
      return "too_little_memory";
    case errc::too_few_elements:
      return "too_few_elements";
    case errc::unsupported_reduction:
      return "unsupported_reduction";
    case errc::unreachable_memory:
      return "unreachable_memory";
    case errc::value_out_of_range:
      return "value_out_of_range";
    case errc::unsupported_distribution:
      return "unsupported_distribution";
    case errc::mismatched_calls:
      return "mismatched_calls";
    case errc::communication:
      return "communication";
  }
  return "";
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_ERRC_NAMES_HPP
