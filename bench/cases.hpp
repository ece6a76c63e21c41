// SPDX-License-Identifier: Apache-2.0
// A case: one call of an operator, checked against a plain loop.
#ifndef STREW_BENCH_CASES_HPP
#define STREW_BENCH_CASES_HPP

#include "buffers.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::bench {

inline constexpr std::int64_t KiB = 1024;
inline constexpr std::int64_t MiB = 1024 * KiB;

// A file with cases adds them by a function, and has one object of this type that names it.
class case_source {
 public:
  explicit case_source(void (*add_cases)()) { all().push_back(add_cases); }

  static void add_all() {
    for (const auto add_cases : all()) add_cases();
  }

 private:
  static std::vector<void (*)()>& all() {
    static std::vector<void (*)()> sources;
    return sources;
  }
};

// What an operator is compared with: a copy of data, a copy of the updates (which it is in place, too), or the loops
// that a user would write.
enum class twin { memcpy, memcpy_of_updates, loop };

// Extents of data, row-major, and the axis that is scattered on. An extent of `fill` is as large as the size wants.
inline constexpr std::int64_t fill = -1;
struct shape {
  index_list extents;
  int axis;

  [[nodiscard]] shape filled(std::int64_t elements) const {
    shape result = *this;
    for (const std::int64_t extent : extents) elements /= extent == fill ? 1 : extent;
    for (int k = 0; k < extents.size(); ++k) {
      if (extents[k] == fill) result.extents[k] = elements;
    }
    return result;
  }
  // The number of elements of the axes first .. last-1.
  [[nodiscard]] std::int64_t size(int first, int last) const {
    std::int64_t product = 1;
    for (int k = first; k < last; ++k) product *= extents[k];
    return product;
  }
  [[nodiscard]] std::int64_t extent() const { return extents[axis]; }
};

struct case_options {
  bool in_place = false;     // the output is data
  bool two_threads = false;  // also on two threads
  bool prepared = false;     // also as a prepared call
  bool made_anew = false;    // also with views that each call makes; for tensors of rank 1 also on containers
  bool workspace = false;    // with a workspace in bench/compare, too, whose old version asks for others
  bool loops = false;        // also the loops that a user would write: what no check and no plan takes
  twin compared_with = twin::memcpy;
};

struct case_description {
  std::string name;  // operator/case
  std::string type;
  shape data;
  std::int64_t updated;  // the extent of updates on the axis
  case_options options;
  // The bytes that the operator asks for on one thread and on two: where it asks for some it is also measured with
  // them.
  std::size_t workspace = 0;
  std::size_t workspace_of_two = 0;
};

template <class T>
std::string type_name() {
  const char* const kind = std::is_floating_point_v<T> ? "float" : std::is_unsigned_v<T> ? "uint" : "int";
  return kind + std::to_string(8 * sizeof(T));
}
// Elements of type T moved by indices of type I; int64 is not mentioned.
template <class T, class I>
std::string type_name() {
  return type_name<T>() + (std::is_same_v<I, std::int64_t> ? "" : "_by_" + type_name<I>());
}

// Beside the loops that a user would write, for one type.
template <class T, class I>
case_options with_loops(case_options options) {
  options.loops = type_name<T, I>() == "float32" && !options.in_place;
  return options;
}

inline std::string size_name(std::int64_t bytes) {
  if (bytes % KiB != 0) return std::to_string(bytes) + "B";
  return bytes < MiB ? std::to_string(bytes / KiB) + "KiB" : std::to_string(bytes / MiB) + "MiB";
}

// Of data.
template <class T>
std::int64_t byte_count(const case_description& c) {
  return c.data.size(0, c.data.extents.size()) * static_cast<std::int64_t>(sizeof(T));
}

// <operator>/<case>/<type>/<size>
template <class T>
std::string full_name(const case_description& c) {
  return c.name + (c.options.in_place ? "_in_place/" : "/") + c.type + '/' + size_name(byte_count<T>(c));
}

// The tensors of a case, in the shared buffers. In place, data is the output.
template <class T>
struct tensors {
  explicit tensors(const case_description& c)
      : outer{c.data.size(0, c.data.axis)},
        extent{c.data.extent()},
        inner{c.data.size(c.data.axis + 1, c.data.extents.size())},
        updated{c.updated} {
    index_list update_extents = c.data.extents;
    update_extents[c.data.axis] = updated;
    buffers& shared = shared_buffers();
    updates = {shared.updates.at_least<T>(outer * updated * inner), update_extents};
    output = {shared.output.at_least<T>(outer * extent * inner), c.data.extents};
    data = output;
    if (!c.options.in_place) data = {shared.data.at_least<T>(outer * extent * inner), c.data.extents};
  }

  // Row-major, as data[outer, extent, inner] and updates[outer, updated, inner].
  std::int64_t outer, extent, inner, updated;
  tensor_view<const T> data, updates;
  tensor_view<T> output;
};

// The indices of a case: an element of `indices` for each of count, as index(i) gives it.
template <class I, class Index>
const I* make_indices(std::int64_t count, Index index) {
  I* const indices = shared_buffers().indices.at_least<I>(count);
  for (std::int64_t i = 0; i < count; ++i) indices[i] = static_cast<I>(index(i));
  return indices;
}

// What becomes of an element that an update meets.
struct replaced {
  template <class T>
  T operator()(const T&, const T& update) const {
    return update;
  }
};

// What sums and maxima make of it.
struct sum {
  float operator()(float a, float b) const { return a + b; }
};
struct maximum {
  float operator()(float a, float b) const { return a < b ? b : a; }
};

// Small integers in place of random bits, of which many are not numbers; or one value for all updates.
inline void fill_with_numbers(const tensors<float>& t, bool are_alike = false) {
  float* const data = shared_buffers().data.at_least<float>(t.data.size());
  float* const updates = shared_buffers().updates.at_least<float>(t.updates.size());
  for (std::int64_t i = 0; i < t.data.size(); ++i) data[i] = static_cast<float>(i % 5);
  for (std::int64_t i = 0; i < t.updates.size(); ++i) updates[i] = are_alike ? 3.0F : static_cast<float>(i % 7);
}

// What a case does. call() runs the operator once; call(executor) runs it there: see calls.hpp. position(o, j, i) tells
// where updates[o, j, i] goes: it meets output[o, position, i].
template <class Call, class Position, class Combine = replaced>
struct operation {
  Call call;
  Position position;
  Combine combine{};
};
template <class Call, class Position>
operation(Call, Position) -> operation<Call, Position>;
template <class Call, class Position, class Combine>
operation(Call, Position, Combine) -> operation<Call, Position, Combine>;

template <class T>
std::int64_t byte_count(const tensor_view<T>& view) {
  return view.size() * static_cast<std::int64_t>(sizeof(T));
}

template <class To, class From>
void copy_all(To* to, const From& from) {
  std::memcpy(to, from.data(), static_cast<std::size_t>(byte_count(from)));
}

// The loops that every operator amounts to.
template <class T, class Operation>
void scatter_in_loops(const tensors<T>& t, const Operation& of, T* output) {
  copy_all(output, t.data);
  const T* update = t.updates.data();
  for (std::int64_t o = 0; o < t.outer; ++o) {
    for (std::int64_t j = 0; j < t.updated; ++j) {
      for (std::int64_t i = 0; i < t.inner; ++i) {
        T& element = output[(o * t.extent + of.position(o, j, i)) * t.inner + i];
        element = of.combine(element, *update++);
      }
    }
  }
}

// Ends the program if the operator does not give what the loops give: the time of a wrong result means nothing.
template <class T, class Call, class Operation>
void check(const case_description& c, const tensors<T>& t, Call call, const Operation& of) {
  T* const expected = shared_buffers().expected.at_least<T>(t.data.size());
  scatter_in_loops(t, of, expected);
  const auto bytes = static_cast<std::size_t>(byte_count(t.output));
  if (!c.options.in_place) std::memset(t.output.data(), 0xa5, bytes);
  call();
  if (std::memcmp(t.output.data(), expected, bytes) == 0) return;
  std::fprintf(stderr, "%s of %lld bytes: the output is wrong\n", c.name.c_str(), static_cast<long long>(bytes));
  std::exit(1);
}

}  // namespace strew::bench

#endif  // STREW_BENCH_CASES_HPP
