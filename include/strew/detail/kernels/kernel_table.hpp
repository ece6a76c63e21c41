// SPDX-License-Identifier: Apache-2.0
// Ordered tables of kernels. A call, or a part of one, is run by the first kernel of a table that may run it, pays and
// does not decline.
#ifndef STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP
#define STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/rules/request.hpp>

#include <string_view>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

#if STREW_TEST_BUILD

// The name of a kernel that runs wherever it may; where it may not, the kernel for any other call runs. Null: the first
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

// Whether a kernel runs each part of a call by another table.
template <class Kernel>
inline constexpr bool runs_table = false;

template <class... Kernels>
struct kernel_table {
  // Runs the first kernel that may run, pays and does not decline. Returns false if there is none.
  template <class Call>
  STREW_INLINE static bool run(Call& call) {
    return (run_kernel<Kernels>(call) || ...);
  }
  // Whether some kernel pays.
  template <class Call>
  STREW_INLINE static bool pays(const Call& call) {
    return (is_wanted<Kernels>(call) || ...);
  }
  // Notes that none of the kernels runs a call. A copy, so that the members of the call can be in registers.
  template <class Call>
  STREW_INLINE static void note_none([[maybe_unused]] const Call& call) {
#if STREW_NOTES_KERNELS
    if (notes_calls()) [[unlikely]]
      note_no_kernel<kernel_table>(Call(call));
#endif
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
    if (forced_kernel != nullptr) return is_forced<Kernel>() || std::is_base_of_v<any_other, Kernel>;
#endif
    return Kernel::pays(call);
  }
  template <class Kernel, class Call>
  STREW_INLINE static bool run_kernel(Call& call) {
#if STREW_NOTES_KERNELS
    if (notes_calls()) [[unlikely]]
      return run_noted<Kernel>(call);
#endif
    return is_wanted<Kernel>(call) && Kernel::may(call) && Kernel::run(call);
  }
#if STREW_NOTES_KERNELS
  // By value, so that the members of a call can be in registers where it is not noted.
  template <class Kernel, class Call>
  STREW_COLD static bool run_noted(Call call) {
    if constexpr (runs_table<Kernel>) {
      note_kernel<Kernel>(call, true);
      return Kernel::run(call);
    } else if (only_asks()) {
      return ask_kernel<Kernel>(call);
    } else {
      const bool ran = is_wanted<Kernel>(call) && Kernel::may(call) && Kernel::run(call);
      note_kernel<Kernel>(call, ran);
      return ran;
    }
  }
#endif
};

// Notes a kernel that stands in no table; returns whether the call only asks, so that it must not run.
template <class Kernel>
bool only_asks_for([[maybe_unused]] const erased::request& call) {
#if STREW_NOTES_KERNELS
  if (notes_calls()) [[unlikely]] {
    note_kernel<Kernel>(call, true);
    return only_asks();
  }
#endif
  return false;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP
