// SPDX-License-Identifier: Apache-2.0
// How a call is divided for an executor: the output is cut into boxes, and each box is computed independently from all
// updates whose target is in it. Every element belongs to one box, so the result never depends on the cuts.
#ifndef STREW_DETAIL_PLAN_PARTITION_HPP
#define STREW_DETAIL_PLAN_PARTITION_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/execution/executor.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The work to be divided, and where it may be cut.
struct work_shape {
  const index_list& extents;  // the coordinates that may be written
  std::int64_t elements;      // approximate number of elements moved
  std::int64_t element_size;
  int scatter_axis = -1;      // the axis on which indices select the coordinate
  bool inside_first = false;  // whether the axes inside the scatter axis are cut before it
  bool ascends = false;       // whether indices ascend, so that each part finds its own without reading all
  int target_axes = 1;        // the axes from scatter_axis on that indices select together
  const strided_layout* output = nullptr;  // whose strides say which axis is inside which; null: as in row-major order
  bool has_columns = false;                // whether coordinates inside the scatter axis have indices of their own
  const erased::request* call = nullptr;   // whose updates and indices say where it pays to cut; null: the output alone
  const std::int64_t* strides = nullptr;   // see shortest_stride; null: those of a row-major output alone
};

// The bytes of one coordinate of an axis, exact up to `enough`; else a lower bound above it. Not for empty tensors,
// whose extents may have a product that overflows.
constexpr std::int64_t bytes_inside(const index_list& extents, int axis, std::int64_t element_size,
                                    std::int64_t enough) noexcept {
  std::int64_t bytes = element_size;
  for (int k = axis + 1; k < extents.size() && bytes <= enough; ++k) bytes *= extents[k];
  return bytes;
}

// The elements of the smallest part.
constexpr std::int64_t smallest_part_of(std::int64_t element_size) noexcept {
  return tuning::limits().smallest_part < element_size ? 1 : tuning::limits().smallest_part / element_size;
}

// A tensor cut into boxes of about equal size.
class partition {
 public:
  constexpr partition(const work_shape& job, std::int64_t threads) noexcept
      : extents_{job.extents}, element_size_{job.element_size}, strides_{job.strides} {
    for (int k = 0; k < rank(); ++k) cuts_[k] = grain_[k] = 1;
    const std::int64_t most = job.elements / smallest_part_of(element_size_);
    if (threads < 2 || most < 2) return;
    const auto at_most = [&](std::int64_t parts) { return parts < most ? parts : most; };
    const std::int64_t plenty = at_most(tuning::parts_a_thread * threads);
    const int outer = job.scatter_axis < 0 ? rank() : job.scatter_axis;
    for (int k = 0; k < outer; ++k) cut(k, plenty);
    if (outer == rank()) return;
    // If the scatter axis is cut, each part reads all indices. With long rows that costs little. With rows of a cache
    // line it pays for as many parts as threads; with single elements only if the output is far larger than the cache;
    // with columns never: parts that skip updates take up to four times as long as one thread.
    const std::int64_t row = bytes_of(outer + job.target_axes - 1);
    const bool is_far =
        job.elements / tuning::limits().far_parts >= (tuning::limits().smallest_part - 1) / element_size_ &&
        bytes_inside(extents_, -1, element_size_, tuning::never) / tuning::limits().smallest_part >=
            tuning::limits().far_parts;
    const bool has_columns = job.has_columns && row > element_size_;
    const std::int64_t reading_all = has_columns                                  ? std::int64_t{1}
                                     : row >= tuning::limits().row_beside_indices ? plenty
                                     : row >= tuning::cache_line || is_far        ? at_most(threads)
                                                                                  : std::int64_t{1};
    // Ascending indices are those of the first target axis: parts along the others read all. Multi-indices without
    // components have none.
    const int targets = job.target_axes < 1 ? 1 : job.target_axes;
    const std::int64_t own = job.ascends && !has_columns ? plenty : reading_all;
    // Loops over short columns begin too often to be cut into more parts than threads.
    const bool are_short =
        job.has_columns && bytes_inside(extents_, outer, element_size_, tuning::shortest_columns * plenty) <
                               tuning::shortest_columns * plenty;
    const std::int64_t inside = job.inside_first && !are_short ? plenty : at_most(threads);
    if (!job.inside_first) cut_targets(outer, targets, own, reading_all);
    for (int k = outer + targets; k < rank(); ++k) cut(k, inside);
    if (job.inside_first) cut_targets(outer, targets, own, reading_all);
  }

  [[nodiscard]] constexpr std::int64_t size() const noexcept { return size_; }

  // Box number `part`, in row-major order.
  [[nodiscard]] constexpr box operator[](std::int64_t part) const noexcept {
    box result(extents_);
    for (int k = rank(); k-- > 0;) {
      const std::int64_t i = part % cuts_[k];
      part /= cuts_[k];
      const std::int64_t begin = cut_position(k, i);
      result.narrow(k, {begin, cut_position(k, i + 1) - begin});
    }
    return result;
  }

 private:
  [[nodiscard]] constexpr int rank() const noexcept { return extents_.size(); }

  [[nodiscard]] constexpr std::int64_t bytes_of(int k) const noexcept {
    return bytes_inside(extents_, k, element_size_, tuning::limits().row_beside_indices);
  }

  // Cuts axis k so that there are about `wanted` parts, if there are fewer.
  constexpr void cut(int k, std::int64_t wanted) noexcept {
    if (size_ >= wanted) return;
    const std::int64_t inner = bytes_of(k);
    grain_[k] = inner < tuning::limits().shortest_block && inner > 0
                    ? (tuning::limits().shortest_block + inner - 1) / inner
                    : 1;
    // Nor are blocks shorter in the order in which output and updates are in memory: then each part would write or read
    // some elements of each cache line.
    const std::int64_t stride = strides_ != nullptr ? strides_[k] : 0;
    if (stride > 0 && stride < tuning::limits().shortest_block) {
      const std::int64_t block = (tuning::limits().shortest_block + stride - 1) / stride;
      if (block > grain_[k]) grain_[k] = block;
    }
    const std::int64_t most = extents_[k] / grain_[k];
    const std::int64_t pieces = (wanted + size_ - 1) / size_;
    cuts_[k] = pieces < most ? pieces : most < 1 ? 1 : most;
    size_ *= cuts_[k];
  }

  constexpr void cut_targets(int first, int count, std::int64_t parts_of_first, std::int64_t parts) noexcept {
    cut(first, parts_of_first);
    for (int k = first + 1; k < first + count; ++k) cut(k, parts);
  }

  // The first coordinate of piece i of axis k, a multiple of the grain; for the last i the extent.
  [[nodiscard]] constexpr std::int64_t cut_position(int k, std::int64_t i) const noexcept {
    const std::int64_t extent = extents_[k];
    if (i == cuts_[k]) return extent;
    const std::int64_t position = extent / cuts_[k] * i + extent % cuts_[k] * i / cuts_[k];
    return position - position % grain_[k];
  }

  const index_list& extents_;
  std::int64_t element_size_;
  const std::int64_t* strides_;
  std::int64_t cuts_[max_rank] = {};
  std::int64_t grain_[max_rank] = {};
  std::int64_t size_ = 1;
};

// Computes the part of a call in a box. `memory` is the part's share of the executor's memory.
struct part_kernel {
  void (*run)(const void* call, const box& part, const scratch_memory& memory) noexcept;
  const void* call;
};
// Tests indices [begin, begin + count) and returns flags.
struct check_kernel {
  unsigned (*run)(const void* call, std::int64_t begin, std::int64_t count) noexcept;
  const void* call;
};

// Runs task i of a call.
struct task_kernel {
  void (*run)(const void* call, std::int64_t i) noexcept;
  const void* call;
};

inline scratch_memory memory_of(const executor_ref& ex) noexcept {
  return {ex.memory.data(), static_cast<std::int64_t>(ex.memory.size())};
}

// The shorter of the strides of output and updates along an axis, in bytes; 0 if both are. Those of updates do not
// count along target axes, and where data has far more elements. Along an axis with one coordinate a stride may be any
// number, and counts as 0.
inline std::int64_t shortest_stride(const work_shape& job, int k) noexcept {
  if (job.call == nullptr || job.call->indices == nullptr || job.extents[k] < 2) return 0;
  const strided_layout& updates = *job.call->updates.layout;
  const auto of_output = static_cast<std::int64_t>(magnitude(job.call->output.layout->stride(k)));
  const bool is_target = k >= job.scatter_axis && k < job.scatter_axis + job.target_axes;
  int axis = k;
  if (job.call->type.rules.names_rows() && k > job.scatter_axis) {
    axis += job.call->indices[0].layout->rank() - job.target_axes;
  }
  const bool counts = !is_target && updates.size() > job.elements / tuning::few_beside_data && axis >= 0 &&
                      axis < updates.rank() && updates.extent(axis) > 1 && updates.stride(axis) != 0;
  const std::int64_t of_updates = counts ? static_cast<std::int64_t>(magnitude(updates.stride(axis))) : of_output;
  return (of_updates < of_output ? of_updates : of_output) * job.element_size;
}
// Whether elements are written in place, so that none is written where there is no index.
inline bool are_elements_in_place(const work_shape& job) noexcept {
  return job.call != nullptr && job.call->indices != nullptr && !job.call->type.rules.names_rows() &&
         job.call->data.data == job.call->output.data && !job.call->indices[0].layout->empty();
}

// The axes of a job with one target axis, sorted by descending strides of the output: a column-major tensor is cut as
// the row-major one with its axes exchanged.
struct sorted_axes {
  int axis[max_rank];  // of the job
  std::int64_t strides[max_rank];
  index_list extents;     // in the order of `axis`
  int scatter_axis = -1;  // the place of the job's

  explicit sorted_axes(const work_shape& job) noexcept : extents{job.extents} {
    const bool is_narrow = are_elements_in_place(job);
    const bool is_sorted = job.output == nullptr || job.target_axes != 1;
    for (int k = 0; k < job.extents.size(); ++k) {
      int to = k;
      for (; !is_sorted && to > 0; --to) {
        if (magnitude(job.output->stride(axis[to - 1])) >= magnitude(job.output->stride(k))) break;
        axis[to] = axis[to - 1];
      }
      axis[to] = k;
    }
    for (int place = 0; place < job.extents.size(); ++place) {
      const int k = axis[place];
      extents[place] = is_narrow && k != job.scatter_axis ? job.call->indices[0].layout->extent(k) : job.extents[k];
      strides[place] = shortest_stride(job, k);
      if (k == job.scatter_axis) scatter_axis = place;
    }
  }
  // A box of the job.
  [[nodiscard]] constexpr box unsorted(const box& sorted) const noexcept {
    box result(extents);
    for (int place = 0; place < extents.size(); ++place) result.narrow(axis[place], sorted[place]);
    return result;
  }
};

// Runs the parts of a call on an executor.
inline void parallel_for_parts(const executor_ref& ex, const work_shape& job, const part_kernel& body) {
  const sorted_axes axes(job);
  const partition parts({axes.extents, job.elements, job.element_size, axes.scatter_axis, job.inside_first, job.ascends,
                         job.target_axes, nullptr, job.has_columns, nullptr, axes.strides},
                        ex.threads);
  if (parts.size() < 2) {
    body.run(body.call, box(job.extents), memory_of(ex));
    return;
  }
  struct context {
    const sorted_axes& axes;
    const partition& parts;
    const part_kernel& body;
    scratch_memory memory;
  };
  const context all{axes, parts, body, memory_of(ex)};
  run_tasks(ex, static_cast<std::size_t>(parts.size()),
            task(
                [](const void* it, std::size_t i) noexcept {
                  const auto& c = *static_cast<const context*>(it);
                  const auto part = static_cast<std::int64_t>(i);
                  c.body.run(c.body.call, c.axes.unsorted(c.parts[part]), c.memory.part(part, c.parts.size()));
                },
                &all));
}

// Runs n tasks on an executor.
inline void share_tasks(const executor_ref& ex, std::int64_t n, const task_kernel& body) {
  run_tasks(ex, static_cast<std::size_t>(n),
            task(
                [](const void* it, std::size_t i) noexcept {
                  const auto& b = *static_cast<const task_kernel*>(it);
                  b.run(b.call, static_cast<std::int64_t>(i));
                },
                &body));
}

// Checks pieces of a run of indices on an executor; returns the flags of all pieces, combined by |.
inline unsigned share_check(const executor_ref& ex, std::int64_t count, const check_kernel& body) {
  std::int64_t pieces = count / tuning::limits().smallest_check;
  if (pieces > ex.threads) pieces = ex.threads;
  if (pieces > tuning::most_checks) pieces = tuning::most_checks;
  if (pieces < 2) return body.run(body.call, 0, count);
  struct context {
    const check_kernel& body;
    std::int64_t count;
    std::int64_t pieces;
    unsigned* found;
  };
  unsigned found[tuning::most_checks] = {};  // each written once, so false sharing costs nothing
  const context all{body, count, pieces, found};
  run_tasks(ex, static_cast<std::size_t>(pieces),
            task(
                [](const void* it, std::size_t i) noexcept {
                  const auto& c = *static_cast<const context*>(it);
                  const auto piece = static_cast<std::int64_t>(i);
                  const std::int64_t size = c.count / c.pieces;
                  const std::int64_t begin = size * piece;
                  c.found[i] = c.body.run(c.body.call, begin, piece + 1 == c.pieces ? c.count - begin : size);
                },
                &all));
  unsigned result = 0;
  for (std::int64_t i = 0; i < pieces; ++i) result |= found[i];
  return result;
}

// Defined by the kernels. For pointers to functions that only calls with an executor instantiate
// (kernels/parallel.hpp).
struct index_run;
struct validated_call;

// The execution context of a call: serial, or an executor. Only calls with an executor have `parallel_hooks`, so that
// serial ones emit no code for parts.
class execution_context {
 public:
  struct parallel_hooks {
    void (*parts)(const executor_ref& ex, const work_shape& job, const part_kernel& body);
    unsigned (*find_flags)(const executor_ref& ex, std::int64_t count, const check_kernel& body);
    void (*tasks)(const executor_ref& ex, std::int64_t n, const task_kernel& body);
    find_own_function (*find_own_if_ascending)(const execution_context& ctx, const index_run& run);
    find_own_function find_own;
    bool (*seeks_own)(const validated_call& call);
    void (*keep_rows)(const index_source& index, const strided_layout& indices, int axis, work_shape& job) noexcept;
  };

  constexpr execution_context(const executor_ref& ex, const parallel_hooks* shared) noexcept
      : ex_{ex}, shared_{shared} {}

  [[nodiscard]] std::int64_t threads() const noexcept { return shared_ != nullptr ? ex_.threads : 1; }
  [[nodiscard]] bool has_threads() const noexcept { return threads() > 1; }
  // Whether small calls are not cut into parts. Always true except in test builds, which may cut any call.
  [[nodiscard]] bool runs_inline() const noexcept {
    return tuning::limits().small_output <= tuning::limits().smallest_part || !has_threads();
  }
  [[nodiscard]] scratch_memory memory() const noexcept { return memory_of(ex_); }
  // Whether it pays to find out if indices ascend.
  [[nodiscard]] bool seeks_own(const validated_call& call) const {
    return shared_ != nullptr && shared_->seeks_own(call);
  }

  void for_each_part(const work_shape& job, const part_kernel& body) const {
    if (shared_ != nullptr) {
      shared_->parts(ex_, job, body);
    } else {
      body.run(body.call, box(job.extents), memory_of(ex_));
    }
  }
  void for_each(std::int64_t n, const task_kernel& body) const {
    if (n > 1 && shared_ != nullptr) return shared_->tasks(ex_, n, body);
    for (std::int64_t i = 0; i < n; ++i) body.run(body.call, i);
  }
  [[nodiscard]] unsigned find_flags(std::int64_t count, const check_kernel& body) const {
    return shared_ != nullptr ? shared_->find_flags(ex_, count, body) : body.run(body.call, 0, count);
  }
  // Null with one thread, since only parts use the result.
  [[nodiscard]] find_own_function find_own_if_ascending(const index_run& run) const {
    return has_threads() ? shared_->find_own_if_ascending(*this, run) : nullptr;
  }
  [[nodiscard]] find_own_function find_own_of_progression() const noexcept {
    return has_threads() ? shared_->find_own : nullptr;
  }
  void keep_rows(const index_source& index, const strided_layout& indices, int axis, work_shape& job) const noexcept {
    if (has_threads()) shared_->keep_rows(index, indices, axis, job);
  }

 private:
  const executor_ref& ex_;
  const parallel_hooks* shared_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_PARTITION_HPP
