# SPDX-License-Identifier: Apache-2.0
# pybind11 of the environment of Python_EXECUTABLE.
include_guard(DIRECTORY)
execute_process(
  COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir
  OUTPUT_VARIABLE pybind11_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)
