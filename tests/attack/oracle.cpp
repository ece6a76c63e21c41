// SPDX-License-Identifier: Apache-2.0
// What is expected of a call, by the words of the specifications: one update after the other, in row-major order.
#include "cases.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace attack {

namespace {

__extension__ using wide = __int128;

// The element that an index selects, or -1: none.
std::int64_t select(const call_case& of, std::int64_t index, bool is_huge, std::int64_t extent) {
  const bool is_legal = !is_huge && index < extent && index >= (is_strict(of.which) ? 0 : -extent);
  if (is_legal) return index < 0 ? index + extent : index;
  if (extent == 0) return -1;
  switch (of.how) {
    case policy::clip:
      return is_huge || index > 0 ? extent - 1 : 0;
    case policy::wrap: {
      const wide value = is_huge ? static_cast<wide>(static_cast<std::uint64_t>(index)) : static_cast<wide>(index);
      const auto rest = static_cast<std::int64_t>(value % extent);
      return rest < 0 ? rest + extent : rest;
    }
    default:
      return -1;
  }
}

void set_bad(call_case& of, const std::int64_t* at, int rank) {
  of.is_error = true;
  of.is_index_error = true;
  of.bad_rank = rank;
  std::copy(at, at + rank, of.bad);
}

// Finds the first index in row-major order that is an error.
void find_bad_index(call_case& of) {
  if (of.how == policy::drop || of.how == policy::assume_valid) return;
  const auto is_bad = [&](const byte* from, std::int64_t extent) {
    bool is_huge = false;
    const std::int64_t index = load_index(of.index, from, is_huge);
    return select(of, index, is_huge, extent) < 0;
  };
  if (of.which == op::index_put) {
    // Of one position the first component.
    for_each_element(of.indices[0], [&](const std::int64_t* at, const byte*) {
      for (int j = 0; j < of.index_count && !of.is_error; ++j) {
        if (is_bad(of.indices[j].element(at), of.data.shape.at[j])) set_bad(of, at, of.indices[0].shape.rank);
      }
    });
    return;
  }
  const operand& indices = of.indices[0];
  for_each_element(indices, [&](const std::int64_t* at, const byte* from) {
    if (of.is_error) return;
    const std::int64_t extent = of.which == op::put  ? of.data.shape.size()
                                : is_multi(of.which) ? of.data.shape.at[at[indices.shape.rank - 1]]
                                                     : of.data.shape.at[of.axis];
    if (is_bad(from, extent)) set_bad(of, at, indices.shape.rank);
  });
}

std::int64_t number_of(const extents& shape, const std::int64_t* at) {
  std::int64_t number = 0;
  for (int k = 0; k < shape.rank; ++k) number = number * shape.at[k] + at[k];
  return number;
}

// Calls body(target, update, number of the update) for each update that is applied, in row-major order of updates.
template <class Body>
void for_each_update(const call_case& of, const Body& body) {
  std::int64_t target[most_axes + 2] = {};
  const int rank = of.data.shape.rank;
  bool is_huge = false;
  const auto read = [&](const byte* from, std::int64_t extent) {
    const std::int64_t index = load_index(of.index, from, is_huge);
    return select(of, index, is_huge, extent);
  };
  if (is_rows(of.which)) {
    const operand& indices = of.indices[0];
    const int q = indices.shape.rank;
    const auto axis = static_cast<int>(of.axis);
    operand updates = of.updates;
    if (of.which == op::index_fill) {  // one value for all
      updates.shape = of.data.shape;
      updates.shape.erase(axis);
      for (int k = 0; k < q; ++k) updates.shape.insert(axis + k, indices.shape.at[k]);
      std::fill(updates.strides, updates.strides + most_axes + 2, 0);
    }
    for_each_element(updates, [&](const std::int64_t* at, const byte* update) {
      for (int k = 0; k < axis; ++k) target[k] = at[k];
      target[axis] = read(indices.element(at + axis), of.data.shape.at[axis]);
      for (int k = axis + 1; k < rank; ++k) target[k] = at[k + q - 1];
      if (target[axis] >= 0) body(target, update, number_of(indices.shape, at + axis));
    });
  } else if (is_elements(of.which)) {
    for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
      std::copy(at, at + rank, target);
      target[of.axis] = read(of.indices[0].element(at), of.data.shape.at[of.axis]);
      if (target[of.axis] >= 0) body(target, update, at[of.axis]);
    });
  } else if (of.which == op::put) {
    const std::int64_t size = of.data.shape.size();
    for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
      std::int64_t number = read(of.indices[0].element(at), size);
      if (number < 0) return;
      for (int k = rank; k-- > 0;) {
        target[k] = number % of.data.shape.at[k];
        number /= of.data.shape.at[k];
      }
      body(target, update, number_of(of.updates.shape, at));
    });
  } else {
    const int q = of.updates.shape.rank - (rank - of.components);
    extents positions = of.updates.shape;
    positions.rank = q;
    for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
      std::int64_t position[most_axes + 2] = {};
      std::copy(at, at + q, position);
      bool is_applied = true;
      for (int j = 0; j < of.components; ++j) {
        position[q] = j;
        const operand& indices = of.indices[of.which == op::index_put ? j : 0];
        target[j] = read(indices.element(position), of.data.shape.at[j]);
        is_applied = is_applied && target[j] >= 0;
      }
      for (int k = of.components; k < rank; ++k) target[k] = at[q + k - of.components];
      if (is_applied) body(target, update, number_of(positions, at));
    });
  }
}

// The same for operators without indices.
template <class Body>
void for_each_copy(call_case& of, const Body& body) {
  std::int64_t target[most_axes + 2] = {};
  const int rank = of.data.shape.rank;
  switch (of.which) {
    case op::slice: {
      std::int64_t first[most_axes + 2] = {};
      std::int64_t step[most_axes + 2];
      std::fill(step, step + most_axes + 2, 1);
      for (int k = 0; k < of.slice_axes.rank; ++k) {
        const std::int64_t axis = of.slice_axes.at[k];
        slice_length(of, k, of.data.shape.at[axis], first[axis]);
        if (of.has_step) step[axis] = of.slice_step.at[k];
      }
      for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
        for (int k = 0; k < rank; ++k) {
          target[k] = first[k] + (at[k] == 0 ? 0 : at[k] * step[k]);
        }
        body(target, update);
      });
      break;
    }
    case op::select:
      for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
        for (int k = 0; k < rank; ++k) {
          target[k] = k < of.axis   ? at[k]
                      : k > of.axis ? at[k - 1]
                                    : of.number + (of.number < 0 ? of.data.shape.at[k] : 0);
        }
        body(target, update);
      });
      break;
    case op::diagonal:
      for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
        int next = 0;
        for (int k = 0; k < rank; ++k) {
          const std::int64_t along = at[of.updates.shape.rank - 1];
          target[k] = k == of.axis    ? along - std::min<std::int64_t>(of.number, 0)
                      : k == of.axis2 ? along + std::max<std::int64_t>(of.number, 0)
                                      : at[next++];
        }
        body(target, update);
      });
      break;
    case op::cache:
      for_each_element(of.updates, [&](const std::int64_t* at, const byte* update) {
        std::copy(at, at + rank, target);
        bool is_huge = false;
        const std::int64_t begin = of.has_starts ? load_index(of.index, of.indices[0].element(at), is_huge) : 0;
        const std::int64_t length = of.data.shape.at[of.axis];
        const auto start =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(begin) % static_cast<std::uint64_t>(length));
        target[of.axis] = (start + at[of.axis]) % length;
        body(target, update);
      });
      break;
    default: {
      // The elements of the source one after the other.
      std::vector<const byte*> source;
      for_each_element(of.updates, [&](const std::int64_t*, const byte* from) { source.push_back(from); });
      std::size_t next = 0;
      for_each_element(of.indices[0], [&](const std::int64_t* at, const byte* mask) {
        if (*mask == 0) return;
        std::copy(at, at + rank, target);
        body(target, of.which == op::masked_fill ? source[0] : source[next++]);
      });
    }
  }
}

void find_bad_start(call_case& of) {
  if (!of.has_starts) return;
  const std::int64_t most = of.data.shape.at[of.axis] - of.updates.shape.at[of.axis];
  for_each_element(of.indices[0], [&](const std::int64_t* at, const byte* from) {
    bool is_huge = false;
    const std::int64_t index = load_index(of.index, from, is_huge);
    const bool is_bad = of.is_circular ? !is_huge && index < 0 : is_huge || index < 0 || index > most;
    if (is_bad && !of.is_error) set_bad(of, at, 1);
  });
}

}  // namespace

std::int64_t slice_length(const call_case& of, int k, std::int64_t extent, std::int64_t& first) noexcept {
  const wide step = of.has_step ? of.slice_step.at[k] : 1;
  const wide low = step > 0 ? 0 : -1;
  const wide high = step > 0 ? extent : extent - 1;
  const auto clamp = [&](bool is_given, std::int64_t given, wide left_out) {
    if (!is_given) return left_out;
    wide value = given;
    if (value < 0) value += extent;
    return value < low ? low : value > high ? high : value;
  };
  const wide start = clamp(of.has_start, of.slice_start.at[k], step > 0 ? low : high);
  const wide stop = clamp(of.has_stop, of.slice_stop.at[k], step > 0 ? high : low);
  first = static_cast<std::int64_t>(start);
  const wide span = step > 0 ? stop - start : start - stop;
  const wide by = step > 0 ? step : -step;
  return span <= 0 ? 0 : static_cast<std::int64_t>((span + by - 1) / by);
}
std::int64_t diagonal_length(std::int64_t along, std::int64_t across, std::int64_t offset) noexcept {
  const wide length = offset >= 0 ? std::min<wide>(along, static_cast<wide>(across) - offset)
                                  : std::min<wide>(static_cast<wide>(along) + offset, across);
  return length < 0 ? 0 : static_cast<std::int64_t>(length);
}

bool has_bad_index(const call_case& of) {
  call_case strict = of;
  strict.how = policy::error;
  strict.is_error = false;
  find_bad_index(strict);
  return strict.is_error;
}

void expect(call_case& of) {
  of.data.slot->keep();
  of.updates.slot->keep();
  if (of.has_numbers) of.numbers.slot->keep();
  for (int j = 0; j < of.index_count; ++j) of.indices[j].slot->keep();
  if (!of.in_place) of.output.slot->keep();
  of.is_error = of.has == fault::extents || of.has == fault::repeated;
  if (of.which == op::select && !of.is_error) {
    const std::int64_t extent = of.data.shape.at[of.axis];
    of.is_error = of.number < -extent || of.number >= extent;
  } else if (of.which == op::cache && !of.is_error) {
    find_bad_start(of);
  } else if (has_indices(of.which) && !of.is_error) {
    of.is_error = of.has_numbers && !has_room(of.numbers_type, numbers_of(of));
    if (!of.is_error) find_bad_index(of);
  }
  if (of.is_error) return;

  guarded_slot& out = *of.output.slot;
  const auto size = static_cast<std::size_t>(of.of.size);
  if (!of.in_place) {
    for_each_element(of.data, [&](const std::int64_t* at, const byte* from) {
      std::memcpy(out.expected(of.output.element(at)), from, size);
    });
  }
  const bool has_states = of.by == reduce::mean || !of.with_init;
  const auto is_left_out = [&](const byte* update) { return of.skips_nan && is_nan(of.of, update); };
  if (!has_indices(of.which)) {
    for_each_copy(of, [&](const std::int64_t* at, const byte* update) {
      std::memcpy(out.expected(of.output.element(at)), update, size);
    });
  } else if (!has_states) {
    const auto number = [&](const byte* of_element, std::int64_t value) {
      store_index(of.numbers_type, of.numbers.slot->expected(of_element), value);
    };
    if (of.has_numbers) {
      for_each_element(of.numbers, [&](const std::int64_t*, const byte* to) { number(to, -1); });
    }
    for_each_update(of, [&](const std::int64_t* at, const byte* update, std::int64_t value) {
      if (is_left_out(update)) return;
      byte* const to = out.expected(of.output.element(at));
      const std::vector<byte> before(to, to + size);
      combine(of.of, of.by, to, update);
      const bool wins = of.by == reduce::none || std::memcmp(before.data(), to, size) != 0;
      if (of.has_numbers && wins) number(of.numbers.element(at), value);
    });
  } else {
    std::vector<mean_state> states(static_cast<std::size_t>(of.output.shape.size()));
    for_each_update(of, [&](const std::int64_t* at, const byte* update, std::int64_t) {
      if (is_left_out(update)) return;
      mean_state& state = states[static_cast<std::size_t>(number_of(of.output.shape, at))];
      byte* const to = out.expected(of.output.element(at));
      if (of.by == reduce::mean) {
        if (state.count() == 0 && of.with_init) state.add(of.of, to);
        state.add(of.of, update);
      } else {
        combine(of.of, state.count() == 0 ? reduce::none : of.by, to, update);
        state.add(of.of, update);
      }
    });
    if (of.by == reduce::mean) {
      for_each_element(of.output, [&](const std::int64_t* at, const byte* to) {
        const mean_state& state = states[static_cast<std::size_t>(number_of(of.output.shape, at))];
        if (state.count() > 0) state.finish(of.of, out.expected(to));
      });
    }
  }
}

namespace {

std::string text_of(const extents& shape, const std::int64_t* numbers) {
  std::string text = "(";
  for (int k = 0; k < shape.rank; ++k) text += (k > 0 ? ", " : "") + std::to_string(numbers[k]);
  return text + ")";
}
std::string text_of(const char* name, const operand& of) {
  return std::string(" ") + name + text_of(of.shape, of.shape.at) + " strides " + text_of(of.shape, of.strides);
}

[[noreturn]] void fail_case(const call_case& of, const outcome& found, const char* form, const std::string& what) {
  static const char* const names[] = {"slice_scatter",
                                      "select_scatter",
                                      "diagonal_scatter",
                                      "tensor_scatter",
                                      "masked_scatter",
                                      "masked_fill",
                                      "scatter_update",
                                      "index_copy",
                                      "index_add",
                                      "index_reduce",
                                      "index_fill",
                                      "v3::scatter_elements_update",
                                      "v12::scatter_elements_update",
                                      "onnx::scatter",
                                      "onnx::scatter_elements",
                                      "scatter",
                                      "scatter_add",
                                      "scatter_reduce",
                                      "put_along_axis",
                                      "v3::scatter_nd_update",
                                      "v14::scatter_nd_update",
                                      "onnx::scatter_nd",
                                      "index_put",
                                      "put"};
  static const char* const reductions[] = {"none", "sum", "sub", "prod", "min", "max", "mean"};
  static const char* const policies[] = {"error", "drop", "clip", "wrap", "assume_valid"};
  static const char* const faults[] = {"none", "index", "extents", "repeated"};
  std::string text =
      what + "\n  " + names[static_cast<int>(of.which)] + ", " + form + ", elements of kind " +
      std::to_string(static_cast<int>(of.of.is)) + " and " + std::to_string(of.of.size) + " bytes, indices of type " +
      std::to_string(static_cast<int>(of.index)) + ", " + reductions[static_cast<int>(of.by)] +
      (of.with_init ? "" : " without init") + (of.skips_nan ? " without NaNs" : "") + ", policy " +
      policies[static_cast<int>(of.how)] + ", axis " + std::to_string(of.axis) + ", axis2 " + std::to_string(of.axis2) +
      ", number " + std::to_string(of.number) + ", fault " + faults[static_cast<int>(of.has)] +
      (of.in_place ? ", in place" : "") + "\n " + (of.has_numbers ? text_of("numbers", of.numbers) : "") +
      text_of("data", of.data) + text_of("updates", of.updates) + text_of("output", of.output);
  for (int j = 0; j < of.index_count; ++j) text += text_of("indices", of.indices[j]);
  text += std::string("\n  message: ") + found.message;
  fail(text);
}

}  // namespace

void compare(const call_case& of, const outcome& found, const char* form) {
  count_call(!found.is_ok);
  if (found.is_ok == of.is_error) fail_case(of, found, form, of.is_error ? "no error" : "an error");
  if (found.is_index_error != of.is_index_error && of.is_index_error) fail_case(of, found, form, "another error");
  if (of.is_index_error) {
    const bool is_same = found.bad_rank == of.bad_rank && std::equal(of.bad, of.bad + of.bad_rank, found.bad);
    if (!is_same) {
      extents shape;
      shape.rank = of.bad_rank;
      fail_case(of, found, form, "another bad index than that at " + text_of(shape, of.bad));
    }
  }
  if (!of.in_place && !of.data.slot->is_as_expected()) fail_case(of, found, form, "data is changed");
  if (!of.updates.slot->is_as_expected()) fail_case(of, found, form, "updates are changed");
  if (of.has_numbers && !of.numbers.slot->is_as_expected()) fail_case(of, found, form, "numbers are wrong");
  for (int j = 0; j < of.index_count; ++j) {
    if (!of.indices[j].slot->is_as_expected()) fail_case(of, found, form, "indices are changed");
  }
  guarded_slot& out = *of.output.slot;
  if (out.is_as_expected()) return;
  if (!keeps_bits(of.of, of.by)) {
    for_each_element(of.output, [&](const std::int64_t*, const byte* at) {
      byte* const expected = out.expected(at);
      if (are_equal(of.of, at, expected)) std::memcpy(expected, at, static_cast<std::size_t>(of.of.size));
    });
    if (out.is_as_expected()) return;
  }
  std::string where;
  for_each_element(of.output, [&](const std::int64_t* at, const byte* address) {
    if (!where.empty() || are_equal(of.of, address, out.expected(address))) return;
    where = "the element at " + text_of(of.output.shape, at);
  });
  if (where.empty()) where = "a byte beside the elements, " + std::to_string(out.first_difference()) + " of the frame";
  fail_case(of, found, form, where + " is wrong");
}

void restore(const call_case& of) {
  of.output.slot->restore();
  if (of.has_numbers) of.numbers.slot->restore();
}

}  // namespace attack
