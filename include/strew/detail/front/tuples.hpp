// SPDX-License-Identifier: Apache-2.0
// The scatters of slices that tuples of indices name.
#ifndef STREW_DETAIL_FRONT_TUPLES_HPP
#define STREW_DETAIL_FRONT_TUPLES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Where the documents of ScatterND differ.
struct tuple_rules {
  const char* operation;
  index_rule rule;
  bool takes_any_single_element;  // whether updates of one tuple that names one element may have any rank
};

// data, indices, updates, reduction (if any), output (if any).
template <const tuple_rules& Rules, reduction_set Set>
struct on_tuples {
  template <class Ex, class Data, class Indices, class Updates, class... Options>
    requires(sizeof...(Options) <= 2)
  static constexpr void run(Ex& ex, status& error, const Data& data, const Indices& indices, const Updates& updates,
                            const Options&... options) {
    with_operands<Set>(
        data, indices, updates,
        [&](const auto& d, const auto& i, const auto& u, const auto& reduce, const auto& output) {
          run_checked(ex, error, d, i, u, reduce, output, policy_of<Indices>);
        },
        options...);
  }
  template <class Ex, class... Arguments>
  static constexpr void run(Ex&, status&, const Arguments&...) {
    static_assert(is_never<Arguments...>,
                  "strew: the order is executor (if any), data, indices, updates, reduction (if any), output (if any)");
  }

 private:
  template <class Ex, class Data, class Indices, class Updates, class R, class Output>
  static constexpr void run_checked(Ex& ex, status& error, const Data& data, const Indices& indices,
                                    const Updates& updates, const R& reduce, const Output& output,
                                    index_policy policy) {
    constexpr const char* operation = Rules.operation;
    index_list positions;
    int count = 0;
    if (!check_tuples(operation, indices.extents(), data.rank(), positions, count, error)) return;
    const auto check = [&](const shared_memory& shared, target_shape& shape, status& found) {
      const bool is_single =
          Rules.takes_any_single_element && updates.size() == 1 && positions.empty() && count == data.rank();
      if (!(check_output(operation, data.layout(), output.layout(), shared, found) &&
            (is_single ||
             check_tuple_updates(operation, updates.extents(), positions, data.extents(), count, "indices", found)) &&
            check_apart(operation, shared.indices, "indices", found) &&
            check_apart(operation, shared.updates, "updates", found))) {
        return false;
      }
      shape.axes = {0, count};
      shape.extents = data.extents();
      return true;
    };
    run_targets<Rules.rule, scatter_motion::rows>(ex, data, source_of(indices, count), updates, output,
                                                  offered<Set>(reduce), {operation, Rules.rule, policy, naming::tuple},
                                                  check, error);
  }
};

// The extents of updates for tuples: indices[:-1] + data[k:].
constexpr bool find_tuple_updates(const char* operation, const index_list& data, const index_list& indices,
                                  index_list& result, status& error) noexcept {
  index_list extents;
  int count = 0;
  if (!(check_shape(operation, "data_extents", data, error) &&
        check_shape(operation, "indices_extents", indices, error) && check_data_rank(operation, data.size(), error) &&
        check_tuples(operation, indices, data.size(), extents, count, error))) {
    return false;
  }
  for (int k = count; k < data.size(); ++k) extents.push_back(data[k]);
  if (!check_shape(operation, "updates", extents, error)) return false;
  result = extents;
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_TUPLES_HPP
