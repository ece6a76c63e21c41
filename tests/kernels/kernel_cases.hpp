// SPDX-License-Identifier: Apache-2.0
// Calls of the operators on tensors of three axes (outer, axis, inner), held to plain loops over bytes: each output is
// compared with what these loops write, and the memory between and around its elements must be left alone.
#ifndef STREW_TESTS_KERNELS_KERNEL_CASES_HPP
#define STREW_TESTS_KERNELS_KERNEL_CASES_HPP

#include "byte_calls.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/placement.hpp"
#include "support/random_source.hpp"

#include <strew/view/integer.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace strew::test {

// A tensor of elements of `width` bytes, and in the middle the axis that indices or slices are about.
struct dimensions {
  std::int64_t width;
  std::int64_t outer;
  std::int64_t axis;
  std::int64_t inner;

  [[nodiscard]] index_list extents() const { return {outer, axis, inner}; }
  [[nodiscard]] std::int64_t size() const { return outer * axis * inner; }
  [[nodiscard]] std::int64_t position(std::int64_t o, std::int64_t i, std::int64_t j) const {
    return (o * axis + i) * inner + j;
  }
};

inline std::string text_of(const dimensions& d) {
  return "width " + std::to_string(d.width) + ", extents (" + std::to_string(d.outer) + ", " + std::to_string(d.axis) +
         ", " + std::to_string(d.inner) + ")";
}

// How the elements of an operand lie. Only the last two repeat some.
enum class layout_kind { row_major, padded, apart, axis_reversed, inner_reversed, transposed, axis_repeated, repeated };

// The memory of an operand. It begins `offset` bytes into a cache line. Behind the elements of inputs there is nothing,
// so that the address sanitizer sees what is read there; outputs have guards.
class byte_operand {
 public:
  byte_operand(const dimensions& d, layout_kind kind, std::int64_t offset, std::int64_t guard)
      : d_(d),
        where_(place({d.outer, d.axis, d.inner}, strides_of(d, kind))),
        first_((guard + offset) + where_.first * d.width),
        size_(static_cast<std::size_t>(guard + offset + where_.span * d.width + guard)),
        memory_(static_cast<char*>(::operator new(size_, line))) {
    std::memset(memory_.get(), untouched, size_);
  }

  [[nodiscard]] byte_tensor tensor() { return {address(0, 0, 0), d_.extents(), where_.strides}; }
  [[nodiscard]] char* address(std::int64_t o, std::int64_t i, std::int64_t j) {
    const std::int64_t offset = o * where_.strides[0] + i * where_.strides[1] + j * where_.strides[2];
    return memory_.get() + first_ + offset * d_.width;
  }

  // Row-major bytes become the elements.
  void fill(const std::vector<char>& bytes) {
    for_each_run([&](char* at, std::int64_t position, std::size_t size) {
      std::memcpy(at, &bytes[static_cast<std::size_t>(position)], size);
    });
  }
  [[nodiscard]] bool holds(const std::vector<char>& bytes) {
    bool same = true;
    for_each_run([&](char* at, std::int64_t position, std::size_t size) {
      same = same && std::memcmp(at, &bytes[static_cast<std::size_t>(position)], size) == 0;
    });
    return same;
  }
  [[nodiscard]] std::vector<char> values() {
    std::vector<char> result(static_cast<std::size_t>(d_.size() * d_.width));
    for_each_run([&](const char* at, std::int64_t position, std::size_t size) {
      std::memcpy(&result[static_cast<std::size_t>(position)], at, size);
    });
    return result;
  }
  // Whether nothing was written but elements, whose values are lost by the question.
  [[nodiscard]] bool is_untouched_elsewhere() {
    for_each_run([](char* at, std::int64_t, std::size_t size) { std::memset(at, untouched, size); });
    const char* const all = memory_.get();
    return size_ == 0 || (*all == untouched && std::memcmp(all, all + 1, size_ - 1) == 0);
  }

 private:
  static constexpr char untouched = '\x5a';

  static constexpr std::align_val_t line{64};
  struct line_delete {
    void operator()(char* memory) const noexcept { ::operator delete(memory, line); }
  };

  static shape strides_of(const dimensions& d, layout_kind kind) {
    const std::int64_t block = d.axis * d.inner;
    switch (kind) {
      case layout_kind::padded:
        return {d.axis * (d.inner + 3), d.inner + 3, 1};
      case layout_kind::apart:
        return {2 * block, 2 * d.inner, 2};
      case layout_kind::axis_reversed:
        return {block, -d.inner, 1};
      case layout_kind::inner_reversed:
        return {block, d.inner, -1};
      case layout_kind::transposed:
        return {block, 1, d.axis};
      case layout_kind::axis_repeated:
        return {d.inner, 0, 1};
      case layout_kind::repeated:
        return {0, 0, 0};
      default:
        return {block, d.inner, 1};
    }
  }

  // Calls body(address, row-major byte, size) for runs that are contiguous in both.
  template <class Body>
  void for_each_run(const Body& body) {
    if (d_.size() == 0) return;
    const bool in_rows = where_.strides[2] == 1 || d_.inner == 1;
    const bool in_blocks = in_rows && (where_.strides[1] == d_.inner || d_.axis == 1);
    const std::int64_t rows = in_blocks ? d_.axis : 1;
    const std::int64_t columns = in_rows ? d_.inner : 1;
    for (std::int64_t o = 0; o < d_.outer; ++o) {
      for (std::int64_t i = 0; i < d_.axis; i += rows) {
        for (std::int64_t j = 0; j < d_.inner; j += columns) {
          body(address(o, i, j), d_.position(o, i, j) * d_.width, static_cast<std::size_t>(rows * columns * d_.width));
        }
      }
    }
  }

  dimensions d_;
  placement where_;
  std::int64_t first_;  // the byte of the element at coordinate 0
  std::size_t size_;
  std::unique_ptr<char, line_delete> memory_;
};

// In what circumstances a case is run: all of them.
struct circumstances {
  std::vector<std::int64_t> offsets;  // of the output in a cache line
  std::vector<runner> runners;
  bool also_in_place = true;
  layout_kind data = layout_kind::row_major;
  layout_kind updates = layout_kind::row_major;
  layout_kind output = layout_kind::row_major;

  // Holds call(who, data, output) to what it should write.
  template <class Call>
  void check(const dimensions& d, const std::vector<char>& values, const std::vector<char>& expected,
             const Call& call) const {
    for (const runner& who : runners) {
      for (const std::int64_t offset : offsets) {
        for (const bool in_place : {false, true}) {
          if (in_place && (!also_in_place || offset != offsets.front())) continue;
          const std::string found =
              deviation(d, values, expected, offset, in_place,
                        [&](const byte_tensor& from, const byte_tensor& to) { return call(who, from, to); });
          if (found.empty()) continue;  // an assertion of Catch2 takes longer than most calls
          const auto layouts = {static_cast<int>(data), static_cast<int>(updates), static_cast<int>(output)};
          CAPTURE(text_of(d), layouts, who.threads, who.memory.size(), offset, in_place);
          FAIL(found);
        }
      }
    }
  }

 private:
  // What one call did wrong; empty if nothing.
  template <class Call>
  [[nodiscard]] std::string deviation(const dimensions& d, const std::vector<char>& values,
                                      const std::vector<char>& expected, std::int64_t offset, bool in_place,
                                      const Call& call) const {
    constexpr std::int64_t guard = 128;
    byte_operand to(d, output, offset, guard);
    if (in_place) {
      to.fill(values);
      const status result = call(to.tensor(), to.tensor());
      if (!result.ok()) return std::string(result.message().view());
    } else {
      byte_operand from(d, data, offset / 2, 0);
      from.fill(values);
      const status result = call(from.tensor(), to.tensor());
      if (!result.ok()) return std::string(result.message().view());
      if (!from.holds(values)) return "data was written";
    }
    if (!to.holds(expected)) return "the output differs";
    if (!to.is_untouched_elsewhere()) return "memory beside the output was written";
    return "";
  }
};

// Makes updates of extents `u`, of which `target(o, i, j)` says to what coordinate of the axis they go, and has
// in.check hold call(who, data, updates, output) to the loops below.
template <class In, class Target, class Call>
void check_case(const dimensions& d, const dimensions& u, const In& in, const Target& target, const Call& call) {
  byte_operand drawn(d, in.data, 0, 0);
  drawn.fill(noise(d.size() * d.width, 1));
  const std::vector<char> data = drawn.values();
  byte_operand updates(u, in.updates, 16, 0);
  updates.fill(noise(u.size() * u.width, 2));
  std::vector<char> expected = data;
  for (std::int64_t o = 0; o < u.outer; ++o) {
    for (std::int64_t i = 0; i < u.axis; ++i) {
      for (std::int64_t j = 0; j < u.inner; ++j) {
        const std::int64_t to = d.position(o, target(o, i, j), j) * d.width;
        std::memcpy(&expected[static_cast<std::size_t>(to)], updates.address(o, i, j),
                    static_cast<std::size_t>(d.width));
      }
    }
  }
  INFO("updates of " << text_of(u));
  in.check(d, data, expected, [&](const runner& who, const byte_tensor& from, const byte_tensor& to) {
    return call(who, from, updates.tensor(), to);
  });
}

// Replaces the elements first, first + step, .. of the axis, `count` of them, as far as the first columns go.
template <class In>
void check_slice(const dimensions& d, std::int64_t first, std::int64_t step, std::int64_t count, std::int64_t columns,
                 const In& in) {
  const std::int64_t after = count == 0 ? first : first + (count - 1) * step + (step > 0 ? 1 : -1);
  const slice_spec slice{.start = {first, std::int64_t{0}},
                         .stop = {after < 0 ? int64_min : after, columns},
                         .step = {step, std::int64_t{1}},
                         .axes = {1, 2}};
  INFO("first " << first << ", step " << step << ", count " << count << ", columns " << columns);
  check_case(
      d, {d.width, d.outer, count, columns}, in,
      [&](std::int64_t, std::int64_t i, std::int64_t) { return first + i * step; },
      [&](const runner& who, const byte_tensor& data, const byte_tensor& updates, const byte_tensor& output) {
        return call_slice_scatter(who, d.width, data, updates, slice, output);
      });
}

// An array of integers, behind a byte that makes their addresses odd.
inline std::vector<char> index_bytes(index_type type, const std::vector<std::int64_t>& values) {
  const std::size_t size = std::size_t{1} << static_cast<unsigned>(type) % 4;
  std::vector<char> result(1 + values.size() * size);
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t byte = 0; byte < size; ++byte) {
      const std::size_t shift = 8 * (std::endian::native == std::endian::little ? byte : size - 1 - byte);
      result[1 + k * size + byte] = static_cast<char>(static_cast<std::uint64_t>(values[k]) >> shift);
    }
  }
  return result;
}

// Replaces the rows that the indices name.
template <class In>
void check_rows(const dimensions& d, index_type type, const std::vector<std::int64_t>& indices, const In& in) {
  const auto count = static_cast<std::int64_t>(indices.size());
  const std::vector<char> array = index_bytes(type, indices);
  INFO("index type " << static_cast<int>(type));
  check_case(
      d, {d.width, d.outer, count, d.inner}, in,
      [&](std::int64_t, std::int64_t i, std::int64_t) { return indices[static_cast<std::size_t>(i)]; },
      [&](const runner& who, const byte_tensor& data, const byte_tensor& updates, const byte_tensor& output) {
        return call_scatter(scatter_kind::update, who, d.width, data, {array.data() + 1, type, {count}}, updates, 1,
                            output);
      });
}

// Replaces the elements that the indices name. They have the extents of `u` and the strides, row-major if left out.
template <class In>
void check_elements(scatter_kind kind, const dimensions& d, const dimensions& u, index_type type,
                    const std::vector<std::int64_t>& indices, const In& in,
                    const std::vector<std::int64_t>& index_strides = {}) {
  const std::vector<char> array = index_bytes(type, indices);
  const std::vector<std::int64_t> strides =
      index_strides.empty() ? std::vector<std::int64_t>{u.axis * u.inner, u.inner, 1} : index_strides;
  INFO("index type " << static_cast<int>(type) << ", operator " << static_cast<int>(kind));
  check_case(
      d, u, in,
      [&](std::int64_t o, std::int64_t i, std::int64_t j) {
        const std::int64_t index = indices[static_cast<std::size_t>(o * strides[0] + i * strides[1] + j * strides[2])];
        return index < 0 ? index + d.axis : index;
      },
      [&](const runner& who, const byte_tensor& data, const byte_tensor& updates, const byte_tensor& output) {
        return call_scatter(kind, who, d.width, data, {array.data() + 1, type, u.extents(), strides}, updates, 1,
                            output);
      });
}

inline std::vector<std::int64_t> random_indices(std::int64_t count, std::int64_t low, std::int64_t high,
                                                std::uint64_t seed = 1) {
  random_source random(seed);
  std::vector<std::int64_t> result(static_cast<std::size_t>(count));
  for (std::int64_t& index : result) index = random.between(low, high);
  return result;
}

}  // namespace strew::test

#endif  // STREW_TESTS_KERNELS_KERNEL_CASES_HPP
