// SPDX-License-Identifier: Apache-2.0
// Places that are named by one index, by a tuple of them, or by the row-major number of an element: checked, and read
// in runs as offsets into the output.
#ifndef STREW_DETAIL_CPU_TUPLE_READER_HPP
#define STREW_DETAIL_CPU_TUPLE_READER_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The indices of one number of the tuples.
struct tuple_component {
  const char* data;
  const strided_layout* layout;
  const index_leaves* leaves;
};

struct tuple_source {
  target_rules rules;
  bool wraps = true;  // whether some index may be negative
  int count = 1;      // of the components; one where the row-major number of an element is given
  tuple_component component[max_rank] = {};

  [[nodiscard]] const strided_layout& positions() const noexcept { return *component[0].layout; }
  // Whether component j lies as component 0 does.
  [[nodiscard]] bool is_like_first(int j) const noexcept {
    const strided_layout& a = *component[0].layout;
    const strided_layout& b = *component[j].layout;
    if (component[j].leaves->size != component[0].leaves->size) return false;
    for (int k = 0; k < a.rank(); ++k) {
      if (a.stride(k) != b.stride(k)) return false;
    }
    return true;
  }
};

// The bits of an index; unsigned ones of 64 bits do not saturate.
inline std::int64_t index_bits(const tuple_component& from, std::int64_t offset) noexcept {
  const char* const address = from.data + offset * from.leaves->size;
  if (from.leaves->is_unsigned && from.leaves->size == 8) return load<std::int64_t>(address);
  std::int64_t value;
  from.leaves->read_64(address, 0, 1, &value);
  return value;
}

// What a look at all indices of a component finds, on an axis of `extent` elements.
inline unsigned find_in_component(const workers& who, const tuple_component& from, std::int64_t extent) {
  loop_nest<2> nest;
  for (int k = 0; k < from.layout->rank(); ++k) {
    const std::int64_t stride = scaled(from.layout->stride(k), from.leaves->size);
    nest.add_inner(stride == 0 && from.layout->extent(k) > 1 ? 1 : from.layout->extent(k), {stride, stride});
  }
  struct context {
    const tuple_component& from;
    std::int64_t stride;
    std::int64_t extent;
    std::int64_t first;
  };
  const auto run = nest.innermost();
  unsigned found = nothing_found;
  for (nest_cursor<2> at(nest, 1, {}); !at.done(); at.next()) {
    const context all{from, run.strides[0], extent, at[0]};
    const auto check = [](const void* call, std::int64_t begin, std::int64_t count) noexcept -> unsigned {
      const auto& c = *static_cast<const context*>(call);
      return c.from.leaves->check(c.from.data + c.first + begin * c.stride, c.stride, count, c.extent);
    };
    found |= who.check(run.extent, {check, &all});
  }
  return found;
}

// Checks all indices. Extents are those of the target axes, or the number of elements.
inline bool check_targets(const workers& who, tuple_source& source, int first_axis, const index_list& extents,
                          status& error) {
  const target_rules& rules = source.rules;
  if (source.positions().empty() || !needs_check(rules, extents)) return true;
  const bool takes_any = rules.policy == index_policy::clip || rules.policy == index_policy::wrap;
  unsigned found = nothing_found;
  for (int j = 0; j < source.count; ++j) {
    found |= takes_any || extents[j] == 0 ? 0U : find_in_component(who, source.component[j], extents[j]);
    if (extents[j] == 0) found |= bad_index;
  }
  source.wraps = takes_any || (found & negative_index) != 0;
  const bool is_bad = (found & bad_index) != 0;
  STREW_ASSERT(!is_bad || rules.policy != index_policy::assume_valid);
  if (!is_bad) return true;
  const auto bits = [&](int j, const index_list& coordinate) {
    return index_bits(source.component[j], source.component[j].layout->offset(coordinate));
  };
  const auto is_unsigned = [&](int j) { return source.component[j].leaves->is_unsigned; };
  return refuse_first_bad_target(rules, source.positions(), source.count, first_axis, extents, bits, is_unsigned,
                                 error);
}

// Some places of a run of positions.
struct read_targets_result {
  const std::int64_t* offset;
  const std::int64_t* cell_offset;
  const std::uint16_t* number;  // null: all of them
  std::int64_t count;           // how many are kept
  std::int64_t taken;           // positions that this stands for
};

class tuple_reader {
 public:
  // Extents as for check_targets.
  tuple_reader(const tuple_source& source, const scatter_plan& plan, const target_axes& axes,
               const strided_layout& output) noexcept
      : source_{source}, plan_{plan}, axes_{axes}, output_{output} {
    for (int j = 1; j < source.count; ++j) is_uniform_ = is_uniform_ && source.is_like_first(j);
    keeps_some_ = !plan.owns_all || source.rules.policy == index_policy::drop;
  }

  // Whether indices that are `stride` bytes apart can be used from where they are, by leaves for integers of this size.
  [[nodiscard]] bool is_direct(std::int64_t stride, int integer_size) const noexcept {
    const index_leaves& leaves = *source_.component[0].leaves;
    const target_rules& rules = source_.rules;
    const bool is_plain = rules.policy == index_policy::error || rules.policy == index_policy::assume_valid;
    const bool is_positive = rules.rule == index_rule::strict || !source_.wraps || leaves.is_unsigned;
    return source_.count == 1 && !keeps_some_ && is_plain && is_positive && leaves.is_loop_index &&
           leaves.loop_size == integer_size && stride == leaves.size &&
           (rules.by != naming::number || output_.rank() == 1);
  }

  // Up to `left` places from the position on that has a row-major number and an offset in bytes in component 0.
  [[nodiscard]] const read_targets_result& read(std::int64_t number, std::int64_t first, std::int64_t stride,
                                                std::int64_t left) noexcept {
    if (known_.taken > 0 && number == number_ && first == first_ && left == left_) return known_;
    number_ = number;
    first_ = first;
    left_ = left;
    const std::int64_t n = left < tuning::limits().used_positions ? left : tuning::limits().used_positions;
    if (keeps_some_) {
      for (std::int64_t i = 0; i < n; ++i) is_kept_[i] = 1;
    }
    if (source_.count == 0) {  // empty tuples name all there is
      for (std::int64_t i = 0; i < n; ++i) offset_[i] = cell_offset_[i] = 0;
    }
    for (int j = 0; j < source_.count; ++j) {
      read_component(source_.component[j], j == 0 || is_uniform_, number, first, stride, n);
      if (source_.rules.by == naming::number && output_.rank() != 1) {
        unravel(n);
      } else {
        resolve(source_.component[j].leaves->is_unsigned, output_.extent(axes_.first + j), n);
        add(j, j == 0, n);
      }
    }
    known_ = {offset_, cell_offset_, keeps_some_ ? number_kept_ : nullptr, keeps_some_ ? keep(n) : n, n};
    return known_;
  }

 private:
  // Indices of a component, as their bits, to `value_`.
  void read_component(const tuple_component& from, bool is_run, std::int64_t number, std::int64_t first,
                      std::int64_t stride, std::int64_t n) noexcept {
    if (is_run && !(from.leaves->is_unsigned && from.leaves->size == 8)) {
      from.leaves->read_64(from.data + first, stride, n, value_);
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
      value_[i] = is_run ? load<std::int64_t>(from.data + first + i * stride)
                         : index_bits(from, offset_of_number(*from.layout, number + i));
    }
  }

  // Indices become coordinates, or out_of_bounds where they are dropped.
  void resolve(bool is_unsigned, std::int64_t extent, std::int64_t n) noexcept {
    const target_rules& rules = source_.rules;
    if (rules.policy == index_policy::error || rules.policy == index_policy::assume_valid) {
      if (source_.wraps && rules.rule == index_rule::wrapping && !is_unsigned) {
        for (std::int64_t i = 0; i < n; ++i) value_[i] += value_[i] < 0 ? extent : 0;
      }
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
      value_[i] = resolve_index(value_[i], is_unsigned, extent, rules.rule, rules.policy);
    }
  }
  // Adds coordinates on target axis j.
  void add(int j, bool is_first, std::int64_t n) noexcept {
    const std::int64_t weight = plan_.weight[j];
    const std::int64_t cell_weight = plan_.cell_weight[j];
    const axis_range owned = plan_.owned[j];
    for (std::int64_t i = 0; i < n; ++i) offset_[i] = (is_first ? 0 : offset_[i]) + scaled(value_[i], weight);
    if (plan_.has_cells) {
      for (std::int64_t i = 0; i < n; ++i) {
        cell_offset_[i] = (is_first ? 0 : cell_offset_[i]) + scaled(value_[i] - owned.begin, cell_weight);
      }
    }
    if (keeps_some_) {
      for (std::int64_t i = 0; i < n; ++i) {
        is_kept_[i] = static_cast<unsigned char>(is_kept_[i] & (owned.contains(value_[i]) ? 1 : 0));
      }
    }
  }
  // Row-major numbers of elements become coordinates on all axes.
  void unravel(std::int64_t n) noexcept {
    resolve(source_.component[0].leaves->is_unsigned, output_.size(), n);
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t rest = value_[i];
      offset_[i] = cell_offset_[i] = 0;
      if (rest == out_of_bounds) {
        is_kept_[i] = 0;
        continue;
      }
      for (int k = output_.rank(); k-- > 0;) {
        const std::int64_t coordinate = rest % output_.extent(k);
        rest /= output_.extent(k);
        offset_[i] += coordinate * plan_.weight[k];
        cell_offset_[i] += (coordinate - plan_.owned[k].begin) * plan_.cell_weight[k];
        if (keeps_some_ && !plan_.owned[k].contains(coordinate)) is_kept_[i] = 0;
      }
    }
  }
  std::int64_t keep(std::int64_t n) noexcept {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      number_kept_[kept] = static_cast<std::uint16_t>(i);
      kept += is_kept_[i];
    }
    return kept;
  }

  const tuple_source& source_;
  const scatter_plan& plan_;
  const target_axes& axes_;
  const strided_layout& output_;
  bool is_uniform_ = true;
  bool keeps_some_ = false;
  std::int64_t number_ = 0;
  std::int64_t first_ = 0;
  std::int64_t left_ = 0;
  read_targets_result known_{};
  std::int64_t value_[tuning::positions];
  std::int64_t offset_[tuning::positions];
  std::int64_t cell_offset_[tuning::positions];
  std::uint16_t number_kept_[tuning::positions];
  unsigned char is_kept_[tuning::positions];
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_TUPLE_READER_HPP
