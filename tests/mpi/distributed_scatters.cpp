// SPDX-License-Identifier: Apache-2.0
// Random scatters on distributed tensors beside the same calls on the gathered ones: equal bits, or the same error on
// every rank. Arguments: the first seed, the number of cases.
#include "mpi/distributed_cases.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>
#include <strew/operators/extents.hpp>
#include <strew/threads.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

// Vectors of bool have no elements in memory.
struct bool8 {
  bool value = false;
};
tensor_view<const bool> as_bool(const tensor_view<bool8>& view) {
  return {reinterpret_cast<const bool*>(view.data()), view.extents(), view.strides()};
}
distributed_tensor<const bool> as_bool(const distributed_tensor<bool8>& view) {
  return {as_bool(view.local()), view.axis(), view.over(), view.comm()};
}

// How a call gets memory.
enum class memory { none, little, plenty, heap };

template <class T>
class scatter_case {
 public:
  scatter_case(random_source& random, const world& ranks) : random_{random}, ranks_{ranks} {}

  void run() {
    workspace_ = static_cast<memory>(random_.below(4));
    switch (random_.below(10)) {
      case 0:
        return rows();
      case 5:
        return slices();
      case 6:
        return coordinates();
      case 7:
        return diagonals();
      case 8:
        return masks();
      case 9:
        return caches();
      case 1:
        return elements();
      case 2:
        return multi_indices();
      case 3:
        return tensors();
      default:
        return numbers();
    }
  }

 private:
  void draw_data() {
    const int rank = 1 + static_cast<int>(random_.below(3));
    index_list extents;
    for (int k = 0; k < rank; ++k) extents.push_back(random_.one_in(12) ? random_.below(2) : 1 + random_.below(8));
    if (random_.one_in(6)) extents[0] = 20 + random_.below(60);
    data_ = tensor<T>(extents);
    data_.fill(random_);
    divided_ = static_cast<int>(random_.below(rank));
    over_ = draw_division(random_, extents[divided_], ranks_);
  }
  // Updates that are NaN, if elements may be.
  void add_nans(tensor<T>& updates) {
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
      for (T& each : updates.values) {
        if (random_.one_in(2)) each = std::numeric_limits<T>::quiet_NaN();
      }
    }
  }
  // Legal indices, some equal; or one that is not.
  template <class Index>
  void fill_indices(tensor<Index>& indices, const index_list& extents_of_components, bool may_wrap) {
    const auto count = static_cast<std::int64_t>(indices.values.size());
    const std::int64_t components = extents_of_components.size();
    const bool is_hot = random_.one_in(4);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t extent = extents_of_components[static_cast<int>(i % components)];
      std::int64_t value = extent == 0 ? 0 : random_.below(extent);
      if (is_hot && random_.below(10) != 0) value = extent / 2;
      if (may_wrap && extent > 0 && random_.one_in(4)) value -= extent;
      indices.values[static_cast<std::size_t>(i)] = static_cast<Index>(value);
    }
    if (count > 0 && random_.one_in(8)) {
      for (int bad = 0; bad < 2; ++bad) {
        indices.values[static_cast<std::size_t>(random_.below(count))] =
            static_cast<Index>(random_.one_in(2) ? 100 : -101);
      }
    }
  }

  // Calls body(executor) with the memory of this case.
  template <class Body>
  void with_memory(const Body& body) {
    if (workspace_ == memory::none) return body(serial);
    thread_pool pool(random_.one_in(4) ? 2 : 1);
    if (workspace_ == memory::heap) {
      heap_workspace lent(pool);
      is_limited_ = random_.one_in(2);
      if (is_limited_) lent.set_limit(static_cast<std::size_t>(1000 + random_.below(4000)));
      return body(lent);
    }
    // Little memory is more than the stack that is used without any, so that it is what counts.
    std::vector<std::byte> bytes(static_cast<std::size_t>(workspace_ == memory::little ? 33000 : 1 << 20));
    const workspace lent(bytes, pool);
    body(lent);
  }

  // op(executor, data, indices, updates, output) calls the operator; in place output is data.
  template <class Indices, class LocalIndices, class Op>
  void compare(const char* name, const tensor<T>& updates, const division& updates_over, const Indices& whole_indices,
               const LocalIndices& part_indices, const Op& op) {
    const bool in_place = random_.one_in(2);
    const bool has_value = !needs_updates_ && (needs_value_ || random_.one_in(8));
    tensor<T> expected = in_place ? data_ : tensor<T>(data_.extents);
    if (!in_place) expected.fill(random_);
    part<T> data(random_, data_, {divided_, over_}, ranks_);
    part<T> output(random_, expected, {divided_, over_}, ranks_);
    part<T> own_updates(random_, updates, updates_over, ranks_);
    const T value = updates.values.empty() ? T{1} : updates.values[0];
    status serial_error;
    const auto call = [&](auto& ex, const auto& from, const auto& indices, const auto& with, const auto& to) {
      return op(ex, from, indices, with, to);
    };
    {
      const tensor_view<T> to = expected.view();
      const tensor_view<T> from = in_place ? to : data_.view();
      serial_error = has_value ? call(serial, from, whole_indices, value, to)
                               : call(serial, from, whole_indices, updates.view(), to);
    }
    status error;
    const auto before = output.values();
    with_memory([&](auto& ex) {
      const distributed_tensor<T> to = output.view();
      const distributed_tensor<T> from = in_place ? to : data.view();
      error =
          has_value ? call(ex, from, part_indices, value, to) : call(ex, from, part_indices, own_updates.view(), to);
    });
    // A limit may be below what one update takes, and the stack below what all updates of a target do.
    const std::string_view called = name;
    const bool takes_together = called.find("mean") != called.npos || called.find("without_init") != called.npos;
    const bool may_be_small =
        is_limited_ || (takes_together && (workspace_ == memory::none || workspace_ == memory::little));
    const bool is_small = error.code() == errc::too_little_memory && may_be_small;
    const std::vector<T> after = output.values();
    const std::vector<T> wanted = is_small || !error.ok() ? before : cut(expected, {divided_, over_}, ranks_);
    const bool same_error = is_small || same_text(error, serial_error);
    const bool same_bits = equal_bits(after, wanted);
    if (!same_error || !same_bits) {
      std::fprintf(stderr, "rank %d: %s: %s\n  '%s'\n  expected '%s'\n", ranks_.rank, name,
                   same_bits ? "another error" : "other elements", error.message().c_str(),
                   serial_error.message().c_str());
      failures += 1;
    }
    // All ranks must have the same status.
    if (!ranks_.all_equal(static_cast<int>(error.code()))) {
      std::fprintf(stderr, "rank %d: %s: status %d is not that of all ranks\n", ranks_.rank, name,
                   static_cast<int>(error.code()));
      failures += 1;
    }
    served += error.ok() ? 1 : 0;
    refused += error.ok() ? 0 : 1;
  }

  void rows() {
    draw_data();
    const int axis = static_cast<int>(random_.below(data_.extents.size()));
    index_list positions;
    const int rank = static_cast<int>(random_.below(3));
    for (int k = 0; k < rank; ++k) positions.push_back(random_.one_in(10) ? 0 : 1 + random_.below(rank == 1 ? 40 : 7));
    if (data_.extents.size() - 1 + rank > 4) return;
    index_list extents;
    for (int k = 0; k < data_.extents.size(); ++k) {
      if (k != axis) {
        extents.push_back(data_.extents[k]);
      } else {
        for (const std::int64_t extent : positions) extents.push_back(extent);
      }
    }
    tensor<T> updates(extents);
    updates.fill(random_);
    tensor<std::int64_t> indices(positions);
    fill_indices(indices, {data_.extents[axis]}, false);
    division own{0, distribution::replicated(rank == 0 ? 1 : positions[0])};
    division of_updates{0, distribution::replicated(extents.empty() ? 1 : extents[0])};
    if (axis == divided_ && rank > 0 && !random_.one_in(5)) {
      const int along = static_cast<int>(random_.below(rank));
      own = {along, draw_division(random_, positions[along], ranks_)};
      of_updates = {axis + along, own.over};
    } else if (axis != divided_ && random_.one_in(2)) {
      of_updates = {divided_ < axis ? divided_ : divided_ - 1 + rank, over_};
    } else if (axis != divided_) {
      if (!over_.is_contiguous()) return;
    }
    part<std::int64_t> own_indices(random_, indices, own, ranks_);
    const auto check = [&](const char* name, const auto& op) {
      compare(name, updates, of_updates, indices.view(), own_indices.view(), op);
    };
    switch (random_.below(8)) {
      case 6:
        add_nans(updates);
        return check("index_reduce without_nan(sum)", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_reduce(ex, data, axis, at, with, red::without_nan(red::sum), to);
        });
      case 7:
        add_nans(updates);
        return check("index_reduce without_init(without_nan(mean))",
                     [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
                       constexpr auto mean = red::without_init(red::without_nan(red::mean));
                       return mpi::try_index_reduce(ex, data, axis, at, with, mean, to);
                     });
      case 0:
        return check("scatter_update", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_scatter_update(ex, data, at, with, axis, to);
        });
      case 1:
        return check("index_add", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_add(ex, data, axis, at, with, to);
        });
      case 2:
        return check("index_copy, dropped", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_copy(ex, data, axis, drop(at), with, to);
        });
      case 3:
        return check("index_reduce mean", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_reduce(ex, data, axis, at, with, red::mean, to);
        });
      case 4:
        return check("index_reduce without_init(max)", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_reduce(ex, data, axis, clip(at), with, red::without_init(red::max), to);
        });
      default:
        return check("index_add scaled", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_index_add(ex, data, axis, wrap(at), with, scaled_by{3}, to);
        });
    }
  }

  void elements() {
    draw_data();
    const int axis = static_cast<int>(random_.below(data_.extents.size()));
    index_list extents = data_.extents;
    for (int k = 0; k < extents.size(); ++k) {
      if (extents[k] > 1 && random_.one_in(3)) extents[k] -= random_.below(extents[k]);
    }
    if (random_.one_in(2)) extents[axis] = random_.below(12);
    const bool longer = extents[axis] > data_.extents[axis];
    tensor<T> updates(extents);
    updates.fill(random_);
    tensor<std::int32_t> indices(extents);
    fill_indices(indices, {data_.extents[axis]}, true);
    division own{0, distribution::replicated(extents[0])};
    if (!random_.one_in(5)) {
      const int along = static_cast<int>(random_.below(extents.size()));
      own = {along, along == divided_ && extents[along] == data_.extents[along] && random_.one_in(2)
                        ? over_
                        : draw_division(random_, extents[along], ranks_)};
    }
    part<std::int32_t> own_indices(random_, indices, own, ranks_);
    const auto check = [&](const char* name, const auto& op) {
      compare(name, updates, own, indices.view(), own_indices.view(), op);
    };
    const auto sub = [](T a, T b) noexcept { return static_cast<T>(a - b); };
    switch (longer ? 4 + random_.below(2) : random_.below(7)) {
      case 6:
        add_nans(updates);
        return check("v12::scatter_elements_update without_nan(mean)",
                     [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
                       constexpr auto mean = red::without_nan(red::mean);
                       return mpi::v12::try_scatter_elements_update(ex, data, at, with, axis, mean, to);
                     });
      case 0:
        return check("v12::scatter_elements_update prod", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::v12::try_scatter_elements_update(ex, data, at, with, axis, red::prod, to);
        });
      case 1:
        return check("v12::scatter_elements_update mean", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::v12::try_scatter_elements_update(ex, data, at, with, axis, red::mean, to);
        });
      case 2:
        return check("v12::scatter_elements_update sub", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::v12::try_scatter_elements_update(ex, data, at, with, axis, sub, to);
        });
      case 3:
        return check("scatter_elements_update", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::try_scatter_elements_update(ex, data, at, with, axis, to);
        });
      case 4:
        return check("onnx::scatter", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::onnx::try_scatter(ex, data, at, with, axis, to);
        });
      default:
        return check("onnx::scatter_elements min", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::onnx::try_scatter_elements(ex, data, at, with, axis, red::min, to);
        });
    }
  }

  void multi_indices() {
    draw_data();
    const int components = static_cast<int>(random_.below(data_.extents.size() + 1));
    index_list positions;
    const int rank = static_cast<int>(random_.below(3));
    for (int k = 0; k < rank; ++k) positions.push_back(random_.one_in(10) ? 0 : 1 + random_.below(rank == 1 ? 40 : 7));
    index_list of_indices = positions;
    of_indices.push_back(components);
    index_list extents = positions;
    index_list reached;
    for (int k = 0; k < data_.extents.size(); ++k) {
      if (k < components) {
        reached.push_back(data_.extents[k]);
      } else {
        extents.push_back(data_.extents[k]);
      }
    }
    tensor<T> updates(extents);
    updates.fill(random_);
    tensor<std::int64_t> indices(of_indices);
    if (components > 0) fill_indices(indices, reached, true);
    division own{0, distribution::replicated(of_indices[0])};
    division of_updates{0, distribution::replicated(extents.empty() ? 1 : extents[0])};
    if (divided_ < components && rank > 0 && !random_.one_in(5)) {
      const int along = static_cast<int>(random_.below(rank));
      own = {along, draw_division(random_, positions[along], ranks_)};
      of_updates = own;
    } else if (divided_ >= components) {
      of_updates = {divided_ - components + rank, over_};
    }
    part<std::int64_t> own_indices(random_, indices, own, ranks_);
    const auto check = [&](const char* name, const auto& op) {
      compare(name, updates, of_updates, indices.view(), own_indices.view(), op);
    };
    switch (random_.below(3)) {
      case 0:
        return check("v15::scatter_nd_update sub", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::v15::try_scatter_nd_update(ex, data, at, with, red::sub, to);
        });
      case 1:
        return check("onnx::scatter_nd", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::onnx::try_scatter_nd(ex, data, at, with, to);
        });
      default:
        return check("v14::scatter_nd_update sum, dropped", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
          return mpi::v14::try_scatter_nd_update(ex, data, drop(at), with, red::sum, to);
        });
    }
  }

  void tensors() {
    draw_data();
    if (data_.extents.size() < 2) return;
    const std::int64_t count = random_.one_in(10) ? 0 : 1 + random_.below(40);
    index_list extents{count};
    for (int k = 2; k < data_.extents.size(); ++k) extents.push_back(data_.extents[k]);
    tensor<T> updates(extents);
    updates.fill(random_);
    tensor<std::int64_t> first(index_list{count});
    tensor<std::int16_t> second(index_list{count});
    fill_indices(first, {data_.extents[0]}, true);
    fill_indices(second, {data_.extents[1]}, true);
    division own{0, distribution::replicated(count)};
    division of_updates = own;
    if (divided_ < 2 && !random_.one_in(5)) {
      own = of_updates = {0, draw_division(random_, count, ranks_)};
    } else if (divided_ >= 2) {
      of_updates = {divided_ - 1, over_};
    }
    part<std::int64_t> own_first(random_, first, own, ranks_);
    part<std::int16_t> own_second(random_, second, own, ranks_);
    compare("index_put", updates, of_updates, std::tuple{first.view(), second.view()},
            std::tuple{own_first.view(), own_second.view()}, [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
              return mpi::try_index_put(ex, data, at, with, red::sum, to);
            });
  }

  void numbers() {
    draw_data();
    index_list positions{random_.one_in(10) ? 0 : 1 + random_.below(20)};
    if (random_.one_in(2)) positions.push_back(1 + random_.below(3));
    tensor<T> updates(positions);
    updates.fill(random_);
    tensor<std::int32_t> indices(positions);
    fill_indices(indices, {static_cast<std::int64_t>(data_.values.size())}, true);
    division own{0, distribution::replicated(positions[0])};
    if (!random_.one_in(5)) {
      const int along = static_cast<int>(random_.below(positions.size()));
      own = {along, draw_division(random_, positions[along], ranks_)};
    }
    part<std::int32_t> own_indices(random_, indices, own, ranks_);
    const auto check = [&](const char* name, const auto& op) {
      compare(name, updates, own, indices.view(), own_indices.view(), op);
    };
    if (random_.one_in(2)) {
      return check("put", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
        return mpi::try_put(ex, data, at, with, to);
      });
    }
    check("put sum", [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
      return mpi::try_put(ex, data, at, with, red::sum, to);
    });
  }

  // How updates lie of which no index says where they go: anyhow.
  division draw_any_division(const index_list& extents) {
    if (extents.empty() || random_.one_in(4)) return {0, distribution::replicated(extents.empty() ? 1 : extents[0])};
    const int along = static_cast<int>(random_.below(extents.size()));
    const bool is_alike = extents[along] == over_.extent() && random_.one_in(2);
    return {along, is_alike ? over_ : draw_division(random_, extents[along], ranks_)};
  }
  template <class Op>
  void compare_part(const char* name, const index_list& extents, const Op& op) {
    tensor<T> updates(extents);
    updates.fill(random_);
    compare(name, updates, draw_any_division(extents), 0, 0,
            [&](auto& ex, auto& data, auto&, auto& with, auto& to) { return op(ex, data, with, to); });
  }

  void slices() {
    draw_data();
    slice_spec spec{.start = index_list{}, .stop = index_list{}, .step = index_list{}, .axes = index_list{}};
    for (int k = 0; k < data_.extents.size(); ++k) {
      if (random_.one_in(3)) continue;
      const std::int64_t extent = data_.extents[k];
      spec.axes.push_back(k);
      const std::int64_t step = random_.one_in(2)   ? 1
                                : random_.one_in(3) ? -1 - random_.below(2)
                                                    : 1 + random_.below(3);
      spec.step.push_back(step);
      spec.start.push_back(random_.below(2 * extent + 3) - extent - 1);
      spec.stop.push_back(random_.below(2 * extent + 3) - extent - 1);
    }
    index_list extents = updates_extents(slice_scatter, data_.extents, spec);
    if (random_.one_in(10)) extents[0] += 1;  // a mistake
    compare_part("slice_scatter", extents, [&](auto& ex, auto& data, auto& with, auto& to) {
      return mpi::try_slice_scatter(ex, data, with, spec, to);
    });
  }
  void coordinates() {
    draw_data();
    const int axis = static_cast<int>(random_.below(data_.extents.size()));
    const std::int64_t extent = data_.extents[axis];
    const std::int64_t index = random_.one_in(8) ? extent : random_.below(2 * extent + 1) - extent;
    index_list extents;
    for (int k = 0; k < data_.extents.size(); ++k) {
      if (k != axis) extents.push_back(data_.extents[k]);
    }
    compare_part("select_scatter", extents, [&](auto& ex, auto& data, auto& with, auto& to) {
      return mpi::try_select_scatter(ex, data, with, axis, index, to);
    });
  }
  void diagonals() {
    draw_data();
    const int rank = data_.extents.size();
    if (rank < 2) return;
    const int first = static_cast<int>(random_.below(rank));
    const int second = (first + 1 + static_cast<int>(random_.below(rank - 1))) % rank;
    const std::int64_t offset = random_.below(9) - 4;
    const index_list extents = updates_extents(diagonal_scatter, data_.extents, offset, first, second);
    compare_part("diagonal_scatter", extents, [&](auto& ex, auto& data, auto& with, auto& to) {
      return mpi::try_diagonal_scatter(ex, data, with, offset, first, second, to);
    });
  }

  void masks() {
    draw_data();
    tensor<bool8> mask(data_.extents);
    std::int64_t selected = 0;
    const std::int64_t one_in = 1 + random_.below(4);
    for (bool8& each : mask.values) {
      each = bool8{random_.one_in(one_in)};
      selected += each.value ? 1 : 0;
    }
    part<bool8> own(random_, mask, {divided_, over_}, ranks_);
    if (random_.one_in(2)) {
      needs_value_ = true;
      return compare("masked_fill", tensor<T>(index_list{1}), {0, distribution::replicated(1)}, as_bool(mask.view()),
                     as_bool(own.view()), [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
                       if constexpr (std::is_same_v<std::remove_cvref_t<decltype(with)>, T>) {
                         return mpi::try_masked_fill(ex, data, at, with, to);
                       } else {
                         return status();
                       }
                     });
    }
    bool follow_each_other = over_.is_contiguous() || ranks_.ranks == 1;
    for (int k = 0; k < divided_ && ranks_.ranks > 1; ++k)
      follow_each_other = follow_each_other && data_.extents[k] < 2;
    if (!follow_each_other) return;
    needs_updates_ = true;
    index_list extents{selected + random_.below(3) - (random_.one_in(8) && selected > 0 ? 1 : 0)};
    if (random_.one_in(3)) extents = {2, selected / 2 + 1};
    tensor<T> source(extents);
    source.fill(random_);
    compare("masked_scatter", source, draw_any_division(extents), as_bool(mask.view()), as_bool(own.view()),
            [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(with)>, T>) {
                return status();
              } else {
                return mpi::try_masked_scatter(ex, data, at, with, to);
              }
            });
  }

  void caches() {
    draw_data();
    const int rank = data_.extents.size();
    if (rank < 2) return;
    needs_updates_ = true;
    const int axis = 1 + static_cast<int>(random_.below(rank - 1));
    const std::int64_t length = data_.extents[axis];
    const bool is_circular = random_.one_in(2) && length > 0;
    index_list extents = data_.extents;
    extents[axis] = random_.below(length + 1);
    tensor<T> update(extents);
    update.fill(random_);
    const std::int64_t samples = extents[0];
    tensor<std::int64_t> starts(index_list{samples});
    for (std::int64_t& each : starts.values) {
      each = is_circular ? random_.below(3 * length) : random_.below(length - extents[axis] + 1);
      if (random_.one_in(25)) each = -3;
    }
    division of_update{0, distribution::replicated(samples)};
    if (divided_ == 0 || (divided_ != axis && random_.one_in(2))) {
      of_update = {divided_, over_};
    } else if (!random_.one_in(4)) {
      const int along = static_cast<int>(random_.below(rank));
      of_update = {along, draw_division(random_, extents[along], ranks_)};
    }
    const bool is_divided =
        of_update.axis == 0 && !of_update.over.is_replicated() && (divided_ == 0 || random_.one_in(2));
    part<std::int64_t> own(random_, starts, {0, is_divided ? of_update.over : distribution::replicated(samples)},
                           ranks_);
    const onnx::tensor_scatter_options options{is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear,
                                               axis};
    compare("onnx::tensor_scatter", update, of_update, starts.view(), own.view(),
            [&](auto& ex, auto& data, auto& at, auto& with, auto& to) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(with)>, T>) {
                return status();
              } else {
                return mpi::onnx::try_tensor_scatter(ex, data, with, at, options, to);
              }
            });
  }

  random_source& random_;
  const world& ranks_;
  bool needs_value_ = false;
  bool needs_updates_ = false;
  memory workspace_ = memory::none;
  bool is_limited_ = false;
  tensor<T> data_{index_list{0}};
  int divided_ = 0;
  distribution over_;
};

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  return run_cases(count, arguments, "distributed_scatters", [](random_source& random, const world& ranks) {
    switch (random.below(3)) {
      case 0:
        return scatter_case<float>(random, ranks).run();
      case 1:
        return scatter_case<std::int32_t>(random, ranks).run();
      default:
        return scatter_case<double>(random, ranks).run();
    }
  });
}
