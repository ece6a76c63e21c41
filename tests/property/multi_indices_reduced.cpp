// SPDX-License-Identifier: Apache-2.0
#include "property_reductions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

// ScatterND, index_put and put.
template <class T, class I>
std::string deviation_of_tuples_reduced(random_source& random) {
  const std::int64_t rank = random.between(1, 5);
  const bool is_dense = random.one_in(3);
  const shape extents = draw_shape(random, rank);
  const std::int64_t form = random.below(4);  // v15, v3, index_put with two views, put
  std::int64_t count = form == 2 ? 2 : form == 3 ? 1 : random.between(0, rank);
  if (form == 2 && rank < 2) return "";
  shape positions;
  for (std::int64_t q = random.below(form == 3 ? 3 : 4); q > 0; --q) {
    positions.push_back(random.one_in(15) ? 0 : random.between(1, 5));
  }
  constexpr bool init = true;
  kind how = random.pick(kinds_of<T>());
  if (how == kind::mean || (form >= 2 && how != kind::none)) how = kind::sum;
  const bool wraps = form != 1;
  const index_policy policy = draw_policy(random);
  if (policy != index_policy::error) how = kind::sum;
  const bool has_bad = policy != index_policy::error || random.one_in(6);
  shape index_extents = positions;
  if (form < 2) index_extents.push_back(count);
  // Tuples in one tensor, or their numbers in two; row-major numbers in one.
  auto indices = draw_operand<I>(random, is_dense, index_extents, true);
  auto seconds = draw_operand<short>(random, is_dense, positions, true);
  const std::int64_t all = oracle::count_of(extents);
  if (form == 3) {
    draw_some_indices(random, indices, all, true, has_bad);
  } else {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t j = 0; j < count; ++j) least = std::min(least, extents[static_cast<std::size_t>(j)]);
    draw_some_indices(random, indices, form == 2 ? extents[0] : count == 0 ? 1 : least, wraps, has_bad);
    if (form == 2) draw_some_indices(random, seconds, extents[1], true, has_bad);
  }
  shape update_extents = positions;
  for (std::size_t k = form == 3 ? extents.size() : static_cast<std::size_t>(count); k < extents.size(); ++k) {
    update_extents.push_back(extents[k]);
  }
  auto updates = draw_operand<T>(random, is_dense, update_extents, true);
  updates.for_each_element([&](T& element) { element = draw_value<T>(random); });

  bool is_error = false;
  std::vector<oracle::update_of<T>> met;
  const std::vector<I> index_values = indices.values();
  const std::vector<short> second_values = seconds.values();
  const std::vector<T> update_values = updates.values();
  for_each_coordinate(positions, [&](const shape& position) {
    const std::size_t number = oracle::position_of(position, positions);
    shape target;
    bool is_dropped = false;
    const auto add = [&](const std::optional<std::int64_t>& element) {
      is_dropped = is_dropped || !element;
      target.push_back(element.value_or(0));
    };
    std::size_t first = 0;
    if (form == 3) {
      const auto element = find_element(index_values[number], all, true, policy, is_error);
      if (element) met.push_back({static_cast<std::size_t>(*element), update_values[number]});
      return;
    }
    if (form == 2) {
      add(find_element(index_values[number], extents[0], true, policy, is_error));
      add(find_element(second_values[number], extents[1], true, policy, is_error));
    } else {
      for (std::int64_t j = 0; j < count; ++j) {
        add(find_element(index_values[number * static_cast<std::size_t>(count) + static_cast<std::size_t>(j)],
                         extents[static_cast<std::size_t>(j)], wraps, policy, is_error));
      }
    }
    if (is_dropped) return;
    const shape slice(extents.begin() + static_cast<std::ptrdiff_t>(count), extents.end());
    const auto slice_size = static_cast<std::size_t>(oracle::count_of(slice));
    first = oracle::position_of(target, shape(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(count)));
    for (std::size_t e = 0; e < slice_size; ++e) {
      met.push_back({first * slice_size + e, update_values[number * slice_size + e]});
    }
  });
  std::string result;
  const auto run = [&](const auto& call) {
    with_reduction<T>(how, true, [&]<class R>(R reduction) {
      result = deviation_of_call<T>(
          random, is_dense, extents, how, init, is_error, met,
          [&](const auto& ex, const auto& d, const auto&... output) { return call(reduction, ex, d, output...); });
    });
  };
  const auto values = updates.const_view();
  if (form == 2) {
    with_policy(policy, std::tuple{indices.const_view(), seconds.const_view()}, [&](const auto& policed) {
      run([&]<class R>(R reduction, const auto& ex, const auto& d, const auto&... output) {
        if constexpr (is_tried<decltype(policed), R> &&
                      (std::is_same_v<R, reduction::none_type> || std::is_same_v<R, reduction::sum_type>)) {
          return try_index_put(ex, d, policed, values, reduction, output...);
        } else {
          return status();
        }
      });
      return 0;
    });
    return result;
  }
  with_policy(policy, indices.const_view(), [&](const auto& policed) {
    run([&]<class R>(R reduction, const auto& ex, const auto& d, const auto&... output) {
      constexpr bool is_put = std::is_same_v<R, reduction::none_type> || std::is_same_v<R, reduction::sum_type>;
      constexpr bool is_nd = R::kind != reduction_kind::mean && !strew::detail::omits_init<R>;
      if constexpr (is_tried<decltype(policed), R>) {
        if constexpr (is_put) {
          if (form == 3) return try_put(ex, d, policed, values, reduction, output...);
        }
        if (form == 1) return v3::try_scatter_nd_update(ex, d, policed, values, all_callables<T>(how), output...);
        if constexpr (is_nd) return v15::try_scatter_nd_update(ex, d, policed, values, reduction, output...);
      }
      return status();
    });
    return 0;
  });
  return result;
}

TEMPLATE_LIST_TEST_CASE("tuples with reductions and policies equal their oracle", "", reduced_types) {
  for_each_reduced_case(1, deviation_of_tuples_reduced<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
