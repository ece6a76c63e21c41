// SPDX-License-Identifier: Apache-2.0
#include "prepare.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compare::STREW_COMPARE_VERSION {

std::size_t workspace_bytes(const std::vector<std::int64_t>& extents, std::int64_t axis) {
#ifdef STREW_BUCKET_FROM
  std::vector<std::int64_t> replaced = extents;
  replaced[static_cast<std::size_t>(axis)] /= 2;
  return library::scatter_elements_update_workspace<float>(extents, replaced, axis);
#else  // the old headers
  return library::scatter_elements_update_workspace(extents, axis);
#endif
}

template call prepare<operators::scatter_elements_update>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<std::int16_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<double, std::int64_t>&, means);

}  // namespace compare::STREW_COMPARE_VERSION
