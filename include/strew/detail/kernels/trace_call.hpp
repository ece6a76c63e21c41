// SPDX-License-Identifier: Apache-2.0
// The line that a traced call prints: its operands, the kernels that were asked, and the time. Empty unless
// STREW_NOTES_KERNELS.
#ifndef STREW_DETAIL_KERNELS_TRACE_CALL_HPP
#define STREW_DETAIL_KERNELS_TRACE_CALL_HPP

#include <strew/config.hpp>

#if STREW_NOTES_KERNELS

#include <strew/detail/kernel_notes.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/kernels/wanted_memory.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/dynamic/index_type.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A line of text, cut at its capacity.
class trace_text {
 public:
  static constexpr int capacity = 4096;

  [[nodiscard]] const char* c_str() const noexcept { return text_; }

  STREW_COLD trace_text& operator<<(const char* text) noexcept {
    while (*text != '\0' && size_ < capacity) text_[size_++] = *text++;
    return *this;
  }
  STREW_COLD trace_text& operator<<(std::int64_t number) noexcept {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
    return *this << digits;
  }
  STREW_COLD trace_text& operator<<(const index_list& numbers) noexcept {
    *this << "[";
    for (int k = 0; k < numbers.size(); ++k) *this << (k > 0 ? ", " : "") << numbers[k];
    return *this << "]";
  }
  // Extents, and strides unless they are row-major.
  STREW_COLD trace_text& operator<<(const strided_layout& layout) noexcept {
    const bool is_repeated = layout.size() > 1 && layout.lowest_offset() == layout.highest_offset();
    *this << layout.extents();
    if (is_repeated) return *this << " of one value";
    if (!layout.is_row_major()) *this << " strides " << layout.strides();
    return *this;
  }
  STREW_COLD trace_text& operator<<(const dynamic::element_type& type) noexcept {
    using enum dynamic::element_kind;
    switch (type.kind) {
      case boolean:
        return *this << "bool";
      case signed_integer:
        return *this << "int" << 8 * type.size;
      case unsigned_integer:
        return *this << "uint" << 8 * type.size;
      case floating_point:
        return *this << "float" << 8 * type.size;
      case brain_float:
        return *this << "bfloat16";
      case complex:
        return *this << "complex" << 8 * type.size;
      case opaque:
        break;
    }
    return *this << "of " << type.size << " bytes an element";
  }
  STREW_COLD trace_text& operator<<(index_type type) noexcept {
    const auto number = static_cast<int>(type);
    constexpr const char* names[] = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"};
    static_assert(static_cast<int>(index_type::int64) == 3 && static_cast<int>(index_type::uint64) == 7);
    return *this << names[number];
  }

 private:
  char text_[capacity + 1] = {};
  int size_ = 0;
};

STREW_COLD inline const char* name_of(index_policy policy) noexcept {
  switch (policy) {
    case index_policy::drop:
      return ", drop";
    case index_policy::clip:
      return ", clip";
    case index_policy::wrap:
      return ", wrap";
    case index_policy::assume_valid:
      return ", assume_valid";
    case index_policy::error:
      break;
  }
  return "";
}

// How updates are combined, and the operands.
STREW_COLD inline void describe(const erased::request& call, trace_text& line) noexcept {
  const erased::call_type& type = call.type;
  const bool has_indices = call.indices != nullptr;
  if (type.named.kind != reduction_kind::none) {
    line << ", " << reduction::name_of(type.named.kind);
    if (!type.named.include_init) line << " without_init";
    if (type.named.skips_nan) line << " without_nan";
  } else if (type.reduce != nullptr && !type.has_numbers) {
    line << ", a callable";
  }
  if (type.has_numbers) line << ", with positions";
  line << " | data " << dynamic::element_type{type.named.of, type.element_size} << " " << *call.data.layout;
  if (call.is_in_place()) line << " in place";
  const bool by_axis = type.rules.by == addressing::rows || type.rules.by == addressing::elements;
  if (by_axis && call.axis != nullptr && call.axis->size() == 1) line << " | axis " << (*call.axis)[0];
  if (type.rules.by == addressing::mask && has_indices) {
    line << " | mask " << *call.indices->layout;
  } else if (has_indices && call.indices->loops != nullptr) {
    line << " | indices " << call.indices->loops->type << " " << *call.indices->layout;
    if (type.components > 1) line << " of " << std::int64_t{type.components} << " components";
    line << name_of(type.policy);
  }
  line << " | updates " << *call.updates.layout;
  if (!call.is_in_place()) line << " | output " << *call.output.layout;
}

// Each kernel that was asked: how often it ran, or why it did not.
STREW_COLD inline void describe(const call_trace& trace, trace_text& line) noexcept {
  const char* before = " | ";
  for (const kernel_note& note : trace) {
    line << before << note.name;
    before = "; ";
    const char* separator = ": ";
    const auto add = [&](int count, const char* text) noexcept {
      if (count == 0) return;
      line << separator << text;
      if (count > 1) line << " " << std::int64_t{count} << " times";
      separator = ", ";
    };
    add(note.ran, trace.runs() ? "ran" : "would run");
    add(note.declined, "declined");
    add(note.may_not, "may not");
    add(note.pays_not, "does not pay");
  }
}

using validate_call = reachable_loops::validate_function;

// The bytes of a workspace that a call would use on its threads.
STREW_COLD inline std::uint64_t wanted_workspace(const execution_context& ctx, const erased::request& call,
                                                 validate_call validate) noexcept {
  if (validate == nullptr) return 0;
  return wanted_memory(call, validate, uses_of(call.type.rules, call.type), ctx.threads());
}

STREW_COLD inline void describe(const execution_context& ctx, const erased::request& call, validate_call validate,
                                const call_trace& trace, const status& error, double microseconds,
                                trace_text& line) noexcept {
  line << "strew: " << call.type.rules.name;
  describe(call, line);
  line << " | " << ctx.threads() << (ctx.threads() == 1 ? " thread" : " threads");
  const std::int64_t memory = ctx.memory().bytes();
  const auto wanted = static_cast<std::int64_t>(wanted_workspace(ctx, call, validate) & int64_max);
  if (memory > 0 || wanted > 0) line << ", workspace of " << memory << " bytes, would use " << wanted;
  if (!error.ok()) line << " | error: " << error.message().c_str();
  if (error.ok() || trace.begin() != trace.end()) describe(trace, line);
  if (trace.runs()) {
    char time[32];
    std::snprintf(time, sizeof time, " | %.1f us", microseconds);
    line << time;
  }
}

// Whether a request is traced, and not by a function that has called the present one.
STREW_INLINE bool is_traced_anew(const erased::request& call) noexcept {
  return notes_calls() && (current_trace == nullptr || current_trace->call() != &call);
}

// Runs a request by body() and hands its line to the listener, or to standard error.
template <class Body>
STREW_COLD void trace_call(const execution_context& ctx, const erased::request& call, validate_call validate,
                           status& error, const Body& body) {
  const trace_listener* const listener = current_listener;
  call_trace trace(&call, listener == nullptr || listener->runs);
  const auto begin = std::chrono::steady_clock::now();
  {
    const current_trace_scope scope(&trace);
    body();
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  trace_text line;
  describe(ctx, call, validate, trace, error, time.count(), line);
  if (listener != nullptr) {
    listener->hear(listener->to, trace, line.c_str());
  } else if (prints_calls) {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

}  // namespace strew::detail

#endif  // STREW_NOTES_KERNELS

#endif  // STREW_DETAIL_KERNELS_TRACE_CALL_HPP
