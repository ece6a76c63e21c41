// SPDX-License-Identifier: Apache-2.0
// The calls of the four basic scatters that cases of both versions make.
#include "prepare.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compare::STREW_COMPARE_VERSION {

namespace {

// Commits from before there was workspace_bytes have a function of the operator. Either is found by its arguments.
template <class List>
std::size_t bytes_asked(const List& extents, const List& replaced, std::int64_t axis) {
  if constexpr (requires { workspace_bytes<float>(library::scatter_elements_update, extents, replaced, axis); }) {
    return workspace_bytes<float>(library::scatter_elements_update, extents, replaced, axis);
  } else {
    return scatter_elements_update_workspace<float>(extents, replaced, axis);
  }
}

}  // namespace

std::size_t workspace_bytes(const std::vector<std::int64_t>& extents, std::int64_t axis) {
  std::vector<std::int64_t> replaced = extents;
  replaced[static_cast<std::size_t>(axis)] /= 2;
  return bytes_asked<library::index_list>(extents, replaced, axis);
}

template call prepare<operators::slice_scatter>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<std::int16_t, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<double, std::int64_t>&, means);

template call prepare<operators::scatter_update>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::scatter_update>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::scatter_update>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::scatter_update>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::scatter_update>(const arguments<float, std::uint64_t>&, means);
template call prepare<operators::scatter_update>(const arguments<double, std::int64_t>&, means);

template call prepare<operators::scatter_elements_update>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<std::int16_t, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<float, std::uint64_t>&, means);
template call prepare<operators::scatter_elements_update>(const arguments<double, std::int64_t>&, means);

template call prepare<operators::onnx_scatter>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::uint64_t>&, means);

}  // namespace compare::STREW_COMPARE_VERSION
