// SPDX-License-Identifier: Apache-2.0
// A case of any operator on tensors of any type, drawn at random, and what the operators' documents say of it. One
// class for all operators: whatever they are called with, update number i goes to element targets[i] of the output.
#ifndef STREW_TESTS_SUPPORT_SCATTER_CASE_HPP
#define STREW_TESTS_SUPPORT_SCATTER_CASE_HPP

#include "placed_bytes.hpp"
#include "random_source.hpp"

#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace strew::test {

enum class operation {
  slice_scatter,
  select_scatter,
  diagonal_scatter,
  scatter_update,
  index_copy,
  index_add,
  index_reduce,
  index_fill,
  scatter_elements_update,
  onnx_scatter,
  v12_scatter_elements_update,
  onnx_scatter_elements,
  scatter,
  scatter_add,
  scatter_reduce,
  put_along_axis,
  v3_scatter_nd_update,
  v15_scatter_nd_update,
  onnx_scatter_nd,
  index_put,
  put,
  masked_scatter,
  masked_fill,
  tensor_scatter,
};
inline constexpr int operations = 24;
const char* name_of(operation which);

// How large the tensors of a case are: of some elements, where what is rare in real tensors is common; or of 200 to
// 20,000, on few axes, mostly dense with the axes in any order, as real ones are.
enum class size_class { small, middle };

// How the tensors of a case lie: all row-major, which most kernels want of some operand; dense, in an order of axes of
// their own; or anyhow.
enum class placing { row_major, dense, any };

// How a case is called: on tensors whose types are known at run time only, on typed views, with a callable in the place
// of max, or by a prepared call, whose indices are bound perhaps.
enum class call_form { run_time, typed, callable, prepared, bound };

// What a case is drawn for before its shapes and values.
struct case_kind {
  call_form form = call_form::run_time;
  operation which = operation::slice_scatter;
  size_class size = size_class::small;
  placing placed = placing::any;
  dynamic::element_type type;
  reduction_kind reduce = reduction_kind::none;
  bool include_init = true;
  bool skips_nan = false;    // whether updates that are NaN are left out
  bool is_scaled = false;    // index_add with a factor
  bool has_numbers = false;  // whether the number of the update that each element holds is stored
  // The type of the updates that are passed, where these are converted.
  std::optional<dynamic::element_type> given;
  index_type integers = index_type::int64;
  // The policy of the indices. Where none is asked for, some cases of tensors whose types are known at run time draw
  // one.
  std::optional<index_policy> asked_policy;
};
case_kind draw_case_kind(random_source& random, size_class size);
// The reduction of an operator that has some, and an element type that has it, for tensors whose types are known at run
// time only.
void draw_reduction(random_source& random, case_kind& of);

struct scatter_case : case_kind {
  std::optional<placed_bytes> data;
  std::optional<placed_bytes> updates;  // as elements
  std::optional<placed_bytes> given_updates;
  std::optional<placed_bytes> output;
  std::optional<placed_bytes> mask;
  std::optional<placed_bytes> numbers;  // of std::int64_t
  std::vector<placed_bytes> indices;
  index_policy policy = index_policy::error;
  bool in_place = false;  // data is the output
  bool names_output = true;
  // What the operators are called with besides.
  slice_spec slice;
  std::int64_t axis = 0;
  std::int64_t second_axis = 0;
  std::int64_t number = 0;  // a coordinate, or the offset of a diagonal
  bool is_circular = false;
  std::vector<char> factor;  // the bytes of an element, of scaled cases

  // For each update in row-major order where it goes: the number of an element of the output, or `dropped`.
  static constexpr std::int64_t dropped = -1;
  std::vector<std::int64_t> targets;
  bool has_one_update = false;  // which goes to all targets
  bool is_error = false;        // some index is illegal

  // The tensor that is written.
  [[nodiscard]] const placed_bytes& written() const { return in_place ? *data : *output; }
};

// Draws a case of a kind: shapes and placements from the one source, values from the other. Indices are mostly legal.
scatter_case draw_scatter_case(random_source& shapes, random_source& values, const case_kind& kind);

// How an executor runs a call: one thread or several, of which the last part runs first, and the memory that it lends.
struct circumstances_of_call {
  std::size_t threads = 1;
  std::span<std::byte> memory;
  class watched_parts* watch = nullptr;  // where each element is to be written by one part alone
};

// Sees which elements each part of a call out of place writes: before it runs they hold what no right result is.
class watched_parts {
 public:
  watched_parts(const placed_bytes& to, const std::vector<char>& expected) : to_(to), expected_(expected) {}

  template <class Body>
  void run(std::size_t n, const Body& body) {
    std::vector<char> merged = to_.image();
    std::vector<char> wrong = merged;
    const auto width = static_cast<std::size_t>(to_.width());
    for (std::size_t e = 0; e < to_.size(); ++e) {
      for (std::size_t k = 0; k < width; ++k) {
        to_.in_image(wrong, e)[k] = static_cast<char>(~to_.in_image(expected_, e)[k]);
      }
    }
    std::vector<char> is_written(to_.size(), 0);
    while (n-- > 0) {
      to_.restore(wrong);
      body(n);
      for (std::size_t e = 0; e < to_.size(); ++e) {
        if (std::memcmp(to_.element(e), to_.in_image(wrong, e), width) == 0) continue;
        shares_ = shares_ || is_written[e] != 0;
        is_written[e] = 1;
        std::memcpy(to_.in_image(merged, e), to_.element(e), width);
        std::memcpy(to_.element(e), to_.in_image(wrong, e), width);
      }
      shares_ = shares_ || !to_.is_like(wrong);  // memory beside the elements
    }
    to_.restore(merged);
  }
  // Whether two parts wrote one element, or one wrote beside all.
  [[nodiscard]] bool shares() const { return shares_; }

 private:
  const placed_bytes& to_;
  const std::vector<char>& expected_;
  bool shares_ = false;
};

// Makes the call.
using case_runner = status (*)(const scatter_case& on, const circumstances_of_call& in);
status run_scatter_case(const scatter_case& on, const circumstances_of_call& in);
status run_dynamic_case(const scatter_case& on, const circumstances_of_call& in);
status run_typed_case(const scatter_case& on, const circumstances_of_call& in);
status run_prepared_case(const scatter_case& on, const circumstances_of_call& in);

// The types of elements and of indices that typed reductions are compiled for, and prepared calls.
struct typed_pair {
  dynamic::element_type type;
  index_type integers;
};
const std::vector<typed_pair>& reduced_pairs();
// Of operators whose bound indices become moves, of others that move elements, and of those that reduce them.
const std::vector<typed_pair>& prepared_pairs();
const std::vector<typed_pair>& moved_pairs();
const std::vector<typed_pair>& prepared_reduced_pairs();
constexpr bool is_prepared_with_moves(operation which) noexcept {
  return which == operation::scatter_update || which == operation::scatter_elements_update ||
         which == operation::onnx_scatter;
}
// Of prepared calls that reduce, those that are compiled without NaNs too.
constexpr bool is_prepared_without_nan(operation which) noexcept {
  return which == operation::index_reduce || which == operation::v12_scatter_elements_update ||
         which == operation::v15_scatter_nd_update;
}

// An executor of so many threads that runs the last part first, and the memory that it lends.
struct chosen_threads {
  const circumstances_of_call& in;

  template <class Body>
  void operator()(std::size_t n, const Body& body) const {
    if (in.watch != nullptr && n > 1) return in.watch->run(n, body);
    while (n-- > 0) body(n);
  }
};

// Whether two elements are the same: to the bit, but for NaNs that arithmetic makes.
bool are_same_elements(const scatter_case& of, const char* a, const char* b);

// A line that says what the case is.
std::string text_of(const scatter_case& of);

// What a case should do, found by naive loops once for many runs.
class case_oracle {
 public:
  explicit case_oracle(const scatter_case& of);

  // Runs the case and returns how what it did differs from what it should have done; empty where it does not. Where the
  // parts are watched, one that writes what belongs to another is a difference.
  [[nodiscard]] std::string deviation_of_run(circumstances_of_call in, bool watches_parts,
                                             case_runner run = run_scatter_case) const;

 private:
  const scatter_case& case_;
  std::vector<char> before_;  // all memory of the tensor that is written
  std::vector<char> data_;
  std::vector<char> updates_;
  std::vector<char> given_updates_;
  std::vector<char> expected_;
  std::vector<char> numbers_before_;
  std::vector<char> expected_numbers_;
};

}  // namespace strew::test

template <>
struct strew::executor_traits<strew::test::chosen_threads> {
  static std::size_t concurrency(const strew::test::chosen_threads& ex) noexcept { return ex.in.threads; }
  static std::span<std::byte> memory(const strew::test::chosen_threads& ex) noexcept { return ex.in.memory; }
};

#endif  // STREW_TESTS_SUPPORT_SCATTER_CASE_HPP
