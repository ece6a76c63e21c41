// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace attack {

namespace {

constexpr std::int64_t most_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least_int64 = std::numeric_limits<std::int64_t>::min();

// About so many elements, on axes of different lengths.
void draw_shape(draws& random, int rank, std::int64_t elements, extents& result) {
  result.rank = rank;
  std::int64_t left = elements < 1 ? 1 : elements;
  int order[most_axes + 2];
  for (int k = 0; k < rank; ++k) order[k] = k;
  for (int k = rank; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  for (int k = 0; k < rank; ++k) {
    std::int64_t extent = 1;
    switch (random.below(4)) {
      case 0:
        extent = k + 1 == rank ? left : random.between(1, std::min<std::int64_t>(left, 4));
        break;
      case 1:
        extent = k + 1 == rank ? left : random.between(1, std::min<std::int64_t>(left, 64));
        break;
      default:
        extent = k + 1 == rank ? random.between(1, left) : 1 + random.skewed(left - 1);
    }
    result.at[order[k]] = extent;
    left /= extent;
  }
  if (rank > 0 && random.one_in(40)) result.at[random.below(rank)] = 0;
}

void draw_number_list(draws& random, int count, std::int64_t around, extents& result) {
  result.rank = count;
  for (int k = 0; k < count; ++k) {
    result.at[k] = random.one_in(16)
                       ? random.pick({most_int64, least_int64, std::int64_t{0x7fffffff}, -std::int64_t{0x80000000}})
                       : random.between(-around - 2, around + 2);
  }
}

reduce draw_reduction(draws& random, op which) {
  switch (which) {
    case op::index_add:
    case op::scatter_add:
      return reduce::sum;
    case op::index_reduce:
    case op::scatter_reduce:
      return random.pick({reduce::sum, reduce::prod, reduce::min, reduce::max, reduce::mean});
    case op::elements_v12:
      return random.pick({reduce::none, reduce::sum, reduce::prod, reduce::min, reduce::max, reduce::mean});
    case op::onnx_elements:
    case op::onnx_nd:
      return random.pick({reduce::none, reduce::sum, reduce::prod, reduce::min, reduce::max});
    case op::nd_v14:
      return random.pick({reduce::none, reduce::sum, reduce::sub, reduce::prod, reduce::min, reduce::max});
    case op::index_put:
    case op::put:
      return random.pick({reduce::none, reduce::sum});
    default:
      return reduce::none;
  }
}

bool always_sums(op which) {
  return which == op::index_add || which == op::scatter_add;
}

bool may_omit_init(op which, reduce by) {
  return by != reduce::none && (which == op::index_reduce || which == op::scatter_reduce || which == op::elements_v12);
}

std::int64_t least_of(index_kind of) {
  const std::int64_t bits = 8 * size_of(of);
  return !is_signed(of) ? 0 : bits == 64 ? least_int64 : -(std::int64_t{1} << (bits - 1));
}
std::int64_t most_of(index_kind of) {
  const std::int64_t bits = 8 * size_of(of) - (is_signed(of) ? 1 : 0);
  return bits >= 63 ? most_int64 : (std::int64_t{1} << bits) - 1;
}

// An index for an axis of this extent; any number if it is free to be illegal.
std::int64_t draw_index(draws& random, const call_case& of, std::int64_t extent, bool is_free) {
  const std::int64_t least = least_of(of.index);
  const std::int64_t most = most_of(of.index);
  if (is_free && random.one_in(4)) {
    const std::int64_t drawn = random.pick({extent, extent + 1, -extent, -extent - 1, std::int64_t{-1}, least, most,
                                            std::int64_t{1} << 32, std::int64_t{1} << 31, -(std::int64_t{1} << 32)});
    return drawn < least || drawn > most ? most : drawn;
  }
  const std::int64_t low = is_strict(of.which) || !random.one_in(4) ? 0 : std::max(least, -extent);
  const std::int64_t high = std::min(most, extent - 1);
  return high < low ? 0 : random.between(low, high);
}

// The extent of data that an index at a position is for.
std::int64_t axis_extent(const call_case& of, int component) {
  if (of.which == op::put) return of.data.shape.size();
  return of.data.shape.at[is_multi(of.which) ? component : static_cast<int>(of.axis)];
}

void fill_indices(draws& random, const call_case& of) {
  const bool is_free = of.how != policy::error && of.how != policy::assume_valid;
  // Few different targets, many, or all in ascending order.
  const std::int64_t pattern = random.below(8);
  for (int j = 0; j < of.index_count; ++j) {
    std::int64_t number = 0;
    const operand& to = of.indices[j];
    for_each_element(to, [&](const std::int64_t* at, byte* address) {
      const int component = of.which == op::index_put                   ? j
                            : is_multi(of.which) && of.which != op::put ? static_cast<int>(at[to.shape.rank - 1])
                                                                        : 0;
      const std::int64_t extent = axis_extent(of, component);
      std::int64_t value = 0;
      if (pattern == 0 && extent > 0) {
        value = number++ % std::min(extent, most_of(of.index));
      } else if (pattern == 1) {
        value = draw_index(random, of, std::min<std::int64_t>(extent, 3), is_free);
      } else {
        value = draw_index(random, of, extent, is_free);
      }
      store_index(of.index, address, value);
    });
  }
}

void spoil_indices(draws& random, const call_case& of) {
  for (std::int64_t count = random.between(1, 3); count > 0; --count) {
    const auto j = static_cast<int>(random.below(of.index_count));
    const operand& to = of.indices[j];
    if (to.shape.size() == 0) continue;
    std::int64_t at[most_axes + 2] = {};
    for (int k = 0; k < to.shape.rank; ++k) {
      // The last index of all, or any.
      at[k] = random.one_in(3) ? to.shape.at[k] - 1 : random.below(to.shape.at[k]);
    }
    const std::int64_t extent =
        axis_extent(of, of.which == op::index_put ? j : static_cast<int>(at[std::max(to.shape.rank - 1, 0)]));
    const std::int64_t value =
        random.one_in(8) ? static_cast<std::int64_t>(random.next())
                         : random.pick({extent, extent + 1, -extent - 1, std::int64_t{-1}, most_int64, least_int64,
                                        extent + (std::int64_t{1} << 32), extent + (std::int64_t{1} << 8)});
    store_index(of.index, to.element(at), value);
  }
}

}  // namespace

bool is_rows(op of) noexcept {
  return of >= op::scatter_update && of <= op::index_fill;
}
bool is_elements(op of) noexcept {
  return of >= op::elements_v3 && of <= op::put_along_axis;
}
bool is_multi(op of) noexcept {
  return of >= op::nd_v3;
}
bool has_indices(op of) noexcept {
  return of >= op::scatter_update;
}
bool is_strict(op of) noexcept {
  switch (of) {
    case op::scatter_update:
    case op::index_copy:
    case op::index_add:
    case op::index_reduce:
    case op::elements_v3:
    case op::torch_scatter:
    case op::scatter_add:
    case op::scatter_reduce:
    case op::nd_v3:
    case op::cache:
      return true;
    default:
      return false;
  }
}

std::int64_t load_index(index_kind of, const byte* from, bool& is_huge) noexcept {
  is_huge = false;
  const auto load = [&]<class T>(T value) {
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  switch (of) {
    case index_kind::int8:
      return load(std::int8_t{});
    case index_kind::int16:
      return load(std::int16_t{});
    case index_kind::int32:
      return load(std::int32_t{});
    case index_kind::int64:
      return load(std::int64_t{});
    case index_kind::uint8:
      return load(std::uint8_t{});
    case index_kind::uint16:
      return load(std::uint16_t{});
    case index_kind::uint32:
      return load(std::uint32_t{});
    default: {
      const auto value = load(std::uint64_t{});
      is_huge = value > static_cast<std::uint64_t>(most_int64);
      return static_cast<std::int64_t>(value);
    }
  }
}
void store_index(index_kind of, byte* to, std::int64_t value) noexcept {
  // The low bytes, whatever the order of bytes is.
  const auto store = [&](auto narrowed) { std::memcpy(to, &narrowed, sizeof narrowed); };
  switch (size_of(of)) {
    case 1:
      return store(static_cast<std::int8_t>(value));
    case 2:
      return store(static_cast<std::int16_t>(value));
    case 4:
      return store(static_cast<std::int32_t>(value));
    default:
      return store(value);
  }
}

void place_operand(draws& random, guarded_slot& slot, const drawing& how, bool is_output, std::int64_t unit,
                   operand& result, int repeated) {
  const int rank = result.shape.rank;
  const bool is_large = how.elements > 4096;
  int order[most_axes + 2];
  for (int k = 0; k < rank; ++k) order[k] = k;
  const bool is_plain = !how.may_stride || random.one_in(2);
  if (!is_plain && random.one_in(2)) {
    for (int k = rank; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  }
  std::int64_t stride = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool may_be_wide = true;
  for (int k = rank; k-- > 0;) {
    const int axis = order[k];
    const std::int64_t extent = result.shape.at[axis];
    std::int64_t here = stride;
    if (!is_plain) {
      if (may_be_wide && random.one_in(is_large ? 12 : 4)) {
        here = stride * random.between(1, 3);
        may_be_wide = !is_large;
      }
      if (!is_output && random.one_in(8)) here = random.one_in(2) ? 0 : 1;
    }
    if (axis == repeated) here = 0;
    stride = std::max(stride, (extent < 1 ? 1 : extent) * here);
    if (!is_plain && random.one_in(4)) here = -here;
    if (extent > 0) (here < 0 ? low : high) += here * (extent - 1);
    // The stride of an axis of one element is never used.
    result.strides[axis] = !is_plain && extent < 2 && random.one_in(4) ? random.between(-9, 9) : here;
  }
  const std::int64_t count = result.shape.size() == 0 ? 0 : high - low + 1;
  const std::size_t shift = how.may_shift && random.one_in(8) ? static_cast<std::size_t>(random.between(1, 15)) : 0;
  result.unit = unit;
  result.slot = &slot;
  byte* const at =
      slot.place(static_cast<std::size_t>(count * unit), random.one_in(2) ? flush::front : flush::back, shift);
  result.first = count == 0 ? at : at - low * unit;
}

void fill_operand(draws& random, element of, const operand& to) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  if (to.shape.size() == 0) return;
  for (int k = 0; k < to.shape.rank; ++k) (to.strides[k] < 0 ? low : high) += to.strides[k] * (to.shape.at[k] - 1);
  draw_elements(random, of, to.first + low * to.unit, high - low + 1, to.unit);
}

void draw_size(draws& random, drawing& how) {
  const std::int64_t size = random.below(20000);
  how.elements = size < 1     ? std::int64_t{40} << 20
                 : size < 20  ? std::int64_t{1} << 20
                 : size < 200 ? std::int64_t{1} << 16
                 : size < 900 ? std::int64_t{1} << 12
                              : 40;
  how.most_rank = how.elements > 4096 ? 3 : random.one_in(20) ? most_axes : 4;
  how.most_states = how.elements > (1 << 20) ? 1 << 20 : 1 << 16;
}

void draw_kinds(draws& random, call_case& result) {
  result.which = static_cast<op>(random.below(static_cast<int>(op::count)));
  result.index = static_cast<index_kind>(random.below(8));
  result.by = draw_reduction(random, result.which);
  result.with_init = !may_omit_init(result.which, result.by) || random.one_in(2);
  do {
    if (result.by == reduce::none && random.one_in(2)) {
      result.of = {kind::opaque, random.one_in(4) ? random.between(1, 70) : random.between(1, 17)};
      break;
    }
    const auto is = static_cast<kind>(random.between(1, 6));
    const std::int64_t size = is == kind::boolean    ? 1
                              : is == kind::brain    ? 2
                              : is == kind::complex  ? random.pick<std::int64_t>({8, 16})
                              : is == kind::floating ? random.pick<std::int64_t>({2, 4, 8})
                                                     : random.pick<std::int64_t>({1, 2, 4, 8});
    result.of = {is, size};
  } while (!takes(result.of, result.by));
  const bool may_skip_nan = result.by != reduce::none && result.by != reduce::sub;
  result.skips_nan = may_skip_nan && !always_sums(result.which) && random.one_in(4);
}

void draw_case(draws& random, slots& in, const drawing& how, call_case& c) {
  // An element of many bytes must not make large operands larger.
  const std::int64_t elements =
      how.elements > 4096 ? std::max<std::int64_t>(how.elements / c.of.size, 16) : how.elements;
  const int least_rank = c.which == op::diagonal || c.which == op::cache               ? 2
                         : c.which == op::masked_scatter || c.which == op::masked_fill ? 0
                                                                                       : 1;
  int rank = random.small(least_rank, std::max(how.most_rank, least_rank));
  if (how.most_rank >= most_axes && random.one_in(8)) rank = most_axes;
  const bool is_large = how.elements > 4096;
  const auto draw_count = [&] {
    return is_large && !random.one_in(3) ? random.between(elements / 2, elements) : 1 + random.skewed(elements - 1);
  };
  std::int64_t of_data = draw_count();
  const bool has_states = c.by == reduce::mean || !c.with_init;
  if (has_states) of_data = std::min(of_data, how.most_states);
  draw_shape(random, rank, of_data, c.data.shape);
  extents& shape = c.data.shape;
  extents& updates = c.updates.shape;
  c.axis = rank > 0 ? random.below(rank) : 0;
  c.how = has_indices(c.which) && random.one_in(3)
              ? random.pick({policy::drop, policy::clip, policy::wrap, policy::assume_valid})
              : policy::error;
  // No index is valid on an axis of extent 0.
  if (c.how == policy::assume_valid && shape.size() == 0) c.how = policy::error;
  c.has = !how.may_err || !random.one_in(8) ? fault::none
          : random.one_in(3)                ? random.pick({fault::extents, fault::repeated})
                                            : fault::index;
  if (c.has == fault::index && c.how != policy::error) c.has = fault::none;
  c.index_count = 0;
  const std::int64_t of_updates = draw_count();

  if (is_rows(c.which)) {
    std::int64_t row = 1;
    for (int k = 0; k < rank; ++k) row *= k == c.axis ? 1 : std::max<std::int64_t>(shape.at[k], 1);
    const int q = random.small(0, std::min(3, most_axes - rank + 1));
    c.index_count = 1;
    draw_shape(random, q, std::max<std::int64_t>(of_updates / row, 1), c.indices[0].shape);
    updates = shape;
    updates.erase(static_cast<int>(c.axis));
    for (int k = 0; k < q; ++k) updates.insert(static_cast<int>(c.axis) + k, c.indices[0].shape.at[k]);
    if (c.which == op::index_fill) updates.rank = 0;
  } else if (is_elements(c.which)) {
    c.index_count = 1;
    extents& indices = c.indices[0].shape;
    indices = shape;
    std::int64_t lanes = 1;
    for (int k = 0; k < rank; ++k) {
      if (k == c.axis) continue;
      if (random.one_in(4)) indices.at[k] = random.between(0, shape.at[k]);
      lanes *= std::max<std::int64_t>(indices.at[k], 1);
    }
    std::int64_t along = random.between(0, std::max<std::int64_t>(of_updates / lanes, 1));
    if (c.which == op::elements_v3) along = std::min(along, shape.at[c.axis]);
    indices.at[c.axis] = along;
    updates = indices;
  } else if (c.which == op::put) {
    c.index_count = 1;
    draw_shape(random, random.small(0, 3), of_updates, updates);
    c.indices[0].shape = updates;
  } else if (is_multi(c.which)) {
    c.components = random.small(c.which == op::index_put ? 1 : 0, rank);
    std::int64_t slice = 1;
    for (int k = c.components; k < rank; ++k) slice *= std::max<std::int64_t>(shape.at[k], 1);
    const int q = random.small(0, std::min(2, most_axes - (rank - c.components)));
    extents of_indices;
    draw_shape(random, q, std::max<std::int64_t>(of_updates / slice, 1), of_indices);
    updates = of_indices;
    for (int k = c.components; k < rank; ++k) updates.insert(updates.rank, shape.at[k]);
    if (c.which == op::index_put) {
      c.index_count = c.components;
      for (int j = 0; j < c.components; ++j) c.indices[j].shape = of_indices;
    } else {
      c.index_count = 1;
      of_indices.insert(q, c.components);
      c.indices[0].shape = of_indices;
    }
  } else if (c.which == op::slice) {
    const int count = random.small(0, rank);
    std::int64_t around = 4;
    for (int k = 0; k < rank; ++k) around = std::max(around, shape.at[k]);
    draw_number_list(random, count, around, c.slice_start);
    draw_number_list(random, count, around, c.slice_stop);
    draw_number_list(random, count, random.one_in(2) ? 2 : around, c.slice_step);
    for (int k = 0; k < count; ++k) {
      if (c.slice_step.at[k] == 0) c.slice_step.at[k] = 1;
      if (how.elements > 4096 && !random.one_in(4)) c.slice_start.at[k] = random.below(3);
    }
    c.has_start = !random.one_in(4);
    c.has_stop = !random.one_in(4);
    c.has_step = !random.one_in(4);
    c.has_axes = random.one_in(2);
    c.slice_axes.rank = rank;
    for (int k = 0; k < rank; ++k) c.slice_axes.at[k] = k;
    for (int k = rank; k > 1 && c.has_axes; --k) std::swap(c.slice_axes.at[k - 1], c.slice_axes.at[random.below(k)]);
    c.slice_axes.rank = count;
    if (!c.has_start && !c.has_stop && !c.has_step && !c.has_axes) {
      c.slice_start.rank = c.slice_stop.rank = c.slice_step.rank = c.slice_axes.rank = 0;
    }
    updates = shape;
    for (int k = 0; k < c.slice_axes.rank; ++k) {
      const auto axis = static_cast<int>(c.slice_axes.at[k]);
      std::int64_t first = 0;
      updates.at[axis] = slice_length(c, k, shape.at[axis], first);
    }
  } else if (c.which == op::select) {
    updates = shape;
    updates.erase(static_cast<int>(c.axis));
    const std::int64_t extent = shape.at[c.axis];
    c.number = c.has == fault::index || extent == 0 ? random.pick({extent, -extent - 1, most_int64, least_int64})
                                                    : random.between(-extent, extent - 1);
  } else if (c.which == op::diagonal) {
    c.axis2 = (c.axis + 1 + random.below(rank - 1)) % rank;
    const std::int64_t along = shape.at[c.axis];
    const std::int64_t across = shape.at[c.axis2];
    c.number = random.one_in(12) ? random.pick({most_int64, least_int64}) : random.between(-along - 1, across + 1);
    updates = shape;
    updates.erase(static_cast<int>(std::max(c.axis, c.axis2)));
    updates.erase(static_cast<int>(std::min(c.axis, c.axis2)));
    updates.insert(updates.rank, diagonal_length(along, across, c.number));
  } else if (c.which == op::cache) {
    c.axis = random.between(1, rank - 1);
    c.is_circular = random.one_in(2);
    updates = shape;
    updates.at[c.axis] = random.between(0, shape.at[c.axis]);
    c.has_starts = !random.one_in(6);
    c.index_count = c.has_starts ? 1 : 0;
    c.indices[0].shape.rank = 1;
    c.indices[0].shape.at[0] = shape.at[0];
  } else {
    c.index_count = 1;
    c.indices[0].shape = shape;
    if (c.which == op::masked_fill) {
      updates.rank = 0;
    }
  }

  // The operands, masks and the first positions of caches first, since updates depend on the mask.
  for (int j = 0; j < c.index_count; ++j) {
    const bool is_mask = c.which == op::masked_scatter || c.which == op::masked_fill;
    place_operand(random, in.indices[j], how, false, is_mask ? 1 : size_of(c.index), c.indices[j]);
    if (!is_mask) continue;
    const std::int64_t density = random.between(1, 8);
    for_each_element(c.indices[j], [&](const std::int64_t*, byte* to) {
      *to = random.one_in(density) ? static_cast<byte>(random.between(1, random.one_in(8) ? 255 : 1)) : byte{0};
    });
  }
  if (c.which == op::masked_scatter) {
    std::int64_t selected = 0;
    for_each_element(c.indices[0], [&](const std::int64_t*, const byte* from) { selected += *from != 0 ? 1 : 0; });
    if (c.has == fault::extents && selected == 0) c.has = fault::none;
    updates.rank = 1;
    updates.at[0] = c.has == fault::extents ? random.below(selected) : selected + random.below(3);
    if (c.has != fault::extents && random.one_in(4)) updates.insert(random.small(0, 1), random.between(1, 2));
  } else if (c.has == fault::extents) {
    if (updates.rank == 0) {
      updates.insert(0, 2);
    } else {
      const std::int64_t axis = random.below(updates.rank);
      std::int64_t& extent = updates.at[axis];
      // Fewer positions of a cache are legal.
      const bool is_of_cache = c.which == op::cache && axis == c.axis;
      if (is_of_cache) extent = shape.at[axis];
      extent += !is_of_cache && extent > 0 && random.one_in(2) ? -1 : 1;
    }
  }
  if (c.which == op::cache) {
    const std::int64_t most = c.data.shape.at[c.axis] - c.updates.shape.at[c.axis];
    for (int j = 0; j < c.index_count; ++j) {
      for_each_element(c.indices[j], [&](const std::int64_t*, byte* to) {
        const std::int64_t value = c.is_circular ? random.below(3 * c.data.shape.at[c.axis] + 1)
                                                 : random.below(std::max<std::int64_t>(most, 0) + 1);
        store_index(c.index, to, std::min(value, most_of(c.index)));
      });
      if (c.has == fault::index && c.indices[j].shape.size() > 0) {
        const std::int64_t at[1] = {random.below(c.indices[j].shape.at[0])};
        store_index(c.index, c.indices[j].element(at),
                    random.pick({std::int64_t{-1}, most + 1, most_int64, least_int64}));
      }
    }
  } else if (has_indices(c.which)) {
    fill_indices(random, c);
    if (c.has == fault::index) spoil_indices(random, c);
    // Where indices share memory, one of them may be that of another axis.
    if (c.how == policy::assume_valid && has_bad_index(c)) c.how = policy::error;
  }
  place_operand(random, in.updates, how, false, c.of.size, c.updates);
  fill_operand(random, c.of, c.updates);

  int repeated = -1;
  if (c.has == fault::repeated) {
    for (int k = 0; k < rank; ++k) {
      if (shape.at[k] > 1 && (repeated < 0 || random.one_in(2))) repeated = k;
    }
    if (repeated < 0 || shape.size() == 0) {
      c.has = fault::none;
      repeated = -1;
    }
  }
  c.in_place = random.one_in(2);
  c.names_output = random.one_in(2);
  place_operand(random, in.data, how, c.in_place, c.of.size, c.data, c.in_place ? repeated : -1);
  fill_operand(random, c.of, c.data);
  if (c.in_place) {
    c.output = c.data;
  } else {
    c.output.shape = c.data.shape;
    place_operand(random, in.output, how, true, c.of.size, c.output, repeated);
    fill_operand(random, c.of, c.output);
  }
}

void draw_numbers(draws& random, slots& in, const drawing& how, call_case& c) {
  // Odd bytes of bool are as true as others, so which update changes a value is not seen in its bytes.
  const bool has_order = (c.by == reduce::min || c.by == reduce::max) && c.of.is != kind::boolean;
  const bool may_win = (c.by == reduce::none || has_order) && c.with_init && !c.skips_nan;
  c.has_numbers = may_win && has_indices(c.which) && c.which != op::index_fill && random.one_in(3);
  if (!c.has_numbers) return;
  c.numbers_type = static_cast<index_kind>(random.below(8));
  c.numbers.shape = c.data.shape;
  place_operand(random, in.numbers, how, true, size_of(c.numbers_type), c.numbers);
}
std::int64_t numbers_of(const call_case& of) noexcept {
  extents positions = of.indices[0].shape;
  if (is_elements(of.which)) return positions.at[of.axis];
  if (is_multi(of.which) && of.which != op::put && of.which != op::index_put) positions.erase(positions.rank - 1);
  return positions.size();
}
bool has_room(index_kind of, std::int64_t numbers) noexcept {
  return numbers - (is_signed(of) ? 1 : 0) <= most_of(of);
}

}  // namespace attack
