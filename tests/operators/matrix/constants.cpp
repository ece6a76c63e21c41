// SPDX-License-Identifier: Apache-2.0
// Every operator in constant evaluation, on the examples of the documents and of docs/operators.md, out of place and in
// place.
#include "calls.hpp"
#include "walk.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace strew::test::matrix {
namespace {

namespace red = strew::reduction;

template <class T, std::size_t N>
constexpr tensor_view<const T> view(const std::array<T, N>& of, const index_list& extents) {
  return {of.data(), extents};
}
template <std::size_t N>
using values = std::array<int, N>;
template <std::size_t N>
using numbers = std::array<std::int64_t, N>;

// Calls both forms on data, one after the other: each gives what is expected.
template <const auto& Throwing, const auto& Attempted, std::size_t N, class Arguments>
constexpr bool gives(const values<N>& data, const index_list& extents, const values<N>& expected,
                     const Arguments& with_arguments) {
  values<N> output{};
  values<N> in_place = data;
  const tensor_view<int> to(output.data(), extents);
  const tensor_view<int> onto(in_place.data(), extents);
  with_arguments(view(data, extents), [&](const auto&... arguments) { Throwing(arguments..., to); });
  if (output != expected) return false;
  with_arguments(onto, [&](const auto&... arguments) { Throwing(arguments...); });
  if (in_place != expected) return false;
  output = {};
  status outcome;
  with_arguments(view(data, extents), [&](const auto&... arguments) { outcome = Attempted(arguments..., to); });
  return outcome.ok() && output == expected;
}

// One for each row: what does not have one does not compile.
template <class Calls>
constexpr bool example();

template <>
constexpr bool example<slice_scatter_calls>() {
  const values<6> updates{10, 20, 30, 40, 50, 60};
  return gives<slice_scatter, try_slice_scatter, 10>(
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 5}, {10, 1, 20, 3, 30, 40, 6, 50, 8, 60},
      [&](const auto& data, const auto& call) {
        const slice_spec slice{.start = -25, .stop = 25, .step = 2, .axes = 1};
        call(data, view(updates, {2, 3}), slice);
      });
}
template <>
constexpr bool example<select_scatter_calls>() {
  const values<3> source{7, 8, 9};
  return gives<select_scatter, try_select_scatter, 6>(
      {0, 1, 2, 3, 4, 5}, {2, 3}, {0, 1, 2, 7, 8, 9},
      [&](const auto& data, const auto& call) { call(data, view(source, {3}), 0, -1); });
}
template <>
constexpr bool example<diagonal_scatter_calls>() {
  const values<2> source{7, 8};
  return gives<diagonal_scatter, try_diagonal_scatter, 6>(
      {0, 1, 2, 3, 4, 5}, {2, 3}, {0, 7, 2, 3, 4, 8},
      [&](const auto& data, const auto& call) { call(data, view(source, {2}), 1, 0, 1); });
}

// Rows.
constexpr values<6> rows_of_data{0, 0, 1, 1, 2, 2};
constexpr values<4> rows_of_source{1, 2, 3, 4};
constexpr numbers<2> equal_rows{0, 0};

template <>
constexpr bool example<scatter_update_calls>() {
  const numbers<2> rows{2, 0};
  return gives<scatter_update, try_scatter_update>(rows_of_data, {3, 2}, {3, 4, 1, 1, 1, 2},
                                                   [&](const auto& data, const auto& call) {
                                                     call(data, view(rows, {2}), view(rows_of_source, {2, 2}), 0);
                                                   });
}
template <>
constexpr bool example<index_copy_calls>() {
  return gives<index_copy, try_index_copy>(rows_of_data, {3, 2}, {3, 4, 1, 1, 2, 2},
                                           [&](const auto& data, const auto& call) {
                                             call(data, 0, view(equal_rows, {2}), view(rows_of_source, {2, 2}));
                                           });
}
template <>
constexpr bool example<index_add_calls>() {
  const auto adds = [&](const auto& data, const auto& call) {
    call(data, 0, view(equal_rows, {2}), view(rows_of_source, {2, 2}));
  };
  const auto adds_scaled = [&](const auto& data, const auto& call) {
    call(data, 0, view(equal_rows, {2}), view(rows_of_source, {2, 2}), scaled_by{-2});
  };
  return gives<index_add, try_index_add>(rows_of_data, {3, 2}, {4, 6, 1, 1, 2, 2}, adds) &&
         gives<index_add, try_index_add>(rows_of_data, {3, 2}, {-8, -12, 1, 1, 2, 2}, adds_scaled);
}
template <>
constexpr bool example<index_reduce_calls>() {
  return gives<index_reduce, try_index_reduce>(
      rows_of_data, {3, 2}, {2, 3, 1, 1, 2, 2}, [&](const auto& data, const auto& call) {
        call(data, 0, view(equal_rows, {2}), view(rows_of_source, {2, 2}), red::without_init(red::mean));
      });
}
template <>
constexpr bool example<index_fill_calls>() {
  const numbers<2> rows{-1, 0};
  return gives<index_fill, try_index_fill>(
      rows_of_data, {3, 2}, {9, 9, 1, 1, 9, 9},
      [&](const auto& data, const auto& call) { call(data, 0, view(rows, {2}), 9); });
}

// Elements: those of a 3x4 tensor of zeros, and a row.
constexpr numbers<4> columns{1, 2, 0, 3};
constexpr numbers<4> columns_from_the_end{1, -2, 0, -1};
constexpr values<4> some_updates{11, 12, 13, 14};
constexpr values<12> scattered{0, 11, 12, 0, 13, 0, 0, 14, 0, 0, 0, 0};
constexpr values<4> row{1, 2, 3, 4};
constexpr numbers<6> meeting{0, 1, 0, 1, 2, 1};
constexpr values<6> six{1, 2, 3, 4, 5, 6};

template <const auto& Throwing, const auto& Attempted>
constexpr bool scatters(const numbers<4>& at) {
  return gives<Throwing, Attempted, 12>({}, {3, 4}, scattered, [&](const auto& data, const auto& call) {
    call(data, view(at, {2, 2}), view(some_updates, {2, 2}), 1);
  });
}
template <>
constexpr bool example<scatter_elements_update_calls>() {
  return scatters<scatter_elements_update, try_scatter_elements_update>(columns);
}
template <>
constexpr bool example<onnx_scatter_calls>() {
  return scatters<onnx::scatter, onnx::try_scatter>(columns_from_the_end);
}
template <>
constexpr bool example<put_along_axis_calls>() {
  return scatters<put_along_axis, try_put_along_axis>(columns_from_the_end);
}
template <>
constexpr bool example<v12_scatter_elements_update_calls>() {
  return scatters<v12::scatter_elements_update, v12::try_scatter_elements_update>(columns_from_the_end) &&
         gives<v12::scatter_elements_update, v12::try_scatter_elements_update>(
             row, {4}, {5, 14, 8, 4},
             [&](const auto& data, const auto& call) { call(data, view(meeting, {6}), view(six, {6}), 0, red::sum); });
}
template <>
constexpr bool example<onnx_scatter_elements_calls>() {
  return scatters<onnx::scatter_elements, onnx::try_scatter_elements>(columns_from_the_end) &&
         gives<onnx::scatter_elements, onnx::try_scatter_elements>(
             row, {4}, {3, 6, 5, 4},
             [&](const auto& data, const auto& call) { call(data, view(meeting, {6}), view(six, {6}), 0, red::max); });
}
template <>
constexpr bool example<scatter_calls>() {
  return gives<scatter, try_scatter, 12>({}, {3, 4}, scattered, [&](const auto& data, const auto& call) {
    call(data, 1, view(columns, {2, 2}), view(some_updates, {2, 2}));
  });
}
template <>
constexpr bool example<scatter_add_calls>() {
  return gives<scatter_add, try_scatter_add>(row, {4}, {5, 14, 8, 4}, [&](const auto& data, const auto& call) {
    call(data, 0, view(meeting, {6}), view(six, {6}));
  });
}
template <>
constexpr bool example<scatter_reduce_calls>() {
  return gives<scatter_reduce, try_scatter_reduce>(row, {4}, {2, 4, 5, 4}, [&](const auto& data, const auto& call) {
    call(data, 0, view(meeting, {6}), view(six, {6}), red::without_init(red::mean));
  });
}

// Tuples.
constexpr values<8> eight{1, 2, 3, 4, 5, 6, 7, 8};
constexpr numbers<4> four_places{4, 3, 1, 7};
constexpr values<4> four_updates{9, 10, 11, 12};

template <const auto& Throwing, const auto& Attempted>
constexpr bool scatters_tuples() {
  return gives<Throwing, Attempted>(eight, {8}, {1, 11, 3, 10, 9, 6, 7, 12}, [&](const auto& data, const auto& call) {
    call(data, view(four_places, {4, 1}), view(four_updates, {4}));
  });
}
template <const auto& Throwing, const auto& Attempted>
constexpr bool adds_tuples() {
  return scatters_tuples<Throwing, Attempted>() &&
         gives<Throwing, Attempted>(eight, {8}, {1, 13, 3, 14, 14, 6, 7, 20}, [&](const auto& data, const auto& call) {
           call(data, view(four_places, {4, 1}), view(four_updates, {4}), red::sum);
         });
}
template <>
constexpr bool example<v3_scatter_nd_update_calls>() {
  return scatters_tuples<v3::scatter_nd_update, v3::try_scatter_nd_update>();
}
template <>
constexpr bool example<v14_scatter_nd_update_calls>() {
  return adds_tuples<v14::scatter_nd_update, v14::try_scatter_nd_update>();
}
template <>
constexpr bool example<v15_scatter_nd_update_calls>() {
  return adds_tuples<v15::scatter_nd_update, v15::try_scatter_nd_update>() &&
         gives<v15::scatter_nd_update, v15::try_scatter_nd_update>(
             eight, {8}, {1, -9, 3, -6, -4, 6, 7, -4}, [&](const auto& data, const auto& call) {
               call(data, view(four_places, {4, 1}), view(four_updates, {4}), red::sub);
             });
}
template <>
constexpr bool example<onnx_scatter_nd_calls>() {
  return adds_tuples<onnx::scatter_nd, onnx::try_scatter_nd>();
}
template <>
constexpr bool example<index_put_calls>() {
  const numbers<4> rows{1, 0, 1, 0};
  const std::array<signed char, 4> places{-1, 3, 3, 0};
  return gives<index_put, try_index_put>(
      eight, {2, 4}, {13, 2, 3, 14, 5, 6, 7, 28}, [&](const auto& data, const auto& call) {
        call(data, std::tuple{view(rows, {4}), view(places, {4})}, view(four_updates, {4}), red::sum);
      });
}
template <>
constexpr bool example<put_calls>() {
  const numbers<4> places{4, -5, 1, 7};
  return gives<put, try_put>(eight, {2, 4}, {1, 11, 3, 10, 9, 6, 7, 12}, [&](const auto& data, const auto& call) {
    call(data, view(places, {4}), view(four_updates, {4}));
  });
}

// Masks and caches.
constexpr std::array<bool, 4> some_of_four{false, true, false, true};

template <>
constexpr bool example<masked_scatter_calls>() {
  const values<3> source{7, 8, 9};
  return gives<masked_scatter, try_masked_scatter, 4>(
      {0, 1, 2, 3}, {4}, {0, 7, 2, 8},
      [&](const auto& data, const auto& call) { call(data, view(some_of_four, {4}), view(source, {3})); });
}
template <>
constexpr bool example<masked_fill_calls>() {
  return gives<masked_fill, try_masked_fill, 4>(
      {0, 1, 2, 3}, {4}, {0, 9, 2, 9},
      [&](const auto& data, const auto& call) { call(data, view(some_of_four, {4}), 9); });
}
template <>
constexpr bool example<tensor_scatter_calls>() {
  const values<4> update{1, 2, 3, 4};
  const numbers<2> starts{3, 2};
  return gives<onnx::tensor_scatter, onnx::try_tensor_scatter, 8>(
      {}, {2, 4, 1}, {2, 0, 0, 1, 0, 0, 3, 4}, [&](const auto& data, const auto& call) {
        const onnx::tensor_scatter_options circular{.mode = onnx::cache_mode::circular};
        call(data, view(update, {2, 2, 1}), view(starts, {2}), circular);
      });
}

const walked_form here{form::constant_evaluation};

template <std::size_t... Row>
constexpr std::size_t examples(std::index_sequence<Row...>) {
  std::size_t count = 0;
  const auto has_example = [&]<std::size_t Number>(std::integral_constant<std::size_t, Number>) {
    static_assert(cell(operators[Number], form::constant_evaluation).empty());
    static_assert(example<std::tuple_element_t<Number, all_calls>>());
    return 1U;
  };
  ((count += has_example(std::integral_constant<std::size_t, Row>{})), ...);
  return count;
}
static_assert(examples(std::make_index_sequence<std::size(operators)>()) == std::size(operators));

// The same examples when the program runs, where the library takes other branches.
TEST_CASE("matrix: the example of every operator in constant evaluation holds when it runs, too") {
  [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    const auto check = [](const operator_row& of, bool (*run)()) {
      INFO(of.name << ", " << forms[static_cast<std::size_t>(form::constant_evaluation)].name);
      CHECK(run());
    };
    (check(operators[Row], [] { return example<std::tuple_element_t<Row, all_calls>>(); }), ...);
  }
  (std::make_index_sequence<std::size(operators)>());
}

}  // namespace
}  // namespace strew::test::matrix
