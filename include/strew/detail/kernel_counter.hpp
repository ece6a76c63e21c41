// SPDX-License-Identifier: Apache-2.0
// For test builds: counts the cases that ran each kernel, and checks the preconditions of kernels. Empty in other
// builds.
#ifndef STREW_DETAIL_KERNEL_COUNTER_HPP
#define STREW_DETAIL_KERNEL_COUNTER_HPP

#include <strew/config.hpp>

#if STREW_TEST_BUILD

#include <strew/detail/constant_evaluation.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A kernel was chosen although its precondition does not hold.
[[noreturn]] STREW_COLD inline void precondition_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: a kernel was chosen whose precondition does not hold: %s\n", file, line, condition);
  std::abort();
}

// The name of a kernel, or of a type, as a template argument.
struct kernel_name {
  char text[56] = {};

  template <std::size_t Size>
  consteval kernel_name(const char (&name)[Size]) {  // NOLINT(google-explicit-constructor): for literals
    for (std::size_t i = 0; i < Size && i + 1 < sizeof text; ++i) text[i] = name[i];
  }
  consteval kernel_name(const char* name, std::size_t size) {
    for (std::size_t i = 0; i < size && i + 1 < sizeof text; ++i) text[i] = name[i];
  }
};
template <class T>
consteval kernel_name find_type_name() {
  constexpr const char* name = __PRETTY_FUNCTION__;
  std::size_t begin = 0;
  while (name[begin] != '=') ++begin;
  begin += 2;
  std::size_t end = begin;
  int depth = 0;  // of template arguments
  for (std::size_t i = begin; name[i] != '\0' && name[i] != ';' && (depth > 0 || name[i] != ']'); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') begin = i + 2;
    end = i + 1;
  }
  return {name + begin, end - begin};
}
template <class T>
inline constexpr kernel_name type_name = find_type_name<T>();

// The name of a reduction: its own, or one name for all callables of users.
template <class R>
consteval kernel_name find_reduction_name() {
  if constexpr (requires { R::kind; }) {
    constexpr const char* names[] = {"none", "sum", "sub", "prod", "min", "max", "mean"};
    constexpr const char* without_init[] = {"", "sum-", "", "prod-", "min-", "max-", "mean-"};
    constexpr const char* without_nan[] = {"", "sum~", "", "prod~", "min~", "max~", "mean~"};
    constexpr const char* without_both[] = {"", "sum~-", "", "prod~-", "min~-", "max~-", "mean~-"};
    constexpr bool omits = requires {
      typename R::reduction_type;
    };
    constexpr bool skips_nan = requires {
      typename R::reduction_with_nan;
    }
    || requires {
      typename R::reduction_type::reduction_with_nan;
    };
    const char* const name = (skips_nan ? (omits ? without_both : without_nan)
                                        : (omits ? without_init : names))[static_cast<std::size_t>(R::kind)];
    return {name, std::string_view(name).size()};
  } else {
    return "callable";
  }
}
template <class R>
inline constexpr kernel_name reduction_name = find_reduction_name<R>();

// The number of the current random case, and of its current run; 0 outside of random cases.
inline std::atomic<std::uint64_t> random_case{0};
inline std::atomic<std::uint64_t> random_run{0};

// The number of cases that ran one kernel. All kernels of a program are in one list, run or not.
struct kernel_count {
  std::string name;
  std::atomic<std::uint64_t> cases{0};
  std::atomic<std::uint64_t> last_case{0};
  std::atomic<std::uint64_t> last_run{0};
  kernel_count* next;

  static inline kernel_count* all = nullptr;
  // Those that the current run used, and how many; what exceeds the list is left out.
  static inline std::atomic<kernel_count*> ran[256]{};
  static inline std::atomic<std::size_t> count_ran{0};

  explicit kernel_count(std::string kernel) : name(std::move(kernel)), next(all) { all = this; }
  // Whether the current run used this kernel.
  [[nodiscard]] bool ran_now() const noexcept { return last_run.load(std::memory_order_relaxed) == random_run; }
  void add() noexcept {
    constexpr auto relaxed = std::memory_order_relaxed;
    const std::uint64_t run = random_run.load(relaxed);
    if (run == 0 || last_run.exchange(run, relaxed) == run) return;
    const std::size_t place = count_ran.fetch_add(1, relaxed);
    if (place < std::size(ran)) ran[place].store(this, relaxed);
    const std::uint64_t now = random_case.load(relaxed);
    if (last_case.exchange(now, relaxed) != now) cases.fetch_add(1, relaxed);
  }
};

template <class Parameter>
std::string text_of_parameter(const Parameter& parameter) {
  if constexpr (std::is_same_v<Parameter, kernel_name>) {
    return parameter.text;
  } else {
    return std::to_string(static_cast<long long>(parameter));
  }
}
template <kernel_name Name, auto... Parameters>
class kernel_counter {
 public:
  static constexpr void count() noexcept {
    if (!is_constant_evaluated()) all_.add();
  }

 private:
  static std::string full_name() {
    std::string text = Name.text;
    ((text += ' ', text += text_of_parameter(Parameters)), ...);
    return text;
  }
  static inline kernel_count all_{full_name()};
};

}  // namespace strew::detail

#endif

#endif  // STREW_DETAIL_KERNEL_COUNTER_HPP
