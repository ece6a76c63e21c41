// SPDX-License-Identifier: Apache-2.0
// Whether a layout has an element twice, and whether two operands share memory: answers beside sets of all offsets and
// bytes, for random and adversarial strides. An answer may be `undecided`, which callers refuse; it must never be
// wrong. No search takes longer than its bound, and calls on operands of one buffer are refused or right.
#include "draws.hpp"
#include "guarded.hpp"

#include <strew/onnx.hpp>
#include <strew/openvino.hpp>
#include <strew/view/overlap.hpp>

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace attack;
using strew::detail::overlap_result;
using numbers = std::vector<std::int64_t>;

struct tally {
  std::uint64_t yes = 0, no = 0, undecided = 0;
  double longest = 0;  // microseconds
  int most_steps = 0;
};
tally repeated, shared;

strew::strided_layout layout_of(const numbers& extents, const numbers& strides, std::size_t size) {
  strew::strided_layout result;
  const strew::status made = strew::strided_layout::try_make(extents, strides, size, result);
  if (!made.ok()) fail(std::string("a layout: ") + made.message().c_str());
  return result;
}
std::string text_of(const numbers& extents, const numbers& strides) {
  std::string text = "(";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ",";
  text += ") strides (";
  for (const std::int64_t stride : strides) text += std::to_string(stride) + ",";
  return text + ")";
}

// All offsets of a layout, in row-major order.
std::vector<std::int64_t> offsets_of(const numbers& extents, const numbers& strides) {
  std::vector<std::int64_t> all{0};
  for (std::size_t k = 0; k < extents.size(); ++k) {
    std::vector<std::int64_t> next;
    next.reserve(all.size() * static_cast<std::size_t>(extents[k]));
    for (const std::int64_t offset : all) {
      for (std::int64_t i = 0; i < extents[k]; ++i) next.push_back(offset + i * strides[k]);
    }
    all.swap(next);
  }
  return all;
}

void count_steps(tally& in, int steps) {
  in.most_steps = std::max(in.most_steps, steps);
  // The step after the last one that is allowed finds that it is not.
  if (steps > strew::detail::bounded_sums::step_limit + 1) fail("a search of " + std::to_string(steps) + " steps");
}

// Strides that make searches long: numbers that are nearly in proportion, of many divisors, sums of others, powers of
// two and their neighbours, Fibonacci's numbers.
void draw_strides(draws& random, std::size_t rank, std::int64_t most, numbers& strides) {
  strides.clear();
  const std::int64_t family = random.below(6);
  const std::int64_t base = random.between(1, most);
  for (std::size_t k = 0; k < rank; ++k) {
    std::int64_t stride = 1;
    switch (family) {
      case 0:
        stride = random.between(0, most);
        break;
      case 1:
        stride = base + random.between(-3, 3);
        break;
      case 2:
        stride = 12 * random.between(1, std::max<std::int64_t>(most / 12, 1)) + (random.one_in(5) ? 1 : 0);
        break;
      case 3:
        stride = (std::int64_t{1} << random.below(20)) % (most + 1) + random.between(-1, 1);
        break;
      case 4: {
        std::int64_t a = 1;
        std::int64_t b = 2;
        for (std::int64_t n = random.below(24); n > 0 && b < most; --n) {
          const std::int64_t sum = a + b;
          a = b;
          b = sum;
        }
        stride = a;
        break;
      }
      default:
        // The sum of two others, and one more or less.
        stride = k < 2 ? random.between(1, most) : strides[k - 1] + strides[k - 2] + random.between(-1, 1);
        stride = stride > 4 * most ? random.between(1, most) : stride;
    }
    strides.push_back(random.one_in(3) ? -stride : stride);
  }
}
void draw_extents(draws& random, std::size_t rank, std::int64_t most_elements, numbers& extents) {
  extents.clear();
  std::int64_t left = most_elements;
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t extent = std::min(left, random.one_in(6) ? random.between(1, 40) : random.between(1, 4));
    extents.push_back(extent);
    left /= extent;
  }
  for (std::size_t k = rank; k > 1; --k) {
    std::swap(extents[k - 1], extents[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(k)))]);
  }
}

// Microseconds of the processor, which other programs do not lengthen.
double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

template <class Search>
overlap_result timed(tally& in, const Search& search) {
  const double begin = thread_time();
  const overlap_result answer = search();
  in.longest = std::max(in.longest, thread_time() - begin);
  ++(answer == overlap_result::yes ? in.yes : answer == overlap_result::no ? in.no : in.undecided);
  count_calls(1);
  return answer;
}

void count_repeated_steps(const strew::strided_layout& layout) {
  if (layout.empty() || strew::detail::nests(layout)) return;
  int steps = 0;
  static_cast<void>(strew::detail::search_repeated(layout, steps));
  count_steps(repeated, steps);
}
void count_shared_steps(std::int64_t distance, const strew::strided_layout& a, std::uint64_t a_size,
                        const strew::strided_layout& b, std::uint64_t b_size) {
  int steps = 0;
  static_cast<void>(strew::detail::search_shared(distance, a, a_size, b, b_size, steps));
  count_steps(shared, steps);
}

void check_repeated(draws& random) {
  set_step("repeated elements");
  numbers extents;
  numbers strides;
  const auto rank = static_cast<std::size_t>(random.between(1, random.one_in(4) ? 12 : 5));
  draw_extents(random, rank, random.one_in(50) ? 20000 : 600, extents);
  draw_strides(random, rank, random.pick<std::int64_t>({8, 60, 1000, 100000}), strides);
  const strew::strided_layout layout = layout_of(extents, strides, 1);
  const overlap_result answer = timed(repeated, [&] { return strew::detail::find_repeated(layout); });
  count_repeated_steps(layout);
  if (strew::has_distinct_elements(layout) != (answer == overlap_result::no)) fail("two answers for one layout");
  if (answer == overlap_result::undecided) return;
  std::vector<std::int64_t> all = offsets_of(extents, strides);
  std::sort(all.begin(), all.end());
  const bool repeats = std::adjacent_find(all.begin(), all.end()) != all.end();
  if (repeats != (answer == overlap_result::yes)) {
    fail((repeats ? "a repeated element is missed: " : "no element is repeated: ") + text_of(extents, strides));
  }
}

void check_shared(draws& random) {
  set_step("shared memory");
  numbers extents[2];
  numbers strides[2];
  const std::int64_t most = random.pick<std::int64_t>({8, 60, 1000, 20000});
  std::int64_t sizes[2];
  for (int k = 0; k < 2; ++k) {
    const auto rank = static_cast<std::size_t>(random.between(0, random.one_in(4) ? 8 : 4));
    draw_extents(random, rank, random.one_in(50) ? 3000 : 200, extents[k]);
    draw_strides(random, rank, most, strides[k]);
    sizes[k] = random.one_in(2) ? 1 : random.between(1, 16);
  }
  if (random.one_in(2)) sizes[1] = sizes[0];
  // The same strides, for one layout inside of the other.
  if (random.one_in(3)) {
    strides[1] = strides[0];
    extents[1] = extents[0];
  }
  const std::vector<std::int64_t> first = offsets_of(extents[0], strides[0]);
  const std::vector<std::int64_t> second = offsets_of(extents[1], strides[1]);
  // About where their ranges meet.
  const auto pick = [&](const std::vector<std::int64_t>& from, std::int64_t size) {
    return from[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(from.size())))] * size;
  };
  const std::int64_t distance =
      pick(first, sizes[0]) - pick(second, sizes[1]) + random.between(-sizes[1] - 1, sizes[0] + 1);
  const strew::strided_layout a = layout_of(extents[0], strides[0], static_cast<std::size_t>(sizes[0]));
  const strew::strided_layout b = layout_of(extents[1], strides[1], static_cast<std::size_t>(sizes[1]));
  const auto a_size = static_cast<std::uint64_t>(sizes[0]);
  const auto b_size = static_cast<std::uint64_t>(sizes[1]);
  const overlap_result answer =
      timed(shared, [&] { return strew::detail::find_shared(distance, a, a_size, b, b_size); });
  if (answer == overlap_result::undecided) return;
  std::vector<std::int64_t> begins;
  for (const std::int64_t offset : first) begins.push_back(offset * sizes[0]);
  std::sort(begins.begin(), begins.end());
  bool share = false;
  for (const std::int64_t offset : second) {
    const std::int64_t begin = distance + offset * sizes[1];
    // The first element of the other that ends after this one begins.
    const auto found = std::upper_bound(begins.begin(), begins.end(), begin - sizes[0]);
    share = share || (found != begins.end() && *found < begin + sizes[1]);
  }
  if (share != (answer == overlap_result::yes)) {
    fail((share ? "shared memory is missed: " : "no memory is shared: ") + text_of(extents[0], strides[0]) + " of " +
         std::to_string(sizes[0]) + " bytes, " + text_of(extents[1], strides[1]) + " of " + std::to_string(sizes[1]) +
         " bytes, distance " + std::to_string(distance));
  }
}

// Layouts of the largest rank and span, whose elements cannot be listed: the search ends at its bound.
void check_bound(draws& random) {
  set_step("the bound of the search");
  constexpr std::int64_t largest = std::numeric_limits<std::ptrdiff_t>::max();
  const auto rank = static_cast<std::size_t>(random.between(2, strew::max_rank));
  numbers extents;
  numbers strides;
  const std::int64_t span = largest / static_cast<std::int64_t>(2 * rank);
  const std::int64_t extent = random.between(2, 6);
  std::int64_t count = 1;
  const std::int64_t family = random.below(4);
  const std::int64_t base = random.between(span / 20, span / 8);
  std::int64_t end = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    extents.push_back(random.one_in(3) ? random.between(2, extent) : extent);
    if (count > largest / extents.back() / 2) extents.back() = 1;
    count *= extents.back();
    const std::int64_t most = span / 8;
    const std::int64_t stride = family == 0   ? random.between(1, most)
                                : family == 1 ? base + random.between(-1000, 1000)
                                : family == 2 ? 2 * random.between(1, most / 2) + (k + 1 == rank ? 1 : 0)
                                              : (base >> random.below(12)) + random.between(0, 1);
    strides.push_back(stride);
    end += (extents.back() - 1) * stride;
  }
  const strew::strided_layout layout = layout_of(extents, strides, 1);
  const overlap_result once = timed(repeated, [&] { return strew::detail::find_repeated(layout); });
  if (once == overlap_result::no && layout.size() > end + 1) fail("more elements than offsets, and none twice");
  const std::int64_t distance = random.between(1, std::max<std::int64_t>(end, 1));
  const overlap_result two = timed(shared, [&] { return strew::detail::find_shared(distance, layout, 1, layout, 1); });
  const overlap_result back =
      timed(shared, [&] { return strew::detail::find_shared(-distance, layout, 1, layout, 1); });
  count_repeated_steps(layout);
  if (two != overlap_result::no) count_shared_steps(distance, layout, 1, layout, 1);
  // Both directions are one question; either may end at the bound.
  if (two != back && two != overlap_result::undecided && back != overlap_result::undecided) {
    fail("the answer depends on the order of the operands: " + text_of(extents, strides));
  }
}

// Calls on three operands in one buffer.
void check_calls(draws& random, const guarded_block& block) {
  set_step("a call on operands of one buffer");
  const auto size = static_cast<std::int64_t>(block.size());
  std::memset(block.begin(), 0, block.size());
  for (std::size_t k = 0; k < block.size(); ++k) block.begin()[k] = static_cast<byte>(random.next());
  numbers extents;
  const auto rank = static_cast<std::size_t>(random.between(1, 3));
  draw_extents(random, rank, 60, extents);
  struct placed {
    numbers strides;
    std::int64_t first = 0;
    std::vector<std::int64_t> at;  // all positions in the buffer
  };
  const auto place = [&](const numbers& shape) {
    placed result;
    draw_strides(random, shape.size(), random.pick<std::int64_t>({4, 12, 30}), result.strides);
    result.at = offsets_of(shape, result.strides);
    const auto [low, high] = std::minmax_element(result.at.begin(), result.at.end());
    if (*high - *low >= size) return placed{};
    result.first = random.between(-*low, size - 1 - *high);
    // Near the others, where they meet.
    if (random.one_in(2)) result.first = std::clamp(size / 2 + random.between(-9, 9), -*low, size - 1 - *high);
    for (std::int64_t& offset : result.at) offset += result.first;
    return result;
  };
  placed output = place(extents);
  placed data = random.one_in(2) ? output : place(extents);
  numbers of_updates = extents;
  const std::int64_t count = random.between(1, 4);
  of_updates[0] = count;
  placed updates = place(of_updates);
  if (output.at.empty() || data.at.empty() || updates.at.empty()) return;
  std::vector<std::int32_t> indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(static_cast<std::int32_t>(random.below(extents[0])));

  const auto sorted = [](std::vector<std::int64_t> from) {
    std::sort(from.begin(), from.end());
    return from;
  };
  const std::vector<std::int64_t> written = sorted(output.at);
  const auto meets = [&](const placed& input) {
    return std::any_of(input.at.begin(), input.at.end(), [&](std::int64_t position) {
      return std::binary_search(written.begin(), written.end(), position);
    });
  };
  const bool repeats = std::adjacent_find(written.begin(), written.end()) != written.end();
  // The same element for each coordinate: strides of axes of one element do not matter.
  const bool is_in_place = data.at == output.at;
  const bool is_error = repeats || (!is_in_place && meets(data)) || meets(updates);
  std::vector<byte> expected(block.begin(), block.end());
  if (!is_error) {
    for (std::size_t k = 0; k < output.at.size(); ++k) {
      expected[static_cast<std::size_t>(output.at[k])] = block.begin()[data.at[k]];
    }
    const std::size_t row = output.at.size() / static_cast<std::size_t>(extents[0]);
    for (std::size_t k = 0; k < updates.at.size(); ++k) {
      const auto target = static_cast<std::size_t>(indices[k / row]) * row + k % row;
      expected[static_cast<std::size_t>(output.at[target])] = block.begin()[updates.at[k]];
    }
  }
  byte* const memory = block.begin();
  const strew::tensor_view<const byte> data_view(memory + data.first, extents, data.strides);
  const strew::tensor_view<const byte> updates_view(memory + updates.first, of_updates, updates.strides);
  const strew::tensor_view<byte> output_view(memory + output.first, extents, output.strides);
  const strew::status outcome = strew::try_scatter_update(
      data_view, strew::tensor_view<const std::int32_t>(indices.data(), {count}), updates_view, 0, output_view);
  count_call(!outcome.ok());
  const std::string text = std::string(outcome.message().c_str()) + ", output " + text_of(extents, output.strides) +
                           " at " + std::to_string(output.first) + ", data " + text_of(extents, data.strides) + " at " +
                           std::to_string(data.first) + ", updates " + text_of(of_updates, updates.strides) + " at " +
                           std::to_string(updates.first);
  if (outcome.ok() && is_error) fail("operands that share memory are accepted: " + text);
  if (!outcome.ok() && !is_error) fail("operands that share nothing are refused: " + text);
  if (std::memcmp(expected.data(), memory, block.size()) != 0) fail("another result: " + text);
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 100000);
  const guarded_block block(1);
  for (std::uint64_t k = 0; k < chosen.cases; ++k) {
    set_case("overlap", chosen.seed, chosen.first + k);
    draws random(chosen.seed, chosen.first + k);
    switch (random.below(32)) {
      case 0:
        check_bound(random);
        break;
      case 1:
      case 2:
      case 3:
      case 4:
        check_calls(random, block);
        break;
      default:
        if (random.one_in(2)) {
          check_repeated(random);
        } else {
          check_shared(random);
        }
    }
  }
  const auto print = [](const char* what, const tally& of) {
    std::printf("overlap: %s: %llu yes, %llu no, %llu undecided, at most %d steps, %.0f us\n", what,
                static_cast<unsigned long long>(of.yes), static_cast<unsigned long long>(of.no),
                static_cast<unsigned long long>(of.undecided), of.most_steps, of.longest);
  };
  print("repeated elements", repeated);
  print("shared memory", shared);
  return finish("overlap");
}
