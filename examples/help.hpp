// SPDX-License-Identifier: Apache-2.0
// The arguments of all examples: --help prints what a program shows; unknown arguments are an error.
#ifndef STREW_EXAMPLES_HELP_HPP
#define STREW_EXAMPLES_HELP_HPP

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

struct example_help {
  const char* text;           // what the program shows, in a few lines
  const char* operands = "";  // its operands, such as " [in.png]"
  int most_operands = 0;
};

// Prints the help for --help and -h. For other options, and for too many operands, prints one line to standard error.
// Returns the exit status if the program is to end, otherwise nothing.
[[nodiscard]] inline std::optional<int> answer_arguments(int argc, const char* const* argv, const example_help& help) {
  const std::string_view path = argc > 0 ? argv[0] : "example";
  const std::string name(path.substr(path.find_last_of('/') + 1));
  int operands = 0;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::printf("usage: %s [-h | --help]%s\n\n%s\n", name.c_str(), help.operands, help.text);
      return 0;
    }
    const bool is_option = argument.size() > 1 && argument.front() == '-';
    if (is_option || ++operands > help.most_operands) {
      for (char& letter : argument) {
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';  // keeps it on one line
      }
      std::fprintf(stderr, "%s: '%s' is not expected; usage: %s [-h | --help]%s\n", name.c_str(), argument.c_str(),
                   name.c_str(), help.operands);
      return 2;
    }
  }
  return std::nullopt;
}

#endif  // STREW_EXAMPLES_HELP_HPP
