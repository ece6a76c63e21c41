// SPDX-License-Identifier: Apache-2.0
// The C++ types of number elements, for reductions whose element type is known at run time only.
#ifndef STREW_DETAIL_NUMBER_TYPES_HPP
#define STREW_DETAIL_NUMBER_TYPES_HPP

#include <strew/config.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/dynamic/float16.hpp>

#include <complex>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Calls body.operator()<T>() with the C++ type of an element type. Returns false if it has none.
template <class Body>
constexpr bool with_element_type(dynamic::element_type type, const Body& body) {
  switch (type.kind) {
    case dynamic::element_kind::boolean:
      if (type.size == 1) return body.template operator()<bool>();
      return false;
    case dynamic::element_kind::signed_integer:
      if (type.size == 1) return body.template operator()<std::int8_t>();
      if (type.size == 2) return body.template operator()<std::int16_t>();
      if (type.size == 4) return body.template operator()<std::int32_t>();
      if (type.size == 8) return body.template operator()<std::int64_t>();
      return false;
    case dynamic::element_kind::unsigned_integer:
      if (type.size == 1) return body.template operator()<std::uint8_t>();
      if (type.size == 2) return body.template operator()<std::uint16_t>();
      if (type.size == 4) return body.template operator()<std::uint32_t>();
      if (type.size == 8) return body.template operator()<std::uint64_t>();
      return false;
    case dynamic::element_kind::floating_point:
      if (type.size == 2) return body.template operator()<dynamic::float16>();
      if (type.size == 4) return body.template operator()<float>();
      if (type.size == 8) return body.template operator()<double>();
      return false;
    case dynamic::element_kind::brain_float:
      if (type.size == 2) return body.template operator()<dynamic::bfloat16>();
      return false;
    case dynamic::element_kind::complex:
      if (type.size == 8) return body.template operator()<std::complex<float>>();
      if (type.size == 16) return body.template operator()<std::complex<double>>();
      return false;
    default:
      return false;
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_NUMBER_TYPES_HPP
