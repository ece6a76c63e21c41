// SPDX-License-Identifier: Apache-2.0
#include "operand.hpp"

#include "binding.hpp"
#include "memory.hpp"

#include <strew/detail/front/conversion.hpp>
#include <strew/runtimes.hpp>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// Macros and structures alone, which NumPy keeps as they are: nothing of NumPy is needed to load the module.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

namespace strew_python {

namespace {

using strew::errc;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;

// ---- DLPack's structures, as its documentation has them

struct dlpack_device {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct dlpack_type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct dlpack_elements {
  void* data;
  dlpack_device device;
  std::int32_t ndim;
  dlpack_type dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct dlpack_managed {
  dlpack_elements dl_tensor;
  void* manager_ctx;
  void (*deleter)(dlpack_managed*);
};
struct dlpack_version {
  std::uint32_t major;
  std::uint32_t minor;
};
struct dlpack_versioned {
  dlpack_version version;
  void* manager_ctx;
  void (*deleter)(dlpack_versioned*);
  std::uint64_t flags;
  dlpack_elements dl_tensor;
};

// ---- Element types

element_type number_type(char kind, std::int64_t size) {
  switch (kind) {
    case 'b':
      return {element_kind::boolean, size};
    case 'i':
      return {element_kind::signed_integer, size};
    case 'u':
      return {element_kind::unsigned_integer, size};
    case 'f':
      return {element_kind::floating_point, size};
    case 'c':
      return {element_kind::complex, size};
    default:
      return {element_kind::opaque, size};
  }
}

// The kinds of NumPy's own types by their numbers; a space for those that need a look at the dtype.
constexpr char kinds_by_number[] =
    "biuiuiuiuiu"  // bool to unsigned long long
    "ff cc"        // float, double; long double is not: complex of float and of double
    "       "      // complex of long double, object, bytes, str, void, datetime64, timedelta64
    "f";           // half
static_assert(std::size(kinds_by_number) == NPY_HALF + 2);

std::string bits_of(const char* name, std::int64_t bytes) {
  return name + std::to_string(8 * bytes);
}

// How many binary digits numbers of a type have; 0 for integers and elements that are no numbers.
int digits_of(const element_type& type) {
  if (type.kind == element_kind::brain_float) return 8;
  if (type.kind == element_kind::complex) return type.size == 8 ? 24 : 53;
  if (type.kind != element_kind::floating_point) return 0;
  return type.size == 2 ? 11 : type.size == 4 ? 24 : type.size == 8 ? 53 : std::numeric_limits<long double>::digits;
}

// Whether elements of a letter of the module struct may have such a size; other letters are not looked at.
bool fits_letter(char letter, std::int64_t size) {
  const auto is_one_of = [&](const char* letters) { return std::strchr(letters, letter) != nullptr; };
  if (is_one_of("?bB")) return size == 1;
  if (is_one_of("hHe")) return size == 2;
  if (is_one_of("iIf")) return size == 4;
  if (is_one_of("qQd")) return size == 8;
  if (is_one_of("lLnN")) return size == 4 || size == 8;
  return true;
}

// The kind of an element in the buffer protocol: a letter of the module struct, with Z before it for complex numbers.
element_type type_of_format(const char* format, std::int64_t size) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  if (format == nullptr) return {element_kind::unsigned_integer, 1};
  if (*format == '@' || *format == '=' || *format == (is_little ? '<' : '>')) ++format;
  const bool is_complex = *format == 'Z';
  if (is_complex) ++format;
  if (format[0] == '\0' || format[1] != '\0') return {element_kind::opaque, size};
  if (is_complex) return number_type(std::strchr("fdg", *format) != nullptr ? 'c' : 'V', size);
  // Packed structures and unions of ctypes have the letter of a byte and a size of their own.
  if (!fits_letter(*format, size)) return {element_kind::opaque, 0};
  if (*format == '?') return number_type('b', size);
  if (std::strchr("bhilqn", *format) != nullptr) return number_type('i', size);
  if (std::strchr("BHILQN", *format) != nullptr) return number_type('u', size);
  if (std::strchr("efdg", *format) != nullptr) return number_type('f', size);
  return {element_kind::opaque, size};
}

// Whether elements of a format are addresses or hold some; names of fields stand between colons.
bool has_addresses(const std::string& format) {
  bool is_name = false;
  for (std::size_t k = 0; k < format.size(); ++k) {
    if (format[k] == ':') is_name = !is_name;
    if (is_name) continue;
    // Z is the sign of complex numbers before f, d and g, and a string of wide characters otherwise.
    if (std::strchr("OP&Xz", format[k]) != nullptr) return true;
    if (format[k] == 'Z' && (k + 1 == format.size() || std::strchr("fdg", format[k + 1]) == nullptr)) return true;
  }
  return false;
}

nb::object text_identity(const char* what, int number) {
  return nb::str((what + std::to_string(number)).c_str());
}

nb::object attribute(nb::handle object, const char* name) {
  PyObject* const found = PyObject_GetAttrString(object.ptr(), name);
  if (found == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();  // an interrupt
    PyErr_Clear();
  }
  return nb::steal(found);
}

bool is_instance(nb::handle object, const char* module, const char* type) {
  const nb::object imported = imported_module(module);
  if (!imported.is_valid()) return false;
  const nb::object types = attribute(imported, type);
  if (!types.is_valid()) return false;
  const int is = PyObject_IsInstance(object.ptr(), types.ptr());
  if (is < 0 && PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();  // an interrupt
  if (is < 0) PyErr_Clear();
  return is > 0;
}

// Types of scalars that a number of Python stands for exactly, unless they are NaNs.
constexpr const char* exact_scalars[] = {"bool_",   "int8",    "int16",     "int32",     "int64",
                                         "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                         "float32", "float64", "complex64", "complex128"};
// What is needed of NumPy, null until it is imported. It is never unloaded.
struct numpy_types {
  PyTypeObject* array = nullptr;
  PyTypeObject* scalar = nullptr;
  std::array<PyTypeObject*, std::size(exact_scalars)> exact{};
  PyObject* empty_like = nullptr;  // a function
  // That of the capsules in which arrays show their memory; null if they do not say whose it is.
  PyCapsule_Destructor destructor = nullptr;
};
const numpy_types& types_of_numpy() {
  static numpy_types types;
  if (types.array == nullptr) {
    const nb::object numpy = imported_module("numpy");
    if (!numpy.is_valid()) return types;
    nb::object array = attribute(numpy, "ndarray");
    nb::object scalar = attribute(numpy, "generic");
    nb::object empty_like = attribute(numpy, "empty_like");
    const nb::object size = array.is_valid() ? attribute(array, "__basicsize__") : nb::object();
    // Not of a stand-in for NumPy, whose arrays have no such fields.
    const bool has_fields =
        size.is_valid() && PyLong_Check(size.ptr()) != 0 && PyLong_AsSize_t(size.ptr()) >= sizeof(PyArrayObject_fields);
    if (has_fields && scalar.is_valid() && empty_like.is_valid()) {
      const nb::object any = empty_like(nb::make_tuple());
      const nb::object shown = attribute(any, "__array_struct__");
      if (shown.is_valid() && PyCapsule_GetContext(shown.ptr()) == any.ptr()) {
        types.destructor = PyCapsule_GetDestructor(shown.ptr());
      }
      PyErr_Clear();
      for (std::size_t k = 0; k < types.exact.size(); ++k) {
        types.exact[k] = reinterpret_cast<PyTypeObject*>(attribute(numpy, exact_scalars[k]).release().ptr());
      }
      types.empty_like = empty_like.release().ptr();
      types.scalar = reinterpret_cast<PyTypeObject*>(scalar.release().ptr());
      types.array = reinterpret_cast<PyTypeObject*>(array.release().ptr());
    }
  }
  return types;
}

const PyArrayObject_fields& fields_of(nb::handle array) {
  return *reinterpret_cast<const PyArrayObject_fields*>(array.ptr());
}

nb::handle as_object(PyArray_Descr* descr) {
  return reinterpret_cast<PyObject*>(descr);
}

}  // namespace

bool is_numpy_array(nb::handle object) {
  PyTypeObject* const array = types_of_numpy().array;
  return array != nullptr && PyType_IsSubtype(Py_TYPE(object.ptr()), array) != 0;
}

bool is_numpy_scalar(nb::handle object) {
  PyTypeObject* const scalar = types_of_numpy().scalar;
  return scalar != nullptr && PyType_IsSubtype(Py_TYPE(object.ptr()), scalar) != 0;
}

bool is_numpy_bool(nb::handle object) {
  PyTypeObject* const boolean = types_of_numpy().exact[0];
  return boolean != nullptr && Py_TYPE(object.ptr()) == boolean;
}

namespace {

// The number of Python that stands for a scalar of NumPy, or none. Its memory takes microseconds to be shown.
nb::object exact_number(nb::handle scalar) {
  const auto& exact = types_of_numpy().exact;
  if (std::find(exact.begin(), exact.end(), Py_TYPE(scalar.ptr())) == exact.end()) return {};
  nb::object number = scalar.attr("item")();
  const bool is_complex = PyComplex_Check(number.ptr()) != 0;
  const bool is_nan =
      is_complex ? std::isnan(PyComplex_RealAsDouble(number.ptr())) || std::isnan(PyComplex_ImagAsDouble(number.ptr()))
                 : PyFloat_Check(number.ptr()) != 0 && std::isnan(PyFloat_AsDouble(number.ptr()));
  return is_nan ? nb::object() : number;
}

// The array of NumPy whose memory a capsule of the array interface shows, or null.
nb::handle array_of(const nb::object& capsule) {
  const numpy_types& known = types_of_numpy();
  if (known.destructor == nullptr || PyCapsule_GetDestructor(capsule.ptr()) != known.destructor) return {};
  const nb::handle array(static_cast<PyObject*>(PyCapsule_GetContext(capsule.ptr())));
  return array.is_valid() && is_numpy_array(array) ? array : nb::handle();
}

// NumPy clears the flags of structured arrays in their array interface.
bool is_writable_structure(nb::handle array, const PyArrayInterface& found) {
  return found.typekind == 'V' && array.is_valid() && (fields_of(array).flags & NPY_ARRAY_WRITEABLE) != 0;
}

// The array that owns the memory of a view, or null: the last one of NumPy, since a view is of no view.
nb::handle owner_of(const PyArrayObject_fields& array) {
  nb::handle owner;
  for (PyObject* next = array.base; next != nullptr && is_numpy_array(next); next = fields_of(owner).base) owner = next;
  return owner;
}

std::int64_t size_of_array(nb::handle array) {
  std::int64_t size = 1;
  for (int k = 0; k < fields_of(array).nd; ++k) size *= fields_of(array).dimensions[k];
  return size;
}

// Whether the elements of a view are in the memory of its owner. They are not if that was resized after the view was
// made, which then shows memory that was freed.
bool is_within(const PyArrayObject_fields& view, nb::handle owner) {
  const PyArrayObject_fields& memory = fields_of(owner);
  if ((memory.flags & NPY_ARRAY_OWNDATA) == 0 || memory.nd == 0) return true;
  const auto address = [](const PyArrayObject_fields& array) { return reinterpret_cast<std::intptr_t>(array.data); };
  std::intptr_t lowest = address(view);
  std::intptr_t highest = lowest;
  for (int k = 0; k < view.nd; ++k) {
    if (view.dimensions[k] == 0) return true;
    const npy_intp span = (view.dimensions[k] - 1) * view.strides[k];
    (span < 0 ? lowest : highest) += span;
  }
  // What is allocated is contiguous, in one of two orders.
  const bool is_row_major = (memory.flags & NPY_ARRAY_C_CONTIGUOUS) != 0;
  const npy_intp item = memory.strides[is_row_major ? memory.nd - 1 : 0];
  return lowest >= address(memory) && highest < address(memory) + size_of_array(owner) * item;
}

std::string first_line_of(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// What the exception that is set says; clears it.
std::string take_exception() {
  nb::python_error error;
  return text_of(error.value());
}

// What a function of strew._plain says is wrong with an operand; nothing of others.
std::string ask_plain(const char* function, nb::handle object) {
  return text_of(nb::module_::import_("strew._plain").attr(function)(object));
}

}  // namespace

void refuse_meaning(const operand_name& name, nb::handle object) {
  const PyTypeObject* const type = Py_TYPE(object.ptr());
  const bool is_plain = type == types_of_numpy().array || is_numpy_scalar(object) || type == &PyByteArray_Type ||
                        type == &PyMemoryView_Type || type == &PyBytes_Type;
  if (is_plain) return;
  if (const std::string lost = ask_plain("what_is_lost", object); !lost.empty()) {
    throw call_error{errc::type_mismatch, name.operation, name.operand, " " + lost, {}, {}, true};
  }
}

bool is_list(nb::handle object) {
  return PyList_Check(object.ptr()) != 0 || PyTuple_Check(object.ptr()) != 0 || PyRange_Check(object.ptr()) != 0;
}

nb::object new_numpy_array(const operand_name& name, nb::handle like) {
  if (types_of_numpy().empty_like == nullptr) {
    raise(errc::type_mismatch, name, " is " + kind_of(like) + ", of which no new one can be made: pass out");
  }
  return nb::handle(types_of_numpy().empty_like)(like, nb::none(), "K", false);
}

nb::object imported_module(const char* name) {
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const found = PyDict_GetItemString(modules, name);
  return found == nullptr || found == Py_None ? nb::object() : nb::borrow(found);
}

// Extents and strides in bytes as integers of some type.
struct operand::parts {
  void* data;
  int rank;
  const Py_ssize_t* extents;
  const Py_ssize_t* strides;  // null: row-major
};

namespace {

// Raises for an object that is no array, with what is one.
[[noreturn]] void refuse_object(const operand_name& name, nb::handle object, bool are_indices) {
  const std::string_view operand = name.operand;
  const std::string_view operation = name.operation;
  const bool is_filled = operation == "masked_scatter" || operation == "onnx::tensor_scatter";  // by arrays alone
  const bool is_result = operand == "data" || operand == "past_cache" || operand == "out";
  std::string expected = "an array, a list of numbers or a number";
  if (is_result) expected = "an array (of NumPy, or with DLPack or the buffer protocol)";
  if (operand == "mask") expected = "an array or a list of bools";
  if (is_filled && operand != "mask" && !is_result) expected = "an array or a list of numbers";
  if (are_indices) expected = "an array of integers, a list, a range or an integer";
  const bool is_iterable = PyObject_HasAttrString(object.ptr(), "__iter__") != 0 &&
                           PyUnicode_Check(object.ptr()) == 0 && PyDict_Check(object.ptr()) == 0 &&
                           PyType_Check(object.ptr()) == 0;
  std::string remedy;
  if (PyObject_HasAttrString(object.ptr(), "to_numpy") != 0) {
    remedy = ": pass " + std::string(operand) + ".to_numpy()";
  } else if (is_list(object)) {
    remedy = ": pass numpy.array(" + std::string(operand) + (is_result || operand == "mask" ? ")" : ", dtype=object)");
  } else if (is_iterable) {
    remedy = ": pass list(" + std::string(operand) + ")";
  } else if (are_indices && PySlice_Check(object.ptr())) {
    remedy = ": slice_scatter and strew.numpy.add_at take slices";
  } else if (operation == "masked_scatter" && is_number(object)) {
    remedy = ": masked_fill takes one value";
  }
  raise(errc::type_mismatch, name, " is " + kind_of(object) + ", expected " + expected + remedy);
}

}  // namespace

operand::operand(const operand_name& name, nb::handle object, access wanted)
    : name_{name}, object_{object}, are_indices_{wanted == access::read_indices} {
  if (read_numpy_fields(name, wanted) || (!are_indices_ && read_layout())) return;
  refuse_meaning(name, object);
  if (read_array_interface(name, wanted) || read_dlpack(name, wanted) || read_buffer(name, wanted)) return;
  refuse_object(name, object, are_indices_);
}

operand::exported_buffer::~exported_buffer() {
  if (view.obj != nullptr) PyBuffer_Release(&view);
}

namespace {

bool as_index_type(const element_type& type, strew::index_type& result) {
  const bool is_signed = type.kind == element_kind::signed_integer;
  if (!is_signed && type.kind != element_kind::unsigned_integer) return false;
  using enum strew::index_type;
  switch (type.size) {
    case 1:
      result = is_signed ? int8 : uint8;
      return true;
    case 2:
      result = is_signed ? int16 : uint16;
      return true;
    case 4:
      result = is_signed ? int32 : uint32;
      return true;
    case 8:
      result = is_signed ? int64 : uint64;
      return true;
    default:
      return false;
  }
}

}  // namespace

strew::index_type operand::require_index_type(const operand_name& name) const {
  strew::index_type type{};
  if (holds_objects_ || !as_index_type(type_, type)) {
    std::string remedy;
    if (type_.kind == element_kind::boolean) {
      remedy = from_ == source::torch ? std::string(": pass ") + name.operand + ".nonzero()[:, 0]"
                                      : std::string(": pass numpy.nonzero(") + name.operand + ")[0]";
      remedy += ", or call an operator with a mask";
    }
    if (type_.kind == element_kind::floating_point && (from_ == source::numpy || from_ == source::torch)) {
      remedy =
          std::string(": pass ") + name.operand + (from_ == source::torch ? ".to(torch.int64)" : ".astype('int64')");
    }
    raise(errc::type_mismatch, name,
          " holds " + name_of_type() + ", expected integers of 8 to 64 bits in native byte order" + remedy);
  }
  return type;
}

void operand::bind(const operand_name& name, const parts& found) {
  if (type_.size < 1) {
    raise(errc::type_mismatch, name, " holds " + name_of_type() + ", expected elements of at least one byte");
  }
  const strew::index_list extents(std::span(found.extents, static_cast<std::size_t>(found.rank)));
  // Indices first, since their strides are in elements of their type.
  const auto index_type = are_indices_ ? require_index_type(name) : strew::index_type{};
  strew::status outcome;
  if (found.strides == nullptr) {
    outcome = are_indices_ ? strew::dynamic::index_tensor::try_make(found.data, index_type, extents, indices_)
                           : strew::dynamic::tensor::try_make(found.data, type_, extents, tensor_);
  } else {
    const strew::index_list strides(std::span(found.strides, static_cast<std::size_t>(found.rank)));
    outcome = are_indices_
                  ? strew::dynamic::index_tensor::try_make_from_byte_strides(found.data, index_type, extents, strides,
                                                                             indices_)
                  : strew::dynamic::tensor::try_make_from_byte_strides(found.data, type_, extents, strides, tensor_);
  }
  // With the operator's name in the place of the tensor's.
  if (!outcome.ok()) {
    if (outcome.code() == errc::misaligned_stride) {
      int axis = 0;
      while (axis + 1 < found.rank && found.strides[axis] % type_.size == 0) ++axis;
      raise(errc::misaligned_stride, name,
            " has a stride of " + std::to_string(found.strides[axis]) + " bytes on axis " + std::to_string(axis) +
                ", no multiple of the element size, " + std::to_string(type_.size) +
                " bytes, as fields of packed records have: pass numpy.ascontiguousarray(" + name.operand +
                "), or align the records");
    }
    raise(outcome.code(), name, std::string(" cannot be seen as a tensor: ") + outcome.message().c_str());
  }
}

bool operand::read_numpy_fields(const operand_name& name, access wanted) {
  if (Py_TYPE(object_.ptr()) != types_of_numpy().array) return false;
  const auto* const array = reinterpret_cast<const PyArrayObject_fields*>(object_.ptr());
  const int number = array->descr->type_num;
  if (number < 0 || number > NPY_HALF || kinds_by_number[number] == ' ' || !PyArray_ISNBO(array->descr->byteorder)) {
    return false;
  }
  constexpr std::int64_t sizes[] = {1, 1, 1, 2, 2, sizeof(int), sizeof(int), sizeof(long), sizeof(long),
                                    8, 8, 4, 8, 0, 8,           16};
  type_ = number_type(kinds_by_number[number], number == NPY_HALF ? 2 : sizes[number]);
  if (wanted == access::write && (array->flags & NPY_ARRAY_WRITEABLE) == 0) {
    raise(errc::unreachable_memory, name, " is read-only: pass a copy");
  }
  remember(name, object_);
  bind(name, {array->data, array->nd, array->dimensions, is_row_major_ ? nullptr : array->strides});
  return true;
}

void operand::remember(const operand_name& name, nb::handle array) {
  const PyArrayObject_fields& fields = fields_of(array);
  array_ = array;
  descr_ = nb::borrow(as_object(fields.descr));
  is_row_major_ = (fields.flags & NPY_ARRAY_C_CONTIGUOUS) != 0;
  owner_ = fields.base != nullptr ? owner_of(fields) : nb::handle();
  if (!owner_.is_valid()) return;
  if (!is_within(fields, owner_)) raise(errc::null_data, name, " is a view of an array that was resized");
  owned_ = fields_of(owner_).data;
  size_of_owned_ = size_of_array(owner_);
}

template <class Tensor>
bool operand::is_as_remembered(const Tensor& found, std::int64_t size) const {
  const PyArrayObject_fields& array = fields_of(array_);
  if (array.data != found.data() || array.nd != found.rank() || !descr_.is(as_object(array.descr))) return false;
  if (is_row_major_ && (array.flags & NPY_ARRAY_C_CONTIGUOUS) == 0) return false;
  for (int k = 0; k < array.nd; ++k) {
    if (array.dimensions[k] != found.extents()[k]) return false;
    const bool is_stride_used = !is_row_major_ && found.extents()[k] > 1;
    if (is_stride_used && array.strides[k] != found.strides()[k] * size) return false;
  }
  if (!owner_.is_valid()) return true;
  return owner_of(array).is(owner_) && fields_of(owner_).data == owned_ && size_of_array(owner_) == size_of_owned_;
}

void operand::require_unchanged() const {
  bool is_unchanged = true;
  if (array_.is_valid()) {
    is_unchanged = are_indices_ ? is_as_remembered(indices_, strew::dynamic::size_of(indices_.type()))
                                : is_as_remembered(tensor_, type_.size);
  } else if (from_ == source::torch && has_memory_) {
    const void* const data = are_indices_ ? indices_.data() : tensor_.data();
    is_unchanged = nb::cast<std::uintptr_t>(object_.attr("data_ptr")()) == reinterpret_cast<std::uintptr_t>(data);
  }
  if (!is_unchanged) raise(errc::null_data, name_, " was resized while another argument was converted");
}

bool operand::read_array_interface(const operand_name& name, access wanted) {
  // First what runs code of the object's class, which may change the memory. A subclass may say anything of itself.
  const bool is_array = is_numpy_array(object_);
  const nb::object dtype = is_array ? nb::borrow(as_object(fields_of(object_).descr)) : attribute(object_, "dtype");
  const nb::object has_objects = dtype.is_valid() ? attribute(dtype, "hasobject") : nb::object();
  const auto is_named_bfloat16 = [&] { return dtype.is_valid() && text_of(dtype) == "bfloat16"; };
  const bool is_brain_float = !is_array && is_named_bfloat16();
  const nb::object capsule = attribute(object_, "__array_struct__");
  if (!capsule.is_valid() || PyCapsule_CheckExact(capsule.ptr()) == 0) return false;
  const auto* const found = static_cast<const PyArrayInterface*>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (found == nullptr) PyErr_Clear();
  if (found == nullptr || found->two != 2 || found->nd < 0 || found->nd > NPY_MAXDIMS ||
      (found->nd > 0 && found->shape == nullptr)) {
    return false;
  }
  holder_ = capsule;  // a scalar of NumPy shows a copy that the capsule owns
  if (const nb::handle array = array_of(capsule); array.is_valid()) {
    remember(name, array);
    // An object may call them something else.
    const nb::object is_held = attribute(descr_, "hasobject");
    const bool is_hidden =
        is_held.is_valid() && is_held.is(Py_True) && !(has_objects.is_valid() && has_objects.is(Py_True));
    if (is_hidden) raise(errc::type_mismatch, name, " shows references as elements of another type");
  }
  if (found->typekind == 'O' || found->typekind == 'T' || (has_objects.is_valid() && has_objects.ptr() == Py_True)) {
    if (!is_array) {
      raise(errc::type_mismatch, name, " holds references, which arrays of NumPy alone may");
    }
    holds_objects_ = true;
  }
  const bool is_native = found->itemsize == 1 || (found->flags & NPY_ARRAY_NOTSWAPPED) != 0;
  type_ = number_type(is_native ? found->typekind : 'V', found->itemsize);
  if (type_.kind == element_kind::opaque) {
    if (found->itemsize == 2 && found->typekind == 'V' && is_native &&
        (is_array ? is_named_bfloat16() : is_brain_float)) {
      type_.kind = element_kind::brain_float;
    } else {
      identity_ = dtype.is_valid() ? dtype : text_identity("kind ", found->typekind);
    }
  }
  if (wanted == access::write && is_numpy_scalar(object_)) {
    raise(errc::unreachable_memory, name, " is a scalar, which cannot be written");
  }
  if (wanted == access::write && (found->flags & NPY_ARRAY_WRITEABLE) == 0 && !is_writable_structure(array_, *found)) {
    raise(errc::unreachable_memory, name, " is read-only: pass a copy");
  }
  bind(name, {found->data, found->nd, found->shape, found->strides});
  return true;
}

namespace {

void refuse_torch(const operand_name& name, nb::handle tensor) {
  const auto is_set = [&](const char* question, bool is_method) {
    const nb::object found = attribute(tensor, question);
    if (!found.is_valid()) return false;
    return nb::cast<bool>(is_method ? found() : found);
  };
  if (is_set("requires_grad", false)) {
    raise(errc::unreachable_memory, name, " requires grad, which would not be recorded: pass tensor.detach()");
  }
  if (is_set("is_conj", true) || is_set("is_neg", true)) {
    raise(errc::unreachable_memory, name,
          " stands for the conjugate or the negative of its memory: call resolve_conj() and resolve_neg()");
  }
}

}  // namespace

bool operand::read_dlpack(const operand_name& name, access wanted) {
  if (is_instance(object_, "jax.core", "Tracer")) {
    raise(errc::unreachable_memory, name, " is traced by JAX, and has no values: call outside of jit, grad and vmap");
  }
  const nb::object exporter = attribute(object_, "__dlpack__");
  if (!exporter.is_valid() || PyType_Check(object_.ptr()) != 0) return false;
  from_ = source::dlpack;
  if (is_instance(object_, "torch", "Tensor")) {
    from_ = source::torch;
    refuse_torch(name, object_);
  } else if (is_instance(object_, "jax", "Array")) {
    from_ = source::jax;
    if (wanted == access::write) {
      raise(
          errc::unreachable_memory, name,
          " is an array of JAX, which are immutable: without out, and without the underscore, the result is a new one");
    }
  }
  nb::object capsule;
  try {
    try {
      capsule = exporter(nb::arg("max_version") = nb::make_tuple(1, 0));
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      capsule = exporter();  // DLPack before 1.0
    }
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // interrupts and the like are not about this operand
    if (from_ == source::torch) {
      const std::string wrong = ask_plain("what_is_wrong_with_tensor", object_);
      if (!wrong.empty()) raise(errc::type_mismatch, name, " " + wrong);
    }
    raise(errc::unreachable_memory, name,
          " does not give its memory by DLPack: " + first_line_of(text_of(error.value())));
  }
  holder_ = capsule;  // whose destructor calls the deleter
  const auto* const versioned =
      PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0
          ? static_cast<const dlpack_versioned*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"))
          : nullptr;
  const auto* const unversioned =
      versioned == nullptr && PyCapsule_IsValid(capsule.ptr(), "dltensor") != 0
          ? static_cast<const dlpack_managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"))
          : nullptr;
  if (versioned == nullptr && unversioned == nullptr) {
    raise(errc::type_mismatch, name, " is " + kind_of(object_) + " whose __dlpack__ returns no tensor");
  }
  if (wanted == access::write && versioned == nullptr) {
    raise(errc::unreachable_memory, name,
          " is " + kind_of(object_) + ", whose DLPack does not say whether it may be written");
  }
  constexpr std::uint64_t read_only_flag = 1;
  if (wanted == access::write && (versioned->flags & read_only_flag) != 0) {
    raise(errc::unreachable_memory, name, " is read-only");
  }
  constexpr std::uint64_t copied_flag = 2;
  if (wanted == access::write && (versioned->flags & copied_flag) != 0) {
    raise(errc::unreachable_memory, name, " gives a copy of its memory by DLPack");
  }
  strew::dynamic::const_tensor seen;
  strew::status outcome = versioned != nullptr ? strew::dynamic::try_as_const_tensor(*versioned, seen)
                                               : strew::dynamic::try_as_const_tensor(*unversioned, seen);
  if (!outcome.ok()) {
    raise(outcome.code(), name, std::string(" cannot be seen as a tensor: ") + outcome.message().c_str());
  }
  type_ = seen.type();
  // Whether they may be written was checked. A tensor before is one again.
  void* const data = const_cast<void*>(seen.data());
  if (are_indices_) {
    outcome = strew::dynamic::index_tensor::try_make(data, require_index_type(name), seen.extents(), seen.strides(),
                                                     indices_);
  } else {
    outcome = strew::dynamic::tensor::try_make(data, type_, seen.extents(), seen.strides(), tensor_);
  }
  if (!outcome.ok()) raise(outcome);
  if (type_.kind == element_kind::opaque) {
    const dlpack_type& dtype = versioned != nullptr ? versioned->dl_tensor.dtype : unversioned->dl_tensor.dtype;
    // That of JAX is NumPy's, which a new array for the result has, too.
    identity_ = from_ == source::jax ? attribute(object_, "dtype") : nb::object();
    if (!identity_.is_valid()) identity_ = text_identity("DLPack's type ", dtype.code);
  }
  return true;
}

bool operand::read_buffer(const operand_name& name, access wanted) {
  if (PyObject_CheckBuffer(object_.ptr()) == 0) return false;
  from_ = source::buffer;
  if (PyObject_GetBuffer(object_.ptr(), &buffer_.view, wanted == access::write ? PyBUF_RECORDS : PyBUF_RECORDS_RO) !=
      0) {
    buffer_.view.obj = nullptr;
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
    raise(errc::unreachable_memory, name, " does not give its memory: " + take_exception());
  }
  const Py_buffer& view = buffer_.view;
  type_ = type_of_format(view.format, view.itemsize);
  if (type_.kind == element_kind::opaque) {
    const std::string format = view.format;
    if (type_.size == 0) {
      raise(errc::type_mismatch, name,
            " has elements of " + std::to_string(view.itemsize) + " bytes and format " + format +
                ", expected plain ones");
    }
    if (has_addresses(format)) {
      raise(errc::type_mismatch, name, " has elements of format " + format + ", expected plain elements");
    }
    identity_ = nb::str(format.c_str());
  }
  if (view.ndim > 0 && view.suboffsets != nullptr) {
    raise(errc::type_mismatch, name, " is an array of pointers (PEP 3118's suboffsets)");
  }
  bind(name, {view.buf, view.ndim, view.shape, view.strides});
  return true;
}

bool operand::read_layout() {
  layout* given = nullptr;
  if (!nb::try_cast<layout*>(object_, given) || given == nullptr) return false;
  type_ = given->type;
  identity_ = given->identity;
  from_ = given->from;
  holds_objects_ = given->holds_objects;
  has_memory_ = false;
  // An address that is never used; it was a tensor before.
  static std::byte nothing{};
  static_cast<void>(strew::dynamic::tensor::try_make(&nothing, type_, given->extents, given->strides, tensor_));
  return true;
}

layout::layout(const operand& of, bool is_row_major)
    : type{of.type()},
      identity{nb::borrow(of.identity())},
      extents{of.elements().extents()},
      strides{of.elements().strides()},
      from{of.from()},
      holds_objects{of.holds_objects()} {
  if (is_row_major) set_row_major();
}

void layout::set_row_major() {
  strides = extents;
  std::int64_t stride = 1;
  for (int k = extents.size() - 1; k >= 0; --k) {
    strides[k] = stride;
    stride *= extents[k];
  }
}

void operand::note_write() const {
  if (from_ != source::torch) return;
  // As torch's own functions do, so that autograd notices that a value it has kept was changed.
  nb::module_::import_("torch.autograd.graph").attr("increment_version")(object_);
}

std::string operand::name_of_type() const {
  if (identity_.is_valid()) return text_of(identity_);
  switch (type_.kind) {
    case element_kind::boolean:
      return "bool";
    case element_kind::signed_integer:
      return bits_of("int", type_.size);
    case element_kind::unsigned_integer:
      return bits_of("uint", type_.size);
    case element_kind::floating_point:
      return bits_of("float", type_.size);
    case element_kind::brain_float:
      return "bfloat16";
    case element_kind::complex:
      return bits_of("complex", type_.size);
    default:
      return std::to_string(type_.size) + " bytes";
  }
}

bool has_same_type(const operand& one, const operand& data) {
  if (one.type() != data.type() || one.identity().is_valid() != data.identity().is_valid()) return false;
  if (!one.identity().is_valid() || one.identity().is(data.identity())) return true;
  const int are_equal = PyObject_RichCompareBool(one.identity().ptr(), data.identity().ptr(), Py_EQ);
  if (are_equal < 0) throw nb::python_error();
  return are_equal > 0;
}

void require_same_type(const operand_name& name, const operand& one, const operand& data, conversion how) {
  if (has_same_type(one, data)) return;
  const bool are_numbers = !one.identity().is_valid() && !data.identity().is_valid();
  const bool is_converted =
      how != conversion::never && are_numbers && strew::detail::find_conversion(data.type(), one.type()) != nullptr;
  if (is_converted && how == conversion::wanted) return;
  const std::string wanted = data.name_of_type();
  std::string remedy;
  const bool is_number = strew::dynamic::detail::is_number(data.type()) && !data.identity().is_valid();
  if (is_number && std::string_view(name.operand) != "out") {
    const bool has_name = data.type().kind != element_kind::brain_float;  // in NumPy
    if (one.from() == source::numpy && has_name) {
      remedy = std::string(": pass ") + name.operand + ".astype('" + wanted + "')";
    }
    if (one.from() == source::torch) remedy = std::string(": pass ") + name.operand + ".to(torch." + wanted + ")";
    const bool is_cut = one.type().kind == element_kind::floating_point && digits_of(data.type()) == 0;
    if (is_converted) {
      remedy += remedy.empty() ? ": pass cast=True" : " or cast=True";
    } else if (is_cut && !remedy.empty()) {
      remedy += ", which drops fractions, or data of another type";
    }
  }
  const std::string expected = how == conversion::wanted ? ", which cast=True does not make " + wanted
                                                         : ", expected " + wanted + " as data does";
  raise(errc::type_mismatch, name, " holds " + one.name_of_type() + expected + remedy);
}

// ---- Indices

namespace {

// An integer of Python or NumPy, but no bool.
bool is_integer(nb::handle object) {
  return PyBool_Check(object.ptr()) == 0 && PyIndex_Check(object.ptr()) != 0;
}

// An integer that is no array: arrays of any rank have __index__, too.
bool is_plain_integer(nb::handle object) {
  if (PyLong_Check(object.ptr()) != 0) return PyBool_Check(object.ptr()) == 0;
  if (PyIndex_Check(object.ptr()) == 0 || Py_TYPE(object.ptr()) == types_of_numpy().array) return false;
  return !attribute(object, "__array_struct__").is_valid() && !attribute(object, "__dlpack__").is_valid();
}

// An entry of a list: the k-th of that with the coordinate `at`; without a list, of rank 0.
std::int64_t index_of(const operand_name& name, nb::handle object, const strew::index_list& at,
                      std::optional<std::int64_t> k, large_integers& large) {
  bool is_large = false;
  if (PyLong_CheckExact(object.ptr()) != 0) {
    const std::int64_t exact = nearest_integer(object, is_large);
    if (!is_large) return exact;
  }
  if (PyLong_CheckExact(object.ptr()) == 0) refuse_meaning(name, object);
  nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number.is_valid()) {
    // Arrays of several elements have __index__, too.
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 || !is_numpy_array(object)) throw nb::python_error();
    PyErr_Clear();
    raise(errc::type_mismatch, name, " holds " + kind_of(object) + ", expected integers");
  }
  const std::int64_t nearest = nearest_integer(number, is_large);
  if (is_large) {
    strew::index_list coordinate = at;
    if (k) coordinate.push_back(*k);
    large.push_back({name.operand, coordinate, " = ", nearest, std::move(number)});
  }
  return nearest;
}

// Ends what Py_EnterRecursiveCall began.
struct nested_call {
  nested_call() = default;
  nested_call(const nested_call&) = delete;
  nested_call& operator=(const nested_call&) = delete;
  ~nested_call() { Py_LeaveRecursiveCall(); }
};

// Visits nested lists. Their lengths must be those of `extents`; the first of each depth sets them. `at` are the
// numbers of the lists around this one.
template <class Leaf>
void visit_list(const operand_name& name, nb::handle list, const strew::index_list& at, strew::index_list& extents,
                bool& has_leaves, const Leaf& leaf) {
  const int depth = at.size();
  if (depth >= strew::max_rank) {
    raise(errc::too_many_axes, name, " is a list of more than " + std::to_string(strew::max_rank) + " levels");
  }
  if (PyErr_CheckSignals() != 0 || Py_EnterRecursiveCall(" in a list of lists") != 0) throw nb::python_error();
  const nested_call counted;
  // A copy, since code of an entry could change the list.
  const nb::object entries = nb::steal(PySequence_Tuple(list.ptr()));
  if (!entries.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PyTuple_Size(entries.ptr());
  if (depth == extents.size() && !has_leaves) {
    extents.push_back(count);
  } else if (depth >= extents.size() || extents[depth] != count) {
    raise(errc::extent_mismatch, name, " is a list of lists of different lengths");
  }
  for (Py_ssize_t k = 0; k < count; ++k) {
    const nb::handle entry = PyTuple_GetItem(entries.ptr(), k);
    if (is_list(entry)) {
      strew::index_list coordinate = at;
      coordinate.push_back(k);
      visit_list(name, entry, coordinate, extents, has_leaves, leaf);
    } else {
      leaf(entry, at, k);
      if (depth + 1 != extents.size()) raise(errc::extent_mismatch, name, " is a list of numbers and lists");
      has_leaves = true;
    }
  }
}

// A range of integers of 64 bits, without an object for each.
bool append_range(const operand_name& name, nb::handle object, std::vector<std::int64_t>& to) {
  if (PyRange_Check(object.ptr()) == 0) return false;
  bool is_large[3] = {};
  const auto start = static_cast<std::uint64_t>(nearest_integer(object.attr("start"), is_large[0]));
  const auto step = static_cast<std::uint64_t>(nearest_integer(object.attr("step"), is_large[1]));
  static_cast<void>(nearest_integer(object.attr("stop"), is_large[2]));
  const Py_ssize_t count = PyObject_Size(object.ptr());
  if (count < 0) PyErr_Clear();  // it is too long to be counted
  if (count < 0 || is_large[0] || is_large[1] || is_large[2]) return false;
  const std::size_t bytes = bytes_of(name, count, sizeof(std::int64_t));
  constexpr std::size_t large = std::size_t{1} << 30;
  if (bytes > large) static_cast<void>(allocate(bytes));  // MemoryError, where there is not so much
  to.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k) {
    to.push_back(static_cast<std::int64_t>(start + k * step));  // modulo 2^64: all of them are of 64 bits
  }
  return true;
}

}  // namespace

layout::layout(const operand_name& name, nb::handle list, const layout& data) : layout(data) {
  extents = {};
  bool has_leaves = false;
  visit_list(name, list, {}, extents, has_leaves, [](nb::handle, const strew::index_list&, std::int64_t) {});
  set_row_major();
  from = source::buffer;
}

index_operand::index_operand(const operand_name& name, nb::handle object, bindings wanted, bool takes_segments) {
  if (Py_TYPE(object.ptr()) == types_of_numpy().array) {  // the most frequent
    array_.emplace(name, object, access::read_indices);
    return;
  }
  if (wanted == bindings::taken && nb::try_cast<binding*>(object, bound_) && bound_ != nullptr) {
    if (bound_->tensors().size() != 1) {
      raise(errc::rank_mismatch, name, " was bound with several tensors of indices");
    }
    tensor_ = bound_->tensors()[0];
    are_segments_ = bound_->are_segments();
    if (const index_operand* const list = bound_->list_with_large(0)) copy_list(*list);
  }
  segments_argument* segments = nullptr;
  if (bound_ == nullptr) are_segments_ = nb::try_cast<segments_argument*>(object, segments) && segments != nullptr;
  if (are_segments_ && !takes_segments) {
    raise(errc::type_mismatch, name, " is segments, which index_add, index_copy, index_reduce and scatter_update take");
  }
  if (bound_ != nullptr) return;
  read(are_segments_ ? operand_name{name.operation, "offsets"} : name, are_segments_ ? segments->offsets : object);
}

void index_operand::read(const operand_name& name, nb::handle object) {
  if (is_list(object) || PyLong_Check(object.ptr()) != 0 || is_plain_integer(object)) {
    strew::index_list extents;
    bool has_leaves = false;
    const nb::handle only = PyTuple_Check(object.ptr()) != 0 && PyTuple_Size(object.ptr()) == 1
                                ? nb::handle(PyTuple_GetItem(object.ptr(), 0))
                                : nb::handle();
    if (only.is_valid() && is_numpy_array(only) && fields_of(only).nd > 0) {  // as numpy.nonzero gives it
      raise(errc::type_mismatch, name,
            std::string(" is a tuple of an array, expected the array: pass ") + name.operand + "[0]");
    }
    if (append_range(name, object, integers_)) {
      extents.push_back(static_cast<std::int64_t>(integers_.size()));
    } else if (is_list(object)) {
      visit_list(name, object, {}, extents, has_leaves,
                 [&](nb::handle entry, const strew::index_list& at, std::int64_t k) {
                   if (!is_integer(entry)) {
                     refuse_meaning(name, entry);
                     raise(errc::type_mismatch, name, " holds " + kind_of(entry) + ", expected integers");
                   }
                   integers_.push_back(index_of(name, entry, at, k, large_));
                 });
    } else if (is_integer(object)) {
      integers_.push_back(index_of(name, object, {}, std::nullopt, large_));
    } else {
      raise(errc::type_mismatch, name, " is a bool, expected integers");
    }
    strew::detail::raise_if_error(
        strew::dynamic::index_tensor::try_make(integers_.data(), strew::index_type::int64, extents, tensor_));
    return;
  }
  array_.emplace(name, object, access::read_indices);
}

index_operand::index_operand(const index_operand& list) {
  copy_list(list);
}

void index_operand::copy_list(const index_operand& list) {
  integers_ = list.integers_;
  large_ = list.large_;
  tensor_ = strew::dynamic::index_tensor(integers_.data(), strew::index_type::int64, list.extents());
}

void index_operand::put_modulo(const large_integer& large, std::int64_t extent) {
  if (extent < 1) return;  // an error
  const nb::object rest = nb::steal(PyNumber_Remainder(large.value.ptr(), nb::int_(extent).ptr()));
  if (!rest.is_valid()) throw nb::python_error();
  std::int64_t position = 0;
  for (int k = 0; k < large.coordinate.size(); ++k) position = position * extents()[k] + large.coordinate[k];
  integers_[static_cast<std::size_t>(position)] = nb::cast<std::int64_t>(rest);
}

void index_operand::require_unchanged() const {
  if (array_) array_->require_unchanged();
  if (bound_ != nullptr) bound_->require_unchanged();
}

// ---- Values

bool is_number(nb::handle object) {
  if (Py_TYPE(object.ptr()) == types_of_numpy().array) return false;
  return PyFloat_Check(object.ptr()) != 0 || PyLong_Check(object.ptr()) != 0 || PyComplex_Check(object.ptr()) != 0 ||
         is_numpy_scalar(object);
}

nb::object one_value_of(const operand_name& name, nb::handle object) {
  if (is_number(object)) return nb::borrow(object);
  if (is_numpy_array(object)) {
    // Scalars of other types are shorter, as those of strings, or have another meaning.
    const int number = fields_of(object).descr->type_num;
    if (fields_of(object).nd != 0 || number < 0 || number > NPY_HALF || kinds_by_number[number] == ' ') return {};
    refuse_meaning(name, object);
    nb::object element = nb::steal(PyObject_GetItem(object.ptr(), nb::make_tuple().ptr()));
    if (!element.is_valid()) throw nb::python_error();
    return element;
  }
  const bool is_torch = is_instance(object, "torch", "Tensor");
  if (!is_torch && !is_instance(object, "jax", "Array")) return {};
  const nb::object rank = attribute(object, "ndim");
  if (!rank.is_valid() || !rank.equal(nb::int_(0))) return {};
  if (is_torch) refuse_torch(name, object);
  return is_torch ? object.attr("item")() : nb::module_::import_("numpy").attr("asarray")(object)[nb::make_tuple()];
}

listed_elements::listed_elements(const strew::detail::call_form& form, const operand_name& name, nb::handle list,
                                 const operand& data)
    : type_{data.type()} {
  bool has_leaves = false;
  visit_list(name, list, {}, extents_, has_leaves, [&](nb::handle entry, const strew::index_list& at, std::int64_t k) {
    const nb::object value = one_value_of(name, entry);
    if (!value.is_valid()) {
      refuse_meaning(name, entry);
      raise(errc::type_mismatch, name,
            " holds " + kind_of(entry) + ", expected " +
                (data.identity().is_valid() ? "scalars of data's type" : "numbers"));
    }
    try {
      const value_operand one(form, name, value, data);
      const auto* const bytes = static_cast<const std::byte*>(one.element());
      bytes_.insert(bytes_.end(), bytes, bytes + type_.size);
    } catch (call_error& error) {
      if (!error.coordinate.empty()) throw;
      error.coordinate = at;
      error.coordinate.push_back(k);
      std::string shown;
      for (const std::int64_t number : error.coordinate) {
        shown += (shown.empty() ? "[" : ", ") + std::to_string(number);
      }
      error.text.insert(0, shown + "]");
      throw;
    }
  });
}

listed_elements::listed_elements(const operand_name& name, nb::handle list) : type_{element_kind::boolean, 1} {
  bool has_leaves = false;
  visit_list(name, list, {}, extents_, has_leaves, [&](nb::handle entry, const strew::index_list&, std::int64_t) {
    if (PyBool_Check(entry.ptr()) == 0 && !is_numpy_bool(entry)) {
      raise(errc::type_mismatch, name, " holds " + kind_of(entry) + ", expected bools");
    }
    bytes_.push_back(static_cast<std::byte>(PyObject_IsTrue(entry.ptr())));
  });
}

strew::dynamic::const_tensor listed_elements::elements() const {
  strew::dynamic::const_tensor result;
  const strew::status outcome = strew::dynamic::const_tensor::try_make(bytes_.data(), type_, extents_, result);
  if (!outcome.ok()) raise(outcome);
  return result;
}

namespace {

template <class Value>
void make_number(const strew::detail::call_form& form, const operand_name& name, const element_type& type,
                 const Value& value, std::byte* to) {
  strew::status error;
  if (!strew::dynamic::detail::make_element(form, type, value, to, error)) raise(error, name);
}

template <class T>
void store_complex(const std::complex<double>& value, std::byte* to) {
  const std::complex<T> converted{static_cast<T>(value.real()), static_cast<T>(value.imag())};
  std::memcpy(to, &converted, sizeof(converted));
}

void make_complex(const operand_name& name, const element_type& type, const std::complex<double>& value,
                  std::byte* to) {
  if (type.kind == element_kind::complex && type.size == 8) {
    // From here on numbers are rounded beyond the largest.
    constexpr double end = 0x1.ffffffp127;
    const auto fits = [](double part) { return !(std::isfinite(part) && std::abs(part) >= end); };
    if (!fits(value.real()) || !fits(value.imag())) {
      raise(errc::value_out_of_range, name, " is a value beyond the range of the elements of data");
    }
    return store_complex<float>(value, to);
  }
  if (type.kind == element_kind::complex && type.size == 16) return store_complex<double>(value, to);
  raise(errc::type_mismatch, name, " is a complex value, but the elements of data are not complex");
}

// An integer beyond 64 bits, rounded to nearest, ties to even, to at most 113 digits; infinity if no long double is as
// large.
long double rounded_integer(nb::handle integer, int digits) {
  const nb::object magnitude = nb::steal(PyNumber_Absolute(integer.ptr()));
  const auto bits = nb::cast<std::int64_t>(magnitude.attr("bit_length")());
  if (bits > std::numeric_limits<long double>::max_exponent) return std::numeric_limits<long double>::infinity();
  const nb::int_ below(bits - digits);
  nb::object kept = magnitude >> below;
  const nb::object twice_rest = (magnitude - (kept << below)) << nb::int_(1);
  const nb::object unit = nb::int_(1) << below;
  const bool is_odd = (kept & nb::int_(1)).equal(nb::int_(1));
  if (twice_rest > unit || (is_odd && twice_rest.equal(unit))) kept = kept + nb::int_(1);
  const auto high = nb::cast<std::uint64_t>(kept >> nb::int_(64));
  const auto low = nb::cast<std::uint64_t>(kept & nb::int_((std::numeric_limits<std::uint64_t>::max)()));
  const long double whole = std::ldexp(static_cast<long double>(high), 64) + static_cast<long double>(low);
  const long double result = std::ldexp(whole, static_cast<int>(bits - digits));
  return integer < nb::int_(0) ? -result : result;
}

// An integer that int64 or uint64 holds is exact; larger ones are floating-point numbers where data has these.
void make_integer(const strew::detail::call_form& form, const operand_name& name, const element_type& type,
                  nb::handle value, std::byte* to) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return make_number(form, name, type, static_cast<std::int64_t>(number), to);
  if (overflow > 0) {
    const unsigned long long large = PyLong_AsUnsignedLongLong(value.ptr());
    if (PyErr_Occurred() == nullptr) return make_number(form, name, type, static_cast<std::uint64_t>(large), to);
    PyErr_Clear();
  }
  const bool is_whole = type.kind == element_kind::signed_integer || type.kind == element_kind::unsigned_integer ||
                        type.kind == element_kind::boolean;
  const int digits = digits_of(type);
  if (!is_whole && digits == 0) return make_number(form, name, type, 0.0, to);  // an error
  const long double rounded = is_whole ? 0 : rounded_integer(value, digits);
  const bool is_long = type.size == 16 && type.kind == element_kind::floating_point;
  if (is_whole || std::isinf(is_long ? rounded : static_cast<double>(rounded))) {
    raise(errc::value_out_of_range, name, " = " + text_of(value) + " is outside the range of the elements of data");
  }
  if (is_long) {
    std::memcpy(to, &rounded, sizeof(rounded));
  } else {
    make_number(form, name, type, static_cast<double>(rounded), to);
  }
}

// A long double as a double that is rounded to `digits` as the long double is: with 53 digits the nearest, else one of
// the two around it whose last digit is odd. Infinite where it is beyond the largest double.
double as_double(long double value, int digits) {
  auto near = static_cast<double>(value);
  if (digits >= 53 || !std::isfinite(near) || static_cast<long double>(near) == value) return near;
  if (std::abs(static_cast<long double>(near)) > std::abs(value)) near = std::nextafter(near, 0.0);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(near) | 1U);
}

}  // namespace

value_operand::value_operand(const strew::detail::call_form& form, const operand_name& name, nb::handle value,
                             const operand& data)
    : type_{data.type()} {
  if (is_numpy_scalar(value)) {
    if (!data.identity().is_valid()) {
      if (const nb::object number = exact_number(value); number.is_valid()) {
        convert(form, name, number);
        return;
      }
    }
    operand scalar(name, value, access::read);
    const bool is_equal = scalar.type() == type_ && scalar.identity().is_valid() == data.identity().is_valid();
    if (is_equal || data.identity().is_valid() || scalar.identity().is_valid()) {
      scalar_.emplace(name, value, access::read);
      require_same_type(name, *scalar_, data);
      if (scalar_->elements().size() != 1) raise(errc::type_mismatch, name, " is no scalar");
      return;
    }
    // item() of long doubles is one of them.
    const element_type& given = scalar.type();
    const bool is_complex = given.kind == element_kind::complex;
    if ((given.kind == element_kind::floating_point || is_complex) &&
        given.size == static_cast<std::int64_t>((is_complex ? 2 : 1) * sizeof(long double)) &&
        sizeof(long double) > 8) {
      long double parts[2] = {};
      std::memcpy(parts, scalar.elements().data(), static_cast<std::size_t>(given.size));
      const double real = rounded(name, value, parts[0]);
      if (is_complex) {
        make_complex(name, type_, {real, rounded(name, value, parts[1])}, number_);
      } else {
        make_number(form, name, type_, real, number_);
      }
      return;
    }
    const nb::object number = value.attr("item")();
    convert(form, name, is_numpy_scalar(number) ? number.attr(is_complex ? "__complex__" : "__float__")() : number);
    return;
  }
  convert(form, name, value);
}

double value_operand::rounded(const operand_name& name, nb::handle value, long double number) const {
  const double result = as_double(number, digits_of(type_));
  if (std::isinf(result) && !std::isinf(number)) {
    raise(errc::value_out_of_range, name, " = " + text_of(value) + " is outside the range of the elements of data");
  }
  return result;
}

void value_operand::convert(const strew::detail::call_form& form, const operand_name& name, nb::handle value) {
  const PyTypeObject* const type = Py_TYPE(value.ptr());
  if (type != &PyFloat_Type && type != &PyLong_Type && type != &PyBool_Type) refuse_meaning(name, value);
  if (PyBool_Check(value.ptr()) != 0) return make_number(form, name, type_, value.ptr() == Py_True, number_);
  if (PyLong_Check(value.ptr()) != 0) return make_integer(form, name, type_, value, number_);
  if (PyComplex_Check(value.ptr()) != 0) {
    const std::complex<double> number{PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr())};
    return make_complex(name, type_, number, number_);
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  make_number(form, name, type_, number, number_);
}

strew::dynamic::const_tensor repeated(const void* element, const element_type& type, const strew::index_list& extents) {
  strew::index_list strides = extents;
  for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
  strew::dynamic::const_tensor result;
  const strew::status outcome = strew::dynamic::const_tensor::try_make(element, type, extents, strides, result);
  if (!outcome.ok()) raise(outcome);
  return result;
}

// ---- Axes and lists

std::int64_t integer_of(const operand_name& name, nb::handle object, large_integers* large, std::int64_t position) {
  bool is_large = false;
  if (PyLong_CheckExact(object.ptr()) != 0) {
    const std::int64_t exact = nearest_integer(object, is_large);
    if (!is_large) return exact;
  }
  if (PyIndex_Check(object.ptr()) != 0 && PyLong_CheckExact(object.ptr()) == 0) refuse_meaning(name, object);
  nb::object number = nb::steal(is_integer(object) ? PyNumber_Index(object.ptr()) : nullptr);
  if (!number.is_valid()) {
    // An array of several elements has __index__, too, but raises TypeError.
    if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();
    refuse_meaning(name, object);
    raise(errc::type_mismatch, name, " is " + kind_of(object) + ", expected an integer");
  }
  const std::int64_t nearest = nearest_integer(number, is_large);  // no axis and no slice lies beyond
  if (is_large && large != nullptr) {
    const strew::index_list coordinate = position < 0 ? strew::index_list() : strew::index_list{position};
    large->push_back({name.operand, coordinate, " = ", nearest, std::move(number)});
  }
  return nearest;
}

namespace {

template <class Body>
void with_index_type(strew::index_type type, Body&& body) {
  switch (type) {
    case strew::index_type::int8:
      return body.template operator()<std::int8_t>();
    case strew::index_type::int16:
      return body.template operator()<std::int16_t>();
    case strew::index_type::int32:
      return body.template operator()<std::int32_t>();
    case strew::index_type::int64:
      return body.template operator()<std::int64_t>();
    case strew::index_type::uint8:
      return body.template operator()<std::uint8_t>();
    case strew::index_type::uint16:
      return body.template operator()<std::uint16_t>();
    case strew::index_type::uint32:
      return body.template operator()<std::uint32_t>();
    case strew::index_type::uint64:
      return body.template operator()<std::uint64_t>();
  }
}

}  // namespace

template <class List>
List list_of(const operand_name& name, nb::handle object, large_integers& large) {
  if (PyLong_CheckExact(object.ptr()) != 0) return List(strew::index_list(integer_of(name, object, &large, 0)));
  if (is_list(object)) {
    strew::index_list list;
    const nb::object entries = nb::steal(PySequence_Tuple(object.ptr()));
    if (!entries.is_valid()) throw nb::python_error();
    const Py_ssize_t count = PyTuple_Size(entries.ptr());
    for (Py_ssize_t k = 0; k < count; ++k) {
      list.push_back(integer_of(name, PyTuple_GetItem(entries.ptr(), k), &large, k));
    }
    return List(list);
  }
  const bool is_array = attribute(object, "__array_struct__").is_valid() ||
                        attribute(object, "__dlpack__").is_valid() || PyObject_CheckBuffer(object.ptr()) != 0;
  if (!is_array) return List(strew::index_list(integer_of(name, object, &large, 0)));
  // In its own integer type, which has a meaning for stops.
  const index_operand array(name, object);
  const strew::dynamic::index_tensor& given = array.indices();
  if (given.rank() > 1) {
    raise(errc::rank_mismatch, name, " has rank " + std::to_string(given.rank()) + ", expected an integer or a list");
  }
  List list;
  with_index_type(given.type(), [&]<class Index>() {
    // One more than fits, so that too long a list is noticed where all lists are checked.
    std::array<Index, strew::max_rank + 1> values{};
    const auto count = std::min(static_cast<std::size_t>(given.size()), values.size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t step = given.rank() == 0 ? 0 : given.strides()[0];
      std::memcpy(&values[k], static_cast<const Index*>(given.data()) + static_cast<std::int64_t>(k) * step,
                  sizeof(Index));
    }
    list = List(std::span<const Index>(values.data(), count));
  });
  return list;
}
template strew::index_list list_of(const operand_name&, nb::handle, large_integers&);
template strew::optional_list list_of(const operand_name&, nb::handle, large_integers&);
template strew::stop_list list_of(const operand_name&, nb::handle, large_integers&);
template strew::axes_list list_of(const operand_name&, nb::handle, large_integers&);

}  // namespace strew_python
