// SPDX-License-Identifier: Apache-2.0
// updates_extents and workspace_bytes of every operator, against shapes and sizes written by hand.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace red = strew::reduction;
using namespace strew;

namespace {

std::string message_of(const status& outcome) {
  return std::string(outcome.message().view());
}

// A list of more entries than one holds.
std::vector<std::int64_t> overlong() {
  return std::vector<std::int64_t>(max_rank + 1, 1);
}
index_list full(std::int64_t extent) {
  return std::vector<std::int64_t>(max_rank, extent);
}

// That an error leaves the result alone, and that both forms report the same.
template <class Operator, class... Arguments>
void check_refusal(errc code, const std::string& message, const Operator& op, const Arguments&... arguments) {
  index_list result{7, 7};
  const status outcome = try_updates_extents(op, arguments..., result);
  CHECK(outcome.code() == code);
  CHECK(message_of(outcome) == message);
  CHECK(result == index_list{7, 7});
  try {
    static_cast<void>(updates_extents(op, arguments...));
    FAIL("nothing was thrown");
  } catch (const scatter_error& error) {
    CHECK(error.code() == code);
    CHECK(error.what() == message);
  }
}

// Whether an operator takes float updates of so many extents, and no others: `call(data, updates)` is a call of it.
template <class Call>
void check_taken(const index_list& data, const index_list& updates, const Call& call) {
  std::vector<float> target(1000);
  const std::vector<float> source(1000);
  const tensor_view<float> into(target.data(), data);
  CHECK(message_of(call(into, tensor_view<const float>(source.data(), updates))) == "");
  index_list longer = updates;
  longer.push_back(1);
  CHECK(call(into, tensor_view<const float>(source.data(), longer)).code() == errc::rank_mismatch);
  for (int k = 0; k < updates.size(); ++k) {
    index_list wider = updates;
    wider[k] += 1;
    CHECK(call(into, tensor_view<const float>(source.data(), wider)).code() == errc::extent_mismatch);
  }
}

template <class Indices = std::int32_t>
struct zeros {
  std::array<Indices, 1000> numbers{};
  [[nodiscard]] tensor_view<const Indices> shaped(const index_list& extents) const { return {numbers.data(), extents}; }
};

// ---- In constant evaluation, each operator once, throwing and not

static_assert(updates_extents(slice_scatter, {2, 5}, {.start = 1, .stop = 4, .step = 2, .axes = 1}) ==
              index_list{2, 2});
static_assert(updates_extents(v15::slice_scatter, {7}, {}) == index_list{7});
static_assert(updates_extents(select_scatter, {2, 3, 4}, 1) == index_list{2, 4});
static_assert(updates_extents(diagonal_scatter, {2, 3, 4}, 1, 0, 2) == index_list{3, 2});
static_assert(updates_extents(scatter_update, {3, 5, 7}, {2, 4}, -2) == index_list{3, 2, 4, 7});
static_assert(updates_extents(v3::scatter_update, 3, 2, {0}) == index_list{2});
static_assert(updates_extents(index_add, {3, 5}, 1, {}) == index_list{3});
static_assert(updates_extents(index_copy, {3, 5}, 1, {4}) == index_list{3, 4});
static_assert(updates_extents(index_reduce, {3, 5}, -2, {4}) == index_list{4, 5});
static_assert(updates_extents(scatter_elements_update, {3, 5}, {2, 4}, 1) == index_list{2, 4});
static_assert(updates_extents(v12::scatter_elements_update, {3, 5}, {9, 4}, 0) == index_list{9, 4});
static_assert(updates_extents(onnx::scatter, {3, 5}, {9, 4}) == index_list{9, 4});
static_assert(updates_extents(onnx::scatter_elements, {3, 5}, {9, 4}) == index_list{9, 4});
static_assert(updates_extents(onnx::scatter_elements, {3, 5}, {2, 9}, 1) == index_list{2, 9});
static_assert(updates_extents(scatter, {3, 5}, 1, {2, 9}) == index_list{2, 9});
static_assert(updates_extents(scatter_add, {3, 5}, 1, {2, 9}) == index_list{2, 9});
static_assert(updates_extents(scatter_reduce, {3, 5}, 1, {2, 9}) == index_list{2, 9});
static_assert(updates_extents(put_along_axis, {3, 5}, {2, 9}, 1) == index_list{2, 9});
static_assert(updates_extents(onnx::scatter_nd, {4, 5, 6}, {2, 3, 2}) == index_list{2, 3, 6});
static_assert(updates_extents(v3::scatter_nd_update, {4, 5, 6}, {0}) == index_list{4, 5, 6});
static_assert(updates_extents(v14::scatter_nd_update, {4, 5, 6}, {3}).empty());
static_assert(updates_extents(v15::scatter_nd_update, {4, 5, 6}, {7, 1}) == index_list{7, 5, 6});
static_assert(updates_extents(index_put, {4, 5, 6}, {7, 8}, 2) == index_list{7, 8, 6});
static_assert(updates_extents(put, {4, 5, 6}, {7, 8}) == index_list{7, 8});
// The objects that do not throw say the same.
static_assert(updates_extents(try_scatter_update, {3, 5}, {2}, 1) == index_list{3, 2});
static_assert(updates_extents(try_put, {3, 5}, {2}) == index_list{2});

constexpr errc code_in_constants() {
  index_list result;
  return try_updates_extents(scatter_update, {3, 5}, {2}, 2, result).code();
}
static_assert(code_in_constants() == errc::axis_out_of_range);

static_assert(noexcept(try_updates_extents(scatter_update, index_list{}, index_list{}, 0,
                                           std::declval<index_list&>())));
static_assert(noexcept(workspace_bytes<float>(index_put, index_list{}, index_list{}, 1, red::sum, 2)));
static_assert(std::is_same_v<decltype(updates_extents(put, 1, 1)), index_list>);

}  // namespace

TEST_CASE("updates_extents tells what slices and parts take") {
  check_taken({2, 5}, updates_extents(slice_scatter, {2, 5}, {.start = 4, .stop = -9, .step = -3, .axes = 1}),
              [](const auto& d, const auto& u) {
                return try_slice_scatter(d, u, {.start = 4, .stop = -9, .step = -3, .axes = 1});
              });
  check_taken({2, 3, 4}, updates_extents(select_scatter, {2, 3, 4}, -3),
              [](const auto& d, const auto& u) { return try_select_scatter(d, u, -3, 1); });
  check_taken({2, 3, 4}, updates_extents(diagonal_scatter, {2, 3, 4}, -1, 2, 1),
              [](const auto& d, const auto& u) { return try_diagonal_scatter(d, u, -1, 2, 1); });
  CHECK(updates_extents(diagonal_scatter, {2, 3}, 5, 0, 1) == index_list{0});
  CHECK(updates_extents(diagonal_scatter, {2, 3}, int64_min, 0, 1) == index_list{0});
  CHECK(updates_extents(diagonal_scatter, {int64_max, int64_max}, 1, 0, 1) == index_list{int64_max - 1});
}

TEST_CASE("updates_extents tells what rows take") {
  const zeros indices;
  const auto two = indices.shaped({2, 4});
  check_taken({3, 5}, updates_extents(scatter_update, {3, 5}, {2, 4}, 0),
              [&](const auto& d, const auto& u) { return try_scatter_update(d, two, u, 0); });
  check_taken({3, 5}, updates_extents(index_add, {3, 5}, 1, {2, 4}),
              [&](const auto& d, const auto& u) { return try_index_add(d, 1, two, u); });
  check_taken({3, 5}, updates_extents(index_copy, {3, 5}, 1, {2, 4}),
              [&](const auto& d, const auto& u) { return try_index_copy(d, 1, two, u); });
  check_taken({3, 5}, updates_extents(index_reduce, {3, 5}, -1, {2, 4}),
              [&](const auto& d, const auto& u) { return try_index_reduce(d, -1, two, u, red::max); });
}

TEST_CASE("updates_extents tells what elements take") {
  const zeros indices;
  const auto two = indices.shaped({2, 4});
  const index_list data{3, 5};
  check_taken(data, updates_extents(scatter_elements_update, data, {2, 4}, 0),
              [&](const auto& d, const auto& u) { return try_scatter_elements_update(d, two, u, 0); });
  check_taken(data, updates_extents(v12::scatter_elements_update, data, {2, 4}, 1),
              [&](const auto& d, const auto& u) { return v12::try_scatter_elements_update(d, two, u, 1); });
  check_taken(data, updates_extents(onnx::scatter, data, {2, 4}),
              [&](const auto& d, const auto& u) { return onnx::try_scatter(d, two, u); });
  check_taken(data, updates_extents(onnx::scatter_elements, data, {2, 4}),
              [&](const auto& d, const auto& u) { return onnx::try_scatter_elements(d, two, u); });
  check_taken(data, updates_extents(scatter_add, data, 0, {2, 4}),
              [&](const auto& d, const auto& u) { return try_scatter_add(d, 0, two, u); });
  check_taken(data, updates_extents(scatter_reduce, data, 0, {2, 4}),
              [&](const auto& d, const auto& u) { return try_scatter_reduce(d, 0, two, u, red::mean); });
  check_taken(data, updates_extents(put_along_axis, data, {2, 4}, 0),
              [&](const auto& d, const auto& u) { return try_put_along_axis(d, two, u, 0); });
}

TEST_CASE("updates_extents tells what tuples take") {
  const zeros indices;
  const index_list data{3, 5, 2};
  const auto pairs = indices.shaped({2, 4, 2});
  check_taken(data, updates_extents(onnx::scatter_nd, data, {2, 4, 2}),
              [&](const auto& d, const auto& u) { return onnx::try_scatter_nd(d, pairs, u); });
  check_taken(data, updates_extents(v15::scatter_nd_update, data, {2, 4, 2}),
              [&](const auto& d, const auto& u) { return v15::try_scatter_nd_update(d, pairs, u); });
  const auto each = indices.shaped({2, 4});
  check_taken(data, updates_extents(index_put, data, {2, 4}, 2), [&](const auto& d, const auto& u) {
    return try_index_put(d, std::tuple{each, each}, u);
  });
  check_taken(data, updates_extents(put, data, {2, 4}),
              [&](const auto& d, const auto& u) { return try_put(d, each, u); });
}

TEST_CASE("updates_extents takes lists and integers of any type") {
  const std::vector<int> data{3, 5};
  const std::array<std::uint8_t, 1> indices{2};
  CHECK(updates_extents(scatter_update, data, indices, std::uint8_t{1}) == index_list{3, 2});
  CHECK(updates_extents(index_add, data, std::int8_t{-1}, indices) == index_list{3, 2});
  CHECK(updates_extents(index_put, data, indices, std::uint64_t{1}) == index_list{2, 5});
}

TEST_CASE("updates_extents refuses what the operators do") {
  SECTION("data of rank 0") {
    const std::string none = ": data has rank 0, expected at least 1";
    check_refusal(errc::rank_mismatch, "updates_extents(slice_scatter)" + none, slice_scatter, index_list{},
                  slice_spec{});
    check_refusal(errc::rank_mismatch, "updates_extents(index_copy)" + none, index_copy, index_list{}, 0, index_list{});
    check_refusal(errc::rank_mismatch, "updates_extents(put_along_axis)" + none, put_along_axis, index_list{},
                  index_list{}, 0);
    check_refusal(errc::rank_mismatch, "updates_extents(onnx::scatter_nd)" + none, onnx::scatter_nd, index_list{},
                  index_list{0});
    check_refusal(errc::rank_mismatch, "updates_extents(index_put)" + none, index_put, index_list{}, index_list{1}, 1);
    check_refusal(errc::rank_mismatch, "updates_extents(put)" + none, put, index_list{}, index_list{1});
    check_refusal(errc::rank_mismatch, "updates_extents(select_scatter)" + none, select_scatter, index_list{}, 0);
    check_refusal(errc::rank_mismatch, "updates_extents(diagonal_scatter): data has rank 1, expected at least 2",
                  diagonal_scatter, index_list{1}, 0, 0, 0);
  }
  SECTION("axes") {
    const std::string outside = ": axis = 2 is outside [-2, 1] (data has rank 2)";
    const index_list data{3, 5};
    check_refusal(errc::axis_out_of_range, "updates_extents(scatter_update)" + outside, scatter_update, data, data, 2);
    check_refusal(errc::axis_out_of_range, "updates_extents(scatter_add)" + outside, scatter_add, data, 2, data);
    check_refusal(errc::axis_out_of_range, "updates_extents(onnx::scatter_elements)" + outside, onnx::scatter_elements,
                  data, data, 2);
    check_refusal(errc::axis_out_of_range, "updates_extents(select_scatter)" + outside, select_scatter, data, 2);
    check_refusal(errc::axis_out_of_range,
                  "updates_extents(index_add): axis = 18446744073709551615 is outside [-2, 1] (data has rank 2)",
                  index_add, data, std::uint64_t(-1), data);
    check_refusal(errc::repeated_axis, "updates_extents(diagonal_scatter): axes[1] = -1 names axis 1 a second time",
                  diagonal_scatter, data, 0, 1, -1);
    check_refusal(errc::count_mismatch, "updates_extents(onnx::scatter): axis has length 2, expected 1", onnx::scatter,
                  data, data, index_list{0, 1});
  }
  SECTION("indices") {
    const index_list data{3, 5};
    check_refusal(errc::rank_mismatch, "updates_extents(scatter_reduce): indices has rank 1, expected 2 as data has",
                  scatter_reduce, data, 0, index_list{3});
    check_refusal(errc::extent_mismatch,
                  "updates_extents(scatter_elements_update): indices has extent 4 on axis 0, expected at most 3 as "
                  "data has",
                  scatter_elements_update, data, index_list{4, 5}, 0);
    check_refusal(errc::extent_mismatch,
                  "updates_extents(onnx::scatter): indices has extent 6 on axis 1, expected at most 5 as data has",
                  onnx::scatter, data, index_list{4, 6}, 0);
    check_refusal(errc::rank_mismatch, "updates_extents(scatter_nd_update): indices has rank 0, expected at least 1",
                  v3::scatter_nd_update, data, index_list{});
    check_refusal(errc::extent_mismatch,
                  "updates_extents(scatter_nd_update): indices has extent 3 on axis 1, expected at most 2 (the rank of "
                  "data)",
                  v15::scatter_nd_update, data, index_list{4, 3});
    check_refusal(errc::rank_mismatch, "updates_extents(index_put): indices holds 0 tensors, expected at least 1",
                  index_put, data, index_list{4}, 0);
    check_refusal(errc::rank_mismatch,
                  "updates_extents(index_put): indices holds 3 tensors, expected at most 2 (the rank of data)",
                  index_put, data, index_list{4}, 3);
    check_refusal(errc::rank_mismatch,
                  "updates_extents(index_put): indices holds 9223372036854775807 tensors, expected at most 2 (the rank "
                  "of data)",
                  index_put, data, index_list{4}, int64_max);
  }
  SECTION("slices") {
    check_refusal(errc::zero_step,
                  "updates_extents(slice_scatter): step[0] = 0 selects nothing, expected any other value",
                  slice_scatter, index_list{4}, slice_spec{.start = 0, .stop = 1, .step = 0});
  }
}

TEST_CASE("updates_extents refuses what is no shape") {
  const std::string too_many = " has more than " + std::to_string(max_rank) + " entries (STREW_MAX_RANK)";
  const auto check_both = [&](const std::string& name, const auto& refused) {
    refused(errc::too_many_axes, name + ": data_extents" + too_many, index_list(overlong()), index_list{1});
    refused(errc::too_many_axes, name + ": indices_extents" + too_many, index_list{1}, index_list(overlong()));
    refused(errc::negative_extent, name + ": data_extents[1] = -4 is negative", index_list{3, -4}, index_list{1});
    refused(errc::negative_extent, name + ": indices_extents[0] = -9223372036854775808 is negative", index_list{3},
            index_list{int64_min});
  };
  const auto axis_last = [&](const auto& op) {
    return [&op](errc code, const std::string& message, const index_list& data, const index_list& indices) {
      check_refusal(code, message, op, data, indices, 0);
    };
  };
  const auto axis_first = [&](const auto& op) {
    return [&op](errc code, const std::string& message, const index_list& data, const index_list& indices) {
      check_refusal(code, message, op, data, 0, indices);
    };
  };
  const auto no_axis = [&](const auto& op) {
    return [&op](errc code, const std::string& message, const index_list& data, const index_list& indices) {
      check_refusal(code, message, op, data, indices);
    };
  };
  check_both("updates_extents(scatter_update)", axis_last(scatter_update));
  check_both("updates_extents(scatter_elements_update)", axis_last(scatter_elements_update));
  check_both("updates_extents(scatter_elements_update)", axis_last(v12::scatter_elements_update));
  check_both("updates_extents(onnx::scatter)", axis_last(onnx::scatter));
  check_both("updates_extents(onnx::scatter)", no_axis(onnx::scatter));
  check_both("updates_extents(onnx::scatter_elements)", no_axis(onnx::scatter_elements));
  check_both("updates_extents(put_along_axis)", axis_last(put_along_axis));
  check_both("updates_extents(index_add)", axis_first(index_add));
  check_both("updates_extents(index_copy)", axis_first(index_copy));
  check_both("updates_extents(index_reduce)", axis_first(index_reduce));
  check_both("updates_extents(scatter_add)", axis_first(scatter_add));
  check_both("updates_extents(scatter_reduce)", axis_first(scatter_reduce));
  check_both("updates_extents(onnx::scatter_nd)", no_axis(onnx::scatter_nd));
  check_both("updates_extents(scatter_nd_update)", no_axis(v14::scatter_nd_update));
  check_both("updates_extents(put)", no_axis(put));
  check_both("updates_extents(index_put)", [](errc code, const std::string& message, const auto&... extents) {
    check_refusal(code, message, index_put, extents..., 1);
  });
  check_refusal(errc::too_many_axes, "updates_extents(slice_scatter): data_extents" + too_many, slice_scatter,
                index_list(overlong()), slice_spec{});
  check_refusal(errc::negative_extent, "updates_extents(select_scatter): data_extents[0] = -1 is negative",
                select_scatter, index_list{-1}, 0);
  check_refusal(errc::too_many_axes, "updates_extents(diagonal_scatter): data_extents" + too_many, diagonal_scatter,
                index_list(overlong()), 0, 0, 1);
}

TEST_CASE("updates_extents refuses results of too many axes, and not huge ones") {
  const std::string too_many = ": updates has more than " + std::to_string(max_rank) + " entries (STREW_MAX_RANK)";
  check_refusal(errc::too_many_axes, "updates_extents(scatter_update)" + too_many, scatter_update, index_list{1, 1},
                full(1), 0);
  check_refusal(errc::too_many_axes, "updates_extents(index_add)" + too_many, index_add, full(1), 0, index_list{1, 1});
  check_refusal(errc::too_many_axes, "updates_extents(onnx::scatter_nd)" + too_many, onnx::scatter_nd, full(1),
                index_list{1, 1, 1});
  check_refusal(errc::too_many_axes, "updates_extents(index_put)" + too_many, index_put, full(1), index_list{1, 1}, 1);

  const index_list huge = full(int64_max);
  CHECK(updates_extents(put, huge, huge) == huge);
  CHECK(updates_extents(scatter_update, huge, {int64_max}, 0) == huge);
  CHECK(updates_extents(scatter_elements_update, huge, huge, 0) == huge);
  CHECK(updates_extents(slice_scatter, huge, {}) == huge);
  CHECK(updates_extents(onnx::scatter_nd, huge, {max_rank}).empty());
}

// ---- workspace_bytes

namespace {

// Two columns of elements at random places of 256 MiB: buckets pay, in one column on one thread for up to three
// quarters of the elements.
constexpr index_list many{1 << 25, 2};
constexpr index_list line{1 << 26};
constexpr index_list some{1 << 25};

}  // namespace

TEST_CASE("workspace_bytes is the same for operators that do the same") {
  const std::size_t rows = workspace_bytes<float>(scatter_update, line, some, 0);
  // 4 bytes and an element for each index, rounded up to whole chunks.
  CHECK(rows >= (std::size_t{8} << 25));
  CHECK(rows < (std::size_t{16} << 25));
  CHECK(workspace_bytes<float>(index_copy, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(index_add, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(index_reduce, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(index_reduce, line, some, 0, red::max) == rows);
  CHECK(workspace_bytes<float>(scatter_elements_update, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(v12::scatter_elements_update, line, some, 0, red::none) == rows);
  CHECK(workspace_bytes<float>(v12::scatter_elements_update, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(onnx::scatter, line, some) == rows);
  CHECK(workspace_bytes<float>(onnx::scatter_elements, line, some) == rows);
  CHECK(workspace_bytes<float>(onnx::scatter_elements, line, some, -1, red::prod) == rows);
  CHECK(workspace_bytes<float>(scatter_add, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(scatter_reduce, line, some, 0, red::min) == rows);
  CHECK(workspace_bytes<float>(put_along_axis, line, some, 0) == rows);
  CHECK(workspace_bytes<float>(put, line, some) == rows);
  CHECK(workspace_bytes<float>(put, many, some) == rows);
  CHECK(workspace_bytes<float>(put, line, some, red::sum) == rows);
  CHECK(workspace_bytes<float>(index_put, line, some, 1) == rows);
  CHECK(workspace_bytes<float>(index_put, many, some, 2, red::sum) == rows);
  CHECK(workspace_bytes<float>(onnx::scatter_nd, many, {1 << 25, 2}) == rows);
  CHECK(workspace_bytes<float>(v3::scatter_nd_update, many, {1 << 25, 2}) == rows);
  CHECK(workspace_bytes<float>(v15::scatter_nd_update, many, {1 << 25, 2}, red::sub) == rows);
  CHECK(workspace_bytes<const float>(try_scatter_update, line, some, 0) == rows);

  const std::size_t shared = workspace_bytes<float>(scatter_update, line, some, 0, 4);
  CHECK(shared >= rows);
  CHECK(workspace_bytes<float>(scatter_add, line, some, 0, 4) == shared);
  CHECK(workspace_bytes<float>(scatter_reduce, line, some, 0, red::sum, 4) == shared);
  CHECK(workspace_bytes<float>(put, line, some, 4) == shared);
  CHECK(workspace_bytes<float>(put, line, some, red::none, 4) == shared);
  CHECK(workspace_bytes<float>(index_put, line, some, 1, 4) == shared);
  CHECK(workspace_bytes<float>(index_put, line, some, 1, red::sum, 4) == shared);
  CHECK(workspace_bytes<float>(onnx::scatter_nd, many, {1 << 25, 2}, red::max, 4) == shared);
}

TEST_CASE("workspace_bytes has room for what reductions keep beside elements") {
  // A count of a byte for each row, of which 32 thousand have room on the stack; of 8 bytes from 64 updates for each
  // on.
  CHECK(workspace_bytes<float>(index_reduce, {1 << 20, 8}, {10}, 0, red::mean) >= (std::size_t{1} << 20));
  CHECK(workspace_bytes<float>(index_reduce, {1 << 20, 8}, {10}, 0, red::mean) < (std::size_t{2} << 20));
  CHECK(workspace_bytes<float>(index_reduce, {1 << 20, 8}, {1 << 26}, 0, red::mean) >= (std::size_t{8} << 20));
  CHECK(workspace_bytes<float>(index_reduce, {100, 8}, {10}, 0, red::mean) == 0);
  // Of elements for each element.
  CHECK(workspace_bytes<float>(scatter_reduce, {1 << 17, 8}, {10, 8}, 0, red::mean) >= (std::size_t{1} << 20));
  // A mark.
  CHECK(workspace_bytes<float>(v12::scatter_elements_update, {1 << 17, 8}, {10, 8}, 0, red::without_init(red::sum)) >=
        (std::size_t{1} << 20));
}

TEST_CASE("workspace_bytes is 0 where none helps") {
  // Direct stores along one axis are faster up to another size than those of multi-indices, or than of several threads.
  constexpr index_list shorter{1 << 23};
  CHECK(workspace_bytes<float>(scatter_update, shorter, shorter, 0) == 0);
  CHECK(workspace_bytes<float>(index_add, shorter, shorter, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_reduce, shorter, shorter, 0, red::sum) == 0);
  CHECK(workspace_bytes<float>(scatter_update, shorter, shorter, 0, 2) >= (std::size_t{8} << 23));
  CHECK(workspace_bytes<float>(put, shorter, shorter) == 0);
  CHECK(workspace_bytes<float>(put, shorter, shorter, 2) >= (std::size_t{8} << 23));
  CHECK(workspace_bytes<float>(scatter_update, line, line, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_update, line, line, 0, 2) >= (std::size_t{8} << 26));
  CHECK(workspace_bytes<std::array<float, 4>>(scatter_update, line, line, 0) == 0);
  CHECK(workspace_bytes<std::array<float, 4>>(scatter_update, line, line, 0, 2) > 0);
  CHECK(workspace_bytes<std::array<float, 8>>(scatter_update, line, line, 0, 2) == 0);

  const auto callable = [](float a, float b) { return a + b; };
  CHECK(workspace_bytes<float>(index_reduce, line, line, 0, callable) == 0);
  CHECK(workspace_bytes<float>(put, line, line, callable) == 0);
  CHECK(workspace_bytes<float>(index_put, line, line, 1, callable, 4) == 0);
  CHECK(workspace_bytes<float>(v3::scatter_nd_update, many, {1 << 26, 2}, callable) == 0);
  CHECK(workspace_bytes<float>(index_add, line, line, 0, scaled_by{2.0F}, 4) == 0);
  CHECK(workspace_bytes<float>(index_fill, line, line, 0, 4) == 0);
  CHECK(workspace_bytes<std::string>(scatter_update, line, line, 0) == 0);
  CHECK(workspace_bytes<std::string>(put, line, line) == 0);

  CHECK(workspace_bytes<float>(slice_scatter, line) == 0);
  CHECK(workspace_bytes<float>(select_scatter, line, 4) == 0);
  CHECK(workspace_bytes<float>(diagonal_scatter, many, 4) == 0);
  CHECK(workspace_bytes<float>(masked_scatter, line, line, 4) == 0);
  CHECK(workspace_bytes<float>(masked_fill, {1 << 22, 2}, {1 << 22, 2}) == 0);
  CHECK(workspace_bytes<float>(onnx::tensor_scatter, many, {1 << 22}, 4) == 0);
}

TEST_CASE("workspace_bytes of 2^48 elements and indices") {
  constexpr std::int64_t most = std::int64_t{1} << 48;
  const std::size_t bytes = workspace_bytes<float>(scatter_update, line, {most}, 0, 4);
  CHECK(bytes > 0);
  CHECK(workspace_bytes<float>(scatter_update, line, {most / 2, 2}, 0, 4) == bytes);
  CHECK(workspace_bytes<float>(put, line, {2, most / 2}, 4) > 0);
  CHECK(workspace_bytes<float>(index_reduce, {most}, {10}, 0, red::mean) > 0);
  // Tensors that do not fit in the address space.
  CHECK(workspace_bytes<float>(scatter_update, line, {most << 14}, 0, 4) == 0);
  CHECK(workspace_bytes<float>(put, line, {2, most << 13}, 4) == 0);
  CHECK(workspace_bytes<float>(index_reduce, {most << 14}, {10}, 0, red::mean) == 0);
}

TEST_CASE("workspace_bytes is 0 where the arguments are not legal") {
  const index_list too_long(overlong());
  const index_list huge = full(int64_max);
  const index_list negative{1 << 23, -1};
  for (const index_list& bad : {too_long, huge, negative}) {
    CHECK(workspace_bytes<float>(scatter_update, bad, line, 0) == 0);
    CHECK(workspace_bytes<float>(index_add, bad, line, 0, 3) == 0);
    CHECK(workspace_bytes<float>(index_reduce, bad, line, 0, red::mean, 3) == 0);
    CHECK(workspace_bytes<float>(onnx::scatter, bad, bad) == 0);
    CHECK(workspace_bytes<float>(scatter_reduce, bad, bad, 0, red::mean) == 0);
    CHECK(workspace_bytes<float>(put, bad, line) == 0);
    CHECK(workspace_bytes<float>(put, line, bad) == 0);
    CHECK(workspace_bytes<float>(index_put, bad, line, 1) == 0);
    CHECK(workspace_bytes<float>(index_put, line, bad, 1) == 0);
    CHECK(workspace_bytes<float>(onnx::scatter_nd, bad, {1 << 23, 1}) == 0);
    CHECK(workspace_bytes<float>(onnx::scatter_nd, line, bad) == 0);
    CHECK(workspace_bytes<float>(slice_scatter, bad) == 0);
  }
  for (const std::int64_t axis : {std::int64_t{1}, std::int64_t{-2}, int64_max, int64_min}) {
    CHECK(workspace_bytes<float>(scatter_update, line, line, axis) == 0);
    CHECK(workspace_bytes<float>(scatter_reduce, line, line, axis, red::mean) == 0);
  }
  for (const std::int64_t tensors : {std::int64_t{0}, std::int64_t{2}, int64_max, int64_min}) {
    CHECK(workspace_bytes<float>(index_put, line, line, tensors) == 0);
  }
  CHECK(workspace_bytes<float>(onnx::scatter_nd, line, {1 << 26, 2}) == 0);
  CHECK(workspace_bytes<float>(onnx::scatter_nd, line, {}) == 0);
  CHECK(workspace_bytes<float>(scatter_elements_update, many, line, 0) == 0);
  CHECK(workspace_bytes<float>(scatter_reduce, many, line, 0, red::mean) == 0);
  CHECK(workspace_bytes<float>(put, {}, line) == 0);
  CHECK(workspace_bytes<float>(scatter_update, line, line, 0, std::size_t(-1)) > 0);
}
