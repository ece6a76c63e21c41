// SPDX-License-Identifier: Apache-2.0
// Errors of strew as exceptions of Python: subclasses of strew.Error, and of IndexError, TypeError or ValueError.
#ifndef STREW_PYTHON_ERRORS_HPP
#define STREW_PYTHON_ERRORS_HPP

#include <strew/status.hpp>
#include <strew/view/index_list.hpp>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

namespace strew_python {

namespace nb = nanobind;

// Which argument of which operator a message is about.
struct operand_name {
  const char* operation;
  const char* operand;
};

// What is wrong with a call, with the operands as the library names them. The message is "operation: operand" followed
// by the text and the remedy.
struct call_error {
  strew::errc code;
  std::string operation;
  std::string operand;
  std::string text;
  strew::index_list coordinate;
  std::string remedy;
  bool loses_meaning = false;  // of units, masks and missing values
};

// Sets it as the exception that the interpreter has in flight.
void set_exception(const call_error& error);
// Has nanobind do so for what it calls; functions of operators do it themselves.
void translate_errors();

// All throw call_error. The second names another operation and operand than the status does.
[[noreturn]] void raise(const strew::status& error);
[[noreturn]] void raise(const strew::status& error, const operand_name& name);
[[noreturn]] void raise(strew::errc code, const operand_name& name, const std::string& text,
                        const std::string& remedy = {});

// An integer of Python beyond 64 bits, for which a call takes the nearest of them. Messages show the integer.
struct large_integer {
  const char* operand;
  strew::index_list coordinate;  // of a list
  std::string before;            // what stands before it in a message
  std::int64_t nearest;
  nb::object value;
};
using large_integers = std::vector<large_integer>;
[[noreturn]] void raise(const strew::status& error, const operand_name& name, const large_integers& given);

// What an integer of Python has in its place: itself, or the nearest of 64 bits, `is_large` then.
std::int64_t nearest_integer(nb::handle integer, bool& is_large);

// str(object) for a message; "?" if that fails.
std::string text_of(nb::handle object);
// The name of an object's type.
std::string type_name_of(nb::handle object);
// The same with an article: "an int".
std::string kind_of(nb::handle object);

}  // namespace strew_python

#endif  // STREW_PYTHON_ERRORS_HPP
