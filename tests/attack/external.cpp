// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries by DLPack's structures, with any numbers in their fields: those that DLPack or the library
// forbid are refused, the others are the tensors that they describe, and operators on them have the right results. The
// arrays of extents and strides, and the structures themselves, end at a guard page.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/runtimes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace {

using namespace attack;

// DLPack 1.0's dlpack.h.
struct tensor_fields {
  void* data;
  struct {
    std::int32_t device_type;
    std::int32_t device_id;
  } device;
  std::int32_t ndim;
  struct {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
  } dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct managed {
  tensor_fields dl_tensor;
  void* manager_ctx;
  void (*deleter)(managed*);
};
struct versioned {
  struct {
    std::uint32_t major;
    std::uint32_t minor;
  } version;
  void* manager_ctx;
  void (*deleter)(versioned*);
  std::uint64_t flags;
  tensor_fields dl_tensor;
};

enum class form : byte { plain, managed, versioned };

// Memory for one structure with its two arrays.
struct structure_slots {
  guarded_slot structure, shape, strides;
};

// A structure for an operand, and whether it is legal.
struct described {
  form as = form::plain;
  versioned* fields = nullptr;
  bool is_legal = true;
  bool is_writable = true;
};

constexpr byte code_of(kind is) {
  constexpr byte codes[] = {3, 6, 0, 1, 2, 4, 5};
  return codes[static_cast<int>(is)];
}

std::int64_t* place_numbers(draws& random, guarded_slot& slot, const std::int64_t* from, int count) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof(std::int64_t);
  byte* const at = slot.place(bytes, random.one_in(2) ? flush::front : flush::back);
  if (bytes > 0) std::memcpy(at, from, bytes);
  return reinterpret_cast<std::int64_t*>(at);
}

described describe(draws& random, structure_slots& in, const operand& of, element type, bool is_index, index_kind index,
                   bool may_err) {
  described result;
  result.as = random.pick({form::plain, form::managed, form::versioned});
  auto* const at = in.structure.place(sizeof(versioned), random.one_in(2) ? flush::front : flush::back);
  result.fields = new (at) versioned{};
  versioned& fields = *result.fields;
  tensor_fields& tensor = fields.dl_tensor;
  fields.version = {1, static_cast<std::uint32_t>(random.below(4))};
  fields.flags = random.next() & ~std::uint64_t{1};
  fields.deleter = [](versioned*) { fail("the deleter is called"); };
  tensor.ndim = of.shape.rank;
  tensor.device = {random.pick({1, 1, 1, 3, 11}), static_cast<std::int32_t>(random.next())};
  tensor.dtype.code = is_index ? (is_signed(index) ? 0 : 1) : code_of(type.is);
  tensor.dtype.bits = static_cast<std::uint8_t>(8 * of.unit);
  tensor.dtype.lanes = 1;
  tensor.shape = place_numbers(random, in.shape, of.shape.at, of.shape.rank);
  tensor.strides = place_numbers(random, in.strides, of.strides, of.shape.rank);
  // Without strides it is row-major.
  bool is_row_major = true;
  std::int64_t stride = 1;
  for (int k = of.shape.rank; k-- > 0;) {
    is_row_major = is_row_major && (of.strides[k] == stride || of.shape.at[k] < 2);
    stride *= of.shape.at[k] < 1 ? 1 : of.shape.at[k];
  }
  if (is_row_major && random.one_in(2)) tensor.strides = nullptr;
  // Only the sum is an address.
  tensor.byte_offset = random.one_in(2) ? 0 : random.next();
  tensor.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(of.first) - tensor.byte_offset);
  if (!may_err) return result;

  const bool is_empty = of.shape.size() == 0;
  switch (random.below(12)) {
    case 0:
      tensor.device.device_type = random.pick({0, 2, 4, 7, 8, 10, 12, 13, 14, 15, 17, -1, 1 << 30});
      result.is_legal = false;
      break;
    case 1:
      tensor.dtype.lanes = static_cast<std::uint16_t>(random.one_in(2) ? 0 : random.between(2, 65535));
      result.is_legal = false;
      break;
    case 2:
      tensor.dtype.bits = static_cast<std::uint8_t>(random.pick({0, 1, 4, 6, 7, 9, 12, 33, 255}));
      result.is_legal = false;
      break;
    case 3:
      tensor.ndim = random.pick({-1, most_axes + 1, std::numeric_limits<std::int32_t>::max(),
                                 std::numeric_limits<std::int32_t>::min(), 1000});
      result.is_legal = false;
      break;
    case 4:
      if (tensor.ndim == 0) break;
      tensor.shape = nullptr;
      result.is_legal = false;
      break;
    case 5:
      if (result.as != form::versioned) break;
      fields.version.major = static_cast<std::uint32_t>(random.pick({0, 2, 3, -1}));
      result.is_legal = false;
      break;
    case 6:
      if (result.as != form::versioned) break;
      fields.flags |= 1U;
      result.is_writable = false;
      break;
    case 7:
      if (is_empty) break;
      tensor.data = nullptr;
      result.is_legal = false;
      break;
    case 8:
      if (tensor.ndim == 0) break;
      tensor.shape[random.below(tensor.ndim)] = random.one_in(2) ? -1 : std::numeric_limits<std::int64_t>::min();
      result.is_legal = false;
      break;
    case 9:
      if (tensor.ndim == 0) break;
      // Of single bytes a tensor may have as many, and along a stride of 0, too.
      if (of.unit == 1 || tensor.strides != nullptr) break;
      tensor.shape[random.below(tensor.ndim)] = std::numeric_limits<std::int64_t>::max();
      result.is_legal = false;
      break;
    case 10:
      if (tensor.ndim == 0 || tensor.strides == nullptr) break;
      {
        const std::int64_t axis = random.below(tensor.ndim);
        if (tensor.shape[axis] < 2) break;
        tensor.strides[axis] =
            random.one_in(2) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
        // A step of that many elements is beyond the largest span.
        result.is_legal = false;
      }
      break;
    default:
      break;
  }
  return result;
}

// Calls body(structure) in the form that was drawn.
template <class Body>
auto with_structure(draws& random, guarded_slot& slot, const described& of, const Body& body) {
  if (of.as == form::versioned) return body(*of.fields);
  byte* const at = slot.place(of.as == form::plain ? sizeof(tensor_fields) : sizeof(managed),
                              random.one_in(2) ? flush::front : flush::back);
  if (of.as == form::plain) return body(*new (at) tensor_fields(of.fields->dl_tensor));
  return body(*new (at) managed{of.fields->dl_tensor, nullptr, [](managed*) { fail("the deleter is called"); }});
}

template <class Found>
void check_found(const Found& found, const operand& of, const char* what) {
  const bool is_same = static_cast<const void*>(found.data()) == of.first && found.extents() == list_of(of.shape);
  if (!is_same) fail(std::string("another ") + what);
  for (int k = 0; k < of.shape.rank; ++k) {
    if (of.shape.at[k] > 1 && of.shape.size() > 0 && found.strides()[k] != of.strides[k]) {
      fail(std::string("other strides of ") + what);
    }
  }
}

template <class T>
void check_view(draws& random, guarded_slot& slot, const described& from, const operand& of, element type) {
  strew::tensor_view<T> view;
  const strew::status outcome =
      with_structure(random, slot, from, [&](auto& structure) { return strew::try_as_view<T>(structure, view); });
  count_call(!outcome.ok());
  const strew::dynamic::element_type wanted = strew::dynamic::element_type_of<T>;
  const bool is_type = wanted.size == type.size &&
                       (wanted.kind == strew::dynamic::element_kind::opaque || wanted.kind == type_of(type).kind);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(of.first) % alignof(T) == 0;
  const bool is_legal = from.is_legal && is_type && is_aligned && (from.is_writable || std::is_const_v<T>);
  // A tensor without elements has no address to be aligned, and may still be refused for it.
  if (of.shape.size() == 0 && !is_aligned) return;
  if (outcome.ok() != is_legal) fail(std::string("a view: ") + (outcome.ok() ? "accepted" : outcome.message().c_str()));
  if (outcome.ok()) check_found(view, of, "view");
}

struct odd {
  byte at[3];
};

void run(std::uint64_t seed, std::uint64_t number, slots& in, structure_slots (&structures)[4], guarded_slot& copy) {
  set_case("external", seed, number);
  draws random(seed, number);
  drawing how;
  draw_size(random, how);
  how.may_shift = true;
  call_case c;
  do {
    draw_kinds(random, c);
  } while (c.which != op::scatter_update && c.which != op::elements_v12 && c.which != op::nd_v14);
  if (c.of.size > 31) c.of.size = 31;  // bits are a byte
  draw_case(random, in, how, c);
  c.how = policy::error;
  if (c.has == fault::none && has_bad_index(c)) c.has = fault::index;
  expect(c);
  const bool may_err = random.one_in(3);
  const described data = describe(random, structures[0], c.data, c.of, false, c.index, may_err);
  const described updates = describe(random, structures[1], c.updates, c.of, false, c.index, may_err);
  const described indices = describe(random, structures[2], c.indices[0], c.of, true, c.index, may_err);
  const described output = describe(random, structures[3], c.output, c.of, false, c.index, may_err);
  using strew::dynamic::const_tensor;
  using strew::dynamic::index_tensor;
  using strew::dynamic::tensor;
  const auto accept = [&]<class Tensor>(const described& from, const operand& of, bool is_legal, Tensor& made,
                                        const auto& convert, const char* what) {
    set_step(what);
    const strew::status outcome =
        with_structure(random, copy, from, [&](auto& structure) { return convert(structure, made); });
    count_call(!outcome.ok());
    if (outcome.ok() != is_legal) {
      fail(std::string(what) + (outcome.ok() ? " is accepted" : std::string(": ") + outcome.message().c_str()));
    }
    if (outcome.ok()) check_found(made, of, what);
    return is_legal;
  };
  const auto as_const = [](auto& from, const_tensor& to) { return strew::dynamic::try_as_const_tensor(from, to); };
  const auto as_index = [](auto& from, index_tensor& to) { return strew::dynamic::try_as_index_tensor(from, to); };
  const auto as_output = [](auto& from, tensor& to) { return strew::dynamic::try_as_tensor(from, to); };
  const_tensor from_data;
  const_tensor from_updates;
  index_tensor from_indices;
  tensor from_output;
  bool is_legal = accept(data, c.data, data.is_legal, from_data, as_const, "data");
  is_legal = accept(updates, c.updates, updates.is_legal, from_updates, as_const, "updates") && is_legal;
  is_legal = accept(indices, c.indices[0], indices.is_legal, from_indices, as_index, "indices") && is_legal;
  is_legal =
      accept(output, c.output, output.is_legal && output.is_writable, from_output, as_output, "output") && is_legal;
  set_step("a view");
  switch (random.below(8)) {
    case 0:
      check_view<float>(random, copy, output, c.output, c.of);
      break;
    case 1:
      check_view<const float>(random, copy, output, c.output, c.of);
      break;
    case 2:
      check_view<const std::uint64_t>(random, copy, output, c.output, c.of);
      break;
    case 3:
      check_view<odd>(random, copy, output, c.output, c.of);
      break;
    case 4:
      check_view<const std::int16_t>(random, copy, output, c.output, c.of);
      break;
    default:
      break;
  }
  if (!is_legal) return;
  set_step("an operator");
  const any_executor ex = draw_executor(random, in.memory, 1 << 13);
  const strew::status made =
      c.which == op::scatter_update
          ? strew::try_scatter_update(ex, from_data, from_indices, from_updates, c.axis, from_output)
      : c.which == op::elements_v12
          ? strew::v12::try_scatter_elements_update(ex, from_data, from_indices, from_updates, c.axis, reduction_of(c),
                                                    from_output)
          : strew::v14::try_scatter_nd_update(ex, from_data, from_indices, from_updates, reduction_of(c), from_output);
  outcome found;
  std::string text;
  set_outcome(made, found, text);
  compare(c, found, "an operator on DLPack's tensors");
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 20000);
  slots in;
  structure_slots structures[4];
  guarded_slot copy;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in, structures, copy);
  return finish("external");
}
