// SPDX-License-Identifier: Apache-2.0
// What signals are elsewhere: events of the console, which Windows handles on a thread of its own, and faults.
#include "../signals.hpp"

#include "../progress_bar.hpp"
#include "../terminal.hpp"
#include "system.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace strew_npy {
namespace {

// Held while events of the console have to wait.
std::recursive_mutex& deferral() {
  static std::recursive_mutex mutex;
  return mutex;
}

std::wstring temporary;
void* mapped = nullptr;
std::atomic<bool> is_ending{false};

BOOL WINAPI on_console_event(DWORD) {
  const std::lock_guard lock(deferral());
  is_ending = true;
  erase_progress_bar();
  if (!temporary.empty()) {
    if (mapped != nullptr) UnmapViewOfFile(mapped);  // a mapped file cannot be deleted
    DeleteFileW(temporary.c_str());
  }
  return FALSE;  // the next handler ends the program
}

std::uintptr_t guarded_begin = 0;
std::uintptr_t guarded_end = 0;
DWORD guarded_thread = 0;
CONTEXT before_call;
std::atomic<bool> is_abandoned{false};

bool is_guarded(const EXCEPTION_RECORD& fault) {
  constexpr ULONG_PTR write = 1;
  return fault.ExceptionInformation[0] == write && fault.ExceptionInformation[1] >= guarded_begin &&
         fault.ExceptionInformation[1] < guarded_end && GetCurrentThreadId() == guarded_thread;
}

LONG CALLBACK on_fault(EXCEPTION_POINTERS* info) {
  const EXCEPTION_RECORD& fault = *info->ExceptionRecord;
  if (fault.ExceptionCode == EXCEPTION_IN_PAGE_ERROR) {
    static std::atomic_flag is_met;
    if (is_met.test_and_set()) Sleep(INFINITE);  // the first thread ends the program
    on_console_event(0);
    write_to_terminal(
        "strew-npy: a file shrank or could not be read or written while it was in use; "
        "with --in-place some updates may have been written\n");
    ExitProcess(2);
  }
  if (fault.ExceptionCode != EXCEPTION_ACCESS_VIOLATION) return EXCEPTION_CONTINUE_SEARCH;
  if (is_ending) Sleep(INFINITE);  // the output was unmapped under this thread
  if (!is_guarded(fault)) return EXCEPTION_CONTINUE_SEARCH;
  is_abandoned = true;
  *info->ContextRecord = before_call;
  return EXCEPTION_CONTINUE_EXECUTION;
}

}  // namespace

void install_signal_handlers() {
  SetConsoleCtrlHandler(on_console_event, TRUE);
  AddVectoredExceptionHandler(1, on_fault);
}

deferred_signals::deferred_signals(which deferred) noexcept : deferred_(deferred) {
  if (deferred_ == which::all) deferral().lock();
}

deferred_signals::~deferred_signals() {
  if (deferred_ == which::all) deferral().unlock();
}

void remove_on_signal(const std::string& path) noexcept {
  const std::lock_guard lock(deferral());
  temporary = wide(path);
}

void unmap_on_signal(void* address) noexcept {
  const std::lock_guard lock(deferral());
  mapped = address;
}

void keep_on_signal() noexcept {
  const std::lock_guard lock(deferral());
  temporary.clear();
  mapped = nullptr;
}

bool returns_before_writing(std::span<const std::byte> memory, const std::function<void()>& call) {
  guarded_begin = reinterpret_cast<std::uintptr_t>(memory.data());
  guarded_end = guarded_begin + memory.size();
  guarded_thread = GetCurrentThreadId();
  is_abandoned = false;
  RtlCaptureContext(&before_call);  // on_fault returns to here
  if (!is_abandoned) call();
  guarded_begin = guarded_end = 0;
  return !is_abandoned;
}

}  // namespace strew_npy
