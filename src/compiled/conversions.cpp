// SPDX-License-Identifier: Apache-2.0
// How updates of one element type become elements of another.
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/conversion.hpp>
#include <strew/dynamic/element_type.hpp>

namespace strew::inline STREW_ABI::erased {

const detail::conversion* find_conversion(dynamic::element_type to, dynamic::element_type from) noexcept {
  return detail::choose_conversion(to, from);
}

}  // namespace strew::erased
