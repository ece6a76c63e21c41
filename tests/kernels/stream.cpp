// SPDX-License-Identifier: Apache-2.0
// Stores past the cache: whatever is written arrives, in full and nowhere else, wherever in a cache line it begins.
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/random_source.hpp"

#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace strew::test {
namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t guard = 2 * line;

// Memory that begins where a cache line does, all of it of one value.
class lines {
 public:
  explicit lines(std::int64_t size) : memory_(static_cast<std::size_t>(size + line), untouched) {}
  [[nodiscard]] char* data() {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory_.data()) % line);
    return memory_.data() + (line - misaligned) % line;
  }
  // Whether `bytes` lie at an offset and all else is as it was.
  [[nodiscard]] bool hold_only(const char* bytes, std::int64_t size, std::int64_t offset) {
    std::vector<char> expected(memory_.size(), untouched);
    std::memcpy(expected.data() + (data() - memory_.data()) + offset, bytes, static_cast<std::size_t>(size));
    return memory_ == expected;
  }

 private:
  static constexpr char untouched = '\x5a';
  std::vector<char> memory_;
};

// Writes pieces of these lengths; each third one is made in place with plain stores. Where `streaming` is false the
// writer is no more than a copy.
void check_pieces(const std::vector<std::int64_t>& pieces, std::int64_t offset, bool streaming) {
  std::int64_t total = 0;
  for (const std::int64_t piece : pieces) total += piece;
  const std::vector<char> source = noise(total + 1, 1);
  lines target(total + line + 2 * guard);
  strew::detail::ascending_writer writer{target.data() + guard + offset, streaming};
  std::int64_t done = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (k % 3 == 2) {
      char* const to = writer.begin_made();
      if (to != target.data() + guard + offset + done) FAIL("a piece would be made in another place");
      std::memcpy(to, source.data() + done, static_cast<std::size_t>(pieces[k]));
      writer.end_made(pieces[k]);
    } else {
      writer.write(source.data() + done, pieces[k]);
    }
    done += pieces[k];
  }
  writer.finish();
  strew::detail::stream_fence();
  if (target.hold_only(source.data(), total, guard + offset)) return;
  CAPTURE(pieces, offset, streaming);
  FAIL("something was not written, or beside its place");
}

TEST_CASE("pieces of every length, one after the other, at every byte of a line", "[stream]") {
  for (const bool streaming : {false, true}) {
    for (std::int64_t offset = 0; offset < line; ++offset) {
      for (const std::int64_t piece :
           {0, 1, 7, 31, 63, 64, 65, 127, 128, 200, 256, 500, 511, 512, 513, 960, 1024, 5000}) {
        check_pieces({piece, 300, 2 * piece, piece, 5, piece}, offset, streaming);
        check_pieces(std::vector<std::int64_t>(7, piece), offset, streaming);
      }
    }
  }
}

TEST_CASE("random pieces at every byte of a line", "[stream]") {
  random_source random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::int64_t> pieces;
    for (std::int64_t count = random.between(0, 40); count > 0; --count) {
      pieces.push_back(random.between(0, random.pick<std::int64_t>({3, 64, 150, 600, 1500})));
      if (random.one_in(4)) pieces.back() = pieces.back() / line * line;
    }
    check_pieces(pieces, trial % line, !random.one_in(8));
  }
}

TEST_CASE("a copy ahead has copied what it was asked for, and at the end all", "[stream]") {
  random_source random(11);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::int64_t offset = trial % line;
    const std::int64_t total = random.between(1, random.one_in(2) ? 3000 : 40'000);
    const std::vector<char> source = noise(total, 1);
    lines target(total + line + 2 * guard);
    char* const to = target.data() + guard + offset;
    strew::detail::lagged_copy ahead{to, source.data(), total, random.pick<std::int64_t>({0, 1000, 5000, int64_max})};
    std::int64_t end = 0;
    bool right = true;
    while (end < total && !random.one_in(20)) {
      end = std::min(total, end + random.between(0, random.one_in(3) ? 9000 : 300));
      ahead.advance_to(end);
      right = right && std::memcmp(to, source.data(), static_cast<std::size_t>(end)) == 0;
    }
    ahead.finish();
    if (right && target.hold_only(source.data(), total, guard + offset)) continue;
    CAPTURE(offset, total, end);
    FAIL("something was not copied, or beside its place");
  }
}

void check_lines(void (*stream_lines)(char* to, const char* from, std::int64_t bytes)) {
  constexpr std::int64_t most = 21 * line;
  const std::vector<char> source = noise(most + line, 1);
  for (std::int64_t bytes = 0; bytes <= most; bytes += line) {
    for (std::int64_t from = 0; from < line; ++from) {
      lines target(most + 2 * guard);
      stream_lines(target.data() + guard, source.data() + from, bytes);
      strew::detail::stream_fence();
      if (target.hold_only(source.data() + from, bytes, guard)) continue;
      CAPTURE(bytes, from);
      FAIL("a line was not written, or beside its place");
    }
  }
}

TEST_CASE("whole lines are streamed alike by stores of every width", "[stream]") {
  check_lines(strew::detail::stream_lines);
#if STREW_USE_INTRINSICS
  check_lines(strew::detail::stream_lines_16);
  if (__builtin_cpu_supports("avx") != 0) check_lines(strew::detail::stream_lines_32);
  if (__builtin_cpu_supports("avx512f") != 0) check_lines(strew::detail::stream_lines_64);
#endif
}

TEST_CASE("small outputs are never streamed, large ones where the processor tells its cache", "[stream]") {
  constexpr std::int64_t never = int64_max;
  constexpr std::int64_t least = strew::detail::tuning::measured.never_streamed;
  CHECK(strew::detail::streamed_from(0) == never);
  CHECK(strew::detail::streamed_from(least - 1) == never);
  const std::int64_t reported = strew::detail::largest_cache();
  CHECK((reported == 0 || reported >= 4096));
  const std::int64_t cache = std::min<std::int64_t>(reported, 64 << 20);  // that of a socket is not a process's
  for (const std::int64_t bytes : {least, std::int64_t{1} << 40}) {
    const std::int64_t from = strew::detail::streamed_from(bytes);
    if (cache == 0) {
      CHECK(from == never);
    } else {
      CHECK((from > cache / 2 && from < cache));
    }
  }
}

}  // namespace
}  // namespace strew::test
