// SPDX-License-Identifier: Apache-2.0
// strew::heap_workspace: the same bits as calls without it, as much memory as kernels use, never more than allowed, and
// no error where there is none to be had.
#include "kernels/forced_kernels.hpp"
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

// What the operator below has seen, and from how many bytes on it allocates nothing.
std::size_t largest_asked = 0;
int times_asked = 0;
std::size_t refused_from = std::numeric_limits<std::size_t>::max();

void allocate_again() {
  largest_asked = 0;
  times_asked = 0;
  refused_from = std::numeric_limits<std::size_t>::max();
}

}  // namespace

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  ++times_asked;
  largest_asked = size > largest_asked ? size : largest_asked;
  if (size >= refused_from) return nullptr;
  try {
    return ::operator new[](size);
  } catch (...) {
    return nullptr;
  }
}

namespace strew::test {
namespace {

namespace red = strew::reduction;

static_assert(executor<heap_workspace<>>);
static_assert(executor<heap_workspace<thread_pool>>);
static_assert(!executor<const heap_workspace<>>);
static_assert(!std::is_copy_constructible_v<heap_workspace<>> && !std::is_copy_assignable_v<heap_workspace<>>);
static_assert(!std::is_move_constructible_v<heap_workspace<>>);
static_assert(std::is_default_constructible_v<heap_workspace<>>);
static_assert(!std::is_default_constructible_v<heap_workspace<thread_pool>>);
static_assert(detail::executes_without_throwing<heap_workspace<thread_pool>>);
static_assert(detail::is_serial<heap_workspace<>> && !detail::is_serial<heap_workspace<thread_pool>>);

// Whether a kernel whose name begins like this ran since begin_random_run().
bool ran(std::string_view name) {
  for (detail::kernel_count* each = detail::kernel_count::all; each != nullptr; each = each->next) {
    if (std::string_view(each->name).substr(0, name.size()) == name && each->ran_now()) return true;
  }
  return false;
}
// The compiled library may have counters of its own.
constexpr bool sees_kernels = STREW_COMPILED == 0;

// Kernels that use memory run wherever they may, and those that do without nowhere.
void prefer_memory() {
  force_no_kernel();
  tuning::thresholds& limits = tuning::set_by_tests;
  limits.bucketed_from = limits.run_bucketed_from = limits.shared_run_bucketed_from = 1;
  limits.smallest_bucketed_block = tuning::cache_line;
  limits.tiled_from = limits.fewest_tiled_updates = 0;
  limits.largest_tile = tuning::never;
  limits.used_states = tuning::cache_line;
}

constexpr std::size_t bytes_for_buckets(const detail::bucket_problem& of, std::size_t threads) noexcept {
  return detail::bucket_workspace(of, detail::direct_stores::along_axis, threads);
}

constexpr std::size_t plenty = std::size_t{1} << 26;

std::vector<float> draw_values(random_source& random, std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.between(-99, 99)) / 8);
  return values;
}
std::vector<std::int64_t> draw_indices(random_source& random, std::int64_t count, std::int64_t extent) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(random.between(0, extent - 1));
  return values;
}
template <class T>
dynamic::element_type described() {
  return {dynamic::element_kind::floating_point, sizeof(T)};
}

// Operands of each operator on data of three axes.
struct drawn_operands {
  std::int64_t extents[3];
  int axis;
  std::int64_t count;
  std::vector<float> data;
  std::vector<std::int64_t> indices;  // legal on each axis; enough for each operator
  std::vector<std::int64_t> numbers;  // of elements
  std::vector<float> updates;

  explicit drawn_operands(random_source& random)
      : extents{random.between(1, 5), random.between(1, 60), random.between(1, 12)},
        axis{static_cast<int>(random.below(3))},
        count{random.between(1, extents[axis])} {
    const std::int64_t size = extents[0] * extents[1] * extents[2];
    std::int64_t least = extents[0] < extents[1] ? extents[0] : extents[1];
    least = extents[2] < least ? extents[2] : least;
    data = draw_values(random, size);
    indices = draw_indices(random, 3 * size, random.one_in(2) ? least : extents[axis]);
    numbers = draw_indices(random, size, size);
    updates = draw_values(random, size + 60 * 12);  // of pairs there may be more than of elements
    for (std::int64_t& index : indices) index %= extents[axis];
  }
  [[nodiscard]] index_list shape() const { return {extents[0], extents[1], extents[2]}; }
  [[nodiscard]] index_list shape_along(std::int64_t extent) const {
    index_list result;
    for (int k = 0; k < 3; ++k) result.push_back(k == axis ? extent : extents[k]);
    return result;
  }
};

// Calls on(name, call) for each kind of operator; call(ex.., output) makes the call.
template <class On>
void for_each_operator(const drawn_operands& of, const On& on) {
  const tensor_view<const float> data{of.data.data(), of.shape()};
  const tensor_view<const float> updates{of.updates.data(), of.shape_along(of.count)};
  const tensor_view<const std::int64_t> rows{of.indices.data(), {of.count}};
  const tensor_view<const std::int64_t> each{of.indices.data(), of.shape_along(of.count)};
  std::vector<std::int64_t> pairs_of_numbers;
  for (std::int64_t i = 0; i < of.count; ++i) {
    const auto number = of.numbers[static_cast<std::size_t>(i)] / of.extents[2];
    pairs_of_numbers.push_back(number / of.extents[1]);
    pairs_of_numbers.push_back(number % of.extents[1]);
  }
  const tensor_view<const std::int64_t> pairs{pairs_of_numbers.data(), {of.count, 2}};
  const std::tuple tensors{tensor_view<const std::int64_t>{pairs_of_numbers.data(), {of.count}, {2}},
                           tensor_view<const std::int64_t>{pairs_of_numbers.data() + 1, {of.count}, {2}}};
  const tensor_view<const std::int64_t> numbers{of.numbers.data(), {of.count}};
  const tensor_view<const float> of_pairs{of.updates.data(), {of.count, of.extents[2]}};
  const tensor_view<const float> of_numbers{of.updates.data(), {of.count}};
  const auto out = [&](std::vector<float>& output) { return tensor_view<float>{output.data(), of.shape()}; };
  const int axis = of.axis;
  on("slice_scatter", [&](auto& ex, auto& to) {
    slice_scatter(ex, data, updates, {.start = 0, .stop = of.count, .step = 1, .axes = axis}, out(to));
  });
  on("scatter_update", [&](auto& ex, auto& to) { scatter_update(ex, data, rows, updates, axis, out(to)); });
  on("scatter_elements_update",
     [&](auto& ex, auto& to) { scatter_elements_update(ex, data, each, updates, axis, out(to)); });
  on("onnx::scatter", [&](auto& ex, auto& to) { onnx::scatter(ex, data, each, updates, axis, out(to)); });
  on("scatter_reduce", [&](auto& ex, auto& to) { scatter_reduce(ex, data, axis, each, updates, red::sum, out(to)); });
  on("elements, mean", [&](auto& ex, auto& to) {
    v12::scatter_elements_update(ex, data, each, updates, axis, red::without_init(red::mean), out(to));
  });
  on("elements, a callable", [&](auto& ex, auto& to) {
    v12::scatter_elements_update(
        ex, data, each, updates, axis, [](float a, float b) { return a - b; }, out(to));
  });
  on("index_add", [&](auto& ex, auto& to) { index_add(ex, data, axis, rows, updates, scaled_by{0.5F}, out(to)); });
  on("index_reduce", [&](auto& ex, auto& to) { index_reduce(ex, data, axis, rows, updates, red::mean, out(to)); });
  on("rows, first updates",
     [&](auto& ex, auto& to) { index_reduce(ex, data, axis, rows, updates, red::without_init(red::max), out(to)); });
  on("scatter_nd_update",
     [&](auto& ex, auto& to) { v15::scatter_nd_update(ex, data, pairs, of_pairs, red::sum, out(to)); });
  on("index_put", [&](auto& ex, auto& to) {
    to = of.data;
    index_put(ex, out(to), tensors, of_pairs, red::none);
  });
  on("put", [&](auto& ex, auto& to) { put(ex, data, numbers, of_numbers, red::sum, out(to)); });
  on("elements of run-time types", [&](auto& ex, auto& to) {
    const dynamic::const_tensor from{of.data.data(), described<float>(), of.shape()};
    const dynamic::const_tensor by{of.updates.data(), described<float>(), of.shape_along(of.count)};
    const dynamic::index_tensor at{of.indices.data(), index_type::int64, of.shape_along(of.count)};
    const dynamic::tensor output{to.data(), described<float>(), of.shape()};
    v12::scatter_elements_update(ex, from, at, by, axis, dynamic::reduction{reduction_kind::mean}, output);
  });
  on("rows of run-time types", [&](auto& ex, auto& to) {
    const dynamic::const_tensor from{of.data.data(), described<float>(), of.shape()};
    const dynamic::const_tensor by{of.updates.data(), described<float>(), of.shape_along(of.count)};
    const dynamic::index_tensor at{of.indices.data(), index_type::int64, {of.count}};
    const dynamic::tensor output{to.data(), described<float>(), of.shape()};
    scatter_update(ex, from, at, by, axis, output);
  });
  const operand_layouts layouts{data.layout(), rows.layout(), updates.layout(), data.layout()};
  const auto prepared = prepare<float, std::int64_t>(scatter_update, layouts, axis);
  on("a prepared call",
     [&](auto& ex, auto& to) { prepared.run(ex, of.data.data(), of.indices.data(), of.updates.data(), to.data()); });
  std::vector<std::byte> kept(prepared.bound_bytes());
  const auto bound = prepared.bind(of.indices.data(), kept);
  on("a bound call", [&](auto& ex, auto& to) { bound.run(ex, of.data.data(), of.updates.data(), to.data()); });
}

TEST_CASE("random calls of each operator with a heap_workspace equal those without", "[heap_workspace]") {
  const limits_for_test limits;
  thread_pool pool{3};
  const backwards three;
  const auto lambda = [](std::size_t n, const auto& body) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  };
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    random_source random(seed);
    const drawn_operands of(random);
    tuning::set_by_tests = {};
    heap_workspace<> alone;
    heap_workspace around_three{three, static_cast<std::size_t>(random.between(0, 200'000))};
    heap_workspace around_lambda{lambda, plenty};
    heap_workspace around_pool{pool};
    if (random.one_in(2)) around_pool.set_limit(plenty);
    for_each_operator(of, [&](const char* name, const auto& call) {
      force_no_kernel();
      std::vector<float> expected(of.data.size());
      call(serial, expected);
      prefer_memory();
      const auto check = [&](auto& memory, std::size_t limit) {
        std::vector<float> output(of.data.size());
        call(memory, output);
        if (output != expected || memory.bytes() > limit) {
          CAPTURE(seed, name, memory.bytes(), limit);
          FAIL("another output, or more held than allowed");
        }
      };
      check(alone, 16 * sizeof(float) * of.data.size() + 32 * of.indices.size());
      force_parts();
      check(around_three, 200'000);
      check(around_lambda, plenty);
      check(around_pool, plenty);
    });
  }
  allocate_again();
}

// Rows of a column to random places.
struct column {
  std::int64_t extent;
  std::int64_t count;
  std::vector<float> data;
  std::vector<std::int64_t> indices;
  std::vector<float> updates;
  std::vector<float> output;

  column(std::int64_t rows, std::int64_t some, random_source random = random_source(3))
      : extent{rows},
        count{some},
        data(draw_values(random, rows)),
        indices(draw_indices(random, some, rows)),
        updates(draw_values(random, some)),
        output(data.size()) {}

  template <class Ex>
  std::vector<float> update(Ex& ex) {
    scatter_update(ex, data, indices, updates, 0, output);
    return output;
  }
  template <class Ex, class R>
  std::vector<float> reduce(Ex& ex, const R& reduction) {
    index_reduce(ex, data, 0, indices, updates, reduction, output);
    return output;
  }
  [[nodiscard]] std::size_t bytes() const {
    return 4 * (data.size() + output.size() + updates.size()) + 8 * indices.size();
  }
};

TEST_CASE("buckets get the memory that they ask for, and it is kept", "[heap_workspace]") {
  const limits_for_test limits;
  allocate_again();
  column some(4000, 3000);
  force_no_kernel();
  const std::vector<float> expected = some.update(serial);
  prefer_memory();
  heap_workspace<> memory{plenty};
  CHECK(memory.bytes() == 0);
  begin_random_run();
  CHECK(some.update(memory) == expected);
  const std::size_t wanted = bytes_for_buckets({4000, 1, 3000, 4}, 1);
  CHECK(wanted > 0);
  CHECK(memory.bytes() == wanted);
  if (sees_kernels) CHECK(ran("workspace_buckets 1"));
  CHECK(times_asked == 1);
  CHECK(largest_asked == wanted);

  // Once more, and a smaller call: nothing is allocated.
  CHECK(some.update(memory) == expected);
  column fewer(3000, 1000);
  begin_random_run();
  CHECK(fewer.update(memory) == fewer.update(serial));
  if (sees_kernels) CHECK(ran("workspace_buckets 1"));
  CHECK(times_asked == 1);
  CHECK(memory.bytes() == wanted);
  // A larger one.
  column more(6000, 6000);
  CHECK(more.update(memory) == more.update(serial));
  CHECK(times_asked == 2);
  CHECK(memory.bytes() == bytes_for_buckets({6000, 1, 6000, 4}, 1));
  memory.release();
  CHECK(memory.bytes() == 0);
  CHECK(some.update(memory) == expected);
  CHECK(memory.bytes() == wanted);

  // None where updates are converted, which are not moved before.
  const std::vector<double> wide(some.updates.begin(), some.updates.end());
  heap_workspace<> unused{plenty};
  std::vector<float> converted(some.data.size());
  begin_random_run();
  index_reduce(unused, some.data, 0, some.indices, strew::converted(wide), red::sum, converted);
  CHECK(converted == some.reduce(serial, red::sum));
  CHECK(unused.bytes() == 0);
  if (sees_kernels) CHECK(!ran("workspace_buckets 1"));

  // In parts, of sums, of rows that are no element's size, of tuples.
  const backwards three;
  tuning::set_by_tests.smallest_check = 1;
  heap_workspace around{three, plenty};
  CHECK(executor_traits<heap_workspace<const backwards>>::concurrency(around) == 3);
  begin_random_run();
  CHECK(some.update(around) == expected);
  CHECK(around.bytes() == bytes_for_buckets({4000, 1, 3000, 4}, 3));
  if (sees_kernels) CHECK(ran("workspace_buckets in parts"));
  begin_random_run();
  CHECK(some.reduce(around, red::sum) == some.reduce(serial, red::sum));
  CHECK(ran("workspace_buckets in parts"));
  heap_workspace<> of_rows{plenty};
  const tensor_view<const float> threes{some.data.data(), {1000, 3}};
  const tensor_view<const float> updates{some.updates.data(), {900, 3}};
  std::vector<std::int64_t> rows(900);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = some.indices[i] / 4;
  begin_random_run();
  std::vector<float> sums(3000);
  index_reduce(of_rows, threes, 0, rows, updates, red::sum, tensor_view<float>{sums.data(), {1000, 3}});
  CHECK(of_rows.bytes() == bytes_for_buckets({1000, 1, 900, 12}, 1));
  CHECK(ran("workspace_buckets 1"));
  heap_workspace<> of_tuples{plenty};
  const tensor_view<const float> table{some.data.data(), {40, 25, 3}};
  const tensor_view<const float> of_pairs{some.updates.data(), {450, 3}};
  std::vector<std::int64_t> pairs(900);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = some.indices[i] % 25;
  begin_random_run();
  onnx::scatter_nd(of_tuples, table, tensor_view<const std::int64_t>{pairs.data(), {450, 2}}, of_pairs,
                   tensor_view<float>{sums.data(), {40, 25, 3}});
  CHECK(of_tuples.bytes() == bytes_for_buckets({1000, 1, 450, 12}, 1));
  CHECK(ran("workspace_buckets 0"));
}

TEST_CASE("prepared calls, bound ones and run-time types get memory", "[heap_workspace]") {
  const limits_for_test limits;
  column some(4000, 3000);
  force_no_kernel();
  const std::vector<float> expected = some.update(serial);
  prefer_memory();
  const tensor_view data{some.data.data(), {4000}};
  const tensor_view indices{some.indices.data(), {3000}};
  const tensor_view updates{some.updates.data(), {3000}};
  const operand_layouts layouts{data.layout(), indices.layout(), updates.layout(), data.layout()};
  const auto prepared = prepare<float, std::int64_t>(scatter_update, layouts, 0);
  heap_workspace<> memory{plenty};
  begin_random_run();
  prepared.run(memory, some.data.data(), some.indices.data(), some.updates.data(), some.output.data());
  CHECK(some.output == expected);
  CHECK(memory.bytes() == bytes_for_buckets({4000, 1, 3000, 4}, 1));
  if (sees_kernels) CHECK(ran("workspace_buckets 1"));

  std::vector<std::byte> kept(prepared.bound_bytes());
  const auto bound = prepared.bind(some.indices.data(), kept);
  heap_workspace<> of_bound;  // the limit by default is enough
  begin_random_run();
  bound.run(of_bound, some.data.data(), some.updates.data(), some.output.data());
  CHECK(some.output == expected);
  if (sees_kernels) {  // the compiled library binds no indices
    CHECK(of_bound.bytes() == bound.workspace_bytes());
    CHECK(ran("place_updates"));
  }

  const dynamic::const_tensor from{some.data.data(), described<float>(), {4000}};
  const dynamic::const_tensor by{some.updates.data(), described<float>(), {3000}};
  const dynamic::index_tensor at{some.indices.data(), index_type::int64, {3000}};
  const dynamic::tensor output{some.output.data(), described<float>(), {4000}};
  heap_workspace<> of_dynamic{plenty};
  begin_random_run();
  scatter_update(of_dynamic, from, at, by, 0, output);
  CHECK(some.output == expected);
  CHECK(of_dynamic.bytes() == memory.bytes());
  if (sees_kernels) CHECK(ran("workspace_buckets 1"));
  of_dynamic.release();
  begin_random_run();
  index_reduce(of_dynamic, from, 0, at, by, dynamic::reduction{reduction_kind::mean}, output);
  CHECK(of_dynamic.bytes() > 4000);  // a byte for each count
  CHECK_FALSE(ran("count in output blocks"));
}

TEST_CASE("cells are not made window by window", "[heap_workspace]") {
  const limits_for_test limits;
  prefer_memory();
  column some(4000, 3000);
  for (const int which : {0, 1, 2}) {
    CAPTURE(which);
    // Means count; a sum without the old value keeps states if a first update may be a NaN.
    const char* const in_blocks = which < 2 ? "count in output blocks" : "reduce in output blocks";
    if (which == 2) some.updates[1000] = std::numeric_limits<float>::quiet_NaN();
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
    };
    const auto reduce = [&](auto& ex) {
      if (which == 0) return some.reduce(ex, red::mean);
      if (which == 1) return some.reduce(ex, red::without_init(red::mean));
      return some.reduce(ex, red::without_init(red::sum));
    };
    begin_random_run();
    const std::vector<float> expected = reduce(serial);
    CHECK(ran(in_blocks));
    heap_workspace<> memory;
    begin_random_run();
    CHECK(same(reduce(memory), expected));
    CHECK_FALSE(ran(in_blocks));
    if (which == 2) CHECK(ran("reduce with states of rows"));
    const backwards three;
    heap_workspace around{three};
    force_parts();
    begin_random_run();
    CHECK(same(reduce(around), expected));
    CHECK_FALSE(ran(in_blocks));
    prefer_memory();
  }
  // Of bytes the cells are many times as large, more than is allowed.
  std::vector<std::int8_t> bytes(3000, 1);
  std::vector<std::int8_t> means(3000);
  const tensor_view<const std::int8_t> data{bytes.data(), {3000}};
  const tensor_view<const std::int8_t> updates{bytes.data(), {10}};
  const tensor_view<const std::int64_t> indices{some.indices.data(), {10}};
  for (std::int64_t& index : some.indices) index %= 3000;
  heap_workspace<> memory;
  index_reduce(memory, data, 0, indices, updates, red::mean, tensor_view{means.data(), {3000}});
  CHECK(means == bytes);
  CHECK(memory.bytes() == 4 * (2 * 3000 + 10 + 10 * 8));
}

TEST_CASE("tiles get memory where the stack holds narrower ones", "[heap_workspace]") {
  const limits_for_test limits;
  tuning::set_by_tests.tiled_from = tuning::set_by_tests.fewest_tiled_updates = 0;
  column some(300 * 70, 300 * 70);
  for (std::int64_t& index : some.indices) index %= 300;
  const tensor_view<const float> data{some.data.data(), {300, 70}};
  const tensor_view<const float> updates{some.updates.data(), {300, 70}};
  const tensor_view<const std::int64_t> indices{some.indices.data(), {300, 70}};
  const auto update = [&](auto& ex) {
    scatter_elements_update(ex, data, indices, updates, 0, tensor_view{some.output.data(), {300, 70}});
    return some.output;
  };
  begin_random_run();
  const std::vector<float> expected = update(serial);
  heap_workspace<> memory;
  begin_random_run();
  CHECK(update(memory) == expected);
  CHECK(memory.bytes() == 300 * 256 + 128);
  if (sees_kernels) CHECK(ran("fill_tile"));
  // In place there are none, and with few rows they are on the stack.
  heap_workspace<> unused;
  scatter_elements_update(unused, tensor_view{some.data.data(), {300, 70}}, indices, updates, 0);
  for (std::int64_t& index : some.indices) index %= 100;
  scatter_elements_update(unused, tensor_view<const float>{some.output.data(), {100, 210}},
                          tensor_view<const std::int64_t>{some.indices.data(), {100, 210}},
                          tensor_view<const float>{some.updates.data(), {100, 210}}, 0,
                          tensor_view{some.data.data(), {100, 210}});
  CHECK(unused.bytes() == 0);
}

TEST_CASE("no more is held than is allowed", "[heap_workspace]") {
  const limits_for_test limits;
  prefer_memory();
  column some(4000, 3000);
  const std::vector<float> expected = some.update(serial);
  const std::size_t wanted = bytes_for_buckets({4000, 1, 3000, 4}, 1);
  REQUIRE(wanted > 4 * some.bytes());
  allocate_again();
  heap_workspace<> memory;
  CHECK(some.update(memory) == expected);
  CHECK(memory.bytes() == 4 * some.bytes());
  CHECK(largest_asked == 4 * some.bytes());
  for (const std::size_t limit : {wanted - 1, wanted / 2, std::size_t{5000}, std::size_t{1}, std::size_t{0}}) {
    memory.set_limit(limit);
    CHECK(memory.bytes() <= limit);
    CHECK(some.update(memory) == expected);
    CHECK(memory.bytes() == limit);
  }
  memory.set_limit(wanted + 1);
  CHECK(some.update(memory) == expected);
  CHECK(memory.bytes() == wanted);
  memory.set_limit(wanted);  // holds no more: it is kept
  CHECK(memory.bytes() == wanted);
}

TEST_CASE("axes of stride 0 hold nothing", "[heap_workspace]") {
  using detail::bytes_held;
  const auto layout = [](const index_list& extents, const index_list& strides) {
    strided_layout result;
    REQUIRE(strided_layout::try_make(extents, strides, 8, result).ok());
    return result;
  };
  constexpr std::int64_t huge = (std::numeric_limits<std::ptrdiff_t>::max)() / 16;
  CHECK(bytes_held(layout({huge}, {0}), 8) == 8);
  CHECK(bytes_held(layout({huge, 3}, {0, 1}), 8) == 24);
  CHECK(bytes_held(layout({3, huge, 5}, {-7, 0, 1}), 4) == 60);
  CHECK(bytes_held(layout({100, 100}, {1, 1}), 4) == 4 * 199);  // windows
  CHECK(bytes_held(layout({huge, 0}, {0, 1}), 8) == 0);
  CHECK(bytes_held(layout({}, {}), 2) == 2);

  // Illegal indices, or each would be used.
  const limits_for_test limits;
  prefer_memory();
  allocate_again();
  column some(4000, 1);
  const std::int64_t bad = 4000;
  const tensor_view<const std::int64_t> indices{&bad, {huge}, {0}};
  const tensor_view<const float> updates{some.updates.data(), {huge}, {0}};
  heap_workspace<> memory;
  const tensor_view output{some.output.data(), {4000}};
  const tensor_view<const float> data{some.data.data(), {4000}};
  CHECK(try_index_reduce(memory, data, 0, indices, updates, red::mean, output).code() == errc::index_out_of_bounds);
  CHECK(try_scatter_update(memory, data, indices, updates, 0, output).code() == errc::index_out_of_bounds);
  CHECK(memory.bytes() <= 4 * (2 * 4000 * 4 + 8 + 4));
  CHECK(largest_asked <= 4 * (2 * 4000 * 4 + 8 + 4));
  // What is illegal by its shapes asks for nothing.
  memory.release();
  const tensor_view<const float> others{some.updates.data(), {7}, {0}};
  allocate_again();
  CHECK(try_index_reduce(memory, data, 0, indices, others, red::mean, output).code() == errc::extent_mismatch);
  CHECK(try_scatter_update(memory, data, indices, updates, 1, output).code() == errc::axis_out_of_range);
  CHECK(times_asked == 0);
}

TEST_CASE("memory that cannot be allocated is no error", "[heap_workspace]") {
  const limits_for_test limits;
  column some(4000, 3000);
  force_no_kernel();
  const std::vector<float> expected = some.update(serial);
  const std::vector<float> means = some.reduce(serial, red::mean);
  prefer_memory();
  heap_workspace<> memory{plenty};
  allocate_again();
  refused_from = 1;
  CHECK(some.update(memory) == expected);
  CHECK(some.reduce(memory, red::mean) == means);
  CHECK(memory.bytes() == 0);
  CHECK(times_asked > 0);
  // What was refused is not asked for again, until what is held is given up.
  allocate_again();
  refused_from = 1;
  CHECK(some.update(memory) == expected);
  CHECK(times_asked <= 1);
  // Half of it, and half of that, are tried.
  memory.release();
  const std::size_t wanted = bytes_for_buckets({4000, 1, 3000, 4}, 1);
  allocate_again();
  refused_from = wanted / 4 + 1;
  CHECK(some.update(memory) == expected);
  CHECK(memory.bytes() == wanted / 4);
  CHECK(times_asked == 3);
  CHECK(some.update(memory) == expected);
  CHECK(times_asked == 3);
  // What was held is held again.
  memory.release();
  allocate_again();
  column fewer(1500, 1500);
  const std::vector<float> fewer_expected = fewer.update(serial);
  CHECK(fewer.update(memory) == fewer_expected);
  const std::size_t held = memory.bytes();
  REQUIRE(held > wanted / 4);
  refused_from = held + 1;
  CHECK(some.update(memory) == expected);
  CHECK(memory.bytes() == held);
  allocate_again();
}

}  // namespace
}  // namespace strew::test
