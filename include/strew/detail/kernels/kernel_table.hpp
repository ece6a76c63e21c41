// SPDX-License-Identifier: Apache-2.0
// Ordered tables of kernels. A call, or a part of one, is run by the first kernel of a table that may run it and pays.
#ifndef STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP
#define STREW_DETAIL_KERNELS_KERNEL_TABLE_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>

#include <cstddef>
#include <string_view>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

#if STREW_TEST_BUILD

// What a table says of one of its kernels, in its order.
struct kernel_choice {
  const char* name;
  bool may;
  bool pays;
  bool ran;  // false also where it declined after a look
};
// Told of each kernel that is looked at; null for nobody. Set while no call runs.
inline void (*on_kernel_choice)(const kernel_choice& choice) noexcept = nullptr;
// The kernel that runs wherever it may, whatever pays; where it may not, the last one of a table does. Null: those that
// pay. Set while no call runs.
inline const char* forced_kernel = nullptr;

template <class Kernel>
bool is_forced() noexcept {
  return forced_kernel != nullptr && std::string_view(Kernel::name) == forced_kernel;
}

#endif

// A kernel is a type of static functions of what it runs, a call or a part of one:
//
//   name          what it is called
//   may(call)     whether it can run at all: its preconditions
//   pays(call)    whether it is expected to be faster than those after it: sizes, layouts, the processor
//   run(call)     runs it, and returns true; or declines, having done nothing
//
// All of it is known when it is compiled: a call holds the kernels of its table and no others, and choosing one costs
// the questions alone.
// What the last kernel of a table says, which runs what no other does.
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
  // Runs the first kernel that may run and pays and does not decline. Returns whether there was one.
  template <class Call>
  STREW_INLINE static bool run(Call& call) {
    std::size_t position = 0;
    return (run_kernel<Kernels>(call, ++position == sizeof...(Kernels)) || ...);
  }
  // The same where Prepare(call), which returns false where no kernel may run, is to be called first if any pays.
  template <auto Prepare, class Call>
  STREW_INLINE static bool run_prepared(Call& call) {
    return (is_wanted<Kernels>(call) || ...) && Prepare(call) && run(call);
  }
  // Calls visit.operator()<Kernel>() for each, in order.
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
