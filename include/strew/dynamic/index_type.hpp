// SPDX-License-Identifier: Apache-2.0
// Index types that are known at run time only.
#ifndef STREW_DYNAMIC_INDEX_TYPE_HPP
#define STREW_DYNAMIC_INDEX_TYPE_HPP

#include <strew/config.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

// The integer types of indices, for tensors whose index type is known at run time only.
enum class index_type : unsigned char { int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

// That of a C++ type.
template <index_integer Index>
inline constexpr index_type index_type_of = std::is_signed_v<Index> ? (sizeof(Index) == 1   ? index_type::int8
                                                                       : sizeof(Index) == 2 ? index_type::int16
                                                                       : sizeof(Index) == 4 ? index_type::int32
                                                                                            : index_type::int64)
                                                                    : (sizeof(Index) == 1   ? index_type::uint8
                                                                       : sizeof(Index) == 2 ? index_type::uint16
                                                                       : sizeof(Index) == 4 ? index_type::uint32
                                                                                            : index_type::uint64);

namespace dynamic {

// The size of an index in bytes.
STREW_KEYED constexpr std::int64_t size_of(index_type type) noexcept {
  switch (type) {
    case index_type::int8:
    case index_type::uint8:
      return 1;
    case index_type::int16:
    case index_type::uint16:
      return 2;
    case index_type::int32:
    case index_type::uint32:
      return 4;
    default:
      return 8;
  }
}

}  // namespace dynamic
}  // namespace strew

#endif  // STREW_DYNAMIC_INDEX_TYPE_HPP
