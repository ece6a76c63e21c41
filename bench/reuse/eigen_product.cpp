// SPDX-License-Identifier: Apache-2.0
// The Python module eigen_product: output = data + matrix * updates, for a matrix in the form of SciPy's CSR and
// NumPy arrays that are contiguous.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <Eigen/SparseCore>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace py = pybind11;

namespace {

using floats = py::array_t<float, py::array::c_style>;
using integers = py::array_t<std::int32_t, py::array::c_style>;
using sparse = Eigen::SparseMatrix<float, Eigen::RowMajor, std::int32_t>;

template <class Dense>
void multiply(const Eigen::Map<const sparse>& matrix, const floats& updates, floats& output) {
  const Eigen::Index columns = output.size() / matrix.rows();
  const Eigen::Map<const Dense> from(updates.data(), matrix.cols(), columns);
  Eigen::Map<Dense> to(output.mutable_data(), matrix.rows(), columns);
  to.noalias() += matrix * from;
}

// `updates` has a row for each column of the matrix, `data` and `output` one for each of its rows.
void add_product(const integers& row_begins, const integers& columns, const floats& values, const floats& data,
                 const floats& updates, floats& output) {
  const Eigen::Index rows = row_begins.size() - 1;
  const Eigen::Map<const sparse> matrix(rows, columns.size(), columns.size(), row_begins.data(), columns.data(),
                                        values.data());
  std::memcpy(output.mutable_data(), data.data(), static_cast<std::size_t>(data.nbytes()));
  if (output.size() == rows) {
    multiply<Eigen::VectorXf>(matrix, updates, output);
  } else {
    multiply<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(matrix, updates, output);
  }
}

}  // namespace

PYBIND11_MODULE(eigen_product, module) {
  module.doc() = "A sparse product of Eigen.";
  module.attr("version") = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                           std::to_string(EIGEN_MINOR_VERSION);
  module.def("use_threads", [](int count) { Eigen::setNbThreads(count); });
  module.def("add_product", add_product, py::arg("row_begins").noconvert(), py::arg("columns").noconvert(),
             py::arg("values").noconvert(), py::arg("data").noconvert(), py::arg("updates").noconvert(),
             py::arg("output").noconvert());
}
