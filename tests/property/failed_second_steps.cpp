// SPDX-License-Identifier: Apache-2.0
// What promises to stay as it was on an error: a good object is made and used, a second step that would replace it
// fails in each way, and the object is used again. Bound calls fail with the memory that the first one uses.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/listed_calls.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

// ---- Prepared and bound calls

// Elements that a float holds exactly.
std::vector<float> numbered(std::size_t count, int first) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(first + static_cast<int>(i % 97));
  return result;
}

// Operands of a call and its naive result.
template <class Calls>
struct used_call {
  listed_call of;
  std::vector<float> data = numbered(of.data_size(), 1);
  std::vector<float> updates = numbered(of.updates_size(), 200);
  std::vector<float> expected;

  explicit used_call(listed_call&& made) : of{std::move(made)} {
    expected = last_values(listed_histories(of, data, data, updates, [](float current, float update) {
      return Calls::how == matrix::combining::none ? update : current + update;
    }));
  }
  [[nodiscard]] auto prepared() const { return prepare_listed<Calls, float>(of, updates[0], reduction::sum); }

  // run(data, updates, output) returns a status.
  template <class Run>
  void require_result(const Run& run) const {
    std::vector<float> output(data.size(), -1);
    const status apart = run(data.data(), updates.data(), output.data());
    INFO(apart.message());
    REQUIRE(apart.ok());
    REQUIRE(output == expected);
  }
};

// The addresses of indices, or of a mask, which a failing step changes.
template <class Calls>
auto addresses_of(const listed_call& of) {
  if constexpr (Calls::drawn_as == operation::index_put) {
    return std::vector<const std::int64_t*>{of.indices[0].data(), of.indices[1].data()};
  } else if constexpr (is_listed_mask<Calls>) {
    return static_cast<const bool*>(of.mask.get());
  } else {
    return static_cast<const std::int64_t*>(of.indices[0].data());
  }
}
template <class Calls, class Bound>
status run_bound(const Bound& bound, const float* data, const float* updates, float* output) {
  if constexpr (is_listed_fill<Calls>) {
    static_cast<void>(updates);
    return bound.try_run(data, output);
  } else {
    return bound.try_run(data, updates, output);
  }
}

// Binds a call, has binding others fail, and runs it after each failure.
template <class Calls>
class failing_binds {
 public:
  failing_binds(std::size_t row, const call_size& size, index_order order)
      : first_(make_listed_call(row, size, order)),
        call_{first_.prepared()},
        memory_(call_.bound_bytes()),
        bound_{call_.bind(addresses_of<Calls>(first_.of), memory_)},
        before_{memory_},
        other_{make_listed_call(row, size,
                                order == index_order::scattered ? index_order::ascending : index_order::scattered)} {}

  void check() {
    require_result();
    check_bad_values();
    fails(errc::too_little_memory, addresses_of<Calls>(other_), std::span(memory_).first(memory_.size() - 1));
    check_null();
    check_overlap();
  }

 private:
  using call_type = decltype(std::declval<const used_call<Calls>&>().prepared());
  using bound_type = decltype(std::declval<const call_type&>().bind({}, {}));

  void require_result() const {
    first_.require_result([&](const float* data, const float* updates, float* output) {
      return run_bound<Calls>(bound_, data, updates, output);
    });
  }
  template <class Addresses>
  void fails(errc code, const Addresses& at, std::span<std::byte> memory) {
    const status error = call_.try_bind(at, memory, bound_);
    INFO(error.message());
    REQUIRE(error.code() == code);
    const bool is_as_it_was = memory_ == before_;
    REQUIRE(is_as_it_was);
    require_result();
  }

  // One bad index among many that are others than those in use.
  void check_bad_values() {
    constexpr std::int64_t far = std::int64_t{1} << 40;
    for (std::vector<std::int64_t>& tensor : other_.indices) {
      const std::pair<std::size_t, std::int64_t> bad[] = {
          {0, far}, {tensor.size() / 2, -far}, {tensor.size() - 1, far}};
      for (const auto& [at, value] : bad) {
        const std::int64_t good = std::exchange(tensor[at], value);
        fails(errc::index_out_of_bounds, addresses_of<Calls>(other_), memory_);
        tensor[at] = good;
      }
    }
    if constexpr (Calls::drawn_as == operation::masked_scatter) {
      for (std::size_t i = 0; i < other_.data_size(); ++i) other_.mask[i] = true;
      fails(errc::too_few_elements, addresses_of<Calls>(other_), memory_);
    }
  }
  void check_null() {
    if constexpr (Calls::drawn_as == operation::index_put) {
      auto at = addresses_of<Calls>(other_);
      fails(errc::rank_mismatch, std::span(at).first(1), memory_);
      at[1] = nullptr;
      fails(errc::null_data, at, memory_);
    } else {
      fails(errc::null_data, nullptr, memory_);
    }
  }
  void check_overlap() {
    if constexpr (Calls::drawn_as == operation::index_put) {
      auto at = addresses_of<Calls>(other_);
      std::vector<std::int64_t> shared(memory_.size() / 8 + other_.indices[1].size() + 1);
      at[1] = shared.data() + 1;
      fails(errc::overlap, at, std::as_writable_bytes(std::span(shared)));
    } else {
      using index = std::remove_pointer_t<decltype(addresses_of<Calls>(other_))>;
      const std::size_t count = is_listed_mask<Calls> ? other_.data_size() : other_.indices.back().size();
      std::vector<std::int64_t> shared(memory_.size() / 8 + count + 1);
      fails(errc::overlap, reinterpret_cast<const index*>(shared.data()), std::as_writable_bytes(std::span(shared)));
    }
  }

  used_call<Calls> first_;
  call_type call_;
  std::vector<std::byte> memory_;
  bound_type bound_;
  std::vector<std::byte> before_;
  listed_call other_;
};

template <class Calls>
void check_prepared(std::size_t row, const call_size& size) {
  const used_call<Calls> first{make_listed_call(row, size)};
  auto call = first.prepared();
  const auto run = [&](const float* data, const float* updates, float* output) {
    if constexpr (is_listed_unindexed<Calls>) {
      return call.try_run(data, updates, output);
    } else {
      return with_listed_addresses<Calls>(first.of, [&](const auto& indices) {
        if constexpr (is_listed_fill<Calls>) {
          return call.try_run(data, indices, output);
        } else {
          return call.try_run(data, indices, updates, output);
        }
      });
    }
  };
  first.require_result(run);
  // Other data with an output of other extents.
  const auto fails = [&](const scatter_case& on, const auto& layouts) {
    const status error = Calls::rest(on, 7.0F, listed_reduction<Calls>(reduction::sum),
                                     [&](const auto&... rest) { return call.try_make(layouts, call, rest...); });
    REQUIRE(!error.ok());
    first.require_result(run);
  };
  strided_layout other;
  REQUIRE(strided_layout::try_make({size.rows + 1, size.columns}, sizeof(float), other).ok());
  auto layouts = call.layouts();
  if constexpr (Calls::drawn_as == operation::index_put) {
    layouts = layouts_with_tensors(layouts.data(), layouts.indices(), layouts.updates(), other);
  } else {
    layouts.output = other;
  }
  fails(first.of.on, layouts);
  scatter_case far{};
  far.axis = 9;
  far.slice = {.start = 0, .stop = 1, .step = 0};
  if constexpr (std::is_base_of_v<matrix::axis_last, Calls> || Calls::drawn_as == operation::slice_scatter) {
    fails(far, call.layouts());
  }
}

// How calls are bound: as measured, which for small ones is by a copy of their indices; or by entries, sorted in no
// pass, in one for each 11 bits of the number of a target, and as rows that are written once.
struct schedule_limits {
  const char* name;
  bool is_small;
  std::int64_t block;  // bytes of targets that are not sorted
  std::int64_t row;    // longer rows are written once
};

void set_limits(const schedule_limits& chosen) {
  tuning::set_by_tests = {};
  if (chosen.is_small) return;
  tuning::set_by_tests.small_output = tuning::set_by_tests.small_updates = 0;
  tuning::set_by_tests.few_indices = 0;
  tuning::set_by_tests.moved_block = chosen.block;
  tuning::set_by_tests.longest_moved_unit = chosen.row;
}

TEST_CASE("a bound call that a failed bind was to replace still runs, by memory that is as it was") {
  const schedule_limits limits[] = {
      {"as measured", true, 0, 0}, {"one block", false, 1 << 20, 64}, {"blocks", false, 1, 64}, {"rows", false, 1, 0}};
  // Targets that are sorted in one pass, and in two; sums of rows that are longer than a cache line.
  const call_size sizes[] = {{40, 4, 20}, {2100, 4, 50}, {30, 20, 10}};
  const limits_for_test restores;
  for (const schedule_limits& chosen : limits) {
    set_limits(chosen);
    for (const call_size& size : sizes) {
      for (const index_order order : {index_order::scattered, index_order::ascending}) {
        CAPTURE(chosen.name, size.rows, size.columns, order == index_order::ascending);
        for_each_listed([&]<class Calls>(std::size_t row) {
          if constexpr (!is_listed_unindexed<Calls>) {
            INFO(matrix::operators[row].name);
            failing_binds<Calls>(row, size, order).check();
          }
        });
      }
    }
  }
}

TEST_CASE("a prepared call that a failed preparation was to replace still runs") {
  for_each_listed([]<class Calls>(std::size_t row) {
    INFO(matrix::operators[row].name);
    check_prepared<Calls>(row, {40, 8, 20});
  });
}

// A sum of which copies throw once `left` have been made; moves do not.
struct sum_that_is_copied {
  int* left = nullptr;

  sum_that_is_copied() = default;
  explicit sum_that_is_copied(int& counted) noexcept : left{&counted} {}
  sum_that_is_copied(const sum_that_is_copied& other) : left{other.copied()} {}
  sum_that_is_copied(sum_that_is_copied&&) noexcept = default;
  sum_that_is_copied& operator=(const sum_that_is_copied& other) {
    left = other.copied();
    return *this;
  }
  sum_that_is_copied& operator=(sum_that_is_copied&&) noexcept = default;
  ~sum_that_is_copied() = default;

  float operator()(float a, float b) const noexcept { return a + b; }

 private:
  [[nodiscard]] int* copied() const {
    if (left != nullptr && (*left)-- == 0) throw std::runtime_error("a copy");
    return left;
  }
};

TEST_CASE("calls still run after a second one threw where it copies its callable") {
  const limits_for_test restores;
  set_limits({"blocks", false, 1, 64});
  int left = 1000;
  const std::int64_t rows = 40;
  const used_call<matrix::v12_scatter_elements_update_calls> first{make_listed_call(9, {rows, 4, 20})};
  const listed_call other = make_listed_call(9, {rows, 4, 20}, index_order::ascending);
  strided_layout whole;
  strided_layout updates;
  strided_layout indices;
  REQUIRE(strided_layout::try_make(first.of.data_extents, sizeof(float), whole).ok());
  REQUIRE(strided_layout::try_make(first.of.updates_extents, sizeof(float), updates).ok());
  REQUIRE(strided_layout::try_make(first.of.updates_extents, sizeof(std::int64_t), indices).ok());
  const sum_that_is_copied sum(left);
  auto call = prepare<float, std::int64_t>(v12::scatter_elements_update, {whole, indices, updates, whole}, 0, sum);
  std::vector<std::byte> memory(call.bound_bytes());
  auto bound = call.bind(first.of.indices[0].data(), memory);
  const std::vector<std::byte> before = memory;
  // Runs use the callable where it is and copy nothing.
  const auto still_runs = [&] {
    left = 1000;
    first.require_result([&](const float* data, const float* with, float* output) {
      return call.try_run(data, first.of.indices[0].data(), with, output);
    });
    const bool is_as_it_was = memory == before;
    REQUIRE(is_as_it_was);
    first.require_result(
        [&](const float* data, const float* with, float* output) { return bound.try_run(data, with, output); });
  };
  const auto throws_in_each_copy = [&](const auto& step) {
    int copies = 0;
    for (bool has_thrown = true; has_thrown; ++copies) {
      left = copies;
      has_thrown = false;
      try {
        step();
      } catch (const std::runtime_error&) {
        has_thrown = true;
        still_runs();
      }
    }
    REQUIRE(copies > 1);
  };
  still_runs();
  strided_layout shorter;
  REQUIRE(strided_layout::try_make({rows - 1, 4}, sizeof(float), shorter).ok());
  throws_in_each_copy([&] {
    static_cast<void>(try_prepare<float, std::int64_t>(v12::scatter_elements_update,
                                                       {shorter, indices, updates, shorter}, 0, sum, call));
  });
  left = 1000;
  call = prepare<float, std::int64_t>(v12::scatter_elements_update, {whole, indices, updates, whole}, 0, sum);
  throws_in_each_copy([&] { static_cast<void>(call.try_bind(other.indices[0].data(), memory, bound)); });
}

// ---- Results of functions that return a status

// What a view or a layout is, to be compared.
template <class Object>
auto described(const Object& of) {
  const auto entries = [](const index_list& list) { return std::vector<std::int64_t>(list.begin(), list.end()); };
  if constexpr (std::is_same_v<Object, index_list>) {
    return entries(of);
  } else if constexpr (requires { of.data(); }) {
    return std::tuple{static_cast<const void*>(of.data()), entries(of.extents()), entries(of.strides()), of.size()};
  } else {
    return std::tuple{entries(of.extents()), entries(of.strides()), of.size(), of.lowest_offset(), of.highest_offset()};
  }
}
template <class Object, class Step>
void stays(Object& result, const Step& step) {
  const auto before = described(result);
  REQUIRE(!step(result).ok());
  REQUIRE(described(result) == before);
}

constexpr std::int64_t huge = std::int64_t{1} << 40;

TEST_CASE("layouts and views that could not be made anew are as they were") {
  strided_layout layout;
  REQUIRE(strided_layout::try_make({2, 3}, {-3, 1}, 4, layout).ok());
  for (const index_list& extents : {index_list{-1}, index_list{huge, huge}, index_list{4, -2}}) {
    stays(layout, [&](auto& to) { return strided_layout::try_make(extents, 4, to); });
    stays(layout, [&](auto& to) { return strided_layout::try_make(extents, {1, 1}, 4, to); });
  }
  stays(layout, [](auto& to) { return strided_layout::try_make(to.strides(), 4, to); });
  stays(layout, [](auto& to) { return strided_layout::try_make(to.strides(), to.extents(), 4, to); });
  stays(layout, [](auto& to) { return strided_layout::try_make(to.extents(), {1}, 4, to); });

  std::vector<float> memory(6);
  tensor_view<float> view(memory.data(), {2, 3});
  float* const none = nullptr;
  stays(view, [&](auto& to) { return tensor_view<float>::try_make(none, {1}, to); });
  stays(view, [&](auto& to) { return tensor_view<float>::try_make(memory.data(), {-1}, to); });
  stays(view, [&](auto& to) { return tensor_view<float>::try_make(none, {3}, {1}, to); });
  stays(view, [&](auto& to) { return tensor_view<float>::try_make(memory.data(), {3}, {1, 1}, to); });
  stays(view, [&](auto& to) { return tensor_view<float>::try_bind(none, layout, to); });
  stays(view, [](auto& to) { return try_permute(to, {0, 0}, to); });
  stays(view, [](auto& to) { return try_permute(to, {1, 2}, to); });
  stays(view, [](auto& to) { return try_slice(to, 2, 0, 1, 1, to); });
  stays(view, [](auto& to) { return try_slice(to, 0, 0, 1, 0, to); });
  stays(view, [](auto& to) { return try_slice(to, {.start = {1, 1}, .step = {1, 0}}, to); });
  stays(view, [](auto& to) { return try_slice(to, {.start = {1, 1}, .axes = {1, 1}}, to); });
  stays(view, [](auto& to) { return try_reverse(to, 2, to); });
  stays(view, [](auto& to) { return try_broadcast(to, {5, 2, 4}, to); });
  stays(view, [](auto& to) { return try_broadcast(to, {huge, huge, 2, 3}, to); });

  constexpr dynamic::element_type four{dynamic::element_kind::floating_point, 4};
  constexpr dynamic::element_type nothing{dynamic::element_kind::floating_point, 0};
  dynamic::tensor tensor(memory.data(), four, {2, 3});
  stays(tensor, [&](auto& to) { return dynamic::tensor::try_make(memory.data(), nothing, {1}, to); });
  stays(tensor, [&](auto& to) { return dynamic::tensor::try_make(nullptr, four, {1}, to); });
  stays(tensor, [&](auto& to) { return dynamic::tensor::try_make(memory.data(), four, {2}, {1, 1}, to); });
  stays(tensor, [&](auto& to) { return dynamic::tensor::try_make_from_byte_strides(none, four, {2, 2}, {8, 3}, to); });
  REQUIRE(tensor.type().size == 4);
  dynamic::index_tensor indices(memory.data(), index_type::int32, {2, 3});
  stays(indices, [&](auto& to) { return dynamic::index_tensor::try_make(nullptr, index_type::int64, {1}, to); });
  stays(indices, [&](auto& to) {
    return dynamic::index_tensor::try_make_from_byte_strides(memory.data(), index_type::int64, {2}, {3}, to);
  });
  REQUIRE(indices.type() == index_type::int32);
}

TEST_CASE("extents of updates and reductions that could not be found are as they were") {
  index_list extents{7, 8};
  stays(extents, [](auto& to) { return try_updates_extents(slice_scatter, to, {.step = 0}, to); });
  stays(extents, [](auto& to) { return try_updates_extents(select_scatter, to, 2, to); });
  stays(extents, [](auto& to) { return try_updates_extents(diagonal_scatter, to, 0, 0, 0, to); });
  stays(extents, [](auto& to) { return try_updates_extents(scatter_update, to, {3}, 2, to); });
  stays(extents, [](auto& to) { return try_updates_extents(index_add, to, 2, {3}, to); });
  stays(extents, [](auto& to) { return try_updates_extents(scatter_elements_update, to, {3}, 0, to); });
  stays(extents, [](auto& to) { return try_updates_extents(scatter_add, to, 0, {9, 9, 9}, to); });
  stays(extents, [](auto& to) { return try_updates_extents(onnx::scatter, to, {-1, 2}, 0, to); });
  stays(extents, [](auto& to) { return try_updates_extents(v3::scatter_nd_update, to, {4, 3}, to); });
  stays(extents, [](auto& to) { return try_updates_extents(index_put, to, {4}, 3, to); });
  stays(extents, [](auto& to) { return try_updates_extents(put, index_list{}, {4}, to); });
  stays(extents, [](auto& to) { return try_updates_extents(put, to, {-4}, to); });
  reduction_kind kind = reduction_kind::max;
  REQUIRE(!reduction::parse("average", kind));
  REQUIRE(kind == reduction_kind::max);
}

}  // namespace
}  // namespace strew::test
