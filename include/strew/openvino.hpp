// SPDX-License-Identifier: Apache-2.0
// The operators by their names in OpenVINO. Versions are namespaces, as in ov::op.
//
//   SliceScatter-15            v15::slice_scatter            or slice_scatter
//   ScatterUpdate-3            v3::scatter_update            or scatter_update
//   ScatterElementsUpdate-3    v3::scatter_elements_update   or scatter_elements_update
//   ScatterElementsUpdate-12   v12::scatter_elements_update
//   ScatterNDUpdate-3          v3::scatter_nd_update
//   ScatterNDUpdate-14, -15    v14::scatter_nd_update, v15::scatter_nd_update
#ifndef STREW_OPENVINO_HPP
#define STREW_OPENVINO_HPP

#include <strew/config.hpp>
#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_nd_update.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/slice_scatter.hpp>

namespace strew::inline STREW_ABI {

namespace v3 {
using strew::scatter_elements_update;
using strew::scatter_update;
using strew::try_scatter_elements_update;
using strew::try_scatter_update;
}  // namespace v3

namespace v15 {
using strew::slice_scatter;
using strew::try_slice_scatter;
using v14::scatter_nd_update;
using v14::scatter_nd_update_reductions;
using v14::try_scatter_nd_update;
}  // namespace v15

}  // namespace strew

#endif  // STREW_OPENVINO_HPP
