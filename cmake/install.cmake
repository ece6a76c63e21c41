# SPDX-License-Identifier: Apache-2.0
# Installs the headers, a CMake package (find_package(strew)) and a pkg-config file.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Nothing here depends on the architecture, so all of it goes below share/.
set(strew_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/strew)
set(strew_pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(TARGETS strew EXPORT strew FILE_SET HEADERS)
# strew depends on no other package, so its targets file can be the package file itself.
install(EXPORT strew FILE strew-config.cmake NAMESPACE strew:: DESTINATION ${strew_package_dir})

# Before 1.0 a new minor version may break its users, a new patch version may not.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strew-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/strew-config-version.cmake DESTINATION ${strew_package_dir})

# The path is relative to the file, so that an installed tree can be moved, and `cmake --install --prefix` works.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
           BASE_DIRECTORY ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig
           OUTPUT_VARIABLE strew_relative_includedir)
configure_file(${CMAKE_CURRENT_LIST_DIR}/strew.pc.in ${PROJECT_BINARY_DIR}/strew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/strew.pc DESTINATION ${strew_pkgconfig_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
