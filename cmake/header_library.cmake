# SPDX-License-Identifier: Apache-2.0
# strew_find_header_library(<result> <target> <file>): where programs are built for another machine or another standard
# library, an interface target for an installed library of headers, of which <file> is one and whose folder has no
# others. The folder is copied, since beside it are headers of this machine alone.
include_guard()
function(strew_find_header_library result target file)
  set(${result} FALSE PARENT_SCOPE)
  unset(directory)  # find_path would take that of the caller
  find_path(directory ${file} PATHS /usr/include NO_CACHE NO_CMAKE_FIND_ROOT_PATH)
  if(NOT directory)
    return()
  endif()
  cmake_path(GET file PARENT_PATH folder)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/headers_of_${folder})
  file(COPY ${directory}/${folder} DESTINATION ${copy})
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${copy})
  set(${result} TRUE PARENT_SCOPE)
endfunction()
