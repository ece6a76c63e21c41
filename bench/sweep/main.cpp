// SPDX-License-Identifier: Apache-2.0
// Times calls drawn at random beside loops, in one run:
//
//   sweep --seed S [--calls N] [--from K]   N calls, a line of JSON each
//   sweep --case S:K                        one of them again, as text; in a build that counts them, the kernels that
//                                           ran
//   sweep --only S:K                        the call of the library alone, for three seconds: what a profiler looks at
//
// With --beside one-thread each call is made on two threads, beside the same call on one in the place of loops.
// With --least-us U only calls whose checked loops take U microseconds are timed. Every call is made once before and
// compared with all loops, so that they do the same. The time of loops is that of the faster of -O2 and -O3.
//
// The data, masks and indices are the same in all repetitions: processors learn the branches of small ones.
#include "calls.hpp"
#include "drawn_call.hpp"
#include "element_types.hpp"
#include "loops.hpp"
#include "tensors.hpp"
#include "times.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>
#if STREW_TEST_BUILD
#include <strew/trace.hpp>

#include <set>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::bench::sweep {
namespace {

// ---- Whether the library and the loops do the same

double number(const std::byte* at, element type, std::size_t part) {
  return with_type(type, [&]<class T>() -> double {
    T value;
    std::memcpy(&value, at, sizeof value);
    if constexpr (is_complex_number<T>) {
      return part == 0 ? value.real() : value.imag();
    } else if constexpr (is_small_float<T>) {
      return static_cast<float>(value);
    } else {
      return static_cast<double>(value);
    }
  });
}
// Sums of floats, products and means are rounded in their own ways: near is enough for these.
bool are_alike(const drawn_call& call, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (a == b) return true;
  const bool rounds = call.reduce != combining::none && call.reduce != combining::min && call.reduce != combining::max;
  if (!rounds || with_type(call.type, []<class T>() { return std::is_integral_v<T>; })) return false;
  const bool rough = call.type == element::float16 || call.type == element::bfloat16;
  for (std::size_t i = 0; i < a.size(); i += static_cast<std::size_t>(size_of(call.type))) {
    for (std::size_t part = 0; part < 2; ++part) {
      const double x = number(a.data() + i, call.type, part);
      const double y = number(b.data() + i, call.type, part);
      if (!(std::abs(x - y) <= (rough ? 0.1 : 1e-4) * (1 + std::abs(x) + std::abs(y)))) return false;
    }
  }
  return true;
}

// ---- Kernels

#if STREW_TEST_BUILD
std::string kernels_of(const std::function<status()>& run) {
  std::set<std::string> names;
  const strew::detail::trace_listener listener{[](void* to, const strew::detail::call_trace& trace, const char*) {
                                                 for (const strew::detail::kernel_note& note : trace) {
                                                   if (note.ran > 0)
                                                     static_cast<std::set<std::string>*>(to)->insert(note.name);
                                                 }
                                               },
                                               &names};
  {
    const strew::detail::listening_scope scope(listener);
    static_cast<void>(run());
  }
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text.empty() ? "none of a table" : text;
}
#endif

struct options {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t calls = 600;
  double least_us = 1;
  bool one_case = false;
  bool library_alone = false;
  bool beside_one_thread = false;
};

struct named_loops {
  std::string name;  // of both levels of optimization
  std::string level;
  std::function<bool()> run;
};
std::vector<named_loops> all_loops(const drawn_call& call, const memory_of_call& at) {
  std::vector<named_loops> all;
  for (const loop_order order : {loop_order::row_major, loop_order::output}) {
    for (const bool checks : {true, false}) {
      const std::string name =
          std::string(checks ? "checked" : "unchecked") + (order == loop_order::output ? "_by_output" : "");
      all.push_back({name, "-O2", o2::loops_of(call, at, order, checks)});
      all.push_back({name, "-O3", o3::loops_of(call, at, order, checks)});
    }
  }
  return all;
}

std::string case_of(const drawn_call& call) {
  return std::to_string(call.seed) + ":" + std::to_string(call.number) + " " + text_of(call);
}

void print_call(const drawn_call& call) {
  std::printf(R"({"seed": %llu, "number": %llu, "operator": "%s", "type": "%s", "reduction": "%s", "form": "%s", )"
              R"("threads": %d, "in_place": %s, "elements": %lld, "updates": %lld, "text": "%s")",
              static_cast<unsigned long long>(call.seed), static_cast<unsigned long long>(call.number),
              name_of(call.which), name_of(call.type), name_of(call.reduce), name_of(call.how), call.threads,
              call.in_place ? "true" : "false", static_cast<long long>(size_of(call.data.shape)),
              static_cast<long long>(updated_elements(call)), text_of(call).c_str());
}
void print_times(std::vector<timed>& all) {
  for (timed& each : all) std::printf(R"(, "%s": %.4g)", each.name.c_str(), each.median() * 1e6);
  std::printf("}\n");
  std::fflush(stdout);
}

// Where each element is at its least or greatest already no branch is taken.
bool settles(const drawn_call& call) {
  return call.in_place && (call.reduce == combining::min || call.reduce == combining::max);
}

// Returns false where one of the two calls fails.
bool run_beside_one_thread(const drawn_call& drawn, const options& wanted, const surroundings& in) {
  tensors on = make_tensors(drawn);
  const memory_of_call at = on.addresses();
  std::vector<std::byte>& written = drawn.in_place ? on.data : on.output;
  const std::vector<std::byte> before = written;
  const auto restore = [&] { std::copy(before.begin(), before.end(), written.begin()); };
  std::vector<std::byte> bound_beside;
  const surroundings in_beside{in.pool, in.workspace, bound_beside};
  drawn_call one = drawn;
  drawn_call two = drawn;
  one.threads = 1;
  two.threads = 2;
  const std::function<status()> run_one = call_of(one, at, in);
  const std::function<status()> run_two = call_of(two, at, in_beside);
  bool has_failed = !run_one().ok() || !run_two().ok();
  restore();
  if (seconds_of([&] { static_cast<void>(run_one()); }, 1) * 1e6 < wanted.least_us / 4) return true;
  std::vector<timed> all;
  all.push_back({"strew", [&] { has_failed = !run_two().ok() || has_failed; }, {}});
  all.push_back({"one_thread", [&] { has_failed = !run_one().ok() || has_failed; }, {}});
  measure(
      all, settles(drawn) ? std::function<void()>(restore) : [] {});
  if (has_failed) {
    std::printf("%s\n  fails\n", case_of(two).c_str());
    return false;
  }
  if (wanted.one_case) {
    std::printf("%s\n  two threads %.3f us, one %.3f us\n", text_of(two).c_str(), all[0].median() * 1e6,
                all[1].median() * 1e6);
  } else {
    print_call(two);
    print_times(all);
  }
  return true;
}

// Returns false where the library and the loops differ, or one of them fails.
bool run_case(const drawn_call& call, const options& wanted, const surroundings& in) {
  // All on the same memory: what is in cache for one is in cache for the others.
  tensors on = make_tensors(call);
  const memory_of_call at = on.addresses();
  std::vector<std::byte>& written = call.in_place ? on.data : on.output;
  const std::vector<std::byte> before = written;
  const auto restore = [&] { std::copy(before.begin(), before.end(), written.begin()); };
  const auto fails = [&](const std::string& why) {
    std::printf("%s\n  %s\n", case_of(call).c_str(), why.c_str());
    return false;
  };
  const std::function<status()> run = call_of(call, at, in);
  if (const status found = run(); !found.ok()) return fails(std::string(found.message().view()));
#if STREW_TEST_BUILD
  std::printf("%s\n  %s\n", case_of(call).c_str(), kernels_of(run).c_str());
  return true;
#endif
  if (wanted.library_alone) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (std::chrono::steady_clock::now() < end) static_cast<void>(run());
    return true;
  }
  const std::vector<std::byte> expected = written;
  const std::vector<named_loops> loops = all_loops(call, at);
  for (const named_loops& each : loops) {
    restore();
    const std::string name = each.name + " " + each.level;
    if (!each.run()) return fails("the loops found an illegal index: " + name);
    if (!are_alike(call, expected, written)) return fails("the library and the loops differ: " + name);
  }
  restore();
  if (!wanted.one_case && seconds_of([&] { loops[0].run(); }, 1) * 1e6 < wanted.least_us / 4) return true;

  bool has_failed = false;
  std::vector<timed> all;
  all.push_back({"strew", [&] { has_failed = !run().ok() || has_failed; }, {}});
  for (const named_loops& each : loops) {
    all.push_back({each.name, [&has_failed, &each] { has_failed = !each.run() || has_failed; }, {}});
  }
  measure(
      all, settles(call) ? std::function<void()>(restore) : [] {});
  if (has_failed) return fails("a call that is timed fails");
  if (wanted.one_case) {
    std::printf("%s\n", text_of(call).c_str());
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string name = k == 0 ? all[k].name : all[k].name + " " + loops[k - 1].level;
      std::printf("  %-26s %12.3f us\n", name.c_str(), all[k].median() * 1e6);
    }
  }
  // The faster of the two levels.
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (all[k].median() > all[k + 1].median()) std::swap(all[k], all[k + 1]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
  const double fastest = std::min(all[1].median(), all[3].median());
  if (wanted.one_case) {
    std::printf("  checked loops / strew: %.2f\n", fastest / all[0].median());
    return true;
  }
  if (fastest * 1e6 < wanted.least_us) return true;

  // Takes no turn with the others: its memory would put theirs out of the cache.
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(1, moved_bytes(call)));
  std::vector<std::byte> from(bytes), to(bytes);
  std::vector<timed> copy;
  copy.push_back({"memcpy",
                  [&] {
                    std::memcpy(to.data(), from.data(), to.size());
                    // Is read by nobody, so that the compiler must be told that it counts.
                    asm volatile("" : : "r"(to.data()) : "memory");
                  },
                  {}});
  measure(copy);
  all.push_back(copy[0]);
  print_call(call);
  print_times(all);
  return true;
}

[[noreturn]] void usage() {
  std::fputs(
      "usage: sweep [--seed S] [--calls N] [--from K] [--least-us U] [--beside one-thread] | --case S:K | "
      "--only S:K\n",
      stderr);
  std::exit(2);
}

options options_of(int argc, char** argv) {
  options wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 == argc) usage();
    const std::string value = argv[++i];
    if (name == "--seed") {
      wanted.seed = std::stoull(value);
    } else if (name == "--calls") {
      wanted.calls = std::stoull(value);
    } else if (name == "--from") {
      wanted.first = std::stoull(value);
    } else if (name == "--least-us") {
      wanted.least_us = std::stod(value);
    } else if (name == "--beside" && value == "one-thread") {
      wanted.beside_one_thread = true;
    } else if (name == "--case" || name == "--only") {
      const std::size_t colon = value.find(':');
      if (colon == std::string::npos) usage();
      wanted.one_case = true;
      wanted.library_alone = name == "--only";
      wanted.seed = std::stoull(value.substr(0, colon));
      wanted.first = std::stoull(value.substr(colon + 1));
      wanted.calls = 1;
    } else {
      usage();
    }
  }
  return wanted;
}

int run(const options& wanted) {
  thread_pool pool(2);
  // As much as workspaces of the largest calls ask for.
  std::vector<std::byte> workspace(std::size_t{256} << 20);
  std::vector<std::byte> bound;
  const surroundings in{pool, workspace, bound};
  bool right = true;
  for (std::uint64_t k = 0; k < wanted.calls; ++k) {
    const drawn_call call = draw_call(wanted.seed, wanted.first + k);
    right = (wanted.beside_one_thread ? run_beside_one_thread(call, wanted, in) : run_case(call, wanted, in)) && right;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace strew::bench::sweep

int main(int argc, char** argv) {
  try {
    return strew::bench::sweep::run(strew::bench::sweep::options_of(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sweep: %s\n", error.what());
    return 2;
  }
}
