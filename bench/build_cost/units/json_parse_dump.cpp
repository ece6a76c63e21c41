// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string>

std::string json_parse_dump(const std::string& text) {
  return nlohmann::json::parse(text).dump();
}
