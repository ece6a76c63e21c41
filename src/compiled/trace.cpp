// SPDX-License-Identifier: Apache-2.0
// Whether calls of the library are traced: the one state of strew, and constant.
#include <strew/detail/kernel_notes.hpp>

#if STREW_BUILDS_LIBRARY

#include <cstdlib>
#include <cstring>

namespace strew::inline STREW_ABI::erased {

bool is_traced_by_environment() noexcept {
  static const bool is_traced = [] {
    const char* const value = std::getenv("STREW_TRACE");
    return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
  }();
  return is_traced;
}

}  // namespace strew::erased

#endif
