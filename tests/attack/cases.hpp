// SPDX-License-Identifier: Apache-2.0
// A call of any operator: its operands in guarded memory, its arguments, and what is expected of it.
#ifndef STREW_TESTS_ATTACK_CASES_HPP
#define STREW_TESTS_ATTACK_CASES_HPP

#include "draws.hpp"
#include "guarded.hpp"
#include "numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attack {

inline constexpr int most_axes = 16;  // STREW_MAX_RANK, where nothing else is said

enum class op : byte {
  slice,
  select,
  diagonal,
  cache,  // TensorScatter
  masked_scatter,
  masked_fill,
  scatter_update,
  index_copy,
  index_add,
  index_reduce,
  index_fill,
  elements_v3,
  elements_v12,
  onnx_scatter,
  onnx_elements,
  torch_scatter,
  scatter_add,
  scatter_reduce,
  put_along_axis,
  nd_v3,
  nd_v14,
  onnx_nd,
  index_put,
  put,
  count
};
enum class policy : byte { error, drop, clip, wrap, assume_valid };
enum class index_kind : byte { int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

[[nodiscard]] constexpr std::int64_t size_of(index_kind of) noexcept {
  return std::int64_t{1} << (static_cast<int>(of) & 3);
}
[[nodiscard]] constexpr bool is_signed(index_kind of) noexcept {
  return of < index_kind::uint8;
}

struct extents {
  int rank = 0;
  std::int64_t at[most_axes + 2] = {};

  [[nodiscard]] std::int64_t size() const noexcept {
    std::int64_t result = 1;
    for (int k = 0; k < rank; ++k) result *= at[k];
    return result;
  }
  void insert(int axis, std::int64_t extent) noexcept {
    for (int k = rank++; k > axis; --k) at[k] = at[k - 1];
    at[axis] = extent;
  }
  void erase(int axis) noexcept {
    --rank;
    for (int k = axis; k < rank; ++k) at[k] = at[k + 1];
  }
};

// A tensor in a slot.
struct operand {
  extents shape;
  std::int64_t strides[most_axes + 2] = {};  // in elements
  std::int64_t unit = 1;                     // bytes
  byte* first = nullptr;                     // the element at coordinate 0
  guarded_slot* slot = nullptr;

  [[nodiscard]] byte* element(const std::int64_t* coordinate) const noexcept {
    std::int64_t offset = 0;
    for (int k = 0; k < shape.rank; ++k) offset += coordinate[k] * strides[k];
    return first + offset * unit;
  }
};

// Calls body(coordinate, address) for each element in row-major order.
template <class Body>
void for_each_element(const operand& of, const Body& body) {
  const int rank = of.shape.rank;
  for (int k = 0; k < rank; ++k) {
    if (of.shape.at[k] == 0) return;
  }
  std::int64_t at[most_axes + 2] = {};
  byte* address = of.first;
  while (true) {
    body(static_cast<const std::int64_t*>(at), address);
    int k = rank;
    while (k-- > 0) {
      address += of.strides[k] * of.unit;
      if (++at[k] < of.shape.at[k]) break;
      address -= of.shape.at[k] * of.strides[k] * of.unit;
      at[k] = 0;
    }
    if (k < 0) return;
  }
}

// How operands are drawn.
struct drawing {
  std::int64_t elements = 40;  // about the most elements of an operand; beyond 4096 the most bytes
  int most_rank = 4;
  bool may_stride = true;  // other layouts than row-major ones
  bool may_shift = false;  // addresses that suit no type
  bool may_err = true;     // bad indices, wrong extents, repeated elements
  std::int64_t most_states = 1 << 20;
};

enum class fault : byte { none, index, extents, repeated };

struct slots {
  guarded_slot data, indices[most_axes + 1], updates, output, numbers, memory;
};

struct call_case {
  op which = op::scatter_update;
  element of;
  index_kind index = index_kind::int64;
  reduce by = reduce::none;
  bool with_init = true;
  bool skips_nan = false;
  policy how = policy::error;
  bool in_place = false;
  bool names_output = true;  // in place: whether output is passed all the same
  operand data, updates, output;
  bool has_numbers = false;  // with positions, of integers of this type
  index_kind numbers_type = index_kind::int64;
  operand numbers;
  operand indices[most_axes + 1];
  int index_count = 1;  // tensors of indices
  int components = 0;   // of a multi-index
  std::int64_t axis = 0;
  std::int64_t axis2 = 0;
  std::int64_t number = 0;  // index of select, offset of a diagonal
  bool is_circular = false;
  bool has_starts = true;                                   // write_indices
  extents slice_start, slice_stop, slice_step, slice_axes;  // lists of numbers
  bool has_start = true;
  bool has_stop = true;
  bool has_step = true;
  bool has_axes = true;
  fault has = fault::none;
  // What is expected: an error of any kind, or a bad index at this coordinate.
  bool is_error = false;
  bool is_index_error = false;
  std::int64_t bad[most_axes + 2] = {};
  int bad_rank = 0;
};

[[nodiscard]] bool is_rows(op) noexcept;
[[nodiscard]] bool is_elements(op) noexcept;
[[nodiscard]] bool is_multi(op) noexcept;  // multi-indices, and numbers of elements
[[nodiscard]] bool has_indices(op) noexcept;
[[nodiscard]] bool is_strict(op) noexcept;

// Draws a call: of, which, index and by may be set before; all else is drawn.
void draw_case(draws& random, slots& in, const drawing& how, call_case& result);
// Draws the size of operands: of 20,000 cases one is beyond the caches, and a few hundred are beyond 2 KiB.
void draw_size(draws& random, drawing& how);
// Draws whether the call stores which update each element holds, and where.
void draw_numbers(draws& random, slots& in, const drawing& how, call_case& result);
// How many numbers the updates have, and whether the type has room for them.
[[nodiscard]] std::int64_t numbers_of(const call_case& of) noexcept;
[[nodiscard]] bool has_room(index_kind of, std::int64_t numbers) noexcept;
// Draws the types, the operator and the reduction of a call.
void draw_kinds(draws& random, call_case& result);

// Strides and memory for an operand whose extents are set. An output repeats no element but along `repeated`.
void place_operand(draws& random, guarded_slot& slot, const drawing& how, bool is_output, std::int64_t unit,
                   operand& result, int repeated = -1);
void fill_operand(draws& random, element of, const operand& to);
// Slice number k of an axis, as Python's slice.indices: its length, and its first element.
std::int64_t slice_length(const call_case& of, int k, std::int64_t extent, std::int64_t& first) noexcept;
[[nodiscard]] std::int64_t diagonal_length(std::int64_t along, std::int64_t across, std::int64_t offset) noexcept;
// Whether an index is illegal, whatever the policy.
[[nodiscard]] bool has_bad_index(const call_case& of);
[[nodiscard]] std::int64_t load_index(index_kind of, const byte* from, bool& is_huge) noexcept;
void store_index(index_kind of, byte* to, std::int64_t value) noexcept;

// ---- The oracle

// Keeps the operands as they are, and computes in the copy of the output what is expected of the call.
void expect(call_case& of);
// Compares: `is_ok`, the coordinate of a bad index, and the memory of all operands. Ends the program if anything
// differs.
struct outcome {
  bool is_ok = true;
  bool is_index_error = false;
  int bad_rank = 0;
  std::int64_t bad[most_axes + 2] = {};
  const char* message = "";
};
void compare(const call_case& of, const outcome& found, const char* form);
// Writes the kept operands back, for another form of the same call.
void restore(const call_case& of);

}  // namespace attack

#endif  // STREW_TESTS_ATTACK_CASES_HPP
