// SPDX-License-Identifier: Apache-2.0
// One unit of the program `seams`; STREW_ATTACK_UNIT names its function. The headers that it finds are those of the
// library, or the single header.
#include "dynamic_calls.hpp"
#include "executors.hpp"
#include "seams.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

namespace attack {

namespace {

template <std::size_t Size>
struct bytes {
  byte at[Size];
};

template <class T>
strew::tensor_view<T> view_of(const operand& from) {
  return {reinterpret_cast<T*>(from.first), list_of(from.shape), strides_of(from)};
}

// A callable for sub.
struct difference {
  template <class T>
  T operator()(const T& a, const T& b) const noexcept {
    return static_cast<T>(a - b);
  }
};

template <class T, class Index, class Ex>
bool call_typed(Ex& ex, const call_case& c, strew::status& made) {
  const auto data = view_of<const T>(c.data);
  const auto updates = view_of<const T>(c.updates);
  const auto output = view_of<T>(c.output);
  const auto indices = [&](int j) { return view_of<const Index>(c.indices[j]); };
  const bool is_plain = !c.skips_nan && c.how == policy::error;
  const bool is_none = c.by == reduce::none;
  switch (c.which) {
    case op::slice:
      made = strew::try_slice_scatter(ex, data, updates, slice_of(c), output);
      return true;
    case op::masked_scatter:
      made = strew::try_masked_scatter(ex, data, view_of<const bool>(c.indices[0]), updates, output);
      return true;
    case op::scatter_update:
      if (c.how == policy::drop) {
        made = strew::try_scatter_update(ex, data, strew::drop(indices(0)), updates, c.axis, output);
        return true;
      }
      if (is_plain) made = strew::try_scatter_update(ex, data, indices(0), updates, c.axis, output);
      return is_plain;
    case op::elements_v3:
      if (is_plain) made = strew::try_scatter_elements_update(ex, data, indices(0), updates, c.axis, output);
      return is_plain;
    case op::put:
      if (is_plain && is_none) made = strew::try_put(ex, data, indices(0), updates, output);
      return is_plain && is_none;
    case op::onnx_nd:
      if (is_plain && is_none) made = strew::onnx::try_scatter_nd(ex, data, indices(0), updates, output);
      return is_plain && is_none;
    default:
      break;
  }
  if constexpr (!std::is_class_v<T>) {
    switch (c.which) {
      case op::index_add:
        if (is_plain) made = strew::try_index_add(ex, data, c.axis, indices(0), updates, output);
        return is_plain;
      case op::nd_v14:
        if (!is_plain || c.by != reduce::sub) return false;
        made = strew::v14::try_scatter_nd_update(ex, data, indices(0), updates, difference{}, output);
        return true;
      case op::elements_v12: {
        const auto by = [&](const auto& reduction) {
          made = strew::v12::try_scatter_elements_update(ex, data, indices(0), updates, c.axis, reduction, output);
          return true;
        };
        if (!is_plain) return false;
        if (c.by == reduce::sum && c.with_init) return by(strew::reduction::sum);
        if (c.by == reduce::max && c.with_init) return by(strew::reduction::max);
        if (c.by == reduce::prod && !c.with_init) return by(strew::reduction::without_init(strew::reduction::prod));
        if (c.by == reduce::mean && c.with_init) return by(strew::reduction::mean);
        return false;
      }
      case op::index_put:
        if (!is_plain || c.by != reduce::sum || c.index_count != 2) return false;
        made =
            strew::try_index_put(ex, data, std::tuple{indices(0), indices(1)}, updates, strew::reduction::sum, output);
        return true;
      default:
        return false;
    }
  }
  return false;
}

template <class Ex>
bool call_any_type(Ex& ex, const call_case& c, strew::status& made) {
  const auto is = [&](kind of, std::int64_t size, index_kind index) {
    return c.of.is == of && c.of.size == size && c.index == index;
  };
  if (is(kind::unsigned_integer, 1, index_kind::int32)) return call_typed<std::uint8_t, std::int32_t>(ex, c, made);
  if (is(kind::floating, 4, index_kind::int64)) return call_typed<float, std::int64_t>(ex, c, made);
  if (is(kind::opaque, 3, index_kind::uint16)) return call_typed<bytes<3>, std::uint16_t>(ex, c, made);
  return false;
}

}  // namespace

bool STREW_ATTACK_UNIT(const call_case& c, bool is_typed, std::uint64_t seed, guarded_slot& memory, outcome& found,
                       std::string& text) {
  draws random(seed, 0);
  const any_executor ex = draw_executor(random, memory, c.data.shape.size() > 4096 ? 1 << 20 : 1 << 12);
  strew::status made;
  if (!is_typed) {
    made = call_dynamic(ex, c);
  } else if (!call_any_type(ex, c, made)) {
    return false;
  }
  set_outcome(made, found, text);
  return true;
}

}  // namespace attack
