// SPDX-License-Identifier: Apache-2.0
// as_view on OpenVINO's own tensors.
#include "support/catch.hpp"

#include <openvino/runtime/tensor.hpp>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using strew::as_view;
using strew::errc;
using strew::index_list;
using strew::tensor_view;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;

TEST_CASE("OpenVINO: tensors of its own, of lent memory, and parts of them") {
  ov::Tensor tensor(ov::element::f32, {3, 4});
  const auto view = as_view<float>(tensor);
  CHECK(view.data() == tensor.data<float>());
  CHECK(view.extents() == index_list{3, 4});
  CHECK(view.strides() == index_list{4, 1});
  ov::Tensor part(tensor, ov::Coordinate{1, 1}, ov::Coordinate{3, 3});
  CHECK(as_view<float>(part).strides() == index_list{4, 1});
  CHECK(as_view<float>(part).data() == tensor.data<float>() + 5);
  std::vector<std::int16_t> memory(12);
  ov::Tensor lent(ov::element::i16, ov::Shape{2, 3}, memory.data(), ov::Strides{12, 2});
  CHECK(as_view<std::int16_t>(lent).strides() == index_list{6, 1});
  const ov::Tensor scalar(ov::element::i64, ov::Shape{});
  CHECK(as_view<const std::int64_t>(scalar).rank() == 0);
  ov::Tensor none(ov::element::f32, {0, 4});
  CHECK(as_view<float>(none).empty());
}

TEST_CASE("OpenVINO: element types") {
  const auto type_of = [](ov::element::Type type) {
    ov::Tensor tensor(type, {2});
    return strew::dynamic::as_tensor(tensor).type();
  };
  CHECK((type_of(ov::element::boolean) == element_type{element_kind::boolean, 1}));
  CHECK((type_of(ov::element::bf16) == element_type{element_kind::brain_float, 2}));
  CHECK((type_of(ov::element::f16) == element_type{element_kind::floating_point, 2}));
  CHECK((type_of(ov::element::f64) == element_type{element_kind::floating_point, 8}));
  CHECK((type_of(ov::element::i8) == element_type{element_kind::signed_integer, 1}));
  CHECK((type_of(ov::element::i64) == element_type{element_kind::signed_integer, 8}));
  CHECK((type_of(ov::element::u16) == element_type{element_kind::unsigned_integer, 2}));
  CHECK((type_of(ov::element::f8e4m3) == element_type{element_kind::opaque, 1}));
  ov::Tensor halves(ov::element::f16, {4});
  CHECK(as_view<ov::float16>(halves).size() == 4);
  for (const auto type : {ov::element::u1, ov::element::i4, ov::element::string}) {
    ov::Tensor refused(type, {8});
    tensor_view<std::uint8_t> view;
    CHECK(strew::try_as_view<std::uint8_t>(refused, view).code() == errc::type_mismatch);
  }
  ov::Tensor floats(ov::element::f32, {4});
  tensor_view<std::int32_t> wrong;
  CHECK(std::string(strew::try_as_view<std::int32_t>(floats, wrong).message().c_str()) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected signed integers of 4");
}

TEST_CASE("OpenVINO: what must not be written") {
  const ov::Tensor constant(ov::element::f32, {2});
  tensor_view<float> view;
  CHECK(strew::try_as_view<float>(constant, view).code() == errc::unreachable_memory);
  const float memory[2] = {1, 2};
  ov::Tensor lent(ov::element::f32, ov::Shape{2}, static_cast<const void*>(memory));
  CHECK(as_view<const float>(lent).data() == memory);
  CHECK_THROWS(as_view<float>(lent));  // OpenVINO's own exception
}

TEST_CASE("OpenVINO: a scatter, by views and by the types that the tensors have") {
  ov::Tensor data(ov::element::f32, {3, 2});
  ov::Tensor indices(ov::element::i64, {1});
  ov::Tensor updates(ov::element::f32, {1, 2});
  for (int k = 0; k < 6; ++k) data.data<float>()[k] = 0;
  indices.data<std::int64_t>()[0] = 2;
  updates.data<float>()[0] = 5;
  updates.data<float>()[1] = 6;
  strew::scatter_update(as_view<float>(data), as_view<const std::int64_t>(indices), as_view<const float>(updates), 0);
  CHECK(data.data<float>()[5] == 6);
  indices.data<std::int64_t>()[0] = 1;
  strew::scatter_update(strew::dynamic::as_tensor(data), strew::dynamic::as_index_tensor(indices),
                        strew::dynamic::as_const_tensor(updates), 0);
  CHECK(data.data<float>()[2] == 5);
}

}  // namespace
