// SPDX-License-Identifier: Apache-2.0
// as_view on ONNX Runtime's own values.
#include "support/catch.hpp"

#include <onnxruntime_cxx_api.h>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using strew::as_view;
using strew::errc;
using strew::index_list;
using strew::tensor_view;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;

Ort::Value make(ONNXTensorElementDataType type, const std::vector<std::int64_t>& shape) {
  Ort::AllocatorWithDefaultOptions allocator;
  return Ort::Value::CreateTensor(allocator, shape.data(), shape.size(), type);
}

TEST_CASE("ONNX Runtime: tensors of its own and of lent memory") {
  Ort::Value tensor = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {3, 4});
  const auto view = as_view<float>(tensor);
  CHECK(view.data() == tensor.GetTensorMutableData<float>());
  CHECK(view.extents() == index_list{3, 4});
  std::array<std::int64_t, 6> memory{};
  const std::array<std::int64_t, 2> shape{2, 3};
  const auto info = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  Ort::Value lent =
      Ort::Value::CreateTensor<std::int64_t>(info, memory.data(), memory.size(), shape.data(), shape.size());
  CHECK(as_view<std::int64_t>(lent).data() == memory.data());
  CHECK(as_view<std::int64_t>(lent).extents() == index_list{2, 3});
  const Ort::Value& constant = lent;
  CHECK(as_view<const std::int64_t>(constant).data() == memory.data());
  tensor_view<std::int64_t> writable;
  CHECK(strew::try_as_view<std::int64_t>(constant, writable).code() == errc::unreachable_memory);
  Ort::Value scalar = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, {});
  CHECK(as_view<double>(scalar).rank() == 0);
  Ort::Value none = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {0, 4});
  CHECK(as_view<float>(none).empty());
  const auto unowned = tensor.GetUnowned();
  CHECK(as_view<const float>(unowned).size() == 12);
}

TEST_CASE("ONNX Runtime: element types") {
  const auto type_of = [](ONNXTensorElementDataType type) {
    Ort::Value value = make(type, {2});
    return strew::dynamic::as_tensor(value).type();
  };
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) == element_type{element_kind::floating_point, 4}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8) == element_type{element_kind::unsigned_integer, 1}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8) == element_type{element_kind::signed_integer, 1}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16) == element_type{element_kind::unsigned_integer, 2}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16) == element_type{element_kind::signed_integer, 2}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32) == element_type{element_kind::signed_integer, 4}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64) == element_type{element_kind::signed_integer, 8}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL) == element_type{element_kind::boolean, 1}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16) == element_type{element_kind::floating_point, 2}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE) == element_type{element_kind::floating_point, 8}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32) == element_type{element_kind::unsigned_integer, 4}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64) == element_type{element_kind::unsigned_integer, 8}));
  CHECK((type_of(ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16) == element_type{element_kind::brain_float, 2}));
  Ort::Value halves = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, {2});
  CHECK(as_view<Ort::Float16_t>(halves).size() == 2);
  Ort::Value strings = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, {2});
  tensor_view<const char> characters;
  CHECK(strew::try_as_view<const char>(strings, characters).code() == errc::type_mismatch);
  Ort::Value floats = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {2});
  tensor_view<std::int32_t> wrong;
  CHECK(std::string(strew::try_as_view<std::int32_t>(floats, wrong).message().c_str()) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected signed integers of 4");
}

TEST_CASE("ONNX Runtime: a scatter") {
  Ort::Value data = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {3, 2});
  Ort::Value indices = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, {1, 2});
  Ort::Value updates = make(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, {1, 2});
  for (int k = 0; k < 6; ++k) data.GetTensorMutableData<float>()[k] = 0;
  for (int k = 0; k < 2; ++k) {
    indices.GetTensorMutableData<std::int64_t>()[k] = k - 1;
    updates.GetTensorMutableData<float>()[k] = static_cast<float>(k + 5);
  }
  strew::onnx::scatter_elements(as_view<float>(data), as_view<const std::int64_t>(indices),
                                as_view<const float>(updates), 0);
  const auto* written = data.GetTensorData<float>();
  CHECK(written[4] == 5);
  CHECK(written[1] == 6);
  strew::onnx::scatter_elements(strew::dynamic::as_tensor(data), strew::dynamic::as_index_tensor(indices),
                                strew::dynamic::as_const_tensor(updates), 0, strew::reduction::sum);
  CHECK(written[4] == 10);
}

}  // namespace
