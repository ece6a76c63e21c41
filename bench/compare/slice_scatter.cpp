// SPDX-License-Identifier: Apache-2.0
#include "prepare.hpp"

#include <cstdint>

namespace compare::STREW_COMPARE_VERSION {

template call prepare<operators::slice_scatter>(const arguments<std::int8_t, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<std::int16_t, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<float, std::int64_t>&, means);
template call prepare<operators::slice_scatter>(const arguments<double, std::int64_t>&, means);

}  // namespace compare::STREW_COMPARE_VERSION
