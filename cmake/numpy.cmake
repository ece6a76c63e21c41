# SPDX-License-Identifier: Apache-2.0
# strew_find_numpy(<variable>): sets it to a python3 that can import numpy, or to nothing. The first python3 in PATH need
# not be the one that the system's NumPy belongs to.
function(strew_find_numpy variable)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  set(${variable} "" PARENT_SCOPE)
  foreach(candidate IN ITEMS "${Python3_EXECUTABLE}" /usr/bin/python3)
    execute_process(COMMAND "${candidate}" -c "import numpy" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(${variable} "${candidate}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
