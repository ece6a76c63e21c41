// SPDX-License-Identifier: Apache-2.0
// Reductions at the sizes at which lent memory matters: the same bits with all of it, with some and with none, on one
// thread and in parts.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;

struct tensors {
  std::vector<float> data;
  std::vector<std::int64_t> indices;
  std::vector<float> updates;
};

tensors draw(std::int64_t data, std::int64_t indices, std::int64_t updates, std::int64_t extent, bool negatives) {
  random_source random(5);
  tensors result;
  for (std::int64_t i = 0; i < data; ++i) result.data.push_back(static_cast<float>(random.between(-99, 99)) / 8);
  for (std::int64_t i = 0; i < indices; ++i)
    result.indices.push_back(random.between(negatives ? -extent : 0, extent - 1));
  for (std::int64_t i = 0; i < updates; ++i) result.updates.push_back(static_cast<float>(random.between(-99, 99)) / 32);
  return result;
}

bool are_same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// call(executor, output) with shares of the memory that is said to help; says whether all gave the same and the largest
// share was used.
template <class Call>
void require_same_with_memory(std::size_t size, std::size_t count, const Call& call) {
  const backwards three;
  std::vector<float> expected(count);
  call(serial, expected);
  guarded_workspace memory(static_cast<std::int64_t>(3 * size));
  for (const std::size_t share : {size, size / 2, size / 7, std::size_t{1000}}) {
    std::vector<float> output(count);
    call(workspace{memory.lend(static_cast<std::int64_t>(share))}, output);
    CHECK(are_same(output, expected));
    CHECK_FALSE(memory.was_written_around());
    if (share == size) CHECK(memory.was_used());
    memory.restore();
    std::vector<float> in_parts(count);
    call(workspace{memory.lend(static_cast<std::int64_t>(share)), three}, in_parts);
    CHECK(are_same(in_parts, expected));
    CHECK_FALSE(memory.was_written_around());
    memory.restore();
  }
}

// So that these sizes and widths have buckets along one axis and on one thread too.
class smaller_runs {
 public:
  smaller_runs() noexcept {
    tuning::thresholds& limits = tuning::set_by_tests;
    limits.run_bucketed_from = limits.shared_run_bucketed_from = limits.bucketed_from;
    limits.widest_bucketed_alone = tuning::widest_bucketed;
    limits.fullest_run = 100;
  }

 private:
  limits_for_test limits_;
};

TEST_CASE("sums of elements and of short rows by way of buckets") {
  const smaller_runs limits;
  constexpr std::int64_t rows = 4 << 20;
  constexpr std::int64_t count = rows / 2;
  const tensors of = draw(rows, count, count, rows, false);
  const tensor_view<const float> data{of.data.data(), {rows}};
  const tensor_view<const float> updates{of.updates.data(), {count}};
  const tensor_view<const std::int64_t> index{of.indices.data(), {count}};
  require_same_with_memory(workspace_bytes<float>(index_reduce, {rows}, {count}, 0), rows,
                           [&](const auto& ex, auto& output) {
                             index_add(ex, data, 0, index, updates, tensor_view<float>{output.data(), {rows}});
                           });
  require_same_with_memory(
      workspace_bytes<float>(scatter_reduce, {rows}, {count}, 0, red::max), rows, [&](const auto& ex, auto& output) {
        scatter_reduce(ex, data, 0, index, updates, red::max, tensor_view<float>{output.data(), {rows}});
      });
  // Rows of four.
  const tensor_view<const float> fours{of.data.data(), {rows / 4, 4}};
  const tensor_view<const float> rows_of_four{of.updates.data(), {count / 4, 4}};
  std::vector<std::int64_t> quarter(of.indices.begin(), of.indices.begin() + count / 4);
  for (std::int64_t& at : quarter) at /= 4;
  const tensor_view<const std::int64_t> quarters{quarter.data(), {count / 4}};
  require_same_with_memory(
      workspace_bytes<float>(index_reduce, {rows / 4, 4}, {count / 4}, 0), rows, [&](const auto& ex, auto& output) {
        index_reduce(ex, fours, 0, quarters, rows_of_four, red::prod, tensor_view<float>{output.data(), {rows / 4, 4}});
      });
}

TEST_CASE("tuples and row-major numbers by way of buckets") {
  const smaller_runs limits;
  constexpr std::int64_t extents[] = {64, 128, 512};
  constexpr std::int64_t size = 64 * 128 * 512;
  constexpr std::int64_t count = size / 2;
  tensors of = draw(size, 3 * count, count, 64, true);
  const tensor_view<const float> data{of.data.data(), extents};
  const tensor_view<const float> updates{of.updates.data(), {count}};
  const auto out = [&](auto& output) { return tensor_view<float>{output.data(), extents}; };
  random_source random(6);
  for (std::size_t i = 0; i < of.indices.size(); ++i) {
    const std::int64_t extent = extents[i % 3];
    of.indices[i] = random.between(-extent, extent - 1);
  }
  const tensor_view<const std::int64_t> triples{of.indices.data(), {count, 3}};
  // What a loop says, in the order of the updates.
  std::vector<float> sums = of.data;
  std::vector<float> last = of.data;
  for (std::size_t i = 0; i < std::size_t{count}; ++i) {
    std::int64_t at = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int64_t index = of.indices[3 * i + j];
      at = at * extents[j] + (index < 0 ? index + extents[j] : index);
    }
    sums[static_cast<std::size_t>(at)] += of.updates[i];
    last[static_cast<std::size_t>(at)] = of.updates[i];
  }
  const std::size_t wanted = workspace_bytes<float>(onnx::scatter_nd, extents, {count, 3});
  CHECK(wanted > 0);
  require_same_with_memory(wanted, sums.size(), [&](const auto& ex, auto& output) {
    onnx::scatter_nd(ex, data, triples, updates, red::sum, out(output));
    CHECK(output == sums);
  });
  require_same_with_memory(workspace_bytes<float>(v15::scatter_nd_update, extents, {count, 3}), sums.size(),
                           [&](const auto& ex, auto& output) {
                             v15::scatter_nd_update(ex, data, triples, updates, out(output));
                             CHECK(output == last);
                           });
  // In place, in separate tensors of two types that lie apart, with one bad index at the end.
  std::vector<std::int16_t> second(2 * count);
  for (std::size_t i = 0; i < std::size_t{count}; ++i) second[2 * i] = static_cast<std::int16_t>(of.indices[3 * i + 1]);
  const tensor_view<const std::int64_t> first_view{of.indices.data(), {count}, {3}};
  const tensor_view<const std::int16_t> second_view{second.data(), {count}, {2}};
  const tensor_view<const std::int64_t> third_view{of.indices.data() + 2, {count}, {3}};
  const std::tuple all{first_view, second_view, third_view};
  require_same_with_memory(workspace_bytes<float>(index_put, extents, {count}, 3), sums.size(),
                           [&](const auto& ex, auto& output) {
                             output = of.data;
                             index_put(ex, out(output), all, updates, red::sum);
                             CHECK(output == sums);
                           });
  second[2 * (count - 1)] = 128;
  guarded_workspace memory(static_cast<std::int64_t>(2 * wanted));
  std::vector<float> kept = of.data;
  const status outcome =
      try_index_put(workspace{memory.lend(static_cast<std::int64_t>(wanted))}, out(kept), all, updates, red::sum);
  CHECK(outcome.code() == errc::index_out_of_bounds);
  CHECK(kept == of.data);
  // Pairs that name slices of two elements.
  const tensor_view<const float> pairs_data{of.data.data(), {64, 32768, 2}};
  const tensor_view<const float> pairs_updates{of.updates.data(), {count / 2, 2}};
  for (std::size_t i = 0; i < of.indices.size(); ++i) of.indices[i] = random.between(0, i % 2 == 0 ? 63 : 32767);
  const tensor_view<const std::int64_t> pairs{of.indices.data(), {count / 2, 2}};
  require_same_with_memory(workspace_bytes<float>(onnx::scatter_nd, {64, 32768, 2}, {count / 2, 2}), sums.size(),
                           [&](const auto& ex, auto& output) {
                             onnx::scatter_nd(ex, pairs_data, pairs, pairs_updates, red::max,
                                              tensor_view<float>{output.data(), {64, 32768, 2}});
                           });
  // Numbers.
  for (std::int64_t& number : of.indices) number = random.between(-size, size - 1);
  require_same_with_memory(
      workspace_bytes<float>(put, extents, {count}), sums.size(), [&](const auto& ex, auto& output) {
        put(ex, data, tensor_view<const std::int64_t>{of.indices.data(), {count}}, updates, red::sum, out(output));
      });
  CHECK(workspace_bytes<float>(onnx::scatter_nd, extents, {count, 1}) == 0);
  CHECK(workspace_bytes<float>(onnx::scatter_nd, {int64_max, 7}, {5, 2}) == 0);
  CHECK(workspace_bytes<float>(onnx::scatter_nd, {5, 7}, {}) == 0);
  CHECK(workspace_bytes<float>(put, {}, {5}) == 0);
}

TEST_CASE("means and first updates, whose cells are more than the stack holds") {
  constexpr std::int64_t extent = 3000;
  constexpr std::int64_t lanes = 40;
  constexpr std::int64_t count = 2000;
  tensors of = draw(extent * lanes, count * lanes, count * lanes, extent, true);
  const tensor_view<const float> data{of.data.data(), {extent, lanes}};
  const tensor_view<const float> updates{of.updates.data(), {count, lanes}};
  const tensor_view<const std::int64_t> index{of.indices.data(), {count, lanes}};
  const auto run = [&](auto reduction) {
    const std::size_t size =
        workspace_bytes<float>(v12::scatter_elements_update, {extent, lanes}, {count, lanes}, 0, reduction);
    CHECK(size > 32768);
    require_same_with_memory(size, extent * lanes, [&](const auto& ex, auto& output) {
      v12::scatter_elements_update(ex, data, index, updates, 0, reduction,
                                   tensor_view<float>{output.data(), {extent, lanes}});
    });
  };
  run(red::mean);
  run(red::without_init(red::mean));
  of.updates[5] = std::numeric_limits<float>::quiet_NaN();  // otherwise no state is kept
  run(red::without_init(red::sum));
  CHECK(workspace_bytes<float>(v12::scatter_elements_update, {10, 10}, {10, 10}, 0, red::mean) == 0);
  CHECK(workspace_bytes<float>(index_reduce, {10}, {10}, 3, red::mean) == 0);
  CHECK(workspace_bytes<float>(index_reduce, {1 << 20, 8}, {10}, 0, red::mean) > (std::size_t{1} << 20));
  CHECK(workspace_bytes<std::int32_t>(index_reduce, {1 << 20}, {10}, 0, red::mean) > (std::size_t{16} << 20));
  CHECK(workspace_bytes<std::int32_t>(index_reduce, {1 << 20}, {10}, 0, red::without_init(red::max)) == 0);
  CHECK(workspace_bytes<float>(index_reduce, {int64_max}, {10}, 0, red::mean, std::size_t(-1)) == 0);
}

// Tiles, and where the second cache is small and the output is not, plain stores.
TEST_CASE("sums across tiles: elements on an axis that is not the last") {
  constexpr std::int64_t extent = 700;
  const auto lanes = GENERATE(std::int64_t{300}, std::int64_t{800});
  const auto negatives = GENERATE(true, false);
  const tensors of = draw(extent * lanes, extent * lanes, extent * lanes, extent, negatives);
  const tensor_view<const float> data{of.data.data(), {extent, lanes}};
  const tensor_view<const float> updates{of.updates.data(), {extent, lanes}};
  const tensor_view<const std::int64_t> index{of.indices.data(), {extent, lanes}};
  std::vector<float> sums = of.data;
  std::vector<float> replaced = of.data;
  for (std::int64_t i = 0; i < extent; ++i) {
    for (std::int64_t j = 0; j < lanes; ++j) {
      const auto at = static_cast<std::size_t>(i * lanes + j);
      const std::int64_t row = of.indices[at] < 0 ? of.indices[at] + extent : of.indices[at];
      sums[static_cast<std::size_t>(row * lanes + j)] += of.updates[at];
      replaced[static_cast<std::size_t>(row * lanes + j)] = of.updates[at];
    }
  }
  std::vector<float> output(sums.size());
  const tensor_view<float> out{output.data(), {extent, lanes}};
  onnx::scatter_elements(data, index, updates, 0, red::sum, out);
  CHECK(output == sums);
  std::vector<std::byte> memory(std::size_t{1} << 20);
  output.assign(output.size(), 0);
  onnx::scatter_elements(workspace{memory}, data, index, updates, 0, red::sum, out);
  CHECK(output == sums);
  output = of.data;
  onnx::scatter_elements(out, index, updates, 0, red::sum);
  CHECK(output == sums);
  onnx::scatter(data, index, updates, 0, out);
  CHECK(output == replaced);
}

// Targets that span more than the second cache are prefetched.
TEST_CASE("sums along one axis that is long or short, forwards and backwards") {
  const auto extent = GENERATE(std::int64_t{1000}, std::int64_t{70000});
  const std::int64_t count = 3000;
  const tensors of = draw(extent, count, count, extent, false);
  std::vector<float> expected = of.data;
  for (std::int64_t i = 0; i < count; ++i) {
    expected[static_cast<std::size_t>(of.indices[static_cast<std::size_t>(i)])] +=
        of.updates[static_cast<std::size_t>(i)];
  }
  const tensor_view<const std::int64_t> index{of.indices.data(), {count}};
  const tensor_view<const float> updates{of.updates.data(), {count}};
  std::vector<float> output(expected.size());
  const tensor_view<float> out{output.data(), {extent}};
  index_add(tensor_view<const float>{of.data.data(), {extent}}, 0, index, updates, out);
  CHECK(output == expected);
  output = of.data;
  onnx::scatter_elements(out, index, updates, 0, red::sum);
  CHECK(output == expected);
  std::vector<float> reversed(of.data.rbegin(), of.data.rend());
  index_add(reverse(tensor_view<float>{reversed.data(), {extent}}, 0), 0, index, updates);
  CHECK(std::vector<float>(reversed.rbegin(), reversed.rend()) == expected);
}

}  // namespace
}  // namespace strew::test
