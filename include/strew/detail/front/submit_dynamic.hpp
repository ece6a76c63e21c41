// SPDX-License-Identifier: Apache-2.0
// Calls on tensors whose types are known at run time only.
#ifndef STREW_DETAIL_FRONT_SUBMIT_DYNAMIC_HPP
#define STREW_DETAIL_FRONT_SUBMIT_DYNAMIC_HPP

#include <strew/config.hpp>
#include <strew/detail/front/conversion.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/front/submit_segments.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/kernels/dispatch_positions.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic.hpp>
#include <strew/dynamic/index_type.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

// The set of one reduction.
template <strew::detail::named_reduction R>
inline constexpr reduction_set singleton_set{
    .has_none = R::kind == reduction_kind::none,
    .has_sum = R::kind == reduction_kind::sum,
    .has_sub = R::kind == reduction_kind::sub,
    .has_prod = R::kind == reduction_kind::prod,
    .has_order = R::kind == reduction_kind::min || R::kind == reduction_kind::max,
    .has_mean = R::kind == reduction_kind::mean,
    .may_omit_init = strew::detail::omits_init<R>,
    .may_skip_nan = strew::detail::skips_nan<R>};

// A reduction as one that is known at run time only, and the set of the reductions that a call with it can have.
template <class R>
constexpr reduction_without_nan runtime_reduction(const R& reduce) noexcept {
  if constexpr (std::is_same_v<R, reduction_without_nan>) {
    return reduce;
  } else if constexpr (std::is_same_v<R, reduction>) {
    return {reduce.kind, reduce.include_init, false};
  } else {
    return {R::kind, !strew::detail::omits_init<R>, strew::detail::skips_nan<R>};
  }
}
template <class R, reduction_set Offered>
constexpr reduction_set reachable_reductions() noexcept {
  if constexpr (strew::detail::is_dynamic_reduction<R>) {
    reduction_set all = Offered;
    all.may_skip_nan = std::is_same_v<R, reduction_without_nan>;
    return all;
  } else {
    return singleton_set<R>;
  }
}

#if STREW_COMPILED
template <class Loops>
const strew::detail::index_loops* find_loops(index_type type) noexcept {
  return erased::loops_for_indices[static_cast<int>(Loops::rule)][static_cast<int>(type)];
}
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Converts, class Where>
void run(const Where&, const erased::request& request, const executor_ref& ex, status& error) {
  strew::detail::way_of<Where>::template run_in_library<Rules, reduction>(request, ex, error);
}
#else
template <class Loops>
const strew::detail::index_loops* find_loops(index_type type) noexcept {
  return strew::detail::find_index_loops<Loops::rule>(type);
}
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Converts, class Where>
void run(const Where&, const erased::request& request, const executor_ref& ex, status& error) {
  if constexpr (Converts) {
    strew::detail::dispatch_reduction<Rules.by, Rules.rule, Set, false, true>(request, ex, error);
  } else {
    strew::detail::dispatch_scatter<Rules.by, Rules.rule, Set, false>(request, ex, error);
  }
}
template <const strew::detail::operation_rules&, reduction_set, bool Converts>
void run(const slice_spec&, const erased::request& request, const executor_ref& ex, status& error) {
  strew::detail::dispatch_slices<Converts>(request, ex, error);
}
template <const strew::detail::operation_rules&, reduction_set, bool Converts>
void run(const strew::detail::part_spec&, const erased::request& request, const executor_ref& ex, status& error) {
  strew::detail::dispatch_part<Converts>(request, ex, error);
}
template <const strew::detail::operation_rules&, reduction_set, bool Converts, class Mask>
void run(const strew::detail::mask_of<Mask>&, const erased::request& request, const executor_ref& ex, status& error) {
  strew::detail::dispatch_masked<Converts>(request, ex, error);
}
template <const strew::detail::operation_rules&, reduction_set, bool Converts, class Indices>
void run(const strew::detail::cache_positions<Indices>&, const erased::request& request, const executor_ref& ex,
         status& error) {
  strew::detail::dispatch_caches<Converts>(request, ex, error);
}
template <const strew::detail::operation_rules&, reduction_set Set, bool, class Offsets>
void run(const strew::detail::segments_of<Offsets>&, const erased::request& request, const executor_ref& ex,
         status& error) {
  strew::detail::dispatch_segments<Set, false>(request, ex, error);
}
#endif

// Single indices, or multi-indices along the last axis.
class dynamic_indices {
 public:
  static constexpr int most = max_rank;

  explicit dynamic_indices(const index_tensor& indices) noexcept : indices_{indices}, positions_{indices.layout()} {}
  dynamic_indices(const index_tensor& indices, int count) noexcept
      : indices_{indices},
        positions_{strew::detail::without_last_axis(indices.layout())},
        step_{count > 1 ? indices.layout().stride(indices.rank() - 1) : 0},
        count_{count} {}

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] const strided_layout& layout(int) const noexcept { return positions_; }
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    for (int j = 0; j < count_ || j == 0; ++j) {
      const auto* const first = static_cast<const char*>(indices_.data());
      const std::int64_t offset = positions_.empty() ? 0 : j * step_ * size_of(indices_.type());
      to[j] = {first + offset, &positions_, find_loops<Loops>(indices_.type())};
    }
  }

 private:
  const index_tensor& indices_;
  strided_layout positions_;
  std::int64_t step_ = 0;
  int count_ = 1;
};

// Multi-indices with a tensor for each component.
class dynamic_tensors_of_indices {
 public:
  static constexpr int most = max_rank + 1;

  // More than max_rank tensors are an error, so at most max_rank + 1 are kept.
  explicit dynamic_tensors_of_indices(std::span<const index_tensor> indices) noexcept
      : indices_{indices.first(indices.size() < std::size_t{most} ? indices.size() : std::size_t{most})} {}

  [[nodiscard]] int count() const noexcept { return static_cast<int>(indices_.size()); }
  [[nodiscard]] const strided_layout& layout(int j) const noexcept {
    return indices_[static_cast<std::size_t>(j)].layout();
  }
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    for (const index_tensor& one : indices_) {
      *to++ = {static_cast<const char*>(one.data()), &one.layout(), find_loops<Loops>(one.type())};
    }
  }

 private:
  std::span<const index_tensor> indices_;
};

// The number of indices that address a target together; 0 without indices.
template <class Where>
int count_of(const Where& where) noexcept {
  if constexpr (requires { where.count(); }) {
    return where.count();
  } else {
    return 0;
  }
}
template <class Data, class Updates>
erased::request make_request(const erased::call_type& type, const Data& data, const Updates& updates,
                             const tensor& output) noexcept {
  return {type,
          {static_cast<const char*>(data.data()), &data.layout()},
          {static_cast<const char*>(updates.data()), &updates.layout()},
          {static_cast<char*>(output.data()), &output.layout()},
          nullptr,
          {nullptr}};
}

// Calls body(request) for a call, unless types of operands differ; those of updates may with a conversion.
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Repeats, bool Converts = false,
          index_policy Policy, class D, class Where, class U, class R, class Body>
void with_request(
    const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor, R>& operands,
    status& error, const Body& body, const strew::detail::conversion* how = nullptr) {
  static_assert(!strew::detail::are_typed_tensors<Where>,
                "strew: of tensors whose types are known at run time only index_put takes a std::span of "
                "strew::dynamic::index_tensor");
  using way = strew::detail::way_of<Where>;
  const auto& source = Converts ? operands.data : operands.updates;
  if (!check_types(Rules.name, operands.data, source, operands.output, error)) return;
  if constexpr (requires { operands.where.mask.type(); }) {
    if (!check_mask_type(Rules.name, operands.where.mask.type(), error)) return;
  }
  const reduction_without_nan wanted = runtime_reduction(operands.reduce);
  const bool omits_init = !wanted.include_init && wanted.kind != reduction_kind::none;
  const element_type elements = operands.output.type();
  const bool may_leave_out = wanted.kind != reduction_kind::none && wanted.kind != reduction_kind::sub;
  const bool is_offered =
      Set.contains(wanted.kind) && (!omits_init || Set.may_omit_init) && (!wanted.skips_nan || may_leave_out);
  const erased::call_type type{
      Rules,
      elements.size,
      Converts ? operands.updates.type().size : elements.size,
      Policy,
      Repeats,
      strew::detail::has_rare_indices(Rules, Policy) ? &strew::detail::rare_forms_of_indices : nullptr,
      count_of(operands.where),
      {elements.kind, wanted.kind, !omits_init, is_offered,
       wanted.skips_nan && (!is_offered || detail::may_be_nan(elements))},
      false,
      nullptr,
      how};
  erased::request request = make_request(type, operands.data, operands.updates, operands.output);
  erased::index_operand indices[way::most()];
  way::template address<strew::detail::held_index_loops<Rules.rule>>(operands, indices, request);
  body(request);
}

// Runs the request of a call on an executor.
template <const strew::detail::operation_rules& Rules, reduction_set Set, class R, bool Converts, class Ex, class Where>
void run_request(Ex& ex, const Where& where, const erased::request& request, status& error) {
  using on_demand = strew::detail::memory_on_demand<std::remove_const_t<Ex>>;
  if constexpr (strew::detail::way_of<Where>::uses_memory && on_demand::allocates) {
    on_demand::template reserve_named<Rules>(ex, request);
  }
  run<Rules, reachable_reductions<R, Set>(), Converts>(where, request, strew::detail::refer_to(ex), error);
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
template <class Loops>
STREW_KEYED erased::index_operand operand_of(const index_tensor& indices) noexcept {
  return {static_cast<const char*>(indices.data()), &indices.layout(), strew::detail::find_index_type(indices.type())};
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

template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none,
          bool Repeats = false, class Ex, index_policy Policy, class D, class Where, class U, class R>
  requires(!detail::schedule_step<Ex>)
STREW_KEYED void submit(
    Ex& ex, const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor, R>& operands,
    status& error) {
  detail::with_request<Rules, Set, Repeats>(operands, error, [&](const erased::request& request) {
    detail::run_request<Rules, Set, R, false>(ex, operands.where, request, error);
  });
}
// Updates of another element type: calls plain(operands) if it is that of data, otherwise body(request) unless there is
// no conversion.
template <const strew::detail::operation_rules& Rules, reduction_set Set, index_policy Policy, class D, class Where,
          class U, class R, class Plain, class Body>
STREW_KEYED void submit_converted(
    const strew::detail::call_operands<Policy, basic_tensor<D>, Where,
                                       strew::detail::converted_updates<basic_tensor<U>>, tensor, R>& operands,
    status& error, const Plain& plain, const Body& body) {
  const basic_tensor<U>& updates = operands.updates.updates;
  const auto as_given = strew::detail::operands_of<Policy>(operands.data, operands.where, updates, operands.output,
                                                           operands.reduce, operands.axis);
  const element_type from = updates.type();
  const element_type to = operands.data.type();
  if (detail::are_alike(from, to)) return plain(as_given);
  const strew::detail::conversion* const how = strew::detail::find_conversion(to, from);
  if (how == nullptr) {
    strew::detail::refuse(error, errc::type_mismatch, Rules.name, "updates",
                          " has elements of a type that is not converted to that of data");
    return;
  }
  detail::with_request<Rules, Set, false, true>(as_given, error, body, how);
}
template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none, class Ex,
          index_policy Policy, class D, class Where, class U, class R>
  requires(!detail::schedule_step<Ex>)
STREW_KEYED void submit(
    Ex& ex,
    const strew::detail::call_operands<Policy, basic_tensor<D>, Where,
                                       strew::detail::converted_updates<basic_tensor<U>>, tensor, R>& operands,
    status& error) {
  submit_converted<Rules, Set>(
      operands, error, [&](const auto& as_given) { submit<Rules, Set>(ex, as_given, error); },
      [&](const erased::request& request) {
        detail::run_request<Rules, Set, R, true>(ex, operands.where, request, error);
      });
}

// With positions: calls body(request). The numbers' type and the reduction are checked before the operands.
template <const strew::detail::operation_rules& Rules, reduction_set Set, bool Repeats, index_policy Policy, class D,
          class Where, class U, class R, class Body>
STREW_KEYED void submit_with_positions(
    const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor,
                                       strew::reduction::with_positions_type<R, tensor>>& operands,
    status& error, const Body& body) {
  const tensor& numbers = operands.reduce.numbers;
  const element_type type = numbers.type();
  const bool is_unsigned = type.kind == element_kind::unsigned_integer;
  if ((type.kind != element_kind::signed_integer && !is_unsigned) || type.size > 8) {
    strew::detail::refuse(error, errc::type_mismatch, Rules.name, "numbers", " has elements that are no integers");
    return;
  }
  const reduction_without_nan asked = detail::runtime_reduction(operands.reduce.reduce);
  const reduction wanted{asked.kind, asked.include_init};
  const bool is_none = wanted.kind == reduction_kind::none;
  const bool is_order = wanted.kind == reduction_kind::min || wanted.kind == reduction_kind::max;
  if (asked.skips_nan || (!is_none && (!is_order || !Set.has_order || !wanted.include_init))) {
    strew::detail::refuse(error, errc::unsupported_reduction, Rules.name, "reduction",
                          asked.skips_nan                    ? " {o} without NaNs does not store which update won"
                          : !is_order || wanted.include_init ? " {o} is not one of those that store which update won"
                                                             : " {o} without the elements of data does not store which "
                                                               "update won",
                          {}, {}, strew::reduction::name_of(wanted.kind));
    return;
  }
  constexpr reduction_set offered = [] {
    reduction_set set = Set;
    set.has_none = true;
    return set;
  }();
  const auto plain = strew::detail::operands_of<Policy>(operands.data, operands.where, operands.updates,
                                                        operands.output, wanted, operands.axis);
  detail::with_request<Rules, offered, Repeats>(plain, error, [&](const erased::request& request) {
    const erased::numbers_operand stored{static_cast<char*>(numbers.data()), &numbers.layout(), type.size, is_unsigned};
    erased::call_type with_numbers = request.type;
    with_numbers.has_numbers = true;
    with_numbers.reduce = &stored;
    const erased::request all{with_numbers,   request.data,    request.updates,
                              request.output, request.indices, {request.axis}};
    body(all);
  });
}
template <const strew::detail::operation_rules& Rules, reduction_set Set = strew::detail::only_none,
          bool Repeats = false, class Ex, index_policy Policy, class D, class Where, class U, class R>
  requires(!detail::schedule_step<Ex>)
STREW_KEYED void submit(Ex& ex,
                        const strew::detail::call_operands<Policy, basic_tensor<D>, Where, basic_tensor<U>, tensor,
                                                           strew::reduction::with_positions_type<R, tensor>>& operands,
                        status& error) {
  submit_with_positions<Rules, Set, Repeats>(operands, error, [&](const erased::request& request) {
#if STREW_COMPILED
    erased::scatter_with_positions(request, strew::detail::refer_to(ex), error);
#else
    strew::detail::dispatch_with_positions<Rules.by>(request, strew::detail::refer_to(ex), error);
#endif
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

namespace detail::inline STREW_CODE {

// A number as the widest type of its kind, so that there is one function for each kind of numbers.
template <class Value>
constexpr auto widest(const Value& value) noexcept {
  if constexpr (strew::detail::built_in_floating<Value> && sizeof(Value) <= sizeof(double)) {
    return static_cast<double>(value);
  } else if constexpr (strew::detail::built_in_integer<Value> && sizeof(Value) <= sizeof(std::int64_t)) {
    using signed_or_not = std::conditional_t<(static_cast<Value>(-1) < Value{}), std::int64_t, std::uint64_t>;
    return static_cast<signed_or_not>(value);
  } else {
    return value;
  }
}
// Writes a value, a number or std::complex, as an element of a type to `element`.
template <class Value>
bool make_element(const strew::detail::call_form& form, element_type type, const Value& value, std::byte* element,
                  status& error) noexcept {
  const char* const operand = form.name_of_updates();
  const bool is_number = strew::detail::with_element_type(type, [&]<class T>() {
    if constexpr (strew::detail::is_fraction<T, Value>) {
      strew::detail::refuse(error, errc::type_mismatch, form.name, operand,
                            " is a floating-point value, but the elements of data are integers");
    } else if constexpr (strew::detail::complex_element<Value> && !strew::detail::complex_element<T>) {
      strew::detail::refuse(error, errc::type_mismatch, form.name, operand,
                            " is a complex value, but the elements of data are not complex");
    } else {
      bool fits = true;
      const T converted = strew::detail::to_element<T>(value, fits);
      if (!fits) strew::detail::refuse_value<T>(form.name, operand, strew::detail::printed_value(value), error);
      std::memcpy(element, &converted, sizeof(T));
    }
    return true;
  });
  return error.ok() && (is_number || strew::detail::refuse(error, errc::type_mismatch, form.name, operand,
                                                           " is a value, but the elements of data are no numbers"));
}

}  // namespace detail

// Calls body(updates) with the value of a call as updates of data's element type.
template <class Pointer, class Value, class Body>
STREW_KEYED void with_repeated(const strew::detail::call_form& form, const basic_tensor<Pointer>& data,
                               const Value& value, status& error, const Body& body) {
  strew::detail::repeated<const_tensor> updates;
  if constexpr (strew::detail::is_view<Value>) {
    updates.element = read_only(value);
    body(updates);
  } else {
    alignas(16) std::byte element[16];
    if (!detail::make_element(form, data.type(), detail::widest(value), element, error)) return;
    static_cast<void>(const_tensor::try_make(element, data.type(), index_list(), updates.element));
    body(updates);
  }
}

}  // namespace strew::dynamic

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T, class Pointer>
inline constexpr mistake mistake_of_converted<T, converted_updates<dynamic::basic_tensor<Pointer>>> = mistake::none;
template <>
inline constexpr bool is_dynamic_element<dynamic::detail::some_element> = true;
template <>
inline constexpr bool is_dynamic_reduction<dynamic::reduction> = true;
template <>
inline constexpr bool is_dynamic_reduction<dynamic::reduction_without_nan> = true;
template <class Ex, class Pointer, class R>
inline constexpr bool value_goes_to_library<Ex, dynamic::basic_tensor<Pointer>, R> =
    calls_library && !memory_on_demand<std::remove_const_t<Ex>>::allocates && !has_positions<R>;
template <>
inline constexpr bool is_plain_argument<dynamic::reduction> = true;
template <>
inline constexpr bool is_plain_argument<dynamic::reduction_without_nan> = true;
template <class Tensor, std::size_t Count>
inline constexpr bool are_tensors_of_indices<std::span<Tensor, Count>> =
    std::is_same_v<std::remove_const_t<Tensor>, dynamic::index_tensor>;
template <class Tensor, std::size_t Count>
inline constexpr bool is_plain_argument<std::span<Tensor, Count>> = are_tensors_of_indices<std::span<Tensor, Count>>;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_DYNAMIC_HPP
