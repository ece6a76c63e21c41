# SPDX-License-Identifier: Apache-2.0
# Tensors as text: by hand, and compared with NumPy.
strew_add_test(strew_print_test strew::strew unit/print/print.cpp)

include(../cmake/numpy.cmake)
strew_find_numpy(python)
if(python AND NOT CMAKE_CROSSCOMPILING)
  add_executable(strew_print_arrays unit/print/print_arrays.cpp)
  target_link_libraries(strew_print_arrays PRIVATE strew::strew)
  target_compile_options(strew_print_arrays PRIVATE ${strew_test_options})
  add_test(NAME "strew_print_test: thousands of arrays as NumPy prints them"
           COMMAND ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/unit/print/compare_with_numpy.py
                   $<TARGET_FILE:strew_print_arrays>)
else()
  message(STATUS "Not tested: that tensors are printed as by NumPy, for want of a python3 that can import numpy "
                 "(Debian: apt-get install python3-numpy)")
endif()
