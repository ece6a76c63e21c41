// SPDX-License-Identifier: Apache-2.0
// put with a sum.
#include "scatter_by.hpp"

namespace strew::inline STREW_ABI::erased {

template void scatter_by<family_of(detail::addressing::numbers, combining::sums)>(const request& given,
                                                                                  const executor_ref& ex,
                                                                                  status& error);

}  // namespace strew::erased
