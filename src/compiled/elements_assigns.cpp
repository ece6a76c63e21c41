// SPDX-License-Identifier: Apache-2.0
// scatter_elements_update, onnx::scatter, scatter, put_along_axis.
#include "scatter_by.hpp"

namespace strew::inline STREW_ABI::erased {

template void scatter_by<family_of(detail::addressing::elements, combining::assigns)>(const request& given,
                                                                                      const executor_ref& ex,
                                                                                      status& error);

}  // namespace strew::erased
