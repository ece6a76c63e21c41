# SPDX-License-Identifier: Apache-2.0
# A program whose units are built with different flags: it runs, no code for AVX2 is shared with a unit without, and
# serial calls hold no code for threads.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  message(STATUS "Not tested: units built with different flags, whose symbols sanitizers change")
  return()
endif()
if(NOT STREW_TEST_USERS AND NOT CMAKE_CROSSCOMPILING)
  return()  # left to scripts/check users
endif()
find_package(Threads REQUIRED)
add_executable(strew_one_definition_test compile/one_definition/main.cpp)
target_link_libraries(strew_one_definition_test PRIVATE strew::strew Threads::Threads)
add_dependencies(strew_tests_of_users strew_one_definition_test)
function(strew_add_unit name)
  add_library(strew_unit_${name} OBJECT compile/one_definition/unit.cpp)
  target_link_libraries(strew_unit_${name} PRIVATE strew::strew)
  target_compile_definitions(strew_unit_${name} PRIVATE STREW_UNIT=${name})
  target_compile_options(strew_unit_${name} PRIVATE ${ARGN})
  target_link_libraries(strew_one_definition_test PRIVATE strew_unit_${name})
endfunction()
strew_add_unit(plain -O1)
strew_add_unit(portable -O0 -DSTREW_USE_INTRINSICS=0 -DNDEBUG)
add_test(NAME "one definition: units built with different flags link and run" COMMAND strew_one_definition_test)

find_package(Python3 COMPONENTS Interpreter)
find_program(STREW_OBJDUMP objdump)
set(can_disassemble FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64" AND Python3_FOUND AND STREW_OBJDUMP AND NOT CMAKE_CROSSCOMPILING)
  set(can_disassemble TRUE)
else()
  message(STATUS "Not tested: that no code for AVX2 is shared and no product fused, for want of x86-64, Python or "
                 "objdump")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64" AND NOT CMAKE_CROSSCOMPILING)
  strew_add_unit(avx2 -O1 -mavx2)
  target_compile_definitions(strew_one_definition_test PRIVATE STREW_TEST_AVX2=1)
  if(can_disassemble)
    add_test(NAME "one definition: no code for AVX2 is shared"
             COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/compile/one_definition/check_symbols.py ${STREW_OBJDUMP}
                     $<TARGET_OBJECTS:strew_unit_avx2> $<TARGET_OBJECTS:strew_unit_plain>)
  endif()
endif()

# Sums and extrema of 16-bit floating-point numbers, by units each of which has one extension more than another one.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64" AND NOT CMAKE_CROSSCOMPILING)
  add_executable(strew_one_definition_halves_test compile/one_definition/halves_main.cpp)
  target_link_libraries(strew_one_definition_halves_test PRIVATE strew::strew)
  add_dependencies(strew_tests_of_users strew_one_definition_halves_test)
  function(strew_add_halves name)
    add_library(strew_halves_${name} OBJECT compile/one_definition/halves.cpp)
    target_link_libraries(strew_halves_${name} PRIVATE strew::strew)
    target_compile_definitions(strew_halves_${name} PRIVATE STREW_UNIT=${name})
    target_compile_options(strew_halves_${name} PRIVATE -O1 ${ARGN})
    target_link_libraries(strew_one_definition_halves_test PRIVATE strew_halves_${name})
  endfunction()
  strew_add_halves(plain)
  strew_add_halves(avx -mavx)
  strew_add_halves(f16c -mavx -mf16c)
  strew_add_halves(avx512f -mavx512f)
  strew_add_halves(avx512bw -mavx512f -mavx512bw)
  strew_add_halves(avx512vl -mavx512f -mavx512bw -mavx512vl)
  add_test(NAME "one definition: halves of units built for different extensions" COMMAND strew_one_definition_halves_test)
  if(can_disassemble)
    foreach(pair IN ITEMS "avx plain" "f16c avx" "avx512bw avx512f" "avx512vl avx512bw")
      separate_arguments(pair)
      list(GET pair 0 with)
      list(GET pair 1 without)
      add_test(NAME "one definition: no code of ${with} is shared with ${without}"
               COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/compile/one_definition/check_symbols.py ${STREW_OBJDUMP}
                       $<TARGET_OBJECTS:strew_halves_${with}> $<TARGET_OBJECTS:strew_halves_${without}>)
    endforeach()
  endif()
endif()

# Built to fuse whatever may be: g++ does so across statements, clang within an expression.
if(can_disassemble)
  add_library(strew_unit_fused OBJECT compile/one_definition/fused.cpp)
  add_dependencies(strew_one_definition_test strew_unit_fused)
  target_link_libraries(strew_unit_fused PRIVATE strew::strew)
  target_compile_options(strew_unit_fused PRIVATE -O2 -mavx2 -mfma)
  add_test(NAME "one definition: no product of a reduction is fused with a sum"
           COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/compile/one_definition/check_fused.py ${STREW_OBJDUMP}
                   $<TARGET_OBJECTS:strew_unit_fused>)
endif()

add_library(strew_unit_serial OBJECT compile/one_definition/serial.cpp)
add_dependencies(strew_one_definition_test strew_unit_serial)
target_link_libraries(strew_unit_serial PRIVATE strew::strew)
target_compile_options(strew_unit_serial PRIVATE -O0)
if(Python3_FOUND AND CMAKE_NM)
  add_test(NAME "one definition: serial calls hold no code that shares out work"
           COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/compile/one_definition/check_serial.py ${CMAKE_NM}
                   $<TARGET_OBJECTS:strew_unit_serial> $<TARGET_OBJECTS:strew_unit_portable>)
else()
  message(STATUS "Not tested: that serial calls hold no code for threads, for want of Python or nm")
endif()
