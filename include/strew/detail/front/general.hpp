// SPDX-License-Identifier: Apache-2.0
// The operators with reductions, tuples of indices or policies: from typed operands to the loops.
#ifndef STREW_DETAIL_FRONT_GENERAL_HPP
#define STREW_DETAIL_FRONT_GENERAL_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/cpu/combine.hpp>
#include <strew/detail/cpu/combine_leaves.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/sharing.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/cpu/tuple_reader.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/generic/combine.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/executor.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/reduction.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A view as operators read it. This and other functions of views have overloads in dynamic.hpp.
template <class T>
constexpr tensor_view<const std::remove_const_t<T>> read_only(const tensor_view<T>& view) noexcept {
  return view;
}

// ---- Where the numbers of tuples come from

// Single indices, or tuples along the last axis of a tensor.
template <class Index>
class tensor_of_indices {
 public:
  using loop_integer = loop_index<sized_index<Index>>;
  static constexpr bool may_be_direct = is_loop_index<sized_index<Index>>;
  static constexpr bool may_be_negative = std::is_signed_v<Index>;

  constexpr explicit tensor_of_indices(const tensor_view<const Index>& indices) noexcept
      : indices_{indices}, positions_{indices.layout()} {}

  // Tuples of `count` numbers each.
  constexpr tensor_of_indices(const tensor_view<const Index>& indices, int count) noexcept
      : indices_{indices},
        positions_{without_last_axis(indices.layout())},
        step_{count > 1 ? indices.stride(indices.rank() - 1) : 0},
        count_{count} {}

  [[nodiscard]] constexpr int count() const noexcept { return count_; }
  [[nodiscard]] constexpr const tensor_view<const Index>& view() const noexcept { return indices_; }
  [[nodiscard]] constexpr const strided_layout& layout(int) const noexcept { return positions_; }
  [[nodiscard]] constexpr bool is_unsigned(int) const noexcept { return std::is_unsigned_v<Index>; }
  [[nodiscard]] constexpr std::int64_t bits(int j, std::int64_t offset) const noexcept {
    return static_cast<std::int64_t>(indices_.data()[j * step_ + offset]);
  }
  template <class T>
  [[nodiscard]] constexpr answer meets(const tensor_view<T>& output) const noexcept {
    return generic::meets(output, indices_);
  }
  template <index_rule Rule>
  void list(tuple_component* to) const noexcept {
    for (int j = 0; j < count_ || j == 0; ++j) {
      const char* const first = address(indices_.data());
      const std::int64_t offset = positions_.empty() ? 0 : j * step_ * static_cast<std::int64_t>(sizeof(Index));
      to[j] = {first + offset, &positions_, &index_leaves_of<sized_index<Index>, Rule>};
    }
  }

 private:
  tensor_view<const Index> indices_;
  strided_layout positions_;
  std::int64_t step_ = 0;
  int count_ = 1;
};

template <class Index>
constexpr tensor_of_indices<Index> source_of(const tensor_view<const Index>& indices) noexcept {
  return tensor_of_indices<Index>(indices);
}
template <class Index>
constexpr tensor_of_indices<Index> source_of(const tensor_view<const Index>& indices, int count) noexcept {
  return tensor_of_indices<Index>(indices, count);
}

// ---- The call

// What the rules of an operator find out.
struct target_shape {
  target_axes axes{};
  index_list extents{};  // of the target axes; the number of elements where these are numbered
};

enum class scatter_motion { rows, elements };

// Runs an operator: check(shared, shape, error) are its rules but for the values of indices.
template <index_rule Rule, scatter_motion Motion, class Ex, class T, class Source, class R, class Check>
constexpr void run_targets(Ex& ex, const tensor_view<const T>& data, const Source& source,
                           const tensor_view<const T>& updates, const tensor_view<T>& output, const R& reduce,
                           const target_rules& rules, const Check& check, status& error) {
  shared_memory shared = generic::find_shared(data, updates, output);
  shared.indices = source.meets(output);
  target_shape shape;
  if (!check(shared, shape, error)) return;
  constexpr bool has_rows = Motion == scatter_motion::rows;
  const scatter_space space{has_rows, shape.axes, source.layout(0), updates.layout(), output.layout()};
  const auto generic = [&](const workers* who) {
    if (!generic::check_targets(source, rules, shape.axes.first, shape.extents, error)) return;
    const work job{output.extents(), output.size() + updates.size(), sizeof(T), shape.axes.first, !has_rows};
    generic::for_each_part(rules.by == naming::number ? nullptr : who, job, [&](const box& part) {
      if (!shared.in_place) generic::copy_data(part, data, output);
      generic::combine_part<T>(space, source, rules, part, output.data(), updates.data(), reduce);
    });
  };
  if (std::is_constant_evaluated()) {
    generic(nullptr);
  } else if constexpr (!is_bytewise<T> || !reduces_without_throwing<T, R>()) {
    // Bodies of executors may not throw.
    if constexpr (reduces_without_throwing<T, R>()) {
      run_generic<T>(ex, generic);
    } else {
      generic(nullptr);
    }
  } else {
    using integer = typename Source::loop_integer;
    constexpr combine_reach reach{has_rows, !has_rows, Rule == index_rule::wrapping && Source::may_be_negative,
                                  lends_memory<std::remove_const_t<Ex>>, Source::may_be_direct};
    tuple_source tuples{rules, true, source.count(), {}};
    source.template list<Rule>(tuples.component);
    const executor_ref ref = refer_to(ex);
    const workers who{ref, sharing_of<std::remove_const_t<Ex>>()};
    const erased::call call = erase(data, updates, output);
    combine_call combined{call,
                          space,
                          tuples,
                          copy_leaves_of<leaf_width<T>>,
                          combine_leaves_of<T, R, integer, reach>,
                          &reinterpret_cast<const char&>(reduce),
                          shared.in_place};
    if (combine_many(who, combined) || !check_targets(who, tuples, shape.axes.first, shape.extents, error)) return;
    run_combined(who, combined);
  }
}

// ---- The front

// Calls body(reduction, output) with what ends the arguments of a call: both, one of them, or neither; without a
// reduction it is none, without an output data is written in place.
template <class Data, class Body>
constexpr void with_options(const Data& data, const Body& body) {
  if constexpr (check_data_is_writable<Data>()) body(reduction::none, data);
}
template <class Data, class Body, class Option>
constexpr void with_options(const Data& data, const Body& body, const Option& option) {
  if constexpr (is_view<Option>) {
    body(reduction::none, option);
  } else {
    if constexpr (check_data_is_writable<Data>()) body(option, data);
  }
}
template <class Data, class Body, class R, class Output>
constexpr void with_options(const Data&, const Body& body, const R& reduce, const Output& output) {
  static_assert(!is_view<R> && is_view<Output>,
                "strew: a call ends with the reduction (if any) and the output (if any)");
  body(reduce, output);
}

// What a reduction is to run_targets: itself, or with the set of those that are offered where only that call can tell.
template <reduction_set, class R>
constexpr const R& offered(const R& reduce) noexcept {
  return reduce;
}

// Whether elements are of a type that is known at run time only.
template <class T>
inline constexpr bool is_dynamic_element = false;
// Whether a reduction is.
template <class R>
inline constexpr bool is_dynamic_reduction = false;

// with_options for operators that take no reduction: calls body(output).
template <class Data, class Body>
constexpr void with_output(const Data& data, const Body& body) {
  if constexpr (check_data_is_writable<Data>()) body(data);
}
template <class Data, class Body, class Output>
constexpr void with_output(const Data&, const Body& body, const Output& output) {
  constexpr bool is_reduction = named_reduction<Output> || is_dynamic_reduction<Output>;
  static_assert(!is_reduction, "strew: this operator takes no reduction: what follows its operands is the output");
  if constexpr (!is_reduction) body(output);
}

// What must hold of a reduction.
template <class T, class R, reduction_set Set>
constexpr bool check_reduction() noexcept {
  constexpr bool is_known = !is_dynamic_element<T> || named_reduction<R> || is_dynamic_reduction<R>;
  static_assert(is_known,
                "strew: elements whose type is known at run time only take reductions by name, or "
                "strew::dynamic::reduction");
  constexpr bool is_offered = [] {
    if constexpr (named_reduction<R>) {
      return Set.contains(R::kind) && (Set.may_omit_init || !omits_init<R>);
    } else {
      return true;
    }
  }();
  static_assert(is_offered,
                "strew: this operator's document does not have this reduction; a callable f(current, update) "
                "may be passed in its place");
  if constexpr (is_offered && !is_dynamic_element<T>) {
    static_assert(reducible_by<T, R>,
                  "strew: this element type lacks the operation of this reduction (mean of bool, min of complex), or "
                  "what stands in the reduction's place is not callable as f(current, update)");
    return reducible_by<T, R>;
  } else {
    return is_offered && is_known;
  }
}

// Calls body(data, indices, updates, reduction, output) with the operands of a call as operators read them, if their
// types and the reduction are right; what the compiler says if not is an assertion's text.
template <reduction_set Set, class Data, class Indices, class Updates, class Body, class... Options>
constexpr void with_operands(const Data& data, const Indices& indices, const Updates& updates, const Body& body,
                             const Options&... options) {
  with_options(
      data,
      [&]<class R, class Output>(const R& reduce, const Output& output) {
        if constexpr (check_scatter_types<Data, bare_indices<Indices>, Updates, Output>()) {
          if constexpr (check_reduction<view_element<Output>, R, Set>()) {
            body(read_only(data), read_only(without_policy(indices)), read_only(updates), reduce, output);
          }
        }
      },
      options...);
}

// Scatters on one axis with a reduction and a policy: of elements or of rows, as the rules say. Without either they are
// the plain scatter.
template <const auto& Rules, reduction_set Set>
struct reduce_on_axis {
  static constexpr bool has_rows = std::is_same_v<decltype(Rules), const rows_rules&>;

  template <class Ex, class Data, class Indices, class Updates, class R, class Output>
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const index_list& axis, const R& reduce, const Output& output) {
    using bare = bare_indices<Indices>;
    if constexpr (check_scatter_types<Data, bare, Updates, Output>()) {
      if constexpr (check_reduction<view_element<Output>, R, Set>()) {
        const auto d = read_only(data);
        const auto i = read_only(without_policy(indices));
        const auto u = read_only(updates);
        constexpr bool is_plain = std::is_same_v<R, reduction::none_type> &&
                                  policy_of<Indices> == index_policy::error &&
                                  STREW_COMPILED == 0;  // whose functions bear the names of the first operators
        if constexpr (is_plain && !has_rows) {
          run_call(scatter_elements_call<Rules>{}, ex, d, i, u, axis, output, error);
        } else if constexpr (is_plain && Rules.rule == index_rule::strict) {
          run_call(scatter_rows_call<Rules>{}, ex, d, i, u, axis, output, error);
        } else {
          run_checked(ex, error, d, i, u, axis, reduce, output, policy_of<Indices>);
        }
      }
    }
  }

 private:
  template <class Ex, class Data, class Indices, class Updates, class R, class Output>
  static constexpr void run_checked(Ex& ex, status& error, const Data& data, const Indices& indices,
                                    const Updates& updates, const index_list& axis, const R& reduce,
                                    const Output& output, index_policy policy) {
    const auto check = [&](const shared_memory& shared, target_shape& shape, status& found) {
      const scatter_layouts at{data.layout(), indices.layout(), updates.layout(), output.layout()};
      int k = 0;
      if constexpr (has_rows) {
        if (!check_rows(Rules.operation, at, shared, axis, k, found)) return false;
      } else {
        if (!check_elements(Rules, at, shared, axis, k, found)) return false;
      }
      shape = {{k, 1}, data.layout().extent(k)};
      return true;
    };
    run_targets<Rules.rule, has_rows ? scatter_motion::rows : scatter_motion::elements>(
        ex, data, source_of(indices), updates, output, offered<Set>(reduce),
        {Rules.operation, Rules.rule, policy, naming::coordinate}, check, error);
  }
};

// The plain scatters with a policy.
template <class Operator>
struct rules_of_call;
template <const rows_rules& Rules>
struct rules_of_call<scatter_rows_call<Rules>> : reduce_on_axis<Rules, reduction_set{}> {};
template <const elements_rules& Rules>
struct rules_of_call<scatter_elements_call<Rules>> : reduce_on_axis<Rules, reduction_set{}> {};

template <class Operator, class Ex, class D, index_policy Policy, class Indices, class U, class T>
constexpr void run_call(Operator, Ex& ex, const tensor_view<D>& data,
                        const indices_with_policy<Policy, Indices>& indices, const tensor_view<U>& updates,
                        const index_list& axis, const tensor_view<T>& output, status& error) {
  rules_of_call<Operator>::run(ex, error, data, indices, updates, axis, reduction::none, output);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_GENERAL_HPP
