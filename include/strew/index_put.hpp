// SPDX-License-Identifier: Apache-2.0
// index_put and put (PyTorch): slices and elements named by several tensors of indices, or by row-major numbers.
#ifndef STREW_INDEX_PUT_HPP
#define STREW_INDEX_PUT_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/general_operator.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/reduction_memory.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

// Of index_put and put: to accumulate or not.
inline constexpr reduction_set index_put_reductions{.has_prod = false, .has_order = false};

namespace detail::inline STREW_CODE {

// The numbers of tuples in a tensor each.
template <class... Index>
class tensors_of_indices {
 public:
  using loop_integer = std::int64_t;
  static constexpr bool may_be_direct =
      sizeof...(Index) == 1 && (... && is_loop_index<std::remove_const_t<Index>>)&&(... && (sizeof(Index) == 8));
  static constexpr bool may_be_negative = (... || std::is_signed_v<Index>);

  constexpr explicit tensors_of_indices(const std::tuple<tensor_view<Index>...>& indices) noexcept
      : indices_{read_only(indices, std::index_sequence_for<Index...>{})} {}

  [[nodiscard]] constexpr int count() const noexcept { return static_cast<int>(sizeof...(Index)); }
  [[nodiscard]] constexpr const strided_layout& layout(int j) const noexcept {
    const strided_layout* result = nullptr;
    visit(j, [&](const auto& view) { result = &view.layout(); });
    return *result;
  }
  [[nodiscard]] constexpr bool is_unsigned(int j) const noexcept {
    bool result = false;
    visit(j, [&]<class One>(const tensor_view<One>&) { result = std::is_unsigned_v<std::remove_const_t<One>>; });
    return result;
  }
  [[nodiscard]] constexpr std::int64_t bits(int j, std::int64_t offset) const noexcept {
    std::int64_t result = 0;
    visit(j, [&](const auto& view) { result = static_cast<std::int64_t>(view.data()[offset]); });
    return result;
  }
  template <class T>
  [[nodiscard]] constexpr answer meets(const tensor_view<T>& output) const noexcept {
    answer worst = answer::no;
    for (int j = 0; j < count(); ++j) {
      visit(j, [&](const auto& view) { worst = either(worst, generic::meets(output, view)); });
    }
    return worst;
  }
  template <index_rule Rule>
  void list(tuple_component* to) const noexcept {
    for (int j = 0; j < count(); ++j) {
      visit(j, [&]<class One>(const tensor_view<One>& view) {
        to[j] = {address(view.data()), &view.layout(), &index_leaves_of<sized_index<std::remove_const_t<One>>, Rule>};
      });
    }
  }

 private:
  template <std::size_t... J>
  static constexpr auto read_only(const std::tuple<tensor_view<Index>...>& indices,
                                  std::index_sequence<J...>) noexcept {
    return std::tuple<tensor_view<const std::remove_const_t<Index>>...>{std::get<J>(indices)...};
  }
  // Calls body with tensor j.
  template <class Body>
  constexpr void visit(int j, const Body& body) const {
    std::apply(
        [&](const auto&... views) {
          int i = 0;
          (static_cast<void>(i++ == j ? (body(views), 0) : 0), ...);
        },
        indices_);
  }

  std::tuple<tensor_view<const std::remove_const_t<Index>>...> indices_;
};

template <class... Index>
constexpr tensors_of_indices<Index...> source_of(const std::tuple<tensor_view<Index>...>& indices) noexcept {
  return tensors_of_indices<Index...>(indices);
}

// A tuple of tensors as views; what else dynamic.hpp has stays what it is.
template <class Indices>
constexpr Indices views_of(const Indices& indices, status&) noexcept {
  return indices;
}
template <class... Tensors>
constexpr auto views_of(const std::tuple<Tensors...>& tensors, status& error) noexcept {
  return std::apply(
      [&](const auto&... each) { return std::tuple<viewed<decltype(each)>...>{view_foreign(each, error)...}; },
      tensors);
}

// What index_put takes for indices; dynamic.hpp has more.
template <class Tensor>
inline constexpr bool is_view_of_indices = false;
template <index_integer Index>
inline constexpr bool is_view_of_indices<tensor_view<Index>> = true;
template <class Indices>
inline constexpr bool are_tensors_of_indices = false;
template <class... Tensors>
inline constexpr bool are_tensors_of_indices<std::tuple<Tensors...>> =
    sizeof...(Tensors) > 0 && (is_view_of_indices<viewed<const std::remove_reference_t<Tensors>&>> && ...);
template <class... Tensors>
inline constexpr bool is_plain_argument<std::tuple<Tensors...>> = true;

// index_put: data, tuple of indices, values, reduction (if any), output (if any).
struct index_put_operator {
  template <class Ex, class Data, class Indices, class Updates, class... Options>
    requires(sizeof...(Options) <= 2)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Options&... options) {
    constexpr bool are_views = are_tensors_of_indices<bare_indices<Indices>>;
    static_assert(are_views,
                  "strew: the indices of index_put are a std::tuple of strew::tensor_view of integers, or of tensors "
                  "that strew::as_view takes, one for each axis from the first on; of tensors whose types are known at "
                  "run time only a std::span");
    if constexpr (are_views) {
      with_options(
          data,
          [&](const auto& reduce, const auto& output) {
            using output_type = std::remove_cvref_t<decltype(output)>;
            if constexpr (check_operand_types<Data, Updates, output_type>()) {
              if constexpr (check_reduction<view_element<output_type>, std::remove_cvref_t<decltype(reduce)>,
                                            index_put_reductions>()) {
                const auto views = views_of(without_policy(indices), error);
                if (!error.ok()) return;
                run_checked(ex, error, read_only(data), source_of(views), read_only(updates), reduce, output,
                            policy_of<Indices>);
              }
            }
          },
          options...);
    }
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, std::tuple of indices, values, reduction (if any), "
                  "output (if any)");
  }

 private:
  template <class Ex, class Data, class Source, class Updates, class R, class Output>
  static constexpr void run_checked(Ex& ex, status& error, const Data& data, const Source& source,
                                    const Updates& updates, const R& reduce, const Output& output,
                                    index_policy policy) {
    constexpr const char* operation = "index_put";
    const int count = source.count();
    if (count < 1) {
      refuse(error, errc::rank_mismatch, operation, "indices", " holds no tensor, expected at least 1");
      return;
    }
    const auto check = [&](const shared_memory& shared, target_shape& shape, status& found) {
      if (!check_output(operation, data.layout(), output.layout(), shared, found)) return false;
      if (count > data.rank()) {
        return refuse(found, errc::rank_mismatch, operation, "indices",
                      " holds {0} tensors, expected at most {1} (the rank of data)", {count, data.rank()});
      }
      const index_list& positions = source.layout(0).extents();
      for (int j = 1; j < count; ++j) {
        if (!check_extents(operation, "indices", source.layout(j).extents(), positions, "the first of its tensors",
                           found)) {
          return false;
        }
      }
      shape.axes = {0, count};
      shape.extents = data.extents();
      return check_tuple_updates(operation, updates.extents(), positions, data.extents(), count, "indices", found) &&
             check_apart(operation, shared.indices, "indices", found) &&
             check_apart(operation, shared.updates, "updates", found);
    };
    run_targets<index_rule::wrapping, scatter_motion::rows>(
        ex, data, source, updates, output, offered<index_put_reductions>(reduce),
        {operation, index_rule::wrapping, policy, naming::views}, check, error);
  }
};

// A row-major view as one of rank 1.
template <class T>
constexpr tensor_view<T> flat(const tensor_view<T>& view) noexcept {
  tensor_view<T> result;
  static_cast<void>(tensor_view<T>::try_make(view.data(), view.size(), result));  // no larger than the view
  return result;
}

// put: data, indices, source, reduction (if any), output (if any).
struct put_operator {
  template <class Ex, class Data, class Indices, class Updates, class... Options>
    requires(sizeof...(Options) <= 2)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Options&... options) {
    with_operands<index_put_reductions>(
        data, indices, updates,
        [&](const auto& d, const auto& i, const auto& u, const auto& reduce, const auto& output) {
          run_checked(ex, error, d, i, u, reduce, output, policy_of<Indices>);
        },
        options...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, index, source, reduction (if any), output (if any)");
  }

 private:
  template <class Ex, class Data, class Indices, class Updates, class R, class Output>
  static constexpr void run_checked(Ex& ex, status& error, const Data& data, const Indices& indices,
                                    const Updates& updates, const R& reduce, const Output& output,
                                    index_policy policy) {
    constexpr const char* operation = "put";
    const bool is_flat = data.layout().is_row_major() && output.layout().is_row_major() &&
                         data.extents() == output.extents() && data.rank() > 0;
    const auto check = [&](const shared_memory& shared, target_shape& shape, status& found) {
      shape.axes = {0, is_flat ? 1 : data.rank()};
      shape.extents = data.size();
      return check_output(operation, data.layout(), output.layout(), shared, found) &&
             check_extents(operation, "updates", updates.extents(), indices.extents(), "indices", found) &&
             check_apart(operation, shared.indices, "indices", found) &&
             check_apart(operation, shared.updates, "updates", found);
    };
    run_targets<index_rule::wrapping, scatter_motion::rows>(
        ex, is_flat ? flat(data) : data, source_of(indices), updates, is_flat ? flat(output) : output,
        offered<index_put_reductions>(reduce), {operation, index_rule::wrapping, policy, naming::number}, check, error);
  }
};

}  // namespace detail

// output = data; for each coordinate i of the indices, in row-major order: output[i0[i], .., ik-1[i], ..] = values[i,
// ..], or += with reduction::sum (accumulate).
//
//   data[d0, .., dr-1], std::tuple of k views of indices [n0, ..], values[n0, .., dk, .., dr-1] -> output[d0, .., dr-1]
//
//   index_put(data, std::tuple{i0, i1}, values, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none, the last of equal tuples winning; without
// `output` in place. 1 <= k <= r; all indices have one shape, their types may differ. Indices on axis j lie in
// [-d_j, d_j - 1]. Masks, slices and new axes in PyTorch's tuple are to be made with views. A policy goes around the
// tuple: strew::drop(std::tuple{i0, i1}). Errors: those of v14::scatter_nd_update. O(data.size() + values.size()), no
// heap. Document: torch.Tensor.index_put_.
STREW_KEYED inline constexpr detail::general_operator<detail::index_put_operator, detail::by_exception> index_put;
// Without exceptions: returns what index_put throws.
STREW_KEYED inline constexpr detail::general_operator<detail::index_put_operator, detail::by_status> try_index_put;

// The bytes of a workspace with which index_put is fastest, see v14::scatter_nd_update_workspace; `tensors` is how many
// there are in the tuple and `indices_extents` are those of each.
template <class T>
STREW_KEYED [[nodiscard]] constexpr std::size_t index_put_workspace(const index_list& data_extents,
                                                                    const index_list& indices_extents,
                                                                    std::int64_t tensors,
                                                                    std::size_t threads = 1) noexcept {
  return detail::tuple_workspace<T>(data_extents, indices_extents, tensors, threads);
}

// output = data; for each coordinate i of `index`, in row-major order: the element of the output with the row-major
// number index[i] becomes source[i], or += with reduction::sum (accumulate).
//
//   data[d0, .., dr-1], index[n0, ..], source[n0, ..] -> output[d0, .., dr-1]
//
//   put(data, index, source, reduction, output)
//
// with an executor first if there is one; without `reduction` it is none; without `output` in place. r >= 1. Numbers
// count along the coordinates of the view, whatever its strides, and lie in [-size, size - 1]. Errors: rank_mismatch,
// extent_mismatch, repeated_element, overlap, index_out_of_bounds, all found before the first write.
// O(data.size() + source.size()), no heap; views that are not row-major are served by one thread.
// Document: torch.Tensor.put_, numpy.put (with strew::clip or strew::wrap for its modes).
STREW_KEYED inline constexpr detail::general_operator<detail::put_operator, detail::by_exception> put;
// Without exceptions: returns what put throws.
STREW_KEYED inline constexpr detail::general_operator<detail::put_operator, detail::by_status> try_put;

// The bytes of a workspace with which put is fastest on row-major data, see v14::scatter_nd_update_workspace.
template <class T>
STREW_KEYED [[nodiscard]] constexpr std::size_t put_workspace(const index_list& data_extents,
                                                              const index_list& indices_extents,
                                                              std::size_t threads = 1) noexcept {
  return detail::tuple_workspace<T>(data_extents, indices_extents, data_extents.size(), threads);
}

}  // namespace strew

#endif  // STREW_INDEX_PUT_HPP
