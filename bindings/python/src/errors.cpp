// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <string_view>

namespace strew_python {

namespace {

// The names of errc's values, in their order: `.code` of an exception.
constexpr const char* code_names[] = {"ok",
                                      "too_many_axes",
                                      "negative_extent",
                                      "size_overflow",
                                      "null_data",
                                      "rank_mismatch",
                                      "extent_mismatch",
                                      "count_mismatch",
                                      "axis_out_of_range",
                                      "repeated_axis",
                                      "zero_step",
                                      "index_out_of_bounds",
                                      "repeated_element",
                                      "overlap",
                                      "type_mismatch",
                                      "misaligned_stride",
                                      "too_little_memory",
                                      "too_few_elements",
                                      "unsupported_reduction",
                                      "unreachable_memory",
                                      "value_out_of_range"};
static_assert(std::size(code_names) == static_cast<std::size_t>(strew::errc::value_out_of_range) + 1);

const char* class_of(strew::errc code) {
  switch (code) {
    case strew::errc::index_out_of_bounds:
      return "OutOfBoundsError";
    case strew::errc::axis_out_of_range:
      return "AxisError";
    case strew::errc::type_mismatch:
      return "OperandTypeError";
    default:
      return "OperandValueError";
  }
}

// What a status says after its operation and operand.
std::string rest_of(const strew::status& error) {
  const std::string message = error.message().c_str();
  return message.substr(std::strlen(error.operation()) + std::strlen(": ") + std::strlen(error.operand()));
}

}  // namespace

void raise(const strew::status& error) {
  raise(error, {error.operation(), error.operand()});
}

void raise(const strew::status& error, const operand_name& name) {
  throw call_error{error.code(), name.operation, name.operand, rest_of(error), error.coordinate(), {}};
}

namespace {

// The digits of an integer, or how long it is, where Python does not write so many.
std::string text_of_integer(nb::handle integer) {
  const std::string digits = text_of(integer);
  return digits != "?" ? digits : "an integer of " + text_of(integer.attr("bit_length")()) + " bits";
}

// What takes a negative index that an operator without negative ones refuses: "i = -1 is outside [0, 2] ..".
std::string remedy_of(const strew::status& error, const std::string& message) {
  if (error.code() != strew::errc::index_out_of_bounds || std::strcmp(error.operand(), "indices") != 0) return {};
  long long index = 0;
  long long last = 0;
  const std::size_t at = message.find(" = -");
  const bool is_negative =
      at != std::string::npos && std::sscanf(message.c_str() + at, " = %lld is outside [0, %lld]", &index, &last) == 2;
  if (!is_negative || index < -last - 1) return {};
  return ": mode='wrap' takes indices modulo " + std::to_string(last + 1) + ", mode='drop' leaves them out";
}

}  // namespace

void raise(const strew::status& error, const operand_name& name, const large_integers& given) {
  std::string message = rest_of(error);
  for (const large_integer& each : given) {
    const std::string shown = each.before + std::to_string(each.nearest);
    const std::size_t at = message.find(shown);
    if (at == std::string::npos || std::strcmp(each.operand, error.operand()) != 0 ||
        (!error.coordinate().empty() && !(error.coordinate() == each.coordinate))) {
      continue;
    }
    message.replace(at, shown.size(), each.before + text_of_integer(each.value));
    break;
  }
  throw call_error{error.code(), name.operation, name.operand, message, error.coordinate(), remedy_of(error, message)};
}

std::int64_t nearest_integer(nb::handle integer, bool& is_large) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  is_large = overflow != 0;
  if (!is_large) return value;
  return overflow > 0 ? (std::numeric_limits<std::int64_t>::max)() : (std::numeric_limits<std::int64_t>::min)();
}

void raise(strew::errc code, const operand_name& name, const std::string& text, const std::string& remedy) {
  throw call_error{code, name.operation, name.operand, text, {}, remedy};
}

void set_exception(const call_error& error) {
  nb::list numbers;
  for (const auto number : error.coordinate) numbers.append(number);
  std::string message = error.operation + ": " + error.operand + error.text + error.remedy;
  // Strings and types of the caller may have any letters; a message is one line.
  for (char& letter : message) letter = static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  const nb::object made = nb::module_::import_("strew._errors")
                              .attr(class_of(error.code))(message, code_names[static_cast<std::size_t>(error.code)],
                                                          error.operation, error.operand, nb::tuple(numbers));
  if (error.loses_meaning) made.attr("loses_meaning") = true;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const call_error& error) {
      set_exception(error);
    }
  });
}

std::string text_of(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  if (!text.is_valid()) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();  // an interrupt
    PyErr_Clear();
    return "?";
  }
  // A string may hold surrogates, which UTF-8 does not have.
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

std::string type_name_of(nb::handle object) {
  const nb::object name = nb::steal(PyType_GetName(Py_TYPE(object.ptr())));
  if (!name.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return text_of(name);
}

std::string kind_of(nb::handle object) {
  if (object.is_none()) return "None";
  const std::string name = type_name_of(object);
  const bool is_vowel = !name.empty() && std::string_view("aeioAEIO").find(name.front()) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + name;
}

}  // namespace strew_python
