// SPDX-License-Identifier: Apache-2.0
// v12::scatter_elements_update, onnx::scatter_elements, scatter_reduce.
#include "scatter_by.hpp"

namespace strew::inline STREW_ABI::erased {

template void scatter_by<family_of(detail::addressing::elements, combining::reduces)>(const request& given,
                                                                                      const executor_ref& ex,
                                                                                      status& error);

}  // namespace strew::erased
