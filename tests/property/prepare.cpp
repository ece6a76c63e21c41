// SPDX-License-Identifier: Apache-2.0
// Prepared and bound scatters against the operators' oracles on random cases.
#include "property.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace strew::test {
namespace {

struct prepared {
  template <class Ex, class Prepared, class D, class I, class U, class O>
  static status run(Ex& ex, const Prepared& call, const D& data, const I& indices, const U& updates, const O& output) {
    return call.try_run(ex, data.data(), indices.data(), updates.data(), output.data());
  }
};

// Between binding and the run the indices change.
struct bound {
  template <class Ex, class T, class Index, class Operator, class... Rest, class D, class I, class U, class O>
  static status run(Ex& ex, const prepared_scatter<T, Index, Operator, Rest...>& call, const D& data, const I& indices,
                    const U& updates, const O& output) {
    const std::unique_ptr<std::byte[]> memory(new std::byte[call.bound_bytes() + 1]);
    bound_scatter<T, Index, Operator, Rest...> all;
    status outcome = call.try_bind(indices.data(), std::span(memory.get() + 1, call.bound_bytes()), all);
    if (!outcome.ok()) return outcome;
    auto* const writable = const_cast<Index*>(indices.data());
    const auto from = static_cast<std::ptrdiff_t>(indices.layout().lowest_offset());
    const auto span =
        static_cast<std::size_t>(indices.layout().highest_offset() - indices.layout().lowest_offset() + 1);
    std::vector<Index> before;
    if (!indices.empty()) {
      before.assign(writable + from, writable + from + span);
      std::fill(writable + from, writable + from + span, std::numeric_limits<Index>::max());
    }
    outcome = all.try_run(ex, data.data(), updates.data(), output.data());
    const std::size_t wanted = all.workspace_bytes();
    if (outcome.ok() && wanted > 0 && data.data() != output.data()) {
      const auto lent = std::make_unique_for_overwrite<std::byte[]>(wanted);  // valgrind sees what is not written
      outcome = all.try_run(workspace(std::span(lent.get(), wanted), ex), data.data(), updates.data(), output.data());
    }
    if (!indices.empty()) std::copy(before.begin(), before.end(), writable + from);
    return outcome;
  }
};

// An operator that is called by way of `How`.
template <class Operator, const auto& Scatter, class How>
struct prepared_operator : Operator {
  template <class Ex, class D, class I, class U, class O>
  static status attempt_on(Ex& ex, const D& data, const I& indices, const U& updates, std::int64_t axis,
                           const O& output) {
    using element = typename O::value_type;
    using index = typename I::value_type;
    const operand_layouts layouts{data.layout(), indices.layout(), updates.layout(), output.layout()};
    auto call = prepare<element, index>(Scatter, {{}, {}, {}, {}}, 0);
    const status outcome = try_prepare<element, index>(Scatter, layouts, axis, call);
    return outcome.ok() ? How::run(ex, call, data, indices, updates, output) : outcome;
  }

  template <class D, class I, class U, class O>
  static status attempt(const D& data, const I& indices, const U& updates, std::int64_t axis, const O& output) {
    return attempt_on(serial, data, indices, updates, axis, output);
  }
  template <class D, class I, class U>
  static status attempt(const D& data, const I& indices, const U& updates, std::int64_t axis) {
    return attempt_on(serial, data, indices, updates, axis, data);
  }
  template <class D, class I, class U, class... Output>
  static status attempt(backwards ex, const D& data, const I& indices, const U& updates, std::int64_t axis,
                        const Output&... output) {
    return attempt_on(ex, data, indices, updates, axis, std::get<sizeof...(Output)>(std::tie(data, output...)));
  }
  template <class... Arguments>
  static void call(const Arguments&... arguments) {
    const status outcome = attempt(arguments...);
    if (!outcome.ok()) throw scatter_error(outcome);
  }
};

template <class How>
using prepared_rows = prepared_operator<scatter_update_operator, scatter_update, How>;
template <class How>
using prepared_elements = prepared_operator<scatter_elements_update_operator, scatter_elements_update, How>;
template <class How>
using prepared_onnx = prepared_operator<onnx_scatter_operator, onnx::scatter, How>;

// Ranks up to 4 leave extents on which many indices name many elements.
constexpr std::int64_t most_axes = 4;

using prepared_types =
    std::tuple<types<short, signed char>, types<short, unsigned long>, types<float, long>, types<float, int>,
               types<double, unsigned int>, types<colour, int>, types<record, long>, types<std::string, short>>;

TEMPLATE_LIST_TEST_CASE("a prepared scatter does on any operands what the operator's oracle says", "[prepare]",
                        prepared_types) {
  using T = typename TestType::element;
  using I = typename TestType::index;
  for_each_seed<types<float, long>>(deviation_of_rows<prepared_rows<prepared>, T, I, most_axes>);
  for_each_seed<types<float, long>>(deviation_of_elements<prepared_elements<prepared>, T, I, most_axes>);
  for_each_seed<types<float, long>>(deviation_of_elements<prepared_onnx<prepared>, T, I, most_axes>);
}

TEMPLATE_LIST_TEST_CASE("a bound scatter does on any operands what the operator's oracle says, without the indices",
                        "[prepare]", prepared_types) {
  using T = typename TestType::element;
  using I = typename TestType::index;
  for_each_seed<types<float, long>>(deviation_of_rows<prepared_rows<bound>, T, I, most_axes>);
  for_each_seed<types<float, long>>(deviation_of_elements<prepared_elements<bound>, T, I, most_axes>);
  for_each_seed<types<float, long>>(deviation_of_elements<prepared_onnx<bound>, T, I, most_axes>);
}

}  // namespace
}  // namespace strew::test
