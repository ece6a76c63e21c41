// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

#include "errors.hpp"

#include <strew/status.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace strew_python {

namespace {

using nb::handle;

// Names for the same: those of PyTorch and NumPy, and those that other operators have. A parameter with one of them is
// taken by all of them.
struct equal_names {
  std::array<std::string_view, 5> names;
  std::string_view only_of = {};  // operators with such an end of their names
};
constexpr equal_names all_equal_names[] = {
    {{"data", "input", "arr"}},
    {{"axis", "dim"}},
    {{"axis1", "dim1"}},
    {{"axis2", "dim2"}},
    {{"axes", "axis", "dim"}, "slice_scatter"},
    {{"index", "indices"}},
    {{"source", "updates", "values", "value", "src"}},
    {{"reduction", "reduce"}},
    {{"reduction", "accumulate"}, "put"},
    {{"include_init", "include_self"}},
    {{"stop", "end"}},
};

// Which parameter the library's errors call by another name.
bool is_named_in_errors(std::string_view parameter, std::string_view operand) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), parameter) != names.end();
  };
  if (operand == "data") return is_one_of({"data", "past_cache"});
  if (operand == "indices") return is_one_of({"indices", "index"});
  if (operand == "updates") return is_one_of({"updates", "source", "values", "value", "update"});
  if (operand == "output") return is_one_of({"out"});
  return parameter == operand;
}

constexpr std::size_t most_parameters = 12;

struct parameter {
  std::string name;
  std::string text;      // as in a stub, with its type and its default
  std::string preset;    // the default's text; empty: the argument must be given
  handle value;          // the default; kept as long as the process lasts, as the functions are
  bool is_given = true;  // whether it can be
};

struct keyword {
  handle name;  // interned
  std::size_t parameter;
  bool is_other;  // not that of the signature
};

constexpr std::size_t nothing = ~std::size_t{0};

struct function {
  std::string module;
  std::string name;
  std::string spoken_name;  // "onnx.scatter"
  std::vector<parameter> parameters;
  std::size_t by_position = 0;  // so many of them may be given without their names
  std::vector<keyword> keywords;
  std::size_t out = nothing;  // which of them is data in the form in place, and can't be given
  std::string document;
  nb::object (*run)(const handle*) = nullptr;
  PyMethodDef method{};
  handle object;        // of Python
  handle out_of_place;  // that of the form that is not in place
};

// Never destroyed, as the functions are not: the interpreter may call them until its end.
function* functions() {
  static function* const made = new function[most_functions];
  return made;
}

// The parameters as inspect.signature and errors show them: "(data, axis, *, out=None)"; with types as stubs have them.
std::string order_of(const function& called, bool has_types) {
  std::string text = "(";
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    const parameter& each = called.parameters[k];
    if (k == called.by_position) text += "*, ";
    if (!each.is_given) continue;
    text += has_types ? each.text : each.preset.empty() ? each.name : each.name + "=" + each.preset;
    text += ", ";
  }
  text.resize(text.size() - 2);
  return text + ")";
}

std::string order_of_positions(const function& called) {
  std::string text;
  for (std::size_t k = 0; k < called.by_position; ++k) text += (k == 0 ? "(" : ", ") + called.parameters[k].name;
  return text + ")";
}

// ---- The arguments of a call

// Raises TypeError; `problem` names a function of strew._errors.
template <class... Details>
[[noreturn]] void refuse_call(const char* problem, const function& called, const Details&... details) {
  nb::module_::import_("strew._errors").attr(problem)(called.spoken_name, order_of(called, false), details...);
  throw nb::python_error();
}

struct arguments {
  std::array<handle, most_parameters> values{};
  std::array<handle, most_parameters> names{};  // those that were given by another name

  // Throws if they are not those of the function. Those that are left out are the defaults.
  void read(const function& called, PyObject* const* given, Py_ssize_t count, handle keywords);
  [[nodiscard]] std::string name_of(const function& called, std::size_t k) const {
    return names[k].is_valid() ? text_of(names[k]) : called.parameters[k].name;
  }
};

const keyword* find_keyword(const function& called, handle name) {
  for (const keyword& each : called.keywords) {
    if (each.name.is(name)) return &each;
  }
  for (const keyword& each : called.keywords) {
    if (PyUnicode_Compare(each.name.ptr(), name.ptr()) == 0) return &each;
  }
  return nullptr;
}

void arguments::read(const function& called, PyObject* const* given, Py_ssize_t count, handle keywords) {
  const auto by_position = static_cast<std::size_t>(count);
  if (by_position > called.by_position) refuse_call("refuse_count", called, called.by_position, by_position);
  for (std::size_t k = 0; k < by_position; ++k) values[k] = given[k];
  const Py_ssize_t count_of_keywords = keywords.is_valid() ? PyTuple_Size(keywords.ptr()) : 0;
  for (Py_ssize_t k = 0; k < count_of_keywords; ++k) {
    const handle name = PyTuple_GetItem(keywords.ptr(), k);
    const keyword* const found = find_keyword(called, name);
    if (found == nullptr) {
      std::vector<std::string> known;
      for (const keyword& each : called.keywords) known.push_back(text_of(each.name));
      refuse_call("refuse_name", called, name, known);
    }
    handle& value = values[found->parameter];
    if (value.is_valid()) refuse_call("refuse_second", called, name_of(called, found->parameter), name);
    value = given[count + k];
    if (found->is_other) names[found->parameter] = name;
  }
  for (std::size_t k = 0; k < called.parameters.size(); ++k) {
    if (values[k].is_valid()) continue;
    values[k] = k == called.out ? values[0] : called.parameters[k].value;
    if (!values[k].is_valid()) refuse_call("refuse_missing", called, called.parameters[k].name);
  }
}

// ---- Errors

bool is_in_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// What takes other operands than an operator that has strict ones.
std::string remedy_for(const call_error& error, const function& called) {
  const bool is_shape = error.code == strew::errc::rank_mismatch || error.code == strew::errc::extent_mismatch;
  if (!is_shape) return {};
  if (error.operand == "mask") return ": pass numpy.broadcast_to(mask, data.shape)";
  // Of elements along an axis, where rows are meant.
  constexpr std::array<std::array<std::string_view, 2>, 5> of_rows = {{{"scatter", "index_copy"},
                                                                       {"scatter_add", "index_add"},
                                                                       {"scatter_reduce", "index_reduce"},
                                                                       {"put_along_axis", "scatter_update"},
                                                                       {"scatter_elements_update", "scatter_update"}}};
  const std::string_view name = called.name;
  const std::string_view base = name.substr(0, name.find_last_not_of('_') + 1);
  for (const auto& [elements, rows] : of_rows) {
    const bool is_of_rank_1 = error.text.find(" has rank 1, ") != std::string::npos;
    if (base == elements && error.code == strew::errc::rank_mismatch && is_of_rank_1 &&
        (error.operand == "indices" || error.operand == "index")) {
      return ": " + std::string(rows) + " takes the indices of whole rows";
    }
  }
  return {};
}

// An error with the operands as the caller names them.
call_error in_names_of_caller(call_error error, const function& called, const arguments& given) {
  const auto named = [&](std::string_view operand) {
    if (called.out != nothing && operand == "output") return given.name_of(called, 0);
    for (std::size_t k = 0; k < called.parameters.size(); ++k) {
      if (is_named_in_errors(called.parameters[k].name, operand)) return given.name_of(called, k);
    }
    return std::string(operand);
  };
  if (error.code == strew::errc::type_mismatch && error.operand == "axis") {  // arguments in another order, perhaps
    error.remedy += ": the order is " + called.spoken_name + order_of_positions(called);
  }
  error.operation = called.spoken_name;
  error.operand = named(error.operand);
  std::string text;
  bool is_quoted = false;  // a value that the caller gave
  for (std::size_t k = 0; k < error.text.size();) {
    std::size_t end = k;
    while (end < error.text.size() && is_in_name(error.text[end])) ++end;
    const std::string word = error.text.substr(k, end - k);
    // "the indices were bound" and "the number of updates" speak of what they are.
    const std::string_view before = std::string_view(error.text).substr(0, k);
    const bool is_noun = before.ends_with("the ") || before.ends_with("number of ");
    const bool is_operand =
        !is_noun && !is_quoted && (word == "data" || word == "indices" || word == "updates" || word == "output");
    text += is_operand ? named(word) : word;
    if (end < error.text.size()) {
      text += error.text[end];
      is_quoted = is_quoted != (error.text[end] == '\'');
    }
    k = end + 1;
  }
  error.text = text;
  error.remedy += remedy_for(error, called);
  // "out shares memory with source"
  const std::string shares = " shares memory with ";
  if (error.code == strew::errc::overlap && text.starts_with(shares)) {
    const std::size_t end = text.find(' ', shares.size());
    error.remedy += ": pass a copy of " + text.substr(shares.size(), end - shares.size());
  }
  return error;
}

PyObject* fail(const function& called, const arguments& given) noexcept {
  try {
    try {
      throw;
    } catch (const call_error& error) {
      set_exception(in_names_of_caller(error, called, given));
    }
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::bad_cast&) {
    const std::string text = called.spoken_name + ": a method of an argument returns what it must not";
    PyErr_SetString(PyExc_TypeError, text.c_str());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

}  // namespace

PyObject* call_function(std::size_t number, PyObject* const* given, Py_ssize_t count, PyObject* names) noexcept {
  const function& called = functions()[number];
  arguments all;
  try {
    all.read(called, given, count, names);
    return called.run(all.values.data()).release().ptr();
  } catch (...) {
    return fail(called, all);
  }
}

// ---- Their definitions

namespace {

// An argument of call_options.
struct common_text {
  unsigned which;  // 0: all functions take it
  const char* parameter;
  const char* text;
};
constexpr common_text all_common[] = {
    {with_skipna, "skipna: bool = False",
     "True: updates that are NaN are left out; an element without others stays as it was"},
    {with_positions, "return_positions: bool = False",
     "True: returns (output, positions). For each element of the output the latter, int64, has the\n"
     "number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.\n"
     "Not of reductions other than none, min and max"},
    {0, "out: A | None = None",
     "where the result is written, of data's shape and type; left out: a new array; out=data: in place"},
    {0, "threads: int = 1", "1, or more; 0 for as many as the machine has. The result does not depend on it"},
    {with_mode, "mode: Mode = 'raise'",
     "what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap"},
    {with_cast, "cast: bool = False", "True: numbers of another type than data's become that before they are combined"},
};
static_assert(std::size(all_common) == sizeof(call_options) / sizeof(nb::handle));

// A default as an object.
nb::object value_of(const std::string& text) {
  if (text == "None") return nb::none();
  if (text == "True" || text == "False") return nb::bool_(text == "True");
  if (text.front() == '\'') return nb::steal(PyUnicode_InternFromString(text.substr(1, text.size() - 2).c_str()));
  return nb::int_(std::stol(text));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

parameter read_parameter(const std::string& text) {
  parameter read;
  read.text = text;
  read.name = text.substr(0, text.find(':'));
  if (const std::size_t at = text.find(" = "); at != std::string::npos) {
    read.preset = text.substr(at + 3);
    read.value = value_of(read.preset).release();
  }
  return read;
}

void read_parameters(function& made, const function_text& from, bool is_in_place) {
  std::string text = from.parameters;
  if (text.find('*') == std::string::npos) text += ", *";
  for (const std::string& each : split(text)) {
    if (each == "*") {
      made.by_position = made.parameters.size();
    } else {
      made.parameters.push_back(read_parameter(each));
    }
  }
  for (const common_text& each : all_common) {
    parameter read = read_parameter(each.parameter);
    if (is_in_place && read.name == "out") made.out = made.parameters.size();
    read.is_given = (each.which & ~from.common) == 0 && made.parameters.size() != made.out;
    made.parameters.push_back(read);
  }
  if (made.parameters.size() > most_parameters) throw std::length_error("an operator has too many parameters");
}

void read_keywords(function& made, const function_text& from) {
  const auto add = [&](std::string_view name, std::size_t parameter, bool is_other) {
    PyObject* interned = PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
    if (interned == nullptr) throw nb::python_error();
    PyUnicode_InternInPlace(&interned);
    made.keywords.push_back({interned, parameter, is_other});
  };
  for (std::size_t k = 0; k < made.parameters.size(); ++k) {
    if (made.parameters[k].is_given) add(made.parameters[k].name, k, false);
  }
  const auto is_taken = [&](std::string_view name) {
    return std::any_of(made.parameters.begin(), made.parameters.end(),
                       [&](const auto& one) { return one.name == name; });
  };
  for (std::size_t k = 0; k < made.parameters.size(); ++k) {
    for (const auto& [names, only_of] : all_equal_names) {
      const bool has_name = std::find(names.begin(), names.end(), made.parameters[k].name) != names.end();
      if (!has_name || !std::string_view(from.name).ends_with(only_of)) continue;
      for (const std::string_view name : names) {
        if (!name.empty() && !is_taken(name)) add(name, k, true);
      }
    }
  }
}

// The lines about arguments with those about common ones, all of them aligned.
std::string arguments_text(const std::string& own, const function& made) {
  const std::size_t width_of_own = own.find_first_not_of(' ', own.find(' '));
  const std::size_t width = std::max(width_of_own, std::strlen("threads  "));
  std::string text;
  for (std::size_t begin = 0; begin < own.size();) {
    const std::size_t end = own.find('\n', begin) + 1;
    std::string line = own.substr(begin, end - begin);
    // Not where a long name has a line of its own.
    if (line.size() > width_of_own && line[width_of_own - 1] == ' ') {
      line.insert(width_of_own, width - width_of_own, ' ');
    }
    text += line;
    begin = end;
  }
  const std::size_t count = made.parameters.size() - std::size(all_common);
  for (std::size_t k = 0; k < std::size(all_common); ++k) {
    const parameter& each = made.parameters[count + k];
    if (!each.is_given) continue;
    const std::string next = "\n" + std::string(width, ' ');
    text += each.name + (each.name.size() < width ? std::string(width - each.name.size(), ' ') : next);
    for (const char letter : std::string_view(all_common[k].text))
      text += letter == '\n' ? next : std::string(1, letter);
    text += "\n";
  }
  return text;
}

// Its signature, what it does, its arguments, and an example.
std::string document_of(const function& made, const function_text& from) {
  const std::string text = from.document;
  const std::size_t arguments = text.find("\n\n") + 2;
  const std::size_t rest = text.find("\n\n", arguments) + 1;
  const bool is_in_place = made.out != nothing;
  std::string begin = text.substr(0, arguments);
  std::string examples = text.substr(rest);
  if (is_in_place) {
    begin = std::string(from.name) + " in place: writes to data, and returns it. On an error nothing is written.\n\n";
    const std::string call = std::string("strew.") + from.name + "(";
    for (std::size_t at = examples.find(call); at != std::string::npos; at = examples.find(call, at + 1)) {
      examples.insert(at + call.size() - 1, "_");
    }
  }
  return made.name + order_of(made, false) + "\n--\n\n" + begin +
         arguments_text(text.substr(arguments, rest - arguments), made) + examples;
}

void define_function(nb::module_& module, function& made, const function_text& from, bool is_in_place,
                     c_function called) {
  made.module = *from.module == '\0' ? "strew" : std::string("strew.") + from.module;
  made.name = std::string(from.name) + (is_in_place ? "_" : "");
  made.spoken_name = *from.module == '\0' ? made.name : std::string(from.module) + "." + made.name;
  made.run = from.run;
  read_parameters(made, from, is_in_place);
  read_keywords(made, from);
  made.document = document_of(made, from);
  // The interpreter has one type for functions of all kinds of arguments.
  made.method.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(called));
  made.method.ml_name = made.name.c_str();
  made.method.ml_flags = METH_FASTCALL | METH_KEYWORDS;
  made.method.ml_doc = made.document.c_str();
  // Functions of a module are pickled by the name of the module that users import, and their own.
  nb::object object = nb::steal(PyCFunction_NewEx(&made.method, module.ptr(), nb::str(made.module.c_str()).ptr()));
  if (!object.is_valid()) throw nb::python_error();
  module.attr(made.name.c_str()) = object;
  made.object = object.release();
}

// (operator, {argument: value}, is in place) of a call that was not made: the operator that is not in place, with the
// arguments that were given by their names in its signature.
nb::object arguments_of(handle object, const nb::tuple& by_position, const nb::dict& by_name) {
  const std::span<const function> all_functions(functions(), most_functions);
  const auto called = std::find_if(all_functions.begin(), all_functions.end(),
                                   [&](const function& one) { return one.object.is_valid() && one.object.is(object); });
  if (called == all_functions.end()) return nb::none();
  std::vector<PyObject*> given;
  for (const handle each : by_position) given.push_back(each.ptr());
  nb::list names;
  for (const auto each : by_name) {
    names.append(each.first);
    given.push_back(each.second.ptr());
  }
  arguments all;
  all.read(*called, given.data(), static_cast<Py_ssize_t>(nb::len(by_position)), nb::tuple(names));
  nb::dict found;
  for (std::size_t k = 0; k < called->parameters.size(); ++k) {
    const parameter& each = called->parameters[k];
    if (!all.values[k].is(each.value)) found[each.name.c_str()] = all.values[k];
  }
  return nb::make_tuple(called->out_of_place, found, called->out != nothing);
}

}  // namespace

void define_functions(nb::module_& module, const function_text* texts, std::size_t count, const c_function* called) {
  using nb::literals::operator""_a;
  if (functions()[0].object.is_valid()) {
    PyErr_SetString(PyExc_ImportError, "strew is loaded once in a process: not again, and not in a subinterpreter");
    throw nb::python_error();
  }
  nb::dict signatures;
  for (std::size_t k = 0; k < count; ++k) {
    const function_text& from = texts[k];
    nb::module_ home = module;
    if (*from.module != '\0') {
      home = nb::hasattr(module, from.module) ? nb::cast<nb::module_>(module.attr(from.module))
                                              : module.def_submodule(from.module);
    }
    for (const bool is_in_place : {false, true}) {
      if (is_in_place && from.form == in_place_form::no) continue;
      function& made = functions()[2 * k + is_in_place];
      define_function(home, made, from, is_in_place, called[2 * k + is_in_place]);
      made.out_of_place = functions()[2 * k].object;
      signatures[(made.module + "." + made.name).c_str()] = "def " + made.name + order_of(made, true) + " -> A";
    }
  }
  module.attr("signatures") = signatures;
  module.def("arguments_of", arguments_of, "operator"_a.none(), "by_position"_a, "by_name"_a,
             "The operator that is not in place and the arguments of a call by their names in its signature; None if "
             "it is no operator.");
}

}  // namespace strew_python
