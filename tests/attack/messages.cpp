// SPDX-License-Identifier: Apache-2.0
// Distributed calls under mpirun: all ranks draw the same whole tensors, have parts of them between guard pages, and
// compare their parts of the output with the oracle's. Ranks wait for random times before calls and before each
// message, and lend workspaces of different sizes, from none to more than enough, so messages come late, in any order,
// and in one round or in many. Legal calls are also prepared, bound between guard pages and run with several values.
#include "cases.hpp"
#include "dynamic_calls.hpp"
#include "executors.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attack;
using strew::mpi::distributed_tensor_view;
using strew::mpi::distribution;

int own_rank = 0;
int rank_count = 1;
draws* delays = nullptr;  // another sequence on each rank

void delay() {
  if (delays == nullptr || !delays->one_in(24)) return;
  usleep(static_cast<useconds_t>(delays->below(delays->one_in(16) ? 2000 : 150)));
}

}  // namespace

extern "C" {

int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  delay();
  return PMPI_Allreduce(sent, received, count, type, operation, comm);
}
int MPI_Bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  delay();
  return PMPI_Bcast(values, count, type, root, comm);
}
int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm comm) {
  delay();
  return PMPI_Alltoall(sent, count, type, received, received_count, received_type, comm);
}
int MPI_Alltoallv(const void* sent, const int* counts, const int* begins, MPI_Datatype type, void* received,
                  const int* received_counts, const int* received_begins, MPI_Datatype received_type, MPI_Comm comm) {
  delay();
  return PMPI_Alltoallv(sent, counts, begins, type, received, received_counts, received_begins, received_type, comm);
}
int MPI_Ialltoallv(const void* sent, const int* counts, const int* begins, MPI_Datatype type, void* received,
                   const int* received_counts, const int* received_begins, MPI_Datatype received_type, MPI_Comm comm,
                   MPI_Request* request) {
  delay();
  return PMPI_Ialltoallv(sent, counts, begins, type, received, received_counts, received_begins, received_type, comm,
                         request);
}

}  // extern "C"

namespace {

// How a tensor is divided: along an axis, or not at all (-1).
struct division {
  int axis = -1;
  int form = 0;
  std::int64_t cycle = 1;
  std::vector<std::int64_t> offsets;
  std::int64_t extent = 0;

  [[nodiscard]] distribution over() const {
    if (axis < 0) return distribution::replicated(extent);
    if (form == 0) return distribution::block(extent, rank_count);
    if (form == 1) return distribution::blocks(offsets);
    return distribution::block_cyclic(extent, rank_count, cycle);
  }
  // The coordinates of a rank, by this program's own reading of the three forms.
  [[nodiscard]] std::vector<std::int64_t> coordinates(int rank) const {
    std::vector<std::int64_t> result;
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t larger = extent % rank_count;
      const std::int64_t least = extent / rank_count;
      std::int64_t owner = 0;
      if (form == 0) {
        owner = i < larger * (least + 1) ? i / (least + 1)
                                         : larger + (i - larger * (least + 1)) / std::max<std::int64_t>(least, 1);
      } else if (form == 1) {
        while (offsets[static_cast<std::size_t>(owner) + 1] <= i) ++owner;
      } else {
        owner = i / cycle % rank_count;
      }
      if (axis < 0 || owner == rank) result.push_back(i);
    }
    return result;
  }
};

division draw_division(draws& random, int axis, std::int64_t extent) {
  division result;
  result.axis = axis;
  result.extent = extent;
  result.form = random.small(0, 2);
  result.cycle = random.between(1, 4);
  result.offsets.assign(static_cast<std::size_t>(rank_count) + 1, 0);
  for (int r = 1; r < rank_count; ++r) {
    auto& before = result.offsets[static_cast<std::size_t>(r) - 1];
    result.offsets[static_cast<std::size_t>(r)] = random.one_in(3) ? before : random.between(before, extent);
  }
  result.offsets.back() = extent;
  return result;
}

// A rank's part of an operand, in a slot of its own.
struct part {
  operand local;
  std::vector<std::int64_t> coordinates;  // on the axis that is divided
  division how;

  // Calls body(whole coordinate, address of the part's element).
  template <class Body>
  void for_each(const Body& body) const {
    std::int64_t whole[most_axes + 2] = {};
    for_each_element(local, [&](const std::int64_t* at, byte* address) {
      std::copy(at, at + local.shape.rank, whole);
      if (how.axis >= 0) whole[how.axis] = coordinates[static_cast<std::size_t>(at[how.axis])];
      body(static_cast<const std::int64_t*>(whole), address);
    });
  }
};
part cut(draws& own, guarded_slot& slot, const operand& whole, const division& how, const drawing& drawn) {
  part result;
  result.how = how;
  result.local.shape = whole.shape;
  if (how.axis >= 0) {
    result.coordinates = how.coordinates(own_rank);
    result.local.shape.at[how.axis] = static_cast<std::int64_t>(result.coordinates.size());
  }
  // Elements of a part are different ones, so that none is in the place of another.
  place_operand(own, slot, drawn, true, whole.unit, result.local);
  result.for_each([&](const std::int64_t* at, byte* address) {
    std::memcpy(address, whole.element(at), static_cast<std::size_t>(whole.unit));
  });
  slot.keep();
  return result;
}
template <class T>
distributed_tensor_view<T> view_of(const part& of) {
  const strew::tensor_view<T> local(reinterpret_cast<T*>(of.local.first), list_of(of.local.shape),
                                    strides_of(of.local));
  return {local, of.how.axis < 0 ? 0 : of.how.axis, of.how.over(), MPI_COMM_WORLD};
}

template <class T, class Index, class Ex>
strew::status call(Ex& ex, const call_case& c, const part& data, const part& indices, const part& updates,
                   const part& output) {
  const auto from = view_of<const T>(data);
  const auto at = view_of<const Index>(indices);
  const auto with = view_of<const T>(updates);
  const auto to = view_of<T>(output);
  switch (c.which) {
    case op::index_copy:
      return strew::mpi::try_index_copy(ex, from, c.axis, at, with, to);
    case op::index_add:
      return strew::mpi::try_index_add(ex, from, c.axis, at, with, to);
    case op::index_reduce:
      return strew::mpi::try_index_reduce(ex, from, c.axis, at, with, strew::reduction::mean, to);
    case op::scatter_update:
      return strew::mpi::try_scatter_update(ex, from, strew::drop(at), with, c.axis, to);
    case op::elements_v12:
      return c.by == reduce::sum
                 ? strew::mpi::v12::try_scatter_elements_update(ex, from, at, with, c.axis, strew::reduction::sum, to)
                 : strew::mpi::v12::try_scatter_elements_update(ex, from, at, with, c.axis, to);
    default:
      return strew::mpi::v14::try_scatter_nd_update(ex, from, at, with, strew::reduction::max, to);
  }
}

struct rank_slots {
  guarded_slot data, indices, updates, output, memory, bound;
};

// All bytes of this rank's parts: elements of the output are the oracle's, or those before if nothing was written.
void check_memory(const call_case& c, rank_slots& in, const part& output, bool is_written, const std::string& text) {
  guarded_slot& slot = *output.local.slot;
  if (is_written) {
    output.for_each([&](const std::int64_t* whole_at, byte* address) {
      const byte* const expected = c.output.slot->expected(c.output.element(whole_at));
      byte* const to = slot.expected(address);
      const bool is_same = keeps_bits(c.of, c.by)
                               ? std::memcmp(expected, address, static_cast<std::size_t>(c.of.size)) == 0
                               : are_equal(c.of, expected, address);
      if (!is_same) fail("an element is wrong: " + text);
      std::memcpy(to, address, static_cast<std::size_t>(c.of.size));
    });
  }
  if (!slot.is_as_expected()) fail("a byte beside the output is written, or elements in spite of an error: " + text);
  if (!in.data.is_as_expected() || !in.indices.is_as_expected() || !in.updates.is_as_expected())
    fail("an input is changed: " + text);
}

// A part as the whole operand is now.
void refill(const part& of, const operand& whole) {
  of.for_each([&](const std::int64_t* at, byte* address) {
    std::memcpy(address, whole.element(at), static_cast<std::size_t>(whole.unit));
  });
  of.local.slot->keep();
}

// The same legal call, prepared: bound in memory of the size that is asked for and in less, then run with other values.
// Where something is sent, indices are not read again: they are overwritten.
template <class T, class Prepared, class Indices>
void run_turns(draws& random, draws& own, rank_slots& in, call_case& c, const part& data, const part& updates,
               const part& output, const std::string& text, Prepared prepared, const Indices& indices) {
  set_step("the memory of a prepared distributed call");
  std::size_t bytes = 0;
  if (!prepared.try_bound_bytes(indices, bytes).ok()) fail("the memory of a legal call is not told: " + text);
  std::int64_t most = static_cast<std::int64_t>(bytes);
  PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  const auto place = [&](std::size_t size) {
    byte* const first = in.bound.place(size, own.one_in(2) ? flush::front : flush::back);
    return std::span(reinterpret_cast<std::byte*>(first), size);
  };
  count_call();
  if (most > 0 && random.one_in(4)) {
    // One rank has a byte less than it needs.
    std::int64_t ranks_of_most[2] = {static_cast<std::int64_t>(bytes) == most ? own_rank : rank_count, 0};
    PMPI_Allreduce(MPI_IN_PLACE, ranks_of_most, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    set_step("binding in too little memory");
    const strew::status refused = prepared.try_bind(indices, place(bytes - (ranks_of_most[0] == own_rank ? 1 : 0)));
    count_call(true);
    if (refused.code() != strew::errc::too_little_memory) fail("bound in too little memory: " + text);
  }
  set_step("binding a distributed call");
  const auto memory = place(bytes);
  const byte* const first = reinterpret_cast<const byte*>(memory.data());
  const strew::status bound = prepared.try_bind(indices, memory);
  count_call();
  if (!bound.ok()) fail("a legal call cannot be bound: " + text + ", " + bound.message().c_str());
  in.bound.keep();
  if (most > 0) {
    std::memset(in.indices.framed_begin(), 0x7F, in.indices.framed_size());
    in.indices.keep();
  }
  for (int turn = random.small(1, 3); turn > 0; --turn) {
    fill_operand(random, c.of, c.updates);
    fill_operand(random, c.of, c.data);
    // The whole indices are in place, for the oracle.
    expect(c);
    refill(data, c.data);
    refill(updates, c.updates);
    auto* const from = reinterpret_cast<T*>(data.local.first);
    auto* const with = reinterpret_cast<const T*>(updates.local.first);
    auto* const to = reinterpret_cast<T*>(output.local.first);
    delay();
    set_step("a run of a prepared distributed call");
    const any_executor ex(any_executor::order::shuffled, own.small(1, 4), {});
    strew::status made;
    switch (random.below(4)) {
      case 0:
        made = prepared.try_run(from, with, to);
        break;
      case 1:
        made = prepared.try_run(ex, from, with, to);
        break;
      case 2:
        made = prepared.try_begin(from, with, to);
        delay();
        if (made.ok()) made = prepared.try_end(from, with, to);
        break;
      default:
        made = prepared.try_begin(ex, from, with, to);
        delay();
        if (made.ok()) made = prepared.try_end(ex, from, with, to);
    }
    count_call();
    if (!made.ok()) fail("a bound call fails: " + text + ", " + made.message().c_str());
    check_memory(c, in, output, true, "prepared, " + text);
    // Messages are in the bound memory too; only what is beside it stays.
    std::memcpy(in.bound.expected(first), first, bytes);
    if (!in.bound.is_as_expected()) fail("a byte beside the bound memory is written: " + text);
  }
}
template <class T, class Index>
void run_prepared(draws& random, draws& own, rank_slots& in, call_case& c, const part& data, const part& indices,
                  const part& updates, const part& output, const std::string& text) {
  const auto from = view_of<const T>(data);
  const auto at = view_of<const Index>(indices);
  const auto with = view_of<const T>(updates);
  const auto to = view_of<T>(output);
  const auto turns = [&](auto prepared, const auto& bound) {
    run_turns<T>(random, own, in, c, data, updates, output, text, std::move(prepared), bound);
  };
  using strew::mpi::prepare;
  switch (c.which) {
    case op::index_copy:
      return turns(prepare<T, Index>(strew::mpi::index_copy, from, c.axis, at, with, to), at);
    case op::index_add:
      return turns(prepare<T, Index>(strew::mpi::index_add, from, c.axis, at, with, to), at);
    case op::scatter_update: {
      const auto dropped = strew::drop(at);
      return turns(prepare<T, Index>(strew::mpi::scatter_update, from, dropped, with, c.axis, to), dropped);
    }
    case op::elements_v12:
      if (c.by != reduce::sum) return;
      return turns(prepare<T, Index>(strew::mpi::v12::scatter_elements_update, from, at, with, c.axis,
                                     strew::reduction::sum, to),
                   at);
    case op::nd_v14:
      return turns(prepare<T, Index>(strew::mpi::v14::scatter_nd_update, from, at, with, strew::reduction::max, to),
                   at);
    default:
      return;  // mean
  }
}

// Of an element or a row, all ranks' parts of it included.
std::int64_t bytes_of_update(const call_case& c) {
  std::int64_t bytes = c.of.size;
  for (int axis = 0; axis < c.data.shape.rank && !is_elements(c.which); ++axis) {
    if (is_rows(c.which) ? axis != c.axis : axis >= c.components) bytes *= c.data.shape.at[axis];
  }
  return bytes;
}

void run(std::uint64_t seed, std::uint64_t number, slots& in, rank_slots& own_slots) {
  set_case("messages", seed, number);
  draws random(seed, number);  // the same on all ranks
  draws own(seed + 77, number * 64 + static_cast<std::uint64_t>(own_rank));
  delays = &own;
  drawing how;
  const std::int64_t size = random.below(4000);
  how.elements = size < 1 ? 3 << 20 : size < 8 ? 1 << 17 : size < 100 ? 1 << 13 : 60;
  how.most_rank = 3;
  call_case c;
  const bool is_float = random.one_in(2);
  c.of = is_float ? element{kind::floating, 4} : element{kind::unsigned_integer, 2};
  c.index = is_float ? index_kind::int64 : index_kind::int32;
  c.which =
      random.pick({op::index_copy, op::index_add, op::index_reduce, op::scatter_update, op::elements_v12, op::nd_v14});
  c.by = c.which == op::index_add                          ? reduce::sum
         : c.which == op::index_reduce                     ? reduce::mean
         : c.which == op::nd_v14                           ? reduce::max
         : c.which == op::elements_v12 && random.one_in(2) ? reduce::sum
                                                           : reduce::none;
  draw_case(random, in, how, c);
  c.how = c.which == op::scatter_update ? policy::drop : policy::error;
  if (c.has == fault::extents || c.has == fault::repeated) return;
  if (c.has == fault::none && has_bad_index(c)) c.has = fault::index;
  expect(c);

  // Who has what.
  const int rank = c.data.shape.rank;
  // Most often along an axis on which indices select, as updates travel then.
  const int axis = random.one_in(4)        ? random.small(-1, rank - 1)
                   : c.which != op::nd_v14 ? static_cast<int>(c.axis)
                   : c.components > 0      ? random.small(0, c.components - 1)
                                           : -1;
  const division whole;
  division of_data = axis < 0 ? whole : draw_division(random, axis, c.data.shape.at[axis]);
  if (axis < 0) of_data.extent = c.data.shape.at[0];
  division of_indices = whole;
  division of_updates = whole;
  const extents& indices = c.indices[0].shape;
  of_indices.extent = indices.rank > 0 ? indices.at[0] : 0;
  of_updates.extent = c.updates.shape.rank > 0 ? c.updates.shape.at[0] : 0;
  const bool selects = axis >= 0 && (c.which == op::nd_v14 ? axis < c.components : axis == c.axis);
  const int most = indices.rank - (c.which == op::nd_v14 ? 1 : 0);
  if (selects && most > 0 && !random.one_in(4)) {
    const int along = random.small(0, most - 1);
    of_indices = draw_division(random, along, indices.at[along]);
    of_updates = of_indices;
    of_updates.axis = is_rows(c.which) ? along + static_cast<int>(c.axis) : along;
  } else if (axis >= 0 && !selects && random.one_in(2)) {
    of_updates = of_data;
    if (is_elements(c.which)) {
      if (indices.at[axis] != c.data.shape.at[axis]) {
        of_updates = whole;
        of_updates.extent = c.updates.shape.at[0];
      } else {
        of_indices = of_data;
      }
    } else if (is_rows(c.which)) {
      of_updates.axis = axis < c.axis ? axis : axis + indices.rank - 1;
    } else {
      of_updates.axis = axis - c.components + indices.rank - 1;
    }
  }
  const part data = cut(own, own_slots.data, c.data, of_data, how);
  const part at = cut(own, own_slots.indices, c.indices[0], of_indices, how);
  const part updates = cut(own, own_slots.updates, c.updates, of_updates, how);
  const part output = c.in_place ? data : cut(own, own_slots.output, c.output, of_data, how);

  const bool has_memory = random.one_in(2);
  const bool is_on_heap = random.one_in(3);
  const std::int64_t room = random.skewed(how.elements > 4096 ? 1 << 21 : 1 << 13);
  any_executor ex(any_executor::order::shuffled, own.small(1, 4), {});
  if (has_memory) {
    const std::int64_t bytes = room + own.below(64);
    byte* const memory =
        own_slots.memory.place(static_cast<std::size_t>(bytes), own.one_in(2) ? flush::front : flush::back);
    ex = any_executor(any_executor::order::shuffled, own.small(1, 4),
                      std::span(reinterpret_cast<std::byte*>(memory), static_cast<std::size_t>(bytes)));
  }
  delay();
  set_step("a distributed call");
  const auto call_on = [&](auto& executor) {
    return is_float ? call<float, std::int64_t>(executor, c, data, at, updates, output)
                    : call<std::uint16_t, std::int32_t>(executor, c, data, at, updates, output);
  };
  strew::status made;
  if (is_on_heap && !has_memory) {
    strew::heap_workspace<any_executor> heap(ex);
    made = call_on(heap);
  } else {
    made = call_on(ex);
  }
  count_call(!made.ok());
  const std::string text = std::string(made.message().c_str()) + ", operator " +
                           std::to_string(static_cast<int>(c.which)) + ", data along " + std::to_string(of_data.axis) +
                           ", indices along " + std::to_string(of_indices.axis) + ", updates along " +
                           std::to_string(of_updates.axis);
  bool is_error = c.is_error;
  // A part of updates that are whole is read as one range of them, which a part in blocks need not be.
  const bool may_be_scattered = axis >= 0 && !selects && of_data.form == 2 && of_updates.axis < 0;
  if (made.code() == strew::errc::unsupported_distribution && may_be_scattered) {
    is_error = true;
  } else if (made.code() == strew::errc::too_little_memory) {
    // The 32 KiB of a call without a workspace hold at most four copies of an update, and tables.
    if (!has_memory && c.by != reduce::mean && 5 * bytes_of_update(c) < 32768) {
      fail("too little memory without a workspace: " + text);
    }
    is_error = true;
  } else if (made.ok() == c.is_error) {
    fail("another outcome: " + text);
  } else if (c.is_index_error) {
    outcome found;
    std::string message;
    set_outcome(made, found, message);
    if (found.bad_rank != c.bad_rank || !std::equal(c.bad, c.bad + c.bad_rank, found.bad))
      fail("another bad index: " + text);
  }
  // All ranks have one outcome.
  int codes[] = {static_cast<int>(made.code()), -static_cast<int>(made.code())};
  PMPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (codes[0] != -codes[1]) fail("the ranks have different outcomes: " + text);
  check_memory(c, own_slots, output, !is_error, text);
  if (!is_error && random.one_in(2)) {
    if (is_float) {
      run_prepared<float, std::int64_t>(random, own, own_slots, c, data, at, updates, output, text);
    } else {
      run_prepared<std::uint16_t, std::int32_t>(random, own, own_slots, c, data, at, updates, output, text);
    }
  }
  delays = nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const options chosen = read_options(argc, argv, 2000);
  slots in;
  rank_slots own;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) run(chosen.seed, chosen.first + k, in, own);
  MPI_Barrier(MPI_COMM_WORLD);
  const int result = own_rank == 0 ? finish(("messages on " + std::to_string(rank_count) + " ranks").c_str()) : 0;
  MPI_Finalize();
  return result;
}
