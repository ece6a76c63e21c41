// SPDX-License-Identifier: Apache-2.0
// The tables of kernels: each kernel forced on every case that it may run, and which kernel runs a call as measured.
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"
#include "support/scatter_case.hpp"

#include <strew/detail/kernels/cache_copies.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/masked_kernels.hpp>
#include <strew/detail/kernels/plain_kernels.hpp>
#include <strew/detail/kernels/position_kernels.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace strew::test {
namespace {

template <class Table>
void add_names(std::set<std::string>& names) {
  Table::for_each([&]<class Kernel>() { names.insert(Kernel::name); });
}
// Those of all tables of detail/kernels.
std::set<std::string> all_kernels() {
  std::set<std::string> names;
  add_names<strew::detail::dense_kernels<true>>(names);
  add_names<strew::detail::dense_slice_kernels>(names);
  add_names<strew::detail::dense_reduce_kernels<true>>(names);
  add_names<strew::detail::calls_on_rows>(names);
  add_names<strew::detail::calls_on_elements>(names);
  add_names<strew::detail::rows_kernels>(names);
  add_names<strew::detail::elements_kernels>(names);
  add_names<strew::detail::private_copies_first>(names);
  add_names<strew::detail::calls_that_reduce<strew::detail::reduce_kernels>>(names);
  add_names<strew::detail::reduce_kernels>(names);
  add_names<strew::detail::reduce_kernels_with_states>(names);
  add_names<strew::detail::slice_kernels>(names);
  add_names<strew::detail::kernels_of_masks<1>::table>(names);
  add_names<strew::detail::cache_kernels>(names);
  add_names<strew::detail::kernels_with_positions>(names);
  return names;
}

// The kernels that run this thread's calls until the end of its life.
class kernels_that_ran {
 public:
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

 private:
  std::set<std::string> names_;
  strew::detail::trace_listener listener_{[](void* to, const strew::detail::call_trace& trace, const char*) {
                                            for (const strew::detail::kernel_note& note : trace) {
                                              if (note.ran > 0)
                                                static_cast<std::set<std::string>*>(to)->insert(note.name);
                                            }
                                          },
                                          &names_};
  strew::detail::listening_scope scope_{listener_};
};

// Forces a kernel until the end of its life.
class forced {
 public:
  explicit forced(const char* name) { strew::detail::forced_kernel = name; }
  forced(const forced&) = delete;
  forced& operator=(const forced&) = delete;
  ~forced() { strew::detail::forced_kernel = nullptr; }
};

void check_cases(size_class size, std::uint64_t seed_of_class, std::uint64_t count) {
  const std::set<std::string> kernels = all_kernels();
  limits_for_test limits;
  limits.set_smallest(size == size_class::middle);
  // Buckets of a few updates, and many of them.
  tuning::set_by_tests.least_density = tuning::never;
  tuning::set_by_tests.used_buckets = tuning::set_by_tests.followed_buckets = tuning::most_buckets;
  tuning::set_by_tests.largest_tile = tuning::never;
  guarded_workspace memory(1'000'000);
  memory.restore();
  for (std::uint64_t seed = seed_of_class; seed < seed_of_class + count; ++seed) {
    random_source random(seed);
    random_source shapes(seed + (std::uint64_t{1} << 40));
    const scatter_case each = draw_scatter_case(shapes, random, draw_case_kind(random, size));
    const case_oracle oracle(each);
    begin_random_case();
    for (const std::string& kernel : kernels) {
      const forced by(kernel.c_str());
      for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
        begin_random_run();
        const bool lends = kernel == "buckets" || threads == 1;
        std::string found =
            oracle.deviation_of_run({threads, lends ? memory.lend(900'000) : std::span<std::byte>{}, nullptr}, false);
        if (!found.empty()) {
          CAPTURE(seed, kernel, threads, text_of(each));
          FAIL(found);
        }
      }
    }
  }
}

TEST_CASE("every kernel of every table gives what naive loops give, wherever it may run", "[random]") {
  const kernels_that_ran kernels;
  check_cases(size_class::small, 5'000'000'000, 6'000);
  check_cases(size_class::middle, 6'000'000'000, 300);
  std::set<std::string> ran = kernels.names();
  for (const char* of_no_table : {"schedule of bound indices", "converted copies"}) ran.erase(of_no_table);
  CHECK(ran == all_kernels());
}

// The kernels that ran a call, as measured.
template <class Call>
std::set<std::string> kernels_of(const Call& call) {
  const kernels_that_ran kernels;
  call();
  return kernels.names();
}

// Whether a kernel of that name, or a step that counts as one, ran since begin_random_run.
bool ran(std::string_view name) {
  const strew::detail::kernel_count* each = strew::detail::kernel_count::all;
  while (each != nullptr && each->name != name) each = each->next;
  return each != nullptr && each->ran_now();
}

TEST_CASE("what is small, a slice, or rows of a line is known, whatever the operator") {
  using names = std::set<std::string>;
  std::vector<float> data(4096 * 32), updates(4096 * 32), output(4096 * 32);
  std::vector<std::int64_t> few{3, 1, 7, 0}, many(2048), slice(2048);
  std::iota(slice.begin(), slice.end(), 100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * 1103 % 4096);
  const tensor_view small_data(data.data(), {8, 4});
  const tensor_view small_output(output.data(), {8, 4});
  const tensor_view small_updates(updates.data(), {4, 4});
  const tensor_view<const std::int64_t> small_indices(few.data(), {4});
  const auto small_tuples = tensor_view<const std::int64_t>(few.data(), {4, 1});
  CHECK(kernels_of([&] { scatter_update(small_data, small_indices, small_updates, 0, small_output); }) ==
        names{"small"});
  CHECK(kernels_of([&] { index_copy(small_data, 0, small_indices, small_updates, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(small_data, 0, small_indices, small_updates, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { onnx::scatter_nd(small_data, small_tuples, small_updates, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(small_data, 0, drop(small_indices), small_updates, small_output); }) ==
        names{"small"});
  CHECK(kernels_of([&] {
          slice_scatter(small_data, small_updates, {.start = {2}, .stop = {6}, .step = {1}, .axes = {0}}, small_output);
        }) == names{"small"});
  CHECK(kernels_of([&] { slice_scatter(small_data, small_updates, {.start = 2, .stop = 6}, small_output); }) ==
        names{"small"});
  // Copies of one value take the place of updates.
  const slice_spec middle{.start = {2}, .stop = {6}, .step = {1}, .axes = {0}};
  CHECK(kernels_of([&] { index_fill(small_data, 0, small_indices, 1.0F, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(small_data, 0, small_indices, 1.0F, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { onnx::scatter_nd(small_data, small_tuples, 1.0F, small_output); }) == names{"small"});
  CHECK(kernels_of([&] { slice_scatter(small_data, 1.0F, middle, small_output); }) == names{"small"});

  // In place the updates determine what is small.
  const tensor_view large_output(output.data(), {4096, 32});
  const tensor_view few_updates(updates.data(), {4, 32});
  std::vector<std::int32_t> few_32(few.begin(), few.end());
  const tensor_view<const std::int32_t> small_indices_32(few_32.data(), {4});
  const tensor_view<const std::int64_t> small_lanes(few.data(), {1, 4});
  const tensor_view some_updates(updates.data(), {1, 4});
  const tensor_view few_columns(output.data(), {4096, 4});
  CHECK(kernels_of([&] { scatter_update(large_output, small_indices, few_updates, 0); }) == names{"small"});
  CHECK(kernels_of([&] { scatter_update(large_output, small_indices_32, few_updates, 0); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(large_output, 0, small_indices, few_updates); }) == names{"small"});
  CHECK(kernels_of([&] { onnx::scatter_nd(large_output, small_tuples, few_updates); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(large_output, 0, small_indices, 1.0F); }) == names{"small"});
  CHECK(kernels_of([&] { scatter_elements_update(few_columns, small_lanes, some_updates, 0); }) == names{"small"});
  // Up to 256 KiB of rows in place are, along the first axis, behind which no loop is.
  const tensor_view long_rows(output.data(), {64, 1024});
  const std::vector<std::int64_t> some(32, 5);
  const tensor_view<const std::int64_t> some_indices(some.data(), {32});
  const tensor_view some_rows(updates.data(), {32, 1024});
  const tensor_view some_columns(updates.data(), {64, 32});
  const tensor_view rows_of_columns(output.data(), {2048, 32});
  const tensor_view updates_of_columns(updates.data(), {2048, 32});
  CHECK(kernels_of([&] { index_copy(long_rows, 0, some_indices, some_rows); }) == names{"small"});
  CHECK(kernels_of([&] { index_add(long_rows, 0, some_indices, some_rows); }) == names{"small"});
  const tensor_view<const std::int64_t> eight_indices(some.data(), {8});
  const tensor_view eight_columns(updates.data(), {64, 8});
  CHECK(kernels_of([&] { index_copy(long_rows, 1, eight_indices, eight_columns); }) == names{"small"});
  // More than a thousand rows of few indices are not.
  CHECK(kernels_of([&] { index_copy(long_rows, 1, some_indices, some_columns); }).count("small") == 0);
  CHECK(kernels_of([&] { index_copy(rows_of_columns, 1, some_indices, updates_of_columns); }).count("small") == 0);
  // Nor is it validated again what they declined.
  begin_random_case();
  index_copy(long_rows, 1, some_indices, some_columns);
  CHECK(ran("valid by its dense plan"));
  // Many updates of few elements are not small, however few indices there are.
  const std::vector<std::int64_t> same(100);
  const tensor_view<const std::int64_t> same_index(same.data(), {100});
  const tensor_view one_column(output.data(), {1000, 1});
  const tensor_view many_updates(updates.data(), {1000, 100});
  CHECK(kernels_of([&] { index_copy(one_column, 1, same_index, many_updates); }).count("small") == 0);
  CHECK(kernels_of([&] { index_add(one_column, 1, same_index, many_updates); }).count("small") == 0);
  const auto prepared_rows = prepare<float, std::int64_t>(
      scatter_update, {large_output.layout(), small_indices.layout(), few_updates.layout()}, 0);
  CHECK(kernels_of([&] { prepared_rows.run(output.data(), few.data(), updates.data()); }).count("in parts") == 0);
  const auto prepared_columns = prepare<float, std::int64_t>(
      scatter_update, {long_rows.layout(), some_indices.layout(), some_columns.layout()}, 1);
  CHECK(kernels_of([&] { prepared_columns.run(output.data(), some.data(), updates.data()); }).count("in parts") == 1);
  CHECK(kernels_of([&] {
          scatter_update(tensor_view(data.data(), {4096, 32}), small_indices, few_updates, 0, large_output);
        }) == names{"in parts", "one update after the other"});

  const tensor_view rows(data.data(), {4096, 32});
  const tensor_view rows_output(output.data(), {4096, 32});
  const tensor_view rows_updates(updates.data(), {2048, 32});
  const tensor_view<const std::int64_t> slice_indices(slice.data(), {2048});
  const tensor_view<const std::int64_t> random_indices(many.data(), {2048});
  CHECK(kernels_of([&] { scatter_update(rows, slice_indices, rows_updates, 0, rows_output); }) ==
        names{"in parts", "rows written once"});
  CHECK(kernels_of([&] { scatter_update(rows, random_indices, rows_updates, 0, rows_output); }) ==
        names{"in parts", "rows written once"});
  CHECK(kernels_of([&] { index_copy(rows, 0, random_indices, rows_updates, rows_output); }) ==
        names{"in parts", "rows written once"});
  CHECK(kernels_of([&] { index_add(rows, 0, random_indices, rows_updates, rows_output); }) ==
        names{"in parts", "one update after the other"});
  CHECK(kernels_of([&] { index_reduce(rows, 0, random_indices, rows_updates, reduction::mean, rows_output); }) ==
        names{"in parts", "reduce with states"});
}

TEST_CASE("memory that is lent to a call on one thread is used") {
  std::vector<float> data(4096), updates(4096), output(4096);
  std::vector<std::int64_t> indices(4096);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i * 1103 % 4096);
  const tensor_view from(data.data(), {4096});
  const tensor_view to(output.data(), {4096});
  const tensor_view with(updates.data(), {4096});
  const tensor_view<const std::int64_t> at(indices.data(), {4096});
  std::vector<std::byte> memory(1'000'000);
  const workspace lent(memory);
  const limits_for_test limits;
  tuning::set_by_tests.small_output = tuning::set_by_tests.small_updates = tuning::set_by_tests.near_bytes = 0;
  tuning::set_by_tests.bucketed_from = tuning::set_by_tests.run_bucketed_from = 1;
  tuning::set_by_tests.fullest_run = 1;
  CHECK(kernels_of([&] { scatter_update(lent, from, at, with, 0, to); }) == std::set<std::string>{"buckets"});
  CHECK(kernels_of([&] { scatter_elements_update(lent, from, at, with, 0, to); }) == std::set<std::string>{"buckets"});
  CHECK(kernels_of([&] { index_add(lent, from, 0, at, with, to); }) == std::set<std::string>{"buckets"});
  CHECK(kernels_of([&] { index_add(from, 0, at, with, to); }).count("buckets") == 0);
  // Not with many updates, unless threads share the buckets, which direct stores are not.
  tuning::set_by_tests.fullest_run = 0.75;
  CHECK(kernels_of([&] { scatter_update(lent, from, at, with, 0, to); }).count("buckets") == 0);
  CHECK(kernels_of([&] { index_add(lent, from, 0, at, with, to); }).count("buckets") == 0);
  CHECK(workspace_bytes<float>(strew::scatter_update, {4096}, {4096}, 0) == 0);

  // Along one axis from another size on with several threads, and on one thread for narrow elements alone.
  const std::set<std::string> buckets{"buckets"};
  thread_pool two(2);
  const workspace shared(memory, two);
  tuning::set_by_tests.smallest_check = 1;
  tuning::set_by_tests.run_bucketed_from = tuning::never;
  tuning::set_by_tests.shared_run_bucketed_from = 1;
  CHECK(kernels_of([&] { scatter_update(lent, from, at, with, 0, to); }).count("buckets") == 0);
  CHECK(kernels_of([&] { scatter_update(shared, from, at, with, 0, to); }) == buckets);
  tuning::set_by_tests.run_bucketed_from = 1;
  tuning::set_by_tests.widest_bucketed_alone = 3;
  CHECK(kernels_of([&] { index_add(lent, from, 0, at, with, to); }).count("buckets") == 0);
  CHECK(kernels_of([&] { index_add(shared, from, 0, at, with, to); }) == buckets);
}

}  // namespace
}  // namespace strew::test
