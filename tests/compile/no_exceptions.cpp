// SPDX-License-Identifier: Apache-2.0
// strew where exceptions and run-time type information are switched off: views and all four operators through their
// try_ forms, with results and messages. Without Catch2, which needs exceptions.
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this program is meant for -fno-exceptions -fno-rtti"
#endif

namespace {

using strew::errc;
using strew::status;
using strew::tensor_view;

int failures = 0;

void check(bool passed, const char* what, int line) {
  if (passed) return;
  ++failures;
  std::printf("no_exceptions.cpp:%d: %s\n", line, what);
}

#define CHECK(condition) check(static_cast<bool>(condition), #condition, __LINE__)

// The call failed with this code, and its message begins so.
bool refused(const status& outcome, errc code, std::string_view message) {
  const bool expected = outcome.code() == code && outcome.message().view().starts_with(message);
  if (!expected) std::printf("got: %s\n", outcome.message().c_str());
  return expected;
}

template <class T, std::size_t N>
tensor_view<T> view_of(std::array<T, N>& elements, const strew::index_list& extents) {
  tensor_view<T> view;
  CHECK(tensor_view<T>::try_make(elements.data(), extents, view));
  return view;
}

void test_views() {
  std::array<int, 6> elements{0, 1, 2, 3, 4, 5};
  const tensor_view<int> matrix = view_of(elements, {2, 3});
  tensor_view<int> view;

  CHECK(refused(tensor_view<int>::try_make(elements.data(), {2, -3}, view), errc::negative_extent, "tensor_view: "));
  CHECK(refused(tensor_view<int>::try_make(nullptr, {2, 3}, view), errc::null_data, "tensor_view: data"));
  CHECK(refused(tensor_view<int>::try_make(elements.data(), {2, 3}, {1}, view), errc::rank_mismatch, "tensor_view: "));
  CHECK(refused(tensor_view<int>::try_make(elements.data(), {strew::int64_max, 2}, view), errc::size_overflow,
                "tensor_view: "));
  CHECK(view.empty());

  CHECK(tensor_view<int>::try_make(elements.data(), {3, 2}, {1, 3}, view) && view(2, 1) == 5);
  CHECK(strew::transpose(matrix)(2, 0) == 2);
  CHECK(strew::try_permute(matrix, {1, 0}, view) && view(2, 1) == 5);
  CHECK(refused(strew::try_permute(matrix, {1, 1}, view), errc::repeated_axis, "permute: axes"));
  CHECK(strew::try_slice(matrix, 1, 2, -4, -2, view) && view.extent(1) == 2 && view(1, 1) == 3);
  CHECK(refused(strew::try_slice(matrix, 2, 0, 1, 1, view), errc::axis_out_of_range, "slice: axis"));
  CHECK(strew::try_reverse(matrix, -1, view) && view(0, 0) == 2);
  CHECK(strew::try_broadcast(matrix, {4, 2, 3}, view) && view.size() == 24 && view(3, 1, 0) == 3);
  CHECK(refused(strew::try_broadcast(matrix, {2, 4}, view), errc::extent_mismatch, "broadcast: extents"));
}

void test_memory_from_the_heap() {
  std::array<float, 5> elements{1, 2, 3, 4, 5};
  std::array<int, 2> places{3, 0};
  std::array<float, 2> terms{30, 10};
  strew::heap_workspace memory;
  const tensor_view<float> data = view_of(elements, {5});
  CHECK(strew::try_scatter_update(memory, data, view_of(places, {2}), view_of(terms, {2}), 0).ok());
  CHECK(elements[0] == 10 && elements[3] == 30);
  CHECK(memory.bytes() == 0);
}

void test_rules() {
  CHECK(strew::normalize_axis(-1, 3) == 2);
  CHECK(strew::normalize_index(-1, 5, strew::index_rule::strict) == strew::out_of_bounds);
  CHECK(strew::normalize_index(-1, 5, strew::index_rule::wrapping) == 4);
  strew::slice_range range;
  CHECK(strew::try_resolve_slice(9, 0, -3, 10, range) && range.first == 9 && range.count == 3);
  CHECK(refused(strew::try_resolve_slice(0, 1, 0, 10, range), errc::zero_step, "resolve_slice: step"));
  strew::index_list extents;
  CHECK(
      strew::try_updates_extents(strew::slice_scatter, {2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0}, extents));
  CHECK((extents == strew::index_list{1, 5}));
  CHECK(strew::try_updates_extents(strew::scatter_update, {3, 5}, {2}, 1, extents));
  CHECK((extents == strew::index_list{3, 2}));
}

void test_slice_scatter() {
  std::array<int, 10> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::array<int, 6> updates{10, 20, 30, 40, 50, 60};
  std::array<int, 10> output{};
  const auto in = view_of(data, {2, 5});
  const auto up = view_of(updates, {2, 3});
  const auto out = view_of(output, {2, 5});
  const std::array<int, 10> expected{10, 1, 20, 3, 30, 40, 6, 50, 8, 60};

  CHECK(strew::try_slice_scatter(in, up, {.start = -25, .stop = 25, .step = 2, .axes = 1}, out) && output == expected);
  CHECK(refused(strew::try_slice_scatter(in, up, {.start = 0, .stop = 5, .step = 0, .axes = 1}), errc::zero_step,
                "slice_scatter: step"));
  CHECK(refused(strew::try_slice_scatter(in, up, {.start = 0, .stop = 5, .step = 1, .axes = 1}), errc::extent_mismatch,
                "slice_scatter: updates"));
  CHECK(data[9] == 9);
  CHECK(strew::try_slice_scatter(in, up, {.start = -25, .stop = 25, .step = 2, .axes = 1}) && data == expected);
}

void test_scatter_update() {
  std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  std::array<std::uint8_t, 3> indices{2, 0, 2};
  std::array<int, 6> updates{10, 20, 30, 40, 50, 60};
  std::array<int, 6> output{};
  const auto in = view_of(data, {3, 2});
  const auto rows = view_of(indices, {3});
  const auto up = view_of(updates, {3, 2});
  const std::array<int, 6> expected{30, 40, 2, 3, 50, 60};  // of two updates for row 2 the last one wins

  CHECK(strew::try_scatter_update(in, rows, up, 0, view_of(output, {3, 2})) && output == expected);
  indices[2] = 200;
  CHECK(refused(strew::try_scatter_update(in, rows, up, 0), errc::index_out_of_bounds,
                "scatter_update: indices[2] = 200 is outside [0, 2] (axis 0 has extent 3)"));
  CHECK(data[0] == 0 && data[5] == 5);
  CHECK(refused(strew::try_scatter_update(in, rows, in, 0), errc::overlap, "scatter_update: output"));
  indices[2] = 2;
  CHECK(strew::try_scatter_update(in, rows, up, -2) && data == expected);
}

void test_scatter_elements_update() {
  std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  std::array<std::int64_t, 4> indices{2, 0, 1, 1};
  std::array<int, 4> updates{10, 20, 30, 40};
  std::array<int, 6> output{};
  const auto in = view_of(data, {2, 3});
  const auto columns = view_of(indices, {2, 2});
  const auto up = view_of(updates, {2, 2});
  const std::array<int, 6> expected{20, 1, 10, 3, 40, 5};

  CHECK(strew::try_scatter_elements_update(in, columns, up, 1, view_of(output, {2, 3})) && output == expected);
  indices[3] = -1;
  CHECK(refused(strew::try_scatter_elements_update(in, columns, up, 1), errc::index_out_of_bounds,
                "scatter_elements_update: indices[1, 1] = -1 is outside [0, 2] (axis 1 has extent 3)"));
  CHECK(data[0] == 0 && data[2] == 2);
  indices[3] = 1;
  CHECK(refused(strew::try_scatter_elements_update(in, columns, up, 2), errc::axis_out_of_range,
                "scatter_elements_update: axis"));
  CHECK(strew::try_scatter_elements_update(in, columns, up, -1) && data == expected);
}

void test_onnx_scatter() {
  std::array<int, 4> data{0, 1, 2, 3};
  std::array<std::int8_t, 4> indices{-1, 0, -2, 1};
  std::array<int, 4> updates{10, 20, 30, 40};
  std::array<int, 4> output{};
  const auto in = view_of(data, {2, 2});
  const auto rows = view_of(indices, {2, 2});
  const auto up = view_of(updates, {2, 2});
  const std::array<int, 4> expected{30, 20, 10, 40};

  CHECK(strew::onnx::try_scatter(in, rows, up, view_of(output, {2, 2})) && output == expected);
  indices[1] = -3;
  CHECK(refused(strew::onnx::try_scatter(in, rows, up), errc::index_out_of_bounds,
                "onnx::scatter: indices[0, 1] = -3 is outside [-2, 1] (axis 0 has extent 2)"));
  CHECK(data[2] == 2);
  indices[1] = 0;
  CHECK(strew::onnx::try_scatter(in, rows, up, 0) && data == expected);
}

}  // namespace

int main() {
  test_views();
  test_memory_from_the_heap();
  test_rules();
  test_slice_scatter();
  test_scatter_update();
  test_scatter_elements_update();
  test_onnx_scatter();
  std::printf("%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
