// SPDX-License-Identifier: Apache-2.0
// The innermost loops of scatters in which updates meet what is there: one set for each element type and reduction, and
// for plain assignment one for each width.
#ifndef STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
#define STREW_DETAIL_CPU_COMBINE_LEAVES_HPP

#include <strew/config.hpp>
#include <strew/detail/combination.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Updates and where they go: update i to `to` + i * to_stride + offset[i], its cell likewise. Where `number` is not null
// only the updates of these numbers go anywhere. Strides and offsets in bytes.
struct update_run {
  char* to;
  std::int64_t to_stride;
  const char* from;
  std::int64_t from_stride;
  char* cells;
  std::int64_t cell_stride;
  const std::int64_t* offset;
  const std::int64_t* cell_offset;
  const std::uint16_t* number;
  std::int64_t count;
};
// How elements follow each other in a row.
struct row_run {
  std::int64_t extent;
  std::int64_t to_stride;
  std::int64_t from_stride;
  std::int64_t cell_stride;
  std::int64_t unit;  // bytes of an element
};

template <class T>
struct element_bytes {
  unsigned char bytes[sizeof(T)];
};
template <class T>
STREW_INLINE T load_element(const char* from) noexcept {
  element_bytes<T> raw;
  std::memcpy(raw.bytes, from, sizeof(T));
  return std::bit_cast<T>(raw);
}
template <class T>
STREW_INLINE void store_element(char* to, const T& value) noexcept {
  const auto raw = std::bit_cast<element_bytes<T>>(value);
  std::memcpy(to, raw.bytes, sizeof(T));
}

// One update, `element` being where it goes.
template <class T, class R>
STREW_INLINE void combine_element(const R& reduce, char* element, const char* update, char* cell) noexcept {
  using how = combination<T, R>;
  if constexpr (how::grid == cell_grid::none) {
    typename how::cell unused;
    T value = load_element<T>(element);
    how::apply(reduce, value, load_element<T>(update), unused);
    store_element(element, value);
  } else {
    auto kept = load_element<typename how::cell>(cell);
    T value = load_element<T>(element);
    how::apply(reduce, value, load_element<T>(update), kept);
    store_element(element, value);
    store_element(cell, kept);
  }
}

template <class T, class R, bool IsContiguous>
STREW_INLINE void combine_row(const R& reduce, char* to, const char* from, char* cell, const row_run& row) noexcept {
  using how = combination<T, R>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t extent = row.extent;
  const std::int64_t to_stride = IsContiguous ? size : row.to_stride;
  const std::int64_t from_stride = IsContiguous ? size : row.from_stride;
  if constexpr (how::grid == cell_grid::rows) {
    // One cell may serve the row: each of its elements meets the cell as it was.
    if (row.cell_stride == 0) {
      const auto before = load_element<typename how::cell>(cell);
      auto after = before;
      for (std::int64_t e = 0; e < extent; ++e) {
        after = before;
        T value = load_element<T>(to + e * to_stride);
        how::apply(reduce, value, load_element<T>(from + e * from_stride), after);
        store_element(to + e * to_stride, value);
      }
      store_element(cell, after);
      return;
    }
  }
  const std::int64_t cell_stride = row.cell_stride;
  for (std::int64_t e = 0; e < extent; ++e) {
    combine_element<T>(reduce, to + e * to_stride, from + e * from_stride, cell + e * cell_stride);
  }
}

// The products of a scaled sum, in a function of their own: what is stored cannot be fused with the sum.
template <class T>
STREW_NOINLINE STREW_VECTORISED void scale_elements(const T& alpha, const char* from, std::int64_t from_stride,
                                                    std::int64_t count, char* to) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const T factor = alpha;
  for (std::int64_t i = 0; i < count; ++i) {
    store_element<T>(to + i * size, reduction::prod(factor, load_element<T>(from + i * from_stride)));
  }
}
template <class T>
STREW_VECTORISED void add_scaled_row(const scaled_sum<T>& reduce, char* to, const char* from,
                                     const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t piece = 4096 / size < 1 ? 1 : 4096 / size;
  char products[piece * size];
  for (std::int64_t e = 0; e < row.extent; e += piece) {
    const std::int64_t n = row.extent - e < piece ? row.extent - e : piece;
    scale_elements<T>(reduce.alpha, from + e * row.from_stride, row.from_stride, n, products);
    combine_row<T, reduction::sum_type, false>(reduction::sum, to + e * row.to_stride, products, nullptr,
                                               {n, row.to_stride, size, 0, size});
  }
}

// Calls body(to, from, cell) for each update of a run.
template <class Body>
STREW_INLINE void for_each_update(const update_run& all, const Body& body) noexcept {
  const update_run run = all;  // a copy, which no store can change
  if (run.number == nullptr && run.cells == nullptr) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      body(run.to + i * run.to_stride + run.offset[i], run.from + i * run.from_stride, static_cast<char*>(nullptr));
    }
    return;
  }
  for (std::int64_t k = 0; k < run.count; ++k) {
    const std::int64_t i = run.number == nullptr ? k : run.number[k];
    char* const cell = run.cells == nullptr ? nullptr : run.cells + i * run.cell_stride + run.cell_offset[i];
    body(run.to + i * run.to_stride + run.offset[i], run.from + i * run.from_stride, cell);
  }
}

template <class T, class R>
STREW_VECTORISED void combine_elements(const void* object, const update_run& run, const row_run&) noexcept {
  const R& reduce = *static_cast<const R*>(object);
  for_each_update(
      run, [&](char* to, const char* from, char* cell) { combine_element<T>(reduce, to, from, cell); });
}
template <class T>
void add_scaled(const void* object, const update_run& run, const row_run& row) noexcept {
  const auto& reduce = *static_cast<const scaled_sum<T>*>(object);
  for_each_update(run, [&](char* to, const char* from, char*) { add_scaled_row<T>(reduce, to, from, row); });
}

template <class T, class R>
STREW_VECTORISED void combine_rows(const void* object, const update_run& run, const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = *static_cast<const R*>(object);
  if (row.to_stride == size && row.from_stride == size) {
    for_each_update(run, [&](char* to, const char* from, char* cell) {
      combine_row<T, R, true>(reduce, to, from, cell, row);
    });
  } else {
    for_each_update(run, [&](char* to, const char* from, char* cell) {
      combine_row<T, R, false>(reduce, to, from, cell, row);
    });
  }
}

// Elements and cells of a run that are a step apart each.
template <class T, class R>
void finish_cells(char* to, std::int64_t to_stride, const char* cell, std::int64_t cell_stride,
                  std::int64_t count) noexcept {
  using how = combination<T, R>;
  for (; count > 0; --count, to += to_stride, cell += cell_stride) {
    T value = load_element<T>(to);
    how::finish(value, load_element<typename how::cell>(cell));
    store_element(to, value);
  }
}

// Plain assignment of elements of a width.
template <std::size_t Width>
void assign_elements(const void*, const update_run& run, const row_run& row) noexcept {
  for_each_update(run, [&](char* to, const char* from, char*) { move_element<Width>(to, from, row.unit); });
}
template <std::size_t Width>
void assign_rows(const void*, const update_run& run, const row_run& row) noexcept {
  const row_run r = row;
  if (r.to_stride == r.unit && r.from_stride == r.unit) {
    const std::int64_t bytes = r.extent * r.unit;
    for_each_update(run, [&](char* to, const char* from, char*) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    });
  } else {
    for_each_update(run, [&](char* to, const char* from, char*) {
      copy_run<Width>(to, r.to_stride, from, r.from_stride, r.extent, r.unit);
    });
  }
}

struct combine_leaves {
  using run_function = void (*)(const void* reduce, const update_run& run, const row_run& row) noexcept;
  using finish_function = void (*)(char* to, std::int64_t to_stride, const char* cell, std::int64_t cell_stride,
                                   std::int64_t count) noexcept;

  run_function elements;   // rows of one element
  run_function rows;
  finish_function finish;  // null where nothing is left to do
  cell_grid grid;
  std::int64_t cell_size;
};

template <class T, class R>
constexpr combine_leaves make_combine_leaves() noexcept {
  using how = combination<T, R>;
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    constexpr std::size_t width = sizeof(T) <= 64 ? sizeof(T) : any_width;
    return {assign_elements<width>, assign_rows<width>, nullptr, cell_grid::none, 0};
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {add_scaled<T>, add_scaled<T>, nullptr, cell_grid::none, 0};
  } else if constexpr (how::finishes) {
    return {combine_elements<T, R>, combine_rows<T, R>, finish_cells<T, R>, how::grid, sizeof(typename how::cell)};
  } else {
    return {combine_elements<T, R>, combine_rows<T, R>, nullptr, how::grid,
            how::grid == cell_grid::none ? 0 : sizeof(typename how::cell)};
  }
}
template <class T, class R>
inline constexpr combine_leaves combine_leaves_of = make_combine_leaves<T, R>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
