// SPDX-License-Identifier: Apache-2.0
// A type-erased call, which the typed front passes to the pipeline, and to the compiled library.
#ifndef STREW_DETAIL_RULES_REQUEST_HPP
#define STREW_DETAIL_RULES_REQUEST_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/dynamic/index_type.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

struct slice_spec;

namespace detail::inline STREW_CODE {

struct cache_spec;
struct conversion;
struct part_spec;
struct index_loops;
struct rare_index_forms;

}  // namespace detail

namespace erased {

// `data` is the address of the element at coordinate 0; layouts count in elements. Addresses need no alignment.
struct const_operand {
  const char* data;
  const strided_layout* layout;
};
struct output_operand {
  char* data;
  const strided_layout* layout;
};
// Indices with one layout: a tensor, or one component of multi-indices. Or a mask.
struct index_operand {
  const char* data;
  const strided_layout* layout;
  const detail::index_loops* loops;  // their type and the loops for them; the compiled library reads only the type
};

// A value of call_type::components for the compiled library: indices is one tensor, with the components of a
// multi-index along its last axis.
inline constexpr int multi_indices_in_one_tensor = -1;

// A named reduction of number elements, for loops that are chosen at run time.
struct reduction_choice {
  dynamic::element_kind of = dynamic::element_kind::opaque;
  reduction_kind kind = reduction_kind::none;
  bool include_init : 1 = true;
  bool is_offered : 1 = true;  // whether the operator has it
  bool skips_nan : 1 = false;  // of elements that may be NaN
};

// The properties of a call that are not operands; a constant for most calls.
struct call_type {
  const detail::operation_rules& rules;
  std::int64_t element_size;  // bytes of an element of data and output
  std::int64_t updates_size;  // and of updates
  index_policy policy = index_policy::error;
  bool repeats = false;  // updates are one element, of rank 0, for all targets; in the compiled library only
  const detail::rare_index_forms* rare = nullptr;  // for policies other than error, and for row-major numbers
  int components = 1;                              // the number of indices that address a target together
  reduction_choice named = {};
  bool has_numbers = false;                      // `reduce` is the numbers_operand of a call that stores positions
  const void* reduce = nullptr;                  // a callable of the caller as reduction; for a sum, the factor
  const detail::conversion* converts = nullptr;  // how updates of another element type become elements
};

// A call: a plain value that refers to its operands.
struct request {
  const call_type& type;
  const_operand data;
  const_operand updates;
  output_operand output;
  // How targets are addressed: by a slice or another part; by a mask; or by indices, of rows and elements on an axis,
  // or of the positions of a cache. Null if not used.
  const index_operand* indices = nullptr;
  union {
    const index_list* axis = nullptr;
    const slice_spec* slice;
    const detail::cache_spec* cache;
    const detail::part_spec* part;
  };

  // Whether data begins where the output does: for a legal call, whether it is in place.
  [[nodiscard]] constexpr bool is_in_place() const noexcept { return data.data == output.data; }
};

}  // namespace erased
}  // namespace strew

#endif  // STREW_DETAIL_RULES_REQUEST_HPP
