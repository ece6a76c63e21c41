// SPDX-License-Identifier: Apache-2.0
// The Python module with_strew: the jobs as users of strew write them, for NumPy arrays that are contiguous.
#include <strew/heap_workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

namespace py = pybind11;

namespace {

using strew::tensor_view;
using indices = tensor_view<const std::int64_t>;

// The executors of all calls: the threads alone, and with memory that calls keep.
using threads_alone = strew::thread_pool;
using with_memory = strew::heap_workspace<strew::thread_pool>;
struct executors {
  explicit executors(unsigned threads) : pool{threads} {}
  threads_alone pool;
  with_memory memory{pool};
};
std::unique_ptr<executors> current;

template <class Executor>
void histogram(Executor& ex, tensor_view<std::int64_t> counts, indices samples) {
  strew::index_add(ex, counts, 0, samples, 1);
}

template <class Executor>
void embedding_gradient(Executor& ex, tensor_view<float> gradient, indices tokens, tensor_view<const float> upstream) {
  strew::index_add(ex, gradient, 0, tokens, upstream);
}

template <class Executor>
void kv_cache(Executor& ex, tensor_view<float> cache, tensor_view<const float> token, indices positions) {
  strew::onnx::tensor_scatter(ex, cache, token, positions, {.axis = 2});
}

template <class Executor>
void table_rows(Executor& ex, tensor_view<float> table, indices rows, tensor_view<const float> updates) {
  strew::scatter_update(ex, table, rows, updates, 0);
}

template <class Executor>
void splat(Executor& ex, tensor_view<float> image, indices y, indices x, tensor_view<const float> colours) {
  strew::index_put(ex, image, std::tuple{y, x}, colours, strew::reduction::sum);
}

template <class Executor>
void strided_slice(Executor& ex, tensor_view<float> matrix, tensor_view<const float> updates) {
  strew::slice_scatter(ex, matrix, updates, {.step = 2, .axes = 1});
}

template <class Executor>
void random_elements(Executor& ex, tensor_view<float> array, indices positions, tensor_view<const float> values) {
  strew::scatter_elements_update(ex, array, positions, values, 0);
}

// Defines a job twice, without and with memory.
template <class... Views>
void define(py::module_& module, const std::string& name, void (*on_pool)(threads_alone&, Views...),
            void (*on_memory)(with_memory&, Views...)) {
  module.def(name.c_str(), [=](Views... views) { on_pool(current->pool, views...); });
  module.def((name + "_with_heap_workspace").c_str(), [=](Views... views) { on_memory(current->memory, views...); });
}

}  // namespace

namespace pybind11::detail {

// Views of arrays where they lie: nothing is converted.
template <class T>
struct type_caster<tensor_view<T>> {
  PYBIND11_TYPE_CASTER(tensor_view<T>, const_name("array"));

  bool load(handle source, bool) {
    if (!array_t<std::remove_const_t<T>, array::c_style>::check_(source)) return false;
    const auto array = reinterpret_borrow<pybind11::array>(source);
    if constexpr (!std::is_const_v<T>) {
      if (!array.writeable()) return false;
    }
    strew::index_list extents;
    for (ssize_t k = 0; k < array.ndim(); ++k) extents.push_back(array.shape(k));
    value = {static_cast<T*>(const_cast<void*>(array.data())), extents};
    return true;
  }
};

}  // namespace pybind11::detail

PYBIND11_MODULE(with_strew, module) {
  module.doc() = "The jobs as users of strew write them.";
  module.def("use_threads", [](unsigned threads) { current = std::make_unique<executors>(threads); });
  define(module, "histogram", histogram<threads_alone>, histogram<with_memory>);
  define(module, "embedding_gradient", embedding_gradient<threads_alone>, embedding_gradient<with_memory>);
  define(module, "kv_cache", kv_cache<threads_alone>, kv_cache<with_memory>);
  define(module, "table_rows", table_rows<threads_alone>, table_rows<with_memory>);
  define(module, "splat", splat<threads_alone>, splat<with_memory>);
  define(module, "strided_slice", strided_slice<threads_alone>, strided_slice<with_memory>);
  define(module, "random_elements", random_elements<threads_alone>, random_elements<with_memory>);
}
