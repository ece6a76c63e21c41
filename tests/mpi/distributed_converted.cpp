// SPDX-License-Identifier: Apache-2.0
// Random calls on distributed tensors whose updates are of another type, beside the serial calls on gathered updates
// that were converted before: equal bits, or the same error on every rank. Arguments: the first seed, the number of
// cases.
#include "mpi/distributed_cases.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>
#include <strew/operators/extents.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

// Calls whose targets no tensor selects.
struct no_indices {};

// Elements T, updates U.
template <class T, class U>
class converted_case {
 public:
  converted_case(random_source& random, const world& ranks) : random_{random}, ranks_{ranks} {}

  void run() {
    data_ = tensor<T>({1 + random_.below(12), 1 + random_.below(6)});
    data_.fill(random_);
    divided_ = static_cast<int>(random_.below(2));
    over_ = draw_division(random_, data_.extents[divided_], ranks_);
    if constexpr (!std::is_same_v<T, float> || !std::is_same_v<U, double>) {
      return rows();
    } else {
      switch (random_.below(8)) {
        case 0:
          return elements();
        case 1:
          return multi_indices();
        case 2:
          return slices();
        case 3:
          return coordinates();
        case 4:
          return diagonals();
        case 5:
          return masks();
        case 6:
          return caches();
        default:
          return rows();
      }
    }
  }

 private:
  template <class Index>
  tensor<Index> draw_indices(const index_list& extents, std::int64_t below) {
    tensor<Index> indices(extents);
    for (Index& index : indices.values) index = static_cast<Index>(random_.below(below));
    if (!indices.values.empty() && random_.one_in(10)) indices.values.back() = static_cast<Index>(below + 100);
    return indices;
  }
  // How updates lie of which no index says where they go: anyhow.
  division draw_any_division(const index_list& extents) {
    if (extents.empty() || random_.one_in(4)) return {0, distribution::replicated(extents.empty() ? 1 : extents[0])};
    const int along = static_cast<int>(random_.below(extents.size()));
    const bool is_alike = extents[along] == over_.extent() && random_.one_in(2);
    return {along, is_alike ? over_ : draw_division(random_, extents[along], ranks_)};
  }

  void rows() {
    const std::int64_t count = random_.below(30);
    const int axis = static_cast<int>(random_.below(2));
    index_list extents = data_.extents;
    extents[axis] = count;
    division own{0, distribution::replicated(count)};
    division of_updates = own;
    if (axis == divided_ && !random_.one_in(4)) {
      own = {0, draw_division(random_, count, ranks_)};
      of_updates = {axis, own.over};
    } else if (axis != divided_ && (random_.one_in(2) || !over_.is_contiguous())) {
      of_updates = {divided_, over_};
    } else {
      of_updates = {0, distribution::replicated(extents[0])};
    }
    const tensor<std::int64_t> indices = draw_indices<std::int64_t>({count}, data_.extents[axis]);
    const auto check = [&](const char* name, const auto& op) {
      compare_indices(name, indices, own, extents, of_updates, op);
    };
    if (random_.one_in(3)) {
      return check("index_copy", [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
        return use(mpi::index_copy, data, axis, at, with, to);
      });
    }
    if (random_.one_in(2)) {
      return check("index_reduce mean", [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
        return use(mpi::index_reduce, data, axis, at, with, red::mean, to);
      });
    }
    check("index_add", [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
      return use(mpi::index_add, data, axis, at, with, to);
    });
  }
  void elements() {
    index_list extents{random_.below(12), 1 + random_.below(data_.extents[1])};
    division own{0, distribution::replicated(extents[0])};
    if (!random_.one_in(4)) {
      const int along = static_cast<int>(random_.below(2));
      own = {along, draw_division(random_, extents[along], ranks_)};
    }
    compare_indices("scatter_reduce max", draw_indices<std::int64_t>(extents, data_.extents[0]), own, extents, own,
                    [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                      return use(mpi::scatter_reduce, data, 0, at, with, red::max, to);
                    });
  }
  void multi_indices() {
    const std::int64_t count = random_.below(30);
    division own{0, distribution::replicated(count)};
    if (!random_.one_in(4)) own = {0, draw_division(random_, count, ranks_)};
    const std::int64_t below = std::min(data_.extents[0], data_.extents[1]);
    compare_indices("v15::scatter_nd_update prod", draw_indices<std::int64_t>({count, 2}, below), own, {count}, own,
                    [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                      return use(mpi::v15::scatter_nd_update, data, at, with, red::prod, to);
                    });
  }
  void slices() {
    const int axis = static_cast<int>(random_.below(2));
    const slice_spec spec = draw_slice(random_, data_.extents, axis);
    compare_part("slice_scatter", updates_extents(slice_scatter, data_.extents, spec),
                 [&](const auto& use, auto& data, auto&, auto& with, auto& to) {
                   return use(mpi::slice_scatter, data, with, spec, to);
                 });
  }
  void coordinates() {
    const int axis = static_cast<int>(random_.below(2));
    const std::int64_t extent = data_.extents[axis];
    const std::int64_t index = random_.one_in(8) ? extent : random_.below(2 * extent) - extent;
    compare_part("select_scatter", {data_.extents[1 - axis]},
                 [&](const auto& use, auto& data, auto&, auto& with, auto& to) {
                   return use(mpi::select_scatter, data, with, axis, index, to);
                 });
  }
  void diagonals() {
    const std::int64_t offset = random_.below(9) - 4;
    compare_part("diagonal_scatter", updates_extents(diagonal_scatter, data_.extents, offset, 0, 1),
                 [&](const auto& use, auto& data, auto&, auto& with, auto& to) {
                   return use(mpi::diagonal_scatter, data, with, offset, 0, 1, to);
                 });
  }
  void masks() {
    // The elements of a rank follow each other in row-major order.
    if (ranks_.ranks > 1 && (divided_ == 1 || !over_.is_contiguous())) {
      divided_ = 0;
      over_ = distribution::block(data_.extents[0], ranks_.ranks);
    }
    tensor<unsigned char> mask(data_.extents);
    for (unsigned char& each : mask.values) each = random_.one_in(2) ? 0x40 : 0;
    const std::int64_t selected = std::count(mask.values.begin(), mask.values.end(), 0x40);
    index_list extents{selected + random_.below(3) - (random_.one_in(8) && selected > 0 ? 1 : 0)};
    if (random_.one_in(3)) extents = {2, selected / 2 + 1};
    part<unsigned char> own(random_, mask, {divided_, over_}, ranks_);
    compare<unsigned char>("masked_scatter", mask.view(), own.view(), extents, draw_any_division(extents),
                           [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                             return use(mpi::masked_scatter, data, at, with, to);
                           });
  }
  void caches() {
    const std::int64_t samples = data_.extents[0];
    const std::int64_t length = data_.extents[1];
    const onnx::tensor_scatter_options options{onnx::cache_mode::circular, 1};
    const index_list extents{samples, random_.below(length + 1)};
    const division updates = divided_ == 0 ? division{0, over_} : draw_any_division(extents);
    tensor<std::int64_t> starts = draw_indices<std::int64_t>({samples}, 3 * length);
    const bool is_divided = updates.axis == 0 && !updates.over.is_replicated();
    part<std::int64_t> own(random_, starts, {0, is_divided ? updates.over : distribution::replicated(samples)}, ranks_);
    compare<std::int64_t>("onnx::tensor_scatter", starts.view(), own.view(), extents, updates,
                          [&](const auto& use, auto& data, auto& at, auto& with, auto& to) {
                            return use(mpi::onnx::tensor_scatter, data, with, at, options, to);
                          });
  }

  template <class Op>
  void compare_part(const char* name, const index_list& extents, const Op& op) {
    compare<void>(name, no_indices(), no_indices(), extents, draw_any_division(extents), op);
  }
  template <class Index, class Op>
  void compare_indices(const char* name, tensor<Index> indices, const division& indices_over, const index_list& extents,
                       const division& updates_over, const Op& op) {
    part<Index> own(random_, indices, indices_over, ranks_);
    compare<Index>(name, indices.view(), own.view(), extents, updates_over, op);
  }

  // Updates of which some are rounded, or lose bits, where T has fewer.
  void draw(tensor<U>& updates) {
    updates.fill(random_);
    if constexpr (sizeof(U) > sizeof(T)) {
      for (U& each : updates.values) each = static_cast<U>(each * U{(std::int64_t{1} << 33) + 3});
    }
  }
  static tensor<T> convert_one_by_one(const tensor<U>& updates) {
    tensor<T> result(updates.extents);
    std::transform(updates.values.begin(), updates.values.end(), result.values.begin(),
                   [](U each) { return static_cast<T>(each); });
    return result;
  }
  // op(use, data, indices, updates, output) calls use with an operator and its arguments.
  template <class Index, class Whole, class Own, class Op>
  void compare(const char* name, const Whole& whole_at, const Own& at, const index_list& extents,
               const division& updates_over, const Op& op) {
    tensor<U> updates(extents);
    draw(updates);
    tensor<T> expected(data_.extents);
    part<T> data(random_, data_, {divided_, over_}, ranks_);
    part<T> output(random_, expected, {divided_, over_}, ranks_);
    part<U> own_updates(random_, updates, updates_over, ranks_);
    const auto from = data.view();
    const auto to = output.view();
    const auto with = converted(own_updates.view());
    const auto run_serial = [&] {
      const tensor<T> exact = convert_one_by_one(updates);
      const auto attempt = []<class Operator>(const detail::throwing<Operator>&, const auto&... arguments) {
        return detail::attempted<Operator>()(arguments...);
      };
      const tensor_view<const T> whole_data = std::as_const(data_).view();
      const tensor_view<const T> whole_updates = exact.view();
      const tensor_view<T> whole_output = expected.view();
      return op(attempt, whole_data, whole_at, whole_updates, whole_output);
    };
    const auto check = [&](const char* how, const status& error, const status& wanted) {
      const auto zero = std::vector<T>(output.values().size());
      const std::vector<T> elements = error.ok() ? cut(expected, {divided_, over_}, ranks_) : zero;
      if (!same_text(error, wanted) || !ranks_.all_equal(static_cast<int>(error.code())) ||
          !equal_bits(output.values(), elements)) {
        std::fprintf(stderr, "rank %d: %s, %s: '%s'\n  expected '%s'\n", ranks_.rank, name, how,
                     error.message().c_str(), wanted.message().c_str());
        failures += 1;
      }
      (error.ok() ? served : refused) += 1;
    };
    const auto clear = [&] { output.assign(tensor<T>(data_.extents), {divided_, over_}, ranks_); };
    const status wanted = run_serial();
    const auto attempt_on = [](auto& ex) {
      return [&ex]<class Operator>(const detail::throwing<Operator>&, const auto&... arguments) {
        return detail::attempted<Operator>()(ex, arguments...);
      };
    };
    check("a call", op(attempt_on(serial), from, at, with, to), wanted);
    clear();
    // In rounds, and those of one target in pieces; a mean takes them together.
    std::int64_t& most_exchanged = detail::tuning::set_by_tests.most_exchanged;
    const bool has_mean = std::string_view(name).find("mean") != std::string_view::npos;
    const std::int64_t most = std::exchange(most_exchanged, has_mean ? most_exchanged : 1 + random_.below(8));
    check("a call in rounds", op(attempt_on(serial), from, at, with, to), wanted);
    most_exchanged = most;
    clear();
    heap_workspace lent;
    check("a call with memory", op(attempt_on(lent), from, at, with, to), wanted);
    clear();

    auto plan =
        op([](const auto& object, const auto&... arguments) { return mpi::prepare<T, Index>(object, arguments...); },
           from, at, with, to);
    std::size_t bytes = 0;
    std::vector<std::byte> memory;
    status error;
    if constexpr (std::is_same_v<Own, no_indices>) {
      error = plan.try_bound_bytes(bytes);
      memory.resize(bytes);
      if (error.ok()) error = plan.try_bind(memory);
    } else {
      error = plan.try_bound_bytes(at, bytes);
      memory.resize(bytes);
      if (error.ok()) error = plan.try_bind(at, memory);
    }
    if (!error.ok()) return check("bind", error, wanted);
    draw(updates);
    own_updates.assign(updates, updates_over, ranks_);
    check("a bound run", plan.try_run(data.address(), own_updates.address(), output.address()), run_serial());
    clear();
    error = plan.try_begin(data.address(), own_updates.address(), output.address());
    if (error.ok()) error = plan.try_end(data.address(), own_updates.address(), output.address());
    check("begin and end", error, status());
  }

  random_source& random_;
  const world& ranks_;
  tensor<T> data_{index_list{0}};
  int divided_ = 0;
  distribution over_;
};

void expect(bool is_right, const char* what, const status& error) {
  if (is_right) return;
  std::fprintf(stderr, "%s: '%s'\n", what, error.message().c_str());
  failures += 1;
}
// Calls whose ranks have updates of other types, and updates in the memory of the output.
void refuse_calls(const world& ranks) {
  const std::int64_t rows = 2 * ranks.ranks;
  const distribution over = distribution::block(rows, ranks.ranks);
  std::vector<float> table(2, 1.0F);
  std::vector<double> doubles(2, 1.0);
  const std::vector<std::int64_t> indices(2, 0);
  const distributed_tensor<float> data{tensor_view<float>(table.data(), {2}), 0, over, ranks.comm};
  const distributed_tensor<const std::int64_t> at{tensor_view<const std::int64_t>(indices.data(), {2}), 0, over,
                                                  ranks.comm};
  const distributed_tensor<double> with{tensor_view<double>(doubles.data(), {2}), 0, over, ranks.comm};
  const tensor_view<std::int32_t> integers(reinterpret_cast<std::int32_t*>(doubles.data()), {2});
  const distributed_tensor<std::int32_t> others{integers, 0, over, ranks.comm};
  status error = ranks.rank == 0 ? mpi::try_index_add(data, 0, at, converted(with))
                                 : mpi::try_index_add(data, 0, at, converted(others));
  expect(error.ok() == (ranks.ranks == 1) && (error.ok() || error.code() == errc::mismatched_calls), "types", error);
  const tensor_view<std::int16_t> inside(reinterpret_cast<std::int16_t*>(table.data()), {2});
  error = mpi::try_index_add(data, 0, at, converted(distributed_tensor<std::int16_t>{inside, 0, over, ranks.comm}));
  expect(error.code() == errc::overlap, "overlap", error);
  expect(table[1] == 1.0F, "what was refused", error);
  // The same type: as without converted.
  std::vector<float> ones(2, 1.0F);
  error = mpi::try_index_add(
      data, 0, at, converted(distributed_tensor<float>{tensor_view<float>(ones.data(), {2}), 0, over, ranks.comm}));
  expect(error.ok(), "the same type", error);
}

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  bool is_first = true;
  return run_cases(count, arguments, "distributed_converted", [&](random_source& random, const world& ranks) {
    if (std::exchange(is_first, false)) refuse_calls(ranks);
    switch (random.below(8)) {
      case 0:
        return converted_case<std::int32_t, std::int64_t>(random, ranks).run();
      case 1:
        return converted_case<double, std::int16_t>(random, ranks).run();
      default:
        return converted_case<float, double>(random, ranks).run();
    }
  });
}
