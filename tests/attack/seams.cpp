// SPDX-License-Identifier: Apache-2.0
// One call in each form that the library has: its headers, the compiled library, and the single header, each on tensors
// of C++ types and of run-time types, with an executor of its own. All are compared with the oracle, and so with each
// other.
#include "seams.hpp"

namespace {

using namespace attack;

constexpr seam seams[] = {{"headers", call_headers}, {"library", call_library}, {"single header", call_single}};

void run(std::uint64_t seed, std::uint64_t number, slots& in) {
  set_case("seams", seed, number);
  draws random(seed, number);
  drawing how;
  draw_size(random, how);
  call_case c;
  draw_kinds(random, c);
  // Half of the calls have types that the units have typed calls for.
  if (random.one_in(2)) {
    do {
      draw_kinds(random, c);
    } while (c.of.is != kind::opaque && c.of.is != kind::unsigned_integer && c.of.is != kind::floating);
    if (c.of.is == kind::opaque) {
      c.of.size = 3;
      c.index = index_kind::uint16;
    } else if (c.of.is == kind::floating) {
      c.of.size = 4;
      c.index = index_kind::int64;
    } else {
      c.of.size = 1;
      c.index = index_kind::int32;
    }
  }
  draw_case(random, in, how, c);
  expect(c);
  for (const seam& form : seams) {
    for (const bool is_typed : {false, true}) {
      set_step(form.name);
      outcome found;
      std::string text;
      if (!form.call(c, is_typed, random.next(), in.memory, found, text)) continue;
      compare(c, found, form.name);
      restore(c);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 20000);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in);
  return finish("seams");
}
