// SPDX-License-Identifier: Apache-2.0
// Reads indices for kernels: in place, or a thousand at a time into a buffer; as the integers of the loops, as
// coordinates, or, if several indices address a target together, as offsets in the output.
#ifndef STREW_DETAIL_KERNELS_INDEX_READER_HPP
#define STREW_DETAIL_KERNELS_INDEX_READER_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/divide_numbers.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Converts legal indices to elements: negative ones count from the end.
STREW_VECTORISED inline void wrap_targets(std::int64_t* targets, std::int64_t count, std::int64_t extent) noexcept {
  for (std::int64_t i = 0; i < count; ++i) targets[i] += targets[i] < 0 ? extent : 0;
}

// Some indices of a run, in the form of the loops.
struct target_run {
  const void* indices;  // contiguous, as the loops' integer, negative ones as they are; or 64-bit targets
  std::int64_t count;   // of those to be used
  std::int64_t taken;   // of those of the run that were read

  [[nodiscard]] std::int64_t target(std::int64_t i) const noexcept {
    return load<std::int64_t>(static_cast<const char*>(indices) + i * 8);
  }
};

// Some targets of a run of positions, as offsets in the output and in the states.
struct offset_run {
  const std::int64_t* offset;
  const std::int64_t* state_offset;
  const std::uint16_t* number;  // null: all of them
  std::int64_t count;           // the number of targets
  std::int64_t taken;           // the number of positions that were read
};

class index_reader;
struct own_positions;
// Rare forms of indices, behind pointers, so that other calls contain no code for them.
struct rare_index_forms {
  struct axis_of_indices {
    bool is_unsigned;
    std::int64_t extent;
  };

  // Resolves indices by a policy.
  void (*resolve)(const erased::request& call, const axis_of_indices& on, std::int64_t* values,
                  std::int64_t count) noexcept;
  // Converts row-major numbers of elements to coordinates.
  void (*unravel)(index_reader& reader, std::int64_t count) noexcept;

  static void resolve_by_policy(const erased::request& call, const axis_of_indices& on, std::int64_t* values,
                                std::int64_t count) noexcept {
    for (std::int64_t i = 0; i < count; ++i) {
      values[i] = resolve_index(values[i], on.is_unsigned, on.extent, call.type.rules.rule, call.type.policy);
    }
  }
  static void unravel_numbers(index_reader& reader, std::int64_t count) noexcept;
};

// Reads the indices of one axis, or targets that several indices address: see the two constructors.
class index_reader {
 public:
  // Indices on one axis, which are known to be legal.
  index_reader(const index_source& indices, const target_axis& axis) noexcept : indices_{indices}, axis_{&axis} {}

  // Reads `count` indices of which one axis owns some: the offsets of these, and their numbers.
  using read_own_function = void (*)(index_reader& reader, std::int64_t first, std::int64_t stride,
                                     std::int64_t count) noexcept;
  static void read_own_in_turn(index_reader& reader, std::int64_t first, std::int64_t stride,
                               std::int64_t count) noexcept {
    const char* const targets = static_cast<const char*>(reader.find_targets(first, stride, count).indices);
    reader.find_own_offsets(targets, reader.keep_own(targets, count));
  }

  // The indices of a call, by its rule and policy, for the plan of a part. The call has at least one component.
  STREW_SMALL index_reader(const erased::request& call, const scatter_plan& plan, bool checks,
                           read_own_function read_own) noexcept
      : indices_{call.indices[0].data, *call.indices[0].loops},
        axis_{plan.axis},
        call_{&call},
        plan_{&plan},
        read_own_{read_own},
        checks_{checks} {
    keeps_some_ = !plan.owns_all() || call.type.policy == index_policy::drop;
    if (!keeps_some_ || checks || call.type.components != 1 || plan.axes != 1 ||
        !leaves_legal_indices(call.type.policy)) {
      read_own_ = nullptr;
    }
  }

  // Reads up to `left` indices, `stride` bytes apart from `first` on, as the loops' integer, on an axis that is owned
  // whole.
  [[nodiscard]] target_run read(std::int64_t first, std::int64_t stride, std::int64_t left) noexcept {
    if (!is_known(first, stride, left, form::indices)) {
      const std::int64_t n = count_of(left);
      indices_.loops.read(indices_.data + first, stride, n, value_);
      known_ = {value_, n, n};
    }
    return known_;
  }

  // The targets as 64-bit integers, which are not negative. They are read for each call.
  [[nodiscard]] const target_run& read_targets(std::int64_t first, std::int64_t stride, std::int64_t left) noexcept {
    return find_targets(first, stride, count_of(left));
  }

  [[nodiscard]] bool keeps_some() const noexcept { return keeps_some_; }

  // Positions: `count` of them in lines of `line` each. The first has the row-major number `number` and the offset
  // `first`, in bytes, in the first component, as are the strides.
  struct piece {
    std::int64_t number;
    std::int64_t first;
    std::int64_t stride;
    std::int64_t count;
    std::int64_t line_stride = 0;
    std::int64_t line = count;
  };
  // Reads the targets of some of the positions, of all if they are several lines, which must fit in the buffer. If the
  // reader checks indices and one is illegal, `taken` is 0.
  [[nodiscard]] offset_run read_offsets(piece of) noexcept {
    if (!is_known(of.first, of.number, of.count, form::offsets)) {
      const std::int64_t n = count_of(of.count);
      if (of.line == of.count) of.line = n;
      of.count = n;
      known_.taken = n;
      if (read_own_ != nullptr) {
        read_own_(*this, of.first, of.stride, n);
      } else {
        begin(n);
        for (int j = 0; j < call_->type.components; ++j) {
          if (add_component(j, of)) continue;
          form_ = form::none;
          known_.taken = 0;
          break;
        }
        known_.count = keeps_some_ ? keep(n) : n;
      }
    }
    return {offset_, state_offset_, keeps_some_ ? numbers_ : nullptr, known_.count, known_.taken};
  }

 private:
  enum class form { none, indices, offsets };

  [[nodiscard]] static std::int64_t count_of(std::int64_t left) noexcept {
    return left < tuning::limits().used_positions ? left : tuning::limits().used_positions;
  }

  // Whether the buffer already has these indices, as one run is used for all positions outside of it. `which` is their
  // stride, or the number of the first position.
  [[nodiscard]] bool is_known(std::int64_t first, std::int64_t which, std::int64_t left, form as) noexcept {
    if (as == form_ && first == first_ && which == which_ && left == left_) return true;
    form_ = as;
    first_ = first;
    which_ = which;
    left_ = left;
    return false;
  }

  // The targets of `n` indices on one axis.
  STREW_NOINLINE const target_run& find_targets(std::int64_t first, std::int64_t stride, std::int64_t n) noexcept {
    const target_axis& axis = *axis_;
    const char* from = indices_.data + first;
    if (axis.wraps || stride != 8 || indices_.loops.size != 8) {
      indices_.loops.read_64(from, stride, n, value_);
      if (axis.wraps) wrap_targets(value_, n, axis.extent);
      from = reinterpret_cast<const char*>(value_);
    }
    known_ = {from, n, n};
    return known_;
  }
  // Keeps the numbers of owned targets. Writes every number and advances only for owned ones: a branch on random
  // targets would be mispredicted half the time.
  [[nodiscard]] std::int64_t keep_own(const char* targets, std::int64_t count) noexcept {
    const axis_range owned = axis_->owned;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      numbers_[kept] = static_cast<std::uint16_t>(i);
      kept += owned.contains(load<std::int64_t>(targets + i * 8)) ? 1 : 0;
    }
    return kept;
  }
  // The offsets of the first `kept` numbers.
  STREW_SMALL void find_own_offsets(const char* targets, std::int64_t kept) noexcept {
    const std::int64_t stride = axis_->stride;
    const std::int64_t step = plan_->has_states ? plan_->state_step[0] : 0;
    const std::int64_t begin = axis_->owned.begin;
    for (std::int64_t k = 0; k < kept; ++k) {
      const std::int64_t i = numbers_[k];
      const std::int64_t target = load<std::int64_t>(targets + i * 8);
      offset_[i] = scaled(target, stride);
      state_offset_[i] = scaled(target - begin, step);
    }
    known_.count = kept;
  }

  // Whether an index is the row-major number of an element on several axes.
  [[nodiscard]] bool names_several_axes() const noexcept {
    return call_->type.rules.by == addressing::numbers && plan_->axes != 1;
  }

  // How the indices of a component are read: checked, added as terms to offsets, or as bits.
  struct reading {
    std::int64_t* to;         // null: checked
    const offset_term* term;  // null: read as bits
    std::int64_t extent;      // for the check
    unsigned found = nothing_found;

    void run(const index_loops& loops, const char* from, std::int64_t stride, std::int64_t count,
             std::int64_t number) noexcept {
      if (to == nullptr) {
        found |= loops.check_run(from, stride, count, extent);
      } else if (term != nullptr) {
        loops.add_terms(from, stride, count, *term, to + number);
      } else {
        read_bits(loops, from, stride, count, to + number);
      }
    }
  };
  // Reads the indices of a piece in runs: its lines, or those of the last axis if the component has a layout of its
  // own.
  STREW_SMALL static unsigned read_component(const erased::index_operand& from, bool is_alone, const piece& of,
                                             reading how) noexcept {
    loop_nest<2> nest;  // instantiated for copies too
    for (int k = 0; !is_alone && k < from.layout->rank(); ++k) {
      nest.add_inner(from.layout->extent(k), {scaled(from.layout->stride(k), from.loops->size), 0});
    }
    if (is_alone) {
      nest.add_inner(of.count / of.line, {of.line_stride, 0});
      nest.add_inner(of.line, {of.stride, 0});
    }
    const auto run = nest.innermost();
    nest_cursor<2> at(nest, 1, {is_alone ? of.first : 0, 0});
    const std::int64_t number = is_alone ? 0 : of.number;
    at.skip(number / run.extent);
    std::int64_t within = number % run.extent;
    for (std::int64_t i = 0; i < of.count; at.next(), within = 0) {
      const std::int64_t left = run.extent - within;
      const std::int64_t some = of.count - i < left ? of.count - i : left;
      how.run(*from.loops, from.data + at[0] + within * run.strides[0], run.strides[0], some, i);
      i += some;
    }
    return how.found;
  }

  // Before the first component of `n` positions; empty multi-indices address all of the output.
  void begin(std::int64_t n) noexcept {
    std::memset(offset_, 0, static_cast<std::size_t>(n) * sizeof(std::int64_t));
    if (keeps_some_) std::memset(is_kept_, 1, static_cast<std::size_t>(n));
    if (!plan_->has_states) return;
    std::int64_t first = 0;  // states count from the first owned coordinates
    for (int k = 0; k < plan_->axes; ++k) first -= scaled(axis_[k].owned.begin, plan_->state_step[k]);
    for (std::int64_t i = 0; i < n; ++i) state_offset_[i] = first;
  }
  // Adds component j to the offsets of a piece. Returns false if indices are checked and one is illegal.
  [[nodiscard]] STREW_SMALL bool add_component(int j, const piece& of) noexcept {
    const erased::index_operand& from = call_->indices[j];
    const bool is_alone = call_->type.components == 1;
    const target_axis& axis = axis_[j];
    const std::int64_t step = plan_->state_step[j];
    if (checks_) {
      const bool by_numbers = call_->type.rules.by == addressing::numbers;
      const std::int64_t extent = by_numbers ? call_->output.layout->size() : axis.extent;
      if ((read_component(from, is_alone, of, {nullptr, nullptr, extent}) & bad_index) != 0) return false;
    }
    const bool is_term = leaves_legal_indices(call_->type.policy) && !names_several_axes() &&
                         offset_term::fits(axis.extent, axis.stride) &&
                         (!plan_->has_states || offset_term::fits(axis.extent, step));
    if (is_term) {
      offset_term term{axis.wraps && !from.loops->is_unsigned ? axis.extent : 0, axis.stride};
      static_cast<void>(read_component(from, is_alone, of, {offset_, &term, 0}));
      term.stride = step;
      if (plan_->has_states) static_cast<void>(read_component(from, is_alone, of, {state_offset_, &term, 0}));
      if (!keeps_some_) return true;
    }
    static_cast<void>(read_component(from, is_alone, of, {value_, nullptr, 0}));
    if (names_several_axes()) {
      call_->type.rare->unravel(*this, of.count);
      return true;
    }
    resolve(from.loops->is_unsigned, axis, of.count);
    add(axis, step, value_, is_term, of.count);
    return true;
  }

  // Converts indices to coordinates, or to out_of_bounds if they are dropped.
  void resolve(bool is_unsigned, const target_axis& axis, std::int64_t n) noexcept {
    if (leaves_legal_indices(call_->type.policy)) {
      if (axis.wraps && !is_unsigned) wrap_targets(value_, n, axis.extent);
      return;
    }
    call_->type.rare->resolve(*call_, {is_unsigned, axis.extent}, value_, n);
  }
  // Adds coordinates on a target axis, along which states are `step` apart, to the offsets unless these have them.
  STREW_SMALL void add(const target_axis& along, std::int64_t step, const std::int64_t* values, bool have_offsets,
                       std::int64_t n) noexcept {
    const target_axis axis = along;
    for (std::int64_t i = 0; !have_offsets && i < n; ++i) {
      offset_[i] += scaled(values[i], axis.stride);
      if (plan_->has_states) state_offset_[i] += scaled(values[i], step);
    }
    if (keeps_some_ && (!axis.owns_all() || call_->type.policy == index_policy::drop)) {
      for (std::int64_t i = 0; i < n; ++i) {
        is_kept_[i] = static_cast<unsigned char>(is_kept_[i] & (axis.owned.contains(values[i]) ? 1 : 0));
      }
    }
  }
  // Converts row-major numbers of elements to coordinates, from the innermost axis outwards. Axes along which offsets
  // are those of one axis are one: numbers of a contiguous output are not divided.
  void unravel(std::int64_t n) noexcept {
    std::int64_t size = 1;
    for (int k = 0; k < plan_->axes; ++k) size *= axis_[k].extent;
    resolve(indices_.loops.is_unsigned, {size, 0, {0, size}, axis_[0].wraps, false}, n);
    for (std::int64_t i = 0; call_->type.policy == index_policy::drop && i < n; ++i) {
      if (value_[i] != out_of_bounds) continue;
      is_kept_[i] = 0;
      value_[i] = 0;
    }
    std::int64_t coordinates[tuning::positions];
    for (int k = plan_->axes; k-- > 0;) {
      target_axis axis = axis_[k];
      const std::int64_t step = plan_->state_step[k];
      for (; k > 0 && axis.is_whole() && axis_[k - 1].is_whole(); --k) {
        if (axis_[k - 1].stride != scaled(axis.stride, axis.extent)) break;
        if (plan_->state_step[k - 1] != scaled(step, axis.extent)) break;
        axis.extent *= axis_[k - 1].extent;
        axis.owned = {0, axis.extent};
      }
      if (k > 0 && axis.extent == 1) continue;
      if (k > 0) divide(value_, coordinates, n, axis.extent, size <= tuning::limits().most_short_numbers);
      const std::int64_t* const these = k > 0 ? coordinates : value_;
      const bool is_term =
          offset_term::fits(axis.extent, axis.stride) && !plan_->has_states && call_->type.policy != index_policy::drop;
      if (is_term) {
        add_terms<std::int64_t>(reinterpret_cast<const char*>(these), 8, n, {0, axis.stride}, offset_);
      }
      add(axis, step, these, is_term, n);
    }
  }
  friend rare_index_forms;
  friend own_positions;
  STREW_SMALL std::int64_t keep(std::int64_t n) noexcept {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      numbers_[kept] = static_cast<std::uint16_t>(i);
      kept += is_kept_[i];
    }
    return kept;
  }

  index_source indices_;
  const target_axis* axis_;
  const erased::request* call_ = nullptr;
  const scatter_plan* plan_ = nullptr;
  read_own_function read_own_ = nullptr;  // or null: all are read, and then some are kept
  bool checks_ = false;                   // whether indices are not yet known to be legal
  bool keeps_some_ = false;
  form form_ = form::none;
  std::int64_t first_ = 0;
  std::int64_t which_ = 0;
  std::int64_t left_ = 0;
  target_run known_{};
  // Aligned, so that no vector crosses cache lines. Those that a loop uses together are not a multiple of 4 KiB apart,
  // where processors take a load for one of what was stored before.
  alignas(16) std::int64_t value_[tuning::positions];
  std::uint16_t numbers_[tuning::positions];
  alignas(16) std::int64_t offset_[tuning::positions];
  unsigned char is_kept_[tuning::positions];
  alignas(16) std::int64_t state_offset_[tuning::positions];
};

inline void rare_index_forms::unravel_numbers(index_reader& reader, std::int64_t count) noexcept {
  reader.unravel(count);
}
constexpr bool has_rare_indices(const operation_rules& rules, index_policy policy) noexcept {
  return rules.by == addressing::numbers || !leaves_legal_indices(policy);
}
inline constexpr rare_index_forms rare_forms_of_indices{rare_index_forms::resolve_by_policy,
                                                        rare_index_forms::unravel_numbers};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_INDEX_READER_HPP
