// SPDX-License-Identifier: Apache-2.0
// The choice of loops at run time, by element size and index type: for the compiled library and for tensors whose
// types are known at run time only.
#ifndef STREW_DETAIL_KERNELS_DISPATCH_HPP
#define STREW_DETAIL_KERNELS_DISPATCH_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/cache_copies.hpp>
#include <strew/detail/kernels/converted_copies.hpp>
#include <strew/detail/kernels/converted_loops.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/masked_kernels.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/plain_kernels.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/segment_kernels.hpp>
#include <strew/detail/kernels/segment_loops.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/dynamic/index_type.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline const copy_loops* find_copy_loops(std::int64_t size) noexcept {
  return with_width(size, [](auto width) { return &copy_loops_of<width()>; });
}

template <index_rule Rule>
const index_loops* find_index_loops(index_type type) noexcept {
  switch (type) {
    case index_type::int8:
      return &index_loops_of<std::int8_t, Rule>;
    case index_type::int16:
      return &index_loops_of<std::int16_t, Rule>;
    case index_type::int32:
      return &index_loops_of<std::int32_t, Rule>;
    case index_type::int64:
      return &index_loops_of<std::int64_t, Rule>;
    case index_type::uint8:
      return &index_loops_of<std::uint8_t, Rule>;
    case index_type::uint16:
      return &index_loops_of<std::uint16_t, Rule>;
    case index_type::uint32:
      return &index_loops_of<std::uint32_t, Rule>;
    case index_type::uint64:
      break;
  }
  STREW_ASSERT(type == index_type::uint64);
  return &index_loops_of<std::uint64_t, Rule>;
}

// The loops of a plain scatter whose indices are handled as integers of `loop_size` bytes.
template <addressing By, index_rule Rule, std::size_t Width, class Integer>
inline constexpr reachable_loops plain_loops_of{
    &copy_loops_of<Width>,
    &scatter_loops_of<Width, Integer,
                      scatter_features{By == addressing::rows ? scatter_kind::row : scatter_kind::element,
                                       Rule == index_rule::wrapping, true, false}>,
    &assign_loops_of<Width, std::int64_t, plain_features<false>>, validate<By>,
    By == addressing::rows ? &kernels_of_rows<true> : &kernels_of_elements<true>};
template <addressing By, index_rule Rule>
const reachable_loops& find_plain_loops(std::int64_t element_size, int loop_size) noexcept {
  return *with_width(element_size, [&](auto width) {
    return loop_size == 4 ? &plain_loops_of<By, Rule, width(), std::int32_t>
                          : &plain_loops_of<By, Rule, width(), std::int64_t>;
  });
}

// The loops of scatters by indices, by element type and reduction, and by width.
template <class Integer, scatter_features Reach>
struct loops_by_indices {
  using type = const reduce_loops*;
  template <class T, class R>
  static constexpr type reducing = &reduce_loops_of<T, R, Integer, Reach>;
  template <std::size_t Width>
  static constexpr type assigning = &assign_loops_of<Width, Integer, Reach>;
};
// Those of scatters by segments.
struct loops_by_segments {
  using type = segments_function;
  template <class T, class R>
  static constexpr type reducing = combine_segments<T, R>;
  template <std::size_t Width>
  static constexpr type assigning = assign_segments<Width>;
};

// The loops of reduction R, or null if the set or the element type T lacks it. By: one of these types.
template <class T, class R, reduction_set Set, class By>
constexpr typename By::type loops_of_reduction() noexcept {
  if constexpr (!Set.contains(R::kind) || (omits_init<R> && !Set.may_omit_init) || !can_reduce<T, R>()) {
    return nullptr;
  } else {
    return By::template reducing<T, R>;
  }
}
template <class T, class R, reduction_set Set, class By>
constexpr typename By::type loops_of_either(const erased::reduction_choice& named) noexcept {
  if constexpr (Set.may_skip_nan && has_nan<T>() && !skips_nan<R>) {
    if (named.skips_nan) return loops_of_either<T, reduction::without_nan_type<R>, Set, By>(named);
  }
  return named.include_init ? loops_of_reduction<T, R, Set, By>()
                            : loops_of_reduction<T, reduction::without_init_type<R>, Set, By>();
}
template <class T, reduction_set Set, class By>
constexpr typename By::type loops_of_kind(const erased::reduction_choice& named) noexcept {
  switch (named.kind) {
    case reduction_kind::none:
      break;
    case reduction_kind::sub:
      return named.include_init ? loops_of_reduction<T, reduction::sub_type, Set, By>() : nullptr;
    case reduction_kind::sum:
      return loops_of_either<T, reduction::sum_type, Set, By>(named);
    case reduction_kind::prod:
      return loops_of_either<T, reduction::prod_type, Set, By>(named);
    case reduction_kind::min:
      return loops_of_either<T, reduction::min_type, Set, By>(named);
    case reduction_kind::max:
      return loops_of_either<T, reduction::max_type, Set, By>(named);
    case reduction_kind::mean:
      return loops_of_either<T, reduction::mean_type, Set, By>(named);
  }
  return nullptr;
}

// The loops of a scatter that is not plain; null if the set or the element type lacks the reduction. Scaled: a sum may
// have a factor.
template <reduction_set Set, class By, bool Scaled>
typename By::type find_reduce_loops(const erased::call_type& call) noexcept {
  using enum reduction_kind;
  const erased::reduction_choice& named = call.named;
  dynamic::element_type type{named.of, call.element_size};
  if (named.kind == none) {
    if constexpr (!Set.contains(none)) return nullptr;
    return with_width(type.size, [](auto width) { return By::template assigning<width()>; });
  }
  // Signed and unsigned integers that wrap have the same bits.
  const bool is_modular = named.kind == sum || named.kind == sub || named.kind == prod;
  if (type.kind == dynamic::element_kind::signed_integer && is_modular) {
    type.kind = dynamic::element_kind::unsigned_integer;
  }
  typename By::type found = nullptr;
  with_element_type(type, [&]<class T>() {
    if constexpr (wrapping_integer<T> && std::is_signed_v<T>) {
      constexpr reduction_set rest{.has_none = false,
                                   .has_sum = false,
                                   .has_sub = false,
                                   .has_prod = false,
                                   .has_order = Set.has_order,
                                   .has_mean = Set.has_mean,
                                   .may_omit_init = Set.may_omit_init};
      found = loops_of_kind<T, rest, By>(named);
    } else {
      if constexpr (Scaled && Set.has_sum) {
        if (call.reduce != nullptr) {
          found = By::template reducing<T, scaled_sum<T>>;
          return true;
        }
      }
      found = loops_of_kind<T, Set, By>(named);
    }
    return true;
  });
  return found;
}

inline execution_context context_of(const executor_ref& ex) noexcept {
  return {ex, ex.run == nullptr ? nullptr : &hooks_of_executor};
}

// Sets the error that the operator or the element type lacks the reduction; returns false.
inline bool refuse_reduction(const erased::call_type& call, status& error) noexcept {
  const char* const text = call.named.is_offered     ? " {o} is not offered for the element type of data"
                           : call.named.skips_nan    ? " {o} without NaNs is not one of the operator's"
                           : call.named.include_init ? " {o} is not one of the operator's"
                                                     : " {o} without the elements of data is not one of the operator's";
  return refuse(error, errc::unsupported_reduction, call.rules.name, "reduction", text, {}, {},
                reduction::name_of(call.named.kind));
}

// ---- Requests whose loops are chosen at run time: for the compiled library, and for tensors whose types are known at
// run time only

// Converts: whether updates are of another element type.
template <bool Converts = false>
void dispatch_slices(const erased::request& request, const executor_ref& ex, status& error) {
  const copy_loops& loops = *find_copy_loops(request.type.element_size);
  if constexpr (Converts) {
    slice_converted(context_of(ex), request, loops, error);
  } else {
    run_slice_request(context_of(ex), request, {&loops}, error);
  }
}
template <bool Converts = false>
void dispatch_part(const erased::request& request, const executor_ref& ex, status& error) {
  const copy_loops& loops = *find_copy_loops(request.type.element_size);
  if constexpr (Converts) {
    part_converted(context_of(ex), request, loops, error);
  } else {
    run_part(context_of(ex), request, loops, error);
  }
}
template <bool Converts = false>
void dispatch_masked(const erased::request& request, const executor_ref& ex, status& error) {
  with_width(request.type.element_size, [&](auto width) {
    if constexpr (!Converts) {
      run_masked<width()>(context_of(ex), request, error);
    } else {
      mask_converted<width()>(context_of(ex), request, error);
    }
  });
}
// A request with the loops for its indices, if any, which were given by their type. Not copied.
struct request_with_loops {
  erased::index_operand indices{};
  erased::request found;

  explicit request_with_loops(const erased::request& request) noexcept : found{request} {
    if (request.indices == nullptr) return;
    indices = *request.indices;
    indices.loops = find_index_loops<index_rule::strict>(indices.loops->type);
    found.indices = &indices;
  }
};
template <bool Converts = false>
void dispatch_caches(const erased::request& request, const executor_ref& ex, status& error) {
  constexpr auto run = Converts ? caches_converted : run_caches;
  run(context_of(ex), request_with_loops(request).found, *find_copy_loops(request.type.element_size), error);
}

// Scatters by indices that are not plain, whose operands have the loops for indices: reductions, and assignments by
// multi-indices or with a policy. Set: the reductions that calls can have. The library has further loops: those that
// read 32-bit indices in place, and sums with a factor.
template <addressing By, index_rule Rule, reduction_set Set, bool InLibrary, bool Converts = false>
STREW_NOINLINE void dispatch_reduction(const erased::request& request, const executor_ref& ex, status& error) {
  constexpr bool has_rows = By != addressing::elements;
  constexpr bool by_multi_indices = By == addressing::multi_indices || By == addressing::tensors;
  const erased::call_type& type = request.type;
  const execution_context ctx = context_of(ex);
  const int loop_size = request.indices[0].loops->loop_size;
  constexpr scatter_features features{has_rows ? scatter_kind::row : scatter_kind::element,
                                      Rule == index_rule::wrapping, true, true};
  // Without NaNs 32-bit indices are widened: loops for them would be as much code again.
  constexpr reduction_set narrow = [] {
    reduction_set set = Set;
    set.may_skip_nan = false;
    return set;
  }();
  const reduce_loops* loops = nullptr;
  if (type.named.is_offered) {
    loops =
        InLibrary && loop_size == 4 && !Converts && !type.named.skips_nan
            ? find_reduce_loops<narrow,
                                loops_by_indices<std::conditional_t<InLibrary, std::int32_t, std::int64_t>, features>,
                                InLibrary>(type)
            : find_reduce_loops<Set, loops_by_indices<std::int64_t, features>, InLibrary>(type);
  }
  if (loops == nullptr) {  // errors of the operands are reported first
    target_axes axes;
    if (validate<By>(request, find_shared(request), axes, error)) refuse_reduction(type, error);
    return;
  }
  if constexpr (Converts) {
    return scatter_converted(ctx, request, {find_copy_loops(type.element_size), nullptr, loops, validate<By>}, error);
  }
  const scatter_loops* scatter = nullptr;
  if constexpr (InLibrary && Set.has_none && has_rows && !Converts) {
    // A target with one index: the library has the loops of elements, which read indices in place, for other calls.
    if (type.named.kind == reduction_kind::none && type.components == 1 && type.policy == index_policy::error) {
      scatter = find_plain_loops<addressing::elements, index_rule::wrapping>(type.element_size, loop_size).scatter;
    }
  }
  const bool has_states = loops->grid != state_layout::none;
  run_request(ctx, request,
              {find_copy_loops(type.element_size), scatter, loops, validate<By>,
               has_states ? &reduce_kernels_by<true, !has_rows, by_multi_indices>
                          : &reduce_kernels_by<false, !has_rows, by_multi_indices>,
               !has_states},
              error);
}

// Plain ones come first, so that small calls do not pay for the variables of others.
template <addressing By, index_rule Rule, reduction_set Set, bool InLibrary>
void dispatch_scatter(const erased::request& request, const executor_ref& ex, status& error) {
  const erased::call_type& type = request.type;
  if constexpr (Set.has_none && is_plain_scatter(By, Rule, index_policy::error, reduction_kind::none)) {
    if (type.named.is_offered && is_plain_scatter(By, Rule, type.policy, type.named.kind)) {
      return run_request(context_of(ex), request,
                         find_plain_loops<By, Rule>(type.element_size, request.indices[0].loops->loop_size), error);
    }
  }
  dispatch_reduction<By, Rule, Set, InLibrary>(request, ex, error);
}

// Scatters by segments, whose offsets are given by their type. Errors of the operands are reported first.
template <reduction_set Set, bool InLibrary>
void dispatch_segments(const erased::request& request, const executor_ref& ex, status& error) {
  const request_with_loops given(request);
  const erased::request& found = given.found;
  const segments_function run =
      request.type.named.is_offered ? find_reduce_loops<Set, loops_by_segments, InLibrary>(request.type) : nullptr;
  if (run != nullptr) return run_segments(context_of(ex), found, run, error);
  int axis = 0;
  bool in_place = false;
  if (check_segments(found, axis, in_place, error)) refuse_reduction(request.type, error);
}

// Checks such a call without the addresses of its operands; the values of the offsets, if `reads_offsets`.
inline void check_dispatched_segments(const erased::request& request, bool reads_offsets, status& error) {
  const request_with_loops given(request);
  const erased::request& found = given.found;
  segmented_call all{found, nullptr, false, 0};
  if (!check_segments(found.type.rules, layouts_of(found), {}, *found.axis, all.axis, error)) return;
  if (!found.type.named.is_offered) {
    refuse_reduction(found.type, error);
  } else if (reads_offsets) {
    check_offsets(serial_context, all, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DISPATCH_HPP
