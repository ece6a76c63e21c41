// SPDX-License-Identifier: Apache-2.0
// Signal handlers. They only call what POSIX allows: unlink, write, pause, _exit, signal, raise, and siglongjmp after a
// fault.
#include "signals.hpp"

#include "progress_bar.hpp"

#include <limits.h>
#include <setjmp.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace strew_npy {
namespace {

// The signals that end a program by default, except SIGKILL, which cannot be caught, and two with their own handlers.
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

// The signals that a thread itself can cause.
constexpr int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};

char temporary[PATH_MAX];
std::atomic<bool> has_temporary{false};  // any thread may have a fault
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers read it");

void clean_up() {
  erase_progress_bar();
  if (has_temporary) unlink(temporary);
}

// The signal is blocked until the handler returns, and then ends the program.
void end_by(int number) {
  clean_up();
  signal(number, SIG_DFL);
  raise(number);
}

// On Linux the sender of a SIGXFSZ raised by a system call is the program itself.
bool was_sent(const siginfo_t& info) {
  return (info.si_code == SI_USER || info.si_code == SI_QUEUE) && info.si_pid != getpid();
}

extern "C" void on_termination(int number, siginfo_t*, void*) {
  end_by(number);
}

// Unless another process sent it, the system call fails with EFBIG, whose message is clearer.
extern "C" void on_size_limit(int number, siginfo_t* info, void*) {
  if (was_sent(*info)) end_by(number);
}

extern "C" void on_bus_error(int number, siginfo_t* info, void*) {
  if (was_sent(*info)) return end_by(number);
  constexpr char message[] =
      "strew-npy: a file shrank or could not be read or written while it was in use; "
      "with --in-place some updates may have been written\n";
  // Of several threads the first one prints the message and ends the program.
  static std::atomic_flag is_met;
  while (is_met.test_and_set()) pause();
  clean_up();
  static_cast<void>(!write(STDERR_FILENO, message, sizeof message - 1));
  _exit(2);
}

std::uintptr_t guarded_begin = 0;
std::uintptr_t guarded_end = 0;
sigjmp_buf before_call;

extern "C" void on_segmentation_fault(int number, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (info->si_code == SEGV_ACCERR && at >= guarded_begin && at < guarded_end) siglongjmp(before_call, 1);
  end_by(number);
}

struct sigaction action_of(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  return action;
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction before = {};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // as under nohup
  const struct sigaction action = action_of(handler);
  sigaction(number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  for (const int number : terminations) handle(number, on_termination);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) handle(number, on_termination);
  handle(SIGXFSZ, on_size_limit);
  handle(SIGBUS, on_bus_error);
}

deferred_signals::deferred_signals(which deferred) noexcept {
  sigset_t set;
  sigfillset(&set);
  if (deferred == which::all_but_faults) {
    for (const int number : faults) sigdelset(&set, number);
  }
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

deferred_signals::~deferred_signals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void remove_on_signal(const std::string& path) noexcept {
  std::strncpy(temporary, path.c_str(), sizeof temporary - 1);  // it was opened, so it is shorter than PATH_MAX
  has_temporary = true;
}

void keep_on_signal() noexcept {
  has_temporary = false;
}

bool returns_before_writing(std::span<const std::byte> memory, const std::function<void()>& call) {
  // From the begin of a page, since s390x tells only the page of a fault.
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  guarded_begin = begin - begin % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  guarded_end = begin + memory.size();
  // Replaces any disposition: the write must be handled here even if the signal was ignored or blocked.
  const struct sigaction action = action_of(on_segmentation_fault);
  struct sigaction action_before = {};
  sigaction(SIGSEGV, &action, &action_before);
  sigset_t set;
  sigset_t set_before;
  sigemptyset(&set);
  sigaddset(&set, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &set, &set_before);
  volatile bool returned = false;
  if (sigsetjmp(before_call, 1) == 0) {
    call();
    returned = true;
  }
  pthread_sigmask(SIG_SETMASK, &set_before, nullptr);
  sigaction(SIGSEGV, &action_before, nullptr);
  return returned;
}

}  // namespace strew_npy
