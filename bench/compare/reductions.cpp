// SPDX-License-Identifier: Apache-2.0
#include "reductions.hpp"

#include "prepare.hpp"

#include <cstdint>
#include <memory>

namespace compare::STREW_COMPARE_VERSION {

namespace {

template <class Run>
call keep(const Run& run, means how) {
  const auto kept = std::make_shared<const operands<Run>>(run);
  if (how == means::two_threads) {
    return [kept, pool = std::make_shared<library::thread_pool>(2u)] { kept->run(*pool); };
  }
  return [kept] { kept->run(); };
}

}  // namespace

call prepare_reduction(reduction_call which, const arguments<float, std::int64_t>& a, means how) {
  const auto data = view_of(a.data), updates = view_of(a.updates);
  const auto indices = view_of(a.indices);
  const auto output = view_of(a.output);
  const std::int64_t axis = a.axis;
  switch (which) {
    case reduction_call::index_copy:
      return keep([=](auto&... ex) { library::index_copy(ex..., data, axis, indices, updates, output); }, how);
    case reduction_call::index_add:
      return keep([=](auto&... ex) { library::index_add(ex..., data, axis, indices, updates, output); }, how);
    case reduction_call::index_reduce_mean:
      return keep(
          [=](auto&... ex) {
            library::index_reduce(ex..., data, axis, indices, updates, library::reduction::mean, output);
          },
          how);
    case reduction_call::elements_sum:
      return keep(
          [=](auto&... ex) {
            library::v12::scatter_elements_update(ex..., data, indices, updates, axis, library::reduction::sum, output);
          },
          how);
    case reduction_call::scatter_nd:
      return keep([=](auto&... ex) { library::onnx::scatter_nd(ex..., data, indices, updates, output); }, how);
    default:
      return keep(
          [=](auto&... ex) {
            library::onnx::scatter_nd(ex..., data, indices, updates, library::reduction::max, output);
          },
          how);
  }
}

}  // namespace compare::STREW_COMPARE_VERSION
