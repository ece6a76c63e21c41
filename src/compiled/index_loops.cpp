// SPDX-License-Identifier: Apache-2.0
// The loops for indices.
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/kernels/index_loops.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::erased {

// In the order of index_rule and of index_type.
const detail::index_loops* const loops_for_indices[2][8] = {
    {&detail::index_loops_of<std::int8_t, index_rule::strict>,
     &detail::index_loops_of<std::int16_t, index_rule::strict>,
     &detail::index_loops_of<std::int32_t, index_rule::strict>,
     &detail::index_loops_of<std::int64_t, index_rule::strict>,
     &detail::index_loops_of<std::uint8_t, index_rule::strict>,
     &detail::index_loops_of<std::uint16_t, index_rule::strict>,
     &detail::index_loops_of<std::uint32_t, index_rule::strict>,
     &detail::index_loops_of<std::uint64_t, index_rule::strict>},
    {&detail::index_loops_of<std::int8_t, index_rule::wrapping>,
     &detail::index_loops_of<std::int16_t, index_rule::wrapping>,
     &detail::index_loops_of<std::int32_t, index_rule::wrapping>,
     &detail::index_loops_of<std::int64_t, index_rule::wrapping>,
     &detail::index_loops_of<std::uint8_t, index_rule::wrapping>,
     &detail::index_loops_of<std::uint16_t, index_rule::wrapping>,
     &detail::index_loops_of<std::uint32_t, index_rule::wrapping>,
     &detail::index_loops_of<std::uint64_t, index_rule::wrapping>}};

}  // namespace strew::erased
