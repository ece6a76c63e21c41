// SPDX-License-Identifier: Apache-2.0
// masked_fill and masked_scatter on distributed tensors.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/mpi/held_exception.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/masked_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// The elements of a view in row-major order, one after the other.
class row_major_walk {
 public:
  explicit row_major_walk(const strided_layout& layout) noexcept : layout_{layout}, at_{layout.extents()} {
    for (int k = 0; k < at_.size(); ++k) at_[k] = 0;
  }

  [[nodiscard]] bool is_at_end() const noexcept { return number_ >= layout_.size(); }
  [[nodiscard]] const index_list& coordinate() const noexcept { return at_; }
  void advance() noexcept {
    ++number_;
    static_cast<void>(next_distinct(layout_, false, at_));
  }

 private:
  strided_layout layout_;
  index_list at_;
  std::int64_t number_ = 0;
};

// Source: a distributed tensor, or one value for masked_fill.
template <const operation_rules& Rules, class D, class M, class Source, class T>
class distributed_mask {
 public:
  using element = std::remove_const_t<T>;
  static constexpr bool is_fill = Rules.takes_any_single_element;

  distributed_mask(communicator& ranks, const mpi::distributed_tensor_view<D>& data,
                   const mpi::distributed_tensor_view<M>& mask, const Source& source,
                   const mpi::distributed_tensor_view<T>& output) noexcept
      : ranks_{ranks}, data_{data}, mask_{mask}, source_{source}, output_{output} {}

  template <class Reserve>
  bool agree(const Reserve& reserve, status& error) {
    status refused;
    local_error own;
    if (check_shapes(refused) && check_distributions(refused)) {
      check_parts(own);
      const std::int64_t bytes = own.ok() && sends_ ? reserve(least_bytes()) : least_bytes();
      if (bytes < least_bytes()) {
        own = {local_error::kind::too_little_memory, local_error::of::data, {bytes, least_bytes()}};
      }
    }
    agreement agreed{.bits = fingerprint_of_call(refused.code())};
    if (!agreed.settle(ranks_, Rules.name, refused, own, error)) return false;
    if constexpr (is_fill) {
      return true;
    } else {
      return count_selected(error);
    }
  }

  template <reduction_set, class Ex>
  bool run(Ex& ex, const exchange_memory& memory, status& error) {
    if constexpr (is_fill) {
      submit_local(ex, data_.local(), source_, error);
      return error.ok();
    } else {
      if (!sends_) {
        submit_local(ex, data_.local(), source_.local(), error);
        return error.ok();
      }
      exchange_memory own = memory;
      if constexpr (memory_on_demand<std::remove_const_t<Ex>>::allocates) {
        // For all elements of the source of this rank, and all that the mask selects.
        const std::int64_t round = exchange_sizes::of_round(source_.local().size(), selected_, shape());
        own = reserve_on_demand(ex, sum_of_bytes(fixed_bytes(), round));
      }
      // Memory that could not be allocated again may be less than before.
      std::int64_t capacity =
          own.bytes < least_bytes() ? 0 : exchange_sizes::capacity(own.bytes - fixed_bytes(), shape());
      if (!ranks_.minimum(&capacity, 1)) return ranks_.refuse_failure(Rules.name, error);
      if (capacity == 0) {
        return refuse(error, errc::too_little_memory, Rules.name, "workspace", " of some rank could not be allocated");
      }
      memory_cursor next(own);
      auto* const first = next.template take<std::int64_t>(ranks_.ranks() + std::int64_t{1});
      if (!find_offsets(first)) return ranks_.refuse_failure(Rules.name, error);
      const sender<Ex> routes{*this, ex, first};
      exchange<sender<Ex>> all(ranks_, shape(), next.rest(), Rules.name, routes);
      const bool done = all.run(capacity, no_growth(), error);
      thrown_.rethrow();
      return done;
    }
  }

 private:
  // The bytes beside those of a round: the numbers of the first selected element of each rank, and what an exchange
  // has.
  [[nodiscard]] std::int64_t fixed_bytes() const noexcept {
    const std::int64_t offsets = bytes_of_part(ranks_.ranks() + std::int64_t{1}, sizeof(std::int64_t));
    return sum_of_bytes(offsets, exchange_sizes::fixed_bytes(ranks_.ranks()));
  }
  [[nodiscard]] std::int64_t least_bytes() const noexcept {
    return sum_of_bytes(fixed_bytes(), exchange_sizes::of_round(1, 1, shape()));
  }

  bool check_shapes(status& error) const {
    strided_layout data, mask, source, output;
    const auto make = [&](const index_list& extents, std::size_t size, strided_layout& layout) {
      return make_row_major({}, extents, size, layout, error);
    };
    if constexpr (is_fill) {
      if (!make_repeated(Rules.name, source_.element.rank(), data_.extents(), sizeof(element), source, error)) {
        return false;
      }
    } else {
      if (!make(source_.extents(), sizeof(element), source)) return false;
    }
    return make(data_.extents(), sizeof(element), data) && make(mask_.extents(), 1, mask) &&
           make(output_.extents(), sizeof(element), output) &&
           check_masked(Rules, {data, mask, source, output}, {}, error);
  }
  bool check_distributions(status& error) {
    const auto check_operand = [&](const char* operand, const auto& view) {
      return check_distribution(Rules.name, operand, view, ranks_.ranks(), error);
    };
    if (!check_operand("data", data_) || !check_operand("output", output_) || !check_operand("mask", mask_))
      return false;
    if (!are_alike(data_, output_)) {
      return refuse_distribution(Rules.name, "output", " is not distributed as data is", error);
    }
    if (!are_alike(data_, mask_)) {
      return refuse_distribution(Rules.name, "mask", " is not distributed as data is", error);
    }
    if constexpr (!is_fill) {
      if (!check_operand("source", source_)) return false;
      const int divided = data_.divided_axis();
      if (divided < 0) {
        return source_.divided_axis() < 0 ||
               refuse_distribution(Rules.name, "source", " is divided, but data is whole on every rank", error);
      }
      sends_ = ranks_.ranks() > 1;
      std::int64_t outer = 1;
      for (int k = 0; k < divided; ++k) outer *= data_.extents()[k];
      if (sends_ && (outer > 1 || !data_.over().is_contiguous())) {
        return refuse_distribution(Rules.name, "data",
                                   " is divided so that the elements of a rank do not follow each other in row-major "
                                   "order",
                                   error);
      }
    }
    return true;
  }
  void check_parts(local_error& error) {
    using of = local_error::of;
    check_part(ranks_, of::data, data_, error);
    check_part(ranks_, of::mask, mask_, error);
    check_part(ranks_, of::output, output_, error);
    const tensor_view<T>& output = output_.local();
    if constexpr (!is_fill) check_part(ranks_, of::source, source_, error);
    check_distinct(output, error);
    if (!is_same_view(data_.local(), output)) check_part_apart(output, of::data, data_.local(), error);
    check_part_apart(output, of::mask, mask_.local(), error);
    if constexpr (is_fill) {
      check_part_apart(output, of::value, source_.element, error);
    } else {
      check_part_apart(output, of::source, source_.local(), error);
    }
  }
  [[nodiscard]] std::int64_t fingerprint_of_call(errc refused) const noexcept {
    fingerprint call;
    call.add(Rules.name);
    call.add(static_cast<std::int64_t>(refused));
    add_element_type<element>(call);
    add_operand(call, data_);
    add_operand(call, mask_);
    add_operand(call, output_);
    if constexpr (is_fill) {
      add_value(call, source_.element);
    } else {
      add_operand(call, source_);
    }
    return call.bits();
  }

  // Counts what the mask selects on this rank and on all of them.
  bool count_selected(status& error) {
    std::int64_t count = 0;
    const tensor_view<M>& mask = mask_.local();
    for (row_major_walk walk(mask.layout()); !walk.is_at_end(); walk.advance()) count += is_selected(walk) ? 1 : 0;
    selected_ = count;
    std::int64_t most = -count;
    if (sends_ && (!ranks_.sum(&count) || !ranks_.minimum(&most, 1))) {
      return ranks_.refuse_failure(Rules.name, error);
    }
    most_ = -most;
    return check_source_size(Rules, size_of_source(), count, error);
  }
  [[nodiscard]] std::int64_t size_of_source() const noexcept {
    std::int64_t size = 1;
    for (const std::int64_t extent : source_.extents()) size *= extent;
    return size;
  }
  // The byte of a mask's element selects if it is not 0, whatever else it is.
  [[nodiscard]] bool is_selected(const row_major_walk& walk) const noexcept {
    unsigned char byte = 0;
    std::memcpy(&byte, mask_.local().data() + mask_.local().layout().offset(walk.coordinate()), 1);
    return byte != 0;
  }

  [[nodiscard]] exchange_shape shape() const noexcept {
    exchange_shape result;
    result.item_bytes = sizeof(element);
    result.targets = most_;
    if constexpr (!is_fill) {
      const int axis = source_.divided_axis();
      result.positions = size_of_source();
      result.keeps_own = axis < 0;
      result.sends_positions = axis >= 0 && !source_.over().is_contiguous();
      for (int k = 0; k < axis; ++k) result.sends_positions = result.sends_positions || source_.extents()[k] > 1;
    }
    return result;
  }

  template <class Ex>
  struct sender {
    distributed_mask& call;
    Ex& ex;
    std::int64_t* first;  // the number of each rank's first selected element; of all ranks at the end

    template <class Body>
    void guarded(const Body& body) const {
      call.thrown_.template run<!executes_without_throwing<Ex>>(body);
    }
    template <class Visit>
    void route(const exchange_window& window, const Visit& visit) const {
      const auto& part = call.source_.local();
      const position_places at{call.source_.extents(), part.extents(), call.source_.divided_axis(),
                               &call.source_.over(), call.ranks_.rank()};
      const bool is_whole = at.axis < 0;
      const std::int64_t own = call.ranks_.rank();
      std::int64_t owner = 0;
      for (row_major_walk walk(part.layout()); !walk.is_at_end(); walk.advance()) {
        const std::int64_t number = at.number(walk.coordinate());
        if (number < window.first_position || number >= window.end_position || number >= first[call.ranks_.ranks()]) {
          continue;
        }
        // Numbers mostly ascend, so the owner is that of the one before or a later one.
        if (number < first[owner]) owner = 0;
        while (number >= first[owner + 1]) ++owner;
        const std::int64_t target = number - first[owner];
        if (target < window.first_target || target >= window.end_target || (is_whole && owner != own)) continue;
        visit(owner, target, part.layout().offset(walk.coordinate()), number);
      }
    }
    void pack(std::int64_t offset, std::byte* bytes) const {
      std::memcpy(bytes, call.source_.local().data() + offset, sizeof(element));
    }
    void begin() const {
      if (!is_same_view(call.data_.local(), call.output_.local())) {
        guarded([&] { assign(ex, read_only(call.data_.local()), call.output_.local()); });
      }
      call.walk_ = row_major_walk(call.mask_.local().layout());
      call.passed_ = 0;
    }
    // Targets ascend within a window, and windows do.
    void apply(const exchange_window& window, const received_updates& updates, const exchange_memory&) const {
      const auto* const values = reinterpret_cast<const element*>(updates.values);
      if (updates.count == call.selected_ && call.passed_ == 0) {
        tensor_view<const element> source;
        static_cast<void>(tensor_view<const element>::try_make(values, updates.count, source));
        status unused;
        guarded([&] { call.submit_local(ex, call.output_.local(), source, unused); });
        return;
      }
      for (std::int64_t k = 0; k < updates.count; ++k) {
        const std::int64_t target = window.first_target + updates.targets[k];
        while (!call.is_selected(call.walk_) || call.passed_ < target) {
          call.passed_ += call.is_selected(call.walk_) ? 1 : 0;
          call.walk_.advance();
        }
        std::memcpy(call.output_.local().data() + call.output_.local().layout().offset(call.walk_.coordinate()),
                    values + k, sizeof(element));
      }
    }
  };
  // The call on the parts of this rank.
  template <class Ex, class Data, class Updates>
  void submit_local(Ex& ex, const Data& data, const Updates& updates, status& error) const {
    const auto& mask = read_only(mask_.local());
    const auto& source = read_only(updates);
    const mask_of<std::remove_cvref_t<decltype(mask)>> where{mask};
    submit<Rules>(ex, operands_of<index_policy::error>(read_only(data), where, source, output_.local()), error);
  }
  bool find_offsets(std::int64_t* first) {
    first[0] = 0;
    if (!ranks_.gather(selected_, first + 1)) return false;
    for (int r = 0; r < ranks_.ranks(); ++r) first[r + 1] += first[r];
    return true;
  }

  communicator& ranks_;
  const mpi::distributed_tensor_view<D>& data_;
  const mpi::distributed_tensor_view<M>& mask_;
  const Source& source_;
  const mpi::distributed_tensor_view<T>& output_;
  bool sends_ = false;
  std::int64_t selected_ = 0;
  std::int64_t most_ = 0;  // selected on any rank
  row_major_walk walk_{strided_layout()};
  std::int64_t passed_ = 0;  // the selected elements before the walk's
  held_exception thrown_;
};

template <const operation_rules& Rules, reduction_set, class Ex, class D, class M, class Source, class T>
void submit_distributed(
    Ex& ex, const mask_of<mpi::distributed_tensor_view<M>>& where,
    const call_operands<index_policy::error, mpi::distributed_tensor_view<D>, mask_of<mpi::distributed_tensor_view<M>>,
                        Source, mpi::distributed_tensor_view<T>, reduction::none_type>& at,
    status& error) {
  with_communicator(at.data.comm(), Rules.name, error, [&](communicator& ranks) {
    distributed_mask<Rules, D, M, Source, T> call(ranks, at.data, where.mask, at.updates, at.output);
    run_distributed<only_none>(ex, call, error);
  });
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_MASKS_HPP
