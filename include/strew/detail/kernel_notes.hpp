// SPDX-License-Identifier: Apache-2.0
// What a call notes of the kernels that were asked to run it. Empty unless STREW_NOTES_KERNELS: in units with
// STREW_TRACE, in the compiled library, where the environment decides, and in test builds.
#ifndef STREW_DETAIL_KERNEL_NOTES_HPP
#define STREW_DETAIL_KERNEL_NOTES_HPP

#include <strew/config.hpp>
#include <strew/execution/executor.hpp>

#include <cstddef>

#if STREW_NOTES_KERNELS

#include <mutex>
#include <string_view>

#if STREW_BUILDS_LIBRARY
namespace strew::inline STREW_ABI::erased {

// Whether the environment variable STREW_TRACE is set, and not to 0. It is read once.
bool is_traced_by_environment() noexcept;

}  // namespace strew::erased
#endif

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How often a kernel was asked, and what came of it.
struct kernel_note {
  const char* name;
  int ran = 0;
  int declined = 0;
  int may_not = 0;   // its preconditions do not hold
  int pays_not = 0;  // they do, but it is expected to be slower than those after it
};

// The notes of one call; its parts may be run by several threads.
class call_trace {
 public:
  static constexpr int most = 32;

  // `call`: the address of the request. Runs: whether kernels run, or are only asked.
  call_trace(const void* call, bool runs) noexcept : call_{call}, runs_{runs} {}

  [[nodiscard]] const void* call() const noexcept { return call_; }
  [[nodiscard]] bool runs() const noexcept { return runs_; }
  // Whether a kernel has been found for the whole call, which does not run.
  [[nodiscard]] bool is_decided() const noexcept { return is_decided_; }
  void decide() noexcept { is_decided_ = true; }

  void note(const kernel_note& one) {
    const std::scoped_lock lock(mutex_);
    int i = 0;
    while (i < count_ && std::string_view(notes_[i].name) != one.name) ++i;
    if (i == most) return;
    if (i == count_) notes_[count_++] = {one.name};
    notes_[i].ran += one.ran;
    notes_[i].declined += one.declined;
    notes_[i].may_not += one.may_not;
    notes_[i].pays_not += one.pays_not;
  }
  void forget() noexcept { count_ = 0; }
  [[nodiscard]] const kernel_note* begin() const noexcept { return notes_; }
  [[nodiscard]] const kernel_note* end() const noexcept { return notes_ + count_; }

 private:
  const void* call_;
  bool runs_;
  bool is_decided_ = false;
  std::mutex mutex_;
  int count_ = 0;
  kernel_note notes_[most] = {};
};

// Gets the notes of this thread's calls, and their line, in the place of standard error.
struct trace_listener {
  void (*hear)(void* to, const call_trace& trace, const char* line);
  void* to;
  bool runs = true;
};

#if STREW_TRACE
inline constexpr bool prints_calls = true;
#elif STREW_BUILDS_LIBRARY
inline const bool prints_calls = erased::is_traced_by_environment();
#else
inline constexpr bool prints_calls = false;
#endif
#if STREW_BUILDS_LIBRARY
inline constexpr const trace_listener* current_listener = nullptr;
#else
inline thread_local const trace_listener* current_listener = nullptr;
#endif
inline thread_local call_trace* current_trace = nullptr;

// In the compiled library the one branch that tracing costs if it is off.
STREW_INLINE bool notes_calls() noexcept {
  return prints_calls || current_listener != nullptr;
}

// Makes a trace this thread's current one.
class current_trace_scope {
 public:
  explicit current_trace_scope(call_trace* trace) noexcept : outer_{current_trace} { current_trace = trace; }
  current_trace_scope(const current_trace_scope&) = delete;
  current_trace_scope& operator=(const current_trace_scope&) = delete;
  ~current_trace_scope() { current_trace = outer_; }

 private:
  call_trace* outer_;
};

// Has bodies of an executor note for the call that began them.
STREW_COLD inline void run_traced_tasks(const executor_ref& ex, std::size_t n, const task& body) {
  struct context {
    const task& body;
    call_trace* trace;
  };
  const context all{body, current_trace};
  ex(n, task(
            [](const void* it, std::size_t i) noexcept {
              const auto& c = *static_cast<const context*>(it);
              const current_trace_scope scope(c.trace);
              c.body(i);
            },
            &all));
}

// Notes for a kernel of a table that ran, or why it did not.
template <class Kernel, class Call>
STREW_COLD void note_kernel(const Call& call, bool ran) {
  if (current_trace == nullptr || current_trace->is_decided()) return;
  kernel_note note{Kernel::name};
  if (ran) {
    note.ran = 1;
  } else if (!Kernel::pays(call)) {
    note.pays_not = 1;
  } else if (!Kernel::may(call)) {
    note.may_not = 1;
  } else {
    note.declined = 1;
  }
  current_trace->note(note);
}

// Notes for the kernels of a table of dense kernels that none of them runs the call.
template <class Table, class Call>
STREW_COLD void note_no_kernel(const Call& call) {
  if (current_trace == nullptr || current_trace->is_decided()) return;
  Table::for_each([&]<class Kernel>() {
    kernel_note note{Kernel::name};
    (Kernel::pays(call) ? note.may_not : note.pays_not) = 1;
    current_trace->note(note);
  });
}

// Whether the current call runs nothing, and only asks kernels. None does in the compiled library.
STREW_INLINE bool only_asks() noexcept {
  return !STREW_BUILDS_LIBRARY && notes_calls() && current_trace != nullptr && !current_trace->runs();
}
// Asks a kernel of a table in such a call: whether it would run.
template <class Kernel, class Call>
STREW_COLD bool ask_kernel(const Call& call) {
  if (current_trace->is_decided()) return true;
  const bool would_run = Kernel::pays(call) && Kernel::may(call);
  note_kernel<Kernel>(call, would_run);
  return would_run;
}

}  // namespace strew::detail

#endif  // STREW_NOTES_KERNELS

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Calls body(i) for each i < n on an executor.
STREW_INLINE void run_tasks(const executor_ref& ex, std::size_t n, const task& body) {
#if STREW_NOTES_KERNELS
  if (notes_calls()) [[unlikely]]
    return run_traced_tasks(ex, n, body);
#endif
  ex(n, body);
}

// Forgets the notes of the current call, whose kernels are asked again.
STREW_INLINE void forget_notes() noexcept {
#if STREW_NOTES_KERNELS
  if (notes_calls() && current_trace != nullptr) [[unlikely]]
    current_trace->forget();
#endif
}

// Whether a call is done with a kernel that ran it before the general checks. One that only asks is not: it goes on to
// the checks, and no other kernel is asked.
STREW_INLINE bool is_done(bool ran) noexcept {
#if STREW_NOTES_KERNELS
  if (ran && only_asks()) [[unlikely]] {
    current_trace->decide();
    return false;
  }
#endif
  return ran;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNEL_NOTES_HPP
