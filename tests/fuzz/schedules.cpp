// SPDX-License-Identifier: Apache-2.0
// dynamic::schedule: measured, made and run in any order, with too little memory, illegal indices and policies; runs at
// other addresses, of other extents and types, by other operators, with other bytes where the indices were. A run
// leaves what the plain call leaves with the indices that were bound, or has an error and writes nothing.
#include "arena.hpp"
#include "support/kernel_limits.hpp"
#include "support/scatter_case.hpp"
#include "support/with_policy.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>

#include <memory>
#include <optional>

namespace strew::test {
namespace {

using dynamic::const_tensor;
using dynamic::element_kind;
using dynamic::element_type;
using dynamic::index_tensor;
using dynamic::tensor;

// What is the same in all calls with a schedule.
struct bound_arguments {
  std::int64_t operation = 0;
  std::int64_t axis = 0;
  dynamic::reduction reduce;
  index_policy policy = index_policy::error;
  index_type integers = index_type::int64;
};

struct operands {
  operand data;
  operand indices;
  operand updates;
  operand output;
  element_type type;
};

bool are_inside(const operands& of) {
  return is_inside(of.data) && is_inside(of.indices) && is_inside(of.updates) && is_inside(of.output);
}

// Calls the operator with any executor, and with the indices in the arena or in other memory.
template <class Ex>
status call(const Ex& ex, const bound_arguments& with, const operands& on, const void* index_data,
            const coordinate& index_strides) {
  const_tensor data;
  const_tensor updates;
  index_tensor indices;
  tensor output;
  status error = const_tensor::try_make(on.data.data(), on.type, on.data.extents, on.data.strides, data);
  if (error.ok())
    error = const_tensor::try_make(on.updates.data(), on.type, on.updates.extents, on.updates.strides, updates);
  if (error.ok()) error = tensor::try_make(on.output.data(), on.type, on.output.extents, on.output.strides, output);
  if (error.ok()) error = index_tensor::try_make(index_data, with.integers, on.indices.extents, index_strides, indices);
  if (!error.ok()) return error;
  return with_policy(with.policy, indices, [&](const auto& chosen) {
    switch (with.operation) {
      case 0:
        return try_index_copy(ex, data, with.axis, chosen, updates, output);
      case 1:
        return v12::try_scatter_elements_update(ex, data, chosen, updates, with.axis, with.reduce, output);
      case 2:
        return try_index_reduce(ex, data, with.axis, chosen, updates, with.reduce, output);
      case 3:
        return v15::try_scatter_nd_update(ex, data, chosen, updates, with.reduce, output);
      default:
        return try_put(ex, data, chosen, updates, with.reduce, output);
    }
  });
}
template <class Ex>
status call(const Ex& ex, const bound_arguments& with, const operands& on) {
  return call(ex, with, on, on.indices.data(), on.indices.strides);
}

// The shapes that the operator needs, mostly.
void draw_shapes(random_source& random, const bound_arguments& with, operands& on) {
  const auto reshape = [&](operand& of, const coordinate& extents) {
    of.extents = extents;
    of.strides = random.one_in(8) ? draw_strides(random, extents) : row_major(extents);
  };
  reshape(on.data, on.data.extents);
  reshape(on.output, on.data.extents);
  const auto rank = static_cast<std::int64_t>(on.data.extents.size());
  if (random.one_in(16) || with.axis < -rank || with.axis >= rank || !is_inside(on.data)) return;
  if (with.operation == 1) {
    coordinate extents = on.data.extents;
    if (random.one_in(2)) random.pick_any(extents) = random.between(1, 6);
    reshape(on.indices, extents);
    reshape(on.updates, extents);
  } else if (with.operation == 3) {
    if (on.indices.extents.empty()) on.indices.extents.push_back(1);
    on.indices.extents.back() = random.between(1, rank);
    reshape(on.indices, on.indices.extents);
    coordinate extents(on.indices.extents.begin(), on.indices.extents.end() - 1);
    extents.insert(extents.end(), on.data.extents.begin() + on.indices.extents.back(), on.data.extents.end());
    reshape(on.updates, extents);
  } else if (with.operation == 4) {
    reshape(on.updates, on.indices.extents);
  } else {
    reshape(on.updates, oracle::scatter_update_updates(on.data.extents, on.indices.extents, with.axis));
  }
}

void place(random_source& random, operands& on) {
  for (operand* each : {&on.data, &on.indices, &on.updates, &on.output}) {
    if (random.one_in(2)) each->at = random.below(static_cast<std::int64_t>(arena_size));
  }
  if (random.one_in(4)) on.output.at = on.data.at, on.output.strides = on.data.strides;
}

void fill(random_source& random, const bound_arguments& with, const operands& on) {
  fill_arena(random);
  if (!is_inside(on.indices) || !is_inside(on.data) || random.one_in(8)) return;
  std::int64_t extent = with.operation == 4 ? oracle::count_of(on.data.extents) : 1;
  if (with.operation == 3 && !on.data.extents.empty()) {
    extent = *std::min_element(on.data.extents.begin(), on.data.extents.end());
  } else if (with.operation < 3) {
    const auto rank = static_cast<std::int64_t>(on.data.extents.size());
    if (with.axis >= -rank && with.axis < rank)
      extent = on.data.extents[oracle::axis_of(with.axis, on.data.extents.size())];
  }
  put_legal_indices(random, on.indices, extent);
}

// A schedule and what it was made of.
class tested_schedule {
 public:
  tested_schedule(random_source& random, const bound_arguments& with) : random_(random), with_(with) {}

  void make(const operands& on) {
    if (!are_inside(on)) return;
    const arena_bytes before = arena();
    const status measured = call(schedule_.measure(), with_, on);
    check_message(measured);
    const auto bytes = static_cast<std::size_t>(measured.ok() ? schedule_.bytes() : 0);
    const std::size_t missing = bytes > 0 && random_.one_in(4) ? 1 : 0;
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes + 1]);
    const status outcome = call(schedule_.make({memory.get() + 1, bytes - missing}), with_, on);
    check_message(outcome);
    if (arena() != before) fail("operands are written when a schedule is made", outcome);
    if (!outcome.ok()) {
      if (missing > 0 && outcome.code() != errc::too_little_memory) fail("too little memory", outcome);
      if (missing == 0 && call(serial, with_, on).ok()) fail("a call without a schedule can be made", outcome);
      arena() = before;
      return;
    }
    if (!measured.ok() || missing > 0) fail("made in spite of an error", measured);
    memory_ = std::move(memory);
    has_entries_ = bytes > 0;
    made_of_ = on;
    bound_.clear();
    for_each_coordinate(on.indices.extents, [&](const coordinate& at) {
      const std::byte* const from = arena().data() + on.indices.offset(at);
      bound_.insert(bound_.end(), from, from + on.indices.element_size);
    });
  }

  // With the arguments with which it was made, or with others.
  void run(const operands& on, const bound_arguments& as) {
    if (!are_inside(on)) return;
    const arena_bytes before = arena();
    // Without entries a run reads its indices.
    const bool has_bound = has_entries_ && static_cast<std::int64_t>(bound_.size()) ==
                                               oracle::count_of(on.indices.extents) * on.indices.element_size;
    const status expected =
        has_bound ? call(serial, as, on, bound_.data(), row_major(on.indices.extents)) : call(serial, as, on);
    const arena_bytes after = arena();
    arena() = before;
    std::vector<std::byte> workspace(static_cast<std::size_t>(random_.one_in(2) ? 0 : random_.below(40'000)));
    const circumstances_of_call in{static_cast<std::size_t>(random_.between(1, 8)), workspace, nullptr};
    const chosen_threads ex{in};
    const status outcome = random_.one_in(2) ? call(schedule_.run(), as, on) : call(schedule_.run(ex), as, on);
    check_message(outcome);
    if (!outcome.ok()) {
      if (arena() != before) fail("written in spite of an error", outcome);
      // Of operands that are dense and have the extents that were bound there is no error but of their addresses.
      const bool is_as_made = are_as_made(as) && are_as_made(on);
      if (expected.ok() && (!has_entries_ || is_as_made)) fail("a run is refused", outcome);
      return;
    }
    if (has_entries_ && as.operation != with_.operation) {  // which may forbid indices that another one allows
      for_each_coordinate(on.output.extents, [&](const coordinate& at) {
        std::memcpy(arena().data() + on.output.offset(at), before.data() + on.output.offset(at),
                    static_cast<std::size_t>(on.output.element_size));
      });
      if (arena() != before) fail("written beside the output");
      return;
    }
    if (has_entries_ && !has_bound) {
      // On axes of one element other numbers of components address the same targets.
      if (with_.operation == 3 && on.indices.extents.back() != made_of_->indices.extents.back()) return;
      fail("a run with another number of indices");
    }
    if (!expected.ok()) fail("a run has no error", expected);
    if (arena() != after) fail("a run leaves other bytes");
  }

 private:
  [[nodiscard]] bool are_as_made(const bound_arguments& as) const {
    return as.operation == with_.operation && as.reduce.kind == with_.reduce.kind &&
           as.reduce.include_init == with_.reduce.include_init;
  }
  [[nodiscard]] bool are_as_made(const operands& on) const {
    const auto is_same = [](const operand& a, const operand& b) {
      return a.extents == b.extents && b.strides == row_major(b.extents);
    };
    return made_of_ && on.type.size == made_of_->type.size && is_same(made_of_->data, on.data) &&
           is_same(made_of_->updates, on.updates) && is_same(made_of_->output, on.output) &&
           made_of_->indices.extents == on.indices.extents;
  }

  random_source& random_;
  bound_arguments with_;
  dynamic::schedule schedule_;
  bool has_entries_ = false;
  std::optional<operands> made_of_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::byte> bound_;  // the indices, row-major
};

dynamic::reduction draw_reduction(random_source& random) {
  if (!random.one_in(4)) return {random.pick<reduction_kind>({reduction_kind::none, reduction_kind::sum}), true};
  return {static_cast<reduction_kind>(random.below(7)), !random.one_in(4)};
}

void run_one(random_source& random) {
  limits_for_test limits;
  if (random.one_in(2)) limits.draw(random);
  bound_arguments with;
  with.operation = random.below(5);
  with.reduce = draw_reduction(random);
  with.policy = random.one_in(8) ? static_cast<index_policy>(random.below(4)) : index_policy::error;
  with.integers = static_cast<index_type>(random.below(8));
  // Integers: sums of others may be of another NaN.
  const auto draw_type = [&](std::int64_t size) {
    return element_type{random.one_in(2) ? element_kind::signed_integer : element_kind::unsigned_integer, size};
  };
  const std::int64_t element_size = std::int64_t{1} << random.below(4);
  operands on{draw_operand(random, element_size), draw_operand(random, dynamic::size_of(with.integers)),
              draw_operand(random, element_size), draw_operand(random, element_size), draw_type(element_size)};
  const auto rank = static_cast<std::int64_t>(on.data.extents.size());
  with.axis = random.one_in(16) || rank == 0 ? random.mostly_between(-4, 3) : random.between(-rank, rank - 1);
  tested_schedule schedule(random, with);
  draw_shapes(random, with, on);
  for (std::int64_t k = random.between(1, 6); k > 0; --k) {
    place(random, on);
    fill(random, with, on);
    if (random.one_in(3)) {
      schedule.make(on);
    } else {
      bound_arguments as = with;
      if (random.one_in(8)) as.operation = random.below(5);
      if (random.one_in(8)) as.reduce = draw_reduction(random);
      schedule.run(on, as);
    }
    if (random.one_in(8)) on.type = draw_type(element_size);
    if (random.one_in(8)) draw_shapes(random, with, on);
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
