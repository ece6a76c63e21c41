// SPDX-License-Identifier: Apache-2.0
// The four operators under one signature and in all their forms (throwing and try_, out of place and in place), and
// what each call is held to: the result, and every byte that it must leave alone.
#ifndef STREW_TESTS_SUPPORT_OPERATOR_CALLS_HPP
#define STREW_TESTS_SUPPORT_OPERATOR_CALLS_HPP

#include "backwards.hpp"
#include "catch.hpp"
#include "guarded_buffer.hpp"
#include "oracle.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {

struct slice_scatter_operator {
  static constexpr const char* name = "slice_scatter";
  static constexpr bool takes_rows = false;

  template <class D, class I, class U, class... Output>
  static void call(const D& data, const I&, const U& updates, const slice_spec& slice, const Output&... output) {
    slice_scatter(data, updates, slice, output...);
  }
  template <class D, class I, class U, class... Output>
  static status attempt(const D& data, const I&, const U& updates, const slice_spec& slice, const Output&... output) {
    return try_slice_scatter(data, updates, slice, output...);
  }
  template <class D, class I, class U, class... Output>
  static status attempt(backwards ex, const D& data, const I&, const U& updates, const slice_spec& slice,
                        const Output&... output) {
    return try_slice_scatter(ex, data, updates, slice, output...);
  }
};

struct scatter_update_operator {
  static constexpr const char* name = "scatter_update";
  static constexpr bool takes_rows = true;
  static constexpr bool negatives_allowed = false;

  template <class... Arguments>
  static void call(const Arguments&... arguments) {
    scatter_update(arguments...);
  }
  template <class... Arguments>
  static status attempt(const Arguments&... arguments) {
    return try_scatter_update(arguments...);
  }
};

struct scatter_elements_update_operator {
  static constexpr const char* name = "scatter_elements_update";
  static constexpr bool takes_rows = false;
  static constexpr bool negatives_allowed = false;
  static constexpr bool indices_may_exceed_axis = false;

  template <class... Arguments>
  static void call(const Arguments&... arguments) {
    scatter_elements_update(arguments...);
  }
  template <class... Arguments>
  static status attempt(const Arguments&... arguments) {
    return try_scatter_elements_update(arguments...);
  }
};

struct onnx_scatter_operator {
  static constexpr const char* name = "onnx::scatter";
  static constexpr bool takes_rows = false;
  static constexpr bool negatives_allowed = true;
  static constexpr bool indices_may_exceed_axis = true;

  template <class... Arguments>
  static void call(const Arguments&... arguments) {
    onnx::scatter(arguments...);
  }
  template <class... Arguments>
  static status attempt(const Arguments&... arguments) {
    return onnx::try_scatter(arguments...);
  }
};

using elements_operators = std::tuple<scatter_elements_update_operator, onnx_scatter_operator>;
using indexed_operators = std::tuple<scatter_update_operator, scatter_elements_update_operator, onnx_scatter_operator>;
using all_operators = std::tuple<slice_scatter_operator, scatter_update_operator, scatter_elements_update_operator,
                                 onnx_scatter_operator>;

// The memory of one call. SliceScatter has no indices.
template <class T, class I = int>
struct operands {
  guarded_buffer<T> data;
  guarded_buffer<I> indices;
  guarded_buffer<T> updates;
  guarded_buffer<T> output;
};

// Row-major operands with the given values and an output shaped like data.
template <class T, class I = int>
operands<T, I> make_operands(const shape& data, const std::vector<T>& data_values, const shape& indices,
                             const std::vector<I>& index_values, const shape& updates,
                             const std::vector<T>& update_values) {
  return {{data, data_values}, {indices, index_values}, {updates, update_values}, guarded_buffer<T>{data}};
}

template <class T>
operands<T> make_operands(const shape& data, const std::vector<T>& data_values, const shape& updates,
                          const std::vector<T>& update_values) {
  return make_operands<T, int>(data, data_values, {0}, {}, updates, update_values);
}

// Row-major operands whose data and updates count up, data from 0 and updates from 100.
template <class T, class I = int>
operands<T, I> make_counting_operands(const shape& data, const shape& indices, const std::vector<I>& index_values,
                                      const shape& updates) {
  operands<T, I> result{
      guarded_buffer<T>{data}, {indices, index_values}, guarded_buffer<T>{updates}, guarded_buffer<T>{data}};
  result.data.fill_from(0);
  result.updates.fill_from(100);
  return result;
}

enum class form { throwing, attempted, in_parts, throwing_in_place, attempted_in_place, in_parts_in_place, onto_data };

inline const std::vector<form> all_forms{form::throwing,          form::attempted,          form::in_parts,
                                         form::throwing_in_place, form::attempted_in_place, form::in_parts_in_place,
                                         form::onto_data};
inline const std::vector<form> forms_out_of_place{form::throwing, form::attempted, form::in_parts};

inline bool is_in_place(form how) {
  return how != form::throwing && how != form::attempted && how != form::in_parts;
}

inline std::string name_of(form how) {
  switch (how) {
    case form::throwing:
      return "throwing";
    case form::attempted:
      return "try_";
    case form::in_parts:
      return "try_, with an executor";
    case form::in_parts_in_place:
      return "try_, with an executor, in place";
    case form::throwing_in_place:
      return "throwing, in place";
    case form::attempted_in_place:
      return "try_, in place";
    case form::onto_data:
      return "try_, with data as the output";
  }
  return "";
}

// Makes the call in one of its forms. Views of T and of const T take turns.
template <class Operator, class T, class I, class Where>
status run(form how, operands<T, I>& on, const Where& where) {
  try {
    switch (how) {
      case form::throwing:
        Operator::call(on.data.view(), on.indices.view(), on.updates.view(), where, on.output.view());
        return {};
      case form::attempted:
        return Operator::attempt(on.data.const_view(), on.indices.const_view(), on.updates.const_view(), where,
                                 on.output.view());
      case form::in_parts:
        return Operator::attempt(backwards{}, on.data.view(), on.indices.const_view(), on.updates.view(), where,
                                 on.output.view());
      case form::in_parts_in_place:
        return Operator::attempt(backwards{}, on.data.view(), on.indices.view(), on.updates.const_view(), where);
      case form::throwing_in_place:
        Operator::call(on.data.view(), on.indices.const_view(), on.updates.view(), where);
        return {};
      case form::attempted_in_place:
        return Operator::attempt(on.data.view(), on.indices.view(), on.updates.const_view(), where);
      case form::onto_data:
        return Operator::attempt(on.data.const_view(), on.indices.view(), on.updates.view(), where, on.data.view());
    }
  } catch (const scatter_error& error) {
    REQUIRE(error.what() == std::string(error.status().message().view()));
    REQUIRE(error.code() == error.status().code());
    return error.status();
  }
  return {};
}

// How a call that was refused differs from one that touched nothing; empty when it does not.
template <class T, class I>
std::string traces_of_refused_call(const operands<T, I>& before, const operands<T, I>& after) {
  if (!after.data.is_same_as(before.data)) return "data was written";
  if (!after.indices.is_same_as(before.indices)) return "indices were written";
  if (!after.updates.is_same_as(before.updates)) return "updates were written";
  if (!after.output.is_same_as(before.output)) return "output was written";
  return "";
}

// What a successful call wrote besides elements of its output; empty when nothing.
template <class T, class I>
std::string stray_writes(form how, const operands<T, I>& before, const operands<T, I>& after) {
  if (!after.indices.is_same_as(before.indices)) return "indices were written";
  if (!after.updates.is_same_as(before.updates)) return "updates were written";
  if (is_in_place(how)) {
    if (!after.output.is_same_as(before.output)) return "a tensor that took no part was written";
    if (!after.data.is_same_around_elements(before.data)) return "memory around the elements of data was written";
  } else {
    if (!after.data.is_same_as(before.data)) return "data was written";
    if (!after.output.is_same_around_elements(before.output)) return "memory around the elements of output was written";
  }
  return "";
}

// The first difference between what a successful call did and what the oracle says; empty when there is none.
template <class T, class I>
std::string deviation(form how, const operands<T, I>& before, const operands<T, I>& after,
                      const oracle::provenance& expected) {
  const std::string stray = stray_writes(how, before, after);
  if (!stray.empty()) return stray;
  const std::vector<T> data = before.data.values();
  const std::vector<T> updates = before.updates.values();
  const std::vector<T> output = (is_in_place(how) ? after.data : after.output).values();
  if (output.size() != expected.size()) return "the output has another size";
  for (std::size_t k = 0; k < output.size(); ++k) {
    const bool from_data = expected[k] == oracle::kept;
    const T value = from_data ? data[k] : updates[static_cast<std::size_t>(expected[k])];
    if (!same<T>(output[k], value)) {
      return "element " + std::to_string(k) + " is not that of " +
             (from_data ? std::string("data") : "update " + std::to_string(expected[k]));
    }
  }
  return "";
}

// The call succeeds in every form and gives these values, and nothing else is written.
template <class Operator, class T, class I, class Where>
void require_result(const operands<T, I>& before, const Where& where, const std::vector<T>& expected) {
  for (const form how : all_forms) {
    INFO(name_of(how));
    operands<T, I> after = before;
    const status outcome = run<Operator>(how, after, where);
    REQUIRE(std::string(outcome.message().view()) == "");
    REQUIRE((is_in_place(how) ? after.data : after.output).values() == expected);
    REQUIRE(stray_writes(how, before, after) == "");
  }
}

// The call is refused in each of the forms, with this code and message, and leaves every byte alone.
template <class Operator, class T, class I, class Where>
void require_refused(const operands<T, I>& before, const Where& where, errc code, const std::string& message,
                     const std::vector<form>& forms = all_forms) {
  for (const form how : forms) {
    INFO(name_of(how));
    operands<T, I> after = before;
    const status outcome = run<Operator>(how, after, where);
    REQUIRE(std::string(outcome.message().view()) == message);
    REQUIRE(outcome.code() == code);
    REQUIRE(traces_of_refused_call(before, after) == "");
  }
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_OPERATOR_CALLS_HPP
