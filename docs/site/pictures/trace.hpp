// SPDX-License-Identifier: Apache-2.0
// What a call of the library does, seen twice: with numbers, and with elements that remember which updates met them.
#ifndef STREW_SITE_TRACE_HPP
#define STREW_SITE_TRACE_HPP

#include <strew/strew.hpp>

#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace site {

struct grid {
  std::vector<double> values;
  strew::index_list extents;
};

// An element that remembers the numbers of the updates assigned to it, in their order. A sum joins what it remembers
// with one update more, so the same type shows what meets in a reduction.
struct mark {
  int number = -1;
  bool is_sum = false;
  std::vector<int> met;

  mark() = default;
  explicit mark(int update) : number{update} {}
  mark(const mark&) = default;
  ~mark() = default;
  mark& operator=(const mark& other) {
    if (other.is_sum) {
      met = other.met;
    } else {
      met.push_back(other.number);
    }
    return *this;
  }
  friend mark operator+(const mark& current, const mark& update) {
    mark result;
    result.is_sum = true;
    result.met = current.met;
    result.met.push_back(update.number);
    return result;
  }
};

struct traced {
  std::vector<double> output;
  std::vector<std::vector<int>> met;  // for each element of the output the updates that met it, in their order
};

// call(reduction, data, updates) or call(reduction, data, updates, output). Throws std::logic_error where the two ways
// of seeing the call, or its two forms, do not agree.
template <class Reduction, class Call>
traced trace(const grid& data, const grid& updates, Reduction reduction, const Call& call) {
  traced result;
  result.output.resize(data.values.size());
  const strew::tensor_view<const double> d{data.values.data(), data.extents};
  const strew::tensor_view<const double> u{updates.values.data(), updates.extents};
  call(reduction, d, u, strew::tensor_view<double>{result.output.data(), data.extents});

  std::vector<double> in_place = data.values;
  call(reduction, strew::tensor_view<double>{in_place.data(), data.extents}, u);
  if (in_place != result.output) throw std::logic_error("in place the output is another");

  std::vector<mark> marks(data.values.size());
  std::vector<mark> numbered;
  for (std::size_t k = 0; k < updates.values.size(); ++k) numbered.emplace_back(static_cast<int>(k));
  const strew::tensor_view<mark> seen{marks.data(), data.extents};
  const strew::tensor_view<const mark> sent{numbered.data(), updates.extents};
  constexpr bool is_plain = std::is_same_v<Reduction, strew::reduction::none_type>;
  if constexpr (is_plain) {
    call(strew::reduction::none, seen, sent);
  } else {
    call(strew::reduction::sum, seen, sent);
  }
  for (std::size_t e = 0; e < marks.size(); ++e) {
    const std::vector<int>& met = marks[e].met;
    const double last = met.empty() ? data.values[e] : updates.values[static_cast<std::size_t>(met.back())];
    if ((is_plain || met.empty()) && result.output[e] != last)
      throw std::logic_error("an element is not its last update");
    result.met.push_back(met);
  }
  return result;
}

}  // namespace site

#endif  // STREW_SITE_TRACE_HPP
