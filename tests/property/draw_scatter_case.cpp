// SPDX-License-Identifier: Apache-2.0
// Random cases of every operator: shapes, placements, values and indices, and where each update goes.
#include "property_reductions.hpp"
#include "support/conversion_oracle.hpp"
#include "support/scatter_case.hpp"
#include "support/with_oracle_type.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

using dynamic::element_kind;
using dynamic::element_type;

std::size_t as_size(std::int64_t number) {
  return static_cast<std::size_t>(number);
}
std::int64_t rank_of(const shape& extents) {
  return static_cast<std::int64_t>(extents.size());
}

// ---- Types

// Of elements that are only moved.
element_type draw_moved_type(random_source& random) {
  const std::int64_t typed = random.pick<std::int64_t>({1, 2, 4, 4, 4, 8, 8, 16});
  if (!random.one_in(4)) return {element_kind::opaque, typed};
  return {element_kind::opaque, random.pick<std::int64_t>({3, 5, 6, 12, 20, 24, 32, 40, 48, 64, 72, 96, 128, 300})};
}

struct reduced_type {
  element_type type;
  std::vector<reduction_kind> kinds;
};
const std::vector<reduced_type>& reduced_element_types() {
  using enum reduction_kind;
  static const std::vector<reduced_type> all = [] {
    const std::vector<reduction_kind> of_numbers{none, sum, sub, prod, min, max, mean};
    const std::vector<reduction_kind> of_complex{none, sum, sub, prod, mean};
    const std::vector<reduction_kind> of_booleans{none, sum, sub, prod, min, max};
    std::vector<reduced_type> types{
        {{element_kind::boolean, 1}, of_booleans},       {{element_kind::floating_point, 4}, of_numbers},
        {{element_kind::floating_point, 8}, of_numbers}, {{element_kind::brain_float, 2}, of_numbers},
        {{element_kind::complex, 8}, of_complex},        {{element_kind::complex, 16}, of_complex}};
    for (const std::int64_t size : {1, 2, 4, 8}) {
      types.push_back({{element_kind::signed_integer, size}, of_numbers});
      types.push_back({{element_kind::unsigned_integer, size}, of_numbers});
    }
#if STREW_HAS_FLOAT16
    types.push_back({{element_kind::floating_point, 2}, of_numbers});
#endif
    return types;
  }();
  return all;
}

kind oracle_kind(reduction_kind how) {
  static constexpr kind kinds[] = {kind::none, kind::sum, kind::sub, kind::prod, kind::min, kind::max, kind::mean};
  return kinds[static_cast<std::size_t>(how)];
}

// ---- Shapes and placements

shape draw_extents(random_source& random, size_class size, std::int64_t least_rank, std::int64_t width) {
  if (size == size_class::small) {
    shape extents = draw_shape(random, random.between(least_rank, 5));
    return extents;
  }
  static const std::vector<std::int64_t> some{2, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 32, 33, 64, 100, 250, 1000};
  static const std::vector<std::int64_t> powers{4, 8, 16, 32, 64, 128, 256, 512};
  const std::int64_t most = width > 64 ? 4000 : 20000;
  for (;;) {
    shape extents;
    for (std::int64_t k = random.between(std::max<std::int64_t>(least_rank, 1), 4); k > 0; --k) {
      extents.push_back(random.pick(some));
    }
    if (extents.size() > 1 && random.one_in(3)) random.pick_any(extents) = random.between(2, 4);
    if (extents.size() > 1 && random.one_in(2)) extents.back() = random.pick(powers);
    if (width <= 2 && random.one_in(3)) {
      extents = {random.between(4, 40), random.pick<std::int64_t>({64, 128, 256, 256, 512, 512})};
    }
    if (32 % width == 0 && random.one_in(8)) extents = {random.between(50, 500), 32 / width};  // rows of 32 bytes
    const std::int64_t count = oracle::count_of(extents);
    if (count >= 200 && count <= most) return extents;
  }
}

placed_bytes draw_tensor(random_source& random, placing how, const shape& extents, std::int64_t width, bool may_repeat,
                         std::int64_t alignment = 1) {
  const std::int64_t guard = random.one_in(2) ? 0 : 64;
  const std::int64_t shift = random.one_in(2) ? 0 : random.below(64) / alignment * alignment;
  auto kind = arrangement::contiguous;
  if (how == placing::dense && random.one_in(2)) kind = arrangement::permuted;
  if (how == placing::any && !random.one_in(3)) kind = draw_arrangement(random, may_repeat);
  return {place(kind, extents, random), width, guard, shift};
}

void fill_tensor(random_source& random, const placed_bytes& tensor, const element_type& type) {
  if (type.kind == element_kind::opaque) {
    std::uint64_t bits = static_cast<std::uint64_t>(random.below(std::int64_t{1} << 62));
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      char* const to = tensor.element(i);
      for (std::int64_t k = 0; k < type.size; ++k) {
        bits = bits * 6364136223846793005U + 1442695040888963407U;
        to[k] = static_cast<char>(bits >> 56);
      }
    }
    return;
  }
  with_oracle_type(type, [&]<class T>() {
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      const T value = draw_value<T>(random);
      std::memcpy(tensor.element(i), &value, sizeof value);
    }
  });
}

// Updates that are NaN: some, half of them, or nearly all.
void add_nans(random_source& random, const placed_bytes& updates, const element_type& type) {
  const std::int64_t in_eight = random.pick<std::int64_t>({1, 4, 7});
  with_oracle_type(type, [&]<class T>() {
    if constexpr (!std::is_integral_v<T>) {
      for (std::size_t i = 0; i < updates.size(); ++i) {
        if (random.below(8) >= in_eight) continue;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        T value;
        if constexpr (oracle::is_complex<T>) {
          using part = typename T::value_type;
          value = random.one_in(2) ? T(static_cast<part>(nan), part(1)) : T(part(1), static_cast<part>(nan));
        } else {
          value = static_cast<T>(random.one_in(2) ? nan : -nan);
        }
        std::memcpy(updates.element(i), &value, sizeof value);
      }
    }
  });
}

// ---- Indices

bool is_signed(index_type integers) {
  return integers < index_type::uint8;
}
std::int64_t bytes_of(index_type integers) {
  return std::int64_t{1} << static_cast<unsigned>(integers) % 4;
}
std::int64_t largest_of(index_type integers) {
  const auto bits = static_cast<unsigned>(8 * bytes_of(integers));
  if (bits == 64) return std::numeric_limits<std::int64_t>::max();
  return (std::int64_t{1} << (is_signed(integers) ? bits - 1 : bits)) - 1;
}
std::int64_t smallest_of(index_type integers) {
  return is_signed(integers) ? -largest_of(integers) - 1 : 0;
}

std::int64_t load_index(const placed_bytes& from, index_type integers, std::size_t i) {
  const auto load = [&]<class Integer>(Integer value) {
    std::memcpy(&value, from.element(i), sizeof value);
    return static_cast<std::int64_t>(value);
  };
  switch (integers) {
    case index_type::int8:
      return load(std::int8_t{});
    case index_type::int16:
      return load(std::int16_t{});
    case index_type::int32:
      return load(std::int32_t{});
    case index_type::uint8:
      return load(std::uint8_t{});
    case index_type::uint16:
      return load(std::uint16_t{});
    case index_type::uint32:
      return load(std::uint32_t{});
    default:
      return load(std::int64_t{});
  }
}
void store_index(const placed_bytes& to, index_type integers, std::size_t i, std::int64_t value) {
  const auto store = [&]<class Integer>(Integer) {
    const auto narrow = static_cast<Integer>(value);
    std::memcpy(to.element(i), &narrow, sizeof narrow);
  };
  switch (bytes_of(integers)) {
    case 1:
      return store(std::int8_t{});
    case 2:
      return store(std::int16_t{});
    case 4:
      return store(std::int32_t{});
    default:
      return store(std::int64_t{});
  }
}

// Fills a tensor of indices for an axis: at random, ascending, a progression, few again and again, or one for all lanes
// of an axis; now and then with illegal ones among them.
// An index that no operator takes without a policy, most of them near the axis.
std::int64_t bad_index(random_source& random, index_type integers, std::int64_t extent) {
  // The bits of one beyond the largest std::int64_t.
  if (integers == index_type::uint64 && random.one_in(4)) return -1 - random.below(extent + 2);
  const std::int64_t bad = random.pick<std::int64_t>({largest_of(integers), smallest_of(integers), extent,
                                                      extent + random.below(2 * extent + 1), -extent - 1, -2 * extent});
  return std::clamp(bad, smallest_of(integers), largest_of(integers));
}

// bad_one_in: how many values there are for one that may be bad; 0 for none.
void fill_indices(random_source& random, const placed_bytes& tensor, index_type integers, std::int64_t extent,
                  bool wraps, std::int64_t axis, std::int64_t bad_one_in) {
  const auto count = static_cast<std::int64_t>(tensor.size());
  if (count == 0) return;
  const std::int64_t limit = std::min(extent, largest_of(integers));
  const auto legal = [&](std::int64_t index) {
    return std::clamp<std::int64_t>(index, 0, std::max<std::int64_t>(limit, 1) - 1);
  };
  const bool negatives = wraps && is_signed(integers) && random.one_in(2);
  std::vector<std::int64_t> values(as_size(count));
  const std::int64_t form = random.below(6);
  for (std::int64_t& value : values) value = limit > 0 ? random.below(limit) : 0;
  if (form == 1) {
    std::sort(values.begin(), values.end());
  } else if (form == 2 && limit > 0) {
    const std::int64_t most = std::max<std::int64_t>(1, (limit - 1) / std::max<std::int64_t>(count - 1, 1));
    const std::int64_t step = random.between(1, std::min<std::int64_t>(most, 5));
    const std::int64_t first =
        random.one_in(2) ? 0 : random.below(std::max<std::int64_t>(limit - step * (count - 1), 1));
    for (std::int64_t i = 0; i < count; ++i) values[as_size(i)] = legal(first + i * step);
    if (random.one_in(3)) std::reverse(values.begin(), values.end());
  } else if (form == 3 && limit > 0) {
    const std::int64_t few = std::min<std::int64_t>(limit, 3);
    for (std::int64_t& value : values) value = legal(value % few * (limit / few));
  } else if (form == 4 && axis >= 0) {  // one index for all lanes
    std::int64_t inside = 1;
    for (std::int64_t k = axis + 1; k < rank_of(tensor.extents()); ++k) inside *= tensor.extents()[as_size(k)];
    for (std::int64_t i = 0; i < count; ++i) values[as_size(i)] = values[as_size(i / inside * inside)];
  }
  if (negatives) {
    const bool all = random.one_in(3);
    for (std::int64_t& value : values) {
      if ((all || random.one_in(2)) && value - extent >= smallest_of(integers)) value -= extent;
    }
  }
  for (std::int64_t& value : values) {
    if (bad_one_in > 0 && random.one_in(bad_one_in)) value = bad_index(random, integers, extent);
  }
  for (std::size_t i = 0; i < values.size(); ++i) store_index(tensor, integers, i, values[i]);
}

// The reductions of an operator.
std::vector<reduction_kind> offered_by(operation which) {
  using enum reduction_kind;
  switch (which) {
    case operation::index_add:
    case operation::scatter_add:
      return {sum};
    case operation::index_reduce:
    case operation::scatter_reduce:
      return {sum, prod, min, max, mean};
    case operation::v12_scatter_elements_update:
      return {none, sum, prod, min, max, mean};
    case operation::onnx_scatter_elements:
    case operation::onnx_scatter_nd:
      return {none, sum, prod, min, max};
    case operation::v15_scatter_nd_update:
      return {none, sum, sub, prod, min, max};
    case operation::index_put:
    case operation::put:
      return {none, sum};
    default:
      return {none};
  }
}
bool is_offered(operation which, reduction_kind kind) {
  const std::vector<reduction_kind> offered = offered_by(which);
  return std::find(offered.begin(), offered.end(), kind) != offered.end();
}
// Whether a reduction is among the arguments of an operator that combines.
bool has_argument(operation which) {
  return which != operation::index_add && which != operation::scatter_add;
}

}  // namespace

void draw_reduction(random_source& random, case_kind& of) {
  using enum reduction_kind;
  of.given.reset();
  std::vector<reduction_kind> offered = offered_by(of.which);
  const bool may_omit_init = is_offered(of.which, mean);
  if (offered.size() > 1 && offered[0] == none && !random.one_in(8)) offered.erase(offered.begin());
  of.reduce = random.pick(offered);
  of.skips_nan = false;
  if (of.reduce == none) {
    of.type = draw_moved_type(random);
    return;
  }
  const reduced_type* type = &random.pick(reduced_element_types());
  while (std::find(type->kinds.begin(), type->kinds.end(), of.reduce) == type->kinds.end()) {
    type = &random.pick(reduced_element_types());
  }
  of.type = type->type;
  of.include_init = !may_omit_init || random.one_in(2);
  of.skips_nan = has_argument(of.which) && of.reduce != sub && random.one_in(4);
}

namespace {

bool is_converted(const element_type& to, const element_type& from) {
  return with_oracle_type(
      to, [&]<class T>() { return with_oracle_type(from, []<class U>() { return oracle::is_converted_to<T, U>(); }); });
}
// Updates of another type, of operators whose updates are a tensor.
void draw_conversion(random_source& random, case_kind& of) {
  if (of.which == operation::index_fill || of.which == operation::masked_fill) return;
  if (of.reduce == reduction_kind::none) of.type = random.pick(reduced_element_types()).type;
  element_type from;
  do {
    from = random.pick(reduced_element_types()).type;
  } while (!is_converted(of.type, from));
  of.given = from;
}
// Any bits, of which some are numbers that all types have.
void fill_given_updates(random_source& random, const placed_bytes& tensor, const element_type& type) {
  fill_tensor(random, tensor, type);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (random.one_in(2)) continue;
    const auto bits = static_cast<std::uint64_t>(random.below(std::int64_t{1} << 62)) * 6364136223846793005U;
    for (std::int64_t k = 0; k < type.size; ++k) tensor.element(i)[k] = static_cast<char>(bits >> (8 * (k % 8)));
  }
}

// Of all types: run-time types take no factor.
void draw_scaled_sum(random_source& random, case_kind& of) {
  of.form = call_form::typed;
  of.which = operation::index_add;
  of.reduce = reduction_kind::sum;
  of.is_scaled = true;
  of.type = random.pick(reduced_element_types()).type;
  of.integers = index_type::int64;
}

void draw_typed_reduction(random_source& random, case_kind& of) {
  using enum reduction_kind;
  if (random.one_in(3)) return draw_scaled_sum(random, of);
  of.form = random.one_in(4) ? call_form::callable : call_form::typed;
  of.which = random.pick<operation>(
      {operation::v12_scatter_elements_update, operation::index_reduce, operation::v15_scatter_nd_update});
  const bool has_tuples = of.which == operation::v15_scatter_nd_update;
  for (;;) {
    const typed_pair& pair = random.pick(reduced_pairs());
    of.type = pair.type;
    of.integers = pair.integers;
    of.reduce = of.form == call_form::callable ? max
                : has_tuples                   ? random.pick<reduction_kind>({sum, sub, sub, prod, min, max})
                                               : random.pick<reduction_kind>({sum, prod, min, max, mean});
    for (const reduced_type& each : reduced_element_types()) {
      if (!(each.type == of.type)) continue;
      if (std::find(each.kinds.begin(), each.kinds.end(), of.reduce) == each.kinds.end()) continue;
      of.include_init = of.form == call_form::callable || has_tuples || random.one_in(2);
      of.skips_nan = of.form == call_form::typed && of.reduce != sub && random.one_in(3);
      const bool is_float = of.type == element_type{element_kind::floating_point, 4};
      if (is_float && random.one_in(3)) of.given = element_type{element_kind::floating_point, 8};
      const bool may_number = of.form == call_form::typed && of.include_init && !of.skips_nan && !of.given;
      of.has_numbers = may_number && (of.reduce == min || of.reduce == max) && random.one_in(2);
      return;
    }
  }
}

void draw_prepared_call(random_source& random, case_kind& of) {
  using enum reduction_kind;
  of.form = random.one_in(3) ? call_form::prepared : call_form::bound;
  // Drawn more often: those whose bound indices become moves.
  of.which = random.one_in(2) ? random.pick<operation>({operation::scatter_update, operation::scatter_elements_update,
                                                        operation::onnx_scatter})
                              : static_cast<operation>(random.below(operations));
  const bool moves = is_prepared_with_moves(of.which);
  draw_reduction(random, of);
  if (of.reduce == none) {
    const typed_pair& pair = random.pick(moves ? prepared_pairs() : moved_pairs());
    of.type = pair.type;
    of.integers = pair.integers;
    return;
  }
  const typed_pair& pair = random.pick(prepared_reduced_pairs());
  of.type = pair.type;
  of.integers = pair.integers;
  const auto has = [&](reduction_kind kind) { return is_offered(of.which, kind); };
  of.reduce = has(mean) && random.one_in(3) ? mean : has(max) && random.one_in(2) ? max : sum;
  of.include_init = of.reduce != mean;
  of.skips_nan = is_prepared_without_nan(of.which) && random.one_in(2);
}

bool repeats_elements(const placed_bytes& tensor) {
  for (std::size_t k = 0; k < tensor.extents().size(); ++k) {
    if (tensor.strides()[k] == 0 && tensor.extents()[k] > 1) return true;
  }
  return false;
}

// ---- Cases

class draft {
 public:
  draft(random_source& shapes, random_source& values, const case_kind& kind) : random_(shapes), values_(values) {
    static_cast<case_kind&>(case_) = kind;
  }

  scatter_case finish() {
    switch (case_.which) {
      case operation::slice_scatter:
        draw_slice();
        break;
      case operation::select_scatter:
        draw_select();
        break;
      case operation::diagonal_scatter:
        draw_diagonal();
        break;
      case operation::scatter_update:
      case operation::index_copy:
      case operation::index_add:
      case operation::index_reduce:
        draw_rows(false);
        break;
      case operation::index_fill:
        draw_rows(true);
        break;
      case operation::scatter_elements_update:
        draw_elements(false, false);
        break;
      case operation::scatter:
      case operation::scatter_add:
      case operation::scatter_reduce:
        draw_elements(false, true);
        break;
      case operation::onnx_scatter:
      case operation::v12_scatter_elements_update:
      case operation::onnx_scatter_elements:
      case operation::put_along_axis:
        draw_elements(true, true);
        break;
      case operation::v3_scatter_nd_update:
        draw_tuples(false, false);
        break;
      case operation::v15_scatter_nd_update:
      case operation::onnx_scatter_nd:
        draw_tuples(true, false);
        break;
      case operation::index_put:
        draw_tuples(true, true);
        break;
      case operation::put:
        draw_numbers();
        break;
      case operation::masked_scatter:
      case operation::masked_fill:
        draw_masked();
        break;
      case operation::tensor_scatter:
        draw_cache();
        break;
    }
    return std::move(case_);
  }

 private:
  [[nodiscard]] bool is_small() const { return case_.size == size_class::small; }

  // Typed operands are aligned.
  [[nodiscard]] std::int64_t alignment() const {
    return case_.form != call_form::run_time && case_.reduce != reduction_kind::none ? case_.type.size : 1;
  }
  [[nodiscard]] std::int64_t draw_shift() { return random_.below(64) / alignment() * alignment(); }

  shape draw_data_extents(std::int64_t least_rank) {
    return draw_extents(random_, case_.size, least_rank, case_.type.size);
  }

  // The tensors of a case, with values.
  void make_tensors(const shape& data, const shape& updates) {
    case_.in_place = random_.one_in(3);
    case_.names_output = random_.one_in(2);
    case_.data.emplace(draw_tensor(random_, case_.placed, data, case_.type.size, !case_.in_place, alignment()));
    // Most outputs lie as data does.
    if (!case_.in_place && !random_.one_in(3)) {
      case_.output.emplace(place(case_.data->extents(), case_.data->strides()), case_.type.size, 64, draw_shift());
      if (repeats_elements(*case_.data)) case_.output.reset();
    }
    if (!case_.output)
      case_.output.emplace(draw_tensor(random_, case_.placed, data, case_.type.size, false, alignment()));
    fill_tensor(values_, *case_.data, case_.type);
    make_updates(updates);
    fill_tensor(values_, *case_.output, case_.type);
    if (case_.is_scaled) draw_factor();
    constexpr std::int64_t width = sizeof(std::int64_t);
    if (case_.has_numbers) case_.numbers.emplace(draw_tensor(random_, case_.placed, data, width, false, width));
  }
  void make_updates(const shape& extents) {
    if (!case_.given) {
      case_.updates.emplace(draw_tensor(random_, case_.placed, extents, case_.type.size, true, alignment()));
      fill_tensor(values_, *case_.updates, case_.type);
      if (case_.skips_nan) add_nans(values_, *case_.updates, case_.type);
      return;
    }
    const std::int64_t size = case_.given->size;
    case_.given_updates.emplace(
        draw_tensor(random_, case_.placed, extents, size, true, case_.form == call_form::run_time ? 1 : size));
    case_.updates.emplace(place(arrangement::contiguous, extents, random_), case_.type.size, 0, 0);
    fill_given_updates(values_, *case_.given_updates, *case_.given);
    if (case_.skips_nan) add_nans(values_, *case_.given_updates, *case_.given);
    with_oracle_type(case_.type, [&]<class T>() {
      with_oracle_type(*case_.given, [&]<class U>() {
        if constexpr (oracle::is_converted_to<T, U>()) {
          for (std::size_t i = 0; i < case_.updates->size(); ++i) {
            const T element = oracle::convert<T, U>(case_.given_updates->element(i));
            std::memcpy(case_.updates->element(i), &element, sizeof element);
          }
        }
      });
    });
  }
  void draw_factor() {
    with_oracle_type(case_.type, [&]<class T>() {
      const T value = draw_value<T>(values_);
      case_.factor.resize(sizeof value);
      std::memcpy(case_.factor.data(), &value, sizeof value);
    });
  }
  void make_indices(const shape& extents, std::int64_t extent, bool wraps, std::int64_t axis) {
    const bool is_typed = case_.which == operation::tensor_scatter || case_.form != call_form::run_time;
    case_.indices.push_back(draw_tensor(random_, case_.placed, extents, bytes_of(case_.integers), true,
                                        is_typed ? bytes_of(case_.integers) : 1));
    fill_indices(values_, case_.indices.back(), case_.integers, extent, wraps, axis,
                 bad_one_in(oracle::count_of(extents)));
  }
  // How many indices there are for a bad one, of so many in all; 0 for none. One is an error, but not by a policy: then
  // there are more.
  std::int64_t bad_one_in(std::int64_t count) {
    if (case_.policy == index_policy::assume_valid) return 0;
    if (case_.policy != index_policy::error) return values_.one_in(2) ? 4 : 0;
    return values_.one_in(20) ? std::max<std::int64_t>(count, 1) : 0;
  }
  void draw_policy(bool is_one_of_some = true) {
    using enum index_policy;
    if (case_.asked_policy) case_.policy = *case_.asked_policy;
    if (case_.asked_policy || !is_one_of_some || case_.form != call_form::run_time) return;
    case_.policy = random_.pick<index_policy>({error, error, drop, clip, wrap});
  }

  // The element of an axis that an index names, or dropped; notes errors. Index number i of a tensor.
  std::int64_t find(const placed_bytes& tensor, std::size_t i, std::int64_t extent, bool wraps) {
    const std::int64_t bits = load_index(tensor, case_.integers, i);
    const auto found = case_.integers == index_type::uint64
                           ? find_element(static_cast<std::uint64_t>(bits), extent, wraps, case_.policy, case_.is_error)
                           : find_element(bits, extent, wraps, case_.policy, case_.is_error);
    return found ? *found : scatter_case::dropped;
  }

  // Notes that an update goes to the element at a coordinate of data.
  void add_target(const shape& at, const shape& data) {
    case_.targets.push_back(static_cast<std::int64_t>(oracle::position_of(at, data)));
  }

  void leave_out_bounds(const shape& data, std::vector<oracle::slice>& slices) {
    const bool no_start = random_.one_in(2);
    const bool no_stop = random_.one_in(2);
    const bool no_step = random_.one_in(2);
    if (no_start) case_.slice.start = optional_list::left_out();
    if (no_stop) case_.slice.stop = stop_list::left_out();
    if (no_step) case_.slice.step = optional_list::left_out();
    for (oracle::slice& each : slices) {
      const std::int64_t extent = data[as_size(each.axis)];
      if (no_step) each.step = 1;
      const std::int64_t step = each.step > 0 ? 1 : -1;
      if (no_start) each.start = start_of_none(step, extent);
      if (no_stop) each.stop = stop_of_none(step, extent);
    }
  }

  void draw_slice() {
    const shape data = draw_data_extents(1);
    std::vector<oracle::slice> slices;
    std::vector<std::int64_t> lists[4];
    const std::vector<std::size_t> order = random_.order(data.size());
    const std::int64_t sliced = random_.one_in(2) ? 1 : random_.between(0, rank_of(data));
    for (std::int64_t k = 0; k < sliced; ++k) {
      const auto axis = static_cast<std::int64_t>(order[as_size(k)]);
      const std::int64_t extent = data[as_size(axis)];
      const std::int64_t step = random_.between(1, 5) * (random_.one_in(3) ? -1 : 1);
      const bool from_the_beginning = random_.one_in(2);
      std::int64_t start = from_the_beginning ? 0 : random_.between(-extent - 1, extent + 1);
      std::int64_t stop = random_.one_in(2) ? extent : random_.between(-extent - 1, extent + 1);
      if (step < 0) {
        start = from_the_beginning ? -1 : start;
        stop = random_.one_in(2) ? std::numeric_limits<std::int64_t>::min() : stop;
      }
      slices.push_back({start, stop, step, axis});
      lists[0].push_back(start);
      lists[1].push_back(stop);
      lists[2].push_back(step);
      lists[3].push_back(axis);
    }
    case_.slice = {.start = lists[0], .stop = lists[1], .step = lists[2], .axes = lists[3]};
    if (random_.one_in(3)) leave_out_bounds(data, slices);
    const shape updates = oracle::slice_scatter_updates(data, slices);
    make_tensors(data, updates);
    const std::vector<shape> elements = oracle::selected_on_each_axis(data, slices);
    shape target(data.size());
    for_each_coordinate(updates, [&](const shape& at) {
      for (std::size_t k = 0; k < at.size(); ++k) target[k] = elements[k][as_size(at[k])];
      add_target(target, data);
    });
  }

  void draw_select() {
    const shape data = draw_data_extents(1);
    case_.axis = draw_axis(random_, rank_of(data));
    const std::size_t a = oracle::axis_of(case_.axis, data.size());
    const std::int64_t extent = data[a];
    case_.number = random_.between(-extent, std::max<std::int64_t>(extent, 1) - 1);
    if (random_.one_in(12)) case_.number = extent;
    case_.is_error = case_.number < -extent || case_.number >= extent;
    shape updates = data;
    updates.erase(updates.begin() + static_cast<std::ptrdiff_t>(a));
    make_tensors(data, updates);
    if (case_.is_error) return;
    for_each_coordinate(updates, [&](const shape& at) {
      shape target = at;
      target.insert(target.begin() + static_cast<std::ptrdiff_t>(a),
                    case_.number < 0 ? case_.number + extent : case_.number);
      add_target(target, data);
    });
  }

  void draw_diagonal() {
    const shape data = draw_data_extents(2);
    case_.axis = draw_axis(random_, rank_of(data));
    const std::size_t first = oracle::axis_of(case_.axis, data.size());
    std::size_t second = as_size(random_.below(rank_of(data)));
    if (second == first) second = (second + 1) % data.size();
    case_.second_axis = static_cast<std::int64_t>(second) - (random_.one_in(2) ? rank_of(data) : 0);
    case_.number = random_.between(-4, 4);
    std::vector<std::pair<std::int64_t, std::int64_t>> places;
    for (std::int64_t i = 0; i < data[first]; ++i) {
      const std::int64_t j = i + case_.number;
      if (j >= 0 && j < data[second]) places.emplace_back(i, j);
    }
    shape updates;
    for (std::size_t k = 0; k < data.size(); ++k) {
      if (k != first && k != second) updates.push_back(data[k]);
    }
    updates.push_back(static_cast<std::int64_t>(places.size()));
    make_tensors(data, updates);
    for_each_coordinate(updates, [&](const shape& at) {
      const auto [i, j] = places[as_size(at.back())];
      shape target(at.begin(), at.end() - 1);
      target.insert(target.begin() + static_cast<std::ptrdiff_t>(std::min(first, second)), first < second ? i : j);
      target.insert(target.begin() + static_cast<std::ptrdiff_t>(std::max(first, second)), first < second ? j : i);
      add_target(target, data);
    });
  }

  void draw_rows(bool fills) {
    const shape data = draw_data_extents(1);
    case_.axis = draw_axis(random_, rank_of(data));
    const std::size_t a = oracle::axis_of(case_.axis, data.size());
    shape counts;
    if (is_small()) {
      for (std::int64_t q = random_.below(3); q > 0; --q) {
        counts.push_back(random_.one_in(15) ? 0 : random_.between(1, 4));
      }
    } else {
      counts.push_back(random_.between(1, data[a] + data[a] / 2));
      if (random_.one_in(5)) counts.insert(counts.begin(), 2);
    }
    draw_policy(case_.which == operation::index_copy || case_.which == operation::index_add ||
                case_.which == operation::index_reduce);
    make_indices(counts, data[a], fills, 0);
    const shape updates = oracle::scatter_update_updates(data, counts, case_.axis);
    make_tensors(data, fills ? shape{} : updates);
    case_.has_one_update = fills;
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < case_.indices[0].size(); ++i) rows.push_back(find(case_.indices[0], i, data[a], fills));
    if (case_.is_error) return;
    const std::size_t q = counts.size();
    shape target(data.size());
    for_each_coordinate(updates, [&](const shape& at) {
      std::size_t number = 0;
      for (std::size_t i = 0; i < q; ++i) number = number * as_size(counts[i]) + as_size(at[a + i]);
      if (rows[number] == scatter_case::dropped) return case_.targets.push_back(scatter_case::dropped);
      for (std::size_t k = 0; k < data.size(); ++k) target[k] = k < a ? at[k] : k == a ? rows[number] : at[k + q - 1];
      add_target(target, data);
    });
  }

  void draw_elements(bool wraps, bool may_exceed) {
    const shape data = draw_data_extents(1);
    case_.axis = draw_axis(random_, rank_of(data));
    if (data.size() > 1 && random_.one_in(2)) case_.axis = random_.below(rank_of(data) - 1);
    const std::size_t a = oracle::axis_of(case_.axis, data.size());
    shape counts = data;
    const bool covers = !random_.one_in(4);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (k == a) {
        const std::int64_t most = may_exceed ? data[k] + data[k] / 2 : data[k];
        counts[k] = is_small() && random_.one_in(15) ? 0 : random_.between(std::min<std::int64_t>(most, 1), most);
      } else if (!covers && random_.one_in(2)) {
        counts[k] = random_.between(std::min<std::int64_t>(data[k], is_small() ? 0 : 1), data[k]);
      }
    }
    draw_policy(case_.which == operation::v12_scatter_elements_update);
    make_indices(counts, data[a], wraps, static_cast<std::int64_t>(a));
    make_tensors(data, counts);
    std::size_t i = 0;
    shape target;
    for_each_coordinate(counts, [&](const shape& at) {
      const std::int64_t element = find(case_.indices[0], i++, data[a], wraps);
      if (element == scatter_case::dropped) return case_.targets.push_back(scatter_case::dropped);
      target = at;
      target[a] = element;
      add_target(target, data);
    });
  }

  void draw_tuples(bool wraps, bool are_separate) {
    const shape data = draw_data_extents(1);
    const std::int64_t count = random_.between(is_small() && !are_separate ? 0 : 1, rank_of(data));
    shape positions;
    if (is_small()) {
      for (std::int64_t q = random_.below(3); q > 0; --q) {
        positions.push_back(random_.one_in(15) ? 0 : random_.between(1, 5));
      }
    } else {
      std::int64_t rows = 1;
      for (std::int64_t j = 0; j < count; ++j) rows *= data[as_size(j)];
      positions.push_back(random_.between(1, rows + rows / 2));
    }
    const std::int64_t number = oracle::count_of(positions);
    draw_policy(case_.which == operation::v15_scatter_nd_update);
    if (are_separate) {
      for (std::int64_t j = 0; j < count; ++j) make_indices(positions, data[as_size(j)], wraps, -1);
    } else {
      shape extents = positions;
      extents.push_back(count);
      case_.indices.push_back(draw_tensor(random_, case_.placed, extents, bytes_of(case_.integers), true,
                                          case_.form == call_form::run_time ? 1 : bytes_of(case_.integers)));
      const std::int64_t bad = bad_one_in(number * count);
      for (std::int64_t i = 0; i < number * count; ++i) {
        const std::int64_t extent = data[as_size(i % count)];
        const std::int64_t limit = std::min(extent, largest_of(case_.integers));
        std::int64_t value = limit > 0 ? values_.below(limit) : 0;
        if (wraps && is_signed(case_.integers) && values_.one_in(4) && value - extent >= smallest_of(case_.integers)) {
          value -= extent;
        }
        if (bad > 0 && values_.one_in(bad)) value = bad_index(values_, case_.integers, extent);
        store_index(case_.indices[0], case_.integers, as_size(i), value);
      }
    }
    shape updates = positions;
    updates.insert(updates.end(), data.begin() + static_cast<std::ptrdiff_t>(count), data.end());
    make_tensors(data, updates);
    std::vector<shape> tuples;
    for (std::int64_t p = 0; p < number; ++p) {
      shape tuple;
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t extent = data[as_size(j)];
        tuple.push_back(are_separate ? find(case_.indices[as_size(j)], as_size(p), extent, wraps)
                                     : find(case_.indices[0], as_size(p * count + j), extent, wraps));
      }
      tuples.push_back(std::move(tuple));
    }
    if (case_.is_error) return;
    for_each_coordinate(updates, [&](const shape& at) {
      std::size_t p = 0;
      for (std::size_t k = 0; k < positions.size(); ++k) p = p * as_size(positions[k]) + as_size(at[k]);
      const shape& tuple = tuples[p];
      if (std::find(tuple.begin(), tuple.end(), scatter_case::dropped) != tuple.end()) {
        return case_.targets.push_back(scatter_case::dropped);
      }
      shape target = tuple;
      target.insert(target.end(), at.begin() + static_cast<std::ptrdiff_t>(positions.size()), at.end());
      add_target(target, data);
    });
  }

  void draw_numbers() {
    const shape data = draw_data_extents(1);
    const std::int64_t size = oracle::count_of(data);
    shape counts;
    if (is_small()) {
      for (std::int64_t q = random_.below(3); q > 0; --q) {
        counts.push_back(random_.one_in(15) ? 0 : random_.between(1, 5));
      }
    } else {
      counts.push_back(random_.between(1, size + size / 2));
    }
    draw_policy();
    make_indices(counts, size, true, -1);
    make_tensors(data, counts);
    for (std::size_t i = 0; i < case_.indices[0].size(); ++i) {
      case_.targets.push_back(find(case_.indices[0], i, size, true));
    }
  }

  void draw_masked() {
    const shape data = draw_data_extents(0);
    case_.mask.emplace(draw_tensor(random_, case_.placed, data, 1, true));
    const std::int64_t one_in = random_.pick<std::int64_t>({1, 2, 3, 20});
    const bool is_set = random_.one_in(2);
    for (std::size_t i = 0; i < case_.mask->size(); ++i) {
      *case_.mask->element(i) = static_cast<char>(values_.one_in(one_in) == is_set ? 1 : 0);
    }
    for (std::size_t i = 0; i < case_.mask->size(); ++i) {
      if (*case_.mask->element(i) != 0) case_.targets.push_back(static_cast<std::int64_t>(i));
    }
    case_.has_one_update = case_.which == operation::masked_fill;
    const auto count = static_cast<std::int64_t>(case_.targets.size());
    const std::int64_t lines = random_.between(1, 3);
    make_tensors(data, case_.has_one_update ? shape{}
                       : random_.one_in(2)  ? shape{count + random_.below(3)}
                                            : shape{lines, (count + lines - 1) / lines});
  }

  void draw_cache() {
    const shape data = draw_data_extents(2);
    const std::int64_t rank = rank_of(data);
    case_.axis = random_.one_in(2) ? random_.between(1, rank - 1) : random_.between(1 - rank, -1);
    const std::size_t a = oracle::axis_of(case_.axis, data.size());
    const std::int64_t extent = data[a];
    case_.is_circular = random_.one_in(2);
    shape updates = data;
    updates[a] = random_.between(0, std::min<std::int64_t>(extent, random_.one_in(2) ? 3 : extent));
    const std::int64_t length = updates[a];
    case_.indices.push_back(
        draw_tensor(random_, case_.placed, {data[0]}, bytes_of(case_.integers), true, bytes_of(case_.integers)));
    const placed_bytes& starts = case_.indices[0];
    const std::int64_t most = std::min(case_.is_circular ? 3 * extent : extent - length, largest_of(case_.integers));
    for (std::size_t i = 0; i < starts.size(); ++i) {
      store_index(starts, case_.integers, i,
                  values_.one_in(60) ? smallest_of(case_.integers) : values_.between(0, most));
    }
    make_tensors(data, updates);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::int64_t start = load_index(starts, case_.integers, i);
      case_.is_error = case_.is_error || start < 0 || (!case_.is_circular && start > extent - length);
    }
    if (case_.is_error) return;
    shape target;
    for_each_coordinate(updates, [&](const shape& at) {
      target = at;
      target[a] = (load_index(starts, case_.integers, as_size(at[0])) + at[a]) % extent;
      add_target(target, data);
    });
  }

  random_source& random_;
  random_source& values_;
  scatter_case case_;
};

// The output of a scatter with a reduction, element by element in the order of the updates.
template <class T>
void reduce_elements(const scatter_case& of, const std::vector<char>& updates, std::vector<char>& image) {
  const placed_bytes& to = of.written();
  const kind how = oracle_kind(of.reduce);
  const auto load = [](const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  std::vector<std::vector<T>> values(how == kind::mean ? to.size() : 0);
  std::vector<char> was_reached(to.size(), 0);
  for (std::size_t i = 0; i < of.targets.size(); ++i) {
    if (of.targets[i] == scatter_case::dropped) continue;
    const std::size_t target = as_size(of.targets[i]);
    const char* const update = of.updates->in_image(updates, of.has_one_update ? 0 : i);
    if (of.skips_nan && oracle::is_nan(load(update))) continue;
    char* const element = to.in_image(image, target);
    const bool is_first = was_reached[target] == 0;
    was_reached[target] = 1;
    if (how == kind::mean) {
      if (is_first && of.include_init) values[target].push_back(load(element));
      values[target].push_back(load(update));
    } else if (is_first && !of.include_init) {
      std::memcpy(element, update, sizeof(T));
    } else {
      T operand = load(update);
      if (of.is_scaled) operand = oracle::reduce<T>(kind::prod, load(of.factor.data()), operand);
      const T result = oracle::reduce<T>(how, load(element), operand);
      std::memcpy(element, &result, sizeof result);
    }
  }
  for (std::size_t target = 0; target < values.size(); ++target) {
    if (values[target].empty()) continue;
    const T result = values[target].size() == 1 ? values[target][0] : oracle::mean(values[target]);
    std::memcpy(to.in_image(image, target), &result, sizeof result);
  }
}

// All memory of the tensor that is written, as it should be after a call.
std::vector<char> expected_image(const scatter_case& of) {
  const placed_bytes& to = of.written();
  std::vector<char> image = to.image();
  if (of.is_error) return image;
  const std::vector<char> updates = of.updates->image();
  const auto width = static_cast<std::size_t>(of.type.size);
  if (!of.in_place) {
    for (std::size_t i = 0; i < to.size(); ++i) std::memcpy(to.in_image(image, i), of.data->element(i), width);
  }
  if (of.reduce != reduction_kind::none) {
    with_oracle_type(of.type, [&]<class T>() { reduce_elements<T>(of, updates, image); });
    return image;
  }
  for (std::size_t i = 0; i < of.targets.size(); ++i) {
    if (of.targets[i] == scatter_case::dropped) continue;
    std::memcpy(to.in_image(image, as_size(of.targets[i])), of.updates->in_image(updates, of.has_one_update ? 0 : i),
                width);
  }
  return image;
}

// All memory of the numbers, as it should be after a call. An update wins if the value that is held is another than
// before it.
std::vector<char> expected_numbers(const scatter_case& of) {
  if (!of.numbers) return {};
  std::vector<char> image = of.numbers->image();
  if (of.is_error) return image;
  const auto store = [&](std::size_t element, std::int64_t number) {
    std::memcpy(of.numbers->in_image(image, element), &number, sizeof number);
  };
  for (std::size_t e = 0; e < of.numbers->size(); ++e) store(e, -1);
  // The axes of updates that are those of indices, and their extents.
  std::size_t first = 0;
  shape positions = of.indices[0].extents();
  switch (of.which) {
    case operation::scatter_update:
    case operation::index_copy:
    case operation::index_reduce:
      first = oracle::axis_of(of.axis, of.data->extents().size());
      break;
    case operation::v3_scatter_nd_update:
    case operation::v15_scatter_nd_update:
    case operation::onnx_scatter_nd:
      positions.pop_back();
      break;
    case operation::index_put:
    case operation::put:
      break;
    default:  // those on elements
      first = oracle::axis_of(of.axis, positions.size());
      positions = {positions[first]};
      break;
  }
  with_oracle_type(of.type, [&]<class T>() {
    const auto load = [](const char* from) {
      T value;
      std::memcpy(&value, from, sizeof value);
      return value;
    };
    std::map<std::size_t, T> held;
    std::size_t i = 0;
    for_each_coordinate(of.updates->extents(), [&](const shape& at) {
      const std::size_t update = i++;
      if (of.targets[update] == scatter_case::dropped) return;
      const std::size_t target = as_size(of.targets[update]);
      if (of.reduce != reduction_kind::none) {
        T& current = held.try_emplace(target, load(of.data->element(target))).first->second;
        const T next = oracle::reduce<T>(oracle_kind(of.reduce), current, load(of.updates->element(update)));
        if (oracle::agrees<T>(kind::none, next, current)) return;
        current = next;
      }
      const auto begin = at.begin() + static_cast<std::ptrdiff_t>(first);
      const shape position(begin, begin + static_cast<std::ptrdiff_t>(positions.size()));
      store(target, static_cast<std::int64_t>(oracle::position_of(position, positions)));
    });
  });
  return image;
}

}  // namespace

const char* name_of(operation which) {
  static constexpr const char* names[] = {"slice_scatter",
                                          "select_scatter",
                                          "diagonal_scatter",
                                          "scatter_update",
                                          "index_copy",
                                          "index_add",
                                          "index_reduce",
                                          "index_fill",
                                          "scatter_elements_update",
                                          "onnx::scatter",
                                          "v12::scatter_elements_update",
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
                                          "tensor_scatter"};
  return names[static_cast<std::size_t>(which)];
}

case_kind draw_case_kind(random_source& random, size_class size) {
  // Drawn more often: the operators with kernels of their own, and those that reach all reductions.
  static const std::vector<operation> often{
      operation::slice_scatter,           operation::slice_scatter,         operation::scatter_update,
      operation::scatter_elements_update, operation::onnx_scatter,          operation::v12_scatter_elements_update,
      operation::v15_scatter_nd_update,   operation::v15_scatter_nd_update, operation::index_reduce};
  case_kind kind;
  kind.size = size;
  kind.which = random.one_in(2) ? random.pick(often) : static_cast<operation>(random.below(operations));
  kind.integers = !random.one_in(4) ? random.pick<index_type>({index_type::int64, index_type::int32})
                                    : static_cast<index_type>(random.below(8));
  if (kind.which == operation::tensor_scatter) {  // takes indices of types that the compiler knows
    kind.integers = random.pick<index_type>({index_type::int64, index_type::int32, index_type::uint8});
  }
  kind.placed = random.pick<placing>({placing::row_major, placing::row_major, placing::dense, placing::any});
  switch (random.below(8)) {
    case 0:
      draw_typed_reduction(random, kind);
      break;
    case 1:
      draw_prepared_call(random, kind);
      break;
    default:
      draw_reduction(random, kind);
      if (random.one_in(5)) draw_conversion(random, kind);
      break;
  }
  return kind;
}

scatter_case draw_scatter_case(random_source& shapes, random_source& values, const case_kind& kind) {
  return draft(shapes, values, kind).finish();
}

bool are_same_elements(const scatter_case& of, const char* a, const char* b) {
  if (std::memcmp(a, b, static_cast<std::size_t>(of.type.size)) == 0) return true;
  if (of.reduce == reduction_kind::none && !of.given) return false;
  return with_oracle_type(of.type, [&]<class T>() -> bool {
    T x;
    T y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    // Of a NaN that is converted the payload is not promised.
    return oracle::agrees<T>(of.given ? kind::sum : oracle_kind(of.reduce), x, y);
  });
}

std::string text_of(const scatter_case& of) {
  const auto text = [](const placed_bytes& tensor) {
    std::string result = "[";
    for (const std::int64_t extent : tensor.extents()) result += std::to_string(extent) + ' ';
    result += "; ";
    for (const std::int64_t stride : tensor.strides()) result += std::to_string(stride) + ' ';
    return result + "]";
  };
  std::string result =
      "form " + std::to_string(static_cast<int>(of.form)) + ", " + name_of(of.which) + ", " +
      reduction::name_of(of.reduce) + (of.include_init ? "" : " without init") + (of.skips_nan ? " without NaNs" : "") +
      (of.is_scaled ? " scaled" : "") + (of.has_numbers ? " with positions" : "") + ", kind " +
      std::to_string(static_cast<int>(of.type.kind)) + " of " + std::to_string(of.type.size) + " bytes, data " +
      text(*of.data) + ", updates " + text(of.given ? *of.given_updates : *of.updates) +
      (of.given ? " of kind " + std::to_string(static_cast<int>(of.given->kind)) + " of " +
                      std::to_string(of.given->size) + " bytes"
                : "") +
      ", output " + (of.in_place ? "in place" : text(*of.output)) + ", axis " + std::to_string(of.axis) + ", policy " +
      std::to_string(static_cast<int>(of.policy));
  for (const placed_bytes& each : of.indices) {
    result += ", indices " + text(each) + " of type " + std::to_string(static_cast<int>(of.integers));
  }
  if (of.which == operation::slice_scatter) {
    const auto entry = [](const optional_list& list, int k) {
      return list.is_left_out() ? std::string() : std::to_string(list[k]);
    };
    for (int k = 0; k < of.slice.axes.size(); ++k) {
      result += ", axis " + std::to_string(of.slice.axes[k]) + ' ' + entry(of.slice.start, k) + ':' +
                entry(of.slice.stop, k) + ':' + entry(of.slice.step, k);
    }
  }
  return result;
}

case_oracle::case_oracle(const scatter_case& of)
    : case_(of),
      before_(of.written().image()),
      data_(of.data->image()),
      updates_(of.updates->image()),
      given_updates_(of.given ? of.given_updates->image() : std::vector<char>()),
      expected_(expected_image(of)),
      numbers_before_(of.numbers ? of.numbers->image() : std::vector<char>()),
      expected_numbers_(expected_numbers(of)) {}

std::string case_oracle::deviation_of_run(circumstances_of_call in, bool watches_parts, case_runner run) const {
  const placed_bytes& to = case_.written();
  to.restore(before_);
  if (case_.numbers) case_.numbers->restore(numbers_before_);
  watched_parts watch(to, expected_);
  if (watches_parts && !case_.in_place) in.watch = &watch;
  const status outcome = run(case_, in);
  if (watch.shares()) return "two parts wrote one element";
  if (case_.is_error && outcome.code() != errc::index_out_of_bounds) return "an illegal index was not refused";
  if (!case_.is_error && !outcome.ok()) return "refused: " + std::string(outcome.message().view());
  const bool are_updates_as_before =
      case_.updates->is_like(updates_) && (!case_.given || case_.given_updates->is_like(given_updates_));
  if (!are_updates_as_before) return "updates were written";
  if (!case_.in_place && !case_.data->is_like(data_)) return "data was written";
  if (case_.numbers && !case_.numbers->is_like(expected_numbers_)) return "numbers differ";
  if (to.is_like(expected_)) return "";
  if (case_.is_error) return "written in spite of an error";
  std::vector<char> image = to.image();
  for (std::size_t i = 0; i < to.size(); ++i) {
    char* const element = to.in_image(image, i);
    if (!are_same_elements(case_, element, to.in_image(expected_, i)))
      return "element " + std::to_string(i) + " differs";
    std::memcpy(element, to.in_image(expected_, i), static_cast<std::size_t>(case_.type.size));
  }
  return image == expected_ ? "" : "written beside the elements";
}

// ---- The types that calls of typed views and prepared calls are compiled for; few where tests are not built at length

const std::vector<typed_pair>& reduced_pairs() {
  static const std::vector<typed_pair> all {
    {{element_kind::floating_point, 4}, index_type::int32}, {{element_kind::signed_integer, 1}, index_type::uint8},
        {{element_kind::unsigned_integer, 2}, index_type::int16},
#if STREW_TEST_AT_LENGTH
        {{element_kind::signed_integer, 8}, index_type::uint64},
        {{element_kind::unsigned_integer, 8}, index_type::int8}, {{element_kind::boolean, 1}, index_type::uint32},
        {{element_kind::complex, 16}, index_type::int64}, {{element_kind::brain_float, 2}, index_type::int64},
#if STREW_HAS_FLOAT16
        {{element_kind::floating_point, 2}, index_type::int64},
#endif
#endif
  };
  return all;
}

const std::vector<typed_pair>& prepared_pairs() {
  static const std::vector<typed_pair> all = [] {
    std::vector<typed_pair> pairs;
    for (const std::int64_t size : {4, 12}) {
      pairs.push_back({{element_kind::opaque, size}, size == 12 ? index_type::int32 : index_type::int64});
    }
#if STREW_TEST_AT_LENGTH
    for (const std::int64_t size : {1, 2, 8, 16, 3, 40}) {
      pairs.push_back({{element_kind::opaque, size}, size == 3 ? index_type::int32 : index_type::int64});
    }
    pairs.push_back({{element_kind::opaque, 4}, index_type::int32});
#endif
    return pairs;
  }();
  return all;
}
const std::vector<typed_pair>& moved_pairs() {
  static const std::vector<typed_pair> all{{{element_kind::opaque, 12}, index_type::int32},
                                           {{element_kind::opaque, 4}, index_type::int64}};
  return all;
}
const std::vector<typed_pair>& prepared_reduced_pairs() {
  static const std::vector<typed_pair> all{{{element_kind::floating_point, 4}, index_type::int32},
                                           {{element_kind::unsigned_integer, 2}, index_type::int16}};
  return all;
}

}  // namespace strew::test
