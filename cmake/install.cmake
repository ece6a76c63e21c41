# SPDX-License-Identifier: Apache-2.0
# Installs the headers, a CMake package (find_package(strew)) and a pkg-config file.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(strew_targets strew)
if(STREW_BUILD_COMPILED)
  list(APPEND strew_targets strew_compiled)
endif()
if(STREW_BUILD_MODULE)
  list(APPEND strew_targets strew_module)
  set(strew_module_sources FILE_SET CXX_MODULES DESTINATION ${CMAKE_INSTALL_DATADIR}/strew)
  set(strew_module_files CXX_MODULES_DIRECTORY module)
endif()
# Headers alone do not depend on the architecture, so they go below share/.
if(strew_targets STREQUAL "strew")
  set(strew_package_base DATADIR)
  set(strew_any_architecture ARCH_INDEPENDENT)
else()
  set(strew_package_base LIBDIR)
endif()
set(strew_package_dir ${CMAKE_INSTALL_${strew_package_base}}/cmake/strew)
set(strew_pkgconfig_dir ${CMAKE_INSTALL_${strew_package_base}}/pkgconfig)

install(TARGETS ${strew_targets} EXPORT strew FILE_SET HEADERS FILE_SET mpi ${strew_module_sources})
install(EXPORT strew FILE strew-targets.cmake NAMESPACE strew:: DESTINATION ${strew_package_dir} ${strew_module_files})
# Besides the targets strew::mpi, where there is an MPI library.
install(FILES ${CMAKE_CURRENT_LIST_DIR}/strew-config.cmake ${CMAKE_CURRENT_LIST_DIR}/mpi.cmake
        DESTINATION ${strew_package_dir})

# Before 1.0 a new minor version may break its users, a new patch version may not.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strew-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${strew_any_architecture})
install(FILES ${PROJECT_BINARY_DIR}/strew-config-version.cmake DESTINATION ${strew_package_dir})

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
