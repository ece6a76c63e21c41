// SPDX-License-Identifier: Apache-2.0
// A tensor with the members of DLPack's, by which it is recognised where DLPack is not installed.
#ifndef STREW_TESTS_SUPPORT_DL_TENSOR_HPP
#define STREW_TESTS_SUPPORT_DL_TENSOR_HPP

#include <cstdint>

struct dl_tensor {
  void* data;
  struct {
    int device_type, device_id;
  } device;
  int ndim;
  struct {
    std::uint8_t code, bits;
    std::uint16_t lanes;
  } dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

#endif  // STREW_TESTS_SUPPORT_DL_TENSOR_HPP
