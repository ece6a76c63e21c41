// SPDX-License-Identifier: Apache-2.0
// Calls with reductions, or by tuples of indices, of either version of the headers.
#ifndef STREW_COMPARE_REDUCTIONS_HPP
#define STREW_COMPARE_REDUCTIONS_HPP

#include "arguments.hpp"
#include "versions.hpp"

#include <cstdint>

namespace compare {

enum class reduction_call { index_copy, index_add, index_reduce_mean, elements_sum, scatter_nd, scatter_nd_max };

namespace old_headers {
call prepare_reduction(reduction_call which, const arguments<float, std::int64_t>& a, means how);
}
namespace new_headers {
call prepare_reduction(reduction_call which, const arguments<float, std::int64_t>& a, means how);
}

}  // namespace compare

#endif  // STREW_COMPARE_REDUCTIONS_HPP
