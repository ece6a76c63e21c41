// SPDX-License-Identifier: Apache-2.0
// Forward declarations of the public types. Use this header instead of declaring them yourself: they are in an inline
// namespace whose name contains the version and the largest rank.
#ifndef STREW_FWD_HPP
#define STREW_FWD_HPP

#include <strew/config.hpp>
#include <strew/view/element.hpp>

namespace strew::inline STREW_ABI {

class error_message;
class index_list;
class scatter_error;
class status;
class strided_layout;
class task;
class thread_pool;
struct executor_ref;
struct serial_executor;
struct slice_range;
struct slice_spec;

enum class errc : unsigned char;
enum class index_rule : unsigned char;
enum class index_type : unsigned char;

template <element T>
class tensor_view;
template <class Ex>
struct executor_traits;

namespace dynamic {

enum class element_kind : unsigned char;
struct element_type;
template <class Pointer>
class basic_tensor;
using tensor = basic_tensor<void*>;
using const_tensor = basic_tensor<const void*>;
class index_tensor;

}  // namespace dynamic
}  // namespace strew

#endif  // STREW_FWD_HPP
