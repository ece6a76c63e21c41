// SPDX-License-Identifier: Apache-2.0
// One unit of a program in which all ways to build strew meet: STREW_UNIT names its function.
#include "problem.hpp"

#include <strew/dynamic.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <cstdint>

namespace {

template <class Ex>
strew::status add(Ex& ex, const problem& asked) {
  const strew::tensor_view<double> output{asked.output, {asked.rows, asked.length}};
  const strew::tensor_view<const std::int64_t> index{asked.index, {asked.count}};
  // Half of the rows by one form of a call, the others by another, as one program does.
  const auto half = asked.count / 2;
  const auto first_index = strew::tensor_view<const std::int64_t>{asked.index, {half}};
  const auto first_source = strew::tensor_view<const double>{asked.source, {half, asked.length}};
  const strew::tensor_view<const std::int64_t> rest_index{asked.index + half, {asked.count - half}};
  const strew::tensor_view<const double> rest_source{asked.source + half * asked.length,
                                                     {asked.count - half, asked.length}};
  // Nothing is written if an index of the second half is bad.
  const strew::tensor_view<const double> nothing{asked.source, {asked.count, 0}};
  const strew::tensor_view<double> no_output{asked.output, {asked.rows, 0}};
  if (strew::status checked = strew::try_index_add(no_output, 0, index, nothing); !checked.ok()) return checked;
  if (strew::status added = strew::try_index_add(ex, output, 0, first_index, first_source); !added.ok()) return added;
  return strew::try_index_add(ex, strew::dynamic::tensor(output), 0, strew::dynamic::index_tensor(rest_index),
                              strew::dynamic::const_tensor(rest_source));
}

}  // namespace

bool STREW_UNIT(const problem& asked) {
  if (asked.threads == 1) {
    strew::heap_workspace memory;
    return add(memory, asked).ok();
  }
  strew::thread_pool pool{static_cast<unsigned>(asked.threads)};
  return add(pool, asked).ok();
}
