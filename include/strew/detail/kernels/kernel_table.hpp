// SPDX-License-Identifier: Apache-2.0
// Ordered tables of kernels. A call, or a part of one, is run by the first kernel of a table that may run it, pays and
// does not decline.
#ifndef STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP
#define STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>

#include <cstddef>
#include <string_view>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

#if STREW_TEST_BUILD

// The evaluation of one kernel of a table.
struct kernel_choice {
  const char* name;
  bool may;
  bool pays;
  bool ran;  // false also if it declined
};
// Called for each kernel that is evaluated, if not null. Set while no call runs.
inline void (*on_kernel_choice)(const kernel_choice& choice) noexcept = nullptr;
// The name of a kernel that runs wherever it may; where it may not, the last kernel of a table runs. Null: the first
// that pays. Set while no call runs.
inline const char* forced_kernel = nullptr;

template <class Kernel>
bool is_forced() noexcept {
  return forced_kernel != nullptr && std::string_view(Kernel::name) == forced_kernel;
}

#endif

// A kernel is a type of static functions on what it runs, a call or a part of one:
//
//   name          its name
//   may(call)     whether it can run: its preconditions
//   pays(call)    whether it is expected to be faster than those after it: sizes, layouts, the processor
//   run(call)     runs it and returns true; or declines: returns false, with nothing done
//
// Tables are known at compile time: a call instantiates the kernels of its table and no others.
//
// any_other is the base of the last kernel of a table, which runs what no other kernel runs.
struct any_other {
  template <class Call>
  static constexpr bool may(const Call&) noexcept {
    return true;
  }
  template <class Call>
  static constexpr bool pays(const Call&) noexcept {
    return true;
  }
};

template <class... Kernels>
struct kernel_table {
  // Runs the first kernel that may run, pays and does not decline. Returns false if there is none.
  template <class Call>
  STREW_INLINE static bool run(Call& call) {
    std::size_t position = 0;
    return (run_kernel<Kernels>(call, ++position == sizeof...(Kernels)) || ...);
  }
  // Whether some kernel pays.
  template <class Call>
  STREW_INLINE static bool pays(const Call& call) {
    return (is_wanted<Kernels>(call) || ...);
  }
  // Calls visit.operator()<Kernel>() for each kernel, in order.
  template <class Visit>
  static constexpr void for_each(const Visit& visit) {
    (visit.template operator()<Kernels>(), ...);
  }

 private:
  template <class Kernel, class Call>
  STREW_INLINE static bool is_wanted(const Call& call) {
#if STREW_TEST_BUILD
    if (forced_kernel != nullptr) return is_forced<Kernel>();
#endif
    return Kernel::pays(call);
  }
  template <class Kernel, class Call>
  STREW_INLINE static bool run_kernel(Call& call, [[maybe_unused]] bool is_last) {
#if STREW_TEST_BUILD
    const bool may = Kernel::may(call);
    const bool pays = is_wanted<Kernel>(call) || (forced_kernel != nullptr && is_last);
    const bool ran = may && pays && Kernel::run(call);
    if (on_kernel_choice != nullptr) on_kernel_choice({Kernel::name, may, pays, ran});
    return ran;
#else
    return Kernel::pays(call) && Kernel::may(call) && Kernel::run(call);
#endif
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP
