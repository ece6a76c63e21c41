# SPDX-License-Identifier: Apache-2.0
# Products of complex numbers beside those of std::complex, from units built with different flags.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|i.86")
  message(STATUS "Not tested: the bits of complex products in units of different flags, for want of x86, whose "
                 "std::complex keeps to them, or because of sanitizers")
  return()
endif()

if(NOT STREW_TEST_USERS AND NOT CMAKE_CROSSCOMPILING)
  return()  # left to scripts/check users
endif()

add_library(strew_complex_products_reference OBJECT kernels/complex_products/reference.cpp)
target_compile_features(strew_complex_products_reference PRIVATE cxx_std_20)
target_compile_options(strew_complex_products_reference PRIVATE -O2 -ffp-contract=off -mno-fma)

# strew_add_products(<name> <option>...): products by strew in a unit with these options.
function(strew_add_products name)
  add_executable(${name} kernels/complex_products/main.cpp)
  add_library(${name}_unit OBJECT kernels/complex_products/products.cpp)
  target_link_libraries(${name}_unit PRIVATE strew::strew)
  target_compile_options(${name}_unit PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE ${name}_unit strew_complex_products_reference strew::strew)
  if(ARGN MATCHES "-mfma")
    target_compile_definitions(${name} PRIVATE STREW_TEST_FUSED=1)
  endif()
  target_compile_options(${name} PRIVATE -O1)
  add_test(NAME "${name}" COMMAND ${name})
  add_dependencies(strew_tests_of_users ${name})
endfunction()
strew_add_products(strew_complex_products_test)
strew_add_products(strew_complex_products_fused_test -O2 -mavx2 -mfma)
strew_add_products(strew_complex_products_fast_test -O3 -mavx2 -mfma -ffp-contract=fast)
