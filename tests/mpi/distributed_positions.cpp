// SPDX-License-Identifier: Apache-2.0
// Random scatters on distributed tensors that store which update won, beside the same calls on the gathered tensors:
// equal bits and numbers, or the same error on every rank. Arguments: the first seed, the number of cases.
#include "mpi/distributed_cases.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

// Elements T, numbers of type N.
template <class T, class N>
class numbered_case {
 public:
  numbered_case(random_source& random, const world& ranks) : random_{random}, ranks_{ranks} {}

  void run() {
    data_ = tensor<T>({1 + random_.below(12), 1 + random_.below(6)});
    draw(data_);
    divided_ = static_cast<int>(random_.below(2));
    over_ = draw_division(random_, data_.extents[divided_], ranks_);
    switch (random_.below(4)) {
      case 0:
        return elements();
      case 1:
        return multi_indices();
      case 2:
        return single_elements();
      default:
        return rows();
    }
  }

 private:
  // Few values, so that many are equal.
  void draw(tensor<T>& elements) {
    for (T& each : elements.values) {
      each = random_.one_in(12) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(random_.below(5) - 2);
      if (each == 0 && random_.one_in(2)) each = -each;
    }
  }
  tensor<std::int64_t> draw_indices(const index_list& extents, std::int64_t below) {
    tensor<std::int64_t> indices(extents);
    const bool is_hot = random_.one_in(3);
    for (std::int64_t& index : indices.values) index = random_.below(is_hot ? (below + 3) / 4 : below);
    if (!indices.values.empty() && random_.one_in(10)) indices.values.back() = below + 100;
    return indices;
  }
  division draw_rows(const index_list& extents) {
    if (random_.one_in(4)) return {0, distribution::replicated(extents[0])};
    const int along = static_cast<int>(random_.below(extents.size()));
    return {along, draw_division(random_, extents[along], ranks_)};
  }

  void rows() {
    const int axis = static_cast<int>(random_.below(2));
    index_list positions{random_.below(20)};
    if (random_.one_in(2)) positions.push_back(1 + random_.below(8));
    index_list extents;
    for (int k = 0; k < 2; ++k) {
      if (k != axis) {
        extents.push_back(data_.extents[k]);
      } else {
        for (const std::int64_t extent : positions) extents.push_back(extent);
      }
    }
    division own{0, distribution::replicated(positions[0])};
    division of_updates{0, distribution::replicated(extents[0])};
    if (axis == divided_ && !random_.one_in(4)) {
      own = draw_rows(positions);
      if (!own.over.is_replicated()) of_updates = {axis + own.axis, own.over};
    } else if (axis != divided_ && (random_.one_in(2) || !over_.is_contiguous())) {
      of_updates = {divided_ < axis ? divided_ : divided_ - 1 + positions.size(), over_};
    }
    const tensor<std::int64_t> indices = draw_indices(positions, data_.extents[axis]);
    if (random_.one_in(2)) {
      return compare("index_reduce max", indices, own, extents, of_updates,
                     [&](const auto& use, auto& data, auto& at, auto& with, auto& numbers, auto& to) {
                       return use(mpi::index_reduce, data, axis, at, with, red::with_positions(red::max, numbers), to);
                     });
    }
    compare("scatter_update", indices, own, extents, of_updates,
            [&](const auto& use, auto& data, auto& at, auto& with, auto& numbers, auto& to) {
              return use(mpi::scatter_update, data, at, with, axis, red::with_positions(red::none, numbers), to);
            });
  }
  void elements() {
    const int axis = static_cast<int>(random_.below(2));
    index_list extents = data_.extents;
    extents[1 - axis] = 1 + random_.below(extents[1 - axis]);
    extents[axis] = random_.one_in(8) ? 130 + random_.below(10) : random_.below(12);
    const bool is_aligned = random_.one_in(3) && extents[divided_] == data_.extents[divided_];
    const division own = is_aligned ? division{divided_, over_} : draw_rows(extents);
    compare("scatter_reduce min", draw_indices(extents, data_.extents[axis]), own, extents, own,
            [&](const auto& use, auto& data, auto& at, auto& with, auto& numbers, auto& to) {
              return use(mpi::scatter_reduce, data, axis, at, with, red::with_positions(red::min, numbers), to);
            });
  }
  void multi_indices() {
    const int components = 1 + static_cast<int>(random_.below(2));
    const std::int64_t count = random_.below(30);
    index_list extents{count};
    if (components == 1) extents.push_back(data_.extents[1]);
    division own{0, distribution::replicated(count)};
    division of_updates = own;
    if (divided_ >= components) {
      of_updates = {1, over_};
    } else if (!random_.one_in(4)) {
      own = of_updates = {0, draw_division(random_, count, ranks_)};
    }
    const std::int64_t below = components == 1 ? data_.extents[0] : std::min(data_.extents[0], data_.extents[1]);
    compare("v15::scatter_nd_update max", draw_indices({count, components}, below), own, extents, of_updates,
            [&](const auto& use, auto& data, auto& at, auto& with, auto& numbers, auto& to) {
              return use(mpi::v15::scatter_nd_update, data, at, with, red::with_positions(red::max, numbers), to);
            });
  }
  void single_elements() {
    index_list extents{random_.below(40)};
    if (random_.one_in(2)) extents.push_back(1 + random_.below(4));
    const division own = draw_rows(extents);
    compare("put", draw_indices(extents, static_cast<std::int64_t>(data_.values.size())), own, extents, own,
            [&](const auto& use, auto& data, auto& at, auto& with, auto& numbers, auto& to) {
              return use(mpi::put, data, at, with, red::with_positions(red::none, numbers), to);
            });
  }

  // op(use, data, indices, updates, numbers, output) calls use with an operator and its arguments.
  template <class Op>
  void compare(const char* name, tensor<std::int64_t> indices, const division& indices_over, const index_list& extents,
               const division& updates_over, const Op& op) {
    const bool in_place = random_.one_in(2);
    const bool has_value = random_.one_in(8);
    tensor<T> updates(extents);
    draw(updates);
    const T value{1};
    tensor<T> expected = in_place ? data_ : tensor<T>(data_.extents);
    index_list of_numbers = data_.extents;
    if (random_.one_in(15)) of_numbers[1 - divided_] += 1;
    tensor<N> numbers(of_numbers);
    for (N& each : numbers.values) each = N{77};
    const division like_data{divided_, over_};
    part<T> data(random_, data_, like_data, ranks_);
    part<T> output(random_, expected, like_data, ranks_);
    part<N> own_numbers(random_, numbers, like_data, ranks_);
    part<T> own_updates(random_, updates, updates_over, ranks_);
    part<std::int64_t> own_indices(random_, indices, indices_over, ranks_);
    const std::vector<T> before = output.values();
    const std::vector<N> numbers_before = own_numbers.values();

    const auto attempt_on = [](auto& ex) {
      return [&ex]<class Operator>(const detail::throwing<Operator>&, const auto&... arguments) {
        return detail::attempted<Operator>()(ex, arguments...);
      };
    };
    const auto run_serial = [&] {
      const tensor_view<T> to = expected.view();
      const tensor_view<T> from = in_place ? to : data_.view();
      const tensor_view<std::int64_t> at = indices.view();
      const tensor_view<T> with = updates.view();
      const tensor_view<N> to_numbers = numbers.view();
      return has_value ? op(attempt_on(serial), from, at, value, to_numbers, to)
                       : op(attempt_on(serial), from, at, with, to_numbers, to);
    };
    const status wanted = run_serial();
    const auto check = [&](const char* how, const status& error, const status& of_serial) {
      const std::vector<T> elements = error.ok() ? cut(expected, like_data, ranks_) : before;
      const std::vector<N> won = error.ok() ? cut(numbers, like_data, ranks_) : numbers_before;
      if (!same_text(error, of_serial) || !ranks_.all_equal(static_cast<int>(error.code())) ||
          !equal_bits(output.values(), elements) || own_numbers.values() != won) {
        std::fprintf(stderr, "rank %d: %s, %s: '%s'\n  expected '%s'\n", ranks_.rank, name, how,
                     error.message().c_str(), of_serial.message().c_str());
        failures += 1;
      }
      (error.ok() ? served : refused) += 1;
    };
    const distributed_tensor<T> to = output.view();
    const distributed_tensor<T> from = in_place ? to : data.view();
    const distributed_tensor<std::int64_t> at = own_indices.view();
    const distributed_tensor<T> with = own_updates.view();
    const distributed_tensor<N> to_numbers = own_numbers.view();
    const auto call = [&](auto& ex) {
      return has_value ? op(attempt_on(ex), from, at, value, to_numbers, to)
                       : op(attempt_on(ex), from, at, with, to_numbers, to);
    };
    // So few updates at a time that rounds are made, and that those of one target are taken in pieces.
    std::int64_t& most_exchanged = detail::tuning::set_by_tests.most_exchanged;
    const std::int64_t most = std::exchange(most_exchanged, random_.one_in(2) ? 1 + random_.below(8) : most_exchanged);
    if (random_.one_in(2)) {
      check("a call", call(serial), wanted);
    } else {
      heap_workspace lent;
      check("a call with memory", call(lent), wanted);
    }
    most_exchanged = most;
    if (in_place || has_value || !wanted.ok()) return;

    auto plan = op([](const auto& object,
                      const auto&... arguments) { return mpi::prepare<T, std::int64_t>(object, arguments...); },
                   from, at, with, to_numbers, to);
    std::vector<std::byte> memory(plan.bound_bytes(at));
    plan.bind(at, memory);
    draw(updates);
    own_updates.assign(updates, updates_over, ranks_);
    const status of_serial = run_serial();
    check("a bound run", plan.try_run(data.address(), own_updates.address(), output.address()), of_serial);
  }

  random_source& random_;
  const world& ranks_;
  tensor<T> data_{index_list{0}};
  int divided_ = 0;
  distribution over_;
};

void expect(errc code, const char* what, const status& error) {
  if (error.code() == code) return;
  std::fprintf(stderr, "%s: '%s'\n", what, error.message().c_str());
  failures += 1;
}
// What numbers share memory with, and how they are divided.
void refuse_calls(const world& ranks) {
  const std::int64_t rows = 2 * ranks.ranks;
  const distribution over = distribution::block(rows, ranks.ranks);
  std::vector<std::int32_t> table(2, 1);
  std::vector<std::int32_t> updates(2, 5);
  std::vector<std::int32_t> won(4, 77);
  std::vector<std::int64_t> indices(2, 0);
  const auto distributed = [&]<class E>(E* first, const index_list& strides) {
    return distributed_tensor<E>{tensor_view<E>(first, {2}, strides), 0, over, ranks.comm};
  };
  const auto data = distributed(table.data(), {1});
  const auto at = distributed(indices.data(), {1});
  const auto with = distributed(updates.data(), {1});
  const auto attempt = [&](const auto& numbers) {
    return mpi::try_index_copy(data, 0, at, with, red::with_positions(red::none, numbers));
  };
  expect(errc::overlap, "numbers in the output", attempt(data));
  expect(errc::overlap, "numbers in updates", attempt(with));
  expect(errc::overlap, "numbers in indices", attempt(at));
  expect(errc::repeated_element, "numbers that repeat", attempt(distributed(won.data(), {0})));
  const distributed_tensor<std::int32_t> whole{tensor_view<std::int32_t>(won.data(), {2}), 0,
                                               distribution::replicated(rows), ranks.comm};
  expect(ranks.ranks == 1 ? errc::unsupported_distribution : errc::extent_mismatch, "numbers that are whole",
         attempt(whole));
  if (ranks.ranks > 1) {
    const auto numbers = distributed(won.data(), {1});
    expect(errc::mismatched_calls, "numbers on one rank",
           ranks.rank == 0 ? attempt(numbers) : mpi::try_index_copy(data, 0, at, with));
  }
  if (table[0] != 1 || won[0] != 77) expect(errc::ok, "what was refused", {errc::overlap, "", "", ""});
}

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  bool is_first = true;
  return run_cases(count, arguments, "distributed_positions", [&](random_source& random, const world& ranks) {
    if (std::exchange(is_first, false)) refuse_calls(ranks);
    if (random.one_in(2)) return numbered_case<double, std::int8_t>(random, ranks).run();
    numbered_case<float, std::uint64_t>(random, ranks).run();
  });
}
