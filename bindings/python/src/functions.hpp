// SPDX-License-Identifier: Apache-2.0
// The operators as functions of Python: the arguments that they take, by position and by name, what they say of others,
// and errors in the names that the caller uses.
#ifndef STREW_PYTHON_FUNCTIONS_HPP
#define STREW_PYTHON_FUNCTIONS_HPP

#include <nanobind/nanobind.h>

#include <cstddef>
#include <utility>

namespace strew_python {

namespace nb = nanobind;

// The keyword arguments that follow those of operators, in the order in which a function has them. Those that it does
// not take have their defaults.
struct call_options {
  nb::handle skipna;
  nb::handle return_positions;
  nb::handle out;
  nb::handle threads;
  nb::handle mode;
  nb::handle cast;

  static call_options of(const nb::handle* given) {
    return {given[0], given[1], given[2], given[3], given[4], given[5]};
  }
};
// Those that not all operators take. A new one is a member of both, a row of all_common in functions.cpp, and a bit in
// the rows of the operators that take it.
enum common_argument : unsigned { no_others = 0, with_skipna = 1, with_positions = 2, with_mode = 4, with_cast = 8 };
// Whether there is a function with an underscore after its name that writes to data.
enum class in_place_form { no, yes };

// An operator as its function is made of it.
struct function_text {
  const char* module;  // "", or that of a version or of ONNX
  const char* name;
  const char* parameters;  // with types and defaults, as a stub has them; without the common ones
  unsigned common;         // of common_argument
  nb::object (*run)(const nb::handle* arguments);  // all of them, in this order, then all of call_options
  const char* document;
  in_place_form form = in_place_form::no;
};

// Function(options, argument, ..) as function_text::run.
template <auto Function>
nb::object with_arguments(const nb::handle* arguments) {
  return [arguments]<class... Handles>(nb::object (*function)(const call_options&, Handles...)) {
    const call_options options = call_options::of(arguments + sizeof...(Handles));
    return [&]<std::size_t... Number>(std::index_sequence<Number...>) {
      return function(options, arguments[Number]...);
    }
    (std::index_sequence_for<Handles...>());
  }(Function);
}

// What the interpreter calls: the function with a number, which is twice that of its text, and one more for the form in
// place.
using c_function = PyObject* (*)(PyObject* module, PyObject* const* given, Py_ssize_t count, PyObject* names);
inline constexpr std::size_t most_functions = 64;
PyObject* call_function(std::size_t number, PyObject* const* given, Py_ssize_t count, PyObject* names) noexcept;
template <std::size_t Number>
PyObject* call_by_interpreter(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) noexcept {
  return call_function(Number, given, count, names);
}

// Defines in the module and its submodules the functions of each text, and what the package asks of them:
// `signatures`, a dictionary of the lines of stubs, and `arguments_of`.
void define_functions(nb::module_& module, const function_text* texts, std::size_t count, const c_function* called);

template <std::size_t Count>
void define_functions(nb::module_& module, const function_text (&texts)[Count]) {
  static_assert(2 * Count <= most_functions);
  [&]<std::size_t... Number>(std::index_sequence<Number...>) {
    constexpr c_function called[] = {call_by_interpreter<Number>...};
    define_functions(module, texts, Count, called);
  }
  (std::make_index_sequence<2 * Count>());
}

}  // namespace strew_python

#endif  // STREW_PYTHON_FUNCTIONS_HPP
