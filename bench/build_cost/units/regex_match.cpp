// SPDX-License-Identifier: Apache-2.0
#include <regex>
#include <string>

bool regex_match(const std::string& text) {
  return std::regex_match(text, std::regex("[a-z]+[0-9]*"));
}
