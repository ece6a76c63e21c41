# SPDX-License-Identifier: Apache-2.0
# Installs the headers, a CMake package (find_package(strew)) and a pkg-config file.
include(GNUInstallDirs)

# Headers alone go below share/.
if(strew_any_architecture)
  set(strew_package_base DATADIR)
else()
  set(strew_package_base LIBDIR)
endif()
set(strew_package_dir ${CMAKE_INSTALL_${strew_package_base}}/cmake/strew)
set(strew_pkgconfig_dir ${CMAKE_INSTALL_${strew_package_base}}/pkgconfig)
if(STREW_BUILD_MODULE)
  set(strew_module_sources FILE_SET CXX_MODULES DESTINATION ${CMAKE_INSTALL_DATADIR}/strew)
endif()

target_include_directories(strew INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(TARGETS ${strew_targets} EXPORT strew ${strew_module_sources})
install(EXPORT strew FILE strew-targets.cmake NAMESPACE strew:: DESTINATION ${strew_package_dir} ${strew_module_files})
install(FILES ${strew_package_files} ${PROJECT_BINARY_DIR}/strew-config-version.cmake DESTINATION ${strew_package_dir})

# The path is relative to the file, so that an installed tree can be moved, and `cmake --install --prefix` works.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_${strew_package_base}}/pkgconfig
           OUTPUT_VARIABLE strew_relative_includedir)
configure_file(${CMAKE_CURRENT_LIST_DIR}/strew.pc.in ${PROJECT_BINARY_DIR}/strew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/strew.pc DESTINATION ${strew_pkgconfig_dir})
if(STREW_BUILD_COMPILED)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/strew-compiled.pc.in ${PROJECT_BINARY_DIR}/strew-compiled.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/strew-compiled.pc DESTINATION ${strew_pkgconfig_dir})
endif()
# For debuggers; docs/debugging.md says how they are loaded.
set(strew_packaging ${PROJECT_SOURCE_DIR}/packaging)
install(FILES ${strew_packaging}/gdb/strew_gdb.py ${strew_packaging}/lldb/strew_lldb.py
              ${strew_packaging}/natvis/strew.natvis
        DESTINATION ${CMAKE_INSTALL_DATADIR}/strew)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
