// SPDX-License-Identifier: Apache-2.0
// strew-npy: the scatter operators on NumPy's .npy files. The files are memory-mapped and the operators work on views
// of them, so nothing is copied in between and files may be larger than memory. See README.md beside this file.
#include "arguments.hpp"
#include "command_line.hpp"
#include "run.hpp"
#include "signals.hpp"
#include "standard_streams.hpp"

#include <exception>
#include <iostream>
#include <optional>
#include <string>

int main(int argc, char** argv) {
  try {
    strew_npy::hold_standard_descriptors();
    strew_npy::install_signal_handlers();
    const std::optional<strew_npy::command> command =
        strew_npy::parse_command_line(strew_npy::utf8_arguments(argc, argv));
    if (!command) return 0;
    const std::string report = strew_npy::run(*command);
    if (!command->quiet && !report.empty()) strew_npy::print(report + '\n');
    return 0;
  } catch (const strew_npy::output_lost& error) {
    std::cerr << "strew-npy: " << error.what() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "strew-npy: " << error.what() << '\n';
    return 2;
  }
}
