// SPDX-License-Identifier: Apache-2.0
// One call of an operator from Python: its operands, its output, its options, and the run.
#ifndef STREW_PYTHON_SCATTER_CALL_HPP
#define STREW_PYTHON_SCATTER_CALL_HPP

#include "binding.hpp"
#include "errors.hpp"
#include "functions.hpp"
#include "memory.hpp"
#include "operand.hpp"
#include "threads.hpp"

#include <strew/detail/rules/check_operands.hpp>
#include <strew/dynamic.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/status.hpp>
#include <strew/strew.hpp>
#include <strew/view/overlap.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace strew_python {

// Whether an operator takes segments in the place of indices.
template <const auto& Scatter>
inline constexpr bool takes_segments =
    strew::detail::takes_segments(std::remove_cvref_t<decltype(Scatter)>::operator_type::op);

// What happens to an index out of bounds: the argument `mode`.
enum class index_mode { raise, drop, clip, wrap };
index_mode mode_of(const char* operation, nb::handle mode);

// The arguments `reduction`, by name, and `skipna`.
strew::dynamic::reduction_without_nan reduction_of(const char* operation, nb::handle name, nb::handle skipna,
                                                   bool include_init = true);
// The argument of a bool.
bool is_true(const operand_name& name, nb::handle flag);

// A new array like `data`, of the same library and with its axes in memory in the same order where that can be written,
// for the result of a call.
nb::object make_output(const operand_name& name, const operand& data);
// The result of a call for its caller: of JAX where data is.
nb::object as_result(const operand& data, nb::object output);

// The name and the form of an operator's calls.
template <const auto& Scatter>
inline constexpr const strew::detail::call_form& form_of = std::remove_cvref_t<decltype(Scatter)>::operator_type::form;

class scatter_call {
  // Up to so many bytes of output and of updates a call takes no longer than it takes to release the interpreter's lock
  // and to get it back.
  static constexpr std::int64_t small_bytes = 2048;

 public:
  // `name_of_data` is that of the specification, "data" or "past_cache".
  scatter_call(const char* operation, const char* name_of_data, nb::handle data, const call_options& options);

  [[nodiscard]] const operand& data() const { return data_; }
  [[nodiscard]] const strew::dynamic::const_tensor& elements() const { return elements_; }
  [[nodiscard]] const strew::dynamic::tensor& output() const { return *written_; }

  // Whether updates of another type are converted: the argument `cast`.
  [[nodiscard]] bool converts() const { return converts_; }
  // That they are. Raises if they are, for an argument that converted updates do not go with.
  void note_conversion() { has_converted_ = true; }
  void require_unconverted(const char* argument, const char* before) const;

  // Whether elements are references, whose counts only Python may change. The operator then moves numbers in their
  // place: those of data, 0, 1, .., and of the updates, which follow; Python moves what they stand for.
  [[nodiscard]] bool moves_references() const { return data_.holds_objects(); }
  // Raises if the output shares memory with updates that are references.
  void require_apart(const operand_name& name, const strew::dynamic::const_tensor& updates) const;
  // The updates whose elements are moved by their numbers.
  void set_updates(nb::object updates) { updates_ = std::move(updates); }

  // An argument that is an integer, such as an axis, and a list of them. Errors show them as they were given.
  std::int64_t integer(const char* argument, nb::handle object) {
    return integer_of({operation_, argument}, object, &large_);
  }
  // The k-th of the axes that are arguments of their own; errors name it axes[k].
  std::int64_t one_of_axes(const char* argument, nb::handle object, std::int64_t k) {
    const std::size_t before = large_.size();
    const std::int64_t axis = integer_of({operation_, argument}, object, &large_, k);
    if (large_.size() > before) large_.back().operand = "axes";
    return axis;
  }
  template <class List>
  List list(const char* argument, nb::handle object) {
    return list_of<List>({operation_, argument}, object, large_);
  }
  void note_large(const large_integers& given) { large_.insert(large_.end(), given.begin(), given.end()); }
  [[noreturn]] void fail(const strew::status& error) const;

  // An array of which the call makes sure that it is unchanged.
  void watch(const operand& array) { watched_[count_of_watched_++] = &array; }
  // Raises if an operand was resized by code of Python. From here on no such code runs.
  void require_unchanged() const;

  // That an operand is a layout.
  void note_layout() { has_memory_ = false; }
  [[nodiscard]] bool has_memory() const { return has_memory_; }

  // The updates, which calls by bound indices compare with those that these were bound for.
  void note_updates(const strew::dynamic::const_tensor& updates) { updates_of_binding_ = &updates; }

  // That so many updates are applied.
  void count_updates(std::int64_t updates) { is_small_ = is_small_ && updates <= small_bytes / written_->type().size; }

  // Runs body(executor), which returns a status, and returns the output; raises the error if there is one. The
  // interpreter's lock is held during small calls alone, which take less time than to release it.
  template <class Body>
  nb::object run(const Body& body) {
    require_memory();
    return finish(run_on_threads(body));
  }

  // The same with the indices under a policy, or bound: body(executor, indices). extent_of(k) is the extent that the
  // indices with coordinate k on their last axis are for.
  // TakesSegments: whether these may be the offsets of segments.
  template <bool TakesSegments = false, class Extent, class Body>
  nb::object run(index_mode mode, index_operand& at, const Extent& extent_of, const Body& body) {
    if (!at.large().empty()) {
      if (mode == index_mode::wrap) at.wrap_large(extent_of);
      note_large(at.large());
    }
    at.require_unchanged();
    if constexpr (TakesSegments) {
      if (at.are_segments()) {
        require_no_mode(mode);
        require_unconverted("indices", " is segments, which take");
        return run(mode, at.bound(), strew::segments(at.indices()), body);
      }
    }
    return run(mode, at.bound(), at.indices(), body);
  }
  template <class Indices, class Body>
  nb::object run(index_mode mode, binding* bound, const Indices& indices, const Body& body) {
    if (bound != nullptr && bound->now() != binding::state::bound) return bind(mode, *bound, indices, body);
    if (bound != nullptr) bound->require_same({operation_, "data"}, operands_for_binding());
    return run([&](auto& ex) {
      if (bound != nullptr && bound->schedule().bytes() > 0) return body(bound->schedule().run(ex), indices);
      return with_mode(mode, indices, [&](const auto& checked) { return body(ex, checked); });
    });
  }

 private:
  // Returns body(indices), with the policy of a mode around them.
  template <class Indices, class Body>
  static strew::status with_mode(index_mode mode, const Indices& indices, const Body& body) {
    if constexpr (!strew::detail::are_segments<Indices>) {
      switch (mode) {
        case index_mode::drop:
          return body(strew::drop(indices));
        case index_mode::clip:
          return body(strew::clip(indices));
        case index_mode::wrap:
          return body(strew::wrap(indices));
        default:
          break;
      }
    }
    return body(indices);
  }

  template <class Body>
  strew::status run_on_threads(const Body& body) {
    require_unchanged();
    call_resources& mine = call_resources::of_this_thread();
    auto& memory = mine.begin(threads_);
    const strew::status outcome = without_lock(!is_small_, [&] { return body(memory); });
    mine.end();
    return outcome;
  }

  // Checks the arguments, and binds the indices; returns None.
  template <class Indices, class Body>
  nb::object bind(index_mode mode, binding& bound, const Indices& indices, const Body& body) {
    require_unchanged();
    strew::dynamic::schedule& to = bound.schedule();
    strew::status outcome = with_mode(mode, indices, [&](const auto& checked) { return body(to.measure(), checked); });
    if (outcome.ok() && bound.now() == binding::state::binds) {
      const auto memory = bound.take_memory();
      outcome = without_lock(!is_small_, [&] {
        return with_mode(mode, indices, [&](const auto& checked) { return body(to.make(memory), checked); });
      });
      if (outcome.ok()) bound.finish(operands_for_binding(), to.bytes() > 0);
    }
    if (!outcome.ok()) fail(outcome);
    return nb::none();
  }

  [[nodiscard]] binding::operands operands_for_binding() const {
    const bool has_updates = updates_of_binding_ != nullptr;
    return {data_.type(), elements_.extents(), has_updates ? updates_of_binding_->type() : data_.type(),
            has_updates ? updates_of_binding_->extents() : strew::index_list()};
  }

  // Segments have no mode.
  void require_no_mode(index_mode mode) const;
  void require_memory() const;
  nb::object finish(const strew::status& outcome);
  void number_elements(const char* operation);

  static constexpr std::size_t most_watched = 2;  // besides data, out and indices: a mask and updates

  const char* operation_;
  large_integers large_;
  std::array<const operand*, most_watched> watched_{};
  std::size_t count_of_watched_ = 0;
  operand data_;
  nb::object output_;  // keeps it alive
  std::optional<operand> out_;
  strew::dynamic::const_tensor elements_;
  const strew::dynamic::tensor* written_;  // of data_, out_ or the numbers
  strew::dynamic::tensor target_;          // of references, which Python writes
  strew::dynamic::tensor numbered_;
  byte_memory numbers_;  // of references
  nb::object updates_;
  const strew::dynamic::const_tensor* updates_of_binding_ = nullptr;
  std::size_t threads_;
  bool converts_;
  bool has_converted_ = false;
  bool has_memory_ = true;
  bool is_new_;
  bool is_small_;
};

// The numbers of the updates that won, if a call returns them: an array of int64 of data's library.
class won_positions {
 public:
  // Raises if they are wanted of a call by segments, or with conversions.
  won_positions(const char* operation, const scatter_call& call, const call_options& options, bool has_segments);

  // Returns body(reduction), with positions if they are returned; body() if the operator assigns.
  template <class Indices, class Body, class... R>
  strew::status run(const Indices&, const Body& body, const R&... how) const {
    if constexpr (!strew::detail::are_segments<Indices>) {
      if (are_wanted_) {
        if constexpr (sizeof...(R) == 0) {
          return body(strew::reduction::with_positions(strew::reduction::none, numbers_));
        } else {
          return body(strew::reduction::with_positions(how..., numbers_));
        }
      }
    }
    return body(how...);
  }
  // The result of a call: (output, positions) if they are returned.
  [[nodiscard]] nb::object with(nb::object output) const;

 private:
  const operand* data_;
  bool are_wanted_ = false;
  nb::object object_;
  std::optional<operand> array_;
  strew::dynamic::tensor numbers_;  // without memory in a call that is checked alone
};

// The updates of a call with these other arguments: those of another type are converted. Calls by segments and those
// that return positions have none of these.
template <class... Others>
decltype(auto) updates_for(const strew::dynamic::const_tensor& updates, const Others&...) {
  if constexpr (((strew::detail::are_segments<Others> || strew::detail::has_positions<Others>) || ...)) {
    return (updates);
  } else {
    return strew::converted(updates);
  }
}

// Updates that are an array with elements of data's type, or that are converted to it, or lists of numbers.
class array_of_updates {
 public:
  array_of_updates(const strew::detail::call_form& form, const operand_name& name, scatter_call& call,
                   nb::handle object);

  [[nodiscard]] const strew::dynamic::const_tensor& elements() const { return updates_; }

 private:
  std::optional<operand> array_;
  std::optional<listed_elements> listed_;
  std::optional<value_operand> value_;  // of an array of rank 0 of another type
  byte_memory numbers_;                 // of references
  strew::dynamic::const_tensor updates_;
};

// Updates, or one value in their place.
class updates_operand {
 public:
  // find_extents(extents) finds the extents of the updates, if they are one value, and returns a status.
  template <class FindExtents>
  updates_operand(const strew::detail::call_form& form, scatter_call& call, nb::handle object,
                  const FindExtents& find_extents) {
    const operand_name name{form.name, form.name_of_updates()};
    if (is_number(object)) {
      strew::index_list extents;
      if (const strew::status outcome = find_extents(extents); !outcome.ok()) call.fail(outcome);
      repeat(form, call, object, extents);
    } else {
      array_.emplace(form, name, call, object);
      if (array_->elements().rank() == 0) repeat_element(call, array_->elements(), find_extents);
    }
    call.count_updates(elements().size());
  }

  [[nodiscard]] const strew::dynamic::const_tensor& elements() const {
    return is_repeated_ ? updates_ : array_->elements();
  }

 private:
  void repeat(const strew::detail::call_form& form, scatter_call& call, nb::handle object,
              const strew::index_list& extents);
  // The element of an array of rank 0, or of the layout of one.
  template <class FindExtents>
  void repeat_element(scatter_call& call, const strew::dynamic::const_tensor& one, const FindExtents& find_extents) {
    strew::index_list extents;
    if (const strew::status outcome = find_extents(extents); !outcome.ok()) call.fail(outcome);
    updates_ = repeated(one.data(), one.type(), extents);
    is_repeated_ = true;
  }

  std::optional<array_of_updates> array_;
  std::optional<value_operand> value_;
  std::int64_t number_ = 0;  // of a reference
  bool is_repeated_ = false;
  strew::dynamic::const_tensor updates_;
};

}  // namespace strew_python

#endif  // STREW_PYTHON_SCATTER_CALL_HPP
