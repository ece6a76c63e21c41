// SPDX-License-Identifier: Apache-2.0
// scatter_update, index_copy, index_fill.
#include "scatter_by.hpp"

namespace strew::inline STREW_ABI::erased {

template void scatter_by<family_of(detail::addressing::rows, combining::assigns)>(const request& given,
                                                                                  const executor_ref& ex,
                                                                                  status& error);

}  // namespace strew::erased
