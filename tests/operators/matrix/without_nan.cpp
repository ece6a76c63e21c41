// SPDX-License-Identifier: Apache-2.0
// Every operator that takes a reduction, with one that leaves out NaNs.
#include "walk.hpp"

namespace strew::test::matrix {
namespace {

struct without_nan_form {
  static constexpr wanted_cases wanted{.which = form::without_nan, .has_parts = true};

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    const chosen_threads ex{in};
    return with_arguments<Calls, T, Index>(on, reduce,
                                           [&](const auto&... arguments) { return Calls::attempt(ex, arguments...); });
  }
};
const walked_form here{form::without_nan};

TEST_CASE("matrix: every operator with a reduction without NaNs equals naive loops") {
  for_each_row_with<form::without_nan>([]<std::size_t Row>() {
    check_pair<without_nan_form, Row, types<bfloat16, std::int64_t, bfloat16, reduction_kind::sum, true, true>>(0);
    check_pair<without_nan_form, Row, types<float, std::uint32_t, float, reduction_kind::mean, false, true>>(1);
  });
}

}  // namespace
}  // namespace strew::test::matrix
