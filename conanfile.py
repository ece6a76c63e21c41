# SPDX-License-Identifier: Apache-2.0
"""The recipe for Conan 2: `conan create . --build=missing`, with `-o "strew/*:compiled=True"` for strew::compiled too."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class StrewConan(ConanFile):
    name = "strew"
    description = "Scatter operators over strided tensor views"
    license = "Apache-2.0"
    topics = ("scatter", "tensor", "strided-view", "index-add", "header-only")
    settings = "os", "arch", "compiler", "build_type"
    options = {"compiled": [True, False], "shared": [True, False], "fPIC": [True, False]}
    default_options = {"compiled": False, "shared": False, "fPIC": True}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"
    test_package_folder = "packaging/conan/test_package"

    def set_version(self):
        # The version is written once, in config.hpp.
        config = load(self, os.path.join(self.recipe_folder, "include", "strew", "config.hpp"))
        self.version = ".".join(re.findall(r"#define STREW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config))

    def configure(self):
        if not self.options.compiled:
            self.package_type = "header-library"
            del self.options.shared
        if not self.options.compiled or self.options.shared:
            del self.options.fPIC

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        if not self.info.options.compiled:
            self.info.clear()

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["STREW_BUILD_COMPILED"] = bool(self.options.compiled)
        toolchain.cache_variables["STREW_BUILD_TESTS"] = False
        toolchain.cache_variables["STREW_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes CMake's and pkg-config's files for the settings of each user.
        rmdir(self, os.path.join(self.package_folder, "share"))
        for what in ("cmake", "pkgconfig"):
            rmdir(self, os.path.join(self.package_folder, "lib", what))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "strew")
        headers = self.cpp_info.components["headers"]
        headers.set_property("cmake_target_name", "strew::strew")
        headers.set_property("pkg_config_name", "strew")
        headers.bindirs, headers.libdirs = [], []
        if self.options.compiled:
            compiled = self.cpp_info.components["compiled"]
            compiled.set_property("cmake_target_name", "strew::compiled")
            compiled.set_property("pkg_config_name", "strew-compiled")
            compiled.libs = ["strew"]
            compiled.defines = ["STREW_COMPILED=1"]
            compiled.requires = ["headers"]
