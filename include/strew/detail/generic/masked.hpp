// SPDX-License-Identifier: Apache-2.0
// Elements that a mask selects, in row-major order: how many there are, and what takes their place.
#ifndef STREW_DETAIL_GENERIC_MASKED_HPP
#define STREW_DETAIL_GENERIC_MASKED_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/element.hpp>
#include <strew/index_list.hpp>
#include <strew/tensor_view.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The elements of several views in row-major order.
template <std::size_t Operands>
constexpr void add_axes(loop_nest<Operands>& nest, const index_list& extents,
                        const index_list* const (&strides)[Operands]) noexcept {
  for (int k = 0; k < extents.size(); ++k) {
    per_operand<Operands> steps{};
    for (std::size_t i = 0; i < Operands; ++i) steps[i] = (*strides[i])[k];
    nest.add_inner(extents[k], steps);
  }
}

// Calls body(offsets, count) for the runs of elements number `begin` to `end` of a nest, one after the other.
template <std::size_t Operands, class Body>
constexpr void for_each_run(const loop_nest<Operands>& nest, std::int64_t begin, std::int64_t end, const Body& body) {
  if (begin == end) return;
  const auto run = nest.innermost();
  nest_cursor<Operands> at(nest, 1, {});
  at.skip(begin / run.extent);
  std::int64_t first = begin % run.extent;
  for (std::int64_t left = end - begin; left > 0; at.next()) {
    const std::int64_t count = left < run.extent - first ? left : run.extent - first;
    per_operand<Operands> offsets = at.position();
    for (std::size_t i = 0; i < Operands; ++i) offsets[i] += first * run.strides[i];
    body(offsets, count);
    left -= count;
    first = 0;
  }
}

// The elements of a view one after the other in row-major order, from number `first` on; there are enough. The nest of
// the view's axes must outlive it.
template <class T>
class element_reader {
 public:
  constexpr element_reader(const tensor_view<const T>& view, const loop_nest<1>& axes, std::int64_t first) noexcept
      : data_{view.data()}, run_{axes.innermost()}, at_{axes, 1, {}} {
    if (first >= view.size()) return;  // nothing is read
    at_.skip(first / run_.extent);
    begin_at(first % run_.extent);
  }

  constexpr const T& next() noexcept {
    if (left_ == 0) {
      at_.next();
      begin_at(0);
    }
    const T& element = data_[offset_];
    offset_ += run_.strides[0];
    --left_;
    return element;
  }

 private:
  constexpr void begin_at(std::int64_t i) noexcept {
    offset_ = at_[0] + i * run_.strides[0];
    left_ = run_.extent - i;
  }

  const T* data_;
  loop_nest<1>::axis run_;
  nest_cursor<1> at_;
  std::int64_t offset_ = 0;
  std::int64_t left_ = 0;
};

// Eight elements of a mask side by side, one or zero in each byte.
inline constexpr std::int64_t mask_word = 8;
inline constexpr std::uint64_t one_a_byte = 0x0101010101010101;
inline std::uint64_t load_mask(const bool* mask) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, mask, sizeof word);
  word |= word >> 4 & 0x0f0f0f0f0f0f0f0f;
  word |= word >> 2 & 0x3f3f3f3f3f3f3f3f;
  word |= word >> 1;
  return word & one_a_byte;
}

constexpr std::int64_t count_selected(const bool* mask, std::int64_t stride, std::int64_t count) noexcept {
  std::int64_t selected = 0;
  std::int64_t i = 0;
  if (!std::is_constant_evaluated() && stride == 1) {
    // The product's highest byte is the sum of the word's bytes.
    for (; i + mask_word <= count; i += mask_word) {
      selected += static_cast<std::int64_t>(load_mask(mask + i) * one_a_byte >> 56);
    }
  }
  for (; i < count; ++i) selected += is_true(mask[i * stride]) ? 1 : 0;
  return selected;
}

// A run of elements in which some are to be replaced.
template <class T>
struct masked_run {
  const bool* mask;
  std::int64_t mask_stride;
  T* to;
  std::int64_t to_stride;
  const T* data;  // null where the output has it
  std::int64_t data_stride;
  std::int64_t count;
};

// Replaces those that the mask selects by the next ones of the source; the others become those of data.
template <class T>
constexpr void put_each(const masked_run<T>& run, element_reader<T>& source) {
  for (std::int64_t i = 0; i < run.count; ++i) {
    if (is_true(run.mask[i * run.mask_stride])) {
      strew::detail::assign(run.to[i * run.to_stride], source.next());
    } else if (run.data != nullptr) {
      strew::detail::assign(run.to[i * run.to_stride], run.data[i * run.data_stride]);
    }
  }
}

// The same by eight elements of the mask at a time: a branch on each element of a mask without order would be guessed
// wrong half the time. Data is copied first, a few KiB at a time.
template <class T>
void put_by_words(const masked_run<T>& all, element_reader<T>& source) noexcept {
  STREW_RAN("masked_scatter by words", sizeof(T));
  const std::int64_t most =
      tuning::limits().copied_piece / static_cast<std::int64_t>(sizeof(T)) / mask_word * mask_word;
  const std::int64_t piece = most < mask_word ? mask_word : most;
  for (std::int64_t first = 0; first < all.count; first += piece) {
    masked_run<T> run = all;
    run.mask += first;
    run.to += first * all.to_stride;
    run.count = all.count - first < piece ? all.count - first : piece;
    if (run.data != nullptr) {
      run.data += first;
      std::memcpy(run.to, run.data, static_cast<std::size_t>(run.count) * sizeof(T));
      run.data = nullptr;
    }
    const std::int64_t whole = run.count / mask_word * mask_word;
    for (std::int64_t i = 0; i < whole; i += mask_word) {
      for (std::uint64_t word = load_mask(run.mask + i); word != 0; word &= word - 1) {
        strew::detail::assign(run.to[(i + std::countr_zero(word) / 8) * run.to_stride], source.next());
      }
    }
    run.mask += whole;
    run.to += whole * run.to_stride;
    run.count -= whole;
    put_each(run, source);
  }
}

template <class T>
constexpr void put_run(const masked_run<T>& run, element_reader<T>& source) {
  if constexpr (is_bytewise<T> && std::endian::native == std::endian::little) {
    const bool is_dense = run.data == nullptr || (run.data_stride == 1 && run.to_stride == 1);
    if (!std::is_constant_evaluated() && run.mask_stride == 1 && is_dense) return put_by_words(run, source);
  }
  STREW_RAN("masked_scatter each", sizeof(T));
  put_each(run, source);
}

// The two passes of a call over its mask, each in pieces of about one size, which follow each other in row-major order.
template <class T>
class masked_call {
 public:
  // `data` is null where the output has it.
  constexpr masked_call(const workers* who, const tensor_view<const T>* data, const tensor_view<const bool>& mask,
                        const tensor_view<const T>& source, const tensor_view<T>& output) noexcept
      : who_{who}, data_{data}, mask_{mask}, source_{source}, output_{output} {
    if (who == nullptr || !who->are_several()) return;
    const std::int64_t most =
        output.size() / (tuning::limits().smallest_part / static_cast<std::int64_t>(sizeof(T)) + 1);
    pieces_ = who->threads() * tuning::parts_a_thread;
    if (pieces_ > most) pieces_ = most;
    if (pieces_ > tuning::most_checks) pieces_ = tuning::most_checks;
    if (pieces_ < 1) pieces_ = 1;
  }

  // How many elements the mask selects.
  constexpr std::int64_t count() {
    for_each_piece([](masked_call& call, std::int64_t i) { call.count_piece(i); });
    for (std::int64_t i = 0; i < pieces_; ++i) first_[i + 1] += first_[i];
    return first_[pieces_];
  }
  // Makes the output. Without count() each piece begins with the first element of the source, as fills do.
  constexpr void put() {
    for_each_piece([](masked_call& call, std::int64_t i) { call.put_piece(i); });
  }

 private:
  template <class Body>
  constexpr void for_each_piece(const Body&) {
    if (pieces_ == 1) return Body{}(*this, 0);
    masked_call* const self = this;
    who_->for_each(pieces_, {[](const void* context, std::int64_t i) noexcept {
                               Body{}(**static_cast<masked_call* const*>(context), i);
                             },
                             &self});
  }

  [[nodiscard]] constexpr std::int64_t begin(std::int64_t i) const noexcept {
    const std::int64_t size = output_.size();
    const std::int64_t longer = size % pieces_;
    return size / pieces_ * i + (i < longer ? i : longer);
  }

  constexpr void count_piece(std::int64_t i) noexcept {
    loop_nest<1> nest;
    add_axes<1>(nest, mask_.extents(), {&mask_.strides()});
    std::int64_t selected = 0;
    for_each_run(nest, begin(i), begin(i + 1), [&](const per_operand<1>& at, std::int64_t count) {
      selected += count_selected(mask_.data() + at[0], nest.innermost().strides[0], count);
    });
    first_[i + 1] = selected;
  }

  // Makes each element of the piece once, so that an executor that throws leaves none half made.
  constexpr void put_piece(std::int64_t i) {
    const index_list& data_strides = data_ != nullptr ? data_->strides() : output_.strides();
    loop_nest<3> nest;
    add_axes<3>(nest, output_.extents(), {&mask_.strides(), &output_.strides(), &data_strides});
    const auto strides = nest.innermost().strides;
    loop_nest<1> source_axes;
    add_axes<1>(source_axes, source_.extents(), {&source_.strides()});
    element_reader<T> source(source_, source_axes, first_[i]);
    for_each_run(nest, begin(i), begin(i + 1), [&](const per_operand<3>& at, std::int64_t count) {
      put_run<T>({mask_.data() + at[0], strides[0], output_.data() + at[1], strides[1],
                  data_ != nullptr ? data_->data() + at[2] : nullptr, strides[2], count},
                 source);
    });
  }

  const workers* who_;
  const tensor_view<const T>* data_;
  const tensor_view<const bool>& mask_;
  const tensor_view<const T>& source_;
  const tensor_view<T>& output_;
  std::int64_t pieces_ = 1;
  std::int64_t first_[tuning::most_checks + 1] = {};  // for each piece, the number of its first element in the source
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_GENERIC_MASKED_HPP
