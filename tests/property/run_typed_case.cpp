// SPDX-License-Identifier: Apache-2.0
// The calls of random cases on typed views: reductions, by name and by a callable.
#include "support/reduction_oracle.hpp"
#include "support/scatter_case.hpp"
#include "support/with_oracle_type.hpp"

#include <strew/strew.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::test {
namespace {

using dynamic::element_kind;

// max as a user may write it.
struct larger {
  template <class T>
  T operator()(const T& a, const T& b) const noexcept {
    return oracle::reduce<T>(oracle::kind::max, a, b);
  }
};

template <class R>
inline constexpr bool is_mean =
    strew::detail::is_one_of<R, reduction::mean_type, reduction::without_nan_type<reduction::mean_type>>;

template <class T, class Index, class R, class... Output>
status call_on(const scatter_case& on, const auto& updates, const chosen_threads& ex, const R& reduce, const auto& data,
               const Output&... output) {
  const auto indices = view_of<const Index>(on.indices[0]);
  switch (on.which) {
    case operation::v12_scatter_elements_update:
      if constexpr (!std::is_same_v<R, reduction::sub_type>) {
        return v12::try_scatter_elements_update(ex, data, indices, updates, on.axis, reduce, output...);
      }
      break;
    case operation::index_reduce:
      if constexpr (!std::is_same_v<R, reduction::sub_type>) {
        return try_index_reduce(ex, data, on.axis, indices, updates, reduce, output...);
      }
      break;
    default:
      if constexpr (!strew::detail::omits_init<R> && !is_mean<R>) {
        return v15::try_scatter_nd_update(ex, data, indices, updates, reduce, output...);
      }
      break;
  }
  return {};
}

template <class T, class Index, class R, class... Output>
status call(const scatter_case& on, const chosen_threads& ex, const R& reduce, const auto& data,
            const Output&... output) {
  if constexpr (std::is_same_v<T, float> && !strew::detail::has_positions<R>) {
    if (on.given) {
      const auto given = view_of<const double>(*on.given_updates);
      return call_on<T, Index>(on, converted(given), ex, reduce, data, output...);
    }
  }
  return call_on<T, Index>(on, view_of<const T>(*on.updates), ex, reduce, data, output...);
}

template <class T, class Index, class R>
status call_on_data(const scatter_case& on, const chosen_threads& ex, const R& reduce) {
  const auto data = view_of<T>(*on.data);
  if (on.in_place && !on.names_output) return call<T, Index>(on, ex, reduce, data);
  return call<T, Index>(on, ex, reduce, tensor_view<const T>(data), view_of<T>(on.written()));
}

template <class T, class Index>
status run(const scatter_case& on, const circumstances_of_call& in) {
  const chosen_threads ex{in};
  if (on.form == call_form::callable) {
    if constexpr (!oracle::is_complex<T>) return call_on_data<T, Index>(on, ex, larger{});
  }
  if constexpr (!oracle::is_complex<T>) {
    if (on.has_numbers) {
      const auto numbers = view_of<std::int64_t>(*on.numbers);
      return on.reduce == reduction_kind::min
                 ? call_on_data<T, Index>(on, ex, reduction::with_positions(reduction::min, numbers))
                 : call_on_data<T, Index>(on, ex, reduction::with_positions(reduction::max, numbers));
    }
  }
  status outcome;
  const auto body = [&]<class R>(R reduce) {
    if constexpr (!std::is_same_v<R, reduction::none_type>) outcome = call_on_data<T, Index>(on, ex, reduce);
  };
  const status found = on.skips_nan ? reduction::try_visit_without_nan<T>(on.reduce, on.include_init, body)
                                    : reduction::try_visit<T>(on.reduce, on.include_init, body);
  return found.ok() ? outcome : found;
}

// index_add with a factor, for every type of elements.
template <class T>
status run_scaled(const scatter_case& on, const circumstances_of_call& in) {
  const chosen_threads ex{in};
  T alpha;
  std::memcpy(&alpha, on.factor.data(), sizeof alpha);
  const auto data = view_of<T>(*on.data);
  const auto indices = view_of<const std::int64_t>(on.indices[0]);
  const auto updates = view_of<const T>(*on.updates);
  if (on.in_place && !on.names_output) return try_index_add(ex, data, on.axis, indices, updates, scaled_by{alpha});
  return try_index_add(ex, tensor_view<const T>(data), on.axis, indices, updates, scaled_by{alpha},
                       view_of<T>(on.written()));
}

}  // namespace

status run_typed_case(const scatter_case& on, const circumstances_of_call& in) {
  if (on.is_scaled) return with_oracle_type(on.type, [&]<class T>() { return run_scaled<T>(on, in); });
  switch (on.type.kind) {
    case element_kind::floating_point:
#if STREW_TEST_AT_LENGTH && STREW_HAS_FLOAT16
      if (on.type.size == 2) return run<_Float16, std::int64_t>(on, in);
#endif
      return run<float, std::int32_t>(on, in);
#if STREW_TEST_AT_LENGTH
    case element_kind::boolean:
      return run<bool, std::uint32_t>(on, in);
    case element_kind::complex:
      return run<std::complex<double>, std::int64_t>(on, in);
    case element_kind::brain_float:
      return run<bfloat16, std::int64_t>(on, in);
#endif
    case element_kind::signed_integer:
#if STREW_TEST_AT_LENGTH
      if (on.type.size == 8) return run<std::int64_t, std::uint64_t>(on, in);
#endif
      return run<std::int8_t, std::uint8_t>(on, in);
    default:
#if STREW_TEST_AT_LENGTH
      if (on.type.size == 8) return run<std::uint64_t, std::int8_t>(on, in);
#endif
      return run<std::uint16_t, std::int16_t>(on, in);
  }
}

status run_scatter_case(const scatter_case& on, const circumstances_of_call& in) {
  switch (on.form) {
    case call_form::run_time:
      return run_dynamic_case(on, in);
    case call_form::typed:
    case call_form::callable:
      return run_typed_case(on, in);
    default:
      return run_prepared_case(on, in);
  }
}

}  // namespace strew::test
