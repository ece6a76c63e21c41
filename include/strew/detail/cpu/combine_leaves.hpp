// SPDX-License-Identifier: Apache-2.0
// The innermost loops of scatters in which updates meet what is there: one set for each element type and reduction, and
// for plain assignment one for each width.
#ifndef STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
#define STREW_DETAIL_CPU_COMBINE_LEAVES_HPP

#include <strew/config.hpp>
#include <strew/detail/combination.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/copy.hpp>
#include <strew/detail/cpu/copy_leaves.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/scatter_leaves.hpp>
#include <strew/detail/cpu/stream.hpp>
#include <strew/detail/cpu/tuple_buckets.hpp>
#include <strew/detail/cpu/workspace_buckets.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Updates and where they go: update i to `to` + i * to_stride + offset[i], its cell likewise. Where `number` is not
// null only the updates of these numbers go anywhere. Strides and offsets in bytes.
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

// The reduction of a call: that of a caller is an object, the named ones are all alike.
template <class R>
inline constexpr R stateless_reduction{};
template <class R>
STREW_INLINE const R& reduction_of(const void* object) noexcept {
  if constexpr (named_reduction<R>) {
    return stateless_reduction<R>;
  } else {
    return *static_cast<const R*>(object);
  }
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
  char products[static_cast<std::size_t>(piece * size)];
  for (std::int64_t e = 0; e < row.extent; e += piece) {
    const std::int64_t n = row.extent - e < piece ? row.extent - e : piece;
    scale_elements<T>(reduce.alpha, from + e * row.from_stride, row.from_stride, n, products);
    combine_row<T, reduction::sum_type, false>(reduction::sum, to + e * row.to_stride, products, nullptr,
                                               {n, row.to_stride, size, 0, size});
  }
}

// Calls body(to, from, cell) for each update of a run, the lines where those after it go being prefetched: the first
// `Prefetched` bytes. `HasShortest`: with a loop of its own for runs of all updates and without cells, for bodies that
// are short themselves.
template <bool HasShortest, class Body>
STREW_INLINE void for_each_update(const update_run& all, std::int64_t prefetched, const Body& body) noexcept {
  const update_run run = all;  // a copy, which no store can change
  constexpr std::int64_t ahead = HasShortest ? tuning::prefetched_elements : tuning::prefetched_targets;
  const auto target = [&](std::int64_t i) { return run.to + i * run.to_stride + run.offset[i]; };
  if (HasShortest && run.number == nullptr && run.cells == nullptr) {
    std::int64_t i = 0;
    for (; i + ahead < run.count; ++i) {
      prefetch_to_write(target(i + ahead), 0);
      body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
    }
    for (; i < run.count; ++i) body(target(i), run.from + i * run.from_stride, static_cast<char*>(nullptr));
    return;
  }
  const auto number = [&](std::int64_t k) {
    return run.number == nullptr ? k : static_cast<std::int64_t>(run.number[k]);
  };
  for (std::int64_t k = 0; k < run.count; ++k) {
    if (!HasShortest && k + ahead < run.count) prefetch(target(number(k + ahead)), prefetched);
    const std::int64_t i = number(k);
    char* const cell = run.cells == nullptr ? nullptr : run.cells + i * run.cell_stride + run.cell_offset[i];
    body(target(i), run.from + i * run.from_stride, cell);
  }
}

// The bytes of a row that are prefetched; of longer ones the hardware follows.
STREW_INLINE std::int64_t prefetched_bytes(const row_run& row) noexcept {
  const std::int64_t bytes = row.extent * row.unit;
  return row.to_stride != row.unit || bytes < tuning::cache_line ? 1
         : bytes < tuning::prefetched_target                     ? bytes
                                                                 : tuning::prefetched_target;
}

template <class T, class R>
void combine_elements(const void* object, const update_run& run, const row_run&) noexcept {
  const R& reduce = reduction_of<R>(object);
  for_each_update<combination<T, R>::grid == cell_grid::none>(
      run, 1, [&](char* to, const char* from, char* cell) { combine_element<T>(reduce, to, from, cell); });
}
template <class T>
void add_scaled(const void* object, const update_run& run, const row_run& row) noexcept {
  const auto& reduce = *static_cast<const scaled_sum<T>*>(object);
  for_each_update<false>(run, prefetched_bytes(row),
                         [&](char* to, const char* from, char*) { add_scaled_row<T>(reduce, to, from, row); });
}

template <class T, class R>
STREW_VECTORISED void combine_rows(const void* object, const update_run& run, const row_run& row) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const R& reduce = reduction_of<R>(object);
  constexpr std::int64_t frequent = 16 / size;  // elements of a row; known when it is compiled
  const bool is_contiguous = row.to_stride == size && row.from_stride == size;
  if (combination<T, R>::grid == cell_grid::none && frequent > 1 && is_contiguous && row.extent == frequent) {
    for_each_update<true>(run, 1, [&](char* to, const char* from, char* cell) {
      combine_row<T, R, true>(reduce, to, from, cell, {frequent, size, size, 0, size});
    });
  } else if (is_contiguous) {
    for_each_update<false>(run, prefetched_bytes(row), [&](char* to, const char* from, char* cell) {
      combine_row<T, R, true>(reduce, to, from, cell, row);
    });
  } else {
    for_each_update<false>(run, prefetched_bytes(row), [&](char* to, const char* from, char* cell) {
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

// Elements along one axis, as their indices name them: none is negative, all are owned. `indices` are contiguous.
template <class T, class R, class Integer>
void combine_direct(const void* object, const update_run& all, std::int64_t weight, const char* indices) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Integer));
  const R& reduce = reduction_of<R>(object);
  const update_run run = all;
  const auto target = [&](std::int64_t i) {
    return run.to + i * run.to_stride + static_cast<std::int64_t>(load<Integer>(indices + i * size)) * weight;
  };
  constexpr std::int64_t ahead = tuning::prefetched_elements;
  std::int64_t i = 0;
  for (; i + ahead < run.count; ++i) {
    prefetch_to_write(target(i + ahead), 0);
    combine_element<T>(reduce, target(i), run.from + i * run.from_stride, nullptr);
  }
  for (; i < run.count; ++i) combine_element<T>(reduce, target(i), run.from + i * run.from_stride, nullptr);
}

// The same for rows of a tile, see tiles.hpp. Of reductions that are no object of the caller's.
template <class T, class R, class Integer, bool Wraps>
void combine_tile_rows(const tile_columns& into, const void* indices, std::int64_t rows) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t ahead = tuning::prefetched_tile_rows;
  const tile_columns t = into;
  const char* index = static_cast<const char*>(indices);
  const char* update = t.updates;
  for (std::int64_t row = 0; row < rows; ++row, index += t.index_stride, update += t.update_stride) {
    if (row + ahead < rows) {
      prefetch(index + ahead * t.index_stride, t.columns * static_cast<std::int64_t>(sizeof(Integer)));
      prefetch(update + ahead * t.update_stride, t.columns * size);
    }
    for (std::int64_t j = 0; j < t.columns; ++j) {
      const std::int64_t place = target_at<Integer, Wraps>(index, j, t.extent);
      combine_element<T>(R{}, t.tile + ((place << t.shift) + j) * size, update + j * size, nullptr);
    }
  }
}

// Entries of a bucket meet their block; an entry is an element or a row of some.
template <class T, class R>
void combine_bucket(char* block, const char* from, std::int64_t count, std::int64_t width) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t ahead = tuning::prefetched_entries;
  const std::int64_t entry = bucket_entry(width);
  const auto target = [&](std::int64_t i) {
    return block + static_cast<std::int64_t>(load<std::uint32_t>(from + i * entry)) * width;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (i + ahead < count) prefetch_to_write(target(i + ahead), 0);
    char* const to = target(i);
    const char* const update = from + i * entry + 4;
    if (width == size) {
      combine_element<T>(R{}, to, update, nullptr);
    } else {
      for (std::int64_t e = 0; e < width; e += size) combine_element<T>(R{}, to + e, update + e, nullptr);
    }
  }
}

// Plain assignment of elements of a width.
template <std::size_t Width>
void assign_elements(const void*, const update_run& run, const row_run& row) noexcept {
  for_each_update<true>(run, 1, [&](char* to, const char* from, char*) { move_element<Width>(to, from, row.unit); });
}
template <std::size_t Width>
void assign_rows(const void*, const update_run& run, const row_run& row) noexcept {
  const row_run r = row;
  if (r.to_stride == r.unit && r.from_stride == r.unit) {
    const std::int64_t bytes = r.extent * r.unit;
    for_each_update<false>(run, prefetched_bytes(row), [&](char* to, const char* from, char*) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    });
  } else {
    for_each_update<false>(run, prefetched_bytes(row), [&](char* to, const char* from, char*) {
      copy_run<Width>(to, r.to_stride, from, r.from_stride, r.extent, r.unit);
    });
  }
}

struct combine_leaves {
  using run_function = void (*)(const void* reduce, const update_run& run, const row_run& row) noexcept;
  using direct_function = void (*)(const void* reduce, const update_run& run, std::int64_t weight,
                                   const char* indices) noexcept;
  using tuple_function = bool (*)(const workers& who, const bucket_series& series,
                                  const basic_bucket_operands<tuple_numbers>& at, const bucket_leaves& leaves);
  using finish_function = void (*)(char* to, std::int64_t to_stride, const char* cell, std::int64_t cell_stride,
                                   std::int64_t count) noexcept;

  run_function elements;  // rows of one element
  run_function rows;
  finish_function finish;  // null where nothing is left to do
  cell_grid grid;
  std::int64_t cell_size;
  // Faster ways of some calls; null where there are none. The first two are for indices that are handled as integers of
  // so many bytes.
  int integer_size = 0;
  direct_function direct = nullptr;        // for elements along an axis
  scatter_leaves tiles = {};               // for elements across it: its tiles
  const bucket_leaves* buckets = nullptr;  // for elements that are rows or rows that are elements, in a workspace
  const bucket_leaves* row_buckets = nullptr;
  tuple_function tuples = nullptr;  // for slices of these that tuples name
};

// What a call can reach.
struct combine_reach {
  bool rows = true;
  bool elements = false;  // each index names an element of its own
  bool wraps = false;     // indices may be negative
  bool memory = false;    // the caller may lend memory
};

template <std::size_t Width>
inline constexpr bucket_leaves assign_buckets_of{scatter_by_buckets<index_source>, nullptr, fill_buckets<Width, true>,
                                                 nullptr, empty_bucket<Width>};
template <class T, class R, std::size_t Width>
inline constexpr bucket_leaves combine_buckets_of{scatter_by_buckets<index_source>, nullptr, fill_buckets<Width, true>,
                                                  nullptr, combine_bucket<T, R>};

template <std::size_t Width, combine_reach Reach>
constexpr combine_leaves make_assign_leaves() noexcept {
  combine_leaves leaves{assign_elements<Width>, assign_rows<Width>, nullptr, cell_grid::none, 0};
  if constexpr (Reach.memory && Reach.rows && Width != any_width && Width <= tuning::widest_bucketed) {
    leaves.buckets = &assign_buckets_of<Width>;
    leaves.row_buckets = &assign_buckets_of<any_width>;
    leaves.tuples = scatter_by_buckets<tuple_numbers>;
  }
  return leaves;
}
template <std::size_t Width, combine_reach Reach>
inline constexpr combine_leaves assign_leaves_of = make_assign_leaves<Width, Reach>();

template <class T, class R, class Integer, combine_reach Reach>
constexpr combine_leaves make_combine_leaves() noexcept {
  using how = combination<T, R>;
  if constexpr (std::is_same_v<R, reduction::none_type>) {
    return assign_leaves_of<(sizeof(T) <= 64 ? sizeof(T) : any_width), Reach>;
  } else if constexpr (std::is_same_v<R, scaled_sum<T>>) {
    return {add_scaled<T>, add_scaled<T>, nullptr, cell_grid::none, 0};
  } else if constexpr (how::grid != cell_grid::none) {
    combine_leaves leaves{combine_elements<T, R>, combine_rows<T, R>, nullptr, how::grid, sizeof(typename how::cell)};
    if constexpr (how::finishes) leaves.finish = finish_cells<T, R>;
    return leaves;
  } else {
    combine_leaves leaves{combine_elements<T, R>, combine_rows<T, R>, nullptr, cell_grid::none, 0};
    if constexpr (!Reach.rows) leaves.rows = nullptr;
    if constexpr (Reach.elements) {
      leaves.integer_size = static_cast<int>(sizeof(Integer));
      leaves.direct = combine_direct<T, R, Integer>;
    }
    if constexpr (Reach.elements && named_reduction<R>) {
      leaves.tiles.width = static_cast<std::int64_t>(sizeof(T));
      leaves.tiles.tile = combine_tile_rows<T, R, Integer, false>;
      if constexpr (Reach.wraps) leaves.tiles.wrapping_tile = combine_tile_rows<T, R, Integer, true>;
    }
    if constexpr (Reach.memory && named_reduction<R> && sizeof(T) <= tuning::widest_bucketed) {
      leaves.buckets = &combine_buckets_of<T, R, sizeof(T)>;
      if constexpr (Reach.rows) {
        leaves.row_buckets = &combine_buckets_of<T, R, any_width>;
        leaves.tuples = scatter_by_buckets<tuple_numbers>;
      }
    }
    return leaves;
  }
}
template <class T, class R, class Integer, combine_reach Reach>
inline constexpr combine_leaves combine_leaves_of = make_combine_leaves<T, R, Integer, Reach>();

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_COMBINE_LEAVES_HPP
