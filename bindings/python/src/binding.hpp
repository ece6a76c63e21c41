// SPDX-License-Identifier: Apache-2.0
// Indices that are bound: given in the place of indices, they make the call of any operator check its arguments, or
// bind the indices; calls after that are run by what was bound.
#ifndef STREW_PYTHON_BINDING_HPP
#define STREW_PYTHON_BINDING_HPP

#include "memory.hpp"
#include "operand.hpp"

#include <strew/dynamic_schedule.hpp>
#include <strew/view/index_list.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <list>
#include <span>
#include <vector>

namespace strew_python {

class binding {
 public:
  enum class state {
    checks,  // the next call checks its arguments
    binds,   // the next call binds the indices
    bound    // calls are run by what was bound
  };

  // `indices`: what an operator takes as indices; several, in a tuple, for index_put. They are held until they are
  // bound.
  binding(nb::object indices, bool has_threads, bool binds);
  binding(const binding&) = delete;
  binding& operator=(const binding&) = delete;

  [[nodiscard]] state now() const { return state_; }
  // Whether they are the offsets of segments.
  [[nodiscard]] bool are_segments() const { return are_segments_; }
  // The indices as tensors: those given; then copies of them, or, by a schedule, tensors without elements to read.
  [[nodiscard]] const std::vector<strew::dynamic::index_tensor>& tensors() const { return tensors_; }
  [[nodiscard]] strew::dynamic::schedule& schedule() { return schedule_; }
  // The list that tensors()[k] was made of if it holds integers beyond 64 bits, else null.
  [[nodiscard]] const index_operand* list_with_large(std::size_t k) const;
  // As operand::require_unchanged.
  void require_unchanged() const;

  // What a call is made on: the type and the extents of data, and the extents of the updates; none where they are one
  // value.
  struct operands {
    strew::dynamic::element_type type;
    strew::index_list data;
    strew::dynamic::element_type updates_type;
    strew::index_list updates;
  };
  // Raises unless these are those that the indices were bound for.
  void require_same(const operand_name& data, const operands& given) const;

  // Memory for the schedule, of its size.
  std::span<std::byte> take_memory();
  // Bound for such operands: by the schedule, or by copies of the indices.
  void finish(const operands& of, bool has_schedule);

 private:
  state state_;
  bool are_segments_ = false;
  nb::object held_;
  std::list<index_operand> given_;  // views of it; those with integers beyond 64 bits have memory of their own
  std::vector<strew::dynamic::index_tensor> tensors_;
  operands of_;
  byte_memory memory_;  // of the schedule, or of the copies
  strew::dynamic::schedule schedule_;
};

// Defines the classes Binding and Layout.
void define_bindings(nb::module_& module);

}  // namespace strew_python

#endif  // STREW_PYTHON_BINDING_HPP
