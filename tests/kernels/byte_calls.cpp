// SPDX-License-Identifier: Apache-2.0
#include "byte_calls.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

namespace strew::test {

struct chosen_executor {
  const runner& who;

  void operator()(std::size_t n, const task& body) const {
    for (std::size_t i = n; i-- > 0;) {
      if (who.runs_task == nullptr || who.runs_task(who.context, i, n)) body(i);
    }
  }
};

}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::chosen_executor> {
  static std::size_t concurrency(const strew::test::chosen_executor& ex) noexcept {
    return static_cast<std::size_t>(ex.who.threads);
  }
  static std::span<std::byte> memory(const strew::test::chosen_executor& ex) noexcept { return ex.who.memory; }
};

namespace strew::test {
namespace {

dynamic::tensor tensor_of(const byte_tensor& tensor, std::int64_t width) {
  const dynamic::element_type type{dynamic::element_kind::opaque, width};
  if (tensor.strides.size() == 0) return {tensor.data, type, tensor.extents};
  return {tensor.data, type, tensor.extents, tensor.strides};
}
dynamic::index_tensor tensor_of(const index_array& indices) {
  if (indices.strides.size() == 0) return {indices.data, indices.type, indices.extents};
  return {indices.data, indices.type, indices.extents, indices.strides};
}

// Calls body(ex).
template <class Body>
status with_executor(const runner& who, const Body& body) {
  if (who.threads == 0) return body(workspace{who.memory});
  return body(chosen_executor{who});
}

}  // namespace

status call_slice_scatter(const runner& who, std::int64_t width, const byte_tensor& data, const byte_tensor& updates,
                          const slice_spec& slice, const byte_tensor& output) {
  const dynamic::tensor from = tensor_of(data, width);
  const dynamic::tensor with = tensor_of(updates, width);
  const dynamic::tensor to = tensor_of(output, width);
  return with_executor(who, [&](const auto& ex) { return try_slice_scatter(ex, from, with, slice, to); });
}

status call_scatter(scatter_kind kind, const runner& who, std::int64_t width, const byte_tensor& data,
                    const index_array& indices, const byte_tensor& updates, int axis, const byte_tensor& output) {
  const dynamic::tensor from = tensor_of(data, width);
  const dynamic::index_tensor at = tensor_of(indices);
  const dynamic::tensor with = tensor_of(updates, width);
  const dynamic::tensor to = tensor_of(output, width);
  return with_executor(who, [&](const auto& ex) {
    switch (kind) {
      case scatter_kind::update:
        return try_scatter_update(ex, from, at, with, axis, to);
      case scatter_kind::elements_update:
        return try_scatter_elements_update(ex, from, at, with, axis, to);
      default:
        return onnx::try_scatter(ex, from, at, with, axis, to);
    }
  });
}

}  // namespace strew::test
