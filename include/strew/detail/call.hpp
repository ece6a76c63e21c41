// SPDX-License-Identifier: Apache-2.0
// A call whose types are forgotten: what passes from the typed front to the back end, and into the compiled library.
#ifndef STREW_DETAIL_CALL_HPP
#define STREW_DETAIL_CALL_HPP

#include <strew/config.hpp>
#include <strew/layout.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

// The integer types that an index may have, for calls that know it at run time only.
enum class index_type : unsigned char { int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

namespace detail::inline STREW_CODE {

template <class Index>
inline constexpr index_type index_type_of = std::is_signed_v<Index> ? (sizeof(Index) == 1   ? index_type::int8
                                                                       : sizeof(Index) == 2 ? index_type::int16
                                                                       : sizeof(Index) == 4 ? index_type::int32
                                                                                            : index_type::int64)
                                                                    : (sizeof(Index) == 1   ? index_type::uint8
                                                                       : sizeof(Index) == 2 ? index_type::uint16
                                                                       : sizeof(Index) == 4 ? index_type::uint32
                                                                                            : index_type::uint64);

}  // namespace detail

namespace erased {

// `data` is the address of the element at coordinate 0; layouts count in elements. Addresses need no alignment.
struct const_operand {
  const char* data;
  const strided_layout* layout;
};
struct index_operand {
  const char* data = nullptr;
  const strided_layout* layout = nullptr;
  index_type type = index_type::int64;
};
struct output_operand {
  char* data;
  const strided_layout* layout;
};

// data, updates and output hold elements of element_size bytes each.
struct call {
  const_operand data;
  index_operand indices;
  const_operand updates;
  output_operand output;
  std::int64_t element_size;
};

}  // namespace erased
}  // namespace strew

#endif  // STREW_DETAIL_CALL_HPP
