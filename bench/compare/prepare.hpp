// SPDX-License-Identifier: Apache-2.0
// The calls of one version of the headers, the one that the build asks for. Included by that version's translation
// units alone, which instantiate prepare.
#ifndef STREW_COMPARE_PREPARE_HPP
#define STREW_COMPARE_PREPARE_HPP

#include "arguments.hpp"
#include "versions.hpp"

#if STREW_COMPARE_OLD
#include <strew_old/strew.hpp>
#include <strew_old/threads.hpp>
#define STREW_COMPARE_VERSION old_headers
namespace compare::old_headers {
namespace library = strew_old;
}
#else
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#define STREW_COMPARE_VERSION new_headers
namespace compare::new_headers {
namespace library = strew;
}
#endif

#include <cstddef>
#include <cstdint>
#include <memory>

namespace compare::STREW_COMPARE_VERSION {

template <class T>
library::tensor_view<T> view_of(const tensor<T>& t) {
  return {t.data, t.extents};
}

// What a call reads, at the start of a page: its place in memory is luck, and must not tell the versions apart.
template <class Run>
struct alignas(4096) operands {
  explicit operands(const Run& r) : run{r} {}
  Run run;
};

template <operators Op, class T, class I>
call prepare(const arguments<T, I>& a, means how) {
  const auto data = view_of(a.data), updates = view_of(a.updates);
  const auto indices = view_of(a.indices);
  const auto output = view_of(a.output);
  const std::int64_t axis = a.axis;
  const library::slice_spec slice{a.slice.start, a.slice.stop, a.slice.step, axis};
  const auto run = [=](auto&... executor) {
    if constexpr (Op == operators::slice_scatter) {
      library::slice_scatter(executor..., data, updates, slice, output);
    } else if constexpr (Op == operators::scatter_update) {
      library::scatter_update(executor..., data, indices, updates, axis, output);
    } else if constexpr (Op == operators::scatter_elements_update) {
      library::scatter_elements_update(executor..., data, indices, updates, axis, output);
    } else {
      library::onnx::scatter(executor..., data, indices, updates, axis, output);
    }
  };
  const auto kept = std::make_shared<const operands<decltype(run)>>(run);
  if (how == means::two_threads) {
    return [kept, pool = std::make_shared<library::thread_pool>(2u)] { kept->run(*pool); };
  }
  if constexpr (Op == operators::scatter_elements_update) {
    if (how == means::workspace) {
      const library::workspace lent{{a.workspace, workspace_bytes(a.data.extents, a.axis)}};
      return [kept, lent] { kept->run(lent); };
    }
  }
  return [kept] { kept->run(); };
}

}  // namespace compare::STREW_COMPARE_VERSION

#endif  // STREW_COMPARE_PREPARE_HPP
