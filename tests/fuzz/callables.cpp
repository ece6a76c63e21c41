// SPDX-License-Identifier: Apache-2.0
// Reductions by callables, in which the order of the updates shows, on typed views: with and without noexcept, with a
// state of their own, throwing after some calls; of numbers and of strings; by each policy for illegal indices; in
// parts, with workspaces of any size, with thresholds of any size. Compared with one call after the other.
#include "fail.hpp"
#include "property/property_reductions.hpp"
#include "support/guarded_buffer.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/with_policy.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

using index = std::int32_t;

struct thrown {};

// Neither commutative nor associative, but for strings.
template <class T>
T combine(const T& current, const T& update, std::uint32_t salt) {
  if constexpr (std::is_same_v<T, std::string>) {
    return current + update;
  } else {
    return current * 31 + (update ^ salt);
  }
}
struct steady {
  std::uint32_t salt;
  std::uint32_t operator()(const std::uint32_t& a, const std::uint32_t& b) const noexcept {
    return combine(a, b, salt);
  }
};
struct throwing_after {
  std::uint32_t salt;
  std::int64_t* calls;  // that are left
  template <class T>
  T operator()(const T& a, const T& b) const {
    if ((*calls)-- == 0) throw thrown();
    return combine(a, b, salt);
  }
};

// The shapes of a call, and for each update its target, or none.
struct planned_call {
  std::int64_t operation = 0;
  std::int64_t axis = 0;
  index_policy policy = index_policy::error;
  shape data;
  shape indices;
  shape updates;
  std::vector<index> values;
  std::vector<std::int64_t> targets;
  bool is_error = false;
};

constexpr std::int64_t none = -1;

std::int64_t find(planned_call& of, std::size_t position, std::int64_t extent) {
  const auto found = find_element(of.values[position], extent, of.operation != 1, of.policy, of.is_error);
  return found ? *found : none;
}

planned_call draw_call(random_source& random) {
  planned_call result;
  result.operation = random.below(3);
  result.policy = static_cast<index_policy>(random.below(4));
  const std::int64_t rank = random.between(1, 4);
  result.data = draw_shape(random, rank);
  result.axis = draw_axis(random, rank);
  const std::size_t a = oracle::axis_of(result.axis, result.data.size());
  const auto components = static_cast<std::size_t>(random.between(0, rank));
  if (result.operation == 0) {  // elements
    result.indices = result.data;
    for (std::int64_t& extent : result.indices) extent = random.one_in(4) ? random.between(0, extent) : extent;
    if (random.one_in(2)) result.indices[a] = random.between(0, 2 * result.data[a]);
    result.updates = result.indices;
  } else {
    for (std::int64_t k = random.below(3); k > 0; --k) result.indices.push_back(random.between(0, 6));
    if (result.operation == 1) {  // rows
      result.updates = oracle::scatter_update_updates(result.data, result.indices, result.axis);
    } else {  // multi-indices
      result.updates = result.indices;
      result.updates.insert(result.updates.end(), result.data.begin() + static_cast<std::ptrdiff_t>(components),
                            result.data.end());
      result.indices.push_back(static_cast<std::int64_t>(components));
    }
  }
  const bool has_bad = random.one_in(2);
  for (std::int64_t k = 0; k < oracle::count_of(result.indices); ++k) {
    const std::size_t on = result.operation == 2 ? static_cast<std::size_t>(k) % components : a;
    const std::int64_t extent = result.data[on];
    const std::int64_t least = result.operation == 1 ? 0 : -extent;
    result.values.push_back(static_cast<index>(extent == 0 ? 0 : random.between(least, extent - 1)));
    if (has_bad && random.one_in(4)) result.values.back() = static_cast<index>(random.mostly_between(-40, 40));
  }
  const std::size_t q = result.indices.size();
  for_each_coordinate(result.updates, [&](const shape& at) {
    shape target = at;
    bool is_dropped = false;
    const auto set = [&](std::size_t k, std::size_t position) {
      target[k] = find(result, position, result.data[k]);
      is_dropped = is_dropped || target[k] == none;
    };
    const auto begin = at.begin();
    if (result.operation == 0) {
      set(a, oracle::position_of(at, result.indices));
    } else if (result.operation == 1) {
      const auto first = begin + static_cast<std::ptrdiff_t>(a);
      const std::size_t position = oracle::position_of({first, first + static_cast<std::ptrdiff_t>(q)}, result.indices);
      target.assign(begin, first);
      target.push_back(0);
      target.insert(target.end(), first + static_cast<std::ptrdiff_t>(q), at.end());
      set(a, position);
    } else {
      const auto rest = begin + static_cast<std::ptrdiff_t>(q - 1);
      const std::size_t position =
          oracle::position_of({begin, rest}, {result.indices.begin(), result.indices.end() - 1});
      target.assign(components, 0);
      target.insert(target.end(), rest, at.end());
      for (std::size_t j = 0; j < components; ++j) set(j, position * components + j);
    }
    result.targets.push_back(is_dropped ? none : static_cast<std::int64_t>(oracle::position_of(target, result.data)));
  });
  // Indices are checked even if there are no updates by them.
  for (std::size_t k = 0; k < result.values.size(); ++k) {
    const std::size_t on = result.operation == 2 ? k % components : a;
    static_cast<void>(find(result, k, result.data[on]));
  }
  return result;
}

template <class T, class R, class... Output>
status call(const planned_call& of, const some_executor& ex, const R& reduce, const tensor_view<const index>& indices,
            const tensor_view<const T>& updates, const auto& data, const Output&... output) {
  return with_policy(of.policy, indices, [&](const auto& chosen) {
    switch (of.operation) {
      case 0:
        return v12::try_scatter_elements_update(ex, data, chosen, updates, of.axis, reduce, output...);
      case 1:
        return try_index_reduce(ex, data, of.axis, chosen, updates, reduce, output...);
      default:
        return v15::try_scatter_nd_update(ex, data, chosen, updates, reduce, output...);
    }
  });
}

template <class T, class R, class Reference>
void check(random_source& random, const planned_call& of, const R& reduce, const Reference& reference) {
  const bool in_place = random.one_in(3);
  auto data = draw_buffer<T>(random, of.data, !in_place);
  auto updates = draw_buffer<T>(random, of.updates, true);
  auto output = draw_buffer<T>(random, of.data, false);
  data.fill_from(1);
  updates.fill_from(20000);
  auto indices = draw_buffer<index>(random, of.indices, false);
  indices.fill(of.values);
  const std::vector<T> sources = updates.values();
  std::vector<T> expected = data.values();
  for (std::size_t i = 0; i < of.targets.size(); ++i) {
    if (of.targets[i] == none) continue;
    T& target = expected[static_cast<std::size_t>(of.targets[i])];
    target = reference(target, sources[i]);
  }
  const guarded_buffer<T> data_before = data;
  const guarded_buffer<T> output_before = output;
  static guarded_workspace memory(60'000);
  memory.restore();
  some_executor ex;
  ex.threads = static_cast<std::size_t>(random.between(1, 8));
  const bool has_memory = random.one_in(2);
  if (has_memory) ex.memory = memory.lend(random.one_in(2) ? random.below(600) : random.below(60'000));
  status outcome;
  bool has_thrown = false;
  try {
    outcome = in_place ? call<T>(of, ex, reduce, indices.const_view(), updates.const_view(), data.view())
                       : call<T>(of, ex, reduce, indices.const_view(), updates.const_view(), data.const_view(),
                                 output.view());
  } catch (const thrown&) {
    has_thrown = true;
  }
  check_message(outcome);
  if (has_memory && memory.was_written_around()) fail("written beside the workspace");
  guarded_buffer<T>& written = in_place ? data : output;
  const guarded_buffer<T>& before = in_place ? data_before : output_before;
  if (!in_place && !data.is_same_as(data_before)) fail("data is written");
  if (!written.is_same_around_elements(before)) fail("written beside the elements");
  if (of.is_error) {
    if (has_thrown || outcome.code() != errc::index_out_of_bounds) fail("an illegal index is accepted", outcome);
    if (!written.is_same_as(before)) fail("written in spite of an error", outcome);
    return;
  }
  if (has_thrown) return;  // elements hold what they did after some update
  if (!outcome.ok()) fail("refused", outcome);
  if (written.values() != expected) fail("the updates were not combined in their order");
}

void run_one(random_source& random) {
  limits_for_test limits;
  if (random.one_in(2)) limits.draw(random);
  const planned_call of = draw_call(random);
  const auto salt = static_cast<std::uint32_t>(random.below(256));
  std::int64_t calls = random.one_in(4) ? random.below(20) : -1;
  const throwing_after throwing{salt, &calls};
  const auto reference = [&]<class T>(const T& a, const T& b) { return combine(a, b, salt); };
  switch (random.below(4)) {
    case 0:
      return check<std::uint32_t>(random, of, steady{salt}, reference);
    case 1:
      return check<std::uint32_t>(random, of, throwing, reference);
    case 2:
      return check<std::string>(random, of, throwing, reference);
    default:
      return check<std::uint32_t>(random, of, reduction::sum, std::plus<std::uint32_t>());
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
