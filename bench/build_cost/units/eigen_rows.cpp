// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Core>

#include <cstdint>

using matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using list = Eigen::Array<std::int64_t, Eigen::Dynamic, 1>;

void eigen_rows(Eigen::Map<const matrix> data, Eigen::Map<const list> indices, Eigen::Map<const matrix> updates,
                Eigen::Map<matrix> output) {
  output = data;
  output(indices, Eigen::all) = updates;
}
