// SPDX-License-Identifier: Apache-2.0
// What a reduction or an executor of the caller throws on one rank, until this rank has done its part of the messages:
// the other ranks must not wait for it.
#ifndef STREW_DETAIL_MPI_HELD_EXCEPTION_HPP
#define STREW_DETAIL_MPI_HELD_EXCEPTION_HPP

#include <strew/config.hpp>

#include <exception>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

class held_exception {
 public:
  [[nodiscard]] bool is_held() const noexcept { return thrown_ != nullptr; }

  // Runs the body unless an earlier one has thrown.
  template <bool MayThrow, class Body>
  void run(const Body& body) {
#if STREW_HAS_EXCEPTIONS
    if constexpr (MayThrow) {
      if (is_held()) return;
      try {
        body();
      } catch (...) {
        thrown_ = std::current_exception();
      }
      return;
    }
#endif
    body();
  }
  void rethrow() const {
#if STREW_HAS_EXCEPTIONS
    if (is_held()) std::rethrow_exception(thrown_);
#endif
  }

 private:
  std::exception_ptr thrown_;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_HELD_EXCEPTION_HPP
