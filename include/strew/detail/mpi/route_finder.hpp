// SPDX-License-Identifier: Apache-2.0
// How a distributed call runs, by the shapes and the distributions of its operands, which are the same on all ranks.
#ifndef STREW_DETAIL_MPI_ROUTE_FINDER_HPP
#define STREW_DETAIL_MPI_ROUTE_FINDER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

enum class distributed_route : unsigned char {
  local,      // each rank has the updates of its targets
  narrowed,   // each rank has all updates, and takes a range of one of their axes
  keeps_own,  // each rank has all updates, and takes those of its own targets
  to_owners,  // updates are sent
};

// The types of a distributed call: a call_operands whose data and output are distributed tensors, and updates one too
// or one value; `where` has a target_form.
template <class Call>
using element_of_call = std::remove_const_t<view_element<decltype(Call::output)>>;
// That of updates; another one if they are converted.
template <class Call>
using update_of_call = std::remove_const_t<view_element<decltype(Call::updates)>>;
template <class Call>
inline constexpr bool gives_value = is_repeated<std::remove_cvref_t<decltype(Call::updates)>>;
// Calls that store which update won have numbers, a distributed tensor, beside the members of call_operands, and the
// reduction without them.
template <class Operands, class Integer>
struct numbered_call : Operands {
  const mpi::distributed_tensor_view<Integer>& numbers;
};
template <class Call>
inline constexpr bool has_numbers = requires(const Call& call) {
  call.numbers;
};
template <class Call>
inline constexpr target_form form_of = std::remove_cvref_t<decltype(Call::where)>::form;

// The layout of an operand if one rank had it; false with an error if none could.
template <class View>
bool make_whole(const View& view, strided_layout& layout, status& error) noexcept {
  return make_row_major({}, view.extents(), sizeof(view_element<View>), layout, error);
}

struct found_route {
  distributed_route route = distributed_route::local;
  target_axes axes{};
  index_list positions;      // the extents of indices, or of what has their place
  int axis_of_updates = -1;  // which has the coordinates of data's divided axis, where each rank has its updates
  strided_layout whole_output;
};

// Checks all rules but those for the values of indices and for what each rank has alone. For masks there is another
// one.
template <const operation_rules& Rules, class Call>
class route_finder : public found_route {
  using element = element_of_call<Call>;
  static constexpr target_form form = form_of<Call>;
  static constexpr bool has_value = gives_value<Call>;

 public:
  // Whether indices select single elements, so that updates have their extents.
  static constexpr bool selects_elements = Rules.by == addressing::elements || Rules.by == addressing::numbers;

  route_finder(int ranks, const Call& at) noexcept : ranks_{ranks}, at_{at} { positions = at.where.extents(); }

  bool find(status& error) { return check_shapes(error) && check_distributions(error); }

 private:
  bool check_shapes(status& error) {
    const index_list data = at_.data.extents();
    index_list updates;
    strided_layout whole_data;
    strided_layout whole_indices;
    strided_layout whole_updates;
    const auto extents_of = [&](int) -> const index_list& { return positions; };
    if constexpr (has_value) {
      if (!find_scatter_updates<Rules.by>(Rules, data, positions, at_.axis, at_.where.count(), updates, error) ||
          !make_repeated(Rules.name, at_.updates.element.rank(), updates, sizeof(element), whole_updates, error)) {
        return false;
      }
    } else {
      updates = at_.updates.extents();
    }
    if constexpr (form == target_form::read && Rules.by == addressing::tensors) {
      bool are_alike = true;
      at_.where.for_each([&](local_error::of, const auto& one) {
        are_alike = are_alike &&
                    check_extents(Rules.name, "indices", one.extents(), positions, "the first of its tensors", error);
      });
      if (!are_alike) return false;
    }
    const target_addressing<decltype(extents_of)> by{at_.axis, at_.where.count(), extents_of};
    if (!make_whole(at_.data, whole_data, error) || !make_row_major({}, positions, 1, whole_indices, error) ||
        !make_row_major({}, updates, sizeof(update_of_call<Call>), whole_updates, error) ||
        !make_whole(at_.output, whole_output, error) ||
        !check_scatter<Rules.by>(Rules, {whole_data, whole_indices, whole_updates, whole_output}, {}, by, axes,
                                 error)) {
      return false;
    }
    // Updates are ordered by numbers of positions, and agreed errors by numbers of indices: both have to fit.
    const auto count = static_cast<std::uint64_t>(whole_indices.size());
    if (saturating_multiply(count, static_cast<std::uint64_t>(axes.count < 1 ? 1 : axes.count)) >=
        (std::uint64_t{1} << 62)) {
      return refuse(error, errc::size_overflow, Rules.name, "indices", " {c} hold too many indices", {}, positions);
    }
    return true;
  }

  // What each operand's distribution must be, and from that how the call runs.
  bool check_distributions(status& error) {
    const auto refuse_operand = [&](const char* operand, const char* text) {
      return refuse_distribution(Rules.name, operand, text, error);
    };
    const auto check_operand = [&](const char* operand, const auto& view) {
      return check_distribution(Rules.name, operand, view, ranks_, error);
    };
    // Segments are divided as the updates are.
    constexpr const char* indices = form == target_form::found ? "updates" : "indices";
    bool is_usable = check_operand("data", at_.data) && check_operand("output", at_.output);
    if constexpr (form == target_form::read) {
      at_.where.for_each(
          [&](local_error::of, const auto& one) { is_usable = is_usable && check_operand("indices", one); });
    }
    if constexpr (!has_value) is_usable = is_usable && check_operand("updates", at_.updates);
    if (!is_usable) return false;
    if (!are_alike(at_.data, at_.output)) return refuse_operand("output", " is not distributed as data is");
    bool are_indices_alike = true;
    if constexpr (form == target_form::read) {
      at_.where.for_each([&](local_error::of, const auto& one) {
        are_indices_alike = are_indices_alike && one.divided_axis() == at_.where.axis() &&
                            (at_.where.axis() < 0 || one.over() == at_.where.over());
      });
    }
    if (!are_indices_alike) return refuse_operand("indices", " holds tensors that are not distributed alike");
    if (at_.where.axis() >= positions.size()) {
      return refuse_operand("indices", " is divided along the axis of its components");
    }
    const updates_division updates = find_updates_division();
    const int divided = at_.data.divided_axis();
    const bool has_all_updates = updates.position < 0 && updates.other < 0;
    if (divided < 0) {
      if (at_.where.axis() >= 0) return refuse_operand(indices, " is divided, but data is whole on every rank");
      if (!has_all_updates) return refuse_operand("updates", " is divided, but data is whole on every rank");
      return true;
    }
    const bool is_alone = ranks_ == 1;
    axis_of_updates = divided < axes.first ? divided : divided - axes.count + positions.size();
    if constexpr (form == target_form::computed) {
      const int kept = at_.where.kept_axis(divided, at_.data.extents());
      axis_of_updates = kept;
      bool is_aligned = kept >= 0 && has_value;
      if constexpr (!has_value) {
        is_aligned = kept >= 0 && at_.updates.divided_axis() == kept && at_.updates.over() == at_.data.over();
      }
      route = is_alone || is_aligned ? distributed_route::local : distributed_route::narrowed;
      if (route == distributed_route::local) return true;
      if (kept >= 0 && has_all_updates && at_.data.over().is_contiguous()) return true;
    }
    if (selects_elements || axes.contains(divided)) {
      if (at_.where.axis() < 0) {
        if (!has_all_updates) return refuse_operand("updates", " is divided, but indices is whole on every rank");
        route = is_alone ? distributed_route::local : distributed_route::keeps_own;
        return true;
      }
      if (!has_value && (updates.position != at_.where.axis() || !is_same_division(at_.where.over()))) {
        return refuse_operand("updates", " is not distributed as indices is");
      }
      const bool is_aligned = Rules.by == addressing::elements && divided != axes.first &&
                              at_.where.axis() == divided && at_.where.over() == at_.data.over();
      route = is_alone || is_aligned ? distributed_route::local : distributed_route::to_owners;
      return true;
    }
    // Every index selects on other axes than the divided one, so each rank needs all indices and its part of updates.
    if (at_.where.axis() >= 0) {
      return refuse_operand(indices, " is divided, but selects on axes along which data is not");
    }
    if (has_value || (updates.other == divided && is_same_division(at_.data.over()))) {
      route = distributed_route::local;
      return true;
    }
    if (!has_all_updates) return refuse_operand("updates", " is not distributed as data is");
    if (!at_.data.over().is_contiguous()) {
      return refuse_operand("updates", " is whole on every rank, but the part of data is not one range of it");
    }
    route = distributed_route::narrowed;
    return true;
  }

  // How updates are divided: along the axis `position` of the indices, along the axis `other` of data, or not at all.
  struct updates_division {
    int position = -1;
    int other = -1;
  };

  [[nodiscard]] bool is_same_division(const mpi::distribution& over) const noexcept {
    if constexpr (has_value) {
      return true;
    } else {
      return at_.updates.over() == over;
    }
  }
  [[nodiscard]] updates_division find_updates_division() const noexcept {
    updates_division result;
    if constexpr (!has_value) {
      const int axis = at_.updates.divided_axis();
      if (axis < 0) return result;
      if (selects_elements) {
        result.position = axis;
      } else if (axis >= axes.first && axis < axes.first + positions.size()) {
        result.position = axis - axes.first;
      } else {
        result.other = axis < axes.first ? axis : axis - positions.size() + axes.count;
      }
    }
    return result;
  }

  int ranks_;
  const Call& at_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_ROUTE_FINDER_HPP
