// SPDX-License-Identifier: Apache-2.0
#include "loops.hpp"

#include "element_types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// Compiled twice, with -O2 and with -O3: the command line names the namespace.
namespace strew::bench::sweep::STREW_SWEEP_LOOPS {
namespace {

constexpr std::size_t most_tensors = 4;

// An axis of the loops: its extent, and by how many elements each operand moves on it. Where the indices move their
// values are added to the place in the output, each times the stride of the axis that it is for.
struct axis {
  std::int64_t extent = 1;
  std::int64_t output = 0;
  std::int64_t updates = 0;
  std::array<std::int64_t, most_tensors> indices{};

  [[nodiscard]] bool moves_indices() const {
    return std::any_of(indices.begin(), indices.end(), [](std::int64_t stride) { return stride != 0; });
  }
};
struct nest {
  std::vector<axis> axes;
  std::int64_t output = 0;  // of the first element
  std::int64_t updates = 0;
  std::size_t tensors = 0;
  std::array<std::int64_t, most_tensors> first{};   // of the indices
  std::array<std::int64_t, most_tensors> stride{};  // of the axis of the output that an index is for
  std::array<std::int64_t, most_tensors> extent{};
};

std::size_t place(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

// ---- What a call is as nested loops

nest nest_of(const drawn_call& call) {
  const operand& out = call.output;
  const operand& with = call.updates;
  nest made;
  made.output = out.first;
  made.updates = with.first;
  const std::size_t rank = out.shape.size();
  const auto updates_stride = [&](std::size_t k) {
    return call.how == form::value || is_fill(call.which) ? 0 : with.strides[k];
  };
  switch (call.which) {
    case operation::slice_scatter:
      for (std::size_t k = 0; k < rank; ++k)
        made.axes.push_back({with.shape[k], out.strides[k], updates_stride(k), {}});
      for (const drawn_slice& each : call.slices) {
        axis& on = made.axes[place(each.axis)];
        made.output += each.start * on.output;
        on.output *= each.step;
      }
      break;
    case operation::select_scatter: {
      made.output += call.place * out.strides[place(call.axis)];
      std::size_t of_updates = 0;
      for (std::size_t k = 0; k < rank; ++k) {
        if (k == place(call.axis)) continue;
        made.axes.push_back({out.shape[k], out.strides[k], updates_stride(of_updates), {}});
        ++of_updates;
      }
      break;
    }
    case operation::diagonal_scatter: {
      const std::size_t a = place(call.axis);
      const std::size_t b = place(call.second_axis);
      made.output += std::max<std::int64_t>(-call.place, 0) * out.strides[a] +
                     std::max<std::int64_t>(call.place, 0) * out.strides[b];
      std::size_t of_updates = 0;
      for (std::size_t k = 0; k < rank; ++k) {
        if (k == a || k == b) continue;
        made.axes.push_back({out.shape[k], out.strides[k], updates_stride(of_updates), {}});
        ++of_updates;
      }
      made.axes.push_back({with.shape[of_updates], out.strides[a] + out.strides[b], updates_stride(of_updates), {}});
      break;
    }
    case operation::scatter_update:
    case operation::index_copy:
    case operation::index_add:
    case operation::index_reduce:
    case operation::index_fill: {
      const operand& indices = call.indices[0];
      made.tensors = 1;
      made.first[0] = indices.first;
      made.stride[0] = out.strides[place(call.axis)];
      made.extent[0] = out.shape[place(call.axis)];
      std::size_t of_updates = 0;
      for (std::size_t k = 0; k < rank; ++k) {
        if (k != place(call.axis)) {
          made.axes.push_back({out.shape[k], out.strides[k], is_fill(call.which) ? 0 : updates_stride(of_updates), {}});
          ++of_updates;
          continue;
        }
        for (std::size_t i = 0; i < indices.shape.size(); ++i) {
          made.axes.push_back(
              {indices.shape[i], 0, is_fill(call.which) ? 0 : updates_stride(of_updates), {indices.strides[i]}});
          ++of_updates;
        }
      }
      break;
    }
    case operation::v3_scatter_nd_update:
    case operation::v15_scatter_nd_update:
    case operation::onnx_scatter_nd:
    case operation::index_put: {
      const bool by_tuples = call.which != operation::index_put;
      const operand& first = call.indices[0];
      const std::size_t batch = by_tuples ? first.shape.size() - 1 : first.shape.size();
      made.tensors = by_tuples ? place(first.shape[batch]) : call.indices.size();
      for (std::size_t k = 0; k < made.tensors; ++k) {
        made.first[k] =
            by_tuples ? first.first + static_cast<std::int64_t>(k) * first.strides[batch] : call.indices[k].first;
        made.stride[k] = out.strides[k];
        made.extent[k] = out.shape[k];
      }
      for (std::size_t i = 0; i < batch; ++i) {
        axis on{first.shape[i], 0, updates_stride(i), {}};
        for (std::size_t k = 0; k < made.tensors; ++k) {
          on.indices[k] = by_tuples ? first.strides[i] : call.indices[k].strides[i];
        }
        made.axes.push_back(on);
      }
      for (std::size_t k = made.tensors; k < rank; ++k) {
        made.axes.push_back({out.shape[k], out.strides[k], updates_stride(batch + k - made.tensors), {}});
      }
      break;
    }
    case operation::put: {
      const operand& indices = call.indices[0];
      made.tensors = 1;
      made.first[0] = indices.first;
      made.stride[0] = 1;
      made.extent[0] = size_of(out.shape);
      for (std::size_t i = 0; i < indices.shape.size(); ++i) {
        made.axes.push_back({indices.shape[i], 0, updates_stride(i), {indices.strides[i]}});
      }
      break;
    }
    case operation::tensor_scatter: {
      made.tensors = 1;
      made.first[0] = call.indices[0].first;
      made.stride[0] = out.strides[place(call.axis)];
      made.extent[0] = out.shape[place(call.axis)] - with.shape[place(call.axis)] + 1;
      for (std::size_t k = 0; k < rank; ++k) {
        made.axes.push_back({with.shape[k], out.strides[k], updates_stride(k), {}});
      }
      made.axes[0].indices[0] = call.indices[0].strides[0];
      break;
    }
    case operation::masked_scatter:
    case operation::masked_fill:
      break;
    default:
      made.tensors = 1;
      made.first[0] = call.indices[0].first;
      made.stride[0] = out.strides[place(call.axis)];
      made.extent[0] = out.shape[place(call.axis)];
      for (std::size_t k = 0; k < rank; ++k) {
        made.axes.push_back({call.indices[0].shape[k],
                             k == place(call.axis) ? 0 : out.strides[k],
                             updates_stride(k),
                             {call.indices[0].strides[k]}});
      }
  }
  return made;
}

// The axes with the largest strides of the output outside. Those of the positions keep their order.
void order_by_output(nest& all) {
  const auto key = [&](const axis& of) {
    return std::abs(of.output == 0 && of.moves_indices() ? all.stride[0] : of.output);
  };
  std::vector<axis> positions;
  for (const axis& each : all.axes) {
    if (each.output == 0 && each.moves_indices()) positions.push_back(each);
  }
  std::stable_sort(all.axes.begin(), all.axes.end(), [&](const axis& a, const axis& b) { return key(a) > key(b); });
  std::size_t next = 0;
  for (axis& each : all.axes) {
    if (each.output == 0 && each.moves_indices()) each = positions[next++];
  }
}

// Without axes of extent 1, and with axes made one that are one run for every operand; two axes at least.
void merge_axes(nest& all) {
  std::vector<axis> kept;
  for (const axis& each : all.axes) {
    if (each.extent == 1) continue;
    bool one_run = !kept.empty() && kept.back().output == each.output * each.extent &&
                   kept.back().updates == each.updates * each.extent;
    for (std::size_t k = 0; one_run && k < all.tensors; ++k) {
      one_run = kept.back().indices[k] == each.indices[k] * each.extent;
    }
    if (one_run) {
      const std::int64_t outer = kept.back().extent;
      kept.back() = each;
      kept.back().extent *= outer;
    } else {
      kept.push_back(each);
    }
  }
  while (kept.size() < 2) kept.insert(kept.begin(), axis{});
  all.axes = kept;
}

// ---- Axes on which two operands move

struct axis_of_two {
  std::int64_t extent = 1;
  std::int64_t first = 0;
  std::int64_t second = 0;
};
using axes_of_two = std::vector<axis_of_two>;

// Without axes of extent 1, merged, two at least; in the order of the first operand's strides if wanted.
axes_of_two axes_of(const extents& shape, const extents& first, const extents& second, bool by_first) {
  axes_of_two all, kept;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] != 1) all.push_back({shape[k], first[k], second[k]});
  }
  if (by_first) {
    std::stable_sort(all.begin(), all.end(),
                     [](const axis_of_two& a, const axis_of_two& b) { return std::abs(a.first) > std::abs(b.first); });
  }
  for (const axis_of_two& each : all) {
    if (!kept.empty() && kept.back().first == each.first * each.extent &&
        kept.back().second == each.second * each.extent) {
      kept.back() = {kept.back().extent * each.extent, each.first, each.second};
    } else {
      kept.push_back(each);
    }
  }
  while (kept.size() < 2) kept.insert(kept.begin(), axis_of_two{});
  return kept;
}

// body(place of one operand, place of the other, axis) for each row along the last axis.
template <class Body>
void for_each_row(const axes_of_two& axes, std::size_t level, std::int64_t i, std::int64_t j, const Body& body) {
  const axis_of_two on = axes[level];
  if (level + 2 == axes.size()) {
    const axis_of_two row = axes[level + 1];
    for (std::int64_t k = 0; k < on.extent; ++k) body(i + k * on.first, j + k * on.second, row);
    return;
  }
  for (std::int64_t k = 0; k < on.extent; ++k) {
    for_each_row(axes, level + 1, i + k * on.first, j + k * on.second, body);
  }
}

// ---- The loops

template <class T, combining How>
struct combine {
  static constexpr bool copies = How == combining::none;

  void operator()(T& to, const T& with) const {
    if constexpr (How == combining::none) {
      to = with;
    } else if constexpr (How == combining::sum || How == combining::mean) {
      to = plus(to, with);
    } else if constexpr (How == combining::sub) {
      to = minus(to, with);
    } else if constexpr (How == combining::prod) {
      to = times(to, with);
    } else if constexpr (How == combining::min) {
      if (is_less(with, to)) to = with;
    } else {
      if (is_less(to, with)) to = with;
    }
  }
};
// What changes nothing: where calls without init begin.
template <class T, combining How>
T identity_of() {
  if constexpr (How == combining::prod) {
    return T(1.0F);
  } else if constexpr (How == combining::min || How == combining::max) {
    constexpr bool greatest = How == combining::min;
    if constexpr (std::is_integral_v<T>) {
      return greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    } else {
      return T(greatest ? HUGE_VALF : -HUGE_VALF);
    }
  } else {
    return T(0.0F);
  }
}

// A mean with a count for each element of the output: the sum, and the division, which leaves zeros in the counts. Sums
// of 16-bit floats are floats beside the output, so that only the mean is rounded.
template <class T>
struct begin_sum {
  static constexpr bool copies = false;
  const T* output;
  float* sums;
  bool from_data;  // where the data take part

  void operator()(T& to, const T&) const { sums[&to - output] = from_data ? static_cast<float>(to) : -0.0F; }
};
template <class T>
struct add_to_sum {
  static constexpr bool copies = false;
  const T* output;
  float* sums;

  void operator()(T& to, const T& with) const {
    if constexpr (is_small_float<T>) {
      sums[&to - output] += static_cast<float>(with);
    } else {
      to = plus(to, with);
    }
  }
};
template <class T>
struct add_and_count {
  static constexpr bool copies = false;
  add_to_sum<T> add;
  std::int32_t* counts;

  void operator()(T& to, const T& with) const {
    add(to, with);
    ++counts[&to - add.output];
  }
};
// With a divisor for each row.
template <class T>
struct divide {
  static constexpr bool copies = false;
  const T* output;
  const float* sums;

  void operator()(T& to, std::int32_t by) const {
    if constexpr (is_small_float<T>) {
      to = T(sums[&to - output] / static_cast<float>(by));
    } else {
      to = divided(to, by);
    }
  }
};
template <class T>
struct divide_by_count {
  static constexpr bool copies = false;
  divide<T> by;
  std::int32_t* counts;
  std::int32_t of_data;  // 1 where the data take part

  void operator()(T& to, const T&) const {
    std::int32_t& count = counts[&to - by.output];
    if (count == 0) return;
    by(to, count + of_data);
    count = 0;
  }
};

template <class Index>
using index_addresses = std::array<const Index*, most_tensors>;
using places = std::array<std::int64_t, most_tensors>;

// write(element of the output, element of what is read) for all updates.
template <class T, class With, class Index, class Write>
struct loops {
  const nest& all;
  index_addresses<Index> indices;
  const axes_of_two* unravel;  // extents and strides of the output where numbers of elements are to be unravelled
  Write write;

  [[nodiscard]] std::int64_t target(const places& from) const {
    std::int64_t found = 0;
    if (unravel != nullptr) {
      auto number = static_cast<std::int64_t>(indices[0][from[0]]);
      for (std::size_t k = unravel->size(); k-- > 1;) {
        const axis_of_two& on = (*unravel)[k];
        found += number % on.extent * on.first;
        number /= on.extent;
      }
      return found + number * (*unravel)[0].first;
    }
    for (std::size_t k = 0; k < all.tensors; ++k) {
      found += static_cast<std::int64_t>(indices[k][from[k]]) * all.stride[k];
    }
    return found;
  }

  // The two innermost loops. What they read is copied before, so that it stays in registers beside the writes.
  void rows(const axis a, const axis b, T* const to, const With* const from, places at) const {
    const Write put = write;
    const std::size_t tensors = all.tensors;
    const bool is_single = tensors == 1 && unravel == nullptr;
    const Index* const index = is_single ? indices[0] + at[0] : nullptr;
    const std::int64_t stride = all.stride[0];
    const bool moves = a.moves_indices();
    std::int64_t found = target(at);
    for (std::int64_t i = 0; i < a.extent; ++i) {
      if (is_single) {
        found = static_cast<std::int64_t>(index[i * a.indices[0]]) * stride;
      } else if (moves && i > 0) {
        for (std::size_t k = 0; k < tensors; ++k) at[k] += a.indices[k];
        found = target(at);
      }
      T* const row = to + i * a.output + found;
      const With* const source = from + i * a.updates;
      if (b.output == 1 && b.updates == 1) {
        if constexpr (Write::copies) {
          if (b.extent >= 16) {
            std::copy_n(source, b.extent, row);
            continue;
          }
        }
        for (std::int64_t j = 0; j < b.extent; ++j) put(row[j], source[j]);
      } else if (b.updates == 0) {
        const With value = *source;
        for (std::int64_t j = 0; j < b.extent; ++j) put(row[j * b.output], value);
      } else {
        for (std::int64_t j = 0; j < b.extent; ++j) put(row[j * b.output], source[j * b.updates]);
      }
    }
  }
  void elements(const axis a, const axis b, T* const to, const With* const from, const places& at) const {
    const Write put = write;
    const std::int64_t stride = all.stride[0];
    for (std::int64_t i = 0; i < a.extent; ++i) {
      const Index* index = indices[0] + at[0] + i * a.indices[0];
      T* row = to + i * a.output;
      const With* source = from + i * a.updates;
      if (b.indices[0] == 1 && b.output == 0 && b.updates == 1) {
        for (std::int64_t j = 0; j < b.extent; ++j) put(row[static_cast<std::int64_t>(index[j]) * stride], source[j]);
        continue;
      }
      for (std::int64_t j = 0; j < b.extent; ++j) {
        put(row[static_cast<std::int64_t>(*index) * stride], *source);
        index += b.indices[0];
        row += b.output;
        source += b.updates;
      }
    }
  }
  template <std::size_t Tensors>
  void tuples(const axis a, const axis b, T* const to, const With* const from, const places& at) const {
    const Write put = write;
    const places stride = all.stride;
    for (std::int64_t i = 0; i < a.extent; ++i) {
      index_addresses<Index> here = indices;
      for (std::size_t k = 0; k < Tensors; ++k) here[k] += at[k] + i * a.indices[k];
      T* row = to + i * a.output;
      const With* source = from + i * a.updates;
      for (std::int64_t j = 0; j < b.extent; ++j) {
        std::int64_t found = 0;
        for (std::size_t k = 0; k < Tensors; ++k) {
          found += static_cast<std::int64_t>(*here[k]) * stride[k];
          here[k] += b.indices[k];
        }
        put(row[found], *source);
        row += b.output;
        source += b.updates;
      }
    }
  }
  void unravelled(const axis a, const axis b, T* const to, const With* const from, const places& at) const {
    for (std::int64_t i = 0; i < a.extent; ++i) {
      for (std::int64_t j = 0; j < b.extent; ++j) {
        const std::int64_t found = target({at[0] + i * a.indices[0] + j * b.indices[0]});
        write(to[found + i * a.output + j * b.output], from[i * a.updates + j * b.updates]);
      }
    }
  }
  void run(std::size_t level, T* const to, const With* const from, places at) const {
    const axis a = all.axes[level];
    if (level + 2 == all.axes.size()) {
      const axis b = all.axes[level + 1];
      if (!b.moves_indices()) return rows(a, b, to, from, at);
      if (unravel != nullptr) return unravelled(a, b, to, from, at);
      if (all.tensors == 1) return elements(a, b, to, from, at);
      if (all.tensors == 2) return tuples<2>(a, b, to, from, at);
      return all.tensors == 3 ? tuples<3>(a, b, to, from, at) : tuples<4>(a, b, to, from, at);
    }
    for (std::int64_t i = 0; i < a.extent; ++i) {
      run(level + 1, to + i * a.output, from + i * a.updates, at);
      for (std::size_t k = 0; k < all.tensors; ++k) at[k] += a.indices[k];
    }
  }
};

bool is_run(const operand& of) {
  std::int64_t stride = 1;
  for (std::size_t k = of.shape.size(); k-- > 0;) {
    if (of.shape[k] != 1 && of.strides[k] != stride) return false;
    stride *= of.shape[k];
  }
  return true;
}

// The data, where the call is not in place.
template <class T>
std::function<void()> copy_of_data(const drawn_call& call, const memory_of_call& at, bool by_output) {
  if (call.in_place) return [] {};
  const axes_of_two axes = axes_of(call.output.shape, call.output.strides, call.data.strides, by_output);
  T* const output = reinterpret_cast<T*>(at.output) + call.output.first;
  const T* const data = reinterpret_cast<const T*>(at.data) + call.data.first;
  return [=] {
    for_each_row(axes, 0, 0, 0, [&](std::int64_t i, std::int64_t j, const axis_of_two row) {
      T* const to = output + i;
      const T* const from = data + j;
      if (row.first == 1 && row.second == 1) {
        std::copy_n(from, row.extent, to);
      } else {
        for (std::int64_t k = 0; k < row.extent; ++k) to[k * row.first] = from[k * row.second];
      }
    });
  };
}

// Whether all indices are below the extents of their axes, in the order of their memory: prepared, as it is timed.
template <class Index>
struct check_of_indices {
  struct tensor {
    axes_of_two axes;
    const Index* first;
    std::make_unsigned_t<Index> limit;
  };
  std::vector<tensor> tensors;

  check_of_indices(const nest& all, const index_addresses<Index>& indices) {
    for (std::size_t k = 0; k < all.tensors; ++k) {
      extents shape, strides;
      for (const axis& each : all.axes) {
        if (each.indices[k] == 0) continue;
        shape.push_back(each.extent);
        strides.push_back(each.indices[k]);
      }
      tensors.push_back({axes_of(shape, strides, strides, true), indices[k] + all.first[k],
                         static_cast<std::make_unsigned_t<Index>>(all.extent[k])});
    }
  }
  [[nodiscard]] bool passes() const {
    bool is_illegal = false;
    for (const tensor& each : tensors) {
      const auto limit = each.limit;
      for_each_row(each.axes, 0, 0, 0, [&](std::int64_t i, std::int64_t, const axis_of_two row) {
        const Index* const at = each.first + i;
        bool found = false;
        if (row.first == 1) {
          for (std::int64_t k = 0; k < row.extent; ++k) found |= static_cast<decltype(limit)>(at[k]) >= limit;
        } else {
          for (std::int64_t k = 0; k < row.extent; ++k) {
            found |= static_cast<decltype(limit)>(at[k * row.first]) >= limit;
          }
        }
        is_illegal |= found;
      });
      if (is_illegal) return false;
    }
    return true;
  }
};

// The same targets, with one value for all.
nest with_one_value(nest all) {
  all.updates = 0;
  for (axis& each : all.axes) each.updates = 0;
  return all;
}

// A call as passes over its updates.
template <class T, class Index, combining How>
struct scatter_passes {
  bool counts_rows;  // index_reduce: all elements of a row have as many updates
  nest all, same_targets, different_rows;
  index_addresses<Index> indices{};
  axes_of_two unravel;
  T* output;
  const T* updates;
  bool include_init;
  std::vector<std::int32_t> counts;
  std::vector<float> sums;  // means of 16-bit floats
  std::vector<Index> rows;  // that have updates
  std::vector<std::int32_t> divisors;

  scatter_passes(const drawn_call& call, const memory_of_call& at, loop_order order)
      : counts_rows(call.which == operation::index_reduce),
        output(reinterpret_cast<T*>(at.output)),
        updates(reinterpret_cast<const T*>(at.updates)),
        include_init(call.include_init) {
    all = nest_of(call);
    if (order == loop_order::output) order_by_output(all);
    same_targets = with_one_value(all);
    if (How == combining::mean && counts_rows) {
      different_rows = same_targets;
      different_rows.first = {};
      for (axis& each : different_rows.axes) {
        if (each.moves_indices()) each = {each.extent, 0, 1, {1}};
      }
      merge_axes(different_rows);
      const std::int64_t most = size_of(call.indices[0].shape);
      rows.resize(place(most));
      divisors.resize(place(most));
      counts.resize(place(all.extent[0]));
    } else if (How == combining::mean) {
      counts.resize(place(call.output.memory));
    }
    if (How == combining::mean && is_small_float<T>) sums.resize(place(call.output.memory));
    merge_axes(all);
    merge_axes(same_targets);
    for (std::size_t k = 0; k < all.tensors; ++k) {
      const std::size_t of = call.which == operation::index_put ? k : 0;
      indices[k] = reinterpret_cast<const Index*>(at.indices[of]);
    }
    if (call.which == operation::put && !is_run(call.output)) {
      unravel = axes_of(call.output.shape, call.output.strides, call.output.strides, false);
    }
  }

  template <class With, class Write>
  void pass(const nest& over, const index_addresses<Index>& by, const With* from, const Write& write) const {
    const loops<T, With, Index, Write> run{over, by, unravel.empty() ? nullptr : &unravel, write};
    run.run(0, output + over.output, from + over.updates, over.first);
  }
  void run() {
    constexpr bool in_floats = How == combining::mean && is_small_float<T>;
    if constexpr (in_floats) pass(same_targets, indices, output, begin_sum<T>{output, sums.data(), include_init});
    if (!include_init && !in_floats) {
      const T identity = identity_of<T, How>();
      pass(same_targets, indices, &identity, combine<T, combining::none>{});
    }
    if constexpr (How != combining::mean) {
      pass(all, indices, updates, combine<T, How>{});
    } else if (counts_rows) {
      run_mean_of_rows();
    } else {
      const std::int32_t of_data = include_init ? 1 : 0;
      pass(all, indices, updates, add_and_count<T>{{output, sums.data()}, counts.data()});
      pass(same_targets, indices, output, divide_by_count<T>{{output, sums.data()}, counts.data(), of_data});
    }
  }
  void run_mean_of_rows() {
    pass(all, indices, updates, add_to_sum<T>{output, sums.data()});
    std::fill(counts.begin(), counts.end(), 0);
    std::size_t different = 0;
    const auto position =
        std::find_if(all.axes.begin(), all.axes.end(), [](const axis& a) { return a.moves_indices(); });
    const axis along = position == all.axes.end() ? axis{} : *position;
    for (std::int64_t i = 0; i < along.extent; ++i) {
      const Index row = indices[0][all.first[0] + i * along.indices[0]];
      if (counts[place(row)]++ == 0) rows[different++] = row;
    }
    for (std::size_t k = 0; k < different; ++k) divisors[k] = counts[place(rows[k])] + (include_init ? 1 : 0);
    for (axis& each : different_rows.axes) {
      if (each.moves_indices()) each.extent = static_cast<std::int64_t>(different);
    }
    pass(different_rows, {rows.data()}, divisors.data(), divide<T>{output, sums.data()});
  }
};

template <class T, class Index, combining How>
std::function<bool()> scatter_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  // All memory is of the preparation: what is timed allocates nothing.
  const auto passes = std::make_shared<scatter_passes<T, Index, How>>(call, at, order);
  const check_of_indices<Index> check(passes->all, passes->indices);
  const auto copy = copy_of_data<T>(call, at, order == loop_order::output);
  return [=] {
    if (checked && !check.passes()) return false;
    copy();
    passes->run();
    return true;
  };
}

template <class T>
std::function<bool()> mask_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  const operand& mask = call.indices[0];
  const bool is_filled = call.which == operation::masked_fill;
  // The elements of masked_scatter are taken in row-major order of the mask.
  const bool by_output = is_filled && order == loop_order::output;
  const axes_of_two axes = axes_of(call.output.shape, call.output.strides, mask.strides, by_output);
  // What the check counts: each element that is stored, once for all places of the axes of stride 0.
  const axes_of_two of_mask = axes_of(mask.shape, mask.strides, mask.strides, true);
  const std::int64_t most = size_of(call.updates.shape);
  const auto* const selects = reinterpret_cast<const bool*>(at.indices[0]) + mask.first;
  const T* const updates = reinterpret_cast<const T*>(at.updates) + call.updates.first;
  T* const output = reinterpret_cast<T*>(at.output) + call.output.first;
  const auto copy = copy_of_data<T>(call, at, order == loop_order::output);
  return [=] {
    if (checked && !is_filled) {
      std::int64_t selected = 0;
      for_each_row(of_mask, 0, 0, 0, [&](std::int64_t i, std::int64_t, const axis_of_two row) {
        const bool* const selecting = selects + i;
        std::int64_t of_row = 0;
        if (row.first == 1) {
          for (std::int64_t k = 0; k < row.extent; ++k) of_row += selecting[k] ? 1 : 0;
        } else {
          for (std::int64_t k = 0; k < row.extent; ++k) of_row += selecting[k * row.first] ? 1 : 0;
        }
        selected += of_row;
      });
      if (selected > most) return false;
    }
    copy();
    const T* next = updates;
    for_each_row(axes, 0, 0, 0, [&](std::int64_t i, std::int64_t j, const axis_of_two row) {
      T* const to = output + i;
      const bool* const selecting = selects + j;
      if (row.second == 0 && !*selecting) return;
      if (is_filled) {
        const T value = *updates;
        if (row.second == 0) {
          for (std::int64_t k = 0; k < row.extent; ++k) to[k * row.first] = value;
          return;
        }
        for (std::int64_t k = 0; k < row.extent; ++k) {
          if (selecting[k * row.second]) to[k * row.first] = value;
        }
        return;
      }
      const T* from = next;
      if (row.second == 0) {
        for (std::int64_t k = 0; k < row.extent; ++k) to[k * row.first] = *from++;
      } else {
        for (std::int64_t k = 0; k < row.extent; ++k) {
          if (selecting[k * row.second]) to[k * row.first] = *from++;
        }
      }
      next = from;
    });
    return true;
  };
}

template <class T, class Index>
std::function<bool()> typed_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  using enum combining;
  if (has_mask(call.which)) return mask_loops<T>(call, at, order, checked);
  switch (call.reduce) {
    case sum:
      return scatter_loops<T, Index, sum>(call, at, order, checked);
    case sub:
      return scatter_loops<T, Index, sub>(call, at, order, checked);
    case prod:
      return scatter_loops<T, Index, prod>(call, at, order, checked);
    case min:
      return scatter_loops<T, Index, min>(call, at, order, checked);
    case max:
      return scatter_loops<T, Index, max>(call, at, order, checked);
    case mean:
      return scatter_loops<T, Index, mean>(call, at, order, checked);
    default:
      return scatter_loops<T, Index, none>(call, at, order, checked);
  }
}

}  // namespace

std::function<bool()> loops_of(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  return with_type(call.type, [&]<class T>() {
    return call.wide_indices ? typed_loops<T, std::int64_t>(call, at, order, checked)
                             : typed_loops<T, std::int32_t>(call, at, order, checked);
  });
}

}  // namespace strew::bench::sweep::STREW_SWEEP_LOOPS
