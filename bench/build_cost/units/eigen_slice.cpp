// SPDX-License-Identifier: Apache-2.0
#include <unsupported/Eigen/CXX11/Tensor>

using tensor = Eigen::Tensor<float, 2, Eigen::RowMajor>;
using coordinate = Eigen::DSizes<Eigen::Index, 2>;

void eigen_slice(Eigen::TensorMap<const tensor> data, Eigen::TensorMap<const tensor> updates, coordinate starts,
                 coordinate stops, coordinate steps, Eigen::TensorMap<tensor> output) {
  output = data;
  output.stridedSlice(starts, stops, steps) = updates;
}
