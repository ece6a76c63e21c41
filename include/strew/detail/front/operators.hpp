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
    !Report::throws && assigns_without_throwing<view_element<viewed<Output>>> && executes_without_throwing<Ex>;

// Whether an argument stands in an executor's place. A const one may be callable only where it is not const: that is
// said when it is called.
template <class Argument>
concept executor_like = executor<std::remove_cvref_t<Argument>>;

template <class...>
inline constexpr bool is_never = false;

// Calls body(data), where data is the output too: a tensor of another library is viewed once, as what is written.
template <class Report, class Data, class Body>
constexpr typename Report::result in_place(Data&& data, const Body& body) {
  if constexpr (is_foreign<Data>) {
    status error;
    const auto view = view_foreign(static_cast<Data&&>(data), error);
    if (!error.ok()) return Report::report(error);
    return body(view);
  } else {
    return body(data);
  }
}

// Operators on data, updates and slices. Each form is one overload, where the compiler's first line can say what is
// wrong with an operand.
template <class Operator, class Report>
struct slice_operator {
  using result = typename Report::result;

  // output = data with the updates put in.
  template <class Ex, class Data = braces, class Updates = braces, class Output = braces>
  constexpr result operator()(Ex&& ex, const Data& data, const Updates& updates, const slice_spec& slice,
                              Output&& output) const noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_executor<Ex>() &&
                  check_operand_types<viewed<const Data&>, viewed<const Updates&>, viewed<Output>>()) {
      status error;
      with_views(
          error,
          [&](const auto& from, const auto& with, const auto& to) {
            run_call(Operator{}, ex, from, with, slice, to, error);
          },
          data, updates, static_cast<Output&&>(output));
      return Report::report(error);
    }
  }
  template <class Data = braces, class Updates = braces, class Output = braces>
    requires(!executor_like<Data>)
  constexpr result operator()(const Data& data, const Updates& updates, const slice_spec& slice, Output&& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, data, updates, slice, static_cast<Output&&>(output));
  }

  // In place: data is the output.
  template <executor_like Ex, class Data = braces, class Updates = braces>
  constexpr result operator()(Ex&& ex, Data&& data, const Updates& updates, const slice_spec& slice) const
      noexcept(calls_without_throwing<Report, Ex, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(data),
                              [&](const auto& both) -> result { return (*this)(ex, both, updates, slice, both); });
    }
  }
  template <class Data = braces, class Updates = braces>
    requires(!executor_like<Data>)
  constexpr result operator()(Data&& data, const Updates& updates, const slice_spec& slice) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(data),
                              [&](const auto& both) -> result { return (*this)(serial, both, updates, slice, both); });
    }
  }

  // None of these forms.
  template <class... Arguments>
    requires(!std::is_convertible_v<const Arguments&, const slice_spec&> && ...)
  constexpr result operator()(const Arguments&...) const {
    static_assert(is_never<Arguments...>,
                  "strew: a slice is missing; the order is executor (if any), data, updates, {.start = .., .stop = .., "
                  ".step = ..}, output (if any)");
  }
};

// Operators on data, indices, updates and an axis.
template <class Operator, class Report, bool AxisMayBeLeftOut = false>
struct indexed_operator {
  using operator_type = Operator;
  using result = typename Report::result;

  template <class Ex, class Data = braces, class Indices = braces, class Updates = braces, class Output = braces>
  constexpr result operator()(Ex&& ex, const Data& data, const Indices& indices, const Updates& updates,
                              const axis_argument& axis, Output&& output) const
      noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_executor<Ex>() && check_scatter_types<viewed<const Data&>, bare_indices<viewed<const Indices&>>,
                                                              viewed<const Updates&>, viewed<Output>>()) {
      status error;
      with_views(
          error,
          [&](const auto& from, const auto& at, const auto& with, const auto& to) {
            run_call(Operator{}, ex, from, at, with, axis.list, to, error);
          },
          data, indices, updates, static_cast<Output&&>(output));
      return Report::report(error);
    }
  }
  template <class Data = braces, class Indices = braces, class Updates = braces, class Output = braces>
    requires(!executor_like<Data>)
  constexpr result operator()(const Data& data, const Indices& indices, const Updates& updates,
                              const axis_argument& axis, Output&& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, data, indices, updates, axis, static_cast<Output&&>(output));
  }

  // In place: data is the output.
  template <executor_like Ex, class Data = braces, class Indices = braces, class Updates = braces>
  constexpr result operator()(Ex&& ex, Data&& data, const Indices& indices, const Updates& updates,
                              const axis_argument& axis) const noexcept(calls_without_throwing<Report, Ex, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(data), [&](const auto& both) -> result {
        return (*this)(ex, both, indices, updates, axis, both);
      });
    }
  }
  template <class Data = braces, class Indices = braces, class Updates = braces>
    requires(!executor_like<Data>)
  constexpr result operator()(Data&& data, const Indices& indices, const Updates& updates,
                              const axis_argument& axis) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(data), [&](const auto& both) -> result {
        return (*this)(serial, both, indices, updates, axis, both);
      });
    }
  }

  // A container of integers in the axis's place may be the output: with containers for data, or where the axis may be
  // left out, one has to say.
  template <class Data, class Output>
  static constexpr bool mistakes_axis = is_axis_or_output<Output, Data> && (AxisMayBeLeftOut || is_foreign<Data>);

  // Without an axis, where it may be left out: then it is 0. Data&& as above, or neither form would be the better one.
  template <executor_like Ex, class Data = braces, class Indices = braces, class Updates = braces, class Output>
    requires(is_output_like<Output> || mistakes_axis<Data, Output>)
  constexpr result operator()(Ex&& ex, Data&& data, const Indices& indices, const Updates& updates,
                              Output&& output) const noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_is_output<Output, Data>() && check_axis_given<AxisMayBeLeftOut>()) {
      return (*this)(ex, data, indices, updates, 0, static_cast<Output&&>(output));
    }
  }
  template <class Data = braces, class Indices = braces, class Updates = braces, class Output>
    requires(!executor_like<Data> && (is_output_like<Output> || mistakes_axis<Data, Output>))
  constexpr result operator()(Data&& data, const Indices& indices, const Updates& updates, Output&& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    if constexpr (check_is_output<Output, Data>() && check_axis_given<AxisMayBeLeftOut>()) {
      return (*this)(serial, data, indices, updates, 0, static_cast<Output&&>(output));
    }
  }
  template <executor_like Ex, class Data = braces, class Indices = braces, class Updates = braces>
  constexpr result operator()(Ex&& ex, Data&& data, const Indices& indices, const Updates& updates) const
      noexcept(calls_without_throwing<Report, Ex, Data>) {
    if constexpr (check_axis_given<AxisMayBeLeftOut>()) {
      return (*this)(ex, static_cast<Data&&>(data), indices, updates, 0);
    }
  }
  template <class Data = braces, class Indices = braces, class Updates = braces>
    requires(!executor_like<Data>)
  constexpr result operator()(Data&& data, const Indices& indices, const Updates& updates) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    if constexpr (check_axis_given<AxisMayBeLeftOut>()) {
      return (*this)(static_cast<Data&&>(data), indices, updates, 0);
    }
  }

  // None of these forms.
  template <class... Arguments>
    requires(sizeof...(Arguments) < 3 || sizeof...(Arguments) > 6)
  constexpr result operator()(const Arguments&...) const {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, updates, axis, output (if any)");
  }
};

template <class Operator, class Report>
using indexed_operator_on_axis_0 = indexed_operator<Operator, Report, true>;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_OPERATORS_HPP
