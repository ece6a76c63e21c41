// SPDX-License-Identifier: Apache-2.0
// Which kernels a call would be run by, and why: the line that a call prints in a unit with STREW_TRACE.
//
// Opt-in: include it where it is used, in a unit that is compiled with STREW_TRACE=1. There each call of an operator
// prints one line on standard error: its name and reduction, the operands, the threads, the bytes of its workspace and
// how many it would use, each kernel that was asked with how often it ran or why it did not, and the microseconds. In a
// program that uses the compiled library such a unit uses the headers; calls of the library itself, and of the package
// for Python, print the line if the environment variable STREW_TRACE is 1.
//
// A kernel that did not run "does not pay" (it is expected to be slower than those after it), "may not" (its
// preconditions do not hold), or "declined" (once it had seen the indices). docs/site/pages/slow-calls.md has examples.
#ifndef STREW_TRACE_HPP
#define STREW_TRACE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/status.hpp>

#include <string>
#include <utility>

namespace strew::inline STREW_ABI {

#if STREW_NOTES_KERNELS && !STREW_BUILDS_LIBRARY
namespace detail::inline STREW_CODE {

// Makes a listener this thread's current one.
class listening_scope {
 public:
  explicit listening_scope(const trace_listener& listener) noexcept : outer_{current_listener} {
    current_listener = &listener;
  }
  listening_scope(const listening_scope&) = delete;
  listening_scope& operator=(const listening_scope&) = delete;
  ~listening_scope() { current_listener = outer_; }

 private:
  const trace_listener* outer_;
};

}  // namespace detail
#endif

// The line that call(arguments..) would print, without the time, as an operator's call or its try_ form, which is not
// run: no operand is written. The indices are read and checked; an error is part of the line. A kernel that reads the
// indices and might decline is said to run. Needs STREW_TRACE. Braces cannot be passed on: name their type, as
// in strew::slice_spec{.axes = 1}. O(a call that only checks its operands), and some heap.
template <class Operator, class Report, class... Arguments>
STREW_KEYED std::string explain(const detail::call_object<Operator, Report>&,
                                [[maybe_unused]] Arguments&&... arguments) {
  static_assert(STREW_NOTES_KERNELS || sizeof(Operator) == 0,
                "strew: explain needs a unit that is compiled with -DSTREW_TRACE=1");
  std::string text;
#if STREW_NOTES_KERNELS && !STREW_BUILDS_LIBRARY
  const detail::trace_listener listener{
      [](void* to, const detail::call_trace&, const char* line) { *static_cast<std::string*>(to) += line; }, &text,
      false};
  const detail::listening_scope scope(listener);
  const status error = detail::attempted<Operator>{}(std::forward<Arguments>(arguments)...);
  if (text.empty()) text = error.message().c_str();
#endif
  return text;
}

}  // namespace strew

#endif  // STREW_TRACE_HPP
