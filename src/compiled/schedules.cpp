// SPDX-License-Identifier: Apache-2.0
// Scatters by indices that are used again.
#include "scatter_by.hpp"

#include <strew/detail/kernels/dispatch_bound.hpp>

namespace strew::inline STREW_ABI::erased {

namespace {

// Calls body.operator()<By>(request), with one value in the place of updates repeated.
template <detail::addressing By, class Body>
void with_updates(const request& given, status& error, const Body& body) {
  if (!given.type.repeats) return body.template operator()<By>(given);
  library::with_repeated<By>(given, error, [&](const request& found) { body.template operator()<By>(found); });
}

// The same for the way of addressing of a request.
template <class Body>
void with_addressing(const request& given, status& error, const Body& body) {
  library::with_addressing(given, error,
                           [&]<detail::addressing By>(const request& call) { with_updates<By>(call, error, body); });
}

}  // namespace

void measure_schedule(const request& given, std::uint64_t& bytes, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::measure_schedule<By>(call, bytes, error);
  });
}

void make_schedule(const request& given, char* memory, bound_schedule& made, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::make_schedule<By>(call, memory, made, error);
  });
}

void run_by_schedule(const request& given, const bound_schedule& made, const executor_ref& ex, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::run_by_schedule<By>(call, made, ex, error);
  });
}

}  // namespace strew::erased
