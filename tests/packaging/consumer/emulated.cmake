# SPDX-License-Identifier: Apache-2.0
# The project beside this file for another processor or system, with an installed strew.
set(consumer_binary_dir ${CMAKE_CURRENT_BINARY_DIR}/consumer)
set(consumer_prefix ${consumer_binary_dir}/prefix)
set(consumer_options
    -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE} -DSTREW_PROCESSOR=${STREW_PROCESSOR}
    -DCMAKE_PREFIX_PATH=${consumer_prefix} -DCMAKE_FIND_ROOT_PATH=${consumer_prefix} -DSTREW_FROM=find_package
    -DSTREW_VERSION=${PROJECT_VERSION})

add_test(NAME "consumer: installs strew"
         COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer_prefix})
set_tests_properties("consumer: installs strew" PROPERTIES FIXTURES_SETUP consumer_installed)
add_test(
  NAME "consumer: builds with find_package"
  COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/packaging/consumer
          ${consumer_binary_dir}/find_package --build-generator ${CMAKE_GENERATOR} --build-options ${consumer_options}
)
set_tests_properties("consumer: builds with find_package" PROPERTIES FIXTURES_REQUIRED consumer_installed
                                                                     FIXTURES_SETUP consumer_built)
add_test(NAME "consumer: runs" COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR}
                                       ${consumer_binary_dir}/find_package/consumer${CMAKE_EXECUTABLE_SUFFIX})
set_tests_properties("consumer: runs" PROPERTIES FIXTURES_REQUIRED consumer_built)
