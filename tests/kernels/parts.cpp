// SPDX-License-Identifier: Apache-2.0
// The law of parts: the boxes that a call is cut into are disjoint and cover the output, and whatever they are cut
// from, each update is one part's. Built with parts of a single byte, so that small tensors are cut too, and once with
// parts of the usual size.
#include "byte_calls.hpp"
#include "forced_kernels.hpp"
#include "kernel_cases.hpp"
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/coordinates.hpp"
#include "support/index_kinds.hpp"
#include "support/kernel_counts.hpp"
#include "support/kernel_limits.hpp"
#include "support/python_slice.hpp"
#include "support/random_source.hpp"

#include <strew/detail/box.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/openvino.hpp>
#include <strew/torch.hpp>
#include <strew/view/slice.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

using strew::detail::axis_range;
using strew::detail::box;
using strew::detail::partition;
using strew::detail::work_shape;

bool is_within(const axis_range& range, std::int64_t extent) {
  return range.begin >= 0 && range.count >= 0 && range.begin <= extent - range.count;
}
bool meet(const axis_range& a, const axis_range& b) {
  return a.begin < b.begin + b.count && b.begin < a.begin + a.count;
}

// What is wrong with the boxes of a partition; empty if nothing. Disjoint boxes inside a tensor cover it if they hold
// as many coordinates.
std::string flaw_of(const work_shape& job, std::int64_t threads) {
  const partition parts(job, threads);
  const int rank = job.extents.size();
  const std::int64_t count = parts.size();
  if (count < 1) return "there is no part";
  if (count > std::max<std::int64_t>(1, strew::detail::tuning::most_parts_a_thread * threads)) return "too many parts";
  wide size = 1;
  for (int k = 0; k < rank; ++k) size *= job.extents[k];
  wide covered = 0;
  std::vector<box> boxes;
  for (std::int64_t i = 0; i < count; ++i) {
    boxes.push_back(parts[i]);
    wide volume = 1;
    for (int k = 0; k < rank; ++k) {
      if (!is_within(boxes.back()[k], job.extents[k])) return "a box reaches beyond the tensor";
      volume *= boxes.back()[k].count;
    }
    if (volume == 0 && size > 0) return "a box is empty";
    covered += volume;
  }
  if (covered != size) return "the boxes hold more or fewer coordinates than the tensor";
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      bool all_meet = true;
      for (int k = 0; k < rank && all_meet; ++k) all_meet = meet(boxes[i][k], boxes[j][k]);
      if (all_meet && size > 0) return "two boxes share a coordinate";
    }
  }
  return "";
}

// In all ways in which a call may ask for it.
void check_partitions(const index_list& extents, const std::vector<std::int64_t>& threads) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  for (const std::int64_t many : threads) {
    for (const std::int64_t element_size : {1, 4, 100'000}) {
      for (int axis = -1; axis < extents.size(); ++axis) {
        // Rows, rows that are cut first, and columns.
        for (const auto& [inside_first, has_columns] : {std::pair{false, false}, {true, false}, {true, true}}) {
          for (const bool ascends : {false, true}) {
            for (const std::int64_t moved : {size, 2 * size, size / 3}) {
              for (const int target_axes : {1, extents.size() - axis}) {
                const std::string flaw = flaw_of(
                    {extents, moved, element_size, axis, inside_first, ascends, target_axes, nullptr, has_columns},
                    many);
                if (flaw.empty()) continue;
                CAPTURE(std::vector<std::int64_t>(extents.begin(), extents.end()), many, element_size, axis);
                CAPTURE(inside_first, has_columns, ascends, moved, target_axes);
                FAIL(flaw);
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("target axes are as many as there are, from the first one on", "[parts]") {
  for (const int first : {0, 1, 3}) {
    for (const int count : {0, 1, 2}) {
      const strew::detail::target_axes axes{first, count};
      CHECK(axes.end() == first + count);
      for (int axis = 0; axis < 7; ++axis) {
        CAPTURE(first, count, axis);
        int found = 0;
        for (int j = 0; j < count; ++j) found += axis == first + j ? 1 : 0;
        CHECK(axes.contains(axis) == (found == 1));
      }
    }
  }
}

TEST_CASE("the boxes of any small tensor are disjoint and cover it", "[parts]") {
  for (std::size_t rank = 0; rank <= 3; ++rank) {
    for_each_shape(rank, 4, [](const coordinate& extents) { check_partitions(extents, {1, 2, 3, 8}); });
  }
  check_partitions({7, 1, 3, 2, 5}, {2, 7, 16});
}

// Each part would read all indices, which are as many as the updates, and skip those of the others: two threads took up
// to four times as long as one.
TEST_CASE("columns with indices of their own are cut, and never their target axis", "[parts]") {
  for (const std::int64_t threads : {2, 16}) {
    for (const index_list& extents : {index_list{256, 256}, index_list{2000, 50}, index_list{100'000, 500}}) {
      for (const bool ascends : {false, true}) {
        const partition parts({extents, extents[0] * extents[1], 4, 0, true, ascends, 1, nullptr, true}, threads);
        CAPTURE(threads, extents[1], ascends);
        if (extents[1] > 50) CHECK(parts.size() > 1);
        for (std::int64_t i = 0; i < parts.size(); ++i) CHECK(parts[i][0].count == extents[0]);
      }
    }
  }
  const partition rows({{2000, 50}, 200'000, 4, 0, false, false, 1, nullptr, false}, 2);
  CHECK(rows.size() == 2);
}

TEST_CASE("the boxes of large tensors are disjoint and cover them", "[parts]") {
  const std::int64_t huge = std::int64_t{1} << 40;
  for (const index_list& extents :
       {index_list{huge}, index_list{1000, 1000}, index_list{1, 3, 1'000'003}, index_list{1'000'003, 3},
        index_list{17, 1, 65'537, 2}, index_list{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, index_list{huge, 0, 5},
        index_list{3, 5, 7, 1 << 20}, index_list{1 << 20, 7, 5, 3}}) {
    check_partitions(extents, {1, 2, 3, 4, 17, 40});
  }
  check_partitions({1'000'003, 77}, {100});
}

TEST_CASE("random tensors are cut into disjoint boxes that cover them", "[parts]") {
  random_source random(1);
  for (int trial = 0; trial < 300; ++trial) {
    index_list extents;
    for (std::int64_t rank = random.between(1, 5); rank > 0; --rank) {
      extents.push_back(random.between(1, random.pick<std::int64_t>({3, 50, 2000})));
    }
    check_partitions(extents, {random.between(2, 20)});
  }
}

TEST_CASE("one thread computes all in one box", "[parts]") {
  const index_list extents{1000, 1000};
  CHECK(partition({extents, 1'000'000, 8}, 1).size() == 1);
  CHECK(partition({extents, 1'000'000, 8}, 0).size() == 1);
  const box all(extents);
  CHECK(all.is_whole());
  CHECK((all[0].begin == 0 && all[0].count == 1000 && all[1].begin == 0 && all[1].count == 1000));
}

TEST_CASE("there are as many parts as threads if each reads all indices, and more if rows are long", "[parts]") {
  const auto parts = [](const index_list& extents, int target_axes) {
    return partition({extents, 1 << 20, 4, 0, false, false, target_axes}, 2).size();
  };
  CHECK(parts({1024, 16}, 1) == 2);
  CHECK(parts({1024, 256}, 1) == 8);
  CHECK(parts({64, 64, 16}, 2) == 2);  // what both indices select is short
  CHECK(parts({64, 64, 256}, 2) == 8);
  CHECK(parts({64, 4, 4, 16}, 3) == 2);
  // All of the target axes are cut, if any is.
  CHECK(parts({1, 64, 16}, 2) == 2);
  CHECK(parts({1, 64, 256}, 2) == 8);
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  CHECK(parts({1, 512}, 2) == 1);
}

// Parts along the second axis would read all indices and skip those of the others: 2.2 times the time of one thread.
TEST_CASE("of several target axes only the first is cut for indices that ascend", "[parts]") {
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  const auto parts = [](const index_list& extents) {
    return partition({extents, 1 << 20, 4, 0, false, true, 2}, 2).size();
  };
  CHECK(parts({1, 512}) == 1);
  CHECK(parts({512, 512}) == 8);
}

// Two parts of 2,486 elements, of which each read 2,034,026 indices, took 2.1 times as long as one thread.
TEST_CASE("a target axis is cut for single elements only if the output is large", "[parts]") {
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  const auto parts = [](const index_list& extents) {
    return partition({extents, std::int64_t{1} << 23, 4, 0, false, false, 1}, 2).size();
  };
  CHECK(parts({2486}) == 1);
  CHECK(parts({1 << 22}) == 2);
}

// Parts of three lanes, of which each read 24 bytes of every line of updates, took 1.9 times as long as one thread.
TEST_CASE("axes are not cut to less than some lines of updates", "[parts]") {
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  const index_list extents{32, 2, 64};
  const std::int64_t strides[] = {8, 256, 0};
  work_shape job{extents, 1 << 20, 8, 2};
  CHECK(partition(job, 2)[0][0].count < 32);
  job.strides = static_cast<const std::int64_t*>(strides);
  const partition parts(job, 2);
  CHECK(parts.size() == 2);
  for (std::int64_t i = 0; i < parts.size(); ++i) {
    CHECK(parts[i][0].count == 32);
    CHECK(parts[i][1].count == 1);
  }
}

TEST_CASE("short columns are cut into as many parts as threads, long ones into more", "[parts]") {
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  const auto parts = [](std::int64_t columns) {
    return partition({{2, columns}, 1 << 20, 4, 0, true, false, 1, nullptr, true}, 2).size();
  };
  CHECK(parts(455) == 2);
  CHECK(parts(100'000) == 8);
}

// Runs its tasks one after the other and counts those after which an output is as before.
struct idle_tasks {
  std::vector<float>& output;
  std::size_t tasks = 0;
  std::size_t idle = 0;

  template <class Body>
  void operator()(std::size_t n, const Body& body) noexcept {
    tasks += n;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<float> before = output;
      body(i);
      if (before == output) ++idle;
    }
  }
};

// With threads that each have a share of the parts, in order, one of two would have nothing to do.
TEST_CASE("each part of elements in place has updates, also where indices have smaller extents", "[parts]") {
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  std::vector<float> data(std::size_t{4} * 3 * 6 * 3770);
  const std::vector<float> updates(std::size_t{1} * 3 * 8 * 3770, 1.F);
  std::vector<std::int64_t> indices(updates.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i * 7 % 6);
  const strew::tensor_view<float> to(data.data(), {4, 3, 6, 3770});
  idle_tasks ex{data};
  strew::scatter(ex, to, 2, strew::tensor_view<const std::int64_t>(indices.data(), {1, 3, 8, 3770}),
                 strew::tensor_view<const float>(updates.data(), {1, 3, 8, 3770}));
  CHECK(ex.tasks > 2);
  CHECK(ex.idle == 0);
}

// The question takes as long as their check: on two threads such calls took 1.8 times as long as on one.
TEST_CASE("of calls of one part it is not asked whether indices ascend", "[parts]") {
  std::vector<float> data(13'525);
  const std::vector<float> updates(data.size(), 1.F);
  std::vector<std::int64_t> indices(data.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::int64_t>(i / 2);
  const limits_for_test limits;
  tuning::set_by_tests = tuning::thresholds{};
  tuning::set_by_tests.smallest_check = 1024;
  const auto tasks = [&] {
    idle_tasks ex{data};
    strew::scatter_elements_update(ex, strew::tensor_view<float>(data.data(), {13'525}),
                                   strew::tensor_view<const std::int64_t>(indices.data(), {13'525}),
                                   strew::tensor_view<const float>(updates.data(), {13'525}), 0);
    return ex.tasks;
  };
  const std::size_t of_ascending = tasks();
  CHECK(data[100] == 1.F);
  std::swap(indices[0], indices[1000]);
  CHECK(of_ascending == tasks());
}

TEST_CASE("a tensor is cut along the axis of the longest stride first, whatever the order of its axes", "[parts]") {
  strew::strided_layout by_columns;
  REQUIRE(strew::strided_layout::try_make({3, 128, 20'000}, {20'000 * 128, 1, 128}, 4, by_columns).ok());
  const strew::detail::sorted_axes axes({by_columns.extents(), 1 << 20, 4, 2, false, false, 1, &by_columns});
  CHECK((axes.axis[0] == 0 && axes.axis[1] == 2 && axes.axis[2] == 1));
  CHECK((axes.extents[0] == 3 && axes.extents[1] == 20'000 && axes.extents[2] == 128));
  CHECK(axes.scatter_axis == 1);
  box sorted(axes.extents);
  sorted.narrow(0, {1, 2});
  sorted.narrow(1, {500, 70});
  sorted.narrow(2, {10, 90});
  const box part = axes.unsorted(sorted);
  CHECK((part[0].begin == 1 && part[0].count == 2));
  CHECK((part[1].begin == 10 && part[1].count == 90));
  CHECK((part[2].begin == 500 && part[2].count == 70));
  // Not if several axes are selected together, which are cut as one.
  const strew::detail::sorted_axes kept({by_columns.extents(), 1 << 20, 4, 1, false, false, 2, &by_columns});
  CHECK((kept.axis[1] == 1 && kept.axis[2] == 2 && kept.scatter_axis == 1));
}

bool streams_now() {
  using strew::detail::kernel_count;
  for (const kernel_count* each = kernel_count::all; each != nullptr; each = each->next) {
    const bool streams = each->name.rfind("ascending_writer", 0) == 0 || each->name == "lagged_copy streams";
    if (streams && each->ran_now()) return true;
  }
  return false;
}

// Ahead of slices that multi-indices name, and of rows.
TEST_CASE("data is streamed ahead of rows if what all threads copy fills the cache", "[parts]") {
  if (!is_there(needed::streams)) return;
  limits_for_test limits;
  tuning::set_by_tests.streamed_from = 3000;
  tuning::set_by_tests.longest_row_over_stream = tuning::cache_line;
  const std::vector<std::int64_t> unsorted{3, 1, 2, 0, 0, 0};
  const std::vector<float> values(160 * 16, 1);
  std::vector<float> output(values.size());
  const backwards three;
  for (const std::int64_t lines : {40, 56, 160}) {  // all copies are too small, that of a thread is, none is
    begin_random_case();
    v3::scatter_nd_update(three, tensor_view{values.data(), {lines / 4, 4, 16}}, tensor_view{unsorted.data(), {3, 2}},
                          tensor_view{values.data(), {3, 16}}, tensor_view{output.data(), {lines / 4, 4, 16}});
    CHECK(streams_now() == (lines > 40));
    begin_random_case();
    scatter_update(three, tensor_view{values.data(), {lines, 16}}, tensor_view{unsorted.data(), {3}},
                   tensor_view{values.data(), {3, 16}}, 0, tensor_view{output.data(), {lines, 16}});
    CHECK(streams_now() == (lines > 40));
  }
}

TEST_CASE("which elements of a slice lie in a range is what a look at each says", "[parts]") {
  constexpr std::int64_t extent = 9;
  for (std::int64_t first = 0; first < extent; ++first) {
    for (std::int64_t step = -10; step <= 10; ++step) {
      for (std::int64_t count = 0; count <= extent; ++count) {
        const std::int64_t last = first + (count - 1) * step;
        if (count > 1 && (step == 0 || last < 0 || last >= extent)) continue;
        const slice_range slice{count == 0 ? 0 : first, step, count};
        for (std::int64_t begin = 0; begin <= extent; ++begin) {
          for (std::int64_t end = begin; end <= extent; ++end) {
            const axis_range found = strew::detail::elements_within(slice, {begin, end - begin});
            std::vector<std::int64_t> expected;
            for (std::int64_t n = 0; n < count; ++n) {
              const std::int64_t element = first + n * step;
              if (element >= begin && element < end) expected.push_back(n);
            }
            const bool right = found.count == static_cast<std::int64_t>(expected.size()) &&
                               (expected.empty() || found.begin == expected.front()) && is_within(found, count);
            if (right) continue;
            CAPTURE(first, step, count, begin, end, found.begin, found.count);
            FAIL("other elements were found");
          }
        }
      }
    }
  }
}

TEST_CASE("which elements of a slice lie in a range holds for steps and axes of any size", "[parts]") {
  for (const std::int64_t step : {int64_max, int64_min, int64_max - 3, std::int64_t{1} << 62}) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{5}, int64_max - 1}) {  // one element takes no step
      const axis_range within = strew::detail::elements_within({first, step, 1}, {5, int64_max - 5});
      CHECK(within.begin == 0);
      CHECK(within.count == (first >= 5 ? 1 : 0));
    }
  }
  const axis_range two = strew::detail::elements_within({0, int64_max - 1, 2}, {1, int64_max - 1});
  CHECK((two.begin == 1 && two.count == 1));
  const axis_range backwards = strew::detail::elements_within({int64_max - 1, -(int64_max - 1), 2}, {0, 7});
  CHECK((backwards.begin == 1 && backwards.count == 1));
}

TEST_CASE("which of some ascending indices lie in a range is what a look at each says", "[parts]") {
  for (const index_kind& kind : index_kinds()) {
    for (std::int64_t length = 0; length <= 4; ++length) {
      for_each_coordinate(coordinate(static_cast<std::size_t>(length), 6), [&](const coordinate& values) {
        if (!std::is_sorted(values.begin(), values.end())) return;
        const std::vector<wide> run(values.begin(), values.end());
        for (const std::int64_t stride : {kind.size, 2 * kind.size + 1, -kind.size}) {
          const std::int64_t last = (length - 1) * stride;
          const std::int64_t first = stride < 0 && length > 0 ? -last : 0;
          const std::vector<char> memory =
              kind.array(run, stride, 1 + first, 1 + std::max<std::int64_t>(first, last) + kind.size);
          for (std::int64_t begin = 0; begin <= 6; ++begin) {
            for (std::int64_t end = begin; end <= 7; ++end) {
              const axis_range found = strew::detail::ascending_within({memory.data() + 1, kind.strict}, first, stride,
                                                                       length, {begin, end - begin});
              const auto low = std::lower_bound(values.begin(), values.end(), begin);
              const auto high = std::lower_bound(values.begin(), values.end(), end);
              if (found.begin == low - values.begin() && found.count == high - low) continue;
              CAPTURE(kind.name, values, stride, begin, end, found.begin, found.count);
              FAIL("other indices were found");
            }
          }
        }
      });
    }
  }
}

// Has one part of a call run and no other.
struct part_chooser {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  int round_of_parts;  // the call of the executor that shares out the parts; those before it check indices
  std::size_t chosen;
  int round = 0;
  std::size_t size = 0;  // of the last round

  static bool runs_task(void* context, std::size_t i, std::size_t n) {
    auto& self = *static_cast<part_chooser*>(context);
    if (i + 1 == n) {  // they come downwards
      ++self.round;
      self.size = n;
    }
    return self.chosen == all || self.round != self.round_of_parts || i == self.chosen;
  }
};

// Runs each part of a call by itself, on a new output, and looks what it wrote.
struct each_part_alone {
  std::int64_t threads;
  layout_kind data = layout_kind::row_major;
  layout_kind updates = layout_kind::row_major;
  mutable int cut_calls = 0;

  template <class Call>
  void check(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
             const Call& call) const {
    for (const bool in_place : {false, true}) {
      const std::string found = flaw(d, values, expected, in_place, call);
      if (found.empty()) continue;
      CAPTURE(text_of(d), threads, in_place);
      FAIL(found);
    }
  }

 private:
  template <class Call>
  std::string flaw(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
                   bool in_place, const Call& call) const {
    const std::vector<char> unwritten(values.size(), '\0');
    const std::vector<char>& before = in_place ? values : unwritten;
    const auto element = [&](const std::vector<char>& tensor, std::int64_t at) {
      return std::string(&tensor[static_cast<std::size_t>(at * d.width)], static_cast<std::size_t>(d.width));
    };
    std::vector<char> from = values;
    const auto run = [&](part_chooser& chooser) {
      std::vector<char> output = before;
      const runner who{threads, {}, part_chooser::runs_task, &chooser};
      char* const source = in_place ? output.data() : from.data();
      if (!call(who, byte_tensor{source, d.extents()}, byte_tensor{output.data(), d.extents()}).ok()) return before;
      return output;
    };
    part_chooser everything{0, part_chooser::all};
    if (run(everything) != expected) return "all parts together write something else";
    const std::size_t parts = everything.size;
    part_chooser none{everything.round, parts};
    if (parts < 2 || run(none) != before) return "";  // not cut: what the executor was called for last was a check
    ++cut_calls;
    std::vector<int> written(static_cast<std::size_t>(d.size()), 0);
    for (std::size_t part = 0; part < parts; ++part) {
      part_chooser one{everything.round, part};
      const std::vector<char> output = run(one);
      for (std::int64_t at = 0; at < d.size(); ++at) {
        if (element(output, at) == element(before, at)) continue;
        if (element(output, at) != element(expected, at)) return "a part wrote another value";
        ++written[static_cast<std::size_t>(at)];
      }
    }
    for (std::int64_t at = 0; at < d.size(); ++at) {
      const int times = element(before, at) != element(expected, at) ? 1 : 0;
      if (written[static_cast<std::size_t>(at)] != times) return "an element was written by two parts, or by none";
    }
    return "";
  }
};

// Without duplicates, so that each update can be seen.
std::vector<std::int64_t> distinct_indices(std::int64_t count, std::int64_t extent, std::uint64_t seed) {
  random_source random(seed);
  std::vector<std::int64_t> result;
  for (const std::size_t at : random.order(static_cast<std::size_t>(extent))) {
    if (static_cast<std::int64_t>(result.size()) < count) result.push_back(static_cast<std::int64_t>(at));
  }
  return result;
}

TEST_CASE("each update is handled in exactly one part, each element of data copied in one", "[parts]") {
  int cut = 0;
  int calls = 0;
  // None so small that it is never cut.
  for (const dimensions& d : {dimensions{8, 1, 300, 1},
                              {8, 1, 40, 8},
                              {8, 6, 50, 1},
                              {8, 3, 20, 5},
                              {8, 2, 3, 50},
                              {16, 1, 5, 700},
                              {8, 1, 2, 150}}) {
    for (const std::int64_t threads : {2, 3, 5, 16}) {
      const each_part_alone in{threads};
      for (const std::int64_t step : {1, 2, -1}) {
        const std::int64_t count = (d.axis + 1) / (step < 0 ? 1 : step);
        check_slice(d, step < 0 ? d.axis - 1 : 0, step, std::min(count, d.axis), d.inner, in);
      }
      for (const std::int64_t count : {d.axis / 2, d.axis}) {
        const std::vector<std::int64_t> shuffled = distinct_indices(count, d.axis, 5);
        std::vector<std::int64_t> ascending = shuffled;
        std::sort(ascending.begin(), ascending.end());
        const std::vector<std::int64_t> crowded = random_indices(count, d.axis / 3, d.axis / 2);
        for (const std::vector<std::int64_t>& indices : {shuffled, ascending, crowded}) {
          check_rows(d, index_type::int64, indices, in);
          const dimensions u{d.width, d.outer, count, d.inner};
          std::vector<std::int64_t> everywhere;  // the same along each lane, now and then counted from the end
          for (std::int64_t at = 0; at < u.size(); ++at) {
            const std::int64_t index = indices[static_cast<std::size_t>(at / d.inner % count)];
            everywhere.push_back(at % 3 == 0 && d.inner > 1 ? index - d.axis : index);
          }
          check_elements(scatter_kind::onnx, d, u, index_type::int64, everywhere, in);
          calls += 4;
        }
      }
      calls += 6;
      cut += in.cut_calls;
    }
  }
  CHECK(cut > calls / 2);
}

}  // namespace
}  // namespace strew::test
