// SPDX-License-Identifier: Apache-2.0
// Random distributed calls that are prepared and bound, beside the serial calls on the gathered tensors: runs with
// other elements each time, in one step and in two. Arguments: the first seed, the number of cases.
#include "mpi/distributed_cases.hpp"
#include "mpi/intercepted.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>
#include <strew/operators/extents.hpp>

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

// Calls whose targets no tensor selects.
struct no_indices {};

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
    switch (random_.below(12)) {
      case 5:
        return index_put(count, random_.one_in(5) ? whole : own);
      case 6:
        return slices();
      case 7:
        return coordinates();
      case 8:
        return diagonals();
      case 9:
        return masked_scatter();
      case 10:
        return masked_fill();
      case 11:
        return caches();
      case 0:
      case 1: {
        const bool is_local = divided_ == 1;
        const division updates = is_local ? division{1, over_} : own;
        const tensor<std::int64_t> indices = draw_indices({count}, rows);
        if (random_.one_in(2)) {
          return compare("index_add", indices, is_local ? whole : own, {count, columns}, updates,
                         [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                           return use(mpi::index_add, data, 0, at, with, to...);
                         });
        }
        return compare("index_reduce mean", indices, is_local ? whole : own, {count, columns}, updates,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                         return use(mpi::index_reduce, data, 0, at, with, red::mean, to...);
                       });
      }
      case 2: {
        const index_list extents{count, columns};
        const int along = static_cast<int>(random_.below(2));
        own = {along, draw_division(random_, extents[along], ranks_)};
        return compare("onnx::scatter_elements", draw_indices(extents, rows), own, extents, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                         return use(mpi::onnx::scatter_elements, data, at, with, 0, red::prod, to...);
                       });
      }
      case 3: {
        tensor<std::int64_t> pairs = draw_indices({count, 2}, rows < columns ? rows : columns);
        if (random_.one_in(5)) own = whole;
        return compare("onnx::scatter_nd", pairs, own, {count}, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                         return use(mpi::onnx::scatter_nd, data, at, with, red::none, to...);
                       });
      }
      default:
        if (random_.one_in(5)) own = whole;
        return compare("put", draw_indices({count}, rows * columns), own, {count}, own,
                       [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                         return use(mpi::put, data, at, with, red::sum, to...);
                       });
    }
  }

 private:
  tensor<std::int64_t> draw_indices(const index_list& extents, std::int64_t below) {
    tensor<std::int64_t> indices(extents);
    for (std::int64_t& index : indices.values) index = random_.below(below);
    return indices;
  }

  void index_put(std::int64_t count, const division& own) {
    tensor<std::int64_t> first = draw_indices({count}, data_.extents[0]);
    tensor<std::int32_t> second(index_list{count});
    for (std::int32_t& index : second.values) index = static_cast<std::int32_t>(random_.below(data_.extents[1]));
    part<std::int64_t> own_first(random_, first, own, ranks_);
    part<std::int32_t> own_second(random_, second, own, ranks_);
    compare<std::int64_t>("index_put", std::tuple{first.view(), second.view()},
                          std::tuple{own_first.view(), own_second.view()}, tensor<float>(index_list{count}), own,
                          [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                            return use(mpi::index_put, data, at, with, red::sum, to...);
                          });
  }

  // Updates of which no index says where they go may be divided in any way.
  division draw_any_division(const index_list& extents) {
    if (random_.one_in(4)) return {0, distribution::replicated(extents[0])};
    const int along = static_cast<int>(random_.below(extents.size()));
    const bool is_alike = extents[along] == over_.extent() && random_.one_in(2);
    return {along, is_alike ? over_ : draw_division(random_, extents[along], ranks_)};
  }
  template <class Op>
  void compare_part(const char* name, const index_list& extents, const Op& op) {
    const division updates = draw_any_division(extents);
    if (random_.one_in(2))
      return compare<void, true>(name, no_indices(), no_indices(), tensor<float>(extents), updates, op);
    compare<void>(name, no_indices(), no_indices(), tensor<float>(extents), updates, op);
  }
  void slices() {
    const int axis = static_cast<int>(random_.below(2));
    const slice_spec spec = draw_slice(random_, data_.extents, axis);
    compare_part("slice_scatter", updates_extents(slice_scatter, data_.extents, spec),
                 [&](const auto& use, auto& data, auto&, auto& with, auto&... to) {
                   return use(mpi::slice_scatter, data, with, spec, to...);
                 });
  }
  void coordinates() {
    const int axis = static_cast<int>(random_.below(2));
    const std::int64_t extent = data_.extents[axis];
    const std::int64_t index = random_.one_in(8) ? extent : random_.below(2 * extent) - extent;
    compare_part("select_scatter", {data_.extents[1 - axis]},
                 [&](const auto& use, auto& data, auto&, auto& with, auto&... to) {
                   return use(mpi::select_scatter, data, with, axis, index, to...);
                 });
  }
  void diagonals() {
    const std::int64_t offset = random_.below(9) - 4;
    compare_part("diagonal_scatter", updates_extents(diagonal_scatter, data_.extents, offset, 0, 1),
                 [&](const auto& use, auto& data, auto&, auto& with, auto&... to) {
                   return use(mpi::diagonal_scatter, data, with, offset, 0, 1, to...);
                 });
  }

  tensor<unsigned char> draw_mask(std::int64_t& selected) {
    tensor<unsigned char> mask(data_.extents);
    const std::int64_t one_in = 1 + random_.below(4);
    for (unsigned char& each : mask.values) each = random_.one_in(one_in) ? 0x40 : 0;
    selected = static_cast<std::int64_t>(std::count(mask.values.begin(), mask.values.end(), 0x40));
    return mask;
  }
  void masked_scatter() {
    // The elements of a rank follow each other in row-major order.
    if (ranks_.ranks > 1 && (divided_ == 1 || !over_.is_contiguous())) {
      divided_ = 0;
      over_ = distribution::block(data_.extents[0], ranks_.ranks);
    }
    std::int64_t selected = 0;
    const tensor<unsigned char> mask = draw_mask(selected);
    part<unsigned char> own(random_, mask, {divided_, over_}, ranks_);
    index_list extents{selected + random_.below(3) - (random_.one_in(8) && selected > 0 ? 1 : 0)};
    if (random_.one_in(3)) extents = {2, selected / 2 + 1};
    compare<unsigned char>("masked_scatter", mask.view(), own.view(), tensor<float>(extents),
                           draw_any_division(extents),
                           [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                             return use(mpi::masked_scatter, data, at, with, to...);
                           });
  }
  void masked_fill() {
    std::int64_t selected = 0;
    const tensor<unsigned char> mask = draw_mask(selected);
    part<unsigned char> own(random_, mask, {divided_, over_}, ranks_);
    compare<unsigned char>("masked_fill", mask.view(), own.view(), 7.5F, division{},
                           [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                             return use(mpi::masked_fill, data, at, with, to...);
                           });
  }

  void caches() {
    const std::int64_t samples = data_.extents[0];
    const std::int64_t length = data_.extents[1];
    const bool is_circular = random_.one_in(2);
    const onnx::tensor_scatter_options options{is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear, 1};
    const index_list extents{samples, random_.below(length + 1)};
    const division updates = divided_ == 0 ? division{0, over_} : draw_any_division(extents);
    if (random_.one_in(4)) {
      return compare<void>("onnx::tensor_scatter without indices", no_indices(), no_indices(), tensor<float>(extents),
                           updates, [&](const auto& use, auto& data, auto&, auto& with, auto&... to) {
                             return use(mpi::onnx::tensor_scatter, data, with, options, to...);
                           });
    }
    tensor<std::int64_t> starts(index_list{samples});
    for (std::int64_t& each : starts.values) {
      each = is_circular ? random_.below(3 * length) : random_.below(length - extents[1] + 1);
      if (random_.one_in(100)) each = -3;
    }
    const bool is_divided = updates.axis == 0 && !updates.over.is_replicated() && (divided_ == 0 || random_.one_in(2));
    part<std::int64_t> own(random_, starts, {0, is_divided ? updates.over : distribution::replicated(samples)}, ranks_);
    compare<std::int64_t>("onnx::tensor_scatter", std::as_const(starts).view(), own.view(), tensor<float>(extents),
                          updates, [&](const auto& use, auto& data, auto& at, auto& with, auto&... to) {
                            return use(mpi::onnx::tensor_scatter, data, with, at, options, to...);
                          });
  }

  template <class Op>
  void compare(const char* name, const tensor<std::int64_t>& indices, const division& indices_over,
               const index_list& extents, const division& updates_over, const Op& op) {
    part<std::int64_t> own(random_, indices, indices_over, ranks_);
    compare<std::int64_t>(name, indices.view(), own.view(), tensor<float>(extents), updates_over, op);
  }

  // op(use, data, indices, updates, output) calls use with an operator and its arguments. Updates: a tensor or a value.
  // In place the serial call writes to `expected` too.
  template <class Index, bool InPlace = false, class Whole, class Own, class Updates, class Op>
  void compare(const char* name, const Whole& whole_at, const Own& at, Updates updates, const division& updates_over,
               const Op& op) {
    constexpr bool has_value = std::is_same_v<Updates, float>;
    tensor<float> written(data_.extents);
    part<float> data(random_, data_, {divided_, over_}, ranks_);
    part<float> to(random_, written, {divided_, over_}, ranks_);
    auto with = part_of(updates, updates_over);
    const auto prepared = [](const auto& object, const auto&... arguments) {
      return mpi::prepare<float, Index>(object, arguments...);
    };
    const auto call_with = [&](const auto& use, const auto& from, const auto& indices, const auto& added,
                               const auto& output) {
      if constexpr (InPlace) {
        return op(use, from, indices, added);
      } else {
        return op(use, from, indices, added, output);
      }
    };
    auto plan = call_with(prepared, data.view(), at, view_of(with), to.view());
    const auto bind = [&](std::span<std::byte> memory) {
      if constexpr (std::is_same_v<Own, no_indices>) {
        return plan.try_bind(memory);
      } else {
        return plan.try_bind(at, memory);
      }
    };
    std::size_t bytes = 0;
    status error;
    if constexpr (std::is_same_v<Own, no_indices>) {
      error = plan.try_bound_bytes(bytes);
    } else {
      error = plan.try_bound_bytes(at, bytes);
    }
    const auto run_serial = [&](tensor<float>& expected) {
      const auto attempt = []<class Operator>(const detail::throwing<Operator>&, const auto&... arguments) {
        return detail::attempted<Operator>()(arguments...);
      };
      if (InPlace) expected = data_;
      const tensor_view<float> output = expected.view();
      const tensor_view<const float> from = std::as_const(data_).view();
      if constexpr (has_value) {
        return call_with(attempt, from, whole_at, updates, output);
      } else if constexpr (InPlace) {
        return call_with(attempt, output, whole_at, std::as_const(updates).view(), output);
      } else {
        return call_with(attempt, from, whole_at, std::as_const(updates).view(), output);
      }
    };
    if (!error.ok()) {
      tensor<float> unused(data_.extents);
      const status expected = run_serial(unused);
      if (!same_text(error, expected) || bytes != 0) report(name, error, expected.message().c_str());
      refused += 1;
      return;
    }
    std::vector<std::byte> memory(bytes);
    // All ranks draw the same, and with no byte on any rank but the first all are refused.
    const bool sends = ranks_.sum(static_cast<std::int64_t>(bytes)) > 0;
    if (sends && random_.one_in(5)) {
      const status too_little = bind(std::span<std::byte>(memory).first(ranks_.rank == 0 ? bytes : 0));
      const bool is_alone = ranks_.ranks == 1;
      if (!is_alone && too_little.code() != errc::too_little_memory) {
        report(name, too_little, "bind with too little memory");
      }
    }
    error = bind(memory);
    if (!error.ok()) return report(name, error, "bind");
    for (int repeat = 0; repeat < 3; ++repeat) {
      data_.fill(random_);
      data.assign(data_, {divided_, over_}, ranks_);
      if constexpr (!has_value) {
        updates.fill(random_);
        with.assign(updates, updates_over, ranks_);
      }
      tensor<float> expected(data_.extents);
      error = run_serial(expected);
      if (!error.ok()) return report(name, error, "the serial call");
      const auto call_by_addresses = [&](const auto& use) {
        if constexpr (has_value) {
          return use(data.address(), to.address());
        } else if constexpr (InPlace) {
          return use(data.address(), with.address());
        } else {
          return use(data.address(), with.address(), to.address());
        }
      };
      const std::int64_t before = calls.collectives;
      if (repeat == 1) {
        error = call_by_addresses([&](auto*... addresses) { return plan.try_begin(addresses...); });
        if (error.ok()) error = call_by_addresses([&](auto*... addresses) { return plan.try_end(addresses...); });
      } else if (repeat == 2) {
        heap_workspace lent;
        error = call_by_addresses([&](auto*... addresses) { return plan.try_run(lent, addresses...); });
      } else {
        error = call_by_addresses([&](auto*... addresses) { return plan.try_run(addresses...); });
      }
      if (!error.ok()) return report(name, error, "run");
      if (calls.collectives > before + 1) report(name, error, "more than one collective call");
      if (!equal_bits((InPlace ? data : to).values(), cut(expected, {divided_, over_}, ranks_)))
        return report(name, error, "other elements");
      served += 1;
    }
  }
  part<float> part_of(const tensor<float>& updates, const division& over) { return {random_, updates, over, ranks_}; }
  static float part_of(float value, const division&) { return value; }
  static distributed_tensor<float> view_of(part<float>& updates) { return updates.view(); }
  static float view_of(float value) { return value; }

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
