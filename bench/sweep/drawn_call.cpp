// SPDX-License-Identifier: Apache-2.0
#include "drawn_call.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace strew::bench::sweep {

const char* name_of(operation which) {
  static const char* const names[] = {"slice_scatter",
                                      "select_scatter",
                                      "diagonal_scatter",
                                      "scatter_update",
                                      "index_copy",
                                      "index_add",
                                      "index_reduce",
                                      "index_fill",
                                      "scatter_elements_update",
                                      "v12::scatter_elements_update",
                                      "onnx::scatter",
                                      "onnx::scatter_elements",
                                      "scatter",
                                      "scatter_add",
                                      "scatter_reduce",
                                      "put_along_axis",
                                      "v3::scatter_nd_update",
                                      "v15::scatter_nd_update",
                                      "onnx::scatter_nd",
                                      "index_put",
                                      "put",
                                      "masked_scatter",
                                      "masked_fill",
                                      "onnx::tensor_scatter"};
  return names[static_cast<int>(which)];
}
const char* name_of(combining how) {
  static const char* const names[] = {"none", "sum", "sub", "prod", "min", "max", "mean"};
  return names[static_cast<int>(how)];
}
const char* name_of(element type) {
  static const char* const names[] = {"uint8",    "int8",    "int16",   "int32",     "int64",     "float16",
                                      "bfloat16", "float32", "float64", "complex64", "complex128"};
  return names[static_cast<int>(type)];
}
std::int64_t size_of(element type) {
  static constexpr std::int64_t sizes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(type)];
}
const char* name_of(form how) {
  static const char* const names[] = {"plain", "workspace", "prepared", "bound", "value"};
  return names[static_cast<int>(how)];
}
std::int64_t size_of(const extents& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}
bool has_mask(operation which) {
  return which == operation::masked_scatter || which == operation::masked_fill;
}
bool is_fill(operation which) {
  return which == operation::index_fill || which == operation::masked_fill;
}

namespace {

constexpr std::int64_t least_elements = 16;
constexpr std::int64_t most_elements = 3'000'000;  // of data, and of updates

// The same numbers with every standard library, so that a seed repeats a case on each machine.
class source {
 public:
  source(std::uint64_t seed, std::uint64_t number) : engine_(seed * 0x9e3779b97f4a7c15U + number) {
    engine_.discard(8);
  }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::int64_t below(std::int64_t n) {
    return std::min(n - 1, static_cast<std::int64_t>(unit() * static_cast<double>(n)));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(double share) { return unit() < share; }
  // As many of each power of two.
  std::int64_t log_between(std::int64_t low, std::int64_t high) {
    if (high <= low) return low;
    const double a = std::log(static_cast<double>(low));
    const double b = std::log(static_cast<double>(high) + 1);
    return std::clamp(static_cast<std::int64_t>(std::exp(a + unit() * (b - a))), low, high);
  }
  template <class T>
  T pick(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<std::int64_t>(all.size()))];
  }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

// Extents whose product is near `total`: narrow axes, of 1 to 8, in any place, and long ones.
extents draw_extents(source& random, std::int64_t rank, std::int64_t total) {
  extents shape(at(rank), 1);
  std::vector<double> weights(at(rank), 0);
  double rest = static_cast<double>(total);
  const std::int64_t longest = random.below(rank);
  for (std::int64_t k = 0; k < rank; ++k) {
    if (k != longest && random.chance(0.35)) {
      shape[at(k)] = std::min<std::int64_t>(random.between(1, 8), std::max<std::int64_t>(1, total / 2));
      rest /= static_cast<double>(shape[at(k)]);
    } else {
      weights[at(k)] = -std::log(1 - random.unit()) + 0.05;
    }
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::int64_t k = 0; k < rank; ++k) {
    if (weights[at(k)] == 0) continue;
    const double extent = std::pow(std::max(rest, 1.0), weights[at(k)] / sum);
    shape[at(k)] = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(extent)));
  }
  return shape;
}

// Where each axis stands in memory, from the outermost one on.
operand place(source& random, const extents& shape, bool ordinary) {
  operand placed;
  placed.shape = shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  placed.strides.assign(shape.size(), 0);
  std::vector<std::int64_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  extents stored = shape;
  extents steps(shape.size(), 1);
  const int how = ordinary || rank == 0 ? 0 : static_cast<int>(random.below(6));
  std::vector<bool> backwards(shape.size(), false);
  switch (how) {
    case 1:
      placed.layout = "permuted";
      random.shuffle(order);
      break;
    case 2:
      placed.layout = "column-major";
      std::reverse(order.begin(), order.end());
      break;
    case 3: {
      placed.layout = "every second element";
      const std::int64_t k = random.chance(0.7) ? rank - 1 : random.below(rank);
      stored[at(k)] *= 2;
      steps[at(k)] = 2;
      break;
    }
    case 4:
      placed.layout = "padded";
      stored[at(rank - 1)] += random.between(1, 16);
      break;
    case 5:
      placed.layout = "negative strides";
      backwards[at(random.below(rank))] = true;
      break;
    default:
      break;
  }
  std::int64_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t axis = at(order[k]);
    placed.strides[axis] = stride * steps[axis];
    stride *= stored[axis];
  }
  placed.memory = stride;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!backwards[k]) continue;
    placed.first += (shape[k] - 1) * placed.strides[k];
    placed.strides[k] = -placed.strides[k];
  }
  return placed;
}

// Indices below `extent`, in row-major order of what is stored.
std::vector<std::int64_t> draw_values(source& random, const std::string& kind, std::int64_t count,
                                      std::int64_t extent) {
  std::vector<std::int64_t> values(at(count));
  if (kind == "permuted") {
    std::vector<std::int64_t> all(at(extent));
    std::iota(all.begin(), all.end(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % extent == 0) random.shuffle(all);
      values[at(i)] = all[at(i % extent)];
    }
  } else if (kind == "few") {
    const std::int64_t different = std::min<std::int64_t>(extent, random.between(1, 8));
    std::vector<std::int64_t> some(at(different));
    for (std::int64_t& each : some) each = random.below(extent);
    for (std::int64_t& each : values) each = some[at(random.below(different))];
  } else if (kind == "Zipf") {
    // The k-th most frequent one about as often as 1 / k.
    for (std::int64_t& each : values) {
      const std::int64_t rank = random.log_between(1, extent) - 1;
      each = static_cast<std::int64_t>((static_cast<std::uint64_t>(rank) * 0x9e3779b97f4a7c15U >> 16) %
                                       static_cast<std::uint64_t>(extent));
    }
  } else {
    for (std::int64_t& each : values) each = random.below(extent);
    if (kind == "sorted") std::sort(values.begin(), values.end());
  }
  return values;
}

// An operand of indices whose axes with `expanded` have stride 0, and its values.
void add_indices(source& random, drawn_call& call, const extents& shape, const std::vector<bool>& expanded,
                 std::int64_t extent, bool ordinary) {
  extents stored = shape;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (expanded[k]) stored[k] = 1;
  }
  operand placed = place(random, stored, ordinary);
  placed.shape = shape;
  bool is_expanded = false;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!expanded[k]) continue;
    placed.strides[k] = 0;
    is_expanded = is_expanded || shape[k] > 1;
  }
  if (is_expanded) placed.layout += ", expanded";
  call.values.push_back(draw_values(random, call.kind_of_indices, size_of(stored), extent));
  call.indices.push_back(std::move(placed));
}

void draw_reduction(source& random, drawn_call& call) {
  using enum combining;
  switch (call.which) {
    case operation::index_add:
    case operation::scatter_add:
      call.reduce = sum;
      break;
    case operation::index_reduce:
      call.reduce = random.pick({prod, min, max, mean});
      call.include_init = random.chance(0.6);
      break;
    case operation::scatter_reduce:
      call.reduce = random.pick({sum, prod, min, max, mean});
      call.include_init = random.chance(0.6);
      break;
    case operation::v12_scatter_elements_update:
      call.reduce = random.pick({none, sum, prod, min, max, mean});
      call.include_init = call.reduce == none || random.chance(0.6);
      break;
    case operation::v15_scatter_nd_update:
      call.reduce = random.pick({none, sum, sub, prod, min, max});
      break;
    case operation::onnx_scatter_elements:
    case operation::onnx_scatter_nd:
      call.reduce = random.pick({none, sum, prod, min, max});
      break;
    case operation::index_put:
    case operation::put:
      call.reduce = random.pick({none, sum});
      break;
    default:
      break;
  }
}

void draw_type(source& random, drawn_call& call) {
  using enum element;
  if (call.reduce == combining::mean) {
    call.type = random.pick({float32, float32, float64, float16, bfloat16});
  } else if (call.reduce == combining::min || call.reduce == combining::max) {
    call.type = random.pick({float32, float32, float64, float16, bfloat16, uint8, int8, int16, int32, int64});
  } else if (call.reduce != combining::none) {
    call.type = random.pick(
        {float32, float32, float32, float64, float16, bfloat16, uint8, int32, int64, complex64, complex128});
  } else {
    call.type = random.pick({float32, float32, float32, float64, float16, uint8, int16, int32, int64, complex128});
  }
}

// How many updates along an axis of this extent, where each is `weight` elements. Some of the calls are histograms and
// sums of segments, with many more updates than targets.
std::int64_t draw_count(source& random, std::int64_t extent, std::int64_t weight, std::int64_t most) {
  const std::int64_t room = std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, weight));
  return random.log_between(1, random.chance(0.3) ? room : std::min(2 * extent, room));
}

void draw_places(source& random, drawn_call& call, std::int64_t most, bool ordinary) {
  const extents& data = call.data.shape;
  const auto rank = static_cast<std::int64_t>(data.size());
  call.kind_of_indices = random.pick({"random", "random", "permuted", "sorted", "few", "Zipf"});
  call.axis = static_cast<int>(random.below(rank));
  const std::int64_t extent = data[at(call.axis)];
  extents updates = data;
  const auto stored = [](std::size_t count) { return std::vector<bool>(count, false); };
  switch (call.which) {
    case operation::slice_scatter: {
      std::vector<std::int64_t> axes(at(rank));
      std::iota(axes.begin(), axes.end(), 0);
      random.shuffle(axes);
      axes.resize(at(random.between(1, std::min<std::int64_t>(2, rank))));
      for (const std::int64_t k : axes) {
        drawn_slice slice{static_cast<int>(k), 0, random.pick<std::int64_t>({1, 1, 1, 2, 3, -1}), 1};
        const std::int64_t step = std::abs(slice.step);
        slice.length = random.log_between(1, (data[at(k)] + step - 1) / step);
        const std::int64_t first = random.between(0, data[at(k)] - 1 - (slice.length - 1) * step);
        slice.start = slice.step > 0 ? first : first + (slice.length - 1) * step;
        updates[at(k)] = slice.length;
        call.slices.push_back(slice);
      }
      break;
    }
    case operation::select_scatter:
      call.place = random.below(extent);
      updates.erase(updates.begin() + call.axis);
      break;
    case operation::diagonal_scatter: {
      call.second_axis = static_cast<int>((call.axis + random.between(1, rank - 1)) % rank);
      const std::int64_t other = data[at(call.second_axis)];
      call.place = random.between(-std::min<std::int64_t>(extent - 1, 3), std::min<std::int64_t>(other - 1, 3));
      const std::int64_t length =
          std::min(extent + std::min<std::int64_t>(call.place, 0), other - std::max<std::int64_t>(call.place, 0));
      extents kept;
      for (std::int64_t k = 0; k < rank; ++k) {
        if (k != call.axis && k != call.second_axis) kept.push_back(data[at(k)]);
      }
      kept.push_back(length);
      updates = kept;
      break;
    }
    case operation::scatter_update:
    case operation::index_copy:
    case operation::index_add:
    case operation::index_reduce:
    case operation::index_fill: {
      const std::int64_t count = draw_count(random, extent, size_of(data) / extent, most);
      extents shape{count};
      if (call.which == operation::scatter_update && count % 2 == 0 && random.chance(0.3)) shape = {2, count / 2};
      add_indices(random, call, shape, stored(shape.size()), extent, ordinary);
      updates.erase(updates.begin() + call.axis);
      updates.insert(updates.begin() + call.axis, shape.begin(), shape.end());
      break;
    }
    case operation::v3_scatter_nd_update:
    case operation::v15_scatter_nd_update:
    case operation::onnx_scatter_nd:
    case operation::index_put: {
      const std::int64_t depth = random.between(1, rank);
      std::int64_t targets = 1;
      for (std::int64_t k = 0; k < depth; ++k) targets *= data[at(k)];
      const std::int64_t count = draw_count(random, targets, size_of(data) / targets, most);
      extents shape{count};
      if (random.chance(0.3)) shape = draw_extents(random, 2, count);
      if (call.which == operation::index_put) {
        // Rows by columns, as np.ix_ has them, or all stored.
        const bool by_axes = depth == 2 && shape.size() == 2 && random.chance(0.6);
        for (std::int64_t k = 0; k < depth; ++k) {
          std::vector<bool> expanded(shape.size(), false);
          if (by_axes) expanded[at(1 - k)] = true;
          add_indices(random, call, shape, expanded, data[at(k)], ordinary);
        }
      } else {
        extents tuples = shape;
        tuples.push_back(depth);
        // Values of one component after the other.
        std::vector<std::vector<std::int64_t>> each;
        for (std::int64_t k = 0; k < depth; ++k) {
          each.push_back(draw_values(random, call.kind_of_indices, size_of(shape), data[at(k)]));
        }
        std::vector<std::int64_t> values(at(size_of(tuples)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = each[i % at(depth)][i / at(depth)];
        call.indices.push_back(place(random, tuples, ordinary));
        call.values.push_back(std::move(values));
      }
      updates.assign(shape.begin(), shape.end());
      updates.insert(updates.end(), data.begin() + depth, data.end());
      break;
    }
    case operation::put: {
      extents shape{draw_count(random, size_of(data), 1, most)};
      if (random.chance(0.3)) shape = draw_extents(random, 2, shape[0]);
      add_indices(random, call, shape, stored(shape.size()), size_of(data), ordinary);
      updates = shape;
      break;
    }
    case operation::masked_scatter:
    case operation::masked_fill: {
      std::vector<bool> expanded(at(rank), false);
      if (rank > 1 && random.chance(0.3)) expanded[at(random.chance(0.7) ? rank - 1 : random.below(rank))] = true;
      call.kind_of_indices = "mask";
      const double share = random.pick({0.01, 0.1, 0.5, 0.5, 0.9, 0.99});
      extents kept = data;
      std::int64_t repeated = 1;
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (expanded[k]) repeated *= std::exchange(kept[k], 1);
      }
      operand mask = place(random, kept, ordinary);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (expanded[k]) mask.strides[k] = 0;
      }
      if (repeated > 1) mask.layout += ", expanded";
      mask.shape = data;
      std::vector<std::int64_t> values(at(size_of(kept)));
      std::int64_t selected = 0;
      for (std::int64_t& each : values) selected += each = random.chance(share) ? 1 : 0;
      call.indices.push_back(std::move(mask));
      call.values.push_back(std::move(values));
      updates = {std::max<std::int64_t>(1, selected * repeated)};
      break;
    }
    case operation::tensor_scatter: {
      // A cache: batches first, positions along another axis.
      call.axis = static_cast<int>(random.between(1, rank - 1));
      const std::int64_t positions = data[at(call.axis)];
      updates[at(call.axis)] = random.log_between(1, positions);
      const std::int64_t room = positions - updates[at(call.axis)];
      std::vector<std::int64_t> values(at(data[0]));
      for (std::int64_t& each : values) each = random.between(0, room);
      call.indices.push_back(place(random, {data[0]}, true));
      call.values.push_back(std::move(values));
      call.kind_of_indices = "starts";
      break;
    }
    default: {  // elements
      for (std::int64_t k = 0; k < rank; ++k) {
        if (k != call.axis && random.chance(0.1)) updates[at(k)] = random.log_between(1, data[at(k)]);
      }
      updates[at(call.axis)] = 1;
      updates[at(call.axis)] = draw_count(random, extent, size_of(updates), most);
      if (call.which == operation::scatter_elements_update) {
        updates[at(call.axis)] = std::min(updates[at(call.axis)], extent);  // a rule of its document
      }
      std::vector<bool> expanded(at(rank), false);
      if (rank > 1 && random.chance(0.3)) {
        for (std::int64_t k = 0; k < rank; ++k) expanded[at(k)] = k != call.axis;
      }
      add_indices(random, call, updates, expanded, extent, ordinary);
    }
  }
  if (is_fill(call.which)) updates.clear();
  call.updates = place(random, updates, ordinary || call.which == operation::masked_scatter);
}

}  // namespace

std::int64_t updated_elements(const drawn_call& call) {
  if (call.which == operation::masked_fill) {
    std::int64_t selected = 0;
    for (const std::int64_t each : call.values[0]) selected += each;
    const auto stored = static_cast<std::int64_t>(call.values[0].size());
    return selected * (size_of(call.data.shape) / std::max<std::int64_t>(1, stored));
  }
  if (call.which == operation::index_fill) {
    return size_of(call.data.shape) / call.data.shape[at(call.axis)] * size_of(call.indices[0].shape);
  }
  return size_of(call.updates.shape);
}

std::int64_t moved_bytes(const drawn_call& call) {
  const std::int64_t copied = call.in_place ? 0 : size_of(call.data.shape);
  return (updated_elements(call) + copied) * size_of(call.type);
}

drawn_call draw_call(std::uint64_t seed, std::uint64_t number) {
  source random(seed, number);
  drawn_call call;
  call.seed = seed;
  call.number = number;
  call.which = static_cast<operation>(random.below(operations));
  draw_reduction(random, call);
  draw_type(random, call);
  call.wide_indices = random.chance(0.6);
  call.how =
      random.pick({form::plain, form::plain, form::plain, form::workspace, form::prepared, form::bound, form::value});
  call.threads = random.chance(0.7) ? 1 : 2;
  call.in_place = random.chance(0.6);
  const bool needs_two = call.which == operation::diagonal_scatter || call.which == operation::tensor_scatter;
  const std::int64_t rank = random.between(needs_two ? 2 : 1, 4);
  const std::int64_t total = random.log_between(least_elements, most_elements);
  const extents shape = draw_extents(random, rank, total);
  // Half of the calls have row-major tensors only.
  const bool ordinary = random.chance(0.5);
  call.data = place(random, shape, ordinary);
  draw_places(random, call, most_elements, ordinary);
  call.output = call.in_place ? call.data : place(random, shape, ordinary);
  // Forms that an operator does not have.
  const bool unindexed = call.which <= operation::diagonal_scatter;
  const bool by_mask = has_mask(call.which);
  if (call.how == form::bound && (unindexed || by_mask || call.which == operation::tensor_scatter)) {
    call.how = form::plain;
  }
  if (call.how == form::value &&
      (is_fill(call.which) || by_mask || call.which == operation::tensor_scatter || unindexed)) {
    call.how = form::plain;
  }
  if (call.how == form::prepared) {
    call.type = element::float32;
    call.wide_indices = true;
    if (call.which == operation::index_put) call.how = form::plain;
  }
  return call;
}

namespace {

std::string text_of(const extents& all) {
  std::string text = "[";
  for (std::size_t k = 0; k < all.size(); ++k) text += (k > 0 ? ", " : "") + std::to_string(all[k]);
  return text + "]";
}
std::string text_of(const operand& of) {
  std::string text = text_of(of.shape);
  if (of.layout != "row-major") text += " (" + of.layout + ")";
  return text;
}

}  // namespace

std::string text_of(const drawn_call& call) {
  std::string text = std::string(name_of(call.which)) + " " + name_of(call.type) + " " + text_of(call.data);
  if (!call.in_place) text += " to " + text_of(call.output);
  switch (call.which) {
    case operation::slice_scatter:
      for (const drawn_slice& each : call.slices) {
        text += ", axis " + std::to_string(each.axis) + " from " + std::to_string(each.start) + " by " +
                std::to_string(each.step);
      }
      break;
    case operation::diagonal_scatter:
      text += ", axes " + std::to_string(call.axis) + " and " + std::to_string(call.second_axis) + ", offset " +
              std::to_string(call.place);
      break;
    case operation::select_scatter:
      text += ", axis " + std::to_string(call.axis) + " at " + std::to_string(call.place);
      break;
    default:
      if (!has_mask(call.which) && call.which != operation::put && call.which < operation::v3_scatter_nd_update) {
        text += ", axis " + std::to_string(call.axis);
      } else if (call.which == operation::tensor_scatter) {
        text += ", axis " + std::to_string(call.axis);
      }
  }
  if (!call.indices.empty()) {
    text += ", " + call.kind_of_indices;
    if (!has_mask(call.which)) text += call.wide_indices ? " int64" : " int32";
    if (call.indices.size() > 1) text += " x" + std::to_string(call.indices.size());
    text += " " + text_of(call.indices[0]);
  }
  if (!is_fill(call.which)) text += call.how == form::value ? ", one value" : ", updates " + text_of(call.updates);
  if (call.reduce != combining::none) text += std::string(", ") + name_of(call.reduce);
  if (!call.include_init) text += " without init";
  if (call.in_place) text += ", in place";
  if (call.how != form::plain && call.how != form::value) text += std::string(", ") + name_of(call.how);
  if (call.threads > 1) text += ", " + std::to_string(call.threads) + " threads";
  return text;
}

}  // namespace strew::bench::sweep
