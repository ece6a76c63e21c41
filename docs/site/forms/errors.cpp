// SPDX-License-Identifier: Apache-2.0
// Makes calls of each operator with one operand wrong at a time, and prints each code with the message of the first
// call that is refused with it. The operators' comments are compared with these codes by hooks.py.
#include "errors.hpp"

#include "../../../tests/support/errc_names.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

using strew::errc;
using strew::index_list;
using strew::slice_spec;
using strew::status;
using strew::tensor_view;
using number = std::int8_t;

// Memory of each operand, far from that of the others.
template <class T, int Number>
T* memory() {
  static T elements[4096];
  return elements;
}

// The operands of a call. Each operator takes those that it has.
struct operands {
  tensor_view<number> data, updates, output;
  tensor_view<std::int64_t> indices;
  tensor_view<bool> mask;
  index_list axis{0};
  slice_spec slice{.start = {0}, .stop = {2}, .step = {1}, .axes = {0}};
  std::int64_t coordinate = 0;
  std::int64_t second_axis = 1;
  strew::onnx::tensor_scatter_options cache;
  bool is_value = false;  // one value in the place of updates
  int value = 1;
};

using call = std::function<status(const operands&)>;
using change = std::function<void(operands&)>;

template <class T>
tensor_view<T> with_another_axis(const tensor_view<T>& view) {
  index_list extents = view.extents();
  extents.push_back(1);
  return {view.data(), extents};
}
template <class T>
tensor_view<T> longer(const tensor_view<T>& view, int axis) {
  index_list extents;
  for (int k = 0; k < view.rank(); ++k) extents.push_back(view.extent(k) + (k == axis ? 1 : 0));
  return {view.data(), extents};
}

index_list zeros(int count) {
  index_list list;
  for (int k = 0; k < count; ++k) list.push_back(0);
  return list;
}

void set_indices(operands& on, std::int64_t value) {
  for (std::int64_t k = 0; k < on.indices.size(); ++k) on.indices.data()[k] = value;
}

// One mistake each. An operator that does not have the operand makes a legal call, which prints nothing.
const change changes[] = {
    [](operands& on) { on.updates = with_another_axis(on.updates); },
    [](operands& on) {
      on.data = tensor_view<number>{on.data.data(), {}};
      on.output = tensor_view<number>{on.output.data(), {}};
    },
    [](operands& on) { on.mask = with_another_axis(on.mask); },
    [](operands& on) { on.updates = longer(on.updates, 0); },
    [](operands& on) { on.output = longer(on.output, 0); },
    [](operands& on) { on.mask = longer(on.mask, 0); },
    [](operands& on) {
      on.axis = {7};
      on.slice.axes = {7};
      on.cache.axis = 7;
    },
    [](operands& on) {
      on.axis = {0, 1};
      on.slice.stop = {1, 2};
    },
    [](operands& on) {
      on.axis = zeros(strew::max_rank + 1);
      on.slice.axes = zeros(strew::max_rank + 1);
    },
    [](operands& on) {
      on.slice = {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {0, 0}};
      on.second_axis = 0;
    },
    [](operands& on) { on.slice.step = {0}; },
    [](operands& on) {
      set_indices(on, 99);
      on.coordinate = 99;
    },
    [](operands& on) {
      on.output = tensor_view<number>{on.output.data(), on.output.extents(), zeros(on.output.rank())};
    },
    [](operands& on) {
      on.output = tensor_view<number>{on.updates.data(), on.output.extents()};
    },
    [](operands& on) {
      on.updates = tensor_view<number>{on.updates.data(), {0}};
    },
    [](operands& on) {
      on.is_value = true;
      on.value = 1000;
    },
    // Updates of one value have the extents that follow from the indices: too many elements, or too many axes.
    [](operands& on) {
      if (on.updates.rank() == 1 || on.indices.size() > 2) return;  // these extents are not larger than the indices'
      on.is_value = true;
      on.data = {on.data.data(), {3, 16}};
      on.output = {on.output.data(), {3, 16}};
      const std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max() / 8;
      const bool has_components = on.indices.rank() == 2;
      on.indices = has_components ? tensor_view<std::int64_t>{on.indices.data(), {most, 1}, {0, 1}}
                                  : tensor_view<std::int64_t>{on.indices.data(), {most}, {0}};
    },
    [](operands& on) {
      on.is_value = true;
      index_list extents;
      for (int k = 1; k < strew::max_rank; ++k) extents.push_back(1);
      extents.push_back(on.indices.rank() == 1 ? 1 : 0);  // multi-indices without components
      on.indices = tensor_view<std::int64_t>{on.indices.data(), extents};
    },
};

void print_errors_of(const char* name, const operands& good, const call& make) {
  set_indices(const_cast<operands&>(good), 0);
  if (const status legal = make(good); !legal.ok()) {
    std::cerr << "The call without a mistake is refused: " << legal << '\n';
    std::exit(1);
  }
  std::cout << "errors\t" << name << '\n';
  std::vector<std::string> messages(static_cast<std::size_t>(strew::test::last_code) + 1);
  for (const change& make_wrong : changes) {
    operands wrong = good;
    set_indices(wrong, 0);
    make_wrong(wrong);
    const status outcome = make(wrong);
    std::string& message = messages[static_cast<std::size_t>(outcome.code())];
    if (!outcome.ok() && message.empty()) message = outcome.message().c_str();
  }
  for (std::size_t k = 1; k < messages.size(); ++k) {
    if (!messages[k].empty())
      std::cout << "error\t" << strew::test::name_of(static_cast<errc>(k)) << '\t' << messages[k] << '\n';
  }
}

// Operands of the extents given, with data of 3 rows of 4.
operands make_operands(const index_list& indices, const index_list& updates) {
  operands on;
  on.data = {memory<number, 0>(), {3, 4}};
  on.output = {memory<number, 1>(), {3, 4}};
  on.updates = {memory<number, 2>(), updates};
  on.indices = {memory<std::int64_t, 0>(), indices};
  on.mask = {memory<bool, 0>(), {3, 4}};
  return on;
}

// Calls of an operator, with updates as a tensor or as one value: body(updates).
template <class Body>
status with_updates(const operands& on, const Body& body) {
  return on.is_value ? body(on.value) : body(on.updates);
}

// A view of rank 0, which stands in the place of a value.
tensor_view<const number> one_element(const operands& on) {
  return {on.updates.data(), {}};
}

}  // namespace

void print_errors() {
  using namespace strew;
  namespace red = strew::reduction;
  for (int k = 0; k < 12; ++k) memory<bool, 0>()[k] = true;
  for (int k = 1; k <= static_cast<int>(strew::test::last_code); ++k) {
    std::cout << "code\t" << strew::test::name_of(static_cast<errc>(k)) << '\n';
  }
  const operands rows = make_operands({2}, {2, 4}), elements = make_operands({2, 4}, {2, 4});
  const operands multi_indices = make_operands({2, 1}, {2, 4}), numbers = make_operands({5}, {5});

  print_errors_of("slice_scatter", make_operands({}, {2, 4}), [](const operands& on) {
    return with_updates(on,
                        [&](const auto& updates) { return try_slice_scatter(on.data, updates, on.slice, on.output); });
  });
  print_errors_of("select_scatter", make_operands({}, {4}), [](const operands& on) {
    return with_updates(on, [&](const auto& source) {
      return try_select_scatter(on.data, source, on.axis[0], on.coordinate, on.output);
    });
  });
  print_errors_of("diagonal_scatter", make_operands({}, {3}), [](const operands& on) {
    return with_updates(on, [&](const auto& source) {
      return try_diagonal_scatter(on.data, source, 0, on.axis[0], on.second_axis, on.output);
    });
  });

  const auto with_axis_last = [](const auto& scatter) {
    return [&scatter](const operands& on) {
      return with_updates(
          on, [&](const auto& updates) { return scatter(on.data, on.indices, updates, on.axis, on.output); });
    };
  };
  const auto with_axis_number_last = [](const auto& scatter) {
    return [&scatter](const operands& on) {
      return with_updates(
          on, [&](const auto& updates) { return scatter(on.data, on.indices, updates, on.axis[0], on.output); });
    };
  };
  const auto with_axis_first = [](const auto& scatter, const auto&... option) {
    return [&scatter, option...](const operands& on) {
      return with_updates(on, [&](const auto& source) {
        return scatter(on.data, on.axis[0], on.indices, source, option..., on.output);
      });
    };
  };
  const auto by_multi_indices = [](const auto& scatter) {
    return [&scatter](const operands& on) {
      return with_updates(on, [&](const auto& updates) { return scatter(on.data, on.indices, updates, on.output); });
    };
  };
  print_errors_of("scatter_update", rows, with_axis_last(try_scatter_update));
  print_errors_of("index_copy", rows, with_axis_first(try_index_copy));
  print_errors_of("index_add", rows, with_axis_first(try_index_add));
  print_errors_of("index_reduce", rows, with_axis_first(try_index_reduce, red::max));
  print_errors_of("index_fill", rows, [](const operands& on) {
    if (on.is_value) return try_index_fill(on.data, on.axis[0], on.indices, on.value, on.output);
    return try_index_fill(on.data, on.axis[0], on.indices, one_element(on), on.output);
  });
  print_errors_of("scatter_elements_update", elements, with_axis_last(try_scatter_elements_update));
  print_errors_of("v12::scatter_elements_update", elements, with_axis_number_last(v12::try_scatter_elements_update));
  print_errors_of("onnx::scatter", elements, with_axis_last(onnx::try_scatter));
  print_errors_of("onnx::scatter_elements", elements, with_axis_number_last(onnx::try_scatter_elements));
  print_errors_of("scatter", elements, with_axis_first(try_scatter));
  print_errors_of("scatter_add", elements, with_axis_first(try_scatter_add));
  print_errors_of("scatter_reduce", elements, with_axis_first(try_scatter_reduce, red::max));
  print_errors_of("put_along_axis", elements, with_axis_number_last(try_put_along_axis));
  print_errors_of("v3::scatter_nd_update", multi_indices, by_multi_indices(v3::try_scatter_nd_update));
  print_errors_of("v14::scatter_nd_update", multi_indices, by_multi_indices(v14::try_scatter_nd_update));
  print_errors_of("v15::scatter_nd_update", multi_indices, by_multi_indices(v15::try_scatter_nd_update));
  print_errors_of("onnx::scatter_nd", multi_indices, by_multi_indices(onnx::try_scatter_nd));
  print_errors_of("index_put", rows, [](const operands& on) {
    return with_updates(
        on, [&](const auto& values) { return try_index_put(on.data, std::tuple{on.indices}, values, on.output); });
  });
  print_errors_of("put", numbers, by_multi_indices(try_put));
  print_errors_of("masked_scatter", make_operands({}, {12}),
                  [](const operands& on) { return try_masked_scatter(on.data, on.mask, on.updates, on.output); });
  print_errors_of("masked_fill", make_operands({}, {}), [](const operands& on) {
    if (on.is_value) return try_masked_fill(on.data, on.mask, on.value, on.output);
    return try_masked_fill(on.data, on.mask, one_element(on), on.output);
  });
  operands cache = make_operands({2}, {2, 1, 3});
  cache.data = {memory<number, 0>(), {2, 4, 3}};
  cache.output = {memory<number, 1>(), {2, 4, 3}};
  print_errors_of("onnx::tensor_scatter", cache, [](const operands& on) {
    return onnx::try_tensor_scatter(on.data, on.updates, on.indices, on.cache, on.output);
  });
}
