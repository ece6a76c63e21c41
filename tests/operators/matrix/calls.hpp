// SPDX-License-Identifier: Apache-2.0
// The calls of each row of the list, on tensors of types that are known when they are compiled: what stands between the
// executor and the output, what a prepared call has beside its tensors, and what its extents follow from.
#ifndef STREW_TESTS_OPERATORS_MATRIX_CALLS_HPP
#define STREW_TESTS_OPERATORS_MATRIX_CALLS_HPP

#include "list.hpp"
#include "support/scatter_case.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::test::matrix {

// What all rows say. `Throwing` and `Attempted` are the operator's objects.
template <const auto& Throwing, const auto& Attempted, operation DrawnAs, combining How = combining::none>
struct calls {
  static constexpr operation drawn_as = DrawnAs;  // whose cases are the operator's
  static constexpr combining how = How;
  static constexpr const auto& throwing = Throwing;

  template <class... Arguments>
  static void call(Arguments&&... arguments) {
    Throwing(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static status attempt(Arguments&&... arguments) {
    return Attempted(std::forward<Arguments>(arguments)...);
  }
};

// Each row has
//
//   arguments(on, data, indices, updates, reduce, body)   calls body with what a call has but executor and output
//   rest(on, value, reduce, body)                         with what it has beside its tensors
//   extents(on, body)                                     with what the extents of updates follow from
//   memory(on, body)                                      with what the bytes of a workspace follow from
//
// `indices` are a mask or a tuple, too. `reduce` is the reduction or what says that there is none.
struct unnamed {};

// Calls body(arguments.., reduce), or without the reduction.
template <class Body, class R, class... Arguments>
auto with_reduction(const Body& body, const R& reduce, const Arguments&... arguments) {
  if constexpr (std::is_same_v<R, unnamed>) {
    static_cast<void>(reduce);
    return body(arguments...);
  } else {
    return body(arguments..., reduce);
  }
}
inline index_list extents_of_indices(const scatter_case& on) {
  return on.indices.empty() ? index_list() : index_list(on.indices[0].extents());
}
inline index_list extents_of_data(const scatter_case& on) {
  return on.data->extents();
}

struct axis_last {
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto& indices, const auto& updates,
                        const R& reduce, const Body& body) {
    return with_reduction(body, reduce, data, indices, updates, on.axis);
  }
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto&, const R& reduce, const Body& body) {
    return with_reduction(body, reduce, on.axis);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), extents_of_indices(on), on.axis);
  }
  template <class Body>
  static auto memory(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), extents_of_indices(on), on.axis);
  }
};

struct axis_first : axis_last {
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto& indices, const auto& updates,
                        const R& reduce, const Body& body) {
    return with_reduction(body, reduce, data, on.axis, indices, updates);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), on.axis, extents_of_indices(on));
  }
};

struct fills_rows : axis_first {
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto& value, const R&, const Body& body) {
    return body(on.axis, value);
  }
};

// Tuples, and row-major numbers.
struct no_axis {
  template <class R, class Body>
  static auto arguments(const scatter_case&, const auto& data, const auto& indices, const auto& updates,
                        const R& reduce, const Body& body) {
    return with_reduction(body, reduce, data, indices, updates);
  }
  template <class R, class Body>
  static auto rest(const scatter_case&, const auto&, const R& reduce, const Body& body) {
    return with_reduction(body, reduce);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), extents_of_indices(on));
  }
  template <class Body>
  static auto memory(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), extents_of_indices(on));
  }
};

struct several_tensors : no_axis {
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), extents_of_indices(on), static_cast<std::int64_t>(on.indices.size()));
  }
  template <class Body>
  static auto memory(const scatter_case& on, const Body& body) {
    return extents(on, body);
  }
};

struct no_memory {
  template <class Body>
  static auto memory(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on));
  }
};

struct masks : no_memory {
  template <class R, class Body>
  static auto arguments(const scatter_case&, const auto& data, const auto& mask, const auto& updates, const R&,
                        const Body& body) {
    return body(data, mask, updates);
  }
  template <class R, class Body>
  static auto rest(const scatter_case&, const auto&, const R&, const Body& body) {
    return body();
  }
};
struct fills_masks : masks {
  template <class R, class Body>
  static auto rest(const scatter_case&, const auto& value, const R&, const Body& body) {
    return body(value);
  }
};

struct slices : no_memory {
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto&, const auto& updates, const R&,
                        const Body& body) {
    return body(data, updates, on.slice);
  }
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto&, const R&, const Body& body) {
    return body(on.slice);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), on.slice);
  }
};

struct selects : no_memory {
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto&, const auto& updates, const R&,
                        const Body& body) {
    return body(data, updates, on.axis, on.number);
  }
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto&, const R&, const Body& body) {
    return body(on.axis, on.number);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), on.axis);
  }
};

struct diagonals : no_memory {
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto&, const auto& updates, const R&,
                        const Body& body) {
    return body(data, updates, on.number, on.axis, on.second_axis);
  }
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto&, const R&, const Body& body) {
    return body(on.number, on.axis, on.second_axis);
  }
  template <class Body>
  static auto extents(const scatter_case& on, const Body& body) {
    return body(extents_of_data(on), on.number, on.axis, on.second_axis);
  }
};

struct caches : no_memory {
  static onnx::tensor_scatter_options options(const scatter_case& on) {
    onnx::tensor_scatter_options result;
    result.mode = on.is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear;
    result.axis = on.axis;
    return result;
  }
  template <class R, class Body>
  static auto arguments(const scatter_case& on, const auto& data, const auto& starts, const auto& updates, const R&,
                        const Body& body) {
    return body(data, updates, starts, options(on));
  }
  template <class R, class Body>
  static auto rest(const scatter_case& on, const auto&, const R&, const Body& body) {
    return body(options(on));
  }
};

// The rows in the order of the list.
using all_calls =
    std::tuple<struct slice_scatter_calls, struct select_scatter_calls, struct diagonal_scatter_calls,
               struct scatter_update_calls, struct index_copy_calls, struct index_add_calls, struct index_reduce_calls,
               struct index_fill_calls, struct scatter_elements_update_calls, struct v12_scatter_elements_update_calls,
               struct onnx_scatter_calls, struct onnx_scatter_elements_calls, struct scatter_calls,
               struct scatter_add_calls, struct scatter_reduce_calls, struct put_along_axis_calls,
               struct v3_scatter_nd_update_calls, struct v14_scatter_nd_update_calls,
               struct v15_scatter_nd_update_calls, struct onnx_scatter_nd_calls, struct index_put_calls,
               struct put_calls, struct masked_scatter_calls, struct masked_fill_calls, struct tensor_scatter_calls>;
static_assert(std::tuple_size_v<all_calls> == std::size(operators), "the list has a row for each operator's calls");

struct slice_scatter_calls : slices, calls<slice_scatter, try_slice_scatter, operation::slice_scatter> {};
struct select_scatter_calls : selects, calls<select_scatter, try_select_scatter, operation::select_scatter> {};
struct diagonal_scatter_calls : diagonals,
                                calls<diagonal_scatter, try_diagonal_scatter, operation::diagonal_scatter> {};
struct scatter_update_calls : axis_last, calls<scatter_update, try_scatter_update, operation::scatter_update> {};
struct index_copy_calls : axis_first, calls<index_copy, try_index_copy, operation::index_copy> {};
struct index_add_calls : axis_first, calls<index_add, try_index_add, operation::index_add, combining::sums> {};
struct index_reduce_calls : axis_first,
                            calls<index_reduce, try_index_reduce, operation::index_reduce, combining::named> {};
struct index_fill_calls : fills_rows, calls<index_fill, try_index_fill, operation::index_fill> {};
struct scatter_elements_update_calls
    : axis_last,
      calls<scatter_elements_update, try_scatter_elements_update, operation::scatter_elements_update> {};
struct v12_scatter_elements_update_calls : axis_last,
                                           calls<v12::scatter_elements_update, v12::try_scatter_elements_update,
                                                 operation::v12_scatter_elements_update, combining::named> {};
struct onnx_scatter_calls : axis_last, calls<onnx::scatter, onnx::try_scatter, operation::onnx_scatter> {};
struct onnx_scatter_elements_calls
    : axis_last,
      calls<onnx::scatter_elements, onnx::try_scatter_elements, operation::onnx_scatter_elements, combining::named> {};
struct scatter_calls : axis_first, calls<scatter, try_scatter, operation::scatter> {};
struct scatter_add_calls : axis_first, calls<scatter_add, try_scatter_add, operation::scatter_add, combining::sums> {};
struct scatter_reduce_calls : axis_first,
                              calls<scatter_reduce, try_scatter_reduce, operation::scatter_reduce, combining::named> {};
struct put_along_axis_calls : axis_last, calls<put_along_axis, try_put_along_axis, operation::put_along_axis> {};
struct v3_scatter_nd_update_calls
    : no_axis,
      calls<v3::scatter_nd_update, v3::try_scatter_nd_update, operation::v3_scatter_nd_update> {};
struct v14_scatter_nd_update_calls
    : no_axis,
      calls<v14::scatter_nd_update, v14::try_scatter_nd_update, operation::v15_scatter_nd_update, combining::named> {};
struct v15_scatter_nd_update_calls
    : no_axis,
      calls<v15::scatter_nd_update, v15::try_scatter_nd_update, operation::v15_scatter_nd_update, combining::named> {};
struct onnx_scatter_nd_calls
    : no_axis,
      calls<onnx::scatter_nd, onnx::try_scatter_nd, operation::onnx_scatter_nd, combining::named> {};
struct index_put_calls : several_tensors, calls<index_put, try_index_put, operation::index_put, combining::named> {};
struct put_calls : no_axis, calls<put, try_put, operation::put, combining::named> {};
struct masked_scatter_calls : masks, calls<masked_scatter, try_masked_scatter, operation::masked_scatter> {};
struct masked_fill_calls : fills_masks, calls<masked_fill, try_masked_fill, operation::masked_fill> {};
struct tensor_scatter_calls : caches,
                              calls<onnx::tensor_scatter, onnx::try_tensor_scatter, operation::tensor_scatter> {};

// Which reductions a call may name, as docs/operators.md says.
constexpr bool offers(operation which, reduction_kind kind, bool include_init) {
  using enum reduction_kind;
  switch (which) {
    case operation::index_reduce:
    case operation::scatter_reduce:
      return kind != sub && kind != none;
    case operation::v12_scatter_elements_update:
      return kind != sub;
    case operation::v15_scatter_nd_update:
      return kind != mean && include_init;
    case operation::index_put:
    case operation::put:
      return (kind == none || kind == sum) && include_init;
    default:
      return kind != sub && kind != mean && include_init;
  }
}

}  // namespace strew::test::matrix

#endif  // STREW_TESTS_OPERATORS_MATRIX_CALLS_HPP
