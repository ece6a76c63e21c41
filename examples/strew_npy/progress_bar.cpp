// SPDX-License-Identifier: Apache-2.0
// Drawing, with escape sequences that all current terminals support.
#include "progress_bar.hpp"

#include "signals.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace strew_npy {
namespace {

constexpr std::chrono::seconds patience{1};
constexpr std::chrono::milliseconds between_frames{100};
constexpr std::string_view erase_line = "\r\x1b[K";

std::atomic<bool> is_drawn{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler reads it");

// "1.5 GiB".
std::string in_units(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

// "8 s", "2:05", "1:00:00".
std::string in_time(double seconds) {
  const auto whole = static_cast<long>(std::min(seconds, 359'999.0));
  char text[32];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%ld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

}  // namespace

void erase_progress_bar() noexcept {
  if (is_drawn.exchange(false)) write_to_terminal(erase_line);
}

progress_bar::progress_bar(bool is_wanted) : may_appear_(is_wanted && terminal_is_drawable()) {
  if (!may_appear_) return;
  const deferred_signals are_for_the_main_thread(deferred_signals::which::all_but_faults);
  try {
    thread_ = std::thread([this] { redraw_until_stopped(); });
  } catch (const std::system_error&) {
    may_appear_ = false;  // no thread available: the work is done without a bar
  }
}

progress_bar::~progress_bar() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_one();
  thread_.join();
  erase_progress_bar();
}

void progress_bar::begin(std::uint64_t bytes) noexcept {
  begin_ = clock::now().time_since_epoch().count();
  total_ = bytes;
}

void progress_bar::redraw_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto is_stopped = [this] { return stopped_; };
  if (stop_.wait_for(lock, patience, is_stopped)) return;
  do {
    draw();
  } while (!stop_.wait_for(lock, between_frames, is_stopped));
}

void progress_bar::draw() const {
  // A program in the background would overwrite what the user types.
  if (!is_in_foreground()) return;
  const std::string line = "\r" + text(columns_of_terminal().value_or(80)) + "\x1b[K";
  is_drawn = true;
  write_to_terminal(line);
}

std::string progress_bar::text(int columns) const {
  const std::uint64_t total = total_;
  if (total == 0) return std::string("checking").substr(0, static_cast<std::size_t>(columns - 1));
  const std::uint64_t done = std::min(done_.load(), total);
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const std::chrono::duration<double> elapsed = clock::now().time_since_epoch() - clock::duration(begin_);
  const double rate = static_cast<double>(done) / std::max(elapsed.count(), 1e-3);
  char percent[16];
  std::snprintf(percent, sizeof percent, "%3d %% ", static_cast<int>(share * 100));
  std::string numbers = ' ' + in_units(static_cast<double>(done)) + " of " + in_units(static_cast<double>(total));
  if (done > 0) {
    numbers += ", " + in_units(rate) + "/s, " + in_time(static_cast<double>(total - done) / rate) + " left";
  }
  // The last column stays free: terminals may wrap after it.
  const int room = columns - 1 - static_cast<int>(std::string_view(percent).size() + numbers.size()) - 2;
  std::string bar;
  if (room >= 4) {
    const auto length = static_cast<std::size_t>(std::min(room, 30));
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(length));
    bar = '[' + std::string(filled, '#') + std::string(length - filled, '.') + ']';
  }
  return (percent + bar + numbers).substr(0, static_cast<std::size_t>(columns - 1));
}

}  // namespace strew_npy
