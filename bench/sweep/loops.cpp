// SPDX-License-Identifier: Apache-2.0
#include "loops.hpp"

#include "element_types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::bench::sweep {
namespace {

constexpr std::size_t most_axes = 10;
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

// ---- The loops

template <class T, combining How>
inline void combine(T& to, const T& with) {
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

template <class T, class Index, combining How, bool Counts>
struct loops {
  const nest& all;
  T* output;
  const T* updates;
  std::array<const Index*, most_tensors> indices;
  const std::vector<std::int64_t>* unravel = nullptr;  // extents and strides of an output that is not one run
  std::int32_t* count = nullptr;                       // of the updates of each element of the output
  bool include_init = true;

  void write(T* to, const T& with) const {
    if constexpr (Counts) {
      std::int32_t& seen = count[to - output];
      if (seen++ == 0 && !include_init) {
        *to = with;
        return;
      }
    }
    combine<T, How>(*to, with);
  }
  [[nodiscard]] std::int64_t target(const std::array<std::int64_t, most_tensors>& from) const {
    std::int64_t found = 0;
    if (unravel != nullptr) {
      auto number = static_cast<std::int64_t>(indices[0][from[0]]);
      for (std::size_t k = unravel->size() / 2; k-- > 0;) {
        found += number % (*unravel)[2 * k] * (*unravel)[2 * k + 1];
        number /= (*unravel)[2 * k];
      }
      return found;
    }
    for (std::size_t k = 0; k < all.tensors; ++k) {
      found += static_cast<std::int64_t>(indices[k][from[k]]) * all.stride[k];
    }
    return found;
  }

  // The two innermost loops.
  void inner(const axis& a, const axis& b, T* to, const T* from, std::array<std::int64_t, most_tensors> at) const {
    if (!b.moves_indices()) {
      const bool a_moves = a.moves_indices();
      std::int64_t found = target(at);
      for (std::int64_t i = 0; i < a.extent; ++i) {
        if (a_moves && i > 0) {
          for (std::size_t k = 0; k < all.tensors; ++k) at[k] += a.indices[k];
          found = target(at);
        }
        T* const row = to + i * a.output + found;
        const T* const source = from + i * a.updates;
        if (b.output == 1 && b.updates == 1) {
          if (How == combining::none && !Counts && b.extent >= 16) {
            std::copy_n(source, b.extent, row);
          } else {
            for (std::int64_t j = 0; j < b.extent; ++j) write(row + j, source[j]);
          }
        } else if (b.updates == 0) {
          const T value = *source;
          for (std::int64_t j = 0; j < b.extent; ++j) write(row + j * b.output, value);
        } else {
          for (std::int64_t j = 0; j < b.extent; ++j) write(row + j * b.output, source[j * b.updates]);
        }
      }
      return;
    }
    if (all.tensors == 1 && unravel == nullptr) {
      for (std::int64_t i = 0; i < a.extent; ++i) {
        const Index* const index = indices[0] + at[0] + i * a.indices[0];
        T* const row = to + i * a.output;
        const T* const source = from + i * a.updates;
        for (std::int64_t j = 0; j < b.extent; ++j) {
          const auto selected = static_cast<std::int64_t>(index[j * b.indices[0]]);
          write(row + j * b.output + selected * all.stride[0], source[j * b.updates]);
        }
      }
      return;
    }
    for (std::int64_t i = 0; i < a.extent; ++i) {
      auto here = at;
      for (std::size_t k = 0; k < all.tensors; ++k) here[k] += i * a.indices[k];
      for (std::int64_t j = 0; j < b.extent; ++j) {
        write(to + i * a.output + j * b.output + target(here), from[i * a.updates + j * b.updates]);
        for (std::size_t k = 0; k < all.tensors; ++k) here[k] += b.indices[k];
      }
    }
  }
  void run(std::size_t level, T* to, const T* from, std::array<std::int64_t, most_tensors> at) const {
    const axis& a = all.axes[level];
    if (level + 2 == all.axes.size()) return inner(a, all.axes[level + 1], to, from, at);
    for (std::int64_t i = 0; i < a.extent; ++i) {
      run(level + 1, to + i * a.output, from + i * a.updates, at);
      for (std::size_t k = 0; k < all.tensors; ++k) at[k] += a.indices[k];
    }
  }
};

// Two axes at least.
void pad(nest& all) {
  while (all.axes.size() < 2) all.axes.insert(all.axes.begin(), axis{});
}

// out(i, j, ..) = body(its place, the other's place) for every coordinate, in the order of the first's strides if
// wanted.
template <class Body>
void for_each(const extents& shape, const extents& first, const extents& second, std::size_t level, std::int64_t i,
              std::int64_t j, const Body& body) {
  if (shape.empty()) return body(i, j);
  const std::int64_t a = first[level];
  const std::int64_t b = second[level];
  if (level + 1 == shape.size()) {
    for (std::int64_t k = 0; k < shape[level]; ++k) body(i + k * a, j + k * b);
    return;
  }
  for (std::int64_t k = 0; k < shape[level]; ++k) {
    for_each(shape, first, second, level + 1, i + k * a, j + k * b, body);
  }
}

struct sorted_axes {
  extents shape, first, second;
};
sorted_axes in_order(const extents& shape, const extents& first, const extents& second, bool by_first) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (by_first) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(first[a]) > std::abs(first[b]); });
  }
  sorted_axes sorted;
  for (const std::size_t k : order) {
    sorted.shape.push_back(shape[k]);
    sorted.first.push_back(first[k]);
    sorted.second.push_back(second[k]);
  }
  return sorted;
}

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
void copy_data(const drawn_call& call, const memory_of_call& at, bool by_output) {
  const T* const from = reinterpret_cast<const T*>(at.data);
  T* const to = reinterpret_cast<T*>(at.output);
  if (is_run(call.data) && is_run(call.output)) {
    std::copy_n(from + call.data.first, size_of(call.data.shape), to + call.output.first);
    return;
  }
  const sorted_axes axes = in_order(call.output.shape, call.output.strides, call.data.strides, by_output);
  for_each(axes.shape, axes.first, axes.second, 0, call.output.first, call.data.first,
           [&](std::int64_t i, std::int64_t j) { to[i] = from[j]; });
}

template <class Index>
bool are_legal(const nest& all, const std::array<const Index*, most_tensors>& indices) {
  for (std::size_t k = 0; k < all.tensors; ++k) {
    extents shape, strides;
    for (const axis& each : all.axes) {
      if (each.indices[k] == 0) continue;
      shape.push_back(each.extent);
      strides.push_back(each.indices[k]);
    }
    bool right = true;
    const auto limit = static_cast<std::uint64_t>(all.extent[k]);
    for_each(shape, strides, strides, 0, all.first[k], 0, [&](std::int64_t i, std::int64_t) {
      right = right && static_cast<std::uint64_t>(static_cast<std::int64_t>(indices[k][i])) < limit;
    });
    if (!right) return false;
  }
  return true;
}

template <class T, class Index, combining How, bool Counts>
std::function<bool()> scatter_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  nest all = nest_of(call);
  if (order == loop_order::output) order_by_output(all);
  pad(all);
  std::array<const Index*, most_tensors> indices{};
  for (std::size_t k = 0; k < all.tensors; ++k) {
    const std::size_t of = call.which == operation::index_put ? k : 0;
    indices[k] = reinterpret_cast<const Index*>(at.indices[of]);
  }
  std::vector<std::int64_t> unravel;
  if (call.which == operation::put && !is_run(call.output)) {
    for (std::size_t k = 0; k < call.output.shape.size(); ++k) {
      unravel.push_back(call.output.shape[k]);
      unravel.push_back(call.output.strides[k]);
    }
  }
  return [=] {
    if (checked && !are_legal(all, indices)) return false;
    const bool by_output = order == loop_order::output;
    if (!call.in_place) copy_data<T>(call, at, by_output);
    T* const output = reinterpret_cast<T*>(at.output);
    const T* const updates = reinterpret_cast<const T*>(at.updates);
    loops<T, Index, How, Counts> run{all, output, updates, indices};
    std::vector<std::int32_t> count(Counts ? place(call.output.memory) : 0, 0);
    run.count = count.data();
    run.include_init = call.include_init;
    run.unravel = unravel.empty() ? nullptr : &unravel;
    run.run(0, output + all.output, updates + all.updates, all.first);
    if constexpr (How == combining::mean) {
      for (std::size_t i = 0; i < count.size(); ++i) {
        if (count[i] > 0) output[i] = divided(output[i], count[i] + (call.include_init ? 1 : 0));
      }
    }
    return true;
  };
}

template <class T>
std::function<bool()> mask_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  const operand& mask = call.indices[0];
  const bool is_filled = call.which == operation::masked_fill;
  // The elements of masked_scatter are taken in row-major order of the mask.
  const bool by_output = is_filled && order == loop_order::output;
  const sorted_axes axes = in_order(call.output.shape, call.output.strides, mask.strides, by_output);
  return [=] {
    const auto* const selects = reinterpret_cast<const bool*>(at.indices[0]);
    const T* from = reinterpret_cast<const T*>(at.updates) + call.updates.first;
    if (checked && !is_filled) {
      std::int64_t selected = 0;
      for_each(axes.shape, axes.second, axes.second, 0, mask.first, 0,
               [&](std::int64_t i, std::int64_t) { selected += selects[i] ? 1 : 0; });
      if (selected > size_of(call.updates.shape)) return false;
    }
    if (!call.in_place) copy_data<T>(call, at, order == loop_order::output);
    T* const to = reinterpret_cast<T*>(at.output);
    if (is_filled) {
      const T value = *from;
      for_each(axes.shape, axes.first, axes.second, 0, call.output.first, mask.first,
               [&](std::int64_t i, std::int64_t j) {
                 if (selects[j]) to[i] = value;
               });
    } else {
      for_each(axes.shape, axes.first, axes.second, 0, call.output.first, mask.first,
               [&](std::int64_t i, std::int64_t j) {
                 if (selects[j]) to[i] = *from++;
               });
    }
    return true;
  };
}

template <class T, class Index>
std::function<bool()> typed_loops(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  using enum combining;
  if (has_mask(call.which)) return mask_loops<T>(call, at, order, checked);
  const auto with = [&]<combining How>() {
    if (How == mean || !call.include_init) return scatter_loops<T, Index, How, true>(call, at, order, checked);
    return scatter_loops<T, Index, How, false>(call, at, order, checked);
  };
  switch (call.reduce) {
    case sum:
      return with.template operator()<sum>();
    case sub:
      return with.template operator()<sub>();
    case prod:
      return with.template operator()<prod>();
    case min:
      return with.template operator()<min>();
    case max:
      return with.template operator()<max>();
    case mean:
      return with.template operator()<mean>();
    default:
      return scatter_loops<T, Index, none, false>(call, at, order, checked);
  }
}

}  // namespace

std::function<bool()> loops_of(const drawn_call& call, const memory_of_call& at, loop_order order, bool checked) {
  return with_type(call.type, [&]<class T>() {
    return call.wide_indices ? typed_loops<T, std::int64_t>(call, at, order, checked)
                             : typed_loops<T, std::int32_t>(call, at, order, checked);
  });
}

std::int64_t moved_bytes(const drawn_call& call) {
  const std::int64_t copied = call.in_place ? 0 : size_of(call.data.shape);
  return (updated_elements(call) + copied) * size_of(call.type);
}

}  // namespace strew::bench::sweep
