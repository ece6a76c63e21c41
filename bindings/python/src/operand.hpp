// SPDX-License-Identifier: Apache-2.0
// What Python passes as a tensor, an index or a value: how it lies in memory, what its elements are, and what keeps it
// there until the call has ended.
#ifndef STREW_PYTHON_OPERAND_HPP
#define STREW_PYTHON_OPERAND_HPP

#include "errors.hpp"

#include <strew/dynamic.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strew_python {

enum class access { read, write, read_indices };

// Where an object came from, on which depends what a new array for its results is.
enum class source { numpy, torch, jax, dlpack, buffer };

class operand;

// The type and the layout of an array without its memory: an operand of calls that check arguments or bind indices.
struct layout {
  layout(const operand& of, bool is_row_major);
  // Of nested lists in the place of updates of such data.
  layout(const operand_name& name, nb::handle list, const layout& data);

  void set_row_major();

  strew::dynamic::element_type type;
  nb::object identity;
  strew::index_list extents;
  strew::index_list strides;
  source from;
  bool holds_objects;
};

// An array of NumPy or of any library that has the array interface, DLPack or the buffer protocol. Its memory is
// neither copied nor converted. Raises for other objects, memory on a device, elements that are no plain bytes, and
// for access::write for what must not be written.
class operand {
  // Releases a buffer, also when the constructor of the operand throws.
  struct exported_buffer {
    exported_buffer() = default;
    ~exported_buffer();
    exported_buffer(const exported_buffer&) = delete;
    exported_buffer& operator=(const exported_buffer&) = delete;

    Py_buffer view{};
  };

 public:
  operand(const operand_name& name, nb::handle object, access wanted);
  ~operand() = default;
  operand(const operand&) = delete;
  operand& operator=(const operand&) = delete;

  [[nodiscard]] nb::handle object() const { return object_; }
  [[nodiscard]] source from() const { return from_; }
  [[nodiscard]] strew::dynamic::element_type type() const { return type_; }
  // What tells apart types that strew sees as bytes: a dtype, or a format. Null for numbers.
  [[nodiscard]] nb::handle identity() const { return identity_; }
  [[nodiscard]] std::string name_of_type() const;
  [[nodiscard]] bool holds_objects() const { return holds_objects_; }
  // False for a layout: the elements must not be touched.
  [[nodiscard]] bool has_memory() const { return has_memory_; }

  // Not after access::read_indices.
  [[nodiscard]] strew::dynamic::const_tensor elements() const { return tensor_; }
  // Only after access::write.
  [[nodiscard]] const strew::dynamic::tensor& writable() const { return tensor_; }
  // Only after access::read_indices.
  [[nodiscard]] const strew::dynamic::index_tensor& indices() const { return indices_; }

  // Raises if the memory was changed since it was found: code of Python that makes another argument an integer, a
  // number or an array may resize this one. A call asks this when no such code runs any more.
  void require_unchanged() const;
  // Tells the owner of the memory that its elements were changed.
  void note_write() const;

 private:
  struct parts;

  bool read_numpy_fields(const operand_name& name, access wanted);
  bool read_array_interface(const operand_name& name, access wanted);
  bool read_dlpack(const operand_name& name, access wanted);
  bool read_buffer(const operand_name& name, access wanted);
  bool read_layout();
  void remember(const operand_name& name, nb::handle array);
  template <class Tensor>
  [[nodiscard]] bool is_as_remembered(const Tensor& found, std::int64_t size) const;
  void bind(const operand_name& name, const parts& found);
  strew::index_type require_index_type(const operand_name& name) const;

  operand_name name_;
  nb::handle object_;
  nb::handle array_;  // of NumPy, whose memory it is; null: of another owner
  nb::object descr_;  // its dtype
  nb::handle owner_;  // the array that it is a view of, with the memory and the number of elements that it had
  const void* owned_ = nullptr;
  std::int64_t size_of_owned_ = 0;
  nb::object holder_;  // what keeps the memory where it is, besides the object
  nb::object identity_;
  exported_buffer buffer_;
  strew::dynamic::element_type type_;
  strew::dynamic::tensor tensor_;  // written to after access::write alone
  strew::dynamic::index_tensor indices_;
  source from_ = source::numpy;
  bool are_indices_;
  bool is_row_major_ = false;  // as NumPy says
  bool holds_objects_ = false;
  bool has_memory_ = true;
};

bool has_same_type(const operand& one, const operand& data);
// Whether elements of another type become those of data.
enum class conversion {
  never,
  possible,  // an error says that they may
  wanted,
};
// Raises OperandTypeError unless both have elements of the same type, or those of one are converted.
void require_same_type(const operand_name& name, const operand& one, const operand& data,
                       conversion how = conversion::never);

class binding;

// Whether bound indices may stand for indices.
enum class bindings { taken, refused };

// Segments by offsets, in the place of indices: strew.segments of Python.
struct segments_argument {
  nb::object offsets;
};

// An operand of indices: an array of integers in native byte order, an integer, or a list of integers or of such lists.
class index_operand {
 public:
  // The offsets of segments are taken where `takes_segments` is true.
  index_operand(const operand_name& name, nb::handle object, bindings wanted = bindings::taken,
                bool takes_segments = false);
  // A copy of a list.
  explicit index_operand(const index_operand& list);

  [[nodiscard]] const strew::dynamic::index_tensor& indices() const { return array_ ? array_->indices() : tensor_; }
  [[nodiscard]] const strew::index_list& extents() const { return indices().extents(); }
  // Whether these are the offsets of segments.
  [[nodiscard]] bool are_segments() const { return are_segments_; }
  // Bound indices, or null.
  [[nodiscard]] binding* bound() const { return bound_; }

  // The integers of a list that are beyond 64 bits. The nearest of 64 bits is outside every extent on the same side;
  // wrap alone tells them apart.
  [[nodiscard]] const large_integers& large() const { return large_; }
  // Puts these modulo extent_of(k), where k is the index's coordinate on the last axis.
  template <class Extent>
  void wrap_large(const Extent& extent_of) {
    for (const large_integer& each : large_) {
      const strew::index_list& at = each.coordinate;
      put_modulo(each, extent_of(at.empty() ? 0 : at[at.size() - 1]));
    }
  }
  // As operand::require_unchanged.
  void require_unchanged() const;
  // Lets go of an array, which is not looked at again.
  void forget_array() { array_.reset(); }

 private:
  void read(const operand_name& name, nb::handle object);
  void copy_list(const index_operand& list);
  void put_modulo(const large_integer& large, std::int64_t extent);

  std::vector<std::int64_t> integers_;  // of a list
  large_integers large_;
  std::optional<operand> array_;
  binding* bound_ = nullptr;
  bool are_segments_ = false;
  strew::dynamic::index_tensor tensor_;
};

// Whether an object is a number of Python or a scalar of NumPy.
bool is_number(nb::handle object);
bool is_numpy_scalar(nb::handle object);
bool is_numpy_array(nb::handle object);
bool is_numpy_bool(nb::handle object);
// The one value that an object stands for: itself, or the element of an array of rank 0. Null for others.
nb::object one_value_of(const operand_name& name, nb::handle object);

// Whether an object is a list, a tuple or a range.
bool is_list(nb::handle object);

// An element at all coordinates of these extents.
strew::dynamic::const_tensor repeated(const void* element, const strew::dynamic::element_type& type,
                                      const strew::index_list& extents);

// One value in the place of updates, as an element of data's type.
class value_operand {
 public:
  // `form` is the operator's.
  value_operand(const strew::detail::call_form& form, const operand_name& name, nb::handle value, const operand& data);

  // Its bytes.
  [[nodiscard]] const void* element() const { return scalar_ ? scalar_->elements().data() : number_; }
  [[nodiscard]] strew::dynamic::const_tensor repeated(const strew::index_list& extents) const {
    return strew_python::repeated(element(), type_, extents);
  }

 private:
  void convert(const strew::detail::call_form& form, const operand_name& name, nb::handle value);
  double rounded(const operand_name& name, nb::handle value, long double number) const;

  strew::dynamic::element_type type_;
  alignas(16) std::byte number_[16] = {};
  std::optional<operand> scalar_;  // of NumPy, with elements that are no numbers
};

// An integer, as an axis; the nearest of 64 bits if it is beyond them, which is appended to `large` then. `position`:
// in a list.
std::int64_t integer_of(const operand_name& name, nb::handle object, large_integers* large = nullptr,
                        std::int64_t position = -1);

// An integer, or a list or an array of rank 1 of integers: bounds of slices.
template <class List>
List list_of(const operand_name& name, nb::handle object, large_integers& large);

// The elements of nested lists: numbers as elements of data's type, or bools as those of a mask.
class listed_elements {
 public:
  listed_elements(const strew::detail::call_form& form, const operand_name& name, nb::handle list, const operand& data);
  listed_elements(const operand_name& name, nb::handle list);

  [[nodiscard]] strew::dynamic::const_tensor elements() const;

 private:
  std::vector<std::byte> bytes_;
  strew::dynamic::element_type type_;
  strew::index_list extents_;
};

// Raises for what stands for more than its elements: units, masks, missing values. Runs code of the object's class.
void refuse_meaning(const operand_name& name, nb::handle object);

// An array of NumPy with the extents, the dtype and the order of axes of another one, which is not initialised.
nb::object new_numpy_array(const operand_name& name, nb::handle like);

// sys.modules[name] if the module was imported, else a null handle.
nb::object imported_module(const char* name);

}  // namespace strew_python

#endif  // STREW_PYTHON_OPERAND_HPP
