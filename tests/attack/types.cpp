// SPDX-License-Identifier: Apache-2.0
// All operators on tensors of run-time types: all sizes of elements, all kinds, all types of indices, ranks up to the
// largest, policies, reductions, executors and workspaces, at small, middle and large sizes.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/heap_workspace.hpp>

#include <string>

namespace {

using namespace attack;

void run(std::uint64_t seed, std::uint64_t number, slots& in) {
  set_case("types", seed, number);
  draws random(seed, number);
  drawing how;
  how.may_shift = true;
  draw_size(random, how);
  call_case c;
  draw_kinds(random, c);
  draw_case(random, in, how, c);
  draw_numbers(random, in, how, c);
  expect(c);
  outcome found;
  std::string text;
  set_step("serial");
  set_outcome(call_dynamic(strew::serial, c), found, text);
  compare(c, found, "serial");
  restore(c);
  const any_executor ex = draw_executor(random, in.memory, how.elements > 4096 ? 1 << 22 : 1 << 14);
  set_step("with an executor");
  found = {};
  set_outcome(call_dynamic(ex, c), found, text);
  compare(c, found, "with an executor");
  if (!random.one_in(4)) return;
  restore(c);
  strew::heap_workspace<const any_executor> memory(ex);
  if (random.one_in(3)) memory.set_limit(static_cast<std::size_t>(random.skewed(1 << 20)));
  set_step("with a workspace on the heap");
  found = {};
  set_outcome(call_dynamic(memory, c), found, text);
  compare(c, found, "with a workspace on the heap");
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 20000);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in);
  return finish("types");
}
