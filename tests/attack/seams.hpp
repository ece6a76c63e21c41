// SPDX-License-Identifier: Apache-2.0
// The units of the program `seams`: each has the operators in another form of the library.
#ifndef STREW_TESTS_ATTACK_SEAMS_HPP
#define STREW_TESTS_ATTACK_SEAMS_HPP

#include "cases.hpp"

#include <string>

namespace attack {

// Makes a call of run-time types, or of C++ types if it is one of those that have typed calls; returns false otherwise.
// `seed` is that of the executor.
using seam_call = bool (*)(const call_case& of, bool is_typed, std::uint64_t seed, guarded_slot& memory, outcome& found,
                           std::string& text);
struct seam {
  const char* name;
  seam_call call;
};

bool call_headers(const call_case&, bool, std::uint64_t, guarded_slot&, outcome&, std::string&);
bool call_library(const call_case&, bool, std::uint64_t, guarded_slot&, outcome&, std::string&);
bool call_single(const call_case&, bool, std::uint64_t, guarded_slot&, outcome&, std::string&);

}  // namespace attack

#endif  // STREW_TESTS_ATTACK_SEAMS_HPP
