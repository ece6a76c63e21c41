// SPDX-License-Identifier: Apache-2.0
// Every operator on tensors that are no views: of a type that tensor_access is specialised for, and std::span of what
// has rank 1. The value of a fill is an element.
#include "walk.hpp"

#include <cstring>
#include <span>

namespace strew::test::matrix {
namespace {

// As another library may have it.
template <class T>
struct grid {
  const placed_bytes* memory;
};

}  // namespace
}  // namespace strew::test::matrix

template <class T>
struct strew::tensor_access<strew::test::matrix::grid<T>> {
  using grid = strew::test::matrix::grid<T>;
  static T* data(const grid& of) noexcept { return reinterpret_cast<T*>(of.memory->origin()); }
  static strew::index_list extents(const grid& of) noexcept { return of.memory->extents(); }
  static strew::index_list strides(const grid& of) noexcept { return of.memory->strides(); }
  static constexpr bool is_borrowed = true;
};

namespace strew::test::matrix {
namespace {

struct as_grids {
  template <class T>
  static grid<T> operand(const placed_bytes& from) {
    return {&from};
  }
};
struct as_spans {
  template <class T>
  static std::span<T> operand(const placed_bytes& from) {
    return {reinterpret_cast<T*>(from.origin()), from.size()};
  }
};

bool is_span(const placed_bytes& tensor) {
  return tensor.extents().size() == 1 && (tensor.strides()[0] == 1 || tensor.size() < 2);
}
bool are_spans(const scatter_case& on) {
  bool result = is_span(*on.data) && is_span(on.written()) && is_span(*on.updates) && (!on.mask || is_span(*on.mask));
  for (const placed_bytes& each : on.indices) result = result && is_span(each);
  return result;
}

struct other_tensors_form {
  static constexpr wanted_cases wanted{form::other_tensors};
  static constexpr std::size_t first_types = 3;
  static constexpr std::size_t types = 1;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call&, const R& reduce) {
    const auto attempt = [](const auto&... arguments) { return Calls::attempt(arguments...); };
    if constexpr (Calls::drawn_as == operation::index_fill || Calls::drawn_as == operation::masked_fill) {
      T value;
      std::memcpy(&value, on.updates->origin(), sizeof(T));  // random cases do not align what is only moved
      return with_indices<Calls, Index, as_grids>(on, [&](const auto& indices) {
        return Calls::arguments(
            on, as_grids::operand<const T>(*on.data), indices, value, reduce,
            [&](const auto&... arguments) { return attempt(arguments..., as_grids::operand<T>(on.written())); });
      });
    } else {
      if (are_spans(on)) return with_arguments<Calls, T, Index, as_spans>(on, reduce, attempt);
      return with_arguments<Calls, T, Index, as_grids>(on, reduce, attempt);
    }
  }
};
const walked_form here{form::other_tensors};

TEST_CASE("matrix: every operator on tensors of other libraries equals naive loops") {
  walk<other_tensors_form>();
}

}  // namespace
}  // namespace strew::test::matrix
