// SPDX-License-Identifier: Apache-2.0
// The two versions of the headers. Each has its own translation units, one an operator, which are compiled alike.
#ifndef STREW_COMPARE_VERSIONS_HPP
#define STREW_COMPARE_VERSIONS_HPP

#include "arguments.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace compare {

using call = std::function<void()>;

// prepare: the views and executors of one call are made before it is timed, as in a program that calls again and again.
// workspace_bytes: what the scatters of elements ask for.
namespace old_headers {
template <operators Op, class T, class I>
call prepare(const arguments<T, I>& a, means how);
std::size_t workspace_bytes(const std::vector<std::int64_t>& extents, std::int64_t axis);
}  // namespace old_headers

namespace new_headers {
template <operators Op, class T, class I>
call prepare(const arguments<T, I>& a, means how);
std::size_t workspace_bytes(const std::vector<std::int64_t>& extents, std::int64_t axis);
}  // namespace new_headers

}  // namespace compare

#endif  // STREW_COMPARE_VERSIONS_HPP
