// SPDX-License-Identifier: Apache-2.0
// Random distributed calls whose indices are bound, beside the serial calls on the gathered tensors: runs with other
// elements each time, in one step and in two. Arguments: the first seed, the number of cases.
#include "mpi/distributed_cases.hpp"
#include "mpi/intercepted.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

class plan_case {
 public:
  plan_case(random_source& random, const world& ranks) : random_{random}, ranks_{ranks} {}

  void run() {
    data_ = tensor<float>({1 + random_.below(30), 1 + random_.below(4)});
    divided_ = random_.one_in(4) ? 1 : 0;
    over_ = draw_division(random_, data_.extents[divided_], ranks_);
    const std::int64_t rows = data_.extents[0];
    const std::int64_t columns = data_.extents[1];
    const std::int64_t count = random_.one_in(10) ? 0 : 1 + random_.below(60);
    const division whole{0, distribution::replicated(count)};
    division own{0, draw_division(random_, count, ranks_)};
    switch (random_.below(5)) {
      case 0:
      case 1: {
        const bool is_local = divided_ == 1;
        const division updates = is_local ? division{1, over_} : own;
        const tensor<std::int64_t> indices = draw_indices({count}, rows);
        if (random_.one_in(2)) {
          return compare("index_add", indices, is_local ? whole : own, {count, columns}, updates,
                         [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                           return use(mpi::index_add, data, 0, at, with, to);
                         });
        }
        return compare("index_reduce mean", indices, is_local ? whole : own, {count, columns}, updates,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                         return use(mpi::index_reduce, data, 0, at, with, red::mean, to);
                       });
      }
      case 2: {
        const index_list extents{count, columns};
        const int along = static_cast<int>(random_.below(2));
        own = {along, draw_division(random_, extents[along], ranks_)};
        return compare("onnx::scatter_elements", draw_indices(extents, rows), own, extents, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                         return use(mpi::onnx::scatter_elements, data, at, with, 0, red::prod, to);
                       });
      }
      case 3: {
        tensor<std::int64_t> pairs = draw_indices({count, 2}, rows < columns ? rows : columns);
        if (random_.one_in(5)) own = whole;
        return compare("onnx::scatter_nd", pairs, own, {count}, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                         return use(mpi::onnx::scatter_nd, data, at, with, red::none, to);
                       });
      }
      default:
        if (random_.one_in(5)) own = whole;
        return compare("put", draw_indices({count}, rows * columns), own, {count}, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                         return use(mpi::put, data, at, with, red::sum, to);
                       });
    }
  }

 private:
  tensor<std::int64_t> draw_indices(const index_list& extents, std::int64_t below) {
    tensor<std::int64_t> indices(extents);
    for (std::int64_t& index : indices.values) index = random_.below(below);
    return indices;
  }

  template <class Op>
  void compare(const char* name, const tensor<std::int64_t>& indices, const division& indices_over,
               const index_list& extents, const division& updates_over, const Op& op) {
    part<std::int64_t> own_indices(random_, indices, indices_over, ranks_);
    auto at = own_indices.view();
    tensor<float> updates(extents);
    tensor<float> written(data_.extents);
    part<float> data(random_, data_, {divided_, over_}, ranks_);
    part<float> with(random_, updates, updates_over, ranks_);
    part<float> to(random_, written, {divided_, over_}, ranks_);
    auto data_view = data.view();
    auto with_view = with.view();
    auto to_view = to.view();
    auto plan = op([&](const auto& object,
                       const auto&... arguments) { return mpi::prepare<float, std::int64_t>(object, arguments...); },
                   data_view, at, with_view, to_view);
    std::size_t bytes = 0;
    status error = plan.try_bound_bytes(at, bytes);
    std::vector<std::byte> memory(bytes);
    // All ranks draw the same, and with no byte on any rank but the first all are refused.
    const bool sends = ranks_.sum(static_cast<std::int64_t>(bytes)) > 0;
    if (error.ok() && sends && random_.one_in(5)) {
      const status refused = plan.try_bind(at, std::span<std::byte>(memory).first(ranks_.rank == 0 ? bytes : 0));
      const bool is_alone = ranks_.ranks == 1;
      if (!is_alone && refused.code() != errc::too_little_memory) report(name, refused, "bind with too little memory");
    }
    if (error.ok()) error = plan.try_bind(at, memory);
    if (!error.ok()) return report(name, error, "bind");
    for (int repeat = 0; repeat < 3; ++repeat) {
      updates.fill(random_);
      data_.fill(random_);
      data.assign(data_, {divided_, over_}, ranks_);
      with.assign(updates, updates_over, ranks_);
      tensor<float> expected(data_.extents);
      {
        const tensor_view<const std::int64_t> whole_at = indices.view();
        const tensor_view<const float> whole_data = std::as_const(data_).view();
        const tensor_view<const float> whole_with = std::as_const(updates).view();
        const tensor_view<float> whole_to = expected.view();
        op([&](const auto& object, const auto&... arguments) { return object(arguments...), 0; }, whole_data, whole_at,
           whole_with, whole_to);
      }
      const std::int64_t before = calls.collectives;
      if (repeat == 1) {
        error = plan.try_begin(data.address(), with.address(), to.address());
        if (error.ok()) error = plan.try_end(data.address(), with.address(), to.address());
      } else if (repeat == 2) {
        heap_workspace lent;
        error = plan.try_run(lent, data.address(), with.address(), to.address());
      } else {
        error = plan.try_run(data.address(), with.address(), to.address());
      }
      if (!error.ok()) return report(name, error, "run");
      if (calls.collectives > before + 1) report(name, error, "more than one collective call");
      if (!equal_bits(to.values(), cut(expected, {divided_, over_}, ranks_)))
        return report(name, error, "other elements");
      served += 1;
    }
  }
  void report(const char* name, const status& error, const char* what) {
    failures += 1;
    std::fprintf(stderr, "rank %d: %s: %s ('%s')\n", ranks_.rank, name, what, error.message().c_str());
  }

  random_source& random_;
  const world& ranks_;
  tensor<float> data_{index_list{0}};
  int divided_ = 0;
  distribution over_;
};

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  return run_cases(count, arguments, "distributed_plans",
                   [](random_source& random, const world& ranks) { plan_case(random, ranks).run(); });
}
