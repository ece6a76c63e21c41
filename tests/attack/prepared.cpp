// SPDX-License-Identifier: Apache-2.0
// Prepared and bound calls: typed ones, and schedules of tensors of run-time types. A call is prepared once and run on
// several sets of operands at other addresses; the memory of bound indices lies between guard pages, and the indices
// are overwritten after they were bound.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/prepare.hpp>

#include <algorithm>
#include <complex>
#include <cstring>
#include <string>

namespace {

using namespace attack;

std::span<std::byte> place_memory(draws& random, guarded_slot& slot, std::uint64_t bytes) {
  byte* const at = slot.place(static_cast<std::size_t>(bytes), random.one_in(2) ? flush::front : flush::back,
                              static_cast<std::size_t>(random.one_in(2) ? random.below(16) : 0));
  return std::span(reinterpret_cast<std::byte*>(at), static_cast<std::size_t>(bytes));
}

// Moves an operand to the other guard page, with other elements.
void move(draws& random, const call_case& of, operand& moved) {
  std::int64_t low = 0;
  std::int64_t high = 0;
  if (moved.shape.size() == 0) return;
  for (int k = 0; k < moved.shape.rank; ++k) {
    (moved.strides[k] < 0 ? low : high) += moved.strides[k] * (moved.shape.at[k] - 1);
  }
  const auto bytes = static_cast<std::size_t>((high - low + 1) * moved.unit);
  moved.first = moved.slot->place(bytes, random.one_in(2) ? flush::front : flush::back) - low * moved.unit;
  fill_operand(random, of.of, moved);
}
void move_operands(draws& random, call_case& c) {
  move(random, c, c.updates);
  move(random, c, c.data);
  if (c.in_place) {
    c.output = c.data;
  } else {
    move(random, c, c.output);
  }
}

// ---- Schedules of tensors of run-time types

void run_schedule(draws& random, slots& in, call_case& c) {
  expect(c);
  std::string text;
  outcome found;
  strew::dynamic::schedule bound;
  set_step("the measurement of a schedule");
  set_outcome(call_dynamic(bound.measure(), c), found, text);
  count_call(!found.is_ok);
  // Values of indices are not read yet.
  if (!found.is_ok && (!c.is_error || c.is_index_error)) fail("a measurement fails: " + text);
  if (found.is_ok && c.is_error && !c.is_index_error && c.has == fault::extents) fail("a measurement is ok");
  if (!found.is_ok) return;
  const std::uint64_t bytes = bound.bytes();
  if (bytes > (std::uint64_t{1} << 28)) fail("a schedule of " + std::to_string(bytes) + " bytes");
  const bool is_short = bytes > 0 && random.one_in(16);
  const auto memory = place_memory(random, in.memory, is_short ? bytes - 1 : bytes);
  in.memory.keep();
  set_step("the making of a schedule");
  found = {};
  const strew::status made = call_dynamic(bound.make(memory), c);
  set_outcome(made, found, text);
  count_call(!found.is_ok);
  if (is_short && !c.is_error) {
    if (made.code() != strew::errc::too_little_memory) fail("a schedule in too little memory");
    return;
  }
  if (c.is_error) {
    if (found.is_ok) fail("a schedule of an illegal call");
    if (c.is_index_error && !is_short) {
      outcome again = found;
      compare(c, again, "the making of a schedule");
    }
    return;
  }
  if (!found.is_ok) fail("no schedule of a legal call: " + text);
  for (int turn = random.small(1, 3); turn > 0; --turn) {
    restore(c);
    set_step("a run of a schedule");
    found = {};
    if (random.one_in(2)) {
      set_outcome(call_dynamic(bound.run(), c), found, text);
    } else {
      guarded_slot& scratch = in.indices[most_axes];  // unused by these calls
      const any_executor ex = draw_executor(random, scratch, 1 << 13);
      set_outcome(call_dynamic(bound.run(ex), c), found, text);
    }
    compare(c, found, "a run of a schedule");
    move_operands(random, c);
    expect(c);
  }
}

// ---- Typed calls

// An element of any size that is copied as bytes.
template <std::size_t Size>
struct bytes {
  byte at[Size];
};

strew::strided_layout layout_of(const operand& from) {
  strew::strided_layout result;
  const strew::status made = strew::strided_layout::try_make(list_of(from.shape), strides_of(from),
                                                             static_cast<std::size_t>(from.unit), result);
  if (!made.ok()) fail(std::string("a layout: ") + made.message().c_str());
  return result;
}

template <class T, class Index, class Prepared>
void run_prepared_scatter(draws& random, slots& in, call_case& c, const Prepared& prepared) {
  const auto run = [&](const char* form, const auto& call) {
    set_step(form);
    outcome found;
    std::string text;
    set_outcome(call(reinterpret_cast<T*>(c.data.first), reinterpret_cast<const Index*>(c.indices[0].first),
                     reinterpret_cast<const T*>(c.updates.first), reinterpret_cast<T*>(c.output.first)),
                found, text);
    compare(c, found, form);
    restore(c);
  };
  run("prepared", [&](T* data, const Index* indices, const T* updates, T* output) {
    return c.in_place && !c.names_output ? prepared.try_run(data, indices, updates)
                                         : prepared.try_run(data, indices, updates, output);
  });
  const any_executor ex = draw_executor(random, in.memory, 1 << 13);
  run("prepared, with an executor", [&](T* data, const Index* indices, const T* updates, T* output) {
    return prepared.try_run(ex, data, indices, updates, output);
  });
  auto bound = decltype(prepared.bind(nullptr, {})){};
  const auto memory = place_memory(random, in.indices[most_axes], prepared.bound_bytes());
  set_step("binding");
  const strew::status outcome_of_bind =
      prepared.try_bind(reinterpret_cast<const Index*>(c.indices[0].first), memory, bound);
  outcome found;
  std::string text;
  set_outcome(outcome_of_bind, found, text);
  if (c.is_error) {
    compare(c, found, "binding");
    return;
  }
  count_call();
  if (!found.is_ok) fail("indices that cannot be bound: " + text);
  // They are not read again.
  const operand indices = c.indices[0];
  byte* const frame = indices.slot->framed_begin();
  std::memset(frame, 0x7F, indices.slot->framed_size());
  for (int turn = random.small(1, 3); turn > 0; --turn) {
    c.index_count = 0;
    run("bound",
        [&](T* data, const Index*, const T* updates, T* output) { return bound.try_run(data, updates, output); });
    const auto scratch =
        place_memory(random, in.memory,
                     static_cast<std::uint64_t>(random.below(static_cast<std::int64_t>(bound.workspace_bytes()) + 9)));
    const any_executor other(any_executor::order::shuffled, random.small(1, 8), scratch);
    run("bound, with an executor", [&](T* data, const Index*, const T* updates, T* output) {
      return bound.try_run(other, data, updates, output);
    });
    if (turn == 1) break;
    move_operands(random, c);
    indices.slot->restore();
    c.index_count = 1;
    expect(c);
    std::memset(frame, 0x7F, indices.slot->framed_size());
  }
}

template <class T, class Index, class Operator, class... Rest>
void prepare_scatter(draws& random, slots& in, call_case& c, const Operator& scatter, const Rest&... rest) {
  expect(c);
  // Faults of layouts are found while a call is prepared.
  try {
    const auto prepared = strew::prepare<T, Index>(
        scatter, {layout_of(c.data), layout_of(c.indices[0]), layout_of(c.updates), layout_of(c.output)}, rest...);
    if (c.is_error && !c.is_index_error) fail("an illegal call can be prepared");
    run_prepared_scatter<T, Index>(random, in, c, prepared);
  } catch (const strew::scatter_error& error) {
    count_call(true);
    if (!c.is_error || c.is_index_error) fail(std::string("a legal call cannot be prepared: ") + error.what());
  }
}

template <class T, class Index>
void run_typed(draws& random, slots& in, const drawing& how, element of, index_kind index, bool has_numbers) {
  call_case c;
  c.of = of;
  c.index = index;
  constexpr op plain[] = {op::scatter_update, op::elements_v3, op::onnx_scatter};
  constexpr op summed[] = {op::index_add, op::nd_v14, op::elements_v12, op::scatter_reduce};
  c.which = has_numbers && random.one_in(2) ? summed[random.below(4)] : plain[random.below(3)];
  c.by = c.which == op::scatter_reduce                                                      ? reduce::max
         : c.which == op::elements_v12 && random.one_in(2)                                  ? reduce::mean
         : c.which == op::index_add || c.which == op::nd_v14 || c.which == op::elements_v12 ? reduce::sum
                                                                                            : reduce::none;
  c.with_init = c.which != op::scatter_reduce;
  draw_case(random, in, how, c);
  c.how = policy::error;
  if (c.has == fault::none && has_bad_index(c)) c.has = fault::index;
  if constexpr (!std::is_class_v<T>) {
    switch (c.which) {
      case op::index_add:
        return prepare_scatter<T, Index>(random, in, c, strew::index_add, c.axis);
      case op::nd_v14:
        return prepare_scatter<T, Index>(random, in, c, strew::v14::scatter_nd_update, strew::reduction::sum);
      case op::elements_v12:
        if (c.by == reduce::mean) {
          return prepare_scatter<T, Index>(random, in, c, strew::v12::scatter_elements_update, c.axis,
                                           strew::reduction::mean);
        }
        return prepare_scatter<T, Index>(random, in, c, strew::v12::scatter_elements_update, c.axis,
                                         strew::reduction::sum);
      case op::scatter_reduce:
        return prepare_scatter<T, Index>(random, in, c, strew::scatter_reduce, c.axis,
                                         strew::reduction::without_init(strew::reduction::max));
      default:
        break;
    }
  }
  switch (c.which) {
    case op::scatter_update:
      return prepare_scatter<T, Index>(random, in, c, strew::scatter_update, c.axis);
    case op::elements_v3:
      return prepare_scatter<T, Index>(random, in, c, strew::scatter_elements_update, c.axis);
    default:
      return prepare_scatter<T, Index>(random, in, c, strew::onnx::scatter, c.axis);
  }
}

void run(std::uint64_t seed, std::uint64_t number, slots& in) {
  set_case("prepared", seed, number);
  draws random(seed, number);
  drawing how;
  draw_size(random, how);
  switch (random.below(6)) {
    case 0:
      return run_typed<std::uint8_t, std::int32_t>(random, in, how, {kind::unsigned_integer, 1}, index_kind::int32,
                                                   true);
    case 1:
      return run_typed<float, std::int64_t>(random, in, how, {kind::floating, 4}, index_kind::int64, true);
    case 2:
      return run_typed<bytes<12>, std::int32_t>(random, in, how, {kind::opaque, 12}, index_kind::int32, false);
    case 3:
      return run_typed<double, std::uint8_t>(random, in, how, {kind::floating, 8}, index_kind::uint8, true);
    default: {
      how.may_shift = true;
      call_case c;
      do {
        draw_kinds(random, c);
      } while (!has_indices(c.which));
      draw_case(random, in, how, c);
      return run_schedule(random, in, c);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 20000);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in);
  return finish("prepared");
}
