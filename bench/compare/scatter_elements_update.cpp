// SPDX-License-Identifier: Apache-2.0
#include "prepare.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compare::STREW_COMPARE_VERSION {

std::size_t workspace_bytes(const std::vector<std::int64_t>& extents, std::int64_t axis) {
  return library::scatter_elements_update_workspace(extents, axis);
}

template call prepare<operators::scatter_elements_update>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<std::int16_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<double, std::int64_t>&, means);

}  // namespace compare::STREW_COMPARE_VERSION
