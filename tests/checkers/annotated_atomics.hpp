// SPDX-License-Identifier: Apache-2.0
// Included before all else in programs for helgrind, which knows mutexes, but not what atomic variables order: says so
// by its annotations. Operations that no source uses are left out. The names `atomic` and `atomic_flag` of the sources
// behind this header are those of its classes.
#ifndef STREW_TESTS_CHECKERS_ANNOTATED_ATOMICS_HPP
#define STREW_TESTS_CHECKERS_ANNOTATED_ATOMICS_HPP

// All of the standard library, which must see its own names.
#include <bits/stdc++.h>

#include <valgrind/helgrind.h>

namespace strew_checkers {

inline bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
inline bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_consume ||
         order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

// One operation on the atomic variable at this address.
class annotated_operation {
 public:
  annotated_operation(const volatile void* variable, std::memory_order order) : variable_(variable), order_(order) {
    if (releases(order_)) ANNOTATE_HAPPENS_BEFORE(variable_);
  }
  annotated_operation(const annotated_operation&) = delete;
  annotated_operation& operator=(const annotated_operation&) = delete;
  ~annotated_operation() {
    if (acquires(order_)) ANNOTATE_HAPPENS_AFTER(variable_);
  }

 private:
  const volatile void* variable_;
  std::memory_order order_;
};

template <class T>
class annotated_atomic {
 public:
  annotated_atomic() noexcept { VALGRIND_HG_DISABLE_CHECKING(this, sizeof *this); }
  annotated_atomic(T value) noexcept : value_(value) { VALGRIND_HG_DISABLE_CHECKING(this, sizeof *this); }
  annotated_atomic(const annotated_atomic&) = delete;
  annotated_atomic& operator=(const annotated_atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const noexcept {
    const annotated_operation seen(this, order == std::memory_order_seq_cst ? std::memory_order_acquire : order);
    return value_.load(order);
  }
  operator T() const noexcept { return load(); }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
    const annotated_operation seen(this, order == std::memory_order_seq_cst ? std::memory_order_release : order);
    value_.store(value, order);
  }
  T operator=(T value) noexcept {
    store(value);
    return value;
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
    const annotated_operation seen(this, order);
    return value_.exchange(value, order);
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order order, std::memory_order failed) noexcept {
    const annotated_operation seen(this, order);
    return value_.compare_exchange_weak(expected, value, order, failed);
  }
  template <class Difference>
  T fetch_add(Difference more, std::memory_order order = std::memory_order_seq_cst) noexcept {
    const annotated_operation seen(this, order);
    return value_.fetch_add(more, order);
  }
  T operator++() noexcept { return fetch_add(1) + 1; }
  T operator++(int) noexcept { return fetch_add(1); }
  template <class Difference>
  T operator+=(Difference more) noexcept {
    return static_cast<T>(fetch_add(more) + more);
  }
  void wait(T old, std::memory_order order = std::memory_order_seq_cst) const noexcept {
    const annotated_operation seen(this, order == std::memory_order_seq_cst ? std::memory_order_acquire : order);
    value_.wait(old, order);
  }
  void notify_one() noexcept { value_.notify_one(); }

 private:
  std::atomic<T> value_{};
};

class annotated_flag {
 public:
  annotated_flag() noexcept { VALGRIND_HG_DISABLE_CHECKING(this, sizeof *this); }
  annotated_flag(const annotated_flag&) = delete;
  annotated_flag& operator=(const annotated_flag&) = delete;
  bool test_and_set(std::memory_order order = std::memory_order_seq_cst) noexcept {
    const annotated_operation seen(this, order);
    return value_.test_and_set(order);
  }
  void clear(std::memory_order order = std::memory_order_seq_cst) noexcept {
    const annotated_operation seen(this, order);
    value_.clear(order);
  }

 private:
  std::atomic_flag value_;
};

}  // namespace strew_checkers

namespace std {
using strew_checkers::annotated_atomic;
using strew_checkers::annotated_flag;
}  // namespace std

#define atomic annotated_atomic
#define atomic_flag annotated_flag

#endif  // STREW_TESTS_CHECKERS_ANNOTATED_ATOMICS_HPP
