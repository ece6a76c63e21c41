// SPDX-License-Identifier: Apache-2.0
// Opt-in: distributed calls with the same indices, mask or slice, whose targets and messages are found once.
#ifndef STREW_MPI_PREPARED_DISTRIBUTED_SCATTER_HPP
#define STREW_MPI_PREPARED_DISTRIBUTED_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/prepared_arguments.hpp>
#include <strew/detail/mpi/exchange_plan.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/execution/executor.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/status.hpp>
#include <strew/view/tensor_view.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// The argument by which a call selects its targets: indices, several tensors of them, or a mask. Slices have none.
template <class Operator, class... Arguments>
struct distributed_selection {
  struct none {};
  static constexpr std::size_t at = Operator::form.indices_at;

  template <std::size_t Position>
  static constexpr auto find() noexcept {
    if constexpr (Position < sizeof...(Arguments)) {
      return std::type_identity<type_at<Position, Arguments...>>();
    } else {
      return std::type_identity<none>();
    }
  }
  using argument = typename decltype(find<at>())::type;
  // Several tensors have the element type of the first.
  template <class Given>
  struct element_of {
    using type = std::remove_const_t<view_element<Given>>;
  };
  template <class First, class... Rest>
  struct element_of<std::tuple<First, Rest...>> : element_of<First> {};
  using index = typename element_of<bare_indices<argument>>::type;

  static constexpr bool is_given = !std::is_void_v<index>;
  using type = std::conditional_t<is_given, argument, none>;
};

// The type of the updates of a call on elements T.
template <class T, class Argument>
struct update_of_argument {
  using type = T;
};
template <class T, class View>
struct update_of_argument<T, converted_updates<View>> {
  using type = std::remove_const_t<view_element<View>>;
};

}  // namespace detail

namespace mpi {

// What prepare returns: the arguments of a distributed call, and after bind what its indices have become. It has a
// communicator of its own, so that runs do not mix with other messages. Can be moved, not copied; moving, making and
// destroying it is collective.
//
// `indices` are the tensors by which the call selects its targets: indices, a mask, or write_indices of caches. Slices
// and others without such a tensor have a bind without it.
//
// bind, run, begin and end are collective. The operands of a run have the layouts that they had in prepare, and lie
// apart as operators require; that is not checked again. Memory that was bound must live as long as runs are made, and
// so must masks, and where nothing is sent (see <strew/mpi.hpp>) the indices; runs read them there.
template <class Operator, class... Arguments>
class prepared_distributed_scatter {
  using selection = strew::detail::distributed_selection<Operator, Arguments...>;
  static constexpr std::size_t updates_at = Operator::form.updates_at;
  static constexpr std::size_t indices_at = selection::at;
  static constexpr bool has_indices = selection::is_given;
  template <std::size_t Position>
  using argument = strew::detail::type_at<Position, Arguments...>;
  template <class Argument>
  static constexpr bool is_distributed = strew::detail::is_distributed<Argument>;
  static constexpr bool has_updates =
      is_distributed<argument<updates_at>> || strew::detail::is_converted<argument<updates_at>>;
  static constexpr bool has_output =
      sizeof...(Arguments) > Operator::form.inputs&& is_distributed<argument<sizeof...(Arguments) - 1>>;
  static constexpr std::size_t written = has_output ? sizeof...(Arguments) - 1 : 0;

 public:
  using element = std::remove_const_t<strew::detail::view_element<argument<0>>>;
  using update = typename strew::detail::update_of_argument<element, argument<updates_at>>::type;
  using indices = typename selection::type;
  using index = typename selection::index;  // void without indices; of several tensors that of the first

  explicit prepared_distributed_scatter(const Arguments&... arguments) : kept_(arguments...) {}
  prepared_distributed_scatter(const prepared_distributed_scatter&) = delete;
  prepared_distributed_scatter(prepared_distributed_scatter&& other) noexcept
      : kept_(std::move(other.kept_)),
        plan_{std::exchange(other.plan_, {})},
        comm_{std::exchange(other.comm_, MPI_COMM_NULL)},
        item_{std::exchange(other.item_, MPI_DATATYPE_NULL)},
        request_{std::exchange(other.request_, MPI_REQUEST_NULL)} {}
  prepared_distributed_scatter& operator=(const prepared_distributed_scatter&) = delete;
  prepared_distributed_scatter& operator=(prepared_distributed_scatter&&) = delete;
  ~prepared_distributed_scatter() {
    if (item_ != MPI_DATATYPE_NULL) MPI_Type_free(&item_);
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  // The bytes that bind needs for these indices on this rank; 0 on an error, which all ranks then return. Counts them:
  // O(indices of this rank). Without indices this and bind leave out `at`.
  STREW_KEYED [[nodiscard]] status try_bound_bytes(const indices& at, std::size_t& bytes) {
    bytes = 0;
    strew::detail::exchange_plan counted;
    const status error = call_with(strew::detail::plan_binder{&counted, {}, true}, at);
    if (error.ok()) bytes = static_cast<std::size_t>(counted.sends ? counted.bytes(ranks()) : 0);
    return error;
  }
  STREW_KEYED [[nodiscard]] std::size_t bound_bytes(const indices& at) {
    std::size_t bytes = 0;
    strew::detail::raise_if_error(try_bound_bytes(at, bytes));
    return bytes;
  }
  // Checks the indices, finds the owners of their targets and tells them. Errors are those of the operator, and
  // too_little_memory. On an error what was bound before stays bound, and its memory as it was, also if it is `memory`;
  // but if MPI has failed (communication) nothing may be bound. O(indices of this rank + updates received).
  STREW_KEYED [[nodiscard]] status try_bind(const indices& at, std::span<std::byte> memory) {
    strew::detail::exchange_plan made;
    status error = call_with(strew::detail::plan_binder{&made, memory, false}, at);
    if (!error.ok()) {
      // MPI has failed after the first write to `memory`, which may be that of what was bound before.
      if (made.offsets != nullptr) plan_ = {};
      return error;
    }
    if (item_ != MPI_DATATYPE_NULL) MPI_Type_free(&item_);
    if (made.shape.item_bytes > 0) {
      strew::detail::bytes_type item(made.shape.item_bytes);
      item_ = item.release();
    }
    plan_ = made;
    if constexpr (has_indices) std::get<indices_at>(kept_) = at;
    return error;
  }
  STREW_KEYED void bind(const indices& at, std::span<std::byte> memory) {
    strew::detail::raise_if_error(try_bind(at, memory));
  }
  STREW_KEYED [[nodiscard]] status try_bound_bytes(std::size_t& bytes) requires(!has_indices) {
    return try_bound_bytes({}, bytes);
  }
  STREW_KEYED [[nodiscard]] std::size_t bound_bytes() requires(!has_indices) { return bound_bytes({}); }
  STREW_KEYED [[nodiscard]] status try_bind(std::span<std::byte> memory) requires(!has_indices) {
    return try_bind({}, memory);
  }
  STREW_KEYED void bind(std::span<std::byte> memory) requires(!has_indices) { bind({}, memory); }

  // Runs the call: run(data, updates, output), of which updates are left out where the call has one value, and output
  // where it is in place; the addresses of this rank's parts, of updates of their own type if they are converted. An
  // executor first applies the updates.
  template <class First, class... Addresses>
  STREW_KEYED [[nodiscard]] status try_run(First&& first, Addresses&&... rest) {
    return make(strew::detail::plan_step::all, first, rest...);
  }
  template <class First, class... Addresses>
  STREW_KEYED void run(First&& first, Addresses&&... rest) {
    strew::detail::raise_if_error(make(strew::detail::plan_step::all, first, rest...));
  }
  // The same in two steps: begin sends the updates, end receives and applies them; what is between them runs while
  // messages travel. Each begin is followed by one end with the same addresses.
  template <class First, class... Addresses>
  STREW_KEYED [[nodiscard]] status try_begin(First&& first, Addresses&&... rest) {
    return make(strew::detail::plan_step::begin, first, rest...);
  }
  template <class First, class... Addresses>
  STREW_KEYED void begin(First&& first, Addresses&&... rest) {
    strew::detail::raise_if_error(make(strew::detail::plan_step::begin, first, rest...));
  }
  template <class First, class... Addresses>
  STREW_KEYED [[nodiscard]] status try_end(First&& first, Addresses&&... rest) {
    return make(strew::detail::plan_step::end, first, rest...);
  }
  template <class First, class... Addresses>
  STREW_KEYED void end(First&& first, Addresses&&... rest) {
    strew::detail::raise_if_error(make(strew::detail::plan_step::end, first, rest...));
  }

 private:
  STREW_KEYED [[nodiscard]] std::int64_t ranks() {
    int size = 1;
    MPI_Comm_size(comm(), &size);
    return size;
  }
  // Made by the first call that needs it, which is collective.
  STREW_KEYED [[nodiscard]] MPI_Comm comm() {
    if (comm_ == MPI_COMM_NULL) MPI_Comm_dup(std::get<0>(kept_).comm(), &comm_);
    return comm_;
  }

  // The arguments on this object's communicator, with other addresses if there are any.
  template <class E>
  STREW_KEYED [[nodiscard]] distributed_tensor_view<E> view_on(const distributed_tensor_view<E>& kept,
                                                               const std::remove_const_t<E>* address) {
    tensor_view<E> view = kept.local();
    if (address != nullptr) {
      static_cast<void>(tensor_view<E>::try_bind(const_cast<E*>(address), kept.local().layout(), view));
    }
    return {view, kept.axis(), kept.over(), comm()};
  }
  template <std::size_t Position>
  STREW_KEYED [[nodiscard]] auto argument_on(const element* data, const update* updates, element* output) {
    const auto& kept = std::get<Position>(kept_);
    using type = argument<Position>;
    if constexpr (strew::detail::is_converted<type>) {
      return type{view_on(kept.updates, updates)};
    } else if constexpr (!is_distributed<type> || (has_indices && Position == indices_at)) {
      return kept;
    } else if constexpr (Position == updates_at) {
      return view_on(kept, updates);
    } else {
      return view_on(kept, Position == written ? output : data);
    }
  }
  template <class Ex, std::size_t... Position>
  STREW_KEYED status call(Ex& ex, std::index_sequence<Position...>, const element* data, const update* updates,
                          element* output) {
    constexpr strew::detail::attempted<Operator> operation;
    return operation(ex, argument_on<Position>(data, updates, output)...);
  }
  STREW_KEYED [[nodiscard]] status call_with(const strew::detail::plan_binder& binder,
                                             [[maybe_unused]] const indices& at) {
    constexpr std::index_sequence_for<Arguments...> all;
    if constexpr (has_indices) {
      const indices before = std::get<indices_at>(kept_);
      std::get<indices_at>(kept_) = at;
      const status error = call(binder, all, nullptr, nullptr, nullptr);
      std::get<indices_at>(kept_) = before;
      return error;
    } else {
      return call(binder, all, nullptr, nullptr, nullptr);
    }
  }

  // The first argument is an executor or the first address.
  template <class First, class... Addresses>
  STREW_KEYED status make(strew::detail::plan_step which, First& first, Addresses&... rest) {
    if constexpr (strew::detail::is_address_of<element, First&>) {
      return step(which, serial, first, rest...);
    } else if constexpr (strew::detail::explain<strew::detail::find_mistake_of_first<element, First&>()>()) {
      return step(which, first, rest...);
    }
    return {};
  }
  template <class Ex, class... Addresses>
  STREW_KEYED status step(strew::detail::plan_step which, Ex& ex, Addresses&... addresses) {
    static_assert(sizeof...(Addresses) == 1 + (has_updates ? 1 : 0) + (has_output ? 1 : 0),
                  "strew: a run takes the addresses of data, updates (unless they are one value) and output (unless in "
                  "place)");
    using operands = strew::detail::operand_addresses<element, Operator, index, has_updates, update>;
    const operands at = operands::template take<true>(addresses...);
    if (!plan_.is_bound) {
      constexpr bool has_any = has_indices && !Operator::form.has_mask;
      return {errc::null_data, Operator::form.name, has_any ? "indices" : "call",
              has_any ? " are not bound" : " is not bound"};
    }
    const strew::detail::plan_runner<Ex> runner{&plan_, &ex, &request_, item_, which};
    return call(runner, std::index_sequence_for<Arguments...>{}, at.data, at.updates, at.output);
  }

  std::tuple<Arguments...> kept_;
  strew::detail::exchange_plan plan_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Datatype item_ = MPI_DATATYPE_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// Keeps the arguments of a distributed call, to make it many times with the same indices:
//
//   auto assembly = strew::mpi::prepare<float, std::int64_t>(strew::mpi::index_add, table, 0, indices, gradients);
//   std::vector<std::byte> memory(assembly.bound_bytes(indices));
//   assembly.bind(indices, memory);
//   for (..) assembly.run(table.local().data(), gradients.local().data());
//
// The arguments are those of the call, without an executor and without braces; one value may stand in the place of
// updates, and strew::converted(updates). The call is in place if it has no output. `Index` is the element type of the
// indices or the mask, of several tensors that of the first, and void (the default) where there are none:
//
//   auto halo = strew::mpi::prepare<float>(strew::mpi::slice_scatter, field, border, slice);
//   std::vector<std::byte> memory(halo.bound_bytes());
//   halo.bind(memory);
//
// Results are those of the operator. A run sends updates alone, and neither reads nor checks indices. Errors are found
// by bind.
template <class T, class Index = void, class Operator, class... Arguments>
STREW_KEYED [[nodiscard]] auto prepare(const strew::detail::throwing<Operator>&, const Arguments&... arguments) {
  using prepared = prepared_distributed_scatter<Operator, Arguments...>;
  static_assert(std::is_same_v<typename prepared::element, T>, "strew: data has other elements than prepare names");
  static_assert(std::is_same_v<typename prepared::index, Index>, "strew: indices have another type than prepare names");
  return prepared(arguments...);
}

}  // namespace mpi
}  // namespace strew

#endif  // STREW_MPI_PREPARED_DISTRIBUTED_SCATTER_HPP
