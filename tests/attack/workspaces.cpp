// SPDX-License-Identifier: Apache-2.0
// One call with workspaces of many sizes, each between guard pages, about the size that the heap workspace finds best
// for it and far from it: the output never depends on them. The calls are those whose kernels use memory: buckets and
// tiles of large outputs, states of mean and without_init, private copies.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/heap_workspace.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

using namespace attack;

std::uint64_t count_wanting = 0;  // cases that use memory

// An operator on elements along axis 0, or on whole rows, of these extents, with so many indices.
void draw_dense(draws& random, slots& in, bool has_rows, std::int64_t rows, std::int64_t columns, std::int64_t count,
                call_case& c) {
  drawing how;
  how.may_stride = random.one_in(8);
  how.elements = 1 << 16;
  c.data.shape.rank = 2;
  c.data.shape.at[0] = rows;
  c.data.shape.at[1] = columns;
  if (columns == 1 && random.one_in(2)) c.data.shape.rank = 1;
  c.axis = 0;
  c.index_count = 1;
  extents& updates = c.updates.shape;
  updates = c.data.shape;
  updates.at[0] = count;
  c.indices[0].shape = updates;
  if (has_rows) c.indices[0].shape.rank = 1;
  place_operand(random, in.indices[0], how, false, size_of(c.index), c.indices[0]);
  const std::int64_t extent = std::min<std::int64_t>(rows, size_of(c.index) == 1   ? 128
                                                           : size_of(c.index) == 2 ? 32768
                                                                                   : rows);
  for_each_element(c.indices[0],
                   [&](const std::int64_t*, byte* to) { store_index(c.index, to, random.below(extent)); });
  if (c.index == index_kind::uint64 || !random.one_in(8)) {
    c.has = fault::none;
  } else if (c.indices[0].shape.size() > 0) {
    c.has = fault::index;
    std::int64_t at[2] = {random.one_in(2) ? count - 1 : random.below(count), 0};
    store_index(c.index, c.indices[0].element(at), random.pick({rows, -rows - 1, std::int64_t{-1}}));
  }
  place_operand(random, in.updates, how, false, c.of.size, c.updates);
  fill_operand(random, c.of, c.updates);
  c.in_place = random.one_in(3);
  place_operand(random, in.data, how, c.in_place, c.of.size, c.data);
  fill_operand(random, c.of, c.data);
  c.output = c.data;
  if (c.in_place) return;
  place_operand(random, in.output, how, true, c.of.size, c.output);
  fill_operand(random, c.of, c.output);
}

// A call with states of elements or rows, with tiles, with private copies, or with buckets, which need more memory than
// there is on the stack.
void draw_wanting(draws& random, slots& in, call_case& c) {
  const auto draw_until = [&](const auto& is_wanted) {
    do {
      draw_kinds(random, c);
    } while (!is_wanted());
  };
  const std::int64_t use = random.below(1000);
  if (use < 600) {
    draw_until([&] {
      return (c.by == reduce::mean || !c.with_init) &&
             (c.which == op::index_reduce || c.which == op::scatter_reduce || c.which == op::elements_v12);
    });
    // The stack has 1,365 to 32,768 states.
    const std::int64_t elements = c.by == reduce::mean ? random.between(1200, 9000) : random.between(30000, 50000);
    const std::int64_t columns = random.pick<std::int64_t>({1, 2, 7, 16});
    draw_dense(random, in, is_rows(c.which), elements / columns, columns, random.between(1, 1500) / columns + 1, c);
  } else if (use < 850) {
    draw_until([&] { return is_elements(c.which) && c.by != reduce::mean && c.with_init && c.of.size <= 16; });
    const std::int64_t rows = random.between(257, 800);
    draw_dense(random, in, false, rows, random.between(64, 300) / c.of.size + 1,
               random.between(8, std::min<std::int64_t>(rows, 60)), c);
  } else if (use < 995) {
    draw_until([&] {
      return (is_rows(c.which) || is_elements(c.which)) && c.which != op::elements_v3 && c.which != op::index_fill &&
             c.of.size <= 2;
    });
    const std::int64_t bytes = random.between(32500, 40000);
    const std::int64_t rows = bytes / c.of.size;
    draw_dense(random, in, is_rows(c.which), rows, 1, 4 * rows * c.of.size + random.between(0, 4000), c);
  } else {
    draw_until([&] {
      return is_rows(c.which) && c.which != op::index_fill && c.with_init && c.by != reduce::mean && c.of.size >= 4 &&
             c.of.size <= 8;
    });
    const std::int64_t rows = (random.between(12, 20) << 20) / c.of.size;
    draw_dense(random, in, true, rows, 1, rows / random.between(1, 16), c);
  }
}

void run(std::uint64_t seed, std::uint64_t number, slots& in) {
  set_case("workspaces", seed, number);
  draws random(seed, number);
  call_case c;
  const bool is_wanting = !random.one_in(3);
  if (is_wanting) {
    draw_wanting(random, in, c);
  } else {
    drawing how;
    how.may_shift = true;
    how.elements = random.one_in(500) ? 1 << 20 : random.one_in(10) ? 1 << 16 : 1 << 12;
    how.most_rank = 3;
    how.most_states = 1 << 16;
    do {
      draw_kinds(random, c);
    } while (!has_indices(c.which) || c.of.size > 32);
    draw_case(random, in, how, c);
  }
  expect(c);
  std::string text;
  const auto call = [&](const char* form, auto& ex) {
    set_step(form);
    outcome found;
    set_outcome(call_dynamic(ex, c), found, text);
    compare(c, found, form);
    restore(c);
  };
  const int threads = random.small(1, 8);
  const any_executor bare(any_executor::order::shuffled, threads, {});
  strew::heap_workspace<const any_executor> heap(bare);
  call("with a workspace on the heap", heap);
  const auto best = static_cast<std::int64_t>(heap.bytes());
  if (best == 0 && !random.one_in(16)) return;
  if (best > 0) count_wanting += 1;
  for (int turn = c.data.shape.size() > (1 << 20) ? 3 : 6; turn > 0; --turn) {
    const std::int64_t bytes = random.one_in(3)   ? random.between(0, best)
                               : random.one_in(2) ? std::max<std::int64_t>(best + random.between(-130, 70), 0)
                                                  : random.skewed(best + 300);
    byte* const at = in.memory.place(static_cast<std::size_t>(bytes), random.one_in(2) ? flush::front : flush::back,
                                     static_cast<std::size_t>(random.one_in(2) ? random.below(64) : 0));
    const auto memory = std::span(reinterpret_cast<std::byte*>(at), static_cast<std::size_t>(bytes));
    const auto order = random.pick({any_executor::order::ascending, any_executor::order::descending,
                                    any_executor::order::shuffled, any_executor::order::threads});
    const any_executor ex(
        random.one_in(4) || order != any_executor::order::threads ? order : any_executor::order::ascending,
        random.one_in(2) ? threads : random.small(1, 8), memory);
    call("with a workspace", ex);
    heap.set_limit(static_cast<std::size_t>(bytes));
    call("with a limit", heap);
    if (heap.bytes() > static_cast<std::size_t>(bytes)) fail("more memory than the limit");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 3000);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in);
  std::printf("workspaces: %llu cases use memory\n", static_cast<unsigned long long>(count_wanting));
  return finish("workspaces");
}
