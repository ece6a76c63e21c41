// SPDX-License-Identifier: Apache-2.0
// Every operator with updates of a wider type that are converted to that of data.
#include "walk.hpp"

#include <cstring>
#include <vector>

namespace strew::test::matrix {
namespace {

// A type that has all values of T and of which an update becomes a T again; T where there is none.
template <class T>
struct wider {
  using type = T;
};
template <>
struct wider<bool> {
  using type = std::uint8_t;
};
template <>
struct wider<std::int8_t> {
  using type = std::int32_t;
};
template <>
struct wider<std::uint16_t> {
  using type = std::int64_t;
};
template <>
struct wider<bfloat16> {
  using type = float;
};
template <>
struct wider<float> {
  using type = double;
};
template <>
struct wider<double> {
  using type = long double;
};

struct converted_form {
  static constexpr wanted_cases wanted{.which = form::converted, .has_parts = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 4;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    using update = typename wider<T>::type;
    std::vector<update> wide(on.updates->size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
      T element;
      std::memcpy(static_cast<void*>(&element), on.updates->element(i), sizeof element);
      wide[i] = static_cast<update>(element);
    }
    const tensor_view<const update> updates(wide.data(), index_list(on.updates->extents()));
    const circumstances_of_call alone = without_memory(in);
    const chosen_threads ex{alone};
    return with_indices<Calls, Index>(on, [&](const auto& indices) {
      return Calls::arguments(
          on, view_of<const T>(*on.data), indices, strew::converted(updates), reduce,
          [&](const auto&... arguments) { return Calls::attempt(ex, arguments..., view_of<T>(on.written())); });
    });
  }
};
const walked_form here{form::converted};

TEST_CASE("matrix: every operator with converted updates equals naive loops") {
  walk<converted_form>();
}

}  // namespace
}  // namespace strew::test::matrix
