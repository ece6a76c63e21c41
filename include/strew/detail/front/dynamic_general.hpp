// SPDX-License-Identifier: Apache-2.0
// The operators with reductions, tuples of indices or policies on tensors whose types are known at run time only.
#ifndef STREW_DETAIL_FRONT_DYNAMIC_GENERAL_HPP
#define STREW_DETAIL_FRONT_DYNAMIC_GENERAL_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/calls.hpp>
#include <strew/detail/cpu/combine.hpp>
#include <strew/detail/cpu/combine_leaves.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/dispatch.hpp>
#include <strew/detail/cpu/tuple_reader.hpp>
#include <strew/detail/dynamic_elements.hpp>
#include <strew/detail/front/fill.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/dynamic.hpp>
#include <strew/index_put.hpp>
#include <strew/reduction.hpp>
#include <strew/status.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

// A reduction that is known at run time only. It stands where operators take one. What the operator's document or the
// element type lacks is unsupported_reduction.
struct reduction {
  reduction_kind kind = reduction_kind::none;
  bool include_init = true;  // as without_init where it is false
};

namespace detail::inline STREW_CODE {

// A reduction with those that the operator offers, whose leaves alone a call compiles.
template <reduction_set Set>
struct offered_reduction {
  reduction reduce;
};

// Of a reduction whose type names it.
template <strew::detail::named_reduction R>
inline constexpr reduction_set only{.has_none = R::kind == reduction_kind::none,
                                    .has_sum = R::kind == reduction_kind::sum,
                                    .has_sub = R::kind == reduction_kind::sub,
                                    .has_prod = R::kind == reduction_kind::prod,
                                    .has_order = R::kind == reduction_kind::min || R::kind == reduction_kind::max,
                                    .has_mean = R::kind == reduction_kind::mean,
                                    .may_omit_init = strew::detail::omits_init<R>};

// Calls body.operator()<T>() with the C++ type of an element type that is more than bytes. Returns whether there is
// one.
template <class Body>
bool with_element_type(const element_type& type, const Body& body) {
  switch (type.kind) {
    case element_kind::boolean:
      if (type.size == 1) return body.template operator()<bool>();
      return false;
    case element_kind::signed_integer:
      if (type.size == 1) return body.template operator()<std::int8_t>();
      if (type.size == 2) return body.template operator()<std::int16_t>();
      if (type.size == 4) return body.template operator()<std::int32_t>();
      if (type.size == 8) return body.template operator()<std::int64_t>();
      return false;
    case element_kind::unsigned_integer:
      if (type.size == 1) return body.template operator()<std::uint8_t>();
      if (type.size == 2) return body.template operator()<std::uint16_t>();
      if (type.size == 4) return body.template operator()<std::uint32_t>();
      if (type.size == 8) return body.template operator()<std::uint64_t>();
      return false;
    case element_kind::floating_point:
      if (type.size == 2) return body.template operator()<float16>();
      if (type.size == 4) return body.template operator()<float>();
      if (type.size == 8) return body.template operator()<double>();
      return false;
    case element_kind::brain_float:
      if (type.size == 2) return body.template operator()<bfloat16>();
      return false;
    case element_kind::complex:
      if (type.size == 8) return body.template operator()<std::complex<float>>();
      if (type.size == 16) return body.template operator()<std::complex<double>>();
      return false;
    default:
      return false;
  }
}

// What calls of an operator may reach.
template <index_rule Rule, strew::detail::scatter_motion Motion>
inline constexpr strew::detail::combine_reach reach_of{Motion == strew::detail::scatter_motion::rows,
                                                       Motion == strew::detail::scatter_motion::elements,
                                                       Rule == index_rule::wrapping, true};

// The leaves of a reduction for a type; null where there are none.
template <reduction_set Set, strew::detail::combine_reach Reach>
const strew::detail::combine_leaves* find_combine_leaves(element_type type, const reduction& reduce) {
  using enum reduction_kind;
  if (reduce.kind == none) {
    return strew::detail::with_width(type.size,
                                     [](auto width) { return &strew::detail::assign_leaves_of<width(), Reach>; });
  }
  // Integers that wrap have the same bits with a sign and without.
  const auto wraps = [](reduction_kind kind) { return kind == sum || kind == sub || kind == prod; };
  if (type.kind == element_kind::signed_integer && wraps(reduce.kind)) type.kind = element_kind::unsigned_integer;
  const strew::detail::combine_leaves* found = nullptr;
  with_element_type(type, [&]<class T>() {
    return strew::reduction::try_visit<T, Set>(
               reduce.kind, reduce.include_init,
               [&]<class R>(R) {
                 if constexpr (!(strew::detail::wrapping_integer<T> && std::is_signed_v<T> && wraps(R::kind))) {
                   found = &strew::detail::combine_leaves_of<T, R, std::int64_t, Reach>;
                 }
               })
        .ok();
  });
  return found;
}

template <strew::detail::combine_reach Reach, reduction_set Set>
const strew::detail::combine_leaves* choose_leaves(const char* operation, const element_type& type,
                                                   const offered_reduction<Set>& wanted, status& error) {
  const reduction_kind kind = wanted.reduce.kind;
  const bool omits_init = !wanted.reduce.include_init && kind != reduction_kind::none;
  const bool is_offered = Set.contains(kind) && (!omits_init || Set.may_omit_init);
  const strew::detail::combine_leaves* const found =
      is_offered ? find_combine_leaves<Set, Reach>(type, wanted.reduce) : nullptr;
  if (found == nullptr) {
    strew::detail::refuse(
        error, errc::unsupported_reduction, operation, "reduction",
        is_offered ? " {o} is not offered for the element type of data" : " {o} is none that the operator has", {}, {},
        strew::reduction::name_of(kind));
  }
  return found;
}

// Indices, single ones or tuples along the last axis.
class dynamic_indices {
 public:
  explicit dynamic_indices(const index_tensor& indices) noexcept : indices_{indices}, positions_{indices.layout()} {}
  dynamic_indices(const index_tensor& indices, int count) noexcept
      : indices_{indices},
        positions_{strew::detail::without_last_axis(indices.layout())},
        step_{count > 1 ? indices.layout().stride(indices.rank() - 1) : 0},
        count_{count} {}

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const strided_layout& layout(int) const noexcept { return positions_; }
  [[nodiscard]] std::span<const index_tensor> tensors() const noexcept { return {&indices_, 1}; }
  template <index_rule Rule>
  void list(strew::detail::tuple_component* to) const noexcept {
    for (int j = 0; j < count_ || j == 0; ++j) {
      const auto* const first = static_cast<const char*>(indices_.data());
      const std::int64_t offset = positions_.empty() ? 0 : j * step_ * size_of(indices_.type());
      to[j] = {first + offset, &positions_, strew::detail::find_index_leaves<Rule>(indices_.type())};
    }
  }

 private:
  const index_tensor& indices_;
  strided_layout positions_;
  std::int64_t step_ = 0;
  int count_ = 1;
};

// The numbers of tuples in a tensor each.
class dynamic_tensors_of_indices {
 public:
  // More than there can be axes are refused, however many; so they are not all looked at.
  explicit dynamic_tensors_of_indices(std::span<const index_tensor> indices) noexcept
      : indices_{indices.first(indices.size() < most ? indices.size() : most)} {}

  [[nodiscard]] int count() const noexcept { return static_cast<int>(indices_.size()); }
  [[nodiscard]] const strided_layout& layout(int j) const noexcept {
    return indices_[static_cast<std::size_t>(j)].layout();
  }
  [[nodiscard]] std::span<const index_tensor> tensors() const noexcept { return indices_; }
  template <index_rule Rule>
  void list(strew::detail::tuple_component* to) const noexcept {
    for (const index_tensor& one : indices_) {
      *to++ = {static_cast<const char*>(one.data()), &one.layout(), strew::detail::find_index_leaves<Rule>(one.type())};
    }
  }

 private:
  static constexpr std::size_t most = max_rank + 1;
  std::span<const index_tensor> indices_;
};

// Which operands share memory with the output; of several tensors of indices the worst.
inline strew::detail::shared_memory find_shared(const erased::call& call,
                                                std::span<const index_tensor> indices) noexcept {
  strew::detail::shared_memory shared = strew::detail::find_shared(call, 0);
  for (const index_tensor& one : indices) {
    const auto size = static_cast<std::uint64_t>(size_of(one.type()));
    const std::int64_t distance = strew::detail::distance_between(call.output.data, one.data());
    shared.indices = strew::detail::either(
        shared.indices, strew::detail::find_shared(distance, *call.output.layout,
                                                   static_cast<std::uint64_t>(call.element_size), one.layout(), size));
  }
  return shared;
}

}  // namespace detail

// ---- Called by the operators

STREW_KEYED inline const_tensor read_only(const tensor& view) noexcept {
  return view;
}
STREW_KEYED inline const const_tensor& read_only(const const_tensor& view) noexcept {
  return view;
}
STREW_KEYED inline const index_tensor& read_only(const index_tensor& view) noexcept {
  return view;
}
template <class Pointer>
STREW_KEYED basic_tensor<Pointer> flat(const basic_tensor<Pointer>& view) noexcept {
  basic_tensor<Pointer> result;
  static_cast<void>(basic_tensor<Pointer>::try_make(view.data(), view.type(), view.size(), result));
  return result;
}
STREW_KEYED inline detail::dynamic_indices source_of(const index_tensor& indices) noexcept {
  return detail::dynamic_indices(indices);
}
STREW_KEYED inline detail::dynamic_indices source_of(const index_tensor& indices, int count) noexcept {
  return {indices, count};
}
STREW_KEYED inline detail::dynamic_tensors_of_indices source_of(std::span<const index_tensor> indices) noexcept {
  return detail::dynamic_tensors_of_indices(indices);
}

namespace detail::inline STREW_CODE {

template <std::size_t Size>
struct block {
  unsigned char bytes[Size];
};
template <class Block, class Pointer>
auto view_blocks(const basic_tensor<Pointer>& of) noexcept {
  using element = std::conditional_t<std::is_same_v<Pointer, void*>, Block, const Block>;
  tensor_view<element> view;
  static_cast<void>(tensor_view<element>::try_bind(static_cast<element*>(of.data()), of.layout(), view));
  return view;
}

}  // namespace detail

// For operators that only move elements: of 1, 2, 4, 8 or 16 bytes.
template <class Body>
STREW_KEYED void with_typed_views(const char* operation, const const_tensor& data, const const_tensor& source,
                                  const tensor& output, status& error, const Body& body) {
  if (!detail::check_types(operation, data, source, output, error)) return;
  strew::detail::with_width(output.type().size, [&](auto width) {
    if constexpr (width() != strew::detail::any_width) {
      using block = detail::block<width()>;
      body(detail::view_blocks<block>(data), detail::view_blocks<block>(source), detail::view_blocks<block>(output));
    } else {
      strew::detail::refuse(error, errc::type_mismatch, operation, "data",
                            " has elements of {0} bytes, expected 1, 2, 4, 8 or 16", {output.type().size});
    }
  });
}

STREW_KEYED inline bool repeat(const char* operation, const const_tensor& value, const index_list& extents,
                               const_tensor& result, status& error) noexcept {
  const auto size = static_cast<std::size_t>(value.type().size);
  strided_layout layout;
  if (!strew::detail::make_repeated(operation, value.rank(), extents, size, layout, error)) return false;
  static_cast<void>(const_tensor::try_make(value.data(), value.type(), extents, layout.strides(), result));
  return true;
}

template <reduction_set Set>
STREW_KEYED constexpr detail::offered_reduction<Set> offered(const reduction& reduce) noexcept {
  return {reduce};
}

template <index_rule Rule, strew::detail::scatter_motion Motion, class Ex, class Source, reduction_set Set, class Check>
STREW_KEYED void run_targets(Ex& ex, const const_tensor& data, const Source& source, const const_tensor& updates,
                             const tensor& output, const detail::offered_reduction<Set>& wanted,
                             const strew::detail::target_rules& rules, const Check& check, status& error) {
  using strew::detail::combine_call;
  static_assert(
      requires { source.tensors(); },
      "strew: of tensors whose types are known at run time only index_put takes a std::span of "
      "strew::dynamic::index_tensor");
  if (!detail::check_types(rules.operation, data, updates, output, error)) return;
  const erased::call call = detail::erase(data, updates, output);
  const strew::detail::shared_memory shared = detail::find_shared(call, source.tensors());
  strew::detail::target_shape shape;
  if (!check(shared, shape, error)) return;
  const strew::detail::combine_leaves* const leaves =
      detail::choose_leaves<detail::reach_of<Rule, Motion>>(rules.operation, output.type(), wanted, error);
  if (leaves == nullptr) return;
  const strew::detail::scatter_space space{Motion == strew::detail::scatter_motion::rows, shape.axes, source.layout(0),
                                           updates.layout(), output.layout()};
  strew::detail::tuple_source tuples{rules, true, source.count(), {}};
  source.template list<Rule>(tuples.component);
  const executor_ref ref = strew::detail::refer_to(ex);
  const strew::detail::workers who = strew::detail::workers_of(ref);
  combine_call combined{call,    space,   tuples,         *strew::detail::find_copy_leaves(call.element_size),
                        *leaves, nullptr, shared.in_place};
  if (strew::detail::combine_many(who, combined) ||
      !strew::detail::check_targets(who, tuples, shape.axes.first, shape.extents, error)) {
    return;
  }
  strew::detail::run_combined(who, combined);
}

// By indices whose type is a part of the call.
template <index_rule Rule, strew::detail::scatter_motion Motion, class Ex, class Source, reduction_set Set, class Check>
  requires requires(const Source& indices) {
    indices.view();
  }
STREW_KEYED void run_targets(Ex& ex, const const_tensor& data, const Source& source, const const_tensor& updates,
                             const tensor& output, const detail::offered_reduction<Set>& wanted,
                             const strew::detail::target_rules& rules, const Check& check, status& error) {
  const index_tensor indices = source.view();
  const bool are_tuples = source.layout(0).rank() != indices.rank();
  const auto dynamic_source =
      are_tuples ? detail::dynamic_indices(indices, source.count()) : detail::dynamic_indices(indices);
  run_targets<Rule, Motion>(ex, data, dynamic_source, updates, output, wanted, rules, check, error);
}

template <index_rule Rule, strew::detail::scatter_motion Motion, class Ex, class Source,
          strew::detail::named_reduction R, class Check>
void run_targets(Ex& ex, const const_tensor& data, const Source& source, const const_tensor& updates,
                 const tensor& output, const R&, const strew::detail::target_rules& rules, const Check& check,
                 status& error) {
  run_targets<Rule, Motion>(ex, data, source, updates, output,
                            detail::offered_reduction<detail::only<R>>{{R::kind, !strew::detail::omits_init<R>}}, rules,
                            check, error);
}

}  // namespace strew::dynamic

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <>
inline constexpr bool is_dynamic_element<dynamic::detail::some_element> = true;
template <>
inline constexpr bool is_dynamic_reduction<dynamic::reduction> = true;
template <>
inline constexpr bool is_plain_argument<dynamic::reduction> = true;
template <class Tensor, std::size_t Count>
inline constexpr bool are_tensors_of_indices<std::span<Tensor, Count>> =
    std::is_same_v<std::remove_const_t<Tensor>, dynamic::index_tensor>;
template <class Tensor, std::size_t Count>
inline constexpr bool is_plain_argument<std::span<Tensor, Count>> = are_tensors_of_indices<std::span<Tensor, Count>>;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_DYNAMIC_GENERAL_HPP
