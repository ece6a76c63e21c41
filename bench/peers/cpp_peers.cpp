// SPDX-License-Identifier: Apache-2.0
// The Python module cpp_peers: the operators as Eigen, xtensor and two textbook loops do them, for NumPy arrays that
// are contiguous. Each function copies data to output and then writes updates, as a program that uses these would.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#define EIGEN_USE_THREADS
#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

using floats = py::array_t<float, py::array::c_style>;
using integers = py::array_t<std::int64_t, py::array::c_style>;

// Calls body with the rank, 1 to 3, as a constant.
template <class Body>
void with_rank(const floats& array, Body&& body) {
  switch (array.ndim()) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3>{});
    default:
      throw std::invalid_argument("cpp_peers: data has more than 3 axes");
  }
}

template <class Extents>
Extents extents_of(const floats& array) {
  Extents extents{};
  for (py::ssize_t k = 0; k < array.ndim(); ++k) {
    extents[static_cast<std::size_t>(k)] = static_cast<typename Extents::value_type>(array.shape(k));
  }
  return extents;
}

// ---- Eigen ----------------------------------------------------------------------------------------------------------

struct eigen_threads {
  explicit eigen_threads(int threads) : pool(threads), device(&pool, threads) {}
  Eigen::ThreadPool pool;
  Eigen::ThreadPoolDevice device;
};
std::unique_ptr<eigen_threads> threads_of_eigen;

void use_threads(int threads) {
  threads_of_eigen = threads > 1 ? std::make_unique<eigen_threads>(threads) : nullptr;
}

template <class Device, std::size_t Rank>
void eigen_slice_on(Device& device, const floats& data, const floats& updates, std::int64_t start, std::int64_t stop,
                    std::int64_t step, std::size_t axis, floats& output) {
  using list = Eigen::DSizes<Eigen::Index, static_cast<int>(Rank)>;
  using input = Eigen::TensorMap<const Eigen::Tensor<float, static_cast<int>(Rank), Eigen::RowMajor>>;
  using tensor = Eigen::TensorMap<Eigen::Tensor<float, static_cast<int>(Rank), Eigen::RowMajor>>;
  const list shape = extents_of<list>(data);
  const list part = extents_of<list>(updates);
  const input from(data.data(), shape);
  const input replacement(updates.data(), part);
  tensor to(output.mutable_data(), shape);

  list starts{}, stops = shape, steps{};
  std::fill(steps.begin(), steps.end(), 1);
  starts[axis] = start;
  stops[axis] = stop;
  steps[axis] = step;
  to.device(device) = from;
  if (step == 1) {
    to.slice(starts, part).device(device) = replacement;
  } else {
    to.stridedSlice(starts, stops, steps).device(device) = replacement;
  }
}

void eigen_slice(const floats& data, const floats& updates, std::int64_t start, std::int64_t stop, std::int64_t step,
                 std::size_t axis, floats& output) {
  with_rank(data, [&]<std::size_t Rank>(std::integral_constant<std::size_t, Rank>) {
    if (threads_of_eigen) {
      eigen_slice_on<Eigen::ThreadPoolDevice, Rank>(threads_of_eigen->device, data, updates, start, stop, step, axis,
                                                    output);
    } else {
      Eigen::DefaultDevice device;
      eigen_slice_on<Eigen::DefaultDevice, Rank>(device, data, updates, start, stop, step, axis, output);
    }
  });
}

void eigen_rows(const floats& data, const integers& indices, const floats& updates, std::size_t axis, floats& output) {
  using list = Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>;
  const list positions(indices.data(), indices.size());
  if (data.ndim() == 1) {
    using array = Eigen::Array<float, Eigen::Dynamic, 1>;
    Eigen::Map<array> to(output.mutable_data(), output.size());
    to = Eigen::Map<const array>(data.data(), data.size());
    to(positions) = Eigen::Map<const array>(updates.data(), updates.size());
    return;
  }
  using array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<array> to(output.mutable_data(), output.shape(0), output.shape(1));
  const Eigen::Map<const array> replacement(updates.data(), updates.shape(0), updates.shape(1));
  to = Eigen::Map<const array>(data.data(), data.shape(0), data.shape(1));
  if (axis == 0) {
    to(positions, Eigen::all) = replacement;
  } else {
    to(Eigen::all, positions) = replacement;
  }
}

// ---- xtensor --------------------------------------------------------------------------------------------------------

// `part` is xtensor's description of what is replaced on the axis.
template <class Part>
void xtensor_assign(const floats& data, const floats& updates, const Part& part, std::size_t axis, floats& output) {
  with_rank(data, [&]<std::size_t Rank>(std::integral_constant<std::size_t, Rank>) {
    using shape = std::array<std::size_t, Rank>;
    const auto adapt = [](auto* pointer, const floats& array) {
      return xt::adapt(pointer, static_cast<std::size_t>(array.size()), xt::no_ownership(), extents_of<shape>(array));
    };
    auto to = adapt(output.mutable_data(), output);
    const auto replacement = adapt(updates.data(), updates);
    xt::noalias(to) = adapt(data.data(), data);
    if (axis == 0) {
      xt::noalias(xt::view(to, Part(part))) = replacement;
    } else if constexpr (Rank > 1) {
      xt::noalias(xt::view(to, xt::all(), Part(part))) = replacement;
    }
  });
}

void xtensor_slice(const floats& data, const floats& updates, std::int64_t start, std::int64_t stop, std::int64_t step,
                   std::size_t axis, floats& output) {
  if (step == 1) {
    xtensor_assign(data, updates, xt::range(start, stop), axis, output);
  } else {
    xtensor_assign(data, updates, xt::range(start, stop, step), axis, output);
  }
}

void xtensor_rows(const floats& data, const integers& indices, const floats& updates, std::size_t axis,
                  floats& output) {
  const std::vector<std::ptrdiff_t> positions(indices.data(), indices.data() + indices.size());
  xtensor_assign(data, updates, xt::keep(positions), axis, output);
}

// ---- textbook loops -------------------------------------------------------------------------------------------------

using shape3 = std::array<std::int64_t, 3>;

struct tensor3 {
  explicit tensor3(const floats& array)
      : rank(static_cast<std::size_t>(array.ndim())), extents(extents_of<shape3>(array)) {
    std::int64_t stride = 1;
    for (std::size_t k = rank; k-- > 0; stride *= extents[k]) strides[k] = stride;
  }
  std::size_t rank;
  shape3 extents;
  shape3 strides{};
};

// Writes updates by walking their coordinates. position(i, c) is where the i-th update, of coordinate c on the axis,
// goes.
struct by_coordinates {
  template <class Position>
  static void scatter(const tensor3& from, const float* updates, std::int64_t count, std::size_t axis,
                      const tensor3& to, float* output, const Position& position) {
    shape3 coordinate{};
    for (std::int64_t i = 0; i < count; ++i) {
      shape3 target = coordinate;
      target[axis] = position(i, coordinate[axis]);
      std::int64_t offset = 0;
      for (std::size_t k = 0; k < to.rank; ++k) offset += target[k] * to.strides[k];
      output[offset] = updates[i];
      for (std::size_t k = from.rank; k-- > 0;) {
        if (++coordinate[k] < from.extents[k]) break;
        coordinate[k] = 0;
      }
    }
  }
};

// Likewise, by division of each update's number.
struct by_division {
  template <class Position>
  static void scatter(const tensor3& from, const float* updates, std::int64_t count, std::size_t axis,
                      const tensor3& to, float* output, const Position& position) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i;
      std::int64_t offset = 0;
      for (std::size_t k = from.rank; k-- > 0;) {
        const std::int64_t coordinate = rest % from.extents[k];
        rest /= from.extents[k];
        offset += (k == axis ? position(i, coordinate) : coordinate) * to.strides[k];
      }
      output[offset] = updates[i];
    }
  }
};

template <class Way, class Position>
void textbook(const floats& data, const floats& updates, std::size_t axis, floats& output, const Position& position) {
  std::copy_n(data.data(), data.size(), output.mutable_data());
  Way::scatter(tensor3(updates), updates.data(), updates.size(), axis, tensor3(output), output.mutable_data(),
               position);
}

template <class Way>
void textbook_slice(const floats& data, const floats& updates, std::int64_t start, std::int64_t, std::int64_t step,
                    std::size_t axis, floats& output) {
  textbook<Way>(data, updates, axis, output, [=](std::int64_t, std::int64_t c) { return start + c * step; });
}

template <class Way>
void textbook_rows(const floats& data, const integers& indices, const floats& updates, std::size_t axis,
                   floats& output) {
  const std::int64_t* const index = indices.data();
  textbook<Way>(data, updates, axis, output, [=](std::int64_t, std::int64_t c) { return index[c]; });
}

template <class Way>
void textbook_elements(const floats& data, const integers& indices, const floats& updates, std::size_t axis,
                       floats& output) {
  const std::int64_t* const index = indices.data();
  textbook<Way>(data, updates, axis, output, [=](std::int64_t i, std::int64_t) { return index[i]; });
}

}  // namespace

PYBIND11_MODULE(cpp_peers, module) {
  module.doc() = "The operators as other C++ does them, to be measured beside strew.";
  const auto version = [](int major, int minor, int patch) {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
  };
  py::dict versions;
  versions["Eigen"] = version(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  versions["xtensor"] = version(XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR, XTENSOR_VERSION_PATCH);
  module.attr("versions") = versions;

  module.def("use_threads", use_threads);
  module.def("eigen_slice", eigen_slice);
  module.def("eigen_rows", eigen_rows);
  module.def("xtensor_slice", xtensor_slice);
  module.def("xtensor_rows", xtensor_rows);
  module.def("coordinates_slice", textbook_slice<by_coordinates>);
  module.def("coordinates_rows", textbook_rows<by_coordinates>);
  module.def("coordinates_elements", textbook_elements<by_coordinates>);
  module.def("divmod_slice", textbook_slice<by_division>);
  module.def("divmod_rows", textbook_rows<by_division>);
  module.def("divmod_elements", textbook_elements<by_division>);
}
