// SPDX-License-Identifier: Apache-2.0
// Handlers that do nothing but what POSIX allows in them: unlink, write, _exit, signal, raise.
#include "signals.hpp"

#include <limits.h>
#include <unistd.h>

#include <cstring>

namespace strew_npy {
namespace {

// Those that end a program by default, but for SIGKILL, which cannot be caught, and two that have their own handlers.
constexpr int terminations[] = {
    SIGABRT,   SIGALRM, SIGFPE,  SIGHUP,  SIGILL,  SIGINT,  SIGPIPE,   SIGPROF, SIGQUIT,
    SIGSEGV,   SIGSYS,  SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
#ifdef SIGPOLL
    SIGPOLL,
#endif
#ifdef __linux__
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};

char temporary[PATH_MAX];
volatile sig_atomic_t has_temporary = 0;

void remove_temporary() {
  if (has_temporary != 0) unlink(temporary);
}

// The signal is blocked until the handler returns, and then ends the program.
void end_by(int number) {
  remove_temporary();
  signal(number, SIG_DFL);
  raise(number);
}

// Linux names the program itself as the sender of the SIGXFSZ that a system call raises.
bool was_sent(const siginfo_t& info) {
  return (info.si_code == SI_USER || info.si_code == SI_QUEUE) && info.si_pid != getpid();
}

extern "C" void on_termination(int number, siginfo_t*, void*) {
  end_by(number);
}

// Unless somebody sent it, the system call fails with EFBIG, which says more.
extern "C" void on_size_limit(int number, siginfo_t* info, void*) {
  if (was_sent(*info)) end_by(number);
}

extern "C" void on_bus_error(int number, siginfo_t* info, void*) {
  if (was_sent(*info)) return end_by(number);
  constexpr char message[] =
      "strew-npy: a file shrank or could not be read or written while it was in use; "
      "with --in-place some updates may have been written\n";
  remove_temporary();
  static_cast<void>(!write(STDERR_FILENO, message, sizeof message - 1));
  _exit(2);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // as under nohup
  action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int number : terminations) handle(number, on_termination);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) handle(number, on_termination);
  handle(SIGXFSZ, on_size_limit);
  handle(SIGBUS, on_bus_error);
}

deferred_signals::deferred_signals() noexcept {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before_);
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
