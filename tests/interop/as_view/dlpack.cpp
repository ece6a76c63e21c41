// SPDX-License-Identifier: Apache-2.0
// as_view on DLPack's structures: its own header's where that is installed, and the versioned one, which Debian's
// header does not have yet, by its published members.
#include "support/catch.hpp"

#include <dlpack/dlpack.h>
#include <strew/dynamic.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using strew::as_view;
using strew::errc;
using strew::index_list;
using strew::tensor_view;

struct versioned {
  struct {
    std::uint32_t major;
    std::uint32_t minor;
  } version;
  void* manager_ctx;
  void (*deleter)(versioned*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

struct floats {
  std::vector<float> memory = std::vector<float>(24, 1);
  std::vector<std::int64_t> shape{2, 3};
  std::vector<std::int64_t> strides{1, 2};
  DLTensor tensor{memory.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape.data(), nullptr, 0};
};

template <class T>
std::string message(const DLTensor& tensor) {
  tensor_view<T> view;
  return std::string(strew::try_as_view<T>(tensor, view).message().view());
}

TEST_CASE("DLPack: shapes, strides or none, an offset in bytes") {
  floats of;
  auto view = as_view<float>(of.tensor);
  CHECK(view.data() == of.memory.data());
  CHECK(view.extents() == index_list{2, 3});
  CHECK(view.strides() == index_list{3, 1});
  of.tensor.strides = of.strides.data();
  of.tensor.byte_offset = 8;
  view = as_view<float>(of.tensor);
  CHECK(view.data() == of.memory.data() + 2);
  CHECK(view.strides() == index_list{1, 2});
  CHECK(as_view<const float>(of.tensor).data() == view.data());
  of.tensor.ndim = 0;
  CHECK(as_view<float>(of.tensor).size() == 1);
  of.tensor.ndim = 1;
  of.shape[0] = 0;
  of.tensor.data = nullptr;
  CHECK(as_view<float>(of.tensor).empty());
  of.tensor.device.device_type = kDLCUDAHost;
  CHECK(as_view<float>(of.tensor).empty());
}

TEST_CASE("DLPack: what is refused, and why") {
  floats of;
  DLTensor bad = of.tensor;
  CHECK(message<double>(bad) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected floating-point ones of 8");
  CHECK(message<std::int32_t>(bad) ==
        "as_view: tensor has floating-point elements of 4 bytes, expected signed integers of 4");
  bad.dtype.lanes = 4;
  CHECK(message<float>(bad) == "as_view: tensor has elements of 4 lanes, expected 1");
  bad = of.tensor;
  bad.device.device_type = kDLCUDA;
  CHECK(message<float>(bad) == "as_view: tensor is on a device of DLPack's type 2: copy it to the host");
  bad = of.tensor;
  bad.ndim = 17;
  CHECK(message<float>(bad) == "as_view: tensor has rank 17, expected 0 to 16 (STREW_MAX_RANK)");
  bad.ndim = -1;
  CHECK(message<float>(bad) == "as_view: tensor has rank -1, expected 0 to 16 (STREW_MAX_RANK)");
  bad.ndim = 2;
  bad.shape = nullptr;
  CHECK(message<float>(bad) == "as_view: tensor has rank 2 and no shape");
  bad = of.tensor;
  bad.data = nullptr;
  CHECK(message<float>(bad) == "tensor_view: data is null, but extents [2, 3] hold elements");
  bad = of.tensor;
  bad.byte_offset = 2;
  CHECK(message<float>(bad) ==
        "as_view: tensor begins at an address that is no multiple of 4: strew::dynamic::tensor needs none");
  bad.byte_offset = ~std::uint64_t{0};
  CHECK(message<float>(bad) ==
        "as_view: tensor begins at an address that is no multiple of 4: strew::dynamic::tensor needs none");
  of.shape[1] = -3;
  CHECK(message<float>(of.tensor) == "tensor_view: extents[1] = -3 is negative");
  tensor_view<float> kept(of.memory.data(), {5});
  CHECK_FALSE(strew::try_as_view<float>(of.tensor, kept).ok());
  CHECK(kept.extents() == index_list{5});
  CHECK_THROWS_AS(as_view<float>(of.tensor), strew::scatter_error);
}

TEST_CASE("DLPack: element types") {
  floats of;
  const auto takes = [&]<class T>(T, int code, int bits) {
    of.tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
    tensor_view<T> view;
    return strew::try_as_view<T>(of.tensor, view).ok();
  };
  CHECK(takes(std::int8_t{}, kDLInt, 8));
  CHECK(takes(std::int64_t{}, kDLInt, 64));
  CHECK(takes(std::uint16_t{}, kDLUInt, 16));
  CHECK(takes(double{}, kDLFloat, 64));
  CHECK(takes(std::complex<float>{}, 5, 64));
  CHECK(takes(bool{}, 6, 8));
  CHECK_FALSE(takes(bool{}, kDLUInt, 8));
  CHECK_FALSE(takes(bool{}, 10, 8));  // a float of 8 bits, of which no bit pattern but two is a bool
  CHECK_FALSE(takes(float{}, 99, 32));
  CHECK_FALSE(takes(std::uint16_t{}, kDLBfloat, 16));
  // The bits of one are other numbers as the other.
  CHECK(takes(strew::dynamic::float16(0), kDLFloat, 16));
  CHECK(takes(strew::dynamic::bfloat16(0), kDLBfloat, 16));
  CHECK_FALSE(takes(strew::dynamic::float16(0), kDLBfloat, 16));
  CHECK_FALSE(takes(strew::dynamic::bfloat16(0), kDLFloat, 16));
  CHECK_FALSE(takes(strew::dynamic::float16(0), kDLInt, 16));
}

TEST_CASE("DLPack: managed tensors, of any version that is known, read-only ones as const") {
  floats of;
  static int deleted;
  deleted = 0;
  DLManagedTensor managed{of.tensor, nullptr, [](DLManagedTensor*) { ++deleted; }};
  CHECK(as_view<float>(managed).data() == of.memory.data());
  versioned newer{{1, 1}, nullptr, [](versioned*) { ++deleted; }, 0, of.tensor};
  CHECK(as_view<float>(newer).data() == of.memory.data());
  newer.flags = 1;
  CHECK(as_view<const float>(newer).data() == of.memory.data());
  tensor_view<float> view;
  CHECK(std::string(strew::try_as_view<float>(newer, view).message().view()) ==
        "as_view: tensor is read-only: view it as const elements");
  CHECK(strew::try_as_view<float>(newer, view).code() == errc::unreachable_memory);
  newer.version.major = 2;
  tensor_view<const float> read_only;
  CHECK(std::string(strew::try_as_view<const float>(newer, read_only).message().view()) ==
        "as_view: tensor is of DLPack's version 2, expected 1");
  CHECK(deleted == 0);
}

TEST_CASE("DLPack: an operator on tensors of a program in another language") {
  floats of;
  std::int64_t rows[] = {1};
  std::int64_t one[] = {1};
  DLTensor which{rows, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, one, nullptr, 0};
  const float line[] = {7, 8, 9};
  strew::scatter_update(as_view<float>(of.tensor), as_view<const std::int64_t>(which),
                        tensor_view<const float>(line, {1, 3}), 0);
  CHECK(of.memory[3] == 7);
  CHECK(of.memory[5] == 9);
}

}  // namespace
