// SPDX-License-Identifier: Apache-2.0
#include "property_reductions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

// index_add, index_reduce, index_copy: rows on an axis.
template <class T, class I>
std::string deviation_of_rows_reduced(random_source& random) {
  const std::int64_t rank = random.between(1, 5);
  const bool is_dense = random.one_in(3);
  const shape extents = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(axis, extents.size());
  shape counts;
  for (std::int64_t q = random.below(4); q > 0; --q) counts.push_back(random.one_in(15) ? 0 : random.between(1, 4));
  kind how = random.pick(kinds_of<T>());
  const index_policy policy = draw_policy(random);
  if (how == kind::sub || policy != index_policy::error) how = kind::sum;
  const bool init = how == kind::none || policy != index_policy::error || random.one_in(2);
  auto indices = draw_operand<I>(random, is_dense, counts, true);
  draw_some_indices(random, indices, extents[a], false, policy != index_policy::error || random.one_in(6));
  const shape update_extents = oracle::scatter_update_updates(extents, counts, axis);
  auto updates = draw_operand<T>(random, is_dense, update_extents, true);
  updates.for_each_element([&](T& element) { element = draw_value<T>(random); });

  bool is_error = false;
  std::vector<oracle::update_of<T>> met;
  const std::vector<I> index_values = indices.values();
  const std::vector<T> update_values = updates.values();
  for (const I& index : index_values) static_cast<void>(find_element(index, extents[a], false, policy, is_error));
  for_each_coordinate(update_extents, [&](const shape& at) {
    shape position;
    for (std::size_t i = 0; i < counts.size(); ++i) position.push_back(at[a + i]);
    const auto element =
        find_element(index_values[oracle::position_of(position, counts)], extents[a], false, policy, is_error);
    if (!element) return;
    shape target(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(a));
    target.push_back(*element);
    for (std::size_t k = a + counts.size(); k < at.size(); ++k) target.push_back(at[k]);
    met.push_back({oracle::position_of(target, extents), update_values[oracle::position_of(at, update_extents)]});
  });
  const int axis_number = static_cast<int>(axis);
  return with_policy(policy, indices.const_view(), [&](const auto& policed) {
    std::string result;
    with_reduction<T>(how, init, [&]<class R>(R reduction) {
      if constexpr (is_tried<decltype(policed), R>)
        result = deviation_of_call<T>(
            random, is_dense, extents, how, init, is_error, met,
            [&](const auto& ex, const auto& d, const auto&... output) {
              if constexpr (std::is_same_v<R, reduction::none_type>) {
                return try_index_copy(ex, d, axis_number, policed, updates.const_view(), output...);
              } else if constexpr (!std::is_same_v<R, reduction::sub_type>) {
                return try_index_reduce(ex, d, axis_number, policed, updates.const_view(), reduction, output...);
              } else {
                return status();
              }
            });
    });
    return result;
  });
}

TEMPLATE_LIST_TEST_CASE("rows with reductions and policies equal their oracle", "", reduced_types) {
  for_each_reduced_case(1, deviation_of_rows_reduced<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
