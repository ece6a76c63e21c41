// SPDX-License-Identifier: Apache-2.0
// The calls that cases make. Each is a struct, not a lambda, so that its operands can be read: bench/compare makes the
// same call of other headers.
#ifndef STREW_BENCH_CALLS_HPP
#define STREW_BENCH_CALLS_HPP

#include "cases.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strew::bench {

using extents_at_run_time = std::vector<std::int64_t>;
template <class T>
extents_at_run_time extents_of(const tensor_view<T>& view) {
  return {view.extents().begin(), view.extents().end()};
}
template <class T>
std::span<T> span_of(const tensor_view<T>& line) {
  return {line.data(), static_cast<std::size_t>(line.size())};
}

template <class T>
struct slice_scatter_call {
  tensors<T> operands;
  slice_spec slice;

  // The same call on views that it makes itself; and on spans.
  [[nodiscard]] auto made_anew() const {
    const tensors<T>& t = operands;
    return [data = t.data.data(), updates = t.updates.data(), output = t.output.data(), shape = extents_of(t.data),
            replaced = extents_of(t.updates), of = slice] {
      slice_scatter(tensor_view<const T>{data, shape}, tensor_view<const T>{updates, replaced}, of,
                    tensor_view<T>{output, shape});
    };
  }
  [[nodiscard]] auto on_containers() const {
    const tensors<T>& t = operands;
    return [data = span_of(t.data), updates = span_of(t.updates), output = span_of(t.output), of = slice] {
      slice_scatter(data, updates, of, output);
    };
  }

  template <class... Executors>
  void operator()(Executors&... executor) const {
    slice_scatter(executor..., operands.data, operands.updates, slice, operands.output);
  }
};

template <class T, class I>
struct indexed_call {
  tensors<T> operands;
  tensor_view<const I> indices;
  int axis;

  // The same call, prepared.
  template <class Operator>
  [[nodiscard]] auto prepare_for(const Operator& scatter) const {
    const tensors<T>& t = operands;
    return [call = prepare<T, I>(scatter, {t.data.layout(), indices.layout(), t.updates.layout(), t.output.layout()},
                                 axis),
            data = t.data.data(), at = indices.data(), updates = t.updates.data(),
            output = t.output.data()] { call.run(data, at, updates, output); };
  }
  // On views that it makes itself; and on spans.
  template <class Operator>
  [[nodiscard]] auto make_anew_for(const Operator& scatter) const {
    const tensors<T>& t = operands;
    return [&scatter, data = t.data.data(), at = indices.data(), updates = t.updates.data(), output = t.output.data(),
            shape = extents_of(t.data), positions = extents_of(indices), replaced = extents_of(t.updates), on = axis] {
      scatter(tensor_view<const T>{data, shape}, tensor_view<const I>{at, positions},
              tensor_view<const T>{updates, replaced}, on, tensor_view<T>{output, shape});
    };
  }
  template <class Operator>
  [[nodiscard]] auto take_containers_for(const Operator& scatter) const {
    const tensors<T>& t = operands;
    return [&scatter, data = span_of(t.data), at = span_of(indices), updates = span_of(t.updates),
            output = span_of(t.output), on = axis] { scatter(data, at, updates, on, output); };
  }
};

template <class T, class I>
struct scatter_update_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    scatter_update(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(scatter_update); }
  [[nodiscard]] auto made_anew() const { return this->make_anew_for(scatter_update); }
  [[nodiscard]] auto on_containers() const { return this->take_containers_for(scatter_update); }
};

template <class T, class I>
struct scatter_elements_update_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    scatter_elements_update(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(scatter_elements_update); }
  [[nodiscard]] auto made_anew() const { return this->make_anew_for(scatter_elements_update); }
  [[nodiscard]] auto on_containers() const { return this->take_containers_for(scatter_elements_update); }
};

template <class T, class I>
struct onnx_scatter_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    onnx::scatter(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(onnx::scatter); }
  [[nodiscard]] auto made_anew() const { return this->make_anew_for(onnx::scatter); }
  [[nodiscard]] auto on_containers() const { return this->take_containers_for(onnx::scatter); }
};

}  // namespace strew::bench

#endif  // STREW_BENCH_CALLS_HPP
