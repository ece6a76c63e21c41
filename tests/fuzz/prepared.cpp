// SPDX-License-Identifier: Apache-2.0
// Prepared and bound calls, each run several times: at other addresses, where operands overlap or are null, with other
// indices, on executors and with workspaces, bound anew in between with enough memory, too little, or memory of the
// operands. A run leaves what the operator's plain call leaves, or has its error and writes nothing; a bound one what
// that call leaves with the indices that were bound.
#include "arena.hpp"
#include "support/kernel_limits.hpp"
#include "support/scatter_case.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <memory>
#include <optional>

namespace strew::test {
namespace {

using element = std::uint32_t;

struct operands {
  operand data;
  operand indices;
  operand updates;
  operand output;
};

strided_layout layout_of(const operand& of, status& error) {
  strided_layout result;
  if (error.ok()) {
    error = strided_layout::try_make(of.extents, of.strides, static_cast<std::size_t>(of.element_size), result);
  }
  return result;
}

// The addresses of a call, of which any may be null.
template <class Index>
struct addresses {
  const element* data;
  const Index* indices;
  const element* updates;
  element* output;
};

// One operator: calls with elements of 4 bytes, one type of indices, and the arguments `Rest` that are no tensors.
template <const auto& Operator, const auto& Attempt, class Index, class... Rest>
class tested_calls {
 public:
  tested_calls(random_source& random, const operands& on, const Rest&... rest)
      : random_(random), on_(on), rest_(rest...) {
    data_ = layout_of(on.data, made_);
    indices_ = layout_of(on.indices, made_);
    updates_ = layout_of(on.updates, made_);
    output_ = layout_of(on.output, made_);
  }

  void run() {
    if (!made_.ok()) return;
    // For all runs: schedules depend on thresholds.
    if (random_.one_in(2)) limits_.draw(random_);
    prepared_type prepared;
    const status outcome =
        try_prepare<element, Index>(Operator, {data_, indices_, updates_, output_}, std::get<Rest>(rest_)..., prepared);
    check_message(outcome);
    if (!outcome.ok()) {
      fill();
      if (place() && call(plain()).ok()) fail("a call that cannot be prepared can be made", outcome);
      return;
    }
    for (std::int64_t k = random_.between(1, 6); k > 0; --k) {
      fill();
      if (!place()) continue;
      switch (random_.below(4)) {
        case 0:
          compare("a prepared call", plain(), [&](const auto& at) { return run_on(prepared, at, at.indices); });
          break;
        case 1:
          bind(prepared);
          break;
        case 2:
          bind_in_arena(prepared);
          break;
        default:
          run_bound();
          break;
      }
    }
  }

 private:
  using prepared_type = prepared<element, Index, Operator, Rest...>;
  using bound_type = strew::bound<element, Index, Operator, Rest...>;

  // Other addresses; whether all operands are inside the arena.
  bool place() {
    for (operand* each : {&on_.data, &on_.indices, &on_.updates, &on_.output}) {
      if (random_.one_in(2)) {
        each->at = random_.below(static_cast<std::int64_t>(arena_size) - 8) / each->element_size * each->element_size;
      }
    }
    if (random_.one_in(4)) on_.output.at = on_.data.at;
    return is_inside(on_.data) && is_inside(on_.indices) && is_inside(on_.updates) && is_inside(on_.output);
  }
  void fill() {
    fill_arena(random_);
    if (is_inside(on_.indices) && !random_.one_in(8)) {
      const std::int64_t axis = std::max<std::int64_t>(static_cast<std::int64_t>(on_.data.extents.size()) - 1, 0);
      const std::int64_t which = random_.between(0, axis);
      const std::int64_t extent = on_.data.extents.empty() ? 1 : on_.data.extents[static_cast<std::size_t>(which)];
      put_legal_indices(random_, on_.indices, extent);
    }
  }
  addresses<Index> plain() {
    const auto at = [&](const operand& of) { return random_.one_in(32) ? nullptr : of.data(); };
    return {reinterpret_cast<const element*>(at(on_.data)), reinterpret_cast<const Index*>(at(on_.indices)),
            reinterpret_cast<const element*>(at(on_.updates)), reinterpret_cast<element*>(at(on_.output))};
  }

  template <class T>
  static tensor_view<T> view(T* data, const strided_layout& layout, status& error) {
    tensor_view<T> result;
    if (error.ok()) error = tensor_view<T>::try_bind(data, layout, result);
    return result;
  }
  status call(const addresses<Index>& at) const {
    status error;
    const auto data = view(at.data, data_, error);
    const auto indices = view(at.indices, indices_, error);
    const auto updates = view(at.updates, updates_, error);
    const auto output = view(at.output, output_, error);
    return error.ok() ? Attempt(data, indices, updates, std::get<Rest>(rest_)..., output) : error;
  }
  // On an executor, perhaps, with a workspace, perhaps.
  template <class Call, class... Indices>
  status run_on(const Call& prepared, const addresses<Index>& at, const Indices&... indices) {
    if (random_.one_in(2)) return prepared.try_run(at.data, indices..., at.updates, at.output);
    workspace_.resize(static_cast<std::size_t>(random_.one_in(2) ? 0 : random_.below(40'000)));
    const circumstances_of_call in{static_cast<std::size_t>(random_.between(1, 8)), workspace_, nullptr};
    return prepared.try_run(chosen_threads{in}, at.data, indices..., at.updates, at.output);
  }

  // Runs something beside the plain call.
  template <class Run>
  void compare(const char* what, const addresses<Index>& at, const Run& run, const Index* indices = nullptr) {
    const arena_bytes before = arena();
    addresses<Index> expected_at = at;
    if (indices != nullptr) expected_at.indices = indices;
    const status expected = call(expected_at);
    const arena_bytes after = arena();
    if (!expected.ok() && after != before) fail("written in spite of an error", expected);
    arena() = before;
    const status outcome = run(at);
    check_message(outcome);
    if (outcome.code() != expected.code()) {
      fail(std::string(what) + " has the outcome " + (outcome.ok() ? "ok" : outcome.message().c_str()), expected);
    }
    if (arena() != after) fail(std::string(what) + " leaves other bytes", expected);
  }

  // In memory of the size that it needs, at an odd address, or of less.
  void bind(const prepared_type& prepared) {
    const addresses<Index> at = plain();
    const std::size_t size = prepared.bound_bytes();
    const std::size_t missing = size > 0 && random_.one_in(4) ? static_cast<std::size_t>(random_.between(1, 16)) : 0;
    const std::size_t given = size - std::min(missing, size);
    std::unique_ptr<std::byte[]> memory(new std::byte[given + 1]);
    const arena_bytes before = arena();
    bound_type made = bound_ ? *bound_ : bound_type();
    const status outcome = prepared.try_bind(at.indices, {memory.get() + 1, given}, made);
    check_message(outcome);
    if (arena() != before) fail("binding writes to its operands", outcome);
    if (!outcome.ok()) {
      if (bound_) bound_ = made;  // as it was
      if (outcome.code() != errc::too_little_memory && call(at).ok()) fail("legal indices are not bound", outcome);
      arena() = before;
      return;
    }
    if (given < size) fail("bound in too little memory");
    // Runs are compared with calls on a copy of the indices, which are of the same layout.
    index_copy_.assign(arena().begin(), arena().end());
    copy_at_ = at.indices == nullptr ? 0 : on_.indices.at;
    bound_ = made;
    memory_ = std::move(memory);
  }
  // In a part of the arena, where the indices may be, too.
  void bind_in_arena(const prepared_type& prepared) {
    const std::size_t size = prepared.bound_bytes();
    if (size > arena_size) return;
    const auto begin = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(arena_size - size) + 1));
    bool shares = false;
    for_each_coordinate(on_.indices.extents, [&](const coordinate& where) {
      const auto first = static_cast<std::size_t>(on_.indices.offset(where));
      shares = shares || (first < begin + size && begin < first + sizeof(Index));
    });
    const arena_bytes before = arena();
    bound_type made;
    const status outcome = prepared.try_bind(reinterpret_cast<const Index*>(on_.indices.data()),
                                             std::span(arena()).subspan(begin, size), made);
    check_message(outcome);
    if (shares != (outcome.code() == errc::overlap)) fail("memory that overlaps the indices", outcome);
    if (shares && arena() != before) fail("memory that overlaps the indices is written", outcome);
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(begin), size,
                arena().begin() + static_cast<std::ptrdiff_t>(begin));
    if (arena() != before) fail("written beside the memory of bound indices", outcome);
  }
  void run_bound() {
    if (!bound_) return;
    const auto* const copy = reinterpret_cast<const Index*>(index_copy_.data() + copy_at_);
    compare(
        "a bound call", plain(), [&](const auto& at) { return run_on(*bound_, at); }, copy);
  }

  random_source& random_;
  operands on_;
  std::tuple<Rest...> rest_;
  status made_;
  strided_layout data_;
  strided_layout indices_;
  strided_layout updates_;
  strided_layout output_;
  limits_for_test limits_;
  std::vector<std::byte> workspace_;
  std::optional<bound_type> bound_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::byte> index_copy_;
  std::int64_t copy_at_ = 0;
};

void run_one(random_source& random) {
  const std::int64_t operation = random.below(4);
  const std::int64_t index_size = operation == 1 ? 8 : operation == 3 ? 1 : 4;
  operands on{draw_operand(random, sizeof(element), sizeof(element)), draw_operand(random, index_size, index_size),
              draw_operand(random, sizeof(element), sizeof(element)),
              draw_operand(random, sizeof(element), sizeof(element))};
  const auto reshape = [&](operand& of, const coordinate& extents) {
    of.extents = extents;
    of.strides = random.one_in(2) ? row_major(extents) : draw_strides(random, extents);
  };
  const auto rank = static_cast<std::int64_t>(on.data.extents.size());
  const std::int64_t axis =
      random.one_in(16) || rank == 0 ? random.mostly_between(-4, 3) : random.between(-rank, rank - 1);
  const bool is_on_axis = axis >= -rank && axis < rank;
  if (random.one_in(2)) on.data.strides = row_major(on.data.extents);
  if (!random.one_in(16)) {  // shapes that the operator needs
    reshape(on.output, on.data.extents);
    if (operation == 3) {
      reshape(on.indices, on.data.extents);
    } else if (operation == 0 && is_on_axis) {
      reshape(on.updates, oracle::scatter_update_updates(on.data.extents, on.indices.extents, axis));
    } else if (is_on_axis) {
      coordinate extents = on.data.extents;
      for (std::int64_t& extent : extents)
        extent = random.one_in(4) ? random.between(0, extent > 0 ? extent : 0) : extent;
      reshape(on.indices, extents);
      reshape(on.updates, extents);
    }
  }
  switch (operation) {
    case 0:
      return tested_calls<scatter_update, try_scatter_update, std::int32_t, std::int64_t>(random, on, axis).run();
    case 1:
      return tested_calls<scatter_elements_update, try_scatter_elements_update, std::int64_t, std::int64_t>(random, on,
                                                                                                            axis)
          .run();
    case 2:
      return tested_calls<v12::scatter_elements_update, v12::try_scatter_elements_update, std::int32_t, std::int64_t,
                          reduction::sum_type>(random, on, axis, reduction::sum)
          .run();
    default:
      return tested_calls<masked_scatter, try_masked_scatter, bool>(random, on).run();
  }
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  strew::test::random_source random(std::span(bytes, size));
  strew::test::run_one(random);
  return 0;
}
