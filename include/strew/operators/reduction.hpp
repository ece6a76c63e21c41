// SPDX-License-Identifier: Apache-2.0
// Reductions: how an update is combined with the current element.
#ifndef STREW_OPERATORS_REDUCTION_HPP
#define STREW_OPERATORS_REDUCTION_HPP

#include <strew/config.hpp>
#include <strew/detail/complex_product.hpp>
#include <strew/detail/half_formats.hpp>
#include <strew/operators/floating.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

namespace reduction {

// The named reductions: function objects f(current, update) whose result is rounded to T. strew::reduction::sum is the
// object of sum_type, and so on.
//
//             arithmetic T         bool   complex   strings and other types
//   sum       current + update     OR     yes       where T has + that gives T
//   sub       current - update     XOR    yes       where T has -
//   prod      current * update     AND    yes       where T has *
//   min, max  the less or greater  AND,OR no        where T has <
//   mean      see mean_type        no     yes       where floating<T> is specialised
//
// Integers wrap modulo 2^bits. min and max return the first NaN; of equal values (also -0.0 and 0.0) the current
// element stays. A NaN stays a NaN; its sign and payload are promised for assignment, min and max alone. Products of
// std::complex are those of its operator*, each step rounded; other complex types use their own operator*. A bool whose
// byte is not 0 counts as true, and results are 0 or 1; none copies the byte. With a type that lacks an operation (mean
// of bool, min of complex) the call does not compile.
struct none_type {
  template <class T>
  static constexpr bool takes = true;
  static constexpr reduction_kind kind = reduction_kind::none;

  template <class T>
  STREW_KEYED constexpr const T& operator()(const T&, const T& update) const noexcept {
    return update;
  }
};

struct sum_type {
  template <class T>
  static constexpr bool takes = detail::has_accumulator<T> || requires(const T& value, const T& other) {
    { value + other } -> std::convertible_to<T>;
  };
  static constexpr reduction_kind kind = reduction_kind::sum;

  template <class T>
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    if constexpr (std::is_same_v<T, bool>) {
      return current || update;
    } else if constexpr (detail::wrapping_integer<T>) {
      using wide = typename detail::modular_of<T>::type;
      return static_cast<T>(static_cast<wide>(static_cast<wide>(current) + static_cast<wide>(update)));
    } else if constexpr (detail::has_accumulator<T>) {
      return detail::narrow<T>(detail::widen(current) + detail::widen(update));
    } else if constexpr (detail::is_std_complex<T>) {  // whose operators clang does not evaluate in constants
      return T(current.real() + update.real(), current.imag() + update.imag());
    } else {
      return static_cast<T>(current + update);
    }
  }
};

struct sub_type {
  template <class T>
  static constexpr bool takes = detail::has_accumulator<T> || requires(const T& value, const T& other) {
    { value - other } -> std::convertible_to<T>;
  };
  static constexpr reduction_kind kind = reduction_kind::sub;

  template <class T>
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    if constexpr (std::is_same_v<T, bool>) {
      return current != update;
    } else if constexpr (detail::wrapping_integer<T>) {
      using wide = typename detail::modular_of<T>::type;
      return static_cast<T>(static_cast<wide>(static_cast<wide>(current) - static_cast<wide>(update)));
    } else if constexpr (detail::has_accumulator<T>) {
      return detail::narrow<T>(detail::widen(current) - detail::widen(update));
    } else if constexpr (detail::is_std_complex<T>) {  // whose operators clang does not evaluate in constants
      return T(current.real() - update.real(), current.imag() - update.imag());
    } else {
      return static_cast<T>(current - update);
    }
  }
};

struct prod_type {
  template <class T>
  static constexpr bool takes = detail::has_accumulator<T> || requires(const T& value) {
    { value* value } -> std::convertible_to<T>;
  };
  static constexpr reduction_kind kind = reduction_kind::prod;

  template <class T>
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    if constexpr (std::is_same_v<T, bool>) {
      return current && update;
    } else if constexpr (detail::wrapping_integer<T>) {
      using wide = typename detail::modular_of<T>::type;
      return static_cast<T>(static_cast<wide>(static_cast<wide>(current) * static_cast<wide>(update)));
    } else if constexpr (detail::has_accumulator<T>) {
      return detail::narrow<T>(detail::widen(current) * detail::widen(update));
    } else if constexpr (detail::complex_like<T>) {
      return detail::complex_product(current, update);
    } else {
      return static_cast<T>(current * update);
    }
  }
};

struct min_type {
  template <class T>
  static constexpr bool takes = detail::comparable<T>;
  static constexpr reduction_kind kind = reduction_kind::min;

  template <class T>
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    if constexpr (std::is_same_v<T, bool>) {
      return current && update;
    } else if constexpr (detail::half_element<T>) {
      return detail::lesser_half(current, update);
    } else {
      if (detail::is_nan(current)) return current;
      return detail::is_nan(update) || detail::is_less(update, current) ? update : current;
    }
  }
};

struct max_type {
  template <class T>
  static constexpr bool takes = detail::comparable<T>;
  static constexpr reduction_kind kind = reduction_kind::max;

  template <class T>
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    if constexpr (std::is_same_v<T, bool>) {
      return current || update;
    } else if constexpr (detail::half_element<T>) {
      return detail::greater_half(current, update);
    } else {
      if (detail::is_nan(current)) return current;
      return detail::is_nan(update) || detail::is_less(current, update) ? update : current;
    }
  }
};

// The mean of an element's old value (unless without_init) and its updates, summed in their order and divided once by
// their number. Integers: the exact sum, divided with rounding towards minus infinity. float, double, long double,
// complex: summed in T. Types with floating<T>: summed in its accumulator and rounded once. An element without updates
// keeps its bits.
//
// A mean of many elements is fastest with a workspace (heap_workspace, or workspace_bytes bytes): with as many updates
// as elements 2 to 5 times a sum. Without one the indices are read once more for each 32,768 elements of float, double
// and complex numbers, 4,096 with 64 updates and more for each, and for each 2,048 or 1,365 of integers and 16-bit
// floats: at 10^6 elements 6 times a sum, of integers 50.
struct mean_type {
  template <class T>
  static constexpr bool takes = detail::averaged<T>;
  static constexpr reduction_kind kind = reduction_kind::mean;
};

// The objects that operators take.
inline constexpr none_type none{};
inline constexpr sum_type sum{};
inline constexpr sub_type sub{};
inline constexpr prod_type prod{};
inline constexpr min_type min{};
inline constexpr max_type max{};
inline constexpr mean_type mean{};

// A reduction that leaves NaNs out: updates that are NaN (complex numbers: of which either part is) have no effect, as
// if they were not among the updates. A NaN of data is data: it stays one. An element all of whose updates are NaN
// keeps its bits; a mean divides by the number of the other updates, and one more with data. For element types without
// NaNs this is the reduction itself. docs/extensions.md has the contract.
//
// Sums, products, minima and maxima keep nothing. A mean, and without_init of any, keep a state for each element, never
// for a row: a count or a sum, or a byte, in a workspace or for some thousand elements at a time on the stack.
template <class Reduction>
struct without_nan_type {
  template <class T>
  static constexpr bool takes = Reduction::template takes<T>;
  static constexpr reduction_kind kind = Reduction::kind;
  using reduction_with_nan = Reduction;

  template <class T>
    requires(Reduction::kind != reduction_kind::mean)
  STREW_KEYED constexpr T operator()(const T& current, const T& update) const {
    return detail::is_nan(update) ? current : Reduction{}(current, update);
  }
};

// For sum, prod, min, max and mean: without_nan(strew::reduction::sum). without_init wraps it.
template <class Reduction>
  requires detail::is_one_of<Reduction, sum_type, prod_type, min_type, max_type, mean_type>
constexpr without_nan_type<Reduction> without_nan(Reduction) noexcept {
  return {};
}

// A reduction without the old value: an element with updates begins as a copy of the first of them, in row-major order
// (use_init_val = false in OpenVINO, include_self = false in PyTorch). An element without updates keeps its bits.
//
// Integers, and float, double and complex numbers without NaNs among the updates (min and max also with NaNs), take two
// passes over the indices and no memory, but for products of complex numbers and long double. All others keep a byte
// for each element, in a workspace or for 32,768 elements at a time on the stack.
template <class Reduction>
struct without_init_type {
  template <class T>
  static constexpr bool takes = Reduction::template takes<T>;
  static constexpr reduction_kind kind = Reduction::kind;
  using reduction_type = Reduction;
};

// For sum, prod, min, max and mean, and without_nan of them: without_init(strew::reduction::sum).
template <class Reduction>
  requires detail::is_one_of<Reduction, sum_type, prod_type, min_type, max_type, mean_type>
constexpr without_init_type<Reduction> without_init(Reduction) noexcept {
  return {};
}
template <class Reduction>
constexpr without_init_type<without_nan_type<Reduction>> without_init(without_nan_type<Reduction>) noexcept {
  return {};
}

// What with_positions of strew/operators/with_positions.hpp returns. Numbers: a view of integers.
template <class Reduction, class Numbers>
struct with_positions_type {
  using reduction_type = Reduction;

  Reduction reduce;
  Numbers numbers;
};

}  // namespace reduction

namespace detail::inline STREW_CODE {

template <class R>
inline constexpr bool has_positions = false;
template <class Reduction, class Numbers>
inline constexpr bool has_positions<reduction::with_positions_type<Reduction, Numbers>> = true;

template <class R>
inline constexpr bool omits_init = false;
template <class R>
inline constexpr bool omits_init<reduction::without_init_type<R>> = true;
template <class R>
inline constexpr bool skips_nan = false;
template <class R>
inline constexpr bool skips_nan<reduction::without_nan_type<R>> = true;
template <class R>
inline constexpr bool skips_nan<reduction::without_init_type<reduction::without_nan_type<R>>> = true;
// The same reduction with NaNs.
template <class R>
struct with_nan {
  using type = R;
};
template <class R>
struct with_nan<reduction::without_nan_type<R>> {
  using type = R;
};
template <class R>
struct with_nan<reduction::without_init_type<reduction::without_nan_type<R>>> {
  using type = reduction::without_init_type<R>;
};
// The reduction R as elements T are reduced: without NaNs only if T has some, so that other types have no loops twice.
template <class T, class R>
using reduction_for =
    typename std::conditional_t<skips_nan<R> && !has_nan<T>(), with_nan<R>, std::type_identity<R>>::type;
// One of the types above. Any other callable is a reduction of the caller.
template <class R>
concept named_reduction = omits_init<R> || skips_nan<R> ||
    is_one_of<R, reduction::none_type, reduction::sum_type, reduction::sub_type, reduction::prod_type,
              reduction::min_type, reduction::max_type, reduction::mean_type>;

// The object of a named reduction.
template <reduction_kind Kind>
constexpr auto reduction_of() noexcept {
  if constexpr (Kind == reduction_kind::none) {
    return reduction::none;
  } else if constexpr (Kind == reduction_kind::sum) {
    return reduction::sum;
  } else if constexpr (Kind == reduction_kind::sub) {
    return reduction::sub;
  } else if constexpr (Kind == reduction_kind::prod) {
    return reduction::prod;
  } else if constexpr (Kind == reduction_kind::min) {
    return reduction::min;
  } else if constexpr (Kind == reduction_kind::max) {
    return reduction::max;
  } else {
    return reduction::mean;
  }
}

template <class T, class R>
constexpr bool can_reduce() noexcept {
  if constexpr (named_reduction<R>) {
    return R::template takes<T>;
  } else {
    return requires(const R& f, const T& value) {
      { f(value, value) } -> std::convertible_to<T>;
    };
  }
}

// Whether f(current, update), and making a T of its result, are known not to throw.
template <class T, class R>
constexpr bool reduces_without_throwing() noexcept {
  if constexpr (named_reduction<R>) {
    return std::is_arithmetic_v<T> || has_accumulator<T> || complex_like<T> ||
           (std::is_same_v<R, reduction::none_type> && std::is_nothrow_copy_assignable_v<T>);
  } else if constexpr (std::is_nothrow_invocable_v<const R&, const T&, const T&>) {
    using result = std::invoke_result_t<const R&, const T&, const T&>;
    return std::is_same_v<std::remove_cvref_t<result>, T> || std::is_nothrow_constructible_v<T, result>;
  } else {
    return false;
  }
}

}  // namespace detail

// Satisfied by the named reductions that T supports, and by callables f(current, update) that can be called as const
// and whose result converts to T. The result is assigned from a const T&. A noexcept callable, of whose result a T is
// made without throwing, may be called on several threads at the same time, for different elements; one that may throw
// is called on the calling thread alone.
template <class T, class R>
concept reducible_by = detail::can_reduce<T, std::remove_cvref_t<R>>();

namespace detail::inline STREW_CODE {

// SkipsNan: with without_nan of the reduction.
template <class T, reduction_set Set, bool SkipsNan, class Body>
constexpr status try_visit_reduction(reduction_kind kind, bool include_init, Body&& body) {
  bool was_called = false;
  const auto call = [&]<class R>(R reduction) {
    if constexpr (Set.contains(R::kind) && (Set.may_omit_init || !detail::omits_init<R>)) {
      if constexpr (detail::can_reduce<T, R>()) {
        was_called = true;
        body(reduction);
      }
    }
  };
  const auto call_either = [&]<class R>(R) {
    using used = std::conditional_t<SkipsNan, reduction::without_nan_type<R>, R>;
    if (include_init) {
      call(used{});
    } else {
      call(reduction::without_init(used{}));
    }
  };
  switch (kind) {
    case reduction_kind::none:
      if constexpr (!SkipsNan) call(reduction::none);
      break;
    case reduction_kind::sub:
      if constexpr (!SkipsNan) {
        if (include_init) call(reduction::sub);
      }
      break;
    case reduction_kind::sum:
      call_either(reduction::sum);
      break;
    case reduction_kind::prod:
      call_either(reduction::prod);
      break;
    case reduction_kind::min:
      call_either(reduction::min);
      break;
    case reduction_kind::max:
      call_either(reduction::max);
      break;
    case reduction_kind::mean:
      call_either(reduction::mean);
      break;
  }
  if (was_called) return {};
  return {errc::unsupported_reduction,
          "reduction::visit",
          "kind",
          SkipsNan       ? " {o} is not offered for this element type without NaNs"
          : include_init ? " {o} is not offered for this element type"
                         : " {o} is not offered for this element type without what was there",
          {},
          {},
          reduction::name_of(kind)};
}

}  // namespace detail

namespace reduction {

// Calls body(reduction) with the object of a reduction that is known at run time only, without_init of it if
// include_init is false. Returns unsupported_reduction, and does not call body, for a kind that T or Set lacks, and for
// sub without the old value. none ignores include_init. Set is that of the operator which body calls. O(1), not
// counting body:
//
//   visit<float, v12::scatter_elements_update_reductions>(kind, use_init_val, [&](auto reduction) {
//     v12::scatter_elements_update(data, indices, updates, axis, reduction, output);
//   });
template <class T, reduction_set Set = all_reductions, class Body>
STREW_KEYED constexpr status try_visit(reduction_kind kind, bool include_init, Body&& body) {
  return detail::try_visit_reduction<T, Set, false>(kind, include_init, body);
}
// Throws what try_visit returns.
template <class T, reduction_set Set = all_reductions, class Body>
STREW_KEYED constexpr void visit(reduction_kind kind, bool include_init, Body&& body) {
  detail::raise_if_error(try_visit<T, Set>(kind, include_init, std::forward<Body>(body)));
}
// The same with without_nan of the reduction; none and sub are then unsupported_reduction.
template <class T, reduction_set Set = all_reductions, class Body>
STREW_KEYED constexpr status try_visit_without_nan(reduction_kind kind, bool include_init, Body&& body) {
  return detail::try_visit_reduction<T, Set, true>(kind, include_init, body);
}
template <class T, reduction_set Set = all_reductions, class Body>
STREW_KEYED constexpr void visit_without_nan(reduction_kind kind, bool include_init, Body&& body) {
  detail::raise_if_error(try_visit_without_nan<T, Set>(kind, include_init, std::forward<Body>(body)));
}

}  // namespace reduction
}  // namespace strew

#endif  // STREW_OPERATORS_REDUCTION_HPP
