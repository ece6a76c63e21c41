// SPDX-License-Identifier: Apache-2.0
// Every operator with one value in the place of updates: calls on views, in place and on executors, prepared and bound
// calls, and tensors whose types are known at run time only.
#include "walk.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/prepare.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace strew::test::matrix {
namespace {

template <class T>
T value_of(const scatter_case& on) {
  T value{};
  if (on.updates->size() > 0) std::memcpy(&value, on.updates->element(0), sizeof value);
  return value;
}

// What rounds to a float. Values of other elements are these themselves.
template <class T>
auto rounds_to(const T& value) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(value) * (1 + 0x1p-40);
  } else {
    return value;
  }
}

struct value_form {
  static constexpr wanted_cases wanted{.which = form::plain_value, .has_parts = true, .has_value = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 2;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const chosen_threads ex{in};
    const auto value = rounds_to(value_of<T>(on));
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      if (on.in_place && !on.names_output) {
        return Calls::arguments(on, view_of<T>(*on.data), indices, value, reduce, [&](const auto&... arguments) {
          return status_of([&] { Calls::call(ex, arguments...); });
        });
      }
      return Calls::arguments(on, view_of<const T>(*on.data), indices, value, reduce, [&](const auto&... arguments) {
        const tensor_view<T> output = view_of<T>(on.written());
        return in.threads == 1 ? Calls::attempt(arguments..., output) : Calls::attempt(ex, arguments..., output);
      });
    });
  }
};
const walked_form here{form::plain_value};

TEST_CASE("matrix: every operator with one value as updates equals naive loops") {
  walk<value_form>();
}

// A value that elements cannot hold, in a call whose other arguments are legal.
struct refused_value_form {
  static constexpr wanted_cases wanted{.which = form::plain_value, .has_value = true, .count = 4};

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      const tensor_view<T> output = view_of<T>(on.written());
      const status found =
          Calls::arguments(on, view_of<const T>(*on.data), indices, 1e39, reduce,
                           [&](const auto&... arguments) { return Calls::attempt(arguments..., output); });
      CHECK(found.code() == errc::value_out_of_range);
      CHECK(found.message().view().find(" = 1e+39 is outside [-3.4028235e+38, 3.4028235e+38]") !=
            std::string_view::npos);
      // Nothing is written: a call in place would show it.
      return value_form::run<Calls, T, Index>(on, in, reduce);
    });
  }
};
TEST_CASE("matrix: every operator refuses one value as updates that the elements cannot hold") {
  for_each_row_with<form::plain_value>([]<std::size_t Row>() {
    check_pair<refused_value_form, Row, types<float, std::int32_t, float, reduction_kind::sum>>(0);
  });
}

// ---- Prepared and bound calls

template <class Calls>
inline constexpr bool is_fill = Calls::drawn_as == operation::index_fill || Calls::drawn_as == operation::masked_fill;

// What a call has beside its tensors, the value where it stands in the call.
template <class Calls, class T, class R, class Body>
auto with_rest(const scatter_case& on, const T& value, const R& reduce, const Body& body) {
  return Calls::rest(on, value, reduce, [&](const auto&... rest) {
    if constexpr (is_fill<Calls>) {
      return body(rest...);
    } else if constexpr (std::is_base_of_v<axis_first, Calls>) {
      const auto behind_axis = [&](const auto& axis, const auto&... others) { return body(axis, value, others...); };
      return behind_axis(rest...);
    } else {
      return body(value, rest...);
    }
  });
}

template <class Calls, class T, class Index, class R, class Body>
void with_prepared(const scatter_case& on, const R& reduce, const Body& body) {
  const strided_layout data = view_of<const T>(*on.data).layout();
  const strided_layout output = view_of<T>(on.written()).layout();
  with_rest<Calls>(on, rounds_to(value_of<T>(on)), reduce, [&](const auto&... rest) {
    if constexpr (Calls::drawn_as == operation::slice_scatter || Calls::drawn_as == operation::select_scatter ||
                  Calls::drawn_as == operation::diagonal_scatter) {
      body(prepare<T>(Calls::throwing, {data, output}, rest...));
    } else if constexpr (Calls::drawn_as == operation::masked_fill) {
      const tensor_view<const bool> mask = view_of<const bool>(*on.mask);
      body(prepare<T, bool>(Calls::throwing, {data, mask.layout(), output}, rest...), mask.data());
    } else if constexpr (Calls::drawn_as == operation::index_put) {
      std::vector<strided_layout> layouts;
      std::array<const Index*, most_tensors> addresses{};
      for (const placed_bytes& each : on.indices) {
        addresses[layouts.size()] = view_of<const Index>(each).data();
        layouts.push_back(view_of<const Index>(each).layout());
      }
      body(prepare<T, Index>(Calls::throwing, {data, std::span<const strided_layout>(layouts), output}, rest...),
           std::span<const Index* const>(addresses.data(), layouts.size()));
    } else {
      const tensor_view<const Index> indices = view_of<const Index>(on.indices[0]);
      body(prepare<T, Index>(Calls::throwing, {data, indices.layout(), output}, rest...), indices.data());
    }
  });
}

struct prepared_value_form {
  static constexpr wanted_cases wanted{.which = form::plain_value, .has_parts = true, .has_value = true};
  static constexpr std::size_t first_types = 1;
  static constexpr std::size_t types = 1;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const chosen_threads ex{in};
    const T* const data = view_of<const T>(*on.data).data();
    T* const output = view_of<T>(on.written()).data();
    return status_of([&] {
      with_prepared<Calls, T, Index>(on, reduce, [&](const auto& call, const auto&... indices) {
        if constexpr (sizeof...(indices) > 0) {
          if (in.threads % 2 == 0) {
            std::vector<std::byte> memory(call.bound_bytes());
            return call.bind(indices..., memory).run(ex, data, output);
          }
        }
        call.run(ex, data, indices..., output);
      });
    });
  }
};

TEST_CASE("matrix: every prepared and bound operator with one value as updates equals naive loops") {
  walk<prepared_value_form>();
}

// ---- Types that are known at run time only

struct as_run_time_tensors {
  template <class T>
  static auto operand(const placed_bytes& from) {
    if constexpr (std::is_same_v<T, const bool>) {
      return view_of<T>(from);  // a mask
    } else {
      return dynamic::index_tensor(view_of<T>(from));
    }
  }
};

struct run_time_value_form {
  static constexpr wanted_cases wanted{.which = form::plain_value, .has_value = true};

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    const auto call = [&](const auto& indices) {
      const dynamic::const_tensor data(on.data->origin(), element_type_of<T>(), index_list(on.data->extents()),
                                       index_list(on.data->strides()));
      const dynamic::tensor output(on.written().origin(), element_type_of<T>(), index_list(on.written().extents()),
                                   index_list(on.written().strides()));
      return Calls::arguments(on, data, indices, rounds_to(value_of<T>(on)), reduce,
                              [&](const auto&... arguments) { return Calls::attempt(arguments..., output); });
    };
    if constexpr (Calls::drawn_as == operation::index_put) {
      std::vector<dynamic::index_tensor> all;
      for (const placed_bytes& each : on.indices) all.emplace_back(view_of<const Index>(each));
      return call(std::span<const dynamic::index_tensor>(all));
    } else {
      return with_indices<Calls, Index, as_run_time_tensors>(on, call);
    }
  }
};

TEST_CASE("matrix: every operator on run-time types with one value as updates equals naive loops") {
  // Values are numbers there; which types of elements take them is in operators/plain_values.cpp.
  for_each_row_with<form::plain_value>([]<std::size_t Row>() {
    check_pair<run_time_value_form, Row, types<float, std::int64_t, std::int16_t, reduction_kind::sum>>(0);
  });
}

}  // namespace
}  // namespace strew::test::matrix
