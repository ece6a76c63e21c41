// SPDX-License-Identifier: Apache-2.0
// The types of the oracles, which elements have whose type is known at run time only.
#ifndef STREW_TESTS_SUPPORT_WITH_ORACLE_TYPE_HPP
#define STREW_TESTS_SUPPORT_WITH_ORACLE_TYPE_HPP

#include "reduction_oracle.hpp"

#include <strew/dynamic/dynamic_tensor.hpp>

#include <complex>
#include <cstdint>

namespace strew::test {

// Calls body.operator()<T>() with the type of the oracle for a kind and a size.
template <class Body>
auto with_oracle_type(const dynamic::element_type& type, const Body& body) {
  switch (type.kind) {
    case dynamic::element_kind::boolean:
      return body.template operator()<bool>();
    case dynamic::element_kind::signed_integer:
      if (type.size == 1) return body.template operator()<std::int8_t>();
      if (type.size == 2) return body.template operator()<std::int16_t>();
      if (type.size == 4) return body.template operator()<std::int32_t>();
      return body.template operator()<std::int64_t>();
    case dynamic::element_kind::unsigned_integer:
      if (type.size == 1) return body.template operator()<std::uint8_t>();
      if (type.size == 2) return body.template operator()<std::uint16_t>();
      if (type.size == 4) return body.template operator()<std::uint32_t>();
      return body.template operator()<std::uint64_t>();
    case dynamic::element_kind::floating_point:
#if STREW_HAS_FLOAT16
      if (type.size == 2) return body.template operator()<_Float16>();
#endif
      if (type.size == 4) return body.template operator()<float>();
      return body.template operator()<double>();
    case dynamic::element_kind::brain_float:
      return body.template operator()<bfloat16>();
    case dynamic::element_kind::complex:
      if (type.size == 8) return body.template operator()<std::complex<float>>();
      return body.template operator()<std::complex<double>>();
    default:
      return body.template operator()<std::uint8_t>();
  }
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_WITH_ORACLE_TYPE_HPP
