# SPDX-License-Identifier: Apache-2.0
# What pip builds the package from: `from`, the files it depends on in `sources`, pip's options in `settings`.
macro(strew_describe_python_build target)
  set(package ${PROJECT_SOURCE_DIR}/bindings/python)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/src/compiled/* ${package}/src/*.[ch]pp ${package}/strew/*.py ${package}/strew/*.pyi
       ${package}/strew/py.typed)
  list(APPEND sources
       ${PROJECT_SOURCE_DIR}/CMakeLists.txt ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/pyproject.toml
       ${PROJECT_SOURCE_DIR}/cmake/build_tree.cmake ${PROJECT_SOURCE_DIR}/cmake/compiled.cmake
       ${PROJECT_SOURCE_DIR}/src/compiled.cpp ${package}/CMakeLists.txt ${package}/README.md)

  # A folder of its own, so that a later build compiles again only what has changed.
  set(build ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir)
  set(settings build-dir=${build} cmake.define.CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})
  if(arg_FLAGS)
    # Without a build type, whose flags CMake and nanobind would add.
    list(JOIN arg_FLAGS " " flags)
    list(APPEND settings cmake.build-type= "cmake.define.CMAKE_CXX_FLAGS=${flags}")
  endif()
  list(TRANSFORM settings PREPEND "--config-settings=")
  list(APPEND settings --no-build-isolation)
  set(from ${PROJECT_SOURCE_DIR})
endmacro()

# strew_add_python_package(<target> <directory> [DEPENDS <file>...] [FLAGS <flag>...])
# A target, part of `all`, by which pip installs the Python package strew in the directory, which belongs in PYTHONPATH;
# again whenever one of its sources or of the files has changed. It is built as for users, or, if FLAGS are given, with
# these flags and no others. Python_EXECUTABLE's environment has what builds it (pyproject.toml), so nothing is fetched.
# Without FLAGS the wheel STREW_PYTHON_WHEEL is installed in place of one built here, if it is given.
set(STREW_PYTHON_WHEEL "" CACHE FILEPATH "A wheel of strew to test; built here if left out")
function(strew_add_python_package target directory)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPENDS;FLAGS")
  if(STREW_PYTHON_WHEEL AND NOT arg_FLAGS)
    set(from ${STREW_PYTHON_WHEEL})
    set(sources ${STREW_PYTHON_WHEEL})
    set(settings "")
  else()
    strew_describe_python_build(${target})
  endif()
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}.stamp)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${Python_EXECUTABLE} -m pip install --quiet --disable-pip-version-check --no-index --no-deps
            --upgrade --target ${directory} ${settings} ${from}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${sources} ${arg_DEPENDS}
    COMMENT "Installing the Python package strew in ${directory}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${stamp})
endfunction()
