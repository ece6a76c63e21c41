// SPDX-License-Identifier: Apache-2.0
// The typed indices of a call: one tensor, several tensors, or multi-indices along the last axis of one.
#ifndef STREW_DETAIL_FRONT_TYPED_INDICES_HPP
#define STREW_DETAIL_FRONT_TYPED_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/view/index.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// One index type for each size and signedness, so that loops are instantiated once for long and long long.
template <class Index>
using sized_index = std::conditional_t<
    sizeof(Index) == 1, std::conditional_t<std::is_signed_v<Index>, std::int8_t, std::uint8_t>,
    std::conditional_t<
        sizeof(Index) == 2, std::conditional_t<std::is_signed_v<Index>, std::int16_t, std::uint16_t>,
        std::conditional_t<sizeof(Index) == 4, std::conditional_t<std::is_signed_v<Index>, std::int32_t, std::uint32_t>,
                           std::conditional_t<std::is_signed_v<Index>, std::int64_t, std::uint64_t>>>>;

// The loops for indices that a call has: instantiated by it, or those of the compiled library.
template <index_rule Rule>
struct held_index_loops {
  static constexpr index_rule rule = Rule;

  template <class Index>
  static const index_loops* of() noexcept {
    return &index_loops_of<Index, Rule>;
  }
};
template <index_rule Rule>
struct library_index_loops {
  static constexpr index_rule rule = Rule;

  template <class Index>
  static const index_loops* of() noexcept {
    return erased::loops_for_indices[static_cast<int>(Rule)][static_cast<int>(index_type_of<Index>)];
  }
};

template <class Loops, class Index>
erased::index_operand index_operand_of(const Index* data, const strided_layout& layout) noexcept {
  using sized = sized_index<std::remove_const_t<Index>>;
  return {reinterpret_cast<const char*>(data), &layout, Loops::template of<sized>()};
}

template <class Loops, class Index>
erased::index_operand operand_of(const tensor_view<Index>& indices) noexcept {
  return index_operand_of<Loops>(indices.data(), indices.layout());
}

// Properties of the type of all indices of a call.
template <class Index>
struct index_type_traits {
  using index = sized_index<std::remove_const_t<Index>>;
  using loop_integer = canonical_index<index>;
  static constexpr bool may_be_direct = is_canonical_index<index>;
  static constexpr bool may_be_negative = std::is_signed_v<Index>;
};

// A tensor of single indices.
template <class Index>
class index_tensor_of : public index_type_traits<Index> {
 public:
  static constexpr int most = 1;  // components

  constexpr explicit index_tensor_of(const tensor_view<Index>& indices) noexcept : indices_{indices} {}

  [[nodiscard]] constexpr int count() const noexcept { return 1; }
  [[nodiscard]] constexpr const strided_layout& layout(int) const noexcept { return indices_.layout(); }
  [[nodiscard]] constexpr raw_index at(int, std::int64_t offset) const noexcept {
    return {static_cast<std::int64_t>(indices_.data()[offset]), std::is_unsigned_v<Index>};
  }
  template <class T>
  [[nodiscard]] constexpr overlap_result overlaps_with(const tensor_view<T>& output) const noexcept {
    return typed::overlaps_with(output, indices_);
  }
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    *to = index_operand_of<Loops>(indices_.data(), indices_.layout());
  }

 private:
  const tensor_view<Index>& indices_;
};

// Multi-indices of `count` components along the last axis of a tensor.
template <class Index>
class multi_indices_of : public index_type_traits<Index> {
 public:
  static constexpr int most = max_rank;

  constexpr multi_indices_of(const tensor_view<Index>& indices, int count) noexcept
      : indices_{indices},
        positions_{without_last_axis(indices.layout())},
        step_{count > 1 ? indices.stride(indices.rank() - 1) : 0},
        count_{count} {}

  [[nodiscard]] constexpr int count() const noexcept { return count_; }
  [[nodiscard]] constexpr const strided_layout& layout(int) const noexcept { return positions_; }
  [[nodiscard]] constexpr raw_index at(int j, std::int64_t offset) const noexcept {
    return {static_cast<std::int64_t>(indices_.data()[j * step_ + offset]), std::is_unsigned_v<Index>};
  }
  template <class T>
  [[nodiscard]] constexpr overlap_result overlaps_with(const tensor_view<T>& output) const noexcept {
    return typed::overlaps_with(output, indices_);
  }
  // Lists the components; at least one, which has the positions.
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    for (int j = 0; j < count_ || j == 0; ++j) {
      to[j] = index_operand_of<Loops>(indices_.data() + (positions_.empty() ? 0 : j * step_), positions_);
    }
  }

 private:
  const tensor_view<Index>& indices_;
  strided_layout positions_;
  std::int64_t step_;
  int count_;
};

// Multi-indices with a tensor for each component.
template <class... Index>
class index_tensors_of {
 public:
  using loop_integer = std::int64_t;
  static constexpr bool may_be_direct =
      sizeof...(Index) == 1 &&
      (... && is_canonical_index<sized_index<std::remove_const_t<Index>>>)&&(... && (sizeof(Index) == 8));
  static constexpr bool may_be_negative = (... || std::is_signed_v<Index>);
  static constexpr int most = static_cast<int>(sizeof...(Index));

  constexpr explicit index_tensors_of(const std::tuple<tensor_view<Index>...>& indices) noexcept : indices_{indices} {}

  [[nodiscard]] constexpr int count() const noexcept { return most; }
  [[nodiscard]] constexpr const strided_layout& layout(int j) const noexcept {
    const strided_layout* result = nullptr;
    visit(j, [&](const auto& view) { result = &view.layout(); });
    return *result;
  }
  [[nodiscard]] constexpr raw_index at(int j, std::int64_t offset) const noexcept {
    raw_index result{0, false};
    visit(j, [&]<class One>(const tensor_view<One>& view) {
      result = {static_cast<std::int64_t>(view.data()[offset]), std::is_unsigned_v<One>};
    });
    return result;
  }
  template <class T>
  [[nodiscard]] constexpr overlap_result overlaps_with(const tensor_view<T>& output) const noexcept {
    overlap_result worst = overlap_result::no;
    std::apply([&](const auto&... view) { ((worst = combine(worst, typed::overlaps_with(output, view))), ...); },
               indices_);
    return worst;
  }
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    std::apply([&](const auto&... view) { ((*to++ = index_operand_of<Loops>(view.data(), view.layout())), ...); },
               indices_);
  }

 private:
  // Calls body with tensor j.
  template <class Body>
  constexpr void visit(int j, const Body& body) const {
    std::apply(
        [&](const auto&... views) {
          int i = 0;
          (static_cast<void>(i++ == j ? (body(views), 0) : 0), ...);
        },
        indices_);
  }

  const std::tuple<tensor_view<Index>...>& indices_;
};

// Tensors of indices of one type, whose number is known at run time.
template <class Index>
class index_array_of : public index_type_traits<Index> {
 public:
  using loop_integer = std::int64_t;
  static constexpr bool may_be_direct = false;
  static constexpr int most = max_rank + 1;  // more than max_rank are an error, so at most this many are kept

  constexpr explicit index_array_of(std::span<const tensor_view<Index>> indices) noexcept
      : indices_{indices.first(indices.size() < std::size_t{most} ? indices.size() : std::size_t{most})} {}

  [[nodiscard]] constexpr int count() const noexcept { return static_cast<int>(indices_.size()); }
  [[nodiscard]] constexpr const strided_layout& layout(int j) const noexcept { return view(j).layout(); }
  [[nodiscard]] constexpr raw_index at(int j, std::int64_t offset) const noexcept {
    return {static_cast<std::int64_t>(view(j).data()[offset]), std::is_unsigned_v<Index>};
  }
  template <class T>
  [[nodiscard]] constexpr overlap_result overlaps_with(const tensor_view<T>& output) const noexcept {
    overlap_result worst = overlap_result::no;
    for (const auto& one : indices_) worst = combine(worst, typed::overlaps_with(output, one));
    return worst;
  }
  template <class Loops>
  void list(erased::index_operand* to) const noexcept {
    for (const auto& one : indices_) *to++ = index_operand_of<Loops>(one.data(), one.layout());
  }

 private:
  [[nodiscard]] constexpr const tensor_view<Index>& view(int j) const noexcept {
    return indices_[static_cast<std::size_t>(j)];
  }

  std::span<const tensor_view<Index>> indices_;
};

template <class Indices>
inline constexpr bool are_typed_tensors = false;
template <class... Index>
inline constexpr bool are_typed_tensors<index_tensors_of<Index...>> = true;

template <class Index>
constexpr index_tensor_of<Index> source_of(const tensor_view<Index>& indices) noexcept {
  return index_tensor_of<Index>(indices);
}
template <class Index>
constexpr multi_indices_of<Index> source_of(const tensor_view<Index>& indices, int count) noexcept {
  return {indices, count};
}
template <class... Index>
constexpr index_tensors_of<Index...> source_of(const std::tuple<tensor_view<Index>...>& indices) noexcept {
  return index_tensors_of<Index...>(indices);
}
template <class Index>
constexpr index_array_of<Index> source_of(const std::span<const tensor_view<Index>>& indices) noexcept {
  return index_array_of<Index>(indices);
}

// Segments; see submit_segments.hpp.
template <class Offsets>
struct segments_of {
  const Offsets& offsets;

  [[nodiscard]] static constexpr int count() noexcept { return 1; }
};
template <class Offsets>
constexpr segments_of<Offsets> source_of(const segments_by<Offsets>& segments) noexcept {
  return {segments.offsets};
}

// The types of indices of index_put; dynamic.hpp has further ones.
template <class Tensor>
inline constexpr bool is_view_of_indices = false;
template <index_integer Index>
inline constexpr bool is_view_of_indices<tensor_view<Index>> = true;
template <class Indices>
inline constexpr bool are_tensors_of_indices = false;
template <class... Tensors>
inline constexpr bool are_tensors_of_indices<std::tuple<Tensors...>> =
    sizeof...(Tensors) > 0 && (is_view_of_indices<viewed<const std::remove_reference_t<Tensors>&>> && ...);
template <index_integer Index>
inline constexpr bool are_tensors_of_indices<std::span<const tensor_view<Index>>> = true;

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_TYPED_INDICES_HPP
