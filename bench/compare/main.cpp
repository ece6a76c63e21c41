// SPDX-License-Identifier: Apache-2.0
// The operators of an older version of the headers and those of this one, on the same buffers in one process.
//
//   compare_versions [--filter SUBSTRING] [--pairs N] [--largest BYTES] [--markdown FILE]
//
// Prints a row for each case. The exit code is 1 if a row is slower than with the old headers, or wrong.
#include "cases.hpp"
#include "measure.hpp"
#include "rows.hpp"
#include "statistics.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace compare {

namespace {

struct options {
  std::string_view filter = "";  // of rows, in <name> <means>
  int pairs = 15;
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();  // bytes of data
  const char* markdown = nullptr;
};

[[noreturn]] void refuse(std::string_view argument) {
  std::fprintf(stderr,
               "%.*s: not understood\n"
               "usage: compare_versions [--filter SUBSTRING] [--pairs N, at least %d] [--largest BYTES] "
               "[--markdown FILE]\n",
               static_cast<int>(argument.size()), argument.data(), fewest_values);
  std::exit(2);
}

template <class Integer>
Integer number(std::string_view text, Integer least) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least) refuse(text);
  return value;
}

options parse(int argc, char** argv) {
  options result;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) refuse(name);
    const char* const value = argv[i + 1];
    if (name == "--filter") {
      result.filter = value;
    } else if (name == "--pairs") {
      result.pairs = number<int>(value, fewest_values);
    } else if (name == "--largest") {
      result.largest = number<std::int64_t>(value, 0);
    } else if (name == "--markdown") {
      result.markdown = value;
    } else {
      refuse(name);
    }
  }
  return result;
}

std::string format(const char* pattern, double value) {
  char text[32];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return format("%.1f ns", nanoseconds);
  return nanoseconds < 1e6 ? format("%.1f us", nanoseconds / 1e3) : format("%.1f ms", nanoseconds / 1e6);
}

const std::vector<std::string> header = {"case", "on", "old", "new / old", "95 % of the median", ""};

std::vector<std::string> cells(const row& r, const result& measured) {
  const median_estimate& ratio = measured.ratio;
  return {r.name,
          name_of(r.how),
          time_text(measured.nanoseconds),
          format("%.3f", ratio.median),
          format("%.3f", ratio.low) + format(" - %.3f", ratio.high),
          is_slower(measured)   ? "SLOWER"
          : is_faster(measured) ? "faster"
                                : ""};
}

void print(const std::vector<std::string>& row) {
  std::printf("%-66s %-11s %10s  %9s  %-18s  %s\n", row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str(),
              row[4].c_str(), row[5].c_str());
  std::fflush(stdout);
}

std::string markdown_line(const std::vector<std::string>& row) {
  std::string line = "|";
  for (const std::string& cell : row) line += ' ' + cell + " |";
  return line + '\n';
}

void write_file(const char* name, const std::string& text) {
  std::FILE* const file = std::fopen(name, "w");
  if (file == nullptr || std::fputs(text.c_str(), file) < 0 || std::fclose(file) != 0) {
    std::perror(name);
    std::exit(2);
  }
}

// What was measured, over the rows.
struct summary {
  int rows = 0;
  int slower = 0;
  int faster = 0;
  double log_of_ratios = 0;

  void add(const result& measured) {
    ++rows;
    slower += is_slower(measured);
    faster += is_faster(measured);
    log_of_ratios += std::log(measured.ratio.median);
  }
  [[nodiscard]] std::string text() const {
    return std::to_string(rows) + " rows: " + std::to_string(slower) + " slower, " + std::to_string(faster) +
           " faster; new / old, geometric mean " + format("%.3f", std::exp(log_of_ratios / rows));
  }
};

bool is_wanted(const row& r, const options& o) {
  return r.bytes <= o.largest && (r.name + ' ' + name_of(r.how)).find(o.filter) != std::string::npos;
}

int run(const options& o) {
  const std::string about = STREW_COMPARE_ABOUT;
  std::printf("%s\n\n", about.c_str());
  print(header);
  std::string table = markdown_line(header) + "|---|---|---|---|---|---|\n";
  summary total;
  for (const row& r : all_rows()) {
    if (!is_wanted(r, o)) continue;
    const result measured = measure(r, o.pairs);
    total.add(measured);
    print(cells(r, measured));
    table += markdown_line(cells(r, measured));
  }
  if (total.rows == 0) {
    std::fputs("No row is wanted\n", stderr);
    return 2;
  }
  std::printf("\n%s\n", total.text().c_str());
  if (o.markdown != nullptr) write_file(o.markdown, about + "\n\n" + table + '\n' + total.text() + '\n');
  return total.slower == 0 ? 0 : 1;
}

}  // namespace

}  // namespace compare

int main(int argc, char** argv) {
  const compare::options options = compare::parse(argc, argv);
  strew::bench::case_source::add_all();
  return compare::run(options);
}
