// SPDX-License-Identifier: Apache-2.0
// Cases as questions: by which kernels is this call run, and why by these?
#ifndef STREW_BENCH_WHY_ADD_CASE_HPP
#define STREW_BENCH_WHY_ADD_CASE_HPP

#include "cases.hpp"

#include <strew/threads.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace strew::bench {

struct question {
  std::string name;
  std::function<void()> call;
};
inline std::vector<question>& all_questions() {
  static std::vector<question> all;
  return all;
}

// Adds the forms of a call that bench/google_benchmark adds, by the same names.
template <class T, class Prepare>
void add_case(const case_description& c, Prepare prepare) {
  const auto add = [&](const char* side, auto run) {
    all_questions().push_back({full_name<T>(c) + '/' + side, [c, prepare, run] {
                                 const tensors<T> t(c);
                                 const auto operation = prepare(t);
                                 run(operation);
                               }});
  };
  const auto lend = [](std::size_t wanted) {
    return std::span(shared_buffers().scratch.at_least<std::byte>(static_cast<std::int64_t>(wanted)), wanted);
  };
  add("strew", [](const auto& operation) { operation.call(); });
  if (c.options.two_threads) {
    add("two_threads", [](const auto& operation) {
      thread_pool pool{2};
      operation.call(pool);
    });
  }
  if (c.workspace > 0) {
    add("workspace", [lend, wanted = c.workspace](const auto& operation) {
      const workspace lent{lend(wanted)};
      operation.call(lent);
    });
  }
  if (c.workspace_of_two > 0 && c.options.two_threads) {
    add("two_workspace", [lend, wanted = c.workspace_of_two](const auto& operation) {
      thread_pool pool{2};
      const workspace lent{lend(wanted), pool};
      operation.call(lent);
    });
  }
}

}  // namespace strew::bench

#endif  // STREW_BENCH_WHY_ADD_CASE_HPP
