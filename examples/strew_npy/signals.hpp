// SPDX-License-Identifier: Apache-2.0
// What remains to be done when a signal ends the program: the temporary file is removed.
#ifndef STREW_NPY_SIGNALS_HPP
#define STREW_NPY_SIGNALS_HPP

#include <signal.h>

#include <string>

namespace strew_npy {

// From here on each signal that ends the program, but for SIGKILL, first removes the temporary. Two of them differ when
// nobody sent them: SIGBUS (a mapped file shrank or cannot be read) ends the program with a message and exit code 2,
// and SIGXFSZ does nothing, since a file above the size limit is an error that the system call reports. Signals that
// are ignored stay ignored.
void install_signal_handlers();

// While one exists, signals wait: for what must not be torn apart.
class deferred_signals {
 public:
  deferred_signals() noexcept;
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

}  // namespace strew_npy

#endif  // STREW_NPY_SIGNALS_HPP
