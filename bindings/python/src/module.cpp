// SPDX-License-Identifier: Apache-2.0
// The extension module strew._strew. Users import the package strew, which has its names.
#include "binding.hpp"
#include "errors.hpp"
#include "operators.hpp"
#include "threads.hpp"

#include <strew/config.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <optional>
#include <string>

namespace nb = nanobind;

NB_MODULE(_strew, module) {
  using nb::literals::operator""_a;
  module.doc() = "The operators of strew, compiled.";
  strew_python::translate_errors();
  strew_python::define_operators(module);
  strew_python::define_bindings(module);
  module.def(
      "set_workspace_limit", [](std::optional<std::size_t> bytes) { strew_python::set_memory_limit(bytes); },
      "bytes"_a.none());
  const std::string version = std::to_string(STREW_VERSION_MAJOR) + "." + std::to_string(STREW_VERSION_MINOR) + "." +
                              std::to_string(STREW_VERSION_PATCH);
  module.attr("version") = version;
}
