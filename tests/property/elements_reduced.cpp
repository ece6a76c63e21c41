// SPDX-License-Identifier: Apache-2.0
#include "property_reductions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

// v12, torch's scatter_reduce, and a callable of the caller's.
template <class T, class I>
std::string deviation_of_elements_reduced(random_source& random) {
  const std::int64_t rank = random.between(1, 5);
  const bool is_dense = random.one_in(3);
  const shape extents = draw_shape(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(axis, extents.size());
  shape counts;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const std::int64_t most = k == a ? 2 * extents[k] + 1 : extents[k];
    counts.push_back(random.one_in(20) ? 0 : most - random.below(std::min<std::int64_t>(most, 2) + 1));
  }
  kind how = random.pick(kinds_of<T>());
  const std::int64_t form = random.below(3);
  if (form == 0 && how == kind::sub) how = kind::sum;
  if (form == 1 && (how == kind::sub || how == kind::none)) how = kind::sum;
  if (form == 2 && how == kind::mean) how = kind::sum;
  const index_policy policy = draw_policy(random);
  if (policy != index_policy::error) how = kind::sum;
  const bool wraps = form != 1;
  const bool init = how == kind::none || form == 2 || policy != index_policy::error || random.one_in(2);
  auto indices = draw_operand<I>(random, is_dense, counts, true);
  draw_some_indices(random, indices, extents[a], wraps, policy != index_policy::error || random.one_in(6));
  auto updates = draw_operand<T>(random, is_dense, counts, true);
  updates.for_each_element([&](T& element) { element = draw_value<T>(random); });

  bool is_error = false;
  std::vector<oracle::update_of<T>> met;
  const std::vector<I> index_values = indices.values();
  const std::vector<T> update_values = updates.values();
  for_each_coordinate(counts, [&](const shape& at) {
    const std::size_t i = oracle::position_of(at, counts);
    const auto element = find_element(index_values[i], extents[a], wraps, policy, is_error);
    if (!element) return;
    shape target = at;
    target[a] = *element;
    met.push_back({oracle::position_of(target, extents), update_values[i]});
  });
  const int axis_number = static_cast<int>(axis);
  return with_policy(policy, indices.const_view(), [&](const auto& policed) {
    std::string result;
    with_reduction<T>(how, init, [&]<class R>(R reduction) {
      if constexpr (is_tried<decltype(policed), R>)
        result = deviation_of_call<T>(
            random, is_dense, extents, how, init, is_error, met,
            [&](const auto& ex, const auto& d, const auto&... output) {
              if constexpr (!std::is_same_v<R, reduction::sub_type>) {
                if (form == 0) {
                  return v12::try_scatter_elements_update(ex, d, policed, updates.const_view(), axis_number, reduction,
                                                          output...);
                }
                if constexpr (!std::is_same_v<R, reduction::none_type>) {
                  if (form == 1) {
                    return try_scatter_reduce(ex, d, axis_number, policed, updates.const_view(), reduction, output...);
                  }
                }
              }
              return onnx::try_scatter_elements(ex, d, policed, updates.const_view(), axis_number,
                                                all_callables<T>(how), output...);
            });
    });
    return result;
  });
}

TEMPLATE_LIST_TEST_CASE("elements with reductions and policies equal their oracle", "", reduced_types) {
  for_each_reduced_case(1, deviation_of_elements_reduced<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
