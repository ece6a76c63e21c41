// SPDX-License-Identifier: Apache-2.0
// The layouts of prepared calls, as a struct or with a list of those of several tensors of indices: their checks.
#ifndef STREW_DETAIL_FRONT_PREPARED_LAYOUTS_HPP
#define STREW_DETAIL_FRONT_PREPARED_LAYOUTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/status.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/operand_layouts.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

constexpr const strided_layout& data_of(const operand_layouts& all) noexcept {
  return all.data;
}
constexpr const strided_layout& data_of(const layouts_with_tensors& all) noexcept {
  return all.data();
}
constexpr const strided_layout& updates_of(const operand_layouts& all) noexcept {
  return all.updates;
}
constexpr const strided_layout& updates_of(const layouts_with_tensors& all) noexcept {
  return all.updates();
}
constexpr const strided_layout& output_of(const operand_layouts& all) noexcept {
  return all.output;
}
constexpr const strided_layout& output_of(const layouts_with_tensors& all) noexcept {
  return all.output();
}
// Those of all tensors of indices. `count`: of operators with one tensor or none.
constexpr std::span<const strided_layout> index_layouts_of(const operand_layouts& all, std::size_t count) noexcept {
  return {&all.indices, count};
}
constexpr std::span<const strided_layout> index_layouts_of(const layouts_with_tensors& all, std::size_t) noexcept {
  return all.indices();
}

// What a call has: its name, the bytes of an element and of an index, and whether it has indices, and updates that are
// no value.
struct prepared_operands {
  const char* operation;
  std::size_t element_size;
  std::size_t updates_size;
  std::size_t index_size;
  bool has_indices;
  bool has_updates;
};

// Makes a layout anew: one that was made for smaller elements may be too large for these.
constexpr bool keep_layout(const strided_layout& given, std::size_t element_size, strided_layout& checked,
                           status& error) noexcept {
  error = strided_layout::try_make(given.extents(), given.strides(), element_size, checked);
  return error.ok();
}
constexpr bool keep_layouts(const prepared_operands& of, const operand_layouts& given, operand_layouts& checked,
                            status& error) noexcept {
  return keep_layout(given.data, of.element_size, checked.data, error) &&
         (!of.has_indices || keep_layout(given.indices, of.index_size, checked.indices, error)) &&
         (!of.has_updates || keep_layout(given.updates, of.updates_size, checked.updates, error)) &&
         keep_layout(given.output, of.element_size, checked.output, error);
}
// A template, since clang-tidy reports the names in the implicit assignment of lists that it sees used.
template <class Layouts>
  requires std::is_same_v<Layouts, layouts_with_tensors>
constexpr bool keep_layouts(const prepared_operands& of, const Layouts& given, Layouts& checked,
                            status& error) noexcept {
  strided_layout data;
  strided_layout updates;
  strided_layout output;
  strided_layout indices[max_rank + 1];
  std::size_t count = 0;
  for (const strided_layout& one : given.indices()) {
    if (!keep_layout(one, of.index_size, indices[count++], error)) return false;
  }
  if (count == 0) {
    return refuse(error, errc::rank_mismatch, of.operation, "indices", " holds no tensor, expected at least 1");
  }
  if (!of.has_updates && given.has_output()) {
    return refuse(error, errc::count_mismatch, of.operation, "layouts",
                  " has 4 entries, expected at most 3: updates are one value");
  }
  if (!keep_layout(given.data(), of.element_size, data, error) ||
      !keep_layout(given.updates(), of.updates_size, updates, error) ||
      !keep_layout(of.has_updates ? given.output() : given.updates(), of.element_size, output, error)) {
    return false;
  }
  checked = Layouts(data, std::span<const strided_layout>(indices, count), updates, output);
  return true;
}

inline bool has_memory(const char* operation, const void* data, const char* operand, const strided_layout& layout,
                       status& error) noexcept {
  return data != nullptr || layout.empty() || refuse_null(operation, operand, layout, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_PREPARED_LAYOUTS_HPP
