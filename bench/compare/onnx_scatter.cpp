// SPDX-License-Identifier: Apache-2.0
#include "prepare.hpp"

#include <cstdint>

namespace compare::STREW_COMPARE_VERSION {

template call prepare<operators::onnx_scatter>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::int32_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::uint8_t>&, means);
template call prepare<operators::onnx_scatter>(const arguments<float, std::uint64_t>&, means);

}  // namespace compare::STREW_COMPARE_VERSION
