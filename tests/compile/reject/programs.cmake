# SPDX-License-Identifier: Apache-2.0
# strew_add_rejected_programs(<folder> <include> <hidden lines> [option of the compiler]...): a test for each program of a
# folder, as compile.cmake reads it. Their names are in strew_rejected_programs.
function(strew_add_rejected_programs folder include hidden_lines)
  set(tests "")
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    string(REPLACE "_" " " sentence ${name})
    add_test(
      NAME "reject: ${sentence}"
      COMMAND ${CMAKE_COMMAND} -D compiler=${CMAKE_CXX_COMPILER} -D compiler_id=${CMAKE_CXX_COMPILER_ID} -D file=${file}
              -D include=${include} "-Dprecompiled=${ARGN}" -D hidden_lines=${hidden_lines}
              -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compile.cmake
    )
    list(APPEND tests "reject: ${sentence}")
  endforeach()
  set(strew_rejected_programs "${tests}" PARENT_SCOPE)
endfunction()
