// SPDX-License-Identifier: Apache-2.0
// Segments by offsets against naive loops on random cases: every operator that takes them, reduction, kind of element
// and of offset; strided and broadcast operands; in place and not, in many parts; prepared and bound.
#include "property_reductions.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

// A shape of few elements, or one with a long row.
shape draw_lanes(random_source& random, std::int64_t rank) {
  shape extents;
  const std::int64_t wide = random.below(3 * rank);
  for (std::int64_t k = 0; k < rank; ++k) {
    extents.push_back(random.one_in(20) ? 0 : k == wide ? random.between(1, 70) : random.between(1, 4));
  }
  return extents;
}

// Legal offsets of segments that are short, long, of one update each or empty; now and then one of them is not legal.
template <class I>
std::vector<I> draw_offsets(random_source& random, std::int64_t segments, std::int64_t& updates, bool has_bad,
                            bool& is_error) {
  std::vector<wide> offsets{wide(0)};
  const std::int64_t most = random.pick<std::int64_t>({0, 1, 2, 2, 4, 40});
  const bool has_one_each = random.one_in(5);
  updates = 0;
  for (std::int64_t s = 0; s < segments; ++s) {
    updates += has_one_each ? 1 : random.between(0, most);
    if (updates > 100) updates = 100;  // offsets of 8 bits have room for as many
    offsets.push_back(wide(updates));
  }
  std::vector<I> given;
  for (const wide& offset : offsets) given.push_back(static_cast<I>(static_cast<std::int64_t>(offset)));
  if (has_bad) {
    I& bad = random.pick_any(given);
    bad = random.one_in(4)   ? std::numeric_limits<I>::max()
          : random.one_in(4) ? std::numeric_limits<I>::min()
                             : static_cast<I>(random.between(-3, 103));
  }
  is_error = wide(given.front()) != wide(0) || wide(given.back()) != wide(updates);
  for (std::size_t s = 1; s < given.size(); ++s) is_error = is_error || wide(given[s]) < wide(given[s - 1]);
  return given;
}

template <class T, class I>
std::string deviation_of_segments(random_source& random) {
  const std::int64_t rank = random.between(1, 4);
  const bool is_dense = random.one_in(3);
  shape extents = draw_lanes(random, rank);
  const std::int64_t axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(axis, extents.size());
  extents[a] = random.one_in(15) ? 0 : random.between(1, 12);
  kind how = random.pick(kinds_of<T>());
  if (how == kind::sub) how = kind::sum;
  const bool init = how == kind::none || random.one_in(2);

  bool is_error = false;
  shape update_extents = extents;
  const std::vector<I> given = draw_offsets<I>(random, extents[a], update_extents[a], random.one_in(6), is_error);
  auto offsets = draw_operand<I>(random, is_dense, {extents[a] + 1}, false);
  offsets.fill(given);
  auto updates = draw_operand<T>(random, is_dense, update_extents, true);
  updates.for_each_element([&](T& element) { element = draw_value<T>(random); });

  std::vector<oracle::update_of<T>> met;
  const std::vector<T> update_values = updates.values();
  for_each_coordinate(update_extents, [&](const shape& at) {
    if (is_error) return;
    shape target = at;
    target[a] = 0;
    while (at[a] >= static_cast<std::int64_t>(given[static_cast<std::size_t>(target[a]) + 1])) ++target[a];
    met.push_back({oracle::position_of(target, extents), update_values[oracle::position_of(at, update_extents)]});
  });
  const int number = static_cast<int>(axis);
  const auto segments = strew::segments(offsets.const_view());
  const bool is_prepared = random.one_in(4);
  const bool is_callable = random.one_in(8) && how != kind::mean && how != kind::none && init;
  // Prepared calls have the layouts of the output in place of data's too.
  const auto prepared = [&](const auto& op, const auto& ex, const tensor_view<const T>& data, tensor_view<T> output,
                            const auto&... rest) {
    const auto call = [&] {
      return prepare<T, I>(
          op, {data.layout(), strew::segments(offsets.view().layout()), updates.view().layout(), output.layout()},
          rest...);
    }();
    if (random.one_in(2)) {
      return call.try_run(ex, data.data(), offsets.view().data(), updates.view().data(), output.data());
    }
    std::vector<std::byte> memory(call.bound_bytes());
    auto bound = decltype(call.bind(offsets.view().data(), memory)){};
    const status bind = call.try_bind(offsets.view().data(), memory, bound);
    return bind.ok() ? bound.try_run(ex, data.data(), updates.view().data(), output.data()) : bind;
  };
  std::string result;
  with_reduction<T>(how, init, [&]<class R>(R reduction) {
    if constexpr (!std::is_same_v<R, reduction::sub_type>) {
      const auto tried = [&](const auto& ex, const auto& d, const auto&... output) -> status {
        const auto& written = std::get<sizeof...(output)>(std::tie(d, output...));
        if constexpr (std::is_same_v<R, reduction::none_type>) {
          if (is_prepared) return prepared(scatter_update, ex, d, written, number);
          if (random.one_in(2)) return try_scatter_update(ex, d, segments, updates.const_view(), number, output...);
          return try_index_copy(ex, d, number, segments, updates.const_view(), output...);
        } else {
          if (is_prepared) return prepared(index_reduce, ex, d, written, number, reduction);
          if constexpr (std::is_same_v<R, reduction::sum_type>) {
            if (random.one_in(3)) return try_index_add(ex, d, number, segments, updates.const_view(), output...);
          }
          if constexpr (!strew::detail::omits_init<R> && !std::is_same_v<R, reduction::mean_type>) {
            if (is_callable) {
              return try_index_reduce(ex, d, number, segments, updates.const_view(), all_callables<T>(how), output...);
            }
          }
          return try_index_reduce(ex, d, number, segments, updates.const_view(), reduction, output...);
        }
      };
      result = deviation_of_call<T>(random, is_dense, extents, how, init, is_error, met, tried);
    }
  });
  return result;
}

TEMPLATE_LIST_TEST_CASE("segments equal their oracle", "", reduced_types) {
  for_each_reduced_case(7, deviation_of_segments<typename TestType::element, typename TestType::index>);
}

}  // namespace
}  // namespace strew::test
