// SPDX-License-Identifier: Apache-2.0
// How the time of calls grows: n random updates of n targets, for n from 10^3 to 10^7, for each operator, reduction and
// policy, in place and not, with a workspace and without. A line of JSON for each n with the nanoseconds of an update;
// a call that takes longer than half a second is the last of its row.
//
//   growth [--most N] [--from ROW]
#include "calls.hpp"
#include "drawn_call.hpp"
#include "tensors.hpp"
#include "times.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace strew::bench::sweep {
namespace {

constexpr double longest = 0.5;  // seconds

operand dense(const extents& shape) {
  operand made;
  made.shape = shape;
  made.strides.assign(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) made.strides[k - 1] = made.strides[k] * shape[k];
  made.memory = size_of(shape);
  return made;
}

std::vector<std::int64_t> random_numbers(std::int64_t count, std::int64_t below) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::uint64_t state = 1;
  for (std::int64_t& each : all) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    each = static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(below));
  }
  return all;
}

drawn_call call_of_size(operation which, combining reduce, bool include_init, bool in_place, form how, std::int64_t n) {
  drawn_call call;
  call.which = which;
  call.reduce = reduce;
  call.include_init = include_init;
  call.type = element::float32;
  call.in_place = in_place;
  call.how = how;
  call.data = dense({n});
  call.updates = dense({n});
  std::int64_t below = n;
  switch (which) {
    case operation::slice_scatter:
      call.slices = {{0, n - 1, -1, n}};
      break;
    case operation::select_scatter:
      call.data = dense({2, n});
      call.place = 1;
      break;
    case operation::diagonal_scatter:
      call.data = dense({2, 2, n / 2});
      call.updates = dense({n / 2, 2});
      break;
    case operation::tensor_scatter:
      call.data = dense({n, 2});
      call.axis = 1;
      call.updates = dense({n, 1});
      call.indices = {dense({n})};
      below = 2;
      break;
    case operation::v3_scatter_nd_update:
    case operation::v15_scatter_nd_update:
    case operation::onnx_scatter_nd:
      call.indices = {dense({n, 1})};
      break;
    case operation::masked_scatter:
    case operation::masked_fill:
      call.indices = {dense({n})};
      below = 2;
      break;
    default:
      call.indices = {dense({n})};
  }
  if (!call.indices.empty()) call.values = {random_numbers(n, below)};
  if (which == operation::masked_scatter) {
    std::int64_t selected = 0;
    for (const std::int64_t each : call.values[0]) selected += each;
    call.updates = dense({std::max<std::int64_t>(1, selected)});
  }
  if (is_fill(which)) call.updates = dense({});
  call.output = call.data;
  return call;
}

struct row {
  std::string name;
  std::function<std::function<status()>(const drawn_call&, const memory_of_call&, const surroundings&)> make = call_of;
  operation which{};
  combining reduce = combining::none;
  bool include_init = true;
};

// Policies, on typed views.
template <class Wrap>
row policy_row(const char* name, const Wrap& wrap) {
  row made;
  made.name = std::string("index_add, ") + name;
  made.which = operation::index_add;
  made.reduce = combining::sum;
  made.make = [wrap](const drawn_call& call, const memory_of_call& at,
                     const surroundings& in) -> std::function<status()> {
    const auto n = call.data.shape[0];
    const tensor_view<float> data{reinterpret_cast<float*>(at.data), {n}};
    const tensor_view<float> output{reinterpret_cast<float*>(at.output), {n}};
    const tensor_view<const float> updates{reinterpret_cast<const float*>(at.updates), {n}};
    const tensor_view<const std::int64_t> indices{reinterpret_cast<const std::int64_t*>(at.indices[0]), {n}};
    const bool in_place = call.in_place;
    const std::span<std::byte> memory =
        call.how == form::workspace ? std::span<std::byte>(in.workspace) : std::span<std::byte>();
    return [=] {
      const strew::workspace ex{memory};
      if (in_place) return try_index_add(ex, output, 0, wrap(indices), updates);
      return try_index_add(ex, data, 0, wrap(indices), updates, output);
    };
  };
  return made;
}

std::vector<row> all_rows() {
  using enum combining;
  std::vector<row> rows;
  const auto add = [&](operation which, combining reduce, bool include_init = true) {
    row made;
    made.name = name_of(which);
    if (reduce != none) made.name += std::string(", ") + name_of(reduce);
    if (!include_init) made.name += " without init";
    made.which = which;
    made.reduce = reduce;
    made.include_init = include_init;
    rows.push_back(made);
  };
  add(operation::index_add, sum);
  for (int k = 0; k < operations; ++k) {
    const auto which = static_cast<operation>(k);
    switch (which) {
      case operation::index_add:
        break;
      case operation::scatter_add:
        add(which, sum);
        break;
      case operation::index_reduce:
      case operation::scatter_reduce:
        for (const combining reduce : {sum, prod, min, max, mean}) {
          if (which == operation::index_reduce && reduce == sum) continue;
          add(which, reduce);
          add(which, reduce, false);
        }
        break;
      case operation::v12_scatter_elements_update:
        for (const combining reduce : {none, sum, prod, min, max, mean}) add(which, reduce);
        for (const combining reduce : {sum, prod, min, max, mean}) add(which, reduce, false);
        break;
      case operation::v15_scatter_nd_update:
        for (const combining reduce : {none, sum, sub, prod, min, max}) add(which, reduce);
        break;
      case operation::onnx_scatter_elements:
      case operation::onnx_scatter_nd:
        for (const combining reduce : {none, sum, prod, min, max}) add(which, reduce);
        break;
      case operation::index_put:
      case operation::put:
        add(which, none);
        add(which, sum);
        break;
      default:
        add(which, none);
    }
  }
  rows.push_back(policy_row("drop", [](const auto& i) { return drop(i); }));
  rows.push_back(policy_row("clip", [](const auto& i) { return clip(i); }));
  rows.push_back(policy_row("wrap", [](const auto& i) { return wrap(i); }));
  rows.push_back(policy_row("assume_valid", [](const auto& i) { return assume_valid(i); }));
  return rows;
}

int run(std::int64_t most, const std::string& first) {
  thread_pool pool(2);
  std::vector<std::byte> workspace(std::size_t{512} << 20);
  std::vector<std::byte> bound;
  const surroundings in{pool, workspace, bound};
  bool begun = first.empty();
  for (const row& each : all_rows()) {
    begun = begun || each.name == first;
    if (!begun) continue;
    for (const bool in_place : {true, false}) {
      for (const form how : {form::plain, form::workspace}) {
        for (std::int64_t n = 1000; n <= most; n *= 10) {
          const drawn_call call = call_of_size(each.which, each.reduce, each.include_init, in_place, how, n);
          tensors on = make_tensors(call);
          const std::function<status()> make = each.make(call, on.addresses(), in);
          if (const status found = make(); !found.ok()) {
            std::fprintf(stderr, "%s: %s\n", each.name.c_str(), std::string(found.message().view()).c_str());
            return 1;
          }
          const std::function<void()> once = [&] { static_cast<void>(make()); };
          double seconds = seconds_of(once, 1);
          if (seconds < longest) {
            std::vector<timed> all{{each.name, once, {}}};
            measure(all);
            seconds = all[0].median();
          }
          const auto updates = static_cast<double>(std::max<std::int64_t>(1, updated_elements(call)));
          std::printf(R"({"row": "%s", "in_place": %s, "workspace": %s, "n": %lld, "ns": %.4g})"
                      "\n",
                      each.name.c_str(), in_place ? "true" : "false", how == form::workspace ? "true" : "false",
                      static_cast<long long>(n), seconds * 1e9 / updates);
          std::fflush(stdout);
          if (seconds > longest) break;
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace strew::bench::sweep

int main(int argc, char** argv) {
  std::int64_t most = 10'000'000;
  std::string first;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc || (option != "--most" && option != "--from")) {
      std::fputs("usage: growth [--most N] [--from ROW]\n", stderr);
      return 2;
    }
    if (option == "--most") most = std::atoll(argv[i + 1]);
    if (option == "--from") first = argv[i + 1];
  }
  return strew::bench::sweep::run(most, first);
}
