// SPDX-License-Identifier: Apache-2.0
// Which update won, against naive loops: random calls of every operator that takes with_positions, with elements,
// indices and numbers of many types and layouts, policies, executors, in place or not. STREW_POSITIONS_CASES multiplies
// their number.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/with_policy.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;
using extents_type = std::vector<std::int64_t>;

// Bytes that have no operation but assignment.
struct packed {
  std::array<unsigned char, 12> bytes{};
  bool operator==(const packed&) const = default;
};

// ---- Coordinates

std::int64_t count_of(const extents_type& extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}
extents_type coordinates_of(std::int64_t number, const extents_type& extents) {
  extents_type result(extents.size());
  for (std::size_t k = extents.size(); k-- > 0;) {
    result[k] = number % extents[k];
    number /= extents[k];
  }
  return result;
}
std::int64_t number_of(const extents_type& coordinates, const extents_type& extents) {
  std::int64_t number = 0;
  for (std::size_t k = 0; k < extents.size(); ++k) number = number * extents[k] + coordinates[k];
  return number;
}
index_list list_of(const extents_type& from) {
  index_list result;
  for (const std::int64_t each : from) result.push_back(each);
  return result;
}

// ---- Tensors

// A tensor anywhere in an array: axes in any order, with gaps, of negative strides, and if `may_repeat` of strides 0.
template <class T>
struct placed {
  extents_type extents;
  extents_type strides;
  std::int64_t first = 0;
  std::vector<T> memory;

  placed(random_source& random, const extents_type& shape, bool may_repeat) : extents{shape}, strides(shape.size()) {
    const bool is_row_major = random.one_in(3);
    std::vector<std::size_t> order = random.order(shape.size());
    if (is_row_major) {
      for (std::size_t k = 0; k < order.size(); ++k) order[k] = shape.size() - 1 - k;
    }
    std::int64_t step = is_row_major ? 1 : random.between(1, 2);
    for (const std::size_t k : order) {
      strides[k] = step;
      if (!is_row_major && may_repeat && random.one_in(6)) {
        strides[k] = 0;
        continue;
      }
      step *= std::max<std::int64_t>(extents[k], 1) + (is_row_major || !random.one_in(4) ? 0 : 1);
      if (!is_row_major && random.one_in(4)) {
        first += (std::max<std::int64_t>(extents[k], 1) - 1) * strides[k];
        strides[k] = -strides[k];
      }
    }
    memory.resize(static_cast<std::size_t>(step) + 1);
  }
  [[nodiscard]] std::size_t place(const extents_type& at) const {
    std::int64_t offset = first;
    for (std::size_t k = 0; k < at.size(); ++k) offset += at[k] * strides[k];
    return static_cast<std::size_t>(offset);
  }
  [[nodiscard]] std::size_t place(std::int64_t number) const { return place(coordinates_of(number, extents)); }
  [[nodiscard]] std::int64_t size() const { return count_of(extents); }
  [[nodiscard]] tensor_view<T> view() { return {memory.data() + first, list_of(extents), list_of(strides)}; }
};
// std::vector<bool> has no elements.
struct truth {
  bool value = false;
  bool operator==(const truth&) const = default;
};
template <class T>
using held_as = std::conditional_t<std::is_same_v<T, bool>, truth, T>;
template <class T, class Held>
tensor_view<T> view_of(placed<Held>& of) {
  if constexpr (std::is_same_v<T, bool>) {
    return {&of.memory[static_cast<std::size_t>(of.first)].value, list_of(of.extents), list_of(of.strides)};
  } else {
    return of.view();
  }
}

template <class T>
T draw_element(random_source& random) {
  if constexpr (std::is_same_v<T, truth>) {
    return {random.one_in(2)};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(random.one_in(2) ? 1 : 40, static_cast<char>('a' + random.below(4)));
  } else if constexpr (std::is_same_v<T, packed>) {
    packed result;
    for (auto& byte : result.bytes) byte = static_cast<unsigned char>(random.below(256));
    return result;
  } else if constexpr (std::is_integral_v<T>) {
    const std::int64_t value = random.between(-3, 3);
    if (random.one_in(8)) return value < 0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {static_cast<float>(random.below(9)), static_cast<float>(random.below(9))};
  } else {
    const float values[] = {0.0F,
                            -0.0F,
                            1.0F,
                            -1.0F,
                            2.5F,
                            1e-7F,
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()};
    return static_cast<T>(values[random.below(random.one_in(4) ? 9 : 6)]);
  }
}

// ---- What wins

template <class T>
bool is_same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, truth>) {
    return a == b;
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same<T>);
}
template <class T>
constexpr bool has_order = !std::is_same_v<T, packed> && !std::is_same_v<T, std::complex<float>>;

// Whether an update replaces what an element holds.
template <class T>
bool replaces(reduction_kind kind, const T& current, const T& update) {
  if (kind == reduction_kind::none) return true;
  if constexpr (std::is_same_v<T, truth>) {
    return kind == reduction_kind::max ? !current.value && update.value : current.value && !update.value;
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, std::string>) {
    return kind == reduction_kind::max ? update > current : update < current;
  } else if constexpr (has_order<T>) {
    const auto a = static_cast<double>(static_cast<float>(current));
    const auto b = static_cast<double>(static_cast<float>(update));
    if (a != a) return false;
    return b != b || (kind == reduction_kind::max ? b > a : b < a);
  } else {
    return false;
  }
}

// ---- Indices

template <class Index>
Index draw_index(random_source& random, std::int64_t extent, bool may_be_negative, bool may_be_illegal) {
  std::int64_t value = extent > 0 ? random.below(extent) : 0;
  if (extent > 2 && random.one_in(2)) value = random.below(2);
  if (std::is_signed_v<Index> && may_be_negative && extent > 0 && random.one_in(3)) value -= extent;
  if (may_be_illegal && (extent == 0 || random.one_in(4))) {
    value = extent + random.below(3 * extent + 3);
    if (std::is_signed_v<Index> && random.one_in(2)) value = -extent - 1 - random.below(2 * extent + 2);
  }
  return static_cast<Index>(std::clamp<std::int64_t>(value, -100, 100));
}
// The coordinate that an index selects, or -1 if it is dropped.
std::int64_t resolve(std::int64_t value, std::int64_t extent, bool wraps, index_policy policy) {
  const bool is_legal = value < extent && value >= (wraps ? -extent : 0);
  if (is_legal) return value < 0 ? value + extent : value;
  if (policy == index_policy::drop) return -1;
  if (policy == index_policy::clip) return value < 0 ? 0 : extent - 1;
  return (value % extent + extent) % extent;
}

// ---- Calls

enum class operator_of_case {
  scatter_update,
  index_copy,
  index_reduce,
  scatter_elements_update,
  v12_scatter_elements_update,
  onnx_scatter,
  onnx_scatter_elements,
  scatter,
  scatter_reduce,
  put_along_axis,
  v3_scatter_nd_update,
  v14_scatter_nd_update,
  onnx_scatter_nd,
  index_put,
  put,
};
constexpr int operators_of_cases = 15;
using enum operator_of_case;

struct way {
  bool rows = false;
  bool elements = false;
  bool tuples = false;
  bool wraps = false;
  bool is_longer = false;  // whether indices may be longer than data on the axis
  bool has_order = false;
};
way way_of(operator_of_case which) {
  switch (which) {
    case scatter_update:
    case index_copy:
      return {.rows = true};
    case index_reduce:
      return {.rows = true, .has_order = true};
    case scatter_elements_update:
      return {.elements = true};
    case v12_scatter_elements_update:
    case onnx_scatter_elements:
      return {.elements = true, .wraps = true, .is_longer = true, .has_order = true};
    case onnx_scatter:
    case put_along_axis:
      return {.elements = true, .wraps = true, .is_longer = true};
    case scatter:
      return {.elements = true, .is_longer = true};
    case scatter_reduce:
      return {.elements = true, .is_longer = true, .has_order = true};
    case v3_scatter_nd_update:
      return {.tuples = true};
    case v14_scatter_nd_update:
    case onnx_scatter_nd:
      return {.tuples = true, .wraps = true, .has_order = true};
    case index_put:
    case put:
      return {.wraps = true};
  }
  return {};
}

// Calls an operator. Without an output it is in place.
template <class Ex, class Data, class Indices, class Second, class Updates, class R, class... Output>
status call(operator_of_case which, const Ex& ex, const Data& data, const Indices& at,
            [[maybe_unused]] const Second& second, const Updates& updates, std::int64_t axis, const R& won,
            const Output&... output) {
  using reduction_type = typename R::reduction_type;
  if constexpr (std::is_same_v<reduction_type, red::none_type> || std::is_same_v<reduction_type, dynamic::reduction>) {
    switch (which) {
      case operator_of_case::scatter_update:
        return try_scatter_update(ex, data, at, updates, axis, won, output...);
      case operator_of_case::index_copy:
        return try_index_copy(ex, data, axis, at, updates, won, output...);
      case operator_of_case::scatter_elements_update:
        return try_scatter_elements_update(ex, data, at, updates, axis, won, output...);
      case operator_of_case::onnx_scatter:
        return onnx::try_scatter(ex, data, at, updates, axis, won, output...);
      case operator_of_case::scatter:
        return try_scatter(ex, data, axis, at, updates, won, output...);
      case operator_of_case::put_along_axis:
        return try_put_along_axis(ex, data, at, updates, axis, won, output...);
      case operator_of_case::v3_scatter_nd_update:
        return v3::try_scatter_nd_update(ex, data, at, updates, won, output...);
      case operator_of_case::index_put:
        return try_index_put(ex, data, second, updates, won, output...);
      case operator_of_case::put:
        return try_put(ex, data, at, updates, won, output...);
      default:
        break;
    }
  }
  switch (which) {
    case operator_of_case::index_reduce:
      return try_index_reduce(ex, data, axis, at, updates, won, output...);
    case operator_of_case::v12_scatter_elements_update:
      return v12::try_scatter_elements_update(ex, data, at, updates, axis, won, output...);
    case operator_of_case::onnx_scatter_elements:
      return onnx::try_scatter_elements(ex, data, at, updates, axis, won, output...);
    case operator_of_case::v14_scatter_nd_update:
      return v14::try_scatter_nd_update(ex, data, at, updates, won, output...);
    case operator_of_case::onnx_scatter_nd:
      return onnx::try_scatter_nd(ex, data, at, updates, won, output...);
    default:
      break;
  }
  return try_scatter_reduce(ex, data, axis, at, updates, won, output...);
}

template <class T, class Index, class Number, bool IsDynamic>
struct positions_case {
  using held = held_as<T>;

  static extents_type draw_extents(random_source& random, std::size_t rank) {
    extents_type result(rank);
    for (auto& extent : result) extent = random.one_in(20) ? 0 : random.between(1, 5);
    return result;
  }

  template <class R, index_policy Policy>
  static void run(random_source& random, operator_of_case which, reduction_kind kind, R reduce) {
    const way by = way_of(which);
    // Data, and on which axes indices select.
    const auto rank = static_cast<std::size_t>(random.between(1, 4));
    extents_type data_extents = draw_extents(random, rank);
    std::size_t axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rank)));
    std::size_t targets = 1;
    if (by.tuples) targets = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rank) + 1));
    if (which == index_put) targets = rank > 1 && random.one_in(2) ? 2 : 1;
    if (by.tuples || which == index_put) axis = 0;
    const bool is_number = which == put;
    // Positions.
    extents_type positions;
    if (by.elements) {
      positions = data_extents;
      for (std::size_t k = 0; k < rank; ++k) {
        if (random.one_in(4) && positions[k] > 0) positions[k] -= 1;
      }
      if (by.is_longer) positions[axis] = random.one_in(12) ? 1500 : random.below(20);
    } else {
      positions = draw_extents(random, static_cast<std::size_t>(random.below(3)));
      if (!positions.empty() && random.one_in(6)) positions[0] = random.one_in(3) ? 2100 : 300;
    }
    constexpr bool may_be_illegal = Policy != index_policy::error;
    const auto extent_of = [&](std::size_t j) { return is_number ? count_of(data_extents) : data_extents[axis + j]; };
    bool selects_nothing = false;
    for (std::size_t j = 0; j < targets; ++j) selects_nothing = selects_nothing || extent_of(j) == 0;
    if (selects_nothing && Policy != index_policy::drop && count_of(positions) > 0) {
      if (positions.empty()) return;
      positions[0] = 0;
      if (by.elements) positions[axis] = 0;
    }
    // Updates.
    extents_type updates_extents = positions;
    std::size_t inserted_at = 0;
    if (!by.elements && !is_number) {
      inserted_at = axis;
      updates_extents.assign(data_extents.begin(), data_extents.begin() + static_cast<std::ptrdiff_t>(axis));
      updates_extents.insert(updates_extents.end(), positions.begin(), positions.end());
      updates_extents.insert(updates_extents.end(), data_extents.begin() + static_cast<std::ptrdiff_t>(axis + targets),
                             data_extents.end());
    }
    const bool in_place = random.one_in(3);
    placed<held> data(random, data_extents, !in_place);
    placed<held> updates(random, updates_extents, true);
    placed<held> output(random, data_extents, false);
    placed<Number> numbers(random, data_extents, false);
    extents_type index_extents = positions;
    if (by.tuples) index_extents.push_back(static_cast<std::int64_t>(targets));
    placed<Index> indices(random, index_extents, !by.tuples);
    placed<std::int32_t> second(random, positions, true);
    for (auto& each : data.memory) each = draw_element<held>(random);
    for (auto& each : updates.memory) each = draw_element<held>(random);
    for (auto& each : output.memory) each = draw_element<held>(random);
    for (auto& each : numbers.memory) each = static_cast<Number>(77);
    for (std::int64_t i = 0; i < indices.size(); ++i) {
      const std::size_t j = by.tuples ? static_cast<std::size_t>(i) % targets : 0;
      indices.memory[indices.place(i)] = draw_index<Index>(random, extent_of(j), by.wraps, may_be_illegal);
    }
    if (!by.tuples && index_extents.size() == 1 && indices.strides[0] != 0 &&
        random.one_in(2)) {  // threads find their own
      std::vector<Index> ascending;
      for (std::int64_t i = 0; i < indices.size(); ++i) ascending.push_back(indices.memory[indices.place(i)]);
      std::sort(ascending.begin(), ascending.end());
      for (std::int64_t i = 0; i < indices.size(); ++i) {
        indices.memory[indices.place(i)] = ascending[static_cast<std::size_t>(i)];
      }
    }
    for (std::int64_t i = 0; i < second.size() && targets > 1 && which == index_put; ++i) {
      second.memory[second.place(i)] = draw_index<std::int32_t>(random, extent_of(1), true, may_be_illegal);
    }
    const bool is_wrong = Policy == index_policy::error && targets > 0 && count_of(positions) > 0 && random.one_in(10);
    if (is_wrong) {
      indices.memory[indices.place(random.below(indices.size()))] = static_cast<Index>(by.wraps ? 101 : 125);
      if (is_number && count_of(data_extents) > 100) return;
    }

    // What is expected.
    placed<held>& written = in_place ? data : output;
    std::vector<held> expected = written.memory;
    std::vector<Number> won = numbers.memory;
    for (std::int64_t e = 0; e < count_of(data_extents); ++e) {
      expected[written.place(e)] = data.memory[data.place(e)];
      won[numbers.place(e)] = static_cast<Number>(-1);
    }
    for (std::int64_t u = 0; u < updates.size(); ++u) {
      const extents_type at = coordinates_of(u, updates_extents);
      extents_type position = at;
      if (!by.elements && !is_number) {
        position.assign(at.begin() + static_cast<std::ptrdiff_t>(inserted_at),
                        at.begin() + static_cast<std::ptrdiff_t>(inserted_at + positions.size()));
      }
      const std::int64_t number = by.elements ? at[axis] : number_of(position, positions);
      extents_type target;
      bool is_dropped = false;
      const auto select = [&](std::int64_t value, std::size_t j) {
        const std::int64_t found = resolve(value, extent_of(j), by.wraps, Policy);
        is_dropped = is_dropped || found < 0;
        return found;
      };
      if (is_wrong) break;
      if (is_number) {
        const std::int64_t found = select(static_cast<std::int64_t>(indices.memory[indices.place(position)]), 0);
        if (!is_dropped) target = coordinates_of(found, data_extents);
      } else if (by.elements) {
        target = at;
        target[axis] = select(static_cast<std::int64_t>(indices.memory[indices.place(position)]), 0);
      } else {
        target.assign(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(inserted_at));
        for (std::size_t j = 0; j < targets; ++j) {
          extents_type of_component = position;
          if (by.tuples) of_component.push_back(static_cast<std::int64_t>(j));
          const std::int64_t value = which == index_put && j == 1
                                         ? std::int64_t{second.memory[second.place(position)]}
                                         : static_cast<std::int64_t>(indices.memory[indices.place(of_component)]);
          target.push_back(select(value, j));
        }
        target.insert(target.end(), at.begin() + static_cast<std::ptrdiff_t>(inserted_at + positions.size()), at.end());
      }
      if (is_dropped) continue;
      held& current = expected[written.place(target)];
      const held& update = updates.memory[updates.place(at)];
      if (!replaces(kind, current, update)) continue;
      current = update;
      won[numbers.place(target)] = static_cast<Number>(number);
    }
    const std::int64_t count = by.elements ? positions[axis] : count_of(positions);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
    const bool fits = static_cast<std::uint64_t>(count) <= most + (std::is_signed_v<Number> ? 1 : 0);
    const std::vector<held> before = written.memory;
    const std::vector<Number> numbers_before = numbers.memory;

    const auto run_on = [&](const auto& ex) {
      const auto at = with_policy<Policy>(indices.view());
      const auto of = red::with_positions(reduce, numbers.view());
      const auto moved = static_cast<std::int64_t>(axis);
      const auto run_with = [&](const auto& tensors) {
        return in_place
                   ? call(which, ex, view_of<T>(data), at, tensors, view_of<T>(updates), moved, of)
                   : call(which, ex, view_of<T>(data), at, tensors, view_of<T>(updates), moved, of, view_of<T>(output));
      };
      return targets == 2 && which == index_put
                 ? run_with(with_policy<Policy>(std::tuple(indices.view(), second.view())))
                 : run_with(with_policy<Policy>(std::tuple(indices.view())));
    };
    // The same with types that are known at run time only.
    const auto run_at_run_time = [&](const auto& ex) {
      if constexpr (IsDynamic) {
        const dynamic::index_tensor first(indices.view());
        const std::array<dynamic::index_tensor, 2> both{first, dynamic::index_tensor(second.view())};
        const std::span<const dynamic::index_tensor> some(both.data(), targets == 2 && which == index_put ? 2 : 1);
        const dynamic::tensor seen(view_of<T>(data));
        const dynamic::const_tensor values(dynamic::tensor(view_of<T>(updates)));
        const auto of = red::with_positions(dynamic::reduction{kind, true}, dynamic::tensor(numbers.view()));
        const auto moved = static_cast<std::int64_t>(axis);
        const auto at = with_policy<Policy>(first);
        const auto all = with_policy<Policy>(some);
        return in_place ? call(which, ex, seen, at, all, values, moved, of)
                        : call(which, ex, seen, at, all, values, moved, of, dynamic::tensor(view_of<T>(output)));
      } else {
        return run_on(ex);
      }
    };
    const status error = IsDynamic && random.one_in(2)
                             ? random.one_in(2) ? run_at_run_time(backwards{}) : run_at_run_time(serial)
                         : random.one_in(2) ? run_on(backwards{})
                                            : run_on(serial);
    INFO("operator " << static_cast<int>(which) << " reduction " << static_cast<int>(kind) << " policy "
                     << static_cast<int>(Policy) << ": " << error.message().c_str());
    if (!fits || is_wrong) {
      CHECK(error.code() == (!fits ? errc::value_out_of_range : errc::index_out_of_bounds));
      CHECK(numbers.memory == numbers_before);
      CHECK(are_same(written.memory, before));
    } else {
      CHECK(error.ok());
      CHECK(numbers.memory == won);
      CHECK(are_same(written.memory, expected));
    }
  }
};

template <class T, class Index, class Number, index_policy Policy, bool IsDynamic = false>
void run_cases(std::uint64_t seed) {
  const limits_for_test restores;
  const std::uint64_t cases = 1500 * number_from("STREW_POSITIONS_CASES", 1);
  for (std::uint64_t i = 0; i < cases; ++i) {
    random_source random(seed * 1000003 + i);
    INFO("seed " << seed << " case " << i);
    tuning::set_by_tests.smallest_part = random.one_in(2) ? 1 : 64;
    tuning::set_by_tests.shortest_shared_row = tuning::set_by_tests.shortest_shared_multi_index_row =
        random.one_in(2) ? 1 : 64;
    tuning::set_by_tests.used_positions = random.one_in(2) ? random.between(2, 9) : tuning::positions;
    const auto which = static_cast<operator_of_case>(random.below(operators_of_cases));
    using of = positions_case<T, Index, Number, IsDynamic>;
    if constexpr (has_order<held_as<T>>) {
      if (way_of(which).has_order && random.one_in(2)) {
        of::template run<red::max_type, Policy>(random, which, reduction_kind::max, red::max);
        continue;
      }
      if (way_of(which).has_order && random.one_in(2)) {
        of::template run<red::min_type, Policy>(random, which, reduction_kind::min, red::min);
        continue;
      }
    }
    of::template run<red::none_type, Policy>(random, which, reduction_kind::none, red::none);
  }
}

TEST_CASE("random calls: numbers of single precision", "[positions]") {
  run_cases<float, std::int64_t, std::int64_t, index_policy::error>(1);
  run_cases<float, std::int64_t, std::int64_t, index_policy::drop>(2);
}
TEST_CASE("random calls: types that are known at run time only", "[positions]") {
  run_cases<float, std::int32_t, std::int64_t, index_policy::error, true>(16);
  run_cases<dynamic::bfloat16, std::uint8_t, std::uint8_t, index_policy::drop, true>(17);
  run_cases<bool, std::int64_t, std::int16_t, index_policy::error, true>(18);
}
TEST_CASE("random calls: other policies", "[positions]") {
  run_cases<float, std::int32_t, std::int32_t, index_policy::clip>(3);
  run_cases<float, std::int32_t, std::int32_t, index_policy::wrap>(4);
}
TEST_CASE("random calls: double precision, and halves", "[positions]") {
  run_cases<double, std::int32_t, std::uint32_t, index_policy::error>(5);
  run_cases<dynamic::float16, std::int64_t, std::uint8_t, index_policy::drop>(6);
  run_cases<dynamic::bfloat16, std::int8_t, std::int16_t, index_policy::error>(7);
}
TEST_CASE("random calls: integers", "[positions]") {
  run_cases<std::int32_t, std::uint8_t, std::uint16_t, index_policy::error>(8);
  run_cases<std::int8_t, std::int16_t, std::int8_t, index_policy::error>(9);
  run_cases<std::uint64_t, std::uint64_t, std::uint64_t, index_policy::error>(10);
}
TEST_CASE("random calls: booleans, strings, and what has no order", "[positions]") {
  run_cases<bool, std::uint32_t, std::int64_t, index_policy::error>(11);
  run_cases<std::string, std::int64_t, std::int16_t, index_policy::drop>(12);
  run_cases<std::string, std::uint16_t, std::uint8_t, index_policy::error>(13);
  run_cases<packed, std::int64_t, std::int64_t, index_policy::error>(14);
  run_cases<std::complex<float>, std::int64_t, std::int32_t, index_policy::drop>(15);
}

}  // namespace
}  // namespace strew::test
