// SPDX-License-Identifier: Apache-2.0
// The arguments as they are.
#include "arguments.hpp"

namespace strew_npy {

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  return {argv, argv + argc};
}

}  // namespace strew_npy
