// SPDX-License-Identifier: Apache-2.0
// v15::scatter_nd_update, onnx::scatter_nd.
#include "scatter_by.hpp"

namespace strew::inline STREW_ABI::erased {

template void scatter_by<family_of(detail::addressing::multi_indices, combining::reduces)>(const request& given,
                                                                                           const executor_ref& ex,
                                                                                           status& error);

}  // namespace strew::erased
