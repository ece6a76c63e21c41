// SPDX-License-Identifier: Apache-2.0
// Histograms and other scatters of many updates into few elements: the calls that work on private copies of the output,
// on the stack and in workspaces of every size, one for each thread or one for all, with illegal indices at any place.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/heap_workspace.hpp>

#include <algorithm>
#include <string>

namespace {

using namespace attack;

// Many indices for each byte of the output; the operators with updates of single elements most often.
void draw_table(draws& random, slots& in, call_case& c) {
  do {
    draw_kinds(random, c);
  } while (!has_indices(c.which) || c.of.size > 16);
  const std::int64_t size = random.below(4000);
  const std::int64_t most_bytes = size < 1 ? 1 << 19 : size < 4 ? 40000 : size < 40 ? 2200 : 48;
  const std::int64_t bins = 1 + random.below(std::max<std::int64_t>(most_bytes / c.of.size, 1));
  const std::int64_t least = 4 * bins * c.of.size;
  // About as many as there must be, and so many that several threads have a share.
  const std::int64_t many = size < 8 ? std::max<std::int64_t>(least, 3 << 16) : least;
  const std::int64_t count = many + random.between(-2, many < 400 ? 2 * many : many / 4);
  drawing how;
  how.may_stride = random.one_in(8);
  how.may_shift = true;
  how.elements = std::max<std::int64_t>(count, 1) * 8;
  const bool is_narrow = random.one_in(3);

  c.how = random.one_in(6) ? random.pick({policy::drop, policy::clip, policy::wrap}) : policy::error;
  c.data.shape.rank = 1;
  c.data.shape.at[0] = bins;
  c.axis = 0;
  c.index_count = 1;
  extents& updates = c.updates.shape;
  updates.rank = 1;
  updates.at[0] = std::max<std::int64_t>(count, 0);
  c.components = is_multi(c.which) && c.which != op::put ? 1 : 0;
  c.indices[0].shape = updates;
  if (c.which == op::elements_v3) updates.at[0] = c.indices[0].shape.at[0] = bins;
  if (c.components == 1 && c.which != op::index_put) c.indices[0].shape.insert(1, 1);
  if (c.which == op::index_fill) updates.rank = 0;
  // Sometimes a few rows of two or three elements, which have an index each.
  if (random.one_in(4) && !is_elements(c.which) && c.which != op::put) {
    const std::int64_t row = random.between(1, 3);
    c.data.shape.insert(1, row);
    if (c.which != op::index_fill) updates.insert(1, row);
  }
  place_operand(random, in.indices[0], how, false, size_of(c.index), c.indices[0]);
  const std::int64_t extent = c.which == op::put ? c.data.shape.size() : bins;
  const std::int64_t most = std::min<std::int64_t>(extent, is_signed(c.index) && size_of(c.index) == 1 ? 128
                                                           : size_of(c.index) == 1                     ? 256
                                                                                                       : 32768);
  const std::int64_t one = random.below(most);
  for_each_element(c.indices[0], [&](const std::int64_t*, byte* to) {
    store_index(c.index, to, is_narrow && random.one_in(2) ? one : random.below(most));
  });
  c.has = fault::none;
  if (c.how == policy::error ? random.one_in(8) : random.one_in(2)) {
    if (c.how == policy::error) c.has = fault::index;
    for (std::int64_t k = random.between(1, 3); k > 0 && c.indices[0].shape.size() > 0; --k) {
      const std::int64_t last = c.indices[0].shape.at[0] - 1;
      const std::int64_t at[2] = {random.one_in(3) ? last : random.one_in(3) ? 0 : random.below(last + 1), 0};
      store_index(c.index, c.indices[0].element(at),
                  random.pick({extent, -extent - 1, std::int64_t{-1}, std::int64_t{1} << 40, extent + 256}));
    }
  }
  place_operand(random, in.updates, how, false, c.of.size, c.updates);
  fill_operand(random, c.of, c.updates);
  c.in_place = random.one_in(2);
  c.names_output = random.one_in(2);
  place_operand(random, in.data, how, c.in_place, c.of.size, c.data);
  fill_operand(random, c.of, c.data);
  c.output = c.data;
  if (!c.in_place) {
    place_operand(random, in.output, how, true, c.of.size, c.output);
    fill_operand(random, c.of, c.output);
  }
}

void run(std::uint64_t seed, std::uint64_t number, slots& in) {
  set_case("tables", seed, number);
  draws random(seed, number);
  call_case c;
  draw_table(random, in, c);
  expect(c);
  const std::int64_t table = (c.output.shape.size() * c.of.size + 63) / 64 * 64;
  std::string text;
  const auto call = [&](const char* form, auto& ex) {
    set_step(form);
    outcome found;
    set_outcome(call_dynamic(ex, c), found, text);
    compare(c, found, form);
    restore(c);
  };
  call("serial", strew::serial);
  for (int turn = 0; turn < 2; ++turn) {
    // About the sizes at which one more table fits.
    const any_executor some = draw_executor(random, in.memory, 9 * table + 200);
    call("with a workspace", some);
  }
  const any_executor ex = draw_executor(random, in.memory, 1);
  strew::heap_workspace<const any_executor> memory(ex);
  if (random.one_in(2)) memory.set_limit(static_cast<std::size_t>(random.below(9 * table + 200)));
  call("with a workspace on the heap", memory);
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 20000);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in);
  return finish("tables");
}
