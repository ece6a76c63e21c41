// SPDX-License-Identifier: Apache-2.0
// Removes the temporary file when a signal ends the program; and runs a call up to its first write.
#ifndef STREW_NPY_SIGNALS_HPP
#define STREW_NPY_SIGNALS_HPP

#if !defined(_WIN32)
#include <signal.h>
#endif

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace strew_npy {

// Installs handlers, by which each signal that ends the program, except SIGKILL, first removes the temporary file. Two
// differ if no process sent them: SIGBUS (a mapped file shrank or cannot be read) ends the program with a message and
// exit code 2, on any thread; SIGXFSZ does nothing, since the system call reports a file above the size limit. Signals
// that are ignored stay ignored. On Windows these are Ctrl-C, the end of the console and faults.
void install_signal_handlers();

// While an object exists, signals to this thread are blocked; they stay blocked in threads that it starts meanwhile.
// For operations that must not be interrupted, and for threads that leave signals to the main one. Faults that a thread
// causes itself must not be blocked there: the system would end the program without calling their handlers.
class deferred_signals {
 public:
  enum class which { all, all_but_faults };

  explicit deferred_signals(which deferred = which::all) noexcept;
  deferred_signals(const deferred_signals&) = delete;
  deferred_signals& operator=(const deferred_signals&) = delete;
  ~deferred_signals();

 private:
#if defined(_WIN32)
  which deferred_;
#else
  sigset_t before_;
#endif
};

// Sets the file to be removed. There is at most one.
void remove_on_signal(const std::string& path) noexcept;

#if defined(_WIN32)
// Sets the address at which that file is mapped: Windows removes no mapped file.
void unmap_on_signal(void* address) noexcept;
#endif

// The file is no longer a temporary.
void keep_on_signal() noexcept;

// Calls `call` on this thread until it returns or is about to write to `memory`, which is mapped read-only. Then it is
// abandoned without destructors, which it must not need. Returns whether it returned.
bool returns_before_writing(std::span<const std::byte> memory, const std::function<void()>& call);

}  // namespace strew_npy

#endif  // STREW_NPY_SIGNALS_HPP
