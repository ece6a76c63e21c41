// SPDX-License-Identifier: Apache-2.0
// The line of a traced call, and strew::explain, as in a user's unit with STREW_TRACE.
#include "support/catch.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/trace.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

// The lines of calls, without their times.
class lines_of_calls {
 public:
  [[nodiscard]] std::string text() const {
    const std::size_t time = text_.rfind(" | ");
    return text_.substr(0, time);
  }
  [[nodiscard]] bool has_time() const { return text_.size() > 3 && text_.substr(text_.size() - 3) == " us"; }

 private:
  std::string text_;
  strew::detail::trace_listener listener_{
      [](void* to, const strew::detail::call_trace&, const char* line) { *static_cast<std::string*>(to) += line; },
      &text_};
  strew::detail::listening_scope scope_{listener_};
};

template <class Call>
std::string line_of(const Call& call) {
  const lines_of_calls lines;
  call();
  CHECK(lines.has_time());
  return lines.text();
}
std::string with_would_run(std::string line) {
  for (std::size_t at = line.find(": ran"); at != std::string::npos; at = line.find(": ran", at)) {
    line.replace(at, 5, ": would run");
  }
  return line;
}

TEST_CASE("the line of a small call names its operator, operands and kernel") {
  std::vector<float> table(12);
  const std::vector<std::int64_t> rows{2, 0};
  const std::vector<float> updates(6);
  const tensor_view data(table.data(), {4, 3});
  const tensor_view values(updates.data(), {2, 3});
  const auto call = [&] { index_add(data, 0, rows, values); };
  const std::string line =
      "strew: index_add, sum | data float32 [4, 3] in place | axis 0 | indices int64 [2] | updates [2, 3] | 1 thread "
      "| small: ran; buckets: does not pay";
  CHECK(line_of(call).substr(0, line.find("; buckets")) == line.substr(0, line.find("; buckets")));
  CHECK(explain(index_add, data, 0, rows, values) == with_would_run(line_of(call)));
  CHECK(explain(try_index_add, data, 0, rows, values) == with_would_run(line_of(call)));
}

TEST_CASE("a call that is explained is not run") {
  std::vector<int> data{1, 2, 3, 4};
  const std::vector<std::int32_t> indices{0, 3};
  CHECK(explain(index_add, data, 0, indices, 10).find("small") != std::string::npos);
  CHECK(data == std::vector<int>{1, 2, 3, 4});
  CHECK(line_of([&] { index_add(data, 0, indices, 10); }).find("updates [2] of one value | 1 thread | small: ran") !=
        std::string::npos);
  CHECK(data == std::vector<int>{11, 2, 3, 14});
}

TEST_CASE("an error is part of the line") {
  std::vector<int> data(4);
  const std::vector<std::int32_t> indices{0, 4};
  const std::string line = explain(index_add, data, 0, indices, 10);
  CHECK(line.find("error: index_add: indices[1] = 4 is outside [0, 3]") != std::string::npos);
  CHECK(explain(scatter_update, data, indices, std::vector<int>(3), 0).find("error: ") != std::string::npos);
  CHECK_THROWS_AS(index_add(data, 0, indices, 10), scatter_error);
}

TEST_CASE("layouts that are not row-major have their strides, policies and reductions their names") {
  std::vector<double> memory(600);
  std::vector<std::uint8_t> indices(20, 1);
  const tensor_view column_major(memory.data(), {30, 20}, {1, 30});
  const std::vector<double> values(30 * 20);
  const tensor_view updates(values.data(), {30, 20});
  const std::string line =
      explain(index_reduce, column_major, 1, clip(indices), updates, reduction::without_init(reduction::mean));
  CHECK(line.rfind("strew: index_reduce, mean without_init | data float64 [30, 20] strides [1, 30] in place | axis 1 | "
                   "indices uint8 [20], clip | updates [30, 20] | 1 thread | ",
                   0) == 0);
  const auto halved = [](double a, double b) noexcept { return (a + b) / 2; };
  const std::vector<std::int64_t> one{1};
  CHECK(explain(index_reduce, column_major, 1, one, tensor_view(values.data(), {30, 1}), halved)
            .rfind("strew: index_reduce, a callable | data float64", 0) == 0);
}

TEST_CASE("each way of addressing has a line") {
  std::vector<std::complex<float>> memory(64);
  const tensor_view data(memory.data(), {8, 8});
  std::vector<std::complex<float>> other(64);
  const tensor_view output(other.data(), {8, 8});
  const std::vector<std::int32_t> y{1, 2};
  const std::vector<std::int32_t> x{3, 4};
  const std::vector<std::complex<float>> two(2);
  const std::string multi = explain(index_put, data, std::tuple{y, x}, two);
  CHECK(multi.rfind("strew: index_put | data complex64 [8, 8] in place | indices int32 [2] of 2 components | updates "
                    "[2] | 1 thread",
                    0) == 0);
  const std::vector<std::complex<float>> half(32);
  const tensor_view columns(half.data(), {8, 4});
  CHECK(explain(slice_scatter, data, columns, slice_spec{.step = 2, .axes = 1}, output)
            .rfind("strew: slice_scatter | data complex64 [8, 8] | updates [8, 4] | output [8, 8] | 1 thread | small: ",
                   0) == 0);
  std::vector<char> mask(64, 1);
  CHECK(explain(masked_fill, data, tensor_view(mask.data(), {8, 8}), std::complex<float>(2))
            .rfind("strew: masked_fill | data complex64 [8, 8] in place | mask [8, 8] | updates ", 0) == 0);
  CHECK(explain(select_scatter, data, tensor_view(half.data(), {8}), 0, 1).rfind("strew: select_scatter | ", 0) == 0);
  CHECK(
      explain(diagonal_scatter, data, tensor_view(half.data(), {8}), 0, 0, 1).rfind("strew: diagonal_scatter | ", 0) ==
      0);
  std::vector<float> cache(2 * 4 * 3);
  const std::vector<float> token(2 * 3);
  const std::vector<std::int64_t> positions{1, 3};
  CHECK(explain(onnx::tensor_scatter, tensor_view(cache.data(), {2, 4, 3}), tensor_view(token.data(), {2, 1, 3}),
                positions, onnx::tensor_scatter_options{.axis = 1})
            .rfind("strew: onnx::tensor_scatter | data float32 [2, 4, 3] in place | ", 0) == 0);
  CHECK(cache == std::vector<float>(24));
}

TEST_CASE("parts on threads are counted, and the workspace that a call would use is named") {
  const std::int64_t rows = 1 << 14;
  std::vector<float> table(static_cast<std::size_t>(rows * 64));
  std::vector<std::int64_t> indices(static_cast<std::size_t>(rows));
  std::iota(indices.rbegin(), indices.rend(), 0);
  const tensor_view data(table.data(), {rows, 64});
  const tensor_view<const std::int64_t> at(indices.data(), {rows});
  std::vector<float> values(table.size());
  const tensor_view updates(values.data(), {rows, 64});
  thread_pool pool(2);
  const std::string line = line_of([&] { index_add(pool, data, 0, at, updates); });
  CHECK(line.find(" | 2 threads | ") != std::string::npos);
  CHECK(line.find("in parts: ran; one update after the other: ran ") != std::string::npos);
  CHECK(line.find(" times") != std::string::npos);
  std::vector<int> bins(1 << 16);
  const std::vector<std::int64_t> samples(1 << 20);
  CHECK(explain(index_add, bins, 0, samples, 1).find(" | 1 thread, workspace of 0 bytes, would use ") !=
        std::string::npos);
  CHECK(explain(index_add, bins, 0, samples, 1).find("private copy: may not; ") != std::string::npos);
  std::vector<std::byte> memory(1 << 20);
  CHECK(explain(index_add, workspace(memory), bins, 0, samples, 1).find("private copy: would run") !=
        std::string::npos);
}

TEST_CASE("elements that cannot be copied as bytes have a line, and are not moved by explain") {
  std::vector<std::string> words{"a", "b", "c"};
  const std::vector<std::string> others{"d"};
  const std::vector<std::int64_t> indices{1};
  const std::string line = explain(scatter_update, words, indices, others, 0);
  CHECK(line.rfind("strew: scatter_update", 0) == 0);
  CHECK(line.find("loops over the type: would run") != std::string::npos);
  CHECK(words == std::vector<std::string>{"a", "b", "c"});
  scatter_update(words, indices, others, 0);
  CHECK(words == std::vector<std::string>{"a", "d", "c"});
}

}  // namespace
}  // namespace strew::test
