// SPDX-License-Identifier: Apache-2.0
// What remains to be done when a signal ends the program: the temporary file is removed. And a call that is stopped
// before it writes.
#ifndef STREW_NPY_SIGNALS_HPP
#define STREW_NPY_SIGNALS_HPP

#include <signal.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace strew_npy {

// From here on each signal that ends the program, but for SIGKILL, first removes the temporary. Two of them differ when
// nobody sent them: SIGBUS (a mapped file shrank or cannot be read) ends the program with a message and exit code 2, on
// whatever thread it came, and SIGXFSZ does nothing, since a file above the size limit is an error that the system call
// reports. Signals that are ignored stay ignored.
void install_signal_handlers();

// While one exists, signals to this thread wait, and for good those to threads that it starts meanwhile: for what must
// not be torn apart, and for threads that leave signals to the main one. Faults that a thread itself is the cause of
// must not wait there: the system would end the program without calling their handlers.
class deferred_signals {
 public:
  enum class which { all, all_but_faults };

  explicit deferred_signals(which deferred = which::all) noexcept;
  deferred_signals(const deferred_signals&) = delete;
  deferred_signals& operator=(const deferred_signals&) = delete;
  ~deferred_signals();

 private:
  sigset_t before_;
};

// Names the file to be removed. There is at most one.
void remove_on_signal(const std::string& path) noexcept;

// The file is no longer a temporary.
void keep_on_signal() noexcept;

// Calls `call` on this thread until it returns or is about to write to `memory`, which is mapped for reading only.
// There it is left for good, without destructors: nothing that it has begun may need them. Returns whether it returned.
bool returns_before_writing(std::span<const std::byte> memory, const std::function<void()>& call);

}  // namespace strew_npy

#endif  // STREW_NPY_SIGNALS_HPP
