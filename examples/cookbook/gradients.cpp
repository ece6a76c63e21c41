// SPDX-License-Identifier: Apache-2.0
// Gradients of scatters: an element of the output passes its gradient to the update that it holds, or to data. Which
// update that is, the forward call stores by with_positions.
#include "../help.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/scatter.hpp>
#include <strew/operators/scatter_reduce.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/with_positions.hpp>
#include <strew/view/tensor_view.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

namespace red = strew::reduction;

constexpr std::size_t rows = 5;     // of data
constexpr std::size_t columns = 3;  // of all tensors
constexpr std::size_t many = 9;     // updates

using table = std::vector<double>;

table random_table(std::mt19937& random, std::size_t length) {
  table result(length * columns);
  for (double& each : result) each = static_cast<double>(random() % 1000) / 100;
  return result;
}

// A loss: the elements of an output, each times its gradient.
double loss_of(const table& output, const table& upstream) {
  double sum = 0;
  for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * upstream[i];
  return sum;
}

// Whether a gradient is that of a loss by central differences.
template <class Loss>
bool agrees(table& at, const table& gradient, const Loss& loss) {
  constexpr double step = 1e-5;
  bool is_right = true;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double value = at[i];
    at[i] = value + step;
    const double above = loss();
    at[i] = value - step;
    const double below = loss();
    at[i] = value;
    is_right = is_right && std::abs((above - below) / (2 * step) - gradient[i]) < 1e-6;
  }
  return is_right;
}

struct problem {
  table data;
  table updates;
  table upstream;                        // the gradient of the output
  std::vector<std::int64_t> row_of;      // [many], of scatter_update
  std::vector<std::int64_t> element_of;  // [many, columns], of scatter_reduce

  [[nodiscard]] static strew::tensor_view<double> view(table& of) {
    return {of.data(), {of.size() / columns, columns}};
  }
  [[nodiscard]] static strew::tensor_view<const double> view(const table& of) {
    return {of.data(), {of.size() / columns, columns}};
  }
};

struct gradients {
  table data;
  table updates = table(many * columns);
};

// From the gradient of the output to those of data and of the updates: -1, data's own elements, is dropped.
gradients backward(const problem& p, const std::vector<std::int64_t>& numbers) {
  gradients result{p.upstream};
  const strew::tensor_view won{numbers.data(), {rows, columns}};
  strew::scatter(p.view(result.updates), 0, strew::drop(won), p.view(p.upstream));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= 0) result.data[i] = 0;
  }
  return result;
}

table replace_rows(const problem& p, std::vector<std::int64_t>& numbers) {
  table output(p.data.size());
  const strew::tensor_view won{numbers.data(), {rows, columns}};
  strew::scatter_update(p.view(p.data), p.row_of, p.view(p.updates), 0, red::with_positions(red::none, won),
                        p.view(output));
  return output;
}
table largest_elements(const problem& p, std::vector<std::int64_t>& numbers) {
  table output(p.data.size());
  const strew::tensor_view indices{p.element_of.data(), {many, columns}};
  const strew::tensor_view won{numbers.data(), {rows, columns}};
  strew::scatter_reduce(p.view(p.data), 0, indices, p.view(p.updates), red::with_positions(red::max, won),
                        p.view(output));
  return output;
}

template <class Forward>
bool check(const char* name, problem& p, const Forward& forward) {
  std::vector<std::int64_t> numbers(rows * columns);
  static_cast<void>(forward(p, numbers));
  std::printf("%s: which update won\n", name);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::printf("%4lld%s", static_cast<long long>(numbers[i]), (i + 1) % columns == 0 ? "\n" : "");
  }
  const gradients found = backward(p, numbers);
  const auto loss = [&] { return loss_of(forward(p, numbers), p.upstream); };
  return agrees(p.data, found.data, loss) && agrees(p.updates, found.updates, loss);
}

// masked_fill has two gradients: that of data, which is filled with 0, and that of the value, a sum.
bool check_masked_fill(problem& p) {
  std::vector<std::uint8_t> mask;
  for (std::size_t i = 0; i < rows * columns; ++i) mask.push_back(i % 3 == 1 || i % 4 == 0 ? 1 : 0);
  table value{2.5};
  const auto loss = [&] {
    table output(p.data.size());
    strew::masked_fill(p.data, mask, value[0], output);
    return loss_of(output, p.upstream);
  };
  table of_data(p.data.size());
  strew::masked_fill(p.upstream, mask, 0.0, of_data);
  table by_mask(2);  // the sums of what was not filled, and of what was
  strew::index_add(by_mask, 0, mask, p.upstream);
  return agrees(p.data, of_data, loss) && agrees(value, {by_mask[1]}, loss);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Gradients of scatter_update, of scatter_reduce with max and of masked_fill, compared with differences of the\n"
      "results: the forward calls store which update won (with_positions)."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  std::mt19937 random;
  problem p{random_table(random, rows), random_table(random, many), random_table(random, rows), {}, {}};
  for (std::size_t i = 0; i < many; ++i) p.row_of.push_back(static_cast<std::int64_t>(random() % (rows - 1)));
  for (std::size_t i = 0; i < many * columns; ++i) p.element_of.push_back(static_cast<std::int64_t>(random() % rows));

  bool is_right = check("scatter_update", p, replace_rows);
  is_right = check("scatter_reduce, max", p, largest_elements) && is_right;
  is_right = check_masked_fill(p) && is_right;
  std::printf("the gradients %s differences of the losses\n", is_right ? "agree with" : "DO NOT AGREE WITH");
  return is_right ? 0 : 1;
}
