// SPDX-License-Identifier: Apache-2.0
// The kernels at the sizes that make them choose their fast paths: long runs with vector code and its remainders,
// blocks of each constant size, more rows than fit on the stack, tiles; serially and in parts, with scratch memory and
// without, for every width of an element. The small cases are in the operators' own tests.
//
// Run once more where all outputs are written by non-temporal stores (limits_of_programs/streaming.cpp): then outputs
// begin at each byte of a cache line where an element may.
#include "kernel_cases.hpp"

#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strew::test {
namespace {

bool streams_all() {
  return strew::detail::tuning::limits().streamed_from == 1;
}

// Where the outputs of elements of a width begin in a cache line.
std::vector<std::int64_t> offsets_for(std::int64_t width) {
  if (!streams_all()) return {0, width % 64, 37};
  std::vector<std::int64_t> result{0};
  // Nothing forbids elements beside their multiples either.
  for (std::int64_t offset = 1; offset < 64; ++offset) {
    if (offset % (width < 64 ? width : 8) == 0 || offset == 1 || offset == 63) result.push_back(offset);
  }
  return result;
}

const std::vector<runner>& alone_and_in_parts() {
  static const std::vector<runner> runners{{0}, {3}};
  return runners;
}

// So that kernels get no scratch memory, too little, some and plenty, none of it aligned.
const std::vector<runner>& with_memory_of_all_sizes() {
  static std::vector<std::byte> memory((std::size_t{1} << 22) + 1);
  static const std::vector<runner> runners = [] {
    std::vector<runner> result;
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{70'000}, memory.size() - 1}) {
      for (const std::int64_t threads : {0, 3}) result.push_back({threads, std::span(memory).subspan(1, size)});
    }
    return result;
  }();
  return runners;
}

circumstances usual(std::int64_t width) {
  return {offsets_for(width), alone_and_in_parts()};
}

}  // namespace

TEST_CASE("long lines with steps of every kind", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const std::int64_t step : {1, 2, 3, 4, 5, 7, 100, 5000, -1, -2, -3, -4, -5, -100}) {
      for (const std::int64_t skipped : {0, 1, 3}) {
        for (const std::int64_t extent : {1, 2, 15, 64, 1000, 10'007}) {
          if (skipped >= extent || (width == 72 && extent > 1000)) continue;
          const std::int64_t size = step < 0 ? -step : step;
          const std::int64_t count = (extent - skipped + size - 1) / size;
          check_slice({width, 1, extent, 1}, step > 0 ? skipped : extent - 1 - skipped, step, count, 1, usual(width));
        }
      }
    }
  }
}

TEST_CASE("long lines whose updates lie apart, run backwards or are all one", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    circumstances in = usual(width);
    for (const layout_kind kind : {layout_kind::apart, layout_kind::axis_reversed, layout_kind::axis_repeated}) {
      in.updates = kind;
      for (const std::int64_t step : {1, 2, 3, 4, 6, -1, -2}) {
        for (const std::int64_t count : {1, 40, 63, 64, 65, 1030, 4500}) {
          if (width == 72 && count > 1030) continue;
          const std::int64_t size = step < 0 ? -step : step;
          const std::int64_t extent = count * size + 200;  // longer than the shortest that is written in one pass
          check_slice({width, 1, extent, 1}, step > 0 ? 1 : extent - 2, step, count, 1, in);
        }
      }
    }
  }
}

TEST_CASE("long runs of pairs whose updates lie next to each other, apart, backwards or are all one", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    circumstances in = usual(width);
    for (const layout_kind kind :
         {layout_kind::row_major, layout_kind::padded, layout_kind::axis_reversed, layout_kind::axis_repeated}) {
      in.updates = kind;
      for (const std::int64_t step : {2, 3, 4, 5}) {
        for (const std::int64_t count : {30, 1030}) {
          if (width == 72 && count > 30) continue;
          check_slice({width, 1, count * step + 100, 2}, 1, step, count, 2, in);
        }
      }
    }
  }
}

TEST_CASE("blocks of every size, with gaps of every size", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 12, 16, 32, 64, 100}) {
      for (const std::int64_t step : {1, 2, 3, -2}) {
        for (const std::int64_t taken : {columns, (columns + 1) / 2}) {  // whole rows, and their left halves
          const std::int64_t count = step == 1 ? 59 : step == 3 ? 20 : 30;
          check_slice({width, 1, 60, columns}, step > 0 ? 1 : 59, step, count, taken, usual(width));
        }
      }
    }
  }
}

TEST_CASE("blocks whose updates lie in any order", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    circumstances in = usual(width);
    for (const layout_kind kind : {layout_kind::padded, layout_kind::axis_reversed, layout_kind::inner_reversed,
                                   layout_kind::transposed, layout_kind::axis_repeated, layout_kind::repeated}) {
      in.updates = kind;
      for (const std::int64_t columns : {2, 8, 16, 70, 300}) {
        check_slice({width, 2, 20, columns}, 1, 2, 9, columns, in);
        check_slice({width, 2, 20, columns}, 3, 1, 15, columns - 1, in);
      }
    }
  }
}

// The pieces that are collected for whole lines, and those that are long enough to be written from where they are.
TEST_CASE("runs of every length next to each other", "[kernels]") {
  for (const std::int64_t width : {1, 3, 16}) {
    circumstances in = usual(width);
    in.also_in_place = false;
    for (std::int64_t bytes = 1; bytes < 1400; bytes += bytes < 70 ? 1 : 61) {
      const std::int64_t columns = (bytes + width - 1) / width;
      check_slice({width, 1, 5, columns + 7}, 1, 2, 2, columns, in);
      check_slice({width, 1, 1400, 1}, 5, 1, columns, 1, in);
    }
  }
}

TEST_CASE("tensors in any order, all or in part", "[kernels]") {
  const std::vector<layout_kind> orders{layout_kind::padded, layout_kind::apart, layout_kind::axis_reversed,
                                        layout_kind::inner_reversed, layout_kind::transposed};
  for (const std::int64_t width : {1, 3, 4, 8, 16}) {
    circumstances in{{0, 37}, alone_and_in_parts()};
    for (const layout_kind output : orders) {
      for (const layout_kind data : {layout_kind::row_major, output, layout_kind::transposed}) {
        in.output = output;
        in.data = data;
        const dimensions d{width, 3, 40, 36};
        check_slice(d, 1, 3, 12, 30, in);
        check_slice(d, 39, -1, 40, 36, in);
        check_rows(d, index_type::int64, random_indices(30, 0, 39), in);
        const dimensions u{width, 2, 20, 36};
        check_elements(scatter_kind::onnx, d, u, index_type::int64, random_indices(u.size(), -40, 39), in);
      }
    }
  }
  circumstances in{{0}, alone_and_in_parts()};
  for (const layout_kind data : {layout_kind::axis_repeated, layout_kind::repeated}) {
    in.data = data;
    in.also_in_place = false;
    const dimensions d{4, 3, 40, 36};
    check_slice(d, 1, 3, 12, 30, in);
    check_rows(d, index_type::int64, random_indices(30, 0, 39), in);
    check_elements(scatter_kind::onnx, d, d, index_type::int64, random_indices(d.size(), -40, 39), in);
  }
}

TEST_CASE("rows of every size", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const std::int64_t outer : {1, 3}) {
      for (const std::int64_t row : {1, 2, 3, 4, 8, 16, 21, 32, 64, 100, 128, 256, 300}) {
        // More than a batch, with duplicates.
        const std::vector<std::int64_t> indices = random_indices(50, 0, 69, static_cast<std::uint64_t>(row));
        if (width * row <= 4800) check_rows({width, outer, 70, row}, index_type::int64, indices, usual(width));
      }
    }
  }
}

TEST_CASE("rows and elements by indices of every type, more than are read at once", "[kernels]") {
  circumstances in = usual(4);
  for (const index_type type : {index_type::int8, index_type::int16, index_type::int32, index_type::int64,
                                index_type::uint8, index_type::uint16, index_type::uint32, index_type::uint64}) {
    const bool is_signed = static_cast<unsigned>(type) < 4;
    for (const std::int64_t row : {1, 3, 16, 40}) {
      check_rows({4, 2, 120, row}, type, random_indices(row < 16 ? 2500 : 300, 0, 119), in);
    }
    for (const std::int64_t inner : {1, 7, 100}) {
      const dimensions d{4, 2, 120, inner};
      const dimensions u{4, 2, inner == 1 ? 2500 : 120, inner};
      const std::int64_t lowest = is_signed ? -120 : 0;
      check_elements(scatter_kind::onnx, d, u, type, random_indices(u.size(), lowest, 119), in);
      check_elements(scatter_kind::elements_update, d, d, type, random_indices(d.size(), 0, 119), in);
    }
  }
}

TEST_CASE("rows whose updates lie in any order", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    circumstances in{{0, 37}, alone_and_in_parts()};
    for (const layout_kind kind : {layout_kind::padded, layout_kind::axis_reversed, layout_kind::inner_reversed,
                                   layout_kind::transposed, layout_kind::axis_repeated, layout_kind::repeated}) {
      in.updates = kind;
      for (const std::int64_t row : {1, 4, 8, 64, 90}) {
        check_rows({width, 2, 70, row}, index_type::int64, random_indices(50, 0, 69), in);
      }
    }
  }
}

TEST_CASE("elements along each axis of a matrix", "[kernels]") {
  constexpr std::int64_t columns = 70;
  for (const std::int64_t width : element_widths) {
    circumstances in{{37}, with_memory_of_all_sizes()};
    for (const std::int64_t rows : {130, 600, 1100}) {  // many for a tile on the stack, and too many
      if (rows == 600 ? width > 4 : rows > 600 && width > 8) continue;
      for (const std::int64_t updated : {columns, columns - 9}) {  // columns of the indices
        const dimensions down{width, 1, rows, columns};
        const dimensions down_updates{width, 1, rows, updated};
        check_elements(scatter_kind::onnx, down, down_updates, index_type::int64,
                       random_indices(down_updates.size(), -rows, rows - 1), in);
        check_elements(scatter_kind::elements_update, down, down_updates, index_type::int64,
                       random_indices(down_updates.size(), 0, rows - 1), in);
        const dimensions across{width, rows, columns, 1};
        const dimensions across_updates{width, rows, updated, 1};
        check_elements(scatter_kind::onnx, across, across_updates, index_type::int64,
                       random_indices(across_updates.size(), -columns, columns - 1), in);
      }
    }
  }
}

TEST_CASE("elements whose outputs begin anywhere", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const dimensions& d : {dimensions{width, 7, 90, 1}, {width, 1, 4500, 1}, {width, 3, 30, 9}}) {
      const dimensions u{width, d.outer, d.axis / 2, d.inner};
      check_elements(scatter_kind::elements_update, d, u, index_type::int64, random_indices(u.size(), 0, d.axis - 1),
                     usual(width));
    }
  }
}

// These are scattered without a plan; those that are a little larger are not.
TEST_CASE("small tensors of every size", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const std::int64_t outer : {1, 2}) {
      for (const std::int64_t inner : {1, 2, 5}) {
        for (const std::int64_t bytes : {1, 30, 64, 100, 500, 2000, 2048, 2049, 2200}) {
          const std::int64_t extent = bytes / (width * outer * inner);
          if (extent < 1) continue;
          const dimensions d{width, outer, extent, inner};
          for (const std::int64_t count : {std::int64_t{1}, extent / 2, std::int64_t{128} / (outer * inner)}) {
            if (count < 1) continue;
            check_rows(d, index_type::int64, random_indices(count, 0, extent - 1), usual(width));
            check_elements(scatter_kind::onnx, d, {width, outer, count, inner}, index_type::int32,
                           random_indices(outer * count * inner, -extent, extent - 1), usual(width));
          }
        }
      }
    }
  }
}

// An index that was broadcast stands for all lanes inside the axis; its runs are copies.
TEST_CASE("elements by indices that were broadcast, copied or lie in any order", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    const dimensions d{width, 2, 60, width > 16 ? 30 : 300};
    const dimensions u{width, 2, 20, d.inner};
    circumstances in{{0, 37}, alone_and_in_parts()};
    const std::vector<std::int64_t> few = random_indices(u.outer * u.axis, -60, 59);
    check_elements(scatter_kind::onnx, d, u, index_type::int64, few, in, {u.axis, 1, 0});
    std::vector<std::int64_t> copied;
    for (const std::int64_t index : few) copied.insert(copied.end(), static_cast<std::size_t>(u.inner), index);
    check_elements(scatter_kind::onnx, d, u, index_type::int64, copied, in);
    copied[copied.size() / 2 + 1] = 3;  // one that only a look at all tells apart
    check_elements(scatter_kind::onnx, d, u, index_type::int64, copied, in);
    const std::vector<std::int64_t> many = random_indices(2 * u.size(), -60, 59);
    check_elements(scatter_kind::onnx, d, u, index_type::int64, many, in, {2 * u.axis * u.inner, 2 * u.inner, 2});
    check_elements(scatter_kind::onnx, d, u, index_type::int64, many, in, {u.axis * u.inner, 1, u.axis});
    check_elements(scatter_kind::onnx, d, u, index_type::int64, many, in, {0, u.inner, 1});
    check_elements(scatter_kind::onnx, d, u, index_type::int64, many, in, {0, 0, 1});
    check_elements(scatter_kind::onnx, d, u, index_type::int64, {-7}, in, {0, 0, 0});
  }
}

// The sources of many rows are kept in the output itself.
TEST_CASE("more rows than fit on the stack, several times over", "[kernels]") {
  for (const std::int64_t width : {1, 8}) {
    circumstances in{{0}, alone_and_in_parts(), false};
    if (streams_all()) in.offsets = {0, 37};
    for (const std::int64_t row_bytes : {64, 72, 128, 200, 1032}) {
      for (const std::int64_t rows : {4095, 4096, 4097, 9001}) {
        if (row_bytes > 200 && (rows < 9001 || width < 8)) continue;
        std::vector<std::int64_t> indices = random_indices(rows, 0, rows - 1);  // with duplicates
        indices.back() = indices.front();
        check_rows({width, 2, rows, row_bytes / width}, index_type::int64, indices, in);
      }
    }
  }
}

// Ascending indices, some of them several times: each part of a call looks up which are its own.
TEST_CASE("ascending indices in parts", "[kernels]") {
  for (const index_type type : {index_type::int64, index_type::int32, index_type::uint16}) {
    for (const double last : {0.3, 1.0}) {  // up to where in the output the indices go
      for (const std::int64_t row : {1, 3, 16, 700}) {
        const std::int64_t rows = row == 700 ? 200 : 60'000;
        const std::int64_t count = rows / 2;
        std::vector<std::int64_t> indices;
        for (std::int64_t i = 0; i < count; ++i) {
          const double x = static_cast<double>(i) / static_cast<double>(count - 1);
          indices.push_back(static_cast<std::int64_t>(x * x * last * static_cast<double>(rows - 1)));
        }
        const circumstances in{{0}, {{3}}};
        check_rows({4, 1, rows, row}, type, indices, in);
        if (row == 1) {
          check_elements(scatter_kind::elements_update, {4, 1, rows, 1}, {4, 1, count, 1}, type, indices, in);
        }
      }
    }
  }
}

// Indices that form a slice make the call a copy.
TEST_CASE("indices that form a slice", "[kernels]") {
  for (const std::int64_t width : element_widths) {
    for (const std::int64_t step : {1, 2, 3, -1, -4}) {
      for (const std::int64_t row : {1, 5}) {
        const std::int64_t count = 400;
        const dimensions d{width, 1, 4 * count + 20, row};
        std::vector<std::int64_t> indices;
        for (std::int64_t i = 0; i < count; ++i) indices.push_back((step > 0 ? 10 : d.axis - 1) + i * step);
        check_rows(d, index_type::int64, indices, usual(width));
        if (row > 1) continue;
        for (std::int64_t& index : indices) index -= d.axis;  // the same, counted from the end
        check_elements(scatter_kind::onnx, d, {width, 1, count, 1}, index_type::int64, indices, usual(width));
      }
    }
  }
}

}  // namespace strew::test
