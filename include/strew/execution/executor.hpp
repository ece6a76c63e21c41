// SPDX-License-Identifier: Apache-2.0
// Executors, which run the parts of one call: the concept, its traits, and the serial executor.
#ifndef STREW_EXECUTION_EXECUTOR_HPP
#define STREW_EXECUTION_EXECUTOR_HPP

#include <strew/config.hpp>
#include <strew/view/integer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

// The body that operators pass to executors: two pointers. body(i) returns nothing, never throws and may be called on
// any thread.
class task {
 public:
  using function = void (*)(const void* context, std::size_t i) noexcept;

  constexpr task(function run, const void* context) noexcept : run_{run}, context_{context} {}
  constexpr void operator()(std::size_t i) const noexcept { run_(context_, i); }

 private:
  function run_;
  const void* context_;
};

template <class Tensor>
struct tensor_access;  // as_view.hpp

namespace detail::inline STREW_CODE {

// Tensors and tensor expressions of other libraries can also be called with two arguments: matrix(i, j).
template <class T>
concept tensor_like = requires(T& tensor) {
  tensor_access<std::remove_cv_t<T>>::data(tensor);
}
|| requires(T& tensor) {
  tensor.extents();
}
|| requires(T& tensor) {
  tensor.shape();
}
|| requires(T& tensor) {
  tensor.dimensions();
}
|| requires(T& tensor) {
  tensor.rows();
}
|| requires(T& tensor) {
  tensor.extent(0);
}
|| requires(T& tensor) {
  tensor.ndim();
};

}  // namespace detail

// Satisfied by callables ex(n, body) that call body(i) exactly once for each i in [0, n), in any order and possibly
// concurrently, and return when all of these calls have returned. n is a std::size_t, body a strew::task; n may be 0,
// and it may be larger than the number of threads. A lambda around a thread pool suffices:
//
//   const auto tasks = [](std::size_t n, auto&& body) { tbb::parallel_for(std::size_t{0}, n, body); };
//
// Writes before ex(n, body) must be visible in each body(i), and writes of body(i) to the caller afterwards, as for a
// thread that is started and joined. The output never depends on the number of threads or on the order of the calls,
// since no two body(i) write the same elements.
//
// An executor may throw, before, between or after its bodies; the exception reaches the caller of the operator. If it
// is thrown while indices are checked, nothing is written. If it is thrown later, each element of the output has its
// old or its new value; out of place with diagonal_scatter and onnx::tensor_scatter perhaps data's. Bodies may be
// fibres, and each needs up to 96 KiB of stack. An executor, an assignment and a callable may call operators
// themselves.
template <class Ex>
concept executor =
    !detail::tensor_like<std::remove_reference_t<Ex>> && requires(Ex & ex, std::size_t n, const task& body) {
  ex(n, body);
};

// The properties of an executor that operators use. Specialise it for your own type:
//
//   template <>
//   struct strew::executor_traits<my_pool> {
//     static std::size_t concurrency(const my_pool& pool) { return pool.thread_count(); }
//     static std::span<std::byte> memory(const my_pool&) { return {}; }
//   };
//
// concurrency: the number of threads that run bodies, the caller's included; clamped to [1, 1024]. Operators divide
// their work into up to 8 times as many parts. The default is 8, since asking the machine takes <thread>, a cost for
// every user. With fewer threads the parts are only smaller than necessary; with more a scatter rarely gains, being
// bound by memory bandwidth. memory: bytes that a call may use as scratch memory, see strew::workspace; none by
// default.
template <class Ex>
struct executor_traits {
  [[nodiscard]] static constexpr std::size_t concurrency(const Ex&) noexcept { return 8; }
  [[nodiscard]] static constexpr std::span<std::byte> memory(const Ex&) noexcept { return {}; }
};

// The default executor: runs bodies on the caller's thread in ascending order, also in constant evaluation.
struct serial_executor {
  template <std::invocable<std::size_t> Body>
  STREW_KEYED constexpr void operator()(std::size_t n, Body&& body) const
      noexcept(std::is_nothrow_invocable_v<Body&, std::size_t>) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};
// The object of serial_executor.
inline constexpr serial_executor serial;

template <>
struct executor_traits<serial_executor> {
  [[nodiscard]] static constexpr std::size_t concurrency(const serial_executor&) noexcept { return 1; }
  [[nodiscard]] static constexpr std::span<std::byte> memory(const serial_executor&) noexcept { return {}; }
};

namespace detail::inline STREW_CODE {

// Whether an executor is known to run all bodies on the caller's thread, so that a call needs no code for parts.
template <class Ex>
inline constexpr bool is_serial = std::is_same_v<Ex, serial_executor>;

// Whether an executor may have a workspace.
template <class Ex>
inline constexpr bool may_have_workspace = !std::is_same_v<Ex, serial_executor>;

// How the size of a workspace is passed to an executor that allocates it, before the call uses its memory.
// heap_workspace.hpp specialises it. Other executors have the workspace that they were given.
template <class Ex>
struct memory_on_demand {
  static constexpr bool allocates = false;
};

// Whether neither calls of the executor nor its traits throw.
template <class Ex>
inline constexpr bool executes_without_throwing = is_serial<std::remove_cvref_t<Ex>> ||
                                                  requires(Ex& ex, std::size_t n, const task& body) {
  { ex(n, body) }
  noexcept;
  { executor_traits<std::remove_cvref_t<Ex>>::concurrency(ex) }
  noexcept;
  { executor_traits<std::remove_cvref_t<Ex>>::memory(ex) }
  noexcept;
};

}  // namespace detail

// A type-erased reference to an executor, which must outlive it; operators pass this on.
struct executor_ref {
  void (*run)(void* ex, std::size_t n, const task& body) = nullptr;  // null: serial
  void* ex = nullptr;
  std::int64_t threads = 1;
  std::span<std::byte> memory;

  void operator()(std::size_t n, const task& body) const { run(ex, n, body); }
};

namespace detail::inline STREW_CODE {

template <class Ex>
executor_ref refer_to(Ex& ex) {
  using traits = executor_traits<std::remove_const_t<Ex>>;
  executor_ref result;
  result.memory = traits::memory(ex);
  if constexpr (!is_serial<std::remove_const_t<Ex>>) {
    constexpr std::int64_t most = 1024;
    const std::int64_t threads = saturate(traits::concurrency(ex));  // which may have any integer type
    result.threads = threads < 1 ? 1 : threads < most ? threads : most;
    // As std::addressof, without <memory>, which would double the compile time of these headers. Ex may be a function
    // type.
    result.ex = const_cast<char*>(&reinterpret_cast<const volatile char&>(ex));
    result.run = [](void* object, std::size_t n, const task& body) { (*reinterpret_cast<Ex*>(object))(n, body); };
  }
  return result;
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_EXECUTION_EXECUTOR_HPP
