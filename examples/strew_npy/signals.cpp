// SPDX-License-Identifier: Apache-2.0
// Handlers that do nothing but what POSIX allows in them: unlink, write, _exit, raise.
#include "signals.hpp"

#include <limits.h>
#include <unistd.h>

#include <cstring>

namespace strew_npy {
namespace {

constexpr int terminations[] = {SIGHUP, SIGINT, SIGTERM};

char temporary[PATH_MAX];
volatile sig_atomic_t has_temporary = 0;

void remove_temporary() {
  if (has_temporary != 0) unlink(temporary);
}

extern "C" void on_termination(int number) {
  remove_temporary();
  raise(number);  // SA_RESETHAND put the default action back: it ends the program once this handler returns
}

extern "C" void on_bus_error(int) {
  constexpr char message[] =
      "strew-npy: a file shrank or could not be read or written while it was in use; "
      "with --in-place some updates may have been written\n";
  remove_temporary();
  static_cast<void>(!write(STDERR_FILENO, message, sizeof message - 1));
  _exit(2);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // as under nohup
  action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int number : terminations) handle(number, on_termination);
  handle(SIGBUS, on_bus_error);
  signal(SIGXFSZ, SIG_IGN);
}

deferred_signals::deferred_signals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : terminations) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, &before_);
}

deferred_signals::~deferred_signals() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void remove_on_signal(const std::string& path) noexcept {
  std::strncpy(temporary, path.c_str(), sizeof temporary - 1);  // it was opened, so it is shorter than PATH_MAX
  has_temporary = 1;
}

void keep_on_signal() noexcept {
  has_temporary = 0;
}

}  // namespace strew_npy
