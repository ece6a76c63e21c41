// SPDX-License-Identifier: Apache-2.0
// The formulas, loops and examples of ScatterElementsUpdate-12, ScatterNDUpdate-3 to -15, ScatterElements, ScatterND
// and TensorScatter, each written out as its specification has it. specifications_of_reductions.cpp has the small
// examples.
#include "support/catch.hpp"
#include "support/dense_tensor.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;
using ints = dense_tensor<std::int64_t>;

// A reduction and what its formula does with an element of the output and one of the updates.
template <class Reduction>
struct formula {
  Reduction reduction;
  std::int64_t (*of)(std::int64_t output, std::int64_t update);
};
template <class Reduction>
formula(Reduction, std::int64_t (*)(std::int64_t, std::int64_t)) -> formula<Reduction>;
constexpr auto overwrite = formula{red::none, [](std::int64_t, std::int64_t update) { return update; }};
constexpr auto plus = formula{red::sum, [](std::int64_t output, std::int64_t update) { return output + update; }};
constexpr auto minus = formula{red::sub, [](std::int64_t output, std::int64_t update) { return output - update; }};
constexpr auto times = formula{red::prod, [](std::int64_t output, std::int64_t update) { return output * update; }};
constexpr auto least =
    formula{red::min, [](std::int64_t output, std::int64_t update) { return std::min(output, update); }};
constexpr auto most =
    formula{red::max, [](std::int64_t output, std::int64_t update) { return std::max(output, update); }};

template <class Body, class... Formulas>
void for_each_formula(const std::tuple<Formulas...>& formulas, const Body& body) {
  std::apply([&](const auto&... each) { (body(each), ...); }, formulas);
}

// Small numbers without a pattern that a formula could miss.
ints numbers(const coordinate& extents, std::int64_t factor) {
  ints result(extents, 0);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = (static_cast<std::int64_t>(i) * factor + static_cast<std::int64_t>(i / 3)) % 11 - 4;
  }
  return result;
}

// data of 1 to 3 axes, indices along one of them that are shorter than data on the others, and now and then longer on
// it.
struct along_axis {
  ints data;
  ints indices;
  ints updates;
  std::size_t axis;

  along_axis(const coordinate& extents, std::size_t on_axis, std::int64_t length)
      : data(numbers(extents, 5)), indices({}, 0), updates({}, 0), axis(on_axis) {
    coordinate shorter = extents;
    for (std::int64_t& extent : shorter) extent = std::max<std::int64_t>(extent - 1, 1);
    shorter[axis] = length;
    indices = ints(shorter, 0);
    for (std::size_t i = 0; i < indices.values.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      indices.values[i] = (number * number + number / 2) % (2 * extents[axis]) - extents[axis];
    }
    updates = numbers(shorter, 7);
  }
  // Calls body(element of the output, update) for the updates in row-major order, with the index of the formulas.
  template <class Body>
  void for_each_update(ints& output, const Body& body) const {
    for_each_coordinate(indices.extents, [&](const coordinate& at) {
      coordinate target = at;
      target[axis] = indices[at] < 0 ? indices[at] + data.extents[axis] : indices[at];
      body(target, output[target], updates[at]);
    });
  }
  // The output of a formula, each update combined with its element.
  template <class Formula>
  ints combined_by(const Formula& formula) const {
    ints output = data;
    for_each_update(output, [&](const coordinate&, std::int64_t& element, std::int64_t update) {
      element = formula.of(element, update);
    });
    return output;
  }
};

template <class Body>
void for_each_along_axis(const Body& body) {
  for (const coordinate& extents : {coordinate{5}, coordinate{3, 4}, coordinate{3, 2, 4}}) {
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      for (const std::int64_t length : {extents[axis] - 1, extents[axis], 2 * extents[axis] + 1}) {
        body(along_axis(extents, axis, length));
      }
    }
  }
}

TEST_CASE("ScatterElementsUpdate-12: the formulas for 1-D, 2-D and 3-D tensors, of each reduction") {
  for_each_along_axis([](const along_axis& on) {
    for_each_formula(std::tuple{overwrite, plus, times, least, most}, [&](const auto& each) {
      INFO(red::name_of(each.reduction.kind) << " along axis " << on.axis << " of " << on.data.extents.size());
      const ints expected = on.combined_by(each);
      ints output = on.data;
      v12::scatter_elements_update(on.data.view(), on.indices.view(), on.updates.view(), on.axis, each.reduction,
                                   output.view());
      CHECK(output.values == expected.values);
      const auto from_the_end = static_cast<std::int64_t>(on.axis) - static_cast<std::int64_t>(on.data.extents.size());
      ints in_place = on.data;
      v12::scatter_elements_update(in_place.view(), on.indices.view(), on.updates.view(), from_the_end, each.reduction);
      CHECK(in_place.values == expected.values);
    });
  });
}

TEST_CASE("ScatterElementsUpdate-12: without use_init_val an element is what its updates alone come to") {
  for_each_along_axis([](const along_axis& on) {
    for_each_formula(std::tuple{plus, times, least, most}, [&](const auto& each) {
      INFO(red::name_of(each.reduction.kind) << " along axis " << on.axis << " of " << on.data.extents.size());
      ints expected = on.data;
      dense_tensor<char> touched(on.data.extents, 0);
      on.for_each_update(expected, [&](const coordinate& target, std::int64_t& element, std::int64_t update) {
        element = touched[target] != 0 ? each.of(element, update) : update;
        touched[target] = 1;
      });
      ints output = on.data;
      v12::scatter_elements_update(on.data.view(), on.indices.view(), on.updates.view(), on.axis,
                                   red::without_init(each.reduction), output.view());
      CHECK(output.values == expected.values);
    });
  });
}

TEST_CASE("ScatterElementsUpdate-12: the mean of integers is rounded towards negative infinity") {
  for_each_along_axis([](const along_axis& on) {
    for (const bool use_init_val : {true, false}) {
      INFO("along axis " << on.axis << " of " << on.data.extents.size() << ", use_init_val " << use_init_val);
      ints sums = on.data;
      ints counts(on.data.extents, use_init_val ? 1 : 0);
      ints expected = on.data;
      if (!use_init_val) std::fill(sums.values.begin(), sums.values.end(), 0);
      on.for_each_update(sums, [&](const coordinate& target, std::int64_t& sum, std::int64_t update) {
        sum += update;
        ++counts[target];
        std::int64_t mean = -1000;
        while ((mean + 1) * counts[target] <= sum) ++mean;
        expected[target] = mean;
      });
      ints output = on.data;
      red::visit<std::int64_t, v12::scatter_elements_update_reductions>(
          reduction_kind::mean, use_init_val, [&](auto mean) {
            v12::scatter_elements_update(on.data.view(), on.indices.view(), on.updates.view(), on.axis, mean,
                                         output.view());
          });
      CHECK(output.values == expected.values);
    }
  });
}

TEST_CASE("ScatterElementsUpdate-12: use_init_val has no effect on none") {
  const ints data({3}, {1, 2, 3});
  const ints indices({2}, {2, -1});
  const ints updates({2}, {10, 20});
  for (const bool use_init_val : {true, false}) {
    ints output({3}, 0);
    int calls = 0;
    red::visit<std::int64_t, v12::scatter_elements_update_reductions>(
        reduction_kind::none, use_init_val, [&](auto reduction) {
          ++calls;
          v12::scatter_elements_update(data.view(), indices.view(), updates.view(), 0, reduction, output.view());
        });
    CHECK(calls == 1);
    CHECK(output.values == std::vector<std::int64_t>{1, 2, 20});
  }
}

TEST_CASE("ScatterElementsUpdate-12: one of six reductions, none by default, and nothing else") {
  const auto is_taken = [](reduction_kind kind) {
    return red::try_visit<float, v12::scatter_elements_update_reductions>(kind, true, [](auto) {}).ok();
  };
  for (const char* const name : {"none", "sum", "prod", "min", "max", "mean"}) {
    reduction_kind kind{};
    REQUIRE(red::parse(name, kind));
    CHECK(is_taken(kind));
  }
  CHECK_FALSE(is_taken(reduction_kind::sub));
  ints data({2}, {1, 2});
  v12::scatter_elements_update(data.view(), ints({1}, {1}).view(), ints({1}, {5}).view(), 0);
  CHECK(data.values == std::vector<std::int64_t>{1, 5});
}

// The specification gives extents only.
TEST_CASE("ScatterElementsUpdate-12, example 6: data 1000x256x7x7, indices 125x20x7x6, axis 0") {
  const coordinate of_data{1000, 256, 7, 7};
  const coordinate of_indices{125, 20, 7, 6};
  dense_tensor<std::int16_t> data(of_data, 0);
  dense_tensor<std::int32_t> indices(of_indices, 0);
  dense_tensor<std::int16_t> updates(of_indices, 0);
  for (std::size_t i = 0; i < indices.values.size(); ++i) {
    indices.values[i] = static_cast<std::int32_t>(i * 7919 % 2000) - 1000;
    updates.values[i] = static_cast<std::int16_t>(i % 30000 + 1);
  }
  v12::scatter_elements_update(data.view(), indices.view(), updates.view(), 0);
  dense_tensor<std::int16_t> expected(of_data, 0);
  for_each_coordinate(of_indices, [&](const coordinate& at) {
    const std::int64_t index = indices[at];
    expected[{index < 0 ? index + 1000 : index, at[1], at[2], at[3]}] = updates[at];
  });
  CHECK(std::equal(data.values.begin(), data.values.end(), expected.values.begin()));
}

// ---- ScatterND

// The words of every version: two slices of 4x4 each.
template <const auto& Operator>
void check_two_slices() {
  const std::vector<std::int64_t> x{1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1};
  const std::vector<std::int64_t> y{8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8};
  const auto joined = [](std::initializer_list<std::vector<std::int64_t>> parts) {
    std::vector<std::int64_t> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const std::vector<std::int64_t> first{5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8};
  const std::vector<std::int64_t> second{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
  const ints data({4, 4, 4}, joined({x, x, y, y}));
  const ints indices({2, 1}, {0, 2});
  const ints updates({2, 4, 4}, joined({first, second}));
  ints output({4, 4, 4}, 0);
  Operator(data.view(), indices.view(), updates.view(), output.view());
  CHECK(output.values == joined({first, x, second, y}));
}

TEST_CASE("ScatterND: the example of two slices in every version") {
  check_two_slices<v3::scatter_nd_update>();
  check_two_slices<v14::scatter_nd_update>();
  check_two_slices<v15::scatter_nd_update>();
  check_two_slices<onnx::scatter_nd>();
}

template <const auto& Operator>
void check_four_elements() {
  ints data({8}, {1, 2, 3, 4, 5, 6, 7, 8});
  Operator(data.view(), ints({4, 1}, {4, 3, 1, 7}).view(), ints({4}, {9, 10, 11, 12}).view());
  CHECK(data.values == std::vector<std::int64_t>{1, 11, 3, 10, 9, 6, 7, 12});
}

TEST_CASE("ScatterND: the example of four elements in every version") {
  check_four_elements<v3::scatter_nd_update>();
  check_four_elements<v14::scatter_nd_update>();
  check_four_elements<v15::scatter_nd_update>();
  check_four_elements<onnx::scatter_nd>();
}

// The specification gives extents only.
TEST_CASE("ScatterNDUpdate: data 1000x256x10x15, indices 25x125x3") {
  const coordinate of_data{1000, 256, 10, 15};
  dense_tensor<std::int16_t> before(of_data, 0);
  dense_tensor<std::int32_t> indices({25, 125, 3}, 0);
  dense_tensor<std::int16_t> updates({25, 125, 15}, 0);
  for (std::size_t i = 0; i < indices.values.size(); ++i) {
    indices.values[i] = static_cast<std::int32_t>(i * 7919 % static_cast<std::size_t>(of_data[i % 3]));
  }
  for (std::size_t i = 0; i < updates.values.size(); ++i) updates.values[i] = static_cast<std::int16_t>(i % 30000 + 1);
  dense_tensor<std::int16_t> expected = before;
  for_each_coordinate(updates.extents, [&](const coordinate& at) {
    const auto component = [&](std::int64_t j) -> std::int64_t { return indices[{at[0], at[1], j}]; };
    expected[{component(0), component(1), component(2), at[2]}] = updates[at];
  });
  const auto equals_expected = [&](const dense_tensor<std::int16_t>& output) {
    return std::equal(output.values.begin(), output.values.end(), expected.values.begin());
  };
  dense_tensor<std::int16_t> output = before;
  v3::scatter_nd_update(output.view(), indices.view(), updates.view());
  CHECK(equals_expected(output));
  output = before;
  v15::scatter_nd_update(output.view(), indices.view(), updates.view());
  CHECK(equals_expected(output));
}

// data, multi-indices of k components and updates of the shape that the specifications give.
struct by_multi_indices {
  ints data = numbers({3, 2, 4}, 5);
  ints indices;
  ints updates;
  std::int64_t k;

  by_multi_indices(coordinate positions, std::int64_t components, bool has_negative)
      : indices({}, 0), updates({}, 0), k(components) {
    coordinate of_updates = positions;
    for (std::size_t j = static_cast<std::size_t>(k); j < 3; ++j) of_updates.push_back(data.extents[j]);
    positions.push_back(k);
    indices = ints(positions, 0);
    for (std::size_t i = 0; i < indices.values.size(); ++i) {
      const std::int64_t extent = data.extents[i % static_cast<std::size_t>(k)];
      indices.values[i] = static_cast<std::int64_t>(i * i + i / 2) % (has_negative ? 2 * extent : extent);
      if (has_negative) indices.values[i] -= extent;
    }
    updates = numbers(of_updates, 7);
  }
  // for idx in np.ndindex(indices.shape[:-1]): output[tuple(indices[idx])] = f(output[tuple(indices[idx])],
  // updates[idx])
  template <class F>
  std::vector<std::int64_t> expected(const F& f) const {
    ints output = data;
    const auto q = static_cast<std::ptrdiff_t>(indices.extents.size());
    for_each_coordinate(updates.extents, [&](const coordinate& at) {
      coordinate target;
      for (std::int64_t j = 0; j < k; ++j) {
        coordinate component(at.begin(), at.begin() + (q - 1));
        component.push_back(j);
        const std::int64_t index = indices[component];
        target.push_back(index < 0 ? index + data.extents[static_cast<std::size_t>(j)] : index);
      }
      target.insert(target.end(), at.begin() + (q - 1), at.end());
      output[target] = f(output[target], updates[at]);
    });
    return output.values;
  }
};

template <class Body>
void for_each_by_multi_indices(bool has_negative, const Body& body) {
  for (const coordinate& positions : {coordinate{}, coordinate{5}, coordinate{3, 2}}) {
    for (const std::int64_t k : {1, 2, 3}) body(by_multi_indices(positions, k, has_negative));
  }
}

TEST_CASE("ScatterND: the loops of the specifications, of each reduction, for elements and slices") {
  for_each_by_multi_indices(true, [](const by_multi_indices& on) {
    INFO("q = " << on.indices.extents.size() << ", k = " << on.k);
    ints output = on.data;
    for_each_formula(std::tuple{overwrite, plus, minus, times, most, least}, [&](const auto& each) {
      INFO(red::name_of(each.reduction.kind));
      const std::vector<std::int64_t> expected = on.expected(each.of);
      v14::scatter_nd_update(on.data.view(), on.indices.view(), on.updates.view(), each.reduction, output.view());
      CHECK(output.values == expected);
      v15::scatter_nd_update(on.data.view(), on.indices.view(), on.updates.view(), each.reduction, output.view());
      CHECK(output.values == expected);
    });
    for_each_formula(std::tuple{overwrite, plus, times, most, least}, [&](const auto& each) {
      INFO(red::name_of(each.reduction.kind));
      onnx::scatter_nd(on.data.view(), on.indices.view(), on.updates.view(), each.reduction, output.view());
      CHECK(output.values == on.expected(each.of));
    });
    onnx::scatter_nd(on.data.view(), on.indices.view(), on.updates.view(), output.view());
    CHECK(output.values == on.expected(overwrite.of));
    v15::scatter_nd_update(on.data.view(), on.indices.view(), on.updates.view(), output.view());
    CHECK(output.values == on.expected(overwrite.of));
  });
  for_each_by_multi_indices(false, [](const by_multi_indices& on) {
    ints output = on.data;
    v3::scatter_nd_update(on.data.view(), on.indices.view(), on.updates.view(), output.view());
    CHECK(output.values == on.expected(overwrite.of));
  });
}

TEST_CASE("ScatterND: updates of another rank or extent are refused") {
  ints data = numbers({3, 2, 4}, 5);
  const ints indices({5, 2}, 0);
  const auto check = [&](const auto& scatter) {
    const auto code = [&](const coordinate& extents) {
      const ints updates(extents, 7);
      return scatter(data.view(), indices.view(), updates.view()).code();
    };
    const std::vector<std::int64_t> before = data.values;
    CHECK(code({5}) == errc::rank_mismatch);
    CHECK(code({5, 4, 1}) == errc::rank_mismatch);
    CHECK(code({4, 4}) == errc::extent_mismatch);
    CHECK(code({5, 2}) == errc::extent_mismatch);
    CHECK(code({1, 4}) == errc::extent_mismatch);
    CHECK(data.values == before);
    CHECK(code({5, 4}) == errc::ok);
    data.values = before;
  };
  check(v3::try_scatter_nd_update);
  check(v14::try_scatter_nd_update);
  check(v15::try_scatter_nd_update);
  check(onnx::try_scatter_nd);
}

template <reduction_set Set>
std::string names_of_reductions() {
  std::string names;
  for (const char* const name : {"none", "sum", "sub", "prod", "min", "max", "mean"}) {
    reduction_kind kind{};
    REQUIRE(red::parse(name, kind));
    if (red::try_visit<float, Set>(kind, true, [](auto) {}).ok()) names += std::string(name) + " ";
  }
  return names;
}

TEST_CASE("ScatterND and ScatterElements: each has the reductions of its specification and no other") {
  CHECK(names_of_reductions<v15::scatter_nd_update_reductions>() == "none sum sub prod min max ");
  CHECK(names_of_reductions<onnx::scatter_nd_reductions>() == "none sum prod min max ");
  CHECK(names_of_reductions<onnx::scatter_elements_reductions>() == "none sum prod min max ");
  const auto is = [](const char* name, reduction_kind kind) {
    reduction_kind parsed{};
    return red::parse(name, parsed) && parsed == kind;
  };
  CHECK(is("add", reduction_kind::sum));
  CHECK(is("mul", reduction_kind::prod));
}

// ---- ONNX

TEST_CASE("ScatterElements: the formulas for 1-D to 3-D tensors, of each reduction") {
  for_each_along_axis([](const along_axis& on) {
    for_each_formula(std::tuple{overwrite, plus, times, least, most}, [&](const auto& each) {
      INFO(red::name_of(each.reduction.kind) << " along axis " << on.axis << " of " << on.data.extents.size());
      const ints expected = on.combined_by(each);
      ints output = on.data;
      onnx::scatter_elements(on.data.view(), on.indices.view(), on.updates.view(), on.axis, each.reduction,
                             output.view());
      CHECK(output.values == expected.values);
      if (on.axis == 0) {  // the default
        onnx::scatter_elements(on.data.view(), on.indices.view(), on.updates.view(), each.reduction, output.view());
        CHECK(output.values == expected.values);
      }
    });
  });
}

TEST_CASE("ScatterElements and ScatterND: gathering at the indices gives back the updates") {
  const ints data = numbers({4, 3}, 5);
  const ints indices({3, 2}, {1, -1, 3, 0, -4, 2});  // no two on a column are one element
  const ints updates({3, 2}, {10, 20, 30, 40, 50, 60});
  ints output = data;
  onnx::scatter_elements(data.view(), indices.view(), updates.view(), 0, output.view());
  for_each_coordinate(indices.extents, [&](const coordinate& at) {
    const std::int64_t index = indices[at];
    CHECK(output[{index < 0 ? index + 4 : index, at[1]}] == updates[at]);  // GatherElements
  });
  const ints rows({3, 1}, {2, -4, -1});
  const ints slices({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  onnx::scatter_nd(data.view(), rows.view(), slices.view(), output.view());
  for_each_coordinate(slices.extents, [&](const coordinate& at) {
    const std::int64_t index = rows[{at[0], 0}];
    CHECK(output[{index < 0 ? index + 4 : index, at[1]}] == slices[at]);  // GatherND
  });
}

TEST_CASE("TensorScatter-24: the pseudocode, for every axis, mode and sequence length") {
  const coordinate of_cache{2, 3, 4, 2};
  const ints past_cache = numbers(of_cache, 5);
  for (std::size_t axis = 1; axis < 4; ++axis) {
    const std::int64_t max_sequence_length = of_cache[axis];
    for (std::int64_t sequence_length = 0; sequence_length <= max_sequence_length; ++sequence_length) {
      coordinate of_update = of_cache;
      of_update[axis] = sequence_length;
      const ints update = numbers(of_update, 7);
      for (const auto mode : {onnx::cache_mode::linear, onnx::cache_mode::circular}) {
        const std::int64_t most_index = mode == onnx::cache_mode::linear ? max_sequence_length - sequence_length : 9;
        for (const std::int64_t other : {std::int64_t{0}, most_index}) {
          const ints write_indices({2}, {most_index, other});
          ints expected = past_cache;
          for_each_coordinate(of_update, [&](const coordinate& update_idx) {
            std::int64_t cache_sequence_idx = write_indices[{update_idx[0]}] + update_idx[axis];
            if (mode == onnx::cache_mode::circular) cache_sequence_idx = cache_sequence_idx % max_sequence_length;
            coordinate cache_idx = update_idx;
            cache_idx[axis] = cache_sequence_idx;
            expected[cache_idx] = update[update_idx];
          });
          ints present_cache = past_cache;
          const auto from_the_end = static_cast<std::int64_t>(axis) - 4;
          onnx::tensor_scatter(past_cache.view(), update.view(), write_indices.view(),
                               {.mode = mode, .axis = from_the_end}, present_cache.view());
          CHECK(present_cache.values == expected.values);
          if (axis == 2) {  // -2, the default
            onnx::tensor_scatter(past_cache.view(), update.view(), write_indices.view(), {.mode = mode},
                                 present_cache.view());
            CHECK(present_cache.values == expected.values);
          }
        }
      }
    }
  }
}

TEST_CASE("TensorScatter-24: what is left out is linear, and begins at 0") {
  const ints past_cache = numbers({2, 4, 3}, 5);
  const ints update = numbers({2, 2, 3}, 7);
  ints present_cache = past_cache;
  onnx::tensor_scatter(past_cache.view(), update.view(), {}, present_cache.view());
  for_each_coordinate(past_cache.extents, [&](const coordinate& at) {
    CHECK(present_cache[at] == (at[1] < 2 ? update[at] : past_cache[at]));
  });
  const ints beyond({2}, {0, 3});  // fine in circular mode alone
  CHECK(onnx::try_tensor_scatter(past_cache.view(), update.view(), beyond.view(), {}, present_cache.view()).code() ==
        errc::index_out_of_bounds);
}

TEST_CASE("TensorScatter-24: shapes that differ in more than the sequence are refused") {
  ints past_cache = numbers({2, 4, 3}, 5);
  const std::vector<std::int64_t> before = past_cache.values;
  const auto code = [&](const coordinate& of_update, const coordinate& of_indices, std::int64_t axis) {
    const ints update(of_update, 1);
    const ints write_indices(of_indices, 0);
    return onnx::try_tensor_scatter(past_cache.view(), update.view(), write_indices.view(), {.axis = axis}).code();
  };
  CHECK(code({2, 2, 2}, {2}, -2) == errc::extent_mismatch);
  CHECK(code({1, 2, 3}, {2}, -2) == errc::extent_mismatch);
  CHECK(code({2, 2}, {2}, -2) == errc::rank_mismatch);
  CHECK(code({2, 5, 3}, {2}, -2) == errc::extent_mismatch);
  CHECK(code({2, 2, 3}, {1}, -2) == errc::extent_mismatch);
  CHECK(code({2, 2, 3}, {2, 1}, -2) == errc::rank_mismatch);
  CHECK(code({2, 2, 3}, {2}, -3) == errc::axis_out_of_range);
  CHECK(code({2, 2, 3}, {2}, 0) == errc::axis_out_of_range);
  CHECK(code({2, 2, 3}, {2}, 3) == errc::axis_out_of_range);
  CHECK(past_cache.values == before);
  CHECK(code({2, 2, 3}, {2}, 1) == errc::ok);
  const ints update({2, 2, 3}, 1);
  for (const coordinate& of_output : {coordinate{2, 5, 3}, coordinate{2, 4, 2}, coordinate{2, 4}}) {
    ints present_cache(of_output, 7);
    CHECK_FALSE(onnx::try_tensor_scatter(past_cache.view(), update.view(), {}, present_cache.view()).ok());
    CHECK(present_cache.values == ints(of_output, 7).values);
  }
}

}  // namespace
}  // namespace strew::test
