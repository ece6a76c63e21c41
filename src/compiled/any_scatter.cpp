// SPDX-License-Identifier: Apache-2.0
// Scatters by indices whose reduction is known at run time only. Those by tensors and by numbers assign or sum, and
// refuse any other reduction.
#include <strew/detail/front/compiled.hpp>

namespace strew::inline STREW_ABI::erased {

void scatter(const request& given, const executor_ref& ex, status& error) {
  using enum detail::addressing;
  const reduction_choice& named = given.type.named;
  const bool is_sum = named.kind == reduction_kind::sum && named.include_init && !named.skips_nan;
  const combining how = named.kind == reduction_kind::none ? combining::assigns
                        : is_sum                           ? combining::sums
                                                           : combining::reduces;
  switch (given.type.rules.by) {
    case rows:
      return how == combining::assigns ? scatter_by<family_of(rows, combining::assigns)>(given, ex, error)
             : how == combining::sums  ? scatter_by<family_of(rows, combining::sums)>(given, ex, error)
                                       : scatter_by<family_of(rows, combining::reduces)>(given, ex, error);
    case elements:
      return how == combining::assigns ? scatter_by<family_of(elements, combining::assigns)>(given, ex, error)
             : how == combining::sums  ? scatter_by<family_of(elements, combining::sums)>(given, ex, error)
                                       : scatter_by<family_of(elements, combining::reduces)>(given, ex, error);
    case multi_indices:
      return how == combining::assigns ? scatter_by<family_of(multi_indices, combining::assigns)>(given, ex, error)
             : how == combining::sums  ? scatter_by<family_of(multi_indices, combining::sums)>(given, ex, error)
                                       : scatter_by<family_of(multi_indices, combining::reduces)>(given, ex, error);
    case tensors:
      return how == combining::assigns ? scatter_by<family_of(tensors, combining::assigns)>(given, ex, error)
                                       : scatter_by<family_of(tensors, combining::sums)>(given, ex, error);
    case numbers:
      return how == combining::assigns ? scatter_by<family_of(numbers, combining::assigns)>(given, ex, error)
                                       : scatter_by<family_of(numbers, combining::sums)>(given, ex, error);
    default:
      STREW_ASSERT(false);
  }
}

}  // namespace strew::erased
