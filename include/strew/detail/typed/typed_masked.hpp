// SPDX-License-Identifier: Apache-2.0
// Scatters by a mask: the pieces of a call, and the loops over elements of a type. Elements of bytes bring loops of
// their own, in kernels/masked_loops.hpp.
#ifndef STREW_DETAIL_TYPED_TYPED_MASKED_HPP
#define STREW_DETAIL_TYPED_TYPED_MASKED_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether an element of a mask selects: if its byte is not 0. Masks are read as bytes, as chars, since a bool may be a
// byte that is neither 0 nor 1. In constant evaluation they have their own type, and a value that is not 0 selects.
template <class M>
constexpr bool selects(M element) noexcept {
  return element != M{};
}

// Adds the axes of several operands, in row-major order, to a nest; strides are multiplied by `units`.
template <std::size_t Operands>
constexpr void add_axes(loop_nest<Operands>& nest, const index_list& extents,
                        const index_list* const (&strides)[Operands], const per_operand<Operands>& units) noexcept {
  for (int k = 0; k < extents.size(); ++k) {
    per_operand<Operands> steps{};
    for (std::size_t i = 0; i < Operands; ++i) steps[i] = scaled((*strides[i])[k], units[i]);
    nest.add_inner(extents[k], steps);
  }
}

// Calls body(offsets, count, rows) for blocks of elements [begin, end) of a nest, in order: `rows` runs of `count`
// elements along the two innermost axes, more than one of whole runs only.
template <std::size_t Operands, class Body>
constexpr void for_each_block(const loop_nest<Operands>& nest, std::int64_t begin, std::int64_t end, const Body& body) {
  if (begin == end) return;
  const auto run = nest.innermost();
  const auto outer = nest.second();
  nest_cursor<Operands> at(nest, 2, {});
  std::int64_t row = begin / run.extent;
  std::int64_t first = begin % run.extent;
  at.skip(row / outer.extent);
  row %= outer.extent;
  for (std::int64_t left = end - begin; left > 0;) {
    std::int64_t count = run.extent - first;
    std::int64_t rows = 1;
    if (left < count) {
      count = left;
    } else if (first == 0) {
      rows = left / count < outer.extent - row ? left / count : outer.extent - row;
    }
    per_operand<Operands> offsets = at.position();
    for (std::size_t i = 0; i < Operands; ++i) offsets[i] += first * run.strides[i] + row * outer.strides[i];
    body(offsets, count, rows);
    left -= count * rows;
    first = 0;
    row += rows;
    if (row == outer.extent) {
      row = 0;
      at.next();
    }
  }
}

// Elements of a type; strides count elements. byte_elements of the kernels has the same members.
template <class T>
struct typed_elements {
  using output = T*;
  using input = const T*;
  using source = const T*;
  static constexpr bool are_bytes = false;  // types that are copied as bytes come here in constant evaluation only
  static constexpr std::int64_t unit = 1;
  static constexpr std::int64_t size = static_cast<std::int64_t>(sizeof(T));

  static constexpr std::int64_t source_unit() noexcept { return unit; }
  static constexpr void put(T* to, const T* from) { strew::detail::assign(*to, *from); }
};

// Those of a call whose updates are read by a pointer.
template <class T, class Pointer>
struct typed_elements_for : typed_elements<T> {};

// The operands of a scatter by a mask. Data is null if the output already has it (in place).
template <class Elements, class M = char>
struct masked_operands {
  Elements elements;
  const M* mask;
  typename Elements::input data;
  typename Elements::source source;
  typename Elements::output output;
};

// Reads the elements of the source in row-major order from number `first` on. There must be enough. The nest of its
// axes must outlive the reader.
template <class Elements>
class element_reader {
  using pointer = typename Elements::source;

 public:
  constexpr element_reader(pointer data, const loop_nest<1>& axes, std::int64_t size, std::int64_t first) noexcept
      : data_{data},
        run_{axes.innermost()},
        at_{axes, 1, {}},
        is_one_{size > 0 && axes.rank() <= 1 && axes.innermost().strides[0] == 0} {
    if (first >= size) return;  // nothing is read
    at_.skip(first / run_.extent);
    begin_at(first % run_.extent);
  }

  constexpr pointer next() noexcept {
    static_cast<void>(run_left());
    const pointer element = here();
    skip(1);
    return element;
  }

  // How many elements follow in the run of the last one, maybe none.
  [[nodiscard]] constexpr std::int64_t left_of_run() const noexcept { return left_; }
  // How many elements follow in the run that the next one is in.
  constexpr std::int64_t run_left() noexcept {
    if (left_ == 0) {
      at_.next();
      begin_at(0);
    }
    return left_;
  }
  [[nodiscard]] constexpr pointer here() const noexcept { return data_ + offset_; }
  [[nodiscard]] constexpr std::int64_t stride() const noexcept { return run_.strides[0]; }
  // Whether all elements are one in memory.
  [[nodiscard]] constexpr bool is_one() const noexcept { return is_one_; }
  constexpr void skip(std::int64_t count) noexcept {
    offset_ += count * run_.strides[0];
    left_ -= count;
  }

 private:
  constexpr void begin_at(std::int64_t i) noexcept {
    offset_ = at_[0] + i * run_.strides[0];
    left_ = run_.extent - i;
  }

  pointer data_;
  loop_nest<1>::axis run_;
  nest_cursor<1> at_;
  std::int64_t offset_ = 0;
  std::int64_t left_ = 0;
  bool is_one_;
};

template <class Elements, class M>
constexpr std::int64_t count_selected(const M* mask, std::int64_t stride, std::int64_t count) noexcept {
  if constexpr (Elements::are_bytes) {
    return Elements::count_selected(mask, stride, count);
  } else {
    std::int64_t selected = 0;
    for (std::int64_t i = 0; i < count; ++i) selected += selects(mask[i * stride]) ? 1 : 0;
    return selected;
  }
}

// Runs of elements, some of which are replaced.
template <class Elements, class M = char>
struct masked_run {
  const Elements& elements;
  const M* mask;
  std::int64_t mask_stride;
  typename Elements::output to;
  std::int64_t to_stride;
  typename Elements::input data;  // null if the output has it
  std::int64_t data_stride;
  std::int64_t count;
  std::int64_t rows;       // as many runs, one at least
  per_operand<3> to_next;  // from run to run, in the mask, the output and data

  constexpr void next() noexcept {
    mask += to_next[0];
    to += to_next[1];
    if (data != nullptr) data += to_next[2];
  }
};

// Replaces the elements that the mask selects by the next ones of the source, and copies the others from data.
template <class Elements, class M>
constexpr void put_runs(const masked_run<Elements, M>& all, element_reader<Elements>& source) {
  if constexpr (Elements::are_bytes) {
    Elements::put_runs(all, source);
  } else {
    for (masked_run<Elements, M> run = all;; run.next()) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        if (selects(run.mask[i * run.mask_stride])) {
          run.elements.put(run.to + i * run.to_stride, source.next());
        } else if (run.data != nullptr) {
          run.elements.put(run.to + i * run.to_stride, run.data + i * run.data_stride);
        }
      }
      if (--run.rows == 0) return;
    }
  }
}

// The two passes of a call over its mask, each in pieces of about equal size, in row-major order.
template <class Elements, class M = char>
class masked_call {
 public:
  constexpr masked_call(const execution_context* ctx, const masked_layouts& at,
                        const masked_operands<Elements, M>& operands, bool fills = false) noexcept
      : ctx_{ctx}, at_{at}, operands_{operands}, fills_{fills} {
    if (ctx == nullptr || !ctx->has_threads()) return;
    const std::int64_t most = at.output.size() / (tuning::limits().smallest_part / operands.elements.size + 1);
    pieces_ = ctx->threads() * tuning::parts_a_thread;
    if (pieces_ > most) pieces_ = most;
    if (pieces_ > tuning::most_checks) pieces_ = tuning::most_checks;
    if (pieces_ < 1) pieces_ = 1;
  }

  // The number of elements that the mask selects.
  constexpr std::int64_t count() {
    for_each_piece([](masked_call& call, std::int64_t i) { call.count_piece(i); });
    for (std::int64_t i = 0; i < pieces_; ++i) first_[i + 1] += first_[i];
    return first_[pieces_];
  }
  // Writes the output. Without count() each piece begins at the first element of the source, as for fills.
  constexpr void put() {
    for_each_piece([](masked_call& call, std::int64_t i) { call.put_piece(i); });
  }

 private:
  template <class Body>
  constexpr void for_each_piece(const Body&) {
    if (pieces_ == 1) return Body{}(*this, 0);
    masked_call* const self = this;
    ctx_->for_each(pieces_, {[](const void* context, std::int64_t i) noexcept {
                               Body{}(**static_cast<masked_call* const*>(context), i);
                             },
                             &self});
  }

  [[nodiscard]] constexpr std::int64_t begin(std::int64_t i) const noexcept {
    const std::int64_t size = at_.output.size();
    const std::int64_t longer = size % pieces_;
    return size / pieces_ * i + (i < longer ? i : longer);
  }

  constexpr void count_piece(std::int64_t i) noexcept {
    loop_nest<1> nest;
    add_axes<1>(nest, at_.mask.extents(), {&at_.mask.strides()}, {1});
    // The order of all is free.
    const std::int64_t moved = pieces_ == 1 ? nest.sort_by(0)[0] : 0;
    const std::int64_t stride = nest.innermost().strides[0];
    const std::int64_t to_next = nest.second().strides[0];
    std::int64_t selected = 0;
    for_each_block(nest, begin(i), begin(i + 1), [&](const per_operand<1>& at, std::int64_t count, std::int64_t rows) {
      const M* const mask = operands_.mask + (moved + at[0]);
      for (std::int64_t row = 0; row < rows; ++row)
        selected += count_selected<Elements>(mask + row * to_next, stride, count);
    });
    first_[i + 1] = selected;
  }

  // Writes each element of the piece once, so that an executor that throws leaves it old or new.
  constexpr void put_piece(std::int64_t i) {
    const masked_operands<Elements, M>& of = operands_;
    const std::int64_t unit = of.elements.unit;
    const bool has_data = of.data != nullptr;
    const auto add_all = [&](loop_nest<3>& nest) {
      add_axes<3>(nest, at_.output.extents(),
                  {&at_.mask.strides(), &at_.output.strides(), has_data ? &at_.data.strides() : &at_.output.strides()},
                  {1, unit, unit});
    };
    loop_nest<3> nest;
    add_all(nest);
    // The order of a fill is free: ascending addresses of the output, unless runs are shorter then.
    bool sorts = false;
    if (fills_) {
      loop_nest<3> sorted;
      add_all(sorted);
      static_cast<void>(sorted.sort_by(1));
      sorts = sorted.innermost().extent >= nest.innermost().extent;
    }
    const per_operand<3> moved = sorts ? nest.sort_by(1) : per_operand<3>{};
    const auto strides = nest.innermost().strides;
    loop_nest<1> source_axes;
    add_axes<1>(source_axes, at_.source.extents(), {&at_.source.strides()}, {of.elements.source_unit()});
    element_reader<Elements> source(of.source, source_axes, at_.source.size(), first_[i]);
    masked_run<Elements, M> run{of.elements, of.mask,    strides[0], of.output, strides[1],
                                of.data,     strides[2], 0,          0,         nest.second().strides};
    for_each_block(nest, begin(i), begin(i + 1), [&](const per_operand<3>& at, std::int64_t count, std::int64_t rows) {
      run.mask = of.mask + (moved[0] + at[0]);
      run.to = of.output + (moved[1] + at[1]);
      if (has_data) run.data = of.data + (moved[2] + at[2]);
      run.count = count;
      run.rows = rows;
      put_runs<Elements, M>(run, source);
    });
  }

  const execution_context* ctx_;
  const masked_layouts& at_;
  const masked_operands<Elements, M>& operands_;
  bool fills_;
  std::int64_t pieces_ = 1;
  std::int64_t first_[tuning::most_checks + 1] = {};  // for each piece, the number of its first element in the source
};

// Runs a call whose shapes were checked. Nothing is written if the source has too few elements.
template <class Elements, class M>
constexpr void put_selected(const execution_context* ctx, const operation_rules& rules, const masked_layouts& at,
                            const masked_operands<Elements, M>& operands, status& error) {
  const bool is_fill = rules.takes_any_single_element;
  masked_call<Elements, M> pieces(ctx, at, operands, is_fill);
  if (is_fill || check_source_size(rules, at.source.size(), pieces.count(), error)) pieces.put();
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_TYPED_MASKED_HPP
