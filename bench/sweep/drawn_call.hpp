// SPDX-License-Identifier: Apache-2.0
// Calls drawn at random: any operator and reduction on tensors of any rank, layout and type. What is drawn does not
// know the library: extents, strides and numbers alone, so that loops and other libraries can be given the same call.
#ifndef STREW_BENCH_SWEEP_DRAWN_CALL_HPP
#define STREW_BENCH_SWEEP_DRAWN_CALL_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace strew::bench::sweep {

enum class operation {
  slice_scatter,
  select_scatter,
  diagonal_scatter,
  scatter_update,
  index_copy,
  index_add,
  index_reduce,
  index_fill,
  scatter_elements_update,
  v12_scatter_elements_update,
  onnx_scatter,
  onnx_scatter_elements,
  scatter,
  scatter_add,
  scatter_reduce,
  put_along_axis,
  v3_scatter_nd_update,
  v15_scatter_nd_update,
  onnx_scatter_nd,
  index_put,
  put,
  masked_scatter,
  masked_fill,
  tensor_scatter,
};
inline constexpr int operations = 24;
const char* name_of(operation which);

enum class combining { none, sum, sub, prod, min, max, mean };
const char* name_of(combining how);

enum class element { uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, complex64, complex128 };
inline constexpr int elements = 11;
const char* name_of(element type);
std::int64_t size_of(element type);

enum class form { plain, workspace, prepared, bound, value };
const char* name_of(form how);

using extents = std::vector<std::int64_t>;

// A tensor: strides in elements, the place of its first element in its memory, and how much memory that is.
struct operand {
  extents shape;
  extents strides;
  std::int64_t first = 0;
  std::int64_t memory = 0;  // elements
  std::string layout = "row-major";
};
std::int64_t size_of(const extents& shape);

struct drawn_slice {
  int axis;
  std::int64_t start, step, length;
};

struct drawn_call {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;
  operation which{};
  combining reduce = combining::none;
  bool include_init = true;
  element type{};
  bool wide_indices = true;  // 64 bits
  form how = form::plain;
  int threads = 1;
  bool in_place = true;
  int axis = 0;
  int second_axis = 1;
  std::int64_t place = 0;  // of select_scatter, or the diagonal
  std::vector<drawn_slice> slices;
  operand data, output, updates;
  std::vector<operand> indices;  // or the mask of masked_scatter and masked_fill
  std::string kind_of_indices;
  std::vector<std::vector<std::int64_t>> values;  // of each tensor of indices, in row-major order of what is stored
};

bool has_mask(operation which);
bool is_fill(operation which);  // one value by definition
// How many elements are read from updates and written.
std::int64_t updated_elements(const drawn_call& call);
// Bytes that any implementation must write: those of the updated elements, and those of the data where they are copied.
std::int64_t moved_bytes(const drawn_call& call);

drawn_call draw_call(std::uint64_t seed, std::uint64_t number);

// The call in a line.
std::string text_of(const drawn_call& call);

}  // namespace strew::bench::sweep

#endif  // STREW_BENCH_SWEEP_DRAWN_CALL_HPP
