// SPDX-License-Identifier: Apache-2.0
// The calls that cases make. Each is a struct, not a lambda, so that its operands can be read: bench/compare makes the
// same call of other headers.
#ifndef STREW_BENCH_CALLS_HPP
#define STREW_BENCH_CALLS_HPP

#include "cases.hpp"

#include <strew/strew.hpp>

namespace strew::bench {

template <class T>
struct slice_scatter_call {
  tensors<T> operands;
  slice_spec slice;

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
};

template <class T, class I>
struct scatter_update_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    scatter_update(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(scatter_update); }
};

template <class T, class I>
struct scatter_elements_update_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    scatter_elements_update(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(scatter_elements_update); }
};

template <class T, class I>
struct onnx_scatter_call : indexed_call<T, I> {
  template <class... Executors>
  void operator()(Executors&... executor) const {
    const tensors<T>& t = this->operands;
    onnx::scatter(executor..., t.data, this->indices, t.updates, this->axis, t.output);
  }
  [[nodiscard]] auto prepared() const { return this->prepare_for(onnx::scatter); }
};

}  // namespace strew::bench

#endif  // STREW_BENCH_CALLS_HPP
