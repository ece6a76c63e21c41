// SPDX-License-Identifier: Apache-2.0
// as_view on PyTorch's own tensors.
#include <ATen/ATen.h>
#undef CHECK  // PyTorch's logging has one, too

#include "support/catch.hpp"

#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstdint>
#include <string>

namespace {

using strew::as_view;
using strew::errc;
using strew::index_list;
using strew::tensor_view;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;

TEST_CASE("PyTorch: tensors, slices and transposed ones") {
  at::Tensor tensor = at::zeros({3, 4}, at::kFloat);
  const auto view = as_view<float>(tensor);
  CHECK(view.data() == tensor.data_ptr<float>());
  CHECK(view.extents() == index_list{3, 4});
  const at::Tensor columns = tensor.t().slice(0, 1, 4, 2);
  CHECK(as_view<float>(columns).extents() == index_list{2, 3});
  CHECK(as_view<float>(columns).strides() == index_list{2, 4});
  CHECK(as_view<float>(columns).data() == tensor.data_ptr<float>() + 1);
  const at::Tensor row = at::ones({4});
  const at::Tensor expanded = row.expand({3, 4});
  CHECK(as_view<const float>(expanded).strides() == index_list{0, 1});
  const at::Tensor scalar = at::ones({}, at::kLong);
  CHECK(as_view<const std::int64_t>(scalar).rank() == 0);
  const at::Tensor none = at::ones({0, 3});
  CHECK(as_view<const float>(none).empty());
}

TEST_CASE("PyTorch: element types") {
  const auto type_of = [](at::ScalarType type) {
    const at::Tensor tensor = at::zeros({2}, type);
    return strew::dynamic::as_tensor(tensor).type();
  };
  CHECK((type_of(at::kByte) == element_type{element_kind::unsigned_integer, 1}));
  CHECK((type_of(at::kChar) == element_type{element_kind::signed_integer, 1}));
  CHECK((type_of(at::kShort) == element_type{element_kind::signed_integer, 2}));
  CHECK((type_of(at::kInt) == element_type{element_kind::signed_integer, 4}));
  CHECK((type_of(at::kLong) == element_type{element_kind::signed_integer, 8}));
  CHECK((type_of(at::kHalf) == element_type{element_kind::floating_point, 2}));
  CHECK((type_of(at::kFloat) == element_type{element_kind::floating_point, 4}));
  CHECK((type_of(at::kDouble) == element_type{element_kind::floating_point, 8}));
  CHECK((type_of(at::kComplexFloat) == element_type{element_kind::complex, 8}));
  CHECK((type_of(at::kComplexDouble) == element_type{element_kind::complex, 16}));
  CHECK((type_of(at::kBool) == element_type{element_kind::boolean, 1}));
  CHECK((type_of(at::kBFloat16) == element_type{element_kind::brain_float, 2}));
  CHECK((type_of(at::kFloat8_e4m3fn) == element_type{element_kind::opaque, 1}));
  CHECK((type_of(at::kUInt16) == element_type{element_kind::unsigned_integer, 2}));
  CHECK((type_of(at::kUInt64) == element_type{element_kind::unsigned_integer, 8}));
  const at::Tensor complex = at::zeros({2}, at::kComplexFloat);
  CHECK(as_view<std::complex<float>>(complex).size() == 2);
  CHECK(as_view<c10::complex<float>>(complex).size() == 2);
  const at::Tensor halves = at::zeros({2}, at::kHalf);
  CHECK(as_view<at::Half>(halves).size() == 2);
  tensor_view<std::int32_t> wrong;
  const at::Tensor floats = at::zeros({2});
  CHECK(std::string(strew::try_as_view<std::int32_t>(floats, wrong).message().c_str()) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected signed integers of 4");
}

TEST_CASE("PyTorch: what is no plain memory of the host") {
  tensor_view<float> view;
  CHECK(strew::try_as_view<float>(static_cast<const at::Tensor&>(at::Tensor()), view).code() == errc::null_data);
  const at::Tensor sparse = at::eye(3).to_sparse();
  CHECK(strew::try_as_view<float>(sparse, view).code() == errc::unreachable_memory);
  const at::Tensor meta = at::empty({3}, at::TensorOptions().device(at::kMeta));
  CHECK(std::string(strew::try_as_view<float>(meta, view).message().c_str()) ==
        "as_view: tensor is on a device: copy it to the host");
  tensor_view<std::complex<float>> numbers;
  const at::Tensor conjugate = at::ones({3}, at::kComplexFloat).conj();
  CHECK(strew::try_as_view<std::complex<float>>(conjugate, numbers).code() == errc::unreachable_memory);
  const at::Tensor resolved = conjugate.resolve_conj();
  CHECK(strew::try_as_view<std::complex<float>>(resolved, numbers).ok());
  const at::Tensor quantized = at::quantize_per_tensor(at::ones({4}), 0.5, 0, at::kQInt8);
  tensor_view<std::int8_t> bytes;
  CHECK(strew::try_as_view<std::int8_t>(quantized, bytes).code() == errc::type_mismatch);
}

TEST_CASE("PyTorch: a lazy copy is made before it is written") {
  const at::Tensor original = at::zeros({4});
  const at::Tensor copy = at::_lazy_clone(original);
  CHECK(as_view<const float>(copy).data() == as_view<const float>(original).data());
  as_view<float>(copy)(1) = 7;
  CHECK(original[1].item<float>() == 0);
  CHECK(copy[1].item<float>() == 7);
}

TEST_CASE("PyTorch: the same as its own scatters") {
  const at::Tensor data = at::arange(12, at::kFloat).reshape({3, 4});
  const at::Tensor index = at::tensor({2, 0}, at::kLong);
  const at::Tensor source = at::full({2, 4}, 5.0F);
  const at::Tensor expected = data.index_add(0, index, source);
  at::Tensor output = at::zeros({3, 4});
  strew::index_add(as_view<const float>(data), 0, as_view<const std::int64_t>(index), as_view<const float>(source),
                   as_view<float>(output));
  CHECK(at::equal(output, expected));
  const at::Tensor by_type = data.clone();
  strew::index_add(strew::dynamic::as_tensor(by_type), 0, strew::dynamic::as_index_tensor(index),
                   strew::dynamic::as_const_tensor(source));
  CHECK(at::equal(by_type, expected));
}

}  // namespace
