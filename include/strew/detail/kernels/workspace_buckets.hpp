// SPDX-License-Identifier: Apache-2.0
// The scatter by buckets (propagation blocking), see bucket_plan.hpp: each part of the updates is sorted into its own
// buckets, in the workspace; then each block of the output is copied and its buckets are applied, that of the first
// part first. So the last of equal indices wins with any number of parts.
#ifndef STREW_DETAIL_KERNELS_WORKSPACE_BUCKETS_HPP
#define STREW_DETAIL_KERNELS_WORKSPACE_BUCKETS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/plan/bucket_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/integer.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Checks `count` indices, at most half of tuning::positions. Returns the rows that they select, in `buffer` or in
// place; null if an index is illegal.
STREW_INLINE const void* read_rows(const index_source& indices, std::int64_t first, std::int64_t count,
                                   std::int64_t rows, std::int64_t* buffer) noexcept {
  const index_loops& index = indices.loops;
  const char* const from = indices.data + first * index.size;
  const unsigned found = index.check_run(from, index.size, count, rows);
  if ((found & bad_index) != 0) return nullptr;
  const bool wraps = (found & negative_index) != 0;
  if (!wraps && index.is_canonical_index && index.size == 8) return from;
  index.read_64(from, index.size, count, buffer);
  if (wraps) wrap_targets(buffer, count, rows);
  return buffer;
}

// One scatter.
template <class Indices>
struct bucket_call {
  const bucket_problem& problem;
  const bucket_plan& plan;
  const basic_bucket_operands<Indices>& at;
  const bucket_loops& loops;
  char* memory;        // at a multiple of a chunk
  bool copies;         // whether blocks are copied from data first
  std::int64_t tasks;  // that write: each some blocks
  bool bad[tuning::most_checks] = {};

  // For a part, the addresses of the first and of the next entry of each bucket.
  [[nodiscard]] char** begins(std::int64_t part) const noexcept {
    return static_cast<char**>(static_cast<void*>(memory + part * plan.part_bytes(problem)));
  }
  [[nodiscard]] char** ends(std::int64_t part) const noexcept { return begins(part) + plan.blocks; }

  // The first update of a part's share.
  [[nodiscard]] std::int64_t share(std::int64_t part) const noexcept {
    const std::int64_t rest = problem.updates % plan.parts;
    return problem.updates / plan.parts * part + (part < rest ? part : rest);
  }

  // Checks a part's share and sorts it into buckets. Returns false if an index is illegal.
  [[nodiscard]] bool fill(std::int64_t part) const noexcept {
    const std::int64_t block = tuning::limits().used_positions / 2;
    char* const begin = memory + part * plan.part_bytes(problem);
    bucket_filler filler{ends(part),       begin + plan.table_bytes(),     plan.shift,
                         problem.row_size, share(part) % problem.row_size, problem.width};
    for (std::int64_t b = 0; b < plan.blocks; ++b, filler.unused += tuning::bucket_chunk) {
      begins(part)[b] = ends(part)[b] = filler.unused + 8;
    }
    std::int64_t buffer[tuning::positions / 2];
    const std::int64_t last = share(part + 1);
    for (std::int64_t k = share(part); k < last; k += block) {
      const std::int64_t n = last - k < block ? last - k : block;
      const void* const targets = read_rows(at.indices, k, n, problem.rows, buffer);
      if (targets == nullptr) return false;
      loops.fill(filler, targets, at.updates + k * problem.width, n);
    }
    return true;
  }

  // Writes a block of the output.
  void write(std::int64_t block) const noexcept {
    const std::int64_t row_bytes = problem.row_size * problem.width;
    const std::int64_t begin = block << plan.shift;
    const std::int64_t end =
        problem.rows - begin < std::int64_t{1} << plan.shift ? problem.rows : begin + (std::int64_t{1} << plan.shift);
    char* const to = at.output + begin * row_bytes;
    if (copies) std::memcpy(to, at.data + begin * row_bytes, static_cast<std::size_t>((end - begin) * row_bytes));
    for (std::int64_t part = 0; part < plan.parts; ++part) {
      const std::int64_t entry = bucket_entry(problem.width);
      const char* from = begins(part)[block];
      const char* const last = ends(part)[block];
      // A chunk with room for another entry is the last of a bucket.
      while (last - 1 - offset_in_chunk(last - 1) != from - 8) {
        const char* next;
        std::memcpy(&next, from - 8, sizeof next);
        prefetch(next, 4 * tuning::cache_line);
        loops.empty(to, from, entries_a_chunk(problem.width), problem.width);
        from = next + 8;
      }
      loops.empty(to, from, (last - from) / entry, problem.width);
    }
  }

  // Runs the call. Returns false, with the output not written, if an index is illegal.
  [[nodiscard]] bool run(const execution_context& ctx) {
    ctx.for_each(plan.parts, {[](const void* context, std::int64_t part) noexcept {
                                auto& c = *static_cast<bucket_call*>(const_cast<void*>(context));
                                c.bad[part] = !c.fill(part);
                              },
                              this});
    for (const bool is_bad : bad) {
      if (is_bad) return false;
    }
    ctx.for_each(tasks, {[](const void* context, std::int64_t task) noexcept {
                           const auto& c = *static_cast<const bucket_call*>(context);
                           const std::int64_t end = c.plan.blocks * (task + 1) / c.tasks;
                           for (std::int64_t b = c.plan.blocks * task / c.tasks; b < end; ++b) c.write(b);
                         },
                         this});
    return true;
  }
};

// The memory for buckets. If it is too small for all updates of a problem, they are scattered in a few pieces.
struct bucket_memory {
  char* begin = nullptr;     // at a multiple of a chunk
  std::int64_t updates = 0;  // of a piece
  bucket_plan plan{};
};

inline bucket_memory find_bucket_memory(const execution_context& ctx, const bucket_problem& problem) noexcept {
  const scratch_memory memory = ctx.memory();
  bucket_problem piece = problem;
  for (std::int64_t pieces = 1; pieces <= tuning::limits().most_bucket_pieces; pieces *= 2) {
    const std::int64_t rows = problem.updates / problem.row_size;
    piece.updates = (rows + pieces - 1) / pieces * problem.row_size;
    // Serial with several pieces: an executor that throws between two of them would leave elements that are neither old
    // nor new.
    bucket_plan plan = plan_buckets(piece, pieces == 1 ? ctx.threads() : 1);
    char* begin = memory.take<char>(plan.bytes(piece));
    for (; begin == nullptr && plan.parts > 1; begin = memory.take<char>(plan.bytes(piece))) plan.parts /= 2;
    if (begin == nullptr) continue;
    const std::int64_t skipped = offset_in_chunk(begin) == 0 ? 0 : tuning::bucket_chunk - offset_in_chunk(begin);
    return {begin + skipped, piece.updates, plan};
  }
  return {};
}

// Scatters one piece, or all. Returns false, with the output not written, if an index is illegal.
template <class Indices>
bool fill_and_write(const execution_context& ctx, const bucket_problem& problem, const bucket_memory& memory,
                    const basic_bucket_operands<Indices>& at, const bucket_loops& loops) {
  const std::int64_t most = memory.plan.parts == 1 ? 1 : tuning::parts_a_thread * memory.plan.parts;
  bucket_call<Indices> call{problem,
                            memory.plan,
                            at,
                            loops,
                            memory.begin,
                            at.data != nullptr,
                            most < memory.plan.blocks ? most : memory.plan.blocks};
  return call.run(ctx);
}

// Scatters the problems of a series one after the other, each in as many pieces as the memory requires. Returns false,
// with the output not written, if an index is illegal.
inline bool fill_and_write_pieces(const execution_context& ctx, const bucket_series& series,
                                  const bucket_memory& memory, const basic_bucket_operands<index_source>& at,
                                  const bucket_loops& loops) {
  STREW_RAN("workspace_buckets in pieces");
  const bucket_problem& all = series.problem;
  // All indices are checked before anything is written.
  const std::int64_t own = series.shares_indices ? 1 : series.count;
  const index_run indices{at.indices, at.indices.loops.size, own * all.updates};
  if ((check_one_run(ctx, indices, all.rows) & bad_index) != 0) return false;
  const std::int64_t block = all.rows * all.row_size * all.width;
  for (std::int64_t o = 0; o < series.count; ++o) {
    const std::int64_t first_index = series.shares_indices ? 0 : o * all.updates;
    for (std::int64_t done = 0; done < all.updates; done += memory.updates) {
      bucket_problem piece = all;
      piece.updates = all.updates - done < memory.updates ? all.updates - done : memory.updates;
      const char* const data = done > 0 || at.data == nullptr ? nullptr : at.data + o * block;
      static_cast<void>(fill_and_write<index_source>(
          ctx, piece, memory,
          {at.output + o * block,
           data,
           {at.indices.data + (first_index + done) * at.indices.loops.size, at.indices.loops},
           at.updates + (o * all.updates + done) * all.width},
          loops));
    }
  }
  return true;
}

template <class Indices>
bool scatter_by_buckets(const execution_context& ctx, const bucket_series& series,
                        const basic_bucket_operands<Indices>& at, const bucket_loops& loops) {
  const bucket_problem& all = series.problem;
  constexpr direct_stores instead =
      std::is_same_v<Indices, index_source> ? direct_stores::along_axis : direct_stores::others;
  if (!suits_buckets(all, bucketed_from(all, instead, ctx.threads())) || looks_local(all, at.indices)) return false;
  const bucket_memory memory = find_bucket_memory(ctx, all);
  if (memory.begin == nullptr) return false;
  if (series.count == 1 && memory.updates >= all.updates) {
    if (memory.plan.parts > 1) STREW_RAN("workspace_buckets in parts", std::is_same_v<Indices, index_source>);
    if (memory.plan.parts == 1) STREW_RAN("workspace_buckets", std::is_same_v<Indices, index_source>);
    return fill_and_write(ctx, all, memory, at, loops);
  }
  // Multi-indices are checked while they are put into buckets, so they are scattered in one piece or declined here.
  if constexpr (std::is_same_v<Indices, index_source>) {
    return fill_and_write_pieces(ctx, series, memory, at, loops);
  } else {
    return false;
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_WORKSPACE_BUCKETS_HPP
