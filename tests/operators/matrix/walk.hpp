// SPDX-License-Identifier: Apache-2.0
// Walks the list for one form: each operator that has it is called on random cases, in a few pairs of element and index
// types, and compared with naive loops; each other one has a word in its cell.
#ifndef STREW_TESTS_OPERATORS_MATRIX_WALK_HPP
#define STREW_TESTS_OPERATORS_MATRIX_WALK_HPP

#include "calls.hpp"
#include "list.hpp"
#include "support/catch.hpp"
#include "support/reduction_oracle.hpp"
#include "support/scatter_case.hpp"

#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test::matrix {

// ---- Types

template <std::size_t Size>
struct block {
  unsigned char bytes[Size];
};

// Elements that are combined, indices, elements that are moved, and a reduction.
template <class Combined, class Index, class Moved, reduction_kind Kind, bool IncludeInit = true, bool SkipsNan = false>
struct types {
  using combined = Combined;
  using index = Index;
  using moved = Moved;
  static constexpr reduction_kind kind = Kind;
  static constexpr bool include_init = IncludeInit;
  static constexpr bool skips_nan = SkipsNan;
};
// Every type of indices. Signed and unsigned ones take turns, and a form takes every third pair, so that two pairs have
// both.
using all_types = std::tuple<types<float, std::int64_t, float, reduction_kind::sum>,
                             types<std::int8_t, std::uint8_t, block<3>, reduction_kind::max>,
                             types<std::uint16_t, std::int16_t, std::uint16_t, reduction_kind::min>,
                             types<std::int64_t, std::uint64_t, block<12>, reduction_kind::mean, false>,
                             types<std::uint64_t, std::int8_t, double, reduction_kind::prod>,
                             types<bool, std::uint32_t, bool, reduction_kind::sub>,
                             types<std::complex<double>, std::int32_t, std::complex<double>, reduction_kind::prod>,
                             types<bfloat16, std::uint16_t, block<20>, reduction_kind::mean>,
                             types<double, std::int32_t, block<5>, reduction_kind::sum, true, true>,
                             types<float, std::uint32_t, block<6>, reduction_kind::mean, false, true>>;
inline constexpr std::size_t pairs_of_types = std::tuple_size_v<all_types>;
// How many of them a form compiles: half where tests are not built at length.
constexpr std::size_t compiled_pairs(std::size_t wanted) {
  return STREW_TEST_AT_LENGTH ? wanted : (wanted + 1) / 2;
}

template <class T>
constexpr dynamic::element_type element_type_of() {
  using enum dynamic::element_kind;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    return {boolean, size};
  } else if constexpr (std::is_integral_v<T>) {
    return {std::is_signed_v<T> ? signed_integer : unsigned_integer, size};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {floating_point, size};
  } else if constexpr (oracle::is_complex<T>) {
    return {complex, size};
  } else if constexpr (oracle::is_half<T>) {
    return {brain_float, size};
  } else {
    return {opaque, size};
  }
}

// The reduction of these types, or a sum where the operator has no such.
template <class Calls, class Types>
constexpr std::pair<reduction_kind, bool> reduction_for() {
  if (Calls::how == combining::none) return {reduction_kind::none, true};
  const bool is_offered = Calls::how == combining::named && offers(Calls::drawn_as, Types::kind, Types::include_init);
  // Only with positions is none asked for, where every operator has it.
  if (is_offered || Types::kind == reduction_kind::none) return {Types::kind, Types::include_init};
  return {reduction_kind::sum, true};
}
template <class Calls, class Types>
inline constexpr bool skips_nan = Types::skips_nan&& Calls::how == combining::named;
template <class Calls, class Types>
constexpr auto named_reduction() {
  using enum reduction_kind;
  constexpr std::pair<reduction_kind, bool> found = reduction_for<Calls, Types>();
  if constexpr (Calls::how != combining::named) {
    return unnamed{};
  } else if constexpr (skips_nan<Calls, Types>) {
    if constexpr (found.first == sum) {
      return reduction::without_nan(reduction::sum);
    } else {
      return reduction::without_init(reduction::without_nan(reduction::mean));
    }
  } else if constexpr (found.first == none) {
    return reduction::none;
  } else if constexpr (found.first == sum) {
    return reduction::sum;
  } else if constexpr (found.first == sub) {
    return reduction::sub;
  } else if constexpr (found.first == prod) {
    return reduction::prod;
  } else if constexpr (found.first == min) {
    return reduction::min;
  } else if constexpr (found.first == max) {
    return reduction::max;
  } else if constexpr (found.second) {
    return reduction::mean;
  } else {
    return reduction::without_init(reduction::mean);
  }
}
template <class Calls, class Types>
using element_of = std::conditional_t<Calls::how == combining::none, typename Types::moved, typename Types::combined>;

// ---- Operands

// How the tensors of a case become operands.
struct as_views {
  template <class T>
  static tensor_view<T> operand(const placed_bytes& from) {
    return view_of<T>(from);
  }
};

// Calls body(indices) with the indices, the mask or the tuple of a case, or with what says that there are none.
inline constexpr std::size_t most_tensors = 2;  // of index_put in these tests
template <class Calls, class Index, class How = as_views, class Body>
status with_indices(const scatter_case& on, const Body& body) {
  constexpr operation which = Calls::drawn_as;
  if constexpr (which == operation::index_put) {
    const auto first = How::template operand<const Index>(on.indices[0]);
    if (on.indices.size() == 1) return body(std::tuple{first});
    return body(std::tuple{first, How::template operand<const Index>(on.indices[1])});
  } else if constexpr (which == operation::masked_scatter || which == operation::masked_fill) {
    return body(How::template operand<const bool>(*on.mask));
  } else if constexpr (which == operation::slice_scatter || which == operation::select_scatter ||
                       which == operation::diagonal_scatter) {
    return body(unnamed{});
  } else {
    return body(How::template operand<const Index>(on.indices[0]));
  }
}

// What a form runs: the status of a call that returns or throws it.
template <class Call>
status status_of(const Call& call) {
  try {
    call();
    return {};
  } catch (const scatter_error& error) {
    return error.status();
  }
}

// ---- The walk

// The calls of an operator in one form and with one pair of types.
struct way {
  case_kind kind;
  case_runner run;
};
// What a form asks of cases, threads and memory.
struct wanted_cases {
  form which;
  std::optional<index_policy> policy = {};
  bool in_place = false;   // all of them, without an output
  bool has_parts = false;  // several threads
  bool has_value = false;  // all updates are one value
  int count = 40;          // of each way
};

// Calls an operator on random cases and compares each with what the oracle says.
void check_way(std::size_t row, const wanted_cases& wanted, std::size_t number, const way& each);
// Whether a cell of the form is to be run; where it is not it has a word.
bool has_cell(std::size_t row, form which);

// The forms that are walked by tests of this program; each says so when the program starts.
struct walked_form {
  explicit walked_form(form which);
};
const std::vector<form>& walked_forms();

template <class Form, class Calls, class Types>
status run_way(const scatter_case& on, const circumstances_of_call& in) {
  return Form::template run<Calls, element_of<Calls, Types>, typename Types::index>(on, in,
                                                                                    named_reduction<Calls, Types>());
}

template <class Form, std::size_t Row, class row_types>
void check_pair(std::size_t number) {
  using row_calls = std::tuple_element_t<Row, all_calls>;
  constexpr std::pair<reduction_kind, bool> reduce = reduction_for<row_calls, row_types>();
  case_kind kind;
  kind.form = call_form::typed;
  kind.which = row_calls::drawn_as;
  kind.type = element_type_of<element_of<row_calls, row_types>>();
  kind.reduce = reduce.first;
  kind.include_init = reduce.second;
  kind.skips_nan = skips_nan<row_calls, row_types>;
  kind.integers = strew::index_type_of<typename row_types::index>;
  check_way(Row, Form::wanted, number, {kind, run_way<Form, row_calls, row_types>});
}
template <class Form, std::size_t Row, std::size_t Number>
void check_types() {
  check_pair<Form, Row, std::tuple_element_t<(Row + Number) % pairs_of_types, all_types>>(Number);
}
template <class Form, std::size_t Row, std::size_t... Position>
bool walk_row(std::index_sequence<Position...>) {
  // A cell without a tick is not compiled.
  if constexpr (!cell(operators[Row], Form::wanted.which).empty()) {
    return has_cell(Row, Form::wanted.which);
  } else {
    if (!has_cell(Row, Form::wanted.which)) return false;
    (check_types<Form, Row, Form::first_types + 3 * Position>(), ...);
    return true;
  }
}
// Form: `wanted`, `first_types` and `types` (how many of all_types each operator is compiled with, from where on), and
//
//   template <class Calls, class T, class Index, class R>
//   static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce);
template <class Form>
void walk() {
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    std::size_t run = 0;
    ((run += walk_row<Form, Row>(std::make_index_sequence<compiled_pairs(Form::types)>()) ? 1U : 0U), ...);
    std::size_t ticks = 0;
    for (const operator_row& row : operators) ticks += cell(row, Form::wanted.which).empty() ? 1U : 0U;
    CHECK(run == ticks);  // all others have a word, see has_cell
  }
  (std::make_index_sequence<std::size(operators)>());
}

// Calls body.template operator()<Row>() for each row that has a form: of tests with types of their own.
template <form Which, class Body>
void for_each_row_with(const Body& body) {
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    const auto visit = [&]<std::size_t Number>() {
      if constexpr (cell(operators[Number], Which).empty()) body.template operator()<Number>();
    };
    (visit.template operator()<Row>(), ...);
  }
  (std::make_index_sequence<std::size(operators)>());
}

// Of an executor that lends no memory.
inline circumstances_of_call without_memory(circumstances_of_call in) {
  in.memory = {};
  return in;
}

// The call that most forms make: of operands of a kind, with an output.
template <class Calls, class T, class Index, class How = as_views, class R, class Call>
status with_arguments(const scatter_case& on, const R& reduce, const Call& call) {
  return with_indices<Calls, Index, How>(on, [&](const auto& indices) {
    return Calls::arguments(
        on, How::template operand<const T>(*on.data), indices, How::template operand<const T>(*on.updates), reduce,
        [&](const auto&... arguments) { return call(arguments..., How::template operand<T>(on.written())); });
  });
}

}  // namespace strew::test::matrix

#endif  // STREW_TESTS_OPERATORS_MATRIX_WALK_HPP
