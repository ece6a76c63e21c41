// SPDX-License-Identifier: Apache-2.0
// The operators as objects: the forms of a call, once for all operators of one signature.
#ifndef STREW_DETAIL_FRONT_OPERATORS_HPP
#define STREW_DETAIL_FRONT_OPERATORS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/executor.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How a call reports an error.
struct by_exception {
  using result = void;
  static constexpr bool throws = true;
  static constexpr void report(const status& error) { raise_if_error(error); }
};
struct by_status {
  using result = status;
  static constexpr bool throws = false;
  static constexpr const status& report(const status& error) noexcept { return error; }
};

// Whether a call that writes to an Output on an Ex cannot throw.
template <class Report, class Ex, class Output>
inline constexpr bool calls_without_throwing =
    !Report::throws && assigns_without_throwing<view_element<Output>> && executes_without_throwing<Ex>;

// Operators on data, updates and slices. Each form is one overload; that operands are what they must be is asserted
// inside, where the compiler's first line can say what to change.
template <class Operator, class Report>
struct slice_operator {
  using result = typename Report::result;

  // output = data with the updates put in.
  template <executor Ex, class Data, class Updates, class Output>
  constexpr result operator()(Ex&& ex, const Data& data, const Updates& updates, const slice_spec& slice,
                              const Output& output) const noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_operand_types<Data, Updates, Output>()) {
      status error;
      run_call(Operator{}, ex, data, updates, slice, output, error);
      return Report::report(error);
    }
  }
  template <class Data, class Updates, class Output>
    requires(!executor<const Data>)
  constexpr result operator()(const Data& data, const Updates& updates, const slice_spec& slice,
                              const Output& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, data, updates, slice, output);
  }

  // In place: data is the output.
  template <executor Ex, class Data, class Updates>
  constexpr result operator()(Ex&& ex, const Data& data, const Updates& updates, const slice_spec& slice) const
      noexcept(calls_without_throwing<Report, Ex, Data>) {
    return (*this)(ex, data, updates, slice, data);
  }
  template <class Data, class Updates>
    requires(!executor<const Data>)
  constexpr result operator()(const Data& data, const Updates& updates, const slice_spec& slice) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    return (*this)(serial, data, updates, slice, data);
  }
};

// Operators on data, indices, updates and an axis, an integer or a list of one.
template <class Operator, class Report>
struct indexed_operator {
  using result = typename Report::result;

  template <executor Ex, class Data, class Indices, class Updates, class Output>
  constexpr result operator()(Ex&& ex, const Data& data, const Indices& indices, const Updates& updates,
                              const index_list& axis, const Output& output) const
      noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_scatter_types<Data, Indices, Updates, Output>()) {
      status error;
      run_call(Operator{}, ex, data, indices, updates, axis, output, error);
      return Report::report(error);
    }
  }
  template <class Data, class Indices, class Updates, class Output>
    requires(!executor<const Data>)
  constexpr result operator()(const Data& data, const Indices& indices, const Updates& updates, const index_list& axis,
                              const Output& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, data, indices, updates, axis, output);
  }

  // In place: data is the output.
  template <executor Ex, class Data, class Indices, class Updates>
  constexpr result operator()(Ex&& ex, const Data& data, const Indices& indices, const Updates& updates,
                              const index_list& axis) const noexcept(calls_without_throwing<Report, Ex, Data>) {
    return (*this)(ex, data, indices, updates, axis, data);
  }
  template <class Data, class Indices, class Updates>
    requires(!executor<const Data>)
  constexpr result operator()(const Data& data, const Indices& indices, const Updates& updates,
                              const index_list& axis) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    return (*this)(serial, data, indices, updates, axis, data);
  }
};

// The same where the axis may be left out: then it is 0.
template <class Operator, class Report>
struct indexed_operator_on_axis_0 : indexed_operator<Operator, Report> {
  using base = indexed_operator<Operator, Report>;
  using base::operator();
  using result = typename Report::result;

  template <executor Ex, class Data, class Indices, class Updates, class Output>
    requires(is_view<Output>)
  constexpr result operator()(Ex&& ex, const Data& data, const Indices& indices, const Updates& updates,
                              const Output& output) const noexcept(calls_without_throwing<Report, Ex, Output>) {
    return base::operator()(ex, data, indices, updates, 0, output);
  }
  template <class Data, class Indices, class Updates, class Output>
    requires(!executor<const Data> && is_view<Output>)
  constexpr result operator()(const Data& data, const Indices& indices, const Updates& updates,
                              const Output& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return base::operator()(serial, data, indices, updates, 0, output);
  }

  template <executor Ex, class Data, class Indices, class Updates>
  constexpr result operator()(Ex&& ex, const Data& data, const Indices& indices, const Updates& updates) const
      noexcept(calls_without_throwing<Report, Ex, Data>) {
    return base::operator()(ex, data, indices, updates, 0, data);
  }
  template <class Data, class Indices, class Updates>
    requires(!executor<const Data>)
  constexpr result operator()(const Data& data, const Indices& indices, const Updates& updates) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    return base::operator()(serial, data, indices, updates, 0, data);
  }
};

}  // namespace strew::inline STREW_ABI::detail::inline STREW_CODE

#endif  // STREW_DETAIL_FRONT_OPERATORS_HPP
