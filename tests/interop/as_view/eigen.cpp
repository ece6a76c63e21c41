// SPDX-License-Identifier: Apache-2.0
// as_view on Eigen's own types.
#include "support/catch.hpp"

#include <Eigen/Core>
#include <strew/strew.hpp>
#include <strew/view/as_view.hpp>
#include <unsupported/Eigen/CXX11/Tensor>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using strew::as_view;
using strew::index_list;

template <class Expected, class View>
constexpr bool is(const View&) {
  return std::is_same_v<View, strew::tensor_view<Expected>>;
}
// Whether a view shows each element where Eigen has it.
template <class View, class Matrix>
bool shows(const View& view, Matrix& matrix) {
  if (view.extents() != index_list{matrix.rows(), matrix.cols()}) return false;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      if (&view(i, j) != &matrix.coeffRef(i, j)) return false;
    }
  }
  return true;
}

TEST_CASE("matrices and arrays of either order, blocks, maps with strides") {
  Eigen::MatrixXf columns(4, 6);
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> rows(3, 5);
  Eigen::Array<int, 2, 3> array;
  CHECK(is<float>(as_view(columns)));
  CHECK(shows(as_view(columns), columns));
  CHECK(shows(as_view(rows), rows));
  CHECK(shows(as_view(array), array));
  auto block = columns.block(1, 2, 2, 3);
  CHECK(shows(as_view(block), block));
  CHECK(as_view(columns.block(1, 2, 2, 3)).data() == &columns(1, 2));
  Eigen::Ref<Eigen::MatrixXf> reference(columns);
  CHECK(shows(as_view(reference), reference));
  float memory[40] = {};
  Eigen::Map<Eigen::MatrixXf, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> map(
      memory, 3, 2, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(12, 3));
  CHECK(shows(as_view(map), map));
  const Eigen::MatrixXf& constant = columns;
  CHECK(is<const float>(as_view(constant)));
  const Eigen::Map<const Eigen::MatrixXf> read_only(memory, 3, 2);
  CHECK(is<const float>(as_view(read_only)));
  CHECK(as_view(read_only).strides() == index_list{1, 3});
  Eigen::MatrixXf none(0, 3);
  CHECK(as_view(none).extents() == index_list{0, 3});
}

TEST_CASE("vectors have rank 1") {
  Eigen::VectorXf vector(5);
  Eigen::RowVector3i row;
  Eigen::MatrixXf matrix(3, 4);
  CHECK(as_view(vector).extents() == index_list{5});
  CHECK(as_view(row).extents() == index_list{3});
  auto line = matrix.row(1);
  CHECK(as_view(line).extents() == index_list{4});
  CHECK(as_view(line).strides() == index_list{3});
  CHECK(&as_view(line)(2) == &matrix(1, 2));
}

TEST_CASE("tensors and maps of them") {
  Eigen::Tensor<float, 3> tensor(2, 3, 4);
  Eigen::Tensor<float, 3, Eigen::RowMajor> row_major(2, 3, 4);
  Eigen::TensorFixedSize<int, Eigen::Sizes<2, 5>> fixed;
  Eigen::Tensor<double, 0> scalar;
  const auto shows_tensor = [](const auto& view, auto& of) {
    bool all = view.extents() == index_list{2, 3, 4};
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 4; ++k) all = all && &view(i, j, k) == &of(i, j, k);
      }
    }
    return all;
  };
  CHECK(shows_tensor(as_view(tensor), tensor));
  CHECK(shows_tensor(as_view(row_major), row_major));
  CHECK(as_view(fixed).extents() == index_list{2, 5});
  CHECK(&as_view(fixed)(1, 2) == &fixed(1, 2));
  CHECK(as_view(scalar).rank() == 0);
  Eigen::TensorMap<Eigen::Tensor<float, 3>> map(tensor.data(), 2, 3, 4);
  CHECK(shows_tensor(as_view(map), map));
  const Eigen::Tensor<float, 3>& constant = tensor;
  CHECK(is<const float>(as_view(constant)));
}

TEST_CASE("rows of an Eigen matrix, scattered") {
  Eigen::MatrixXf table = Eigen::MatrixXf::Zero(4, 2);
  Eigen::MatrixXf updates(2, 2);
  updates << 1, 2, 3, 4;
  const std::vector<int> rows{2, 0};
  strew::index_add(table, 0, rows, updates);
  CHECK(table(2, 0) == 1);
  CHECK(table(2, 1) == 2);
  CHECK(table(0, 1) == 4);
  const Eigen::Vector2i which(3, 1);
  strew::scatter_update(table, which, updates, 0);
  CHECK(table(3, 0) == 1);
  CHECK(table(1, 1) == 4);
  strew::scatter_update(table.col(1), which, Eigen::Vector2f(8, 9), 0);  // a block of the matrix is an output, too
  CHECK(table(3, 1) == 8);
  Eigen::MatrixXf output(4, 2);
  strew::scatter_update(table, which, updates, 0, output);
  CHECK(output(3, 1) == 2);
  Eigen::Tensor<float, 2> tensor(4, 2);
  Eigen::Tensor<int, 2> at(1, 2);
  Eigen::Tensor<float, 2> values(1, 2);
  tensor.setZero();
  at.setValues({{2, 3}});
  values.setValues({{5, 6}});
  strew::onnx::scatter(tensor, at, values);
  CHECK(tensor(2, 0) == 5);
  CHECK(tensor(3, 1) == 6);
}

TEST_CASE("more axes than a view has, and a Ref that holds what it refers to") {
  Eigen::Tensor<float, 17> tensor;
  strew::tensor_view<float> view;
  CHECK(strew::try_as_view(tensor, view).code() == strew::errc::too_many_axes);
  using held = Eigen::Ref<const Eigen::MatrixXf>;
  CHECK_FALSE(strew::detail::is_borrowed<held>());
  CHECK(strew::detail::is_borrowed<Eigen::Ref<Eigen::MatrixXf>>());
  CHECK(strew::detail::is_borrowed<Eigen::Map<const Eigen::MatrixXf>>());
  CHECK_FALSE(strew::detail::typed_tensor<decltype((Eigen::MatrixXf() + Eigen::MatrixXf()).transpose())>);
}

}  // namespace
