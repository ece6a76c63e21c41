// SPDX-License-Identifier: Apache-2.0
// Calls that reduce into a private copy of the output while they check the indices: an illegal index is found there,
// whatever its type, and nothing has been written then.
#include "kernels/forced_kernels.hpp"
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;

// Nothing but private copies, from one index on.
class only_private_copies {
 public:
  only_private_copies() {
    force_no_kernel();
    tuning::set_by_tests.private_copy_indices = 0;
  }

 private:
  limits_for_test limits_;
};

constexpr std::int64_t rows = 6;
constexpr std::int64_t columns = 5;
constexpr std::int64_t count = 40;

std::string text_of(const status& outcome) {
  return std::string(outcome.message().view());
}

// Makes the call with an index replaced: the first one, one in the middle, the last one; the output of 30 elements must
// stay as it was, and the error name the value.
template <class Index, class Call>
void require_refused(std::vector<Index>& indices, Index illegal, const Call& call) {
  for (const std::size_t at : {std::size_t{0}, indices.size() / 2, indices.size() - 1}) {
    const Index before = indices[at];
    indices[at] = illegal;
    std::vector<double> output(rows * columns);
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<double>(i);
    const std::vector<double> untouched = output;
    const status outcome = call(output);
    INFO(text_of(outcome) << ", position " << at);
    CHECK(outcome.code() == errc::index_out_of_bounds);
    CHECK(text_of(outcome).find(std::to_string(illegal)) != std::string::npos);
    CHECK(output == untouched);
    indices[at] = before;
  }
}

template <class Index>
std::vector<Index> legal_indices(std::int64_t extent) {
  std::vector<Index> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(static_cast<Index>(i * 7 % extent));
  return result;
}

TEST_CASE("a multi-index of an operator without negative indices is refused if a component is negative") {
  const only_private_copies limits;
  const std::vector<double> updates(count, 1.0);
  std::vector<std::int64_t> pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    pairs.push_back(i % rows);
    pairs.push_back(i % columns);
  }
  for (const std::int64_t illegal : {std::int64_t{-1}, std::int64_t{-5}, std::int64_t{6}}) {
    for (int component = 0; component < 2; ++component) {
      for (const std::int64_t place : {std::int64_t{0}, count / 2, count - 1}) {
        std::vector<std::int64_t> indices = pairs;
        indices[static_cast<std::size_t>(2 * place + component)] = illegal;
        std::vector<double> output(rows * columns, 2.0);
        const status outcome = v3::try_scatter_nd_update(tensor_view<const double>(output.data(), {rows, columns}),
                                                         tensor_view<const std::int64_t>(indices.data(), {count, 2}),
                                                         tensor_view<const double>(updates.data(), {count}),
                                                         tensor_view<double>(output.data(), {rows, columns}));
        INFO(text_of(outcome));
        CHECK(outcome.code() == errc::index_out_of_bounds);
        CHECK(output == std::vector<double>(rows * columns, 2.0));
      }
    }
  }
}

TEST_CASE("an unsigned index beyond all signed ones does not wrap") {
  const only_private_copies limits;
  const std::vector<double> updates(count, 1.0);
  std::vector<std::uint64_t> indices = legal_indices<std::uint64_t>(rows * columns);
  constexpr std::uint64_t largest = (std::numeric_limits<std::uint64_t>::max)();
  for (const std::uint64_t illegal : {largest, largest - 3, largest / 2 + 1, std::uint64_t{30}}) {
    const auto call = [&](std::vector<double>& output) {
      return v12::try_scatter_elements_update(tensor_view<const double>(output.data(), {rows * columns}),
                                              tensor_view<const std::uint64_t>(indices.data(), {count}),
                                              tensor_view<const double>(updates.data(), {count}), 0, red::sum,
                                              tensor_view<double>(output.data(), {rows * columns}));
    };
    require_refused(indices, illegal, call);
    const auto assign = [&](std::vector<double>& output) {
      return v12::try_scatter_elements_update(tensor_view<const double>(output.data(), {rows * columns}),
                                              tensor_view<const std::uint64_t>(indices.data(), {count}),
                                              tensor_view<const double>(updates.data(), {count}), 0,
                                              tensor_view<double>(output.data(), {rows * columns}));
    };
    require_refused(indices, illegal, assign);
  }
}

}  // namespace
}  // namespace strew::test
