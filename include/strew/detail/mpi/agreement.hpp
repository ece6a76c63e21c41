// SPDX-License-Identifier: Apache-2.0
// One status on all ranks, agreed before any rank writes; calls that differ between the ranks are found.
#ifndef STREW_DETAIL_MPI_AGREEMENT_HPP
#define STREW_DETAIL_MPI_AGREEMENT_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What must be the same on all ranks, in 63 bits (FNV-1a).
class fingerprint {
 public:
  void add_byte(unsigned char byte) noexcept { bits_ = (bits_ ^ byte) * 0x100000001b3U; }
  void add(std::int64_t number) noexcept {
    for (int k = 0; k < 8; ++k) add_byte(static_cast<unsigned char>(static_cast<std::uint64_t>(number) >> (8 * k)));
  }
  void add(const char* text) noexcept {
    for (; *text != '\0'; ++text) add_byte(static_cast<unsigned char>(*text));
    add_byte(0);
  }
  void add(const index_list& list) noexcept {
    add(list.size());
    for (const std::int64_t value : list) add(value);
  }
  void add(const mpi::distribution& over) noexcept {
    add(static_cast<std::int64_t>(over.how()));
    add(over.extent());
    add(over.ranks());
    add(over.block_size());
    if (over.how() != mpi::distribution::kind::blocks || !over.is_valid()) return;
    for (std::int64_t r = 0; r < over.ranks(); ++r) add(over.local_extent(r));
  }
  void add_bytes(const void* bytes, std::size_t count) noexcept {
    for (std::size_t k = 0; k < count; ++k) add_byte(static_cast<const unsigned char*>(bytes)[k]);
  }

  [[nodiscard]] std::int64_t bits() const noexcept { return static_cast<std::int64_t>(bits_ >> 1); }

 private:
  std::uint64_t bits_ = 0xcbf29ce484222325U;
};

// An error that one rank alone may have. Its text is made on all ranks from three numbers, the first of which is the
// rank.
struct local_error {
  enum class kind : unsigned char {
    none,
    wrong_extent,       // of axis {1} is {2}
    communicator,       // of the operand
    repeated,           // the output holds an element twice
    overlaps,           // the output shares memory with an operand
    numbers_overlap,    // the numbers of updates share memory with an operand
    too_little_memory,  // {1} bytes, expected {2}
  };
  enum class of : unsigned char {
    data,
    indices,
    updates,
    output,
    mask,
    source,
    value,
    write_indices,
    offsets,
    numbers
  };

  kind what = kind::none;
  of operand = of::data;
  std::int64_t numbers[2] = {};

  [[nodiscard]] bool ok() const noexcept { return what == kind::none; }
};

// Sets the error that `rank` has found; returns false.
STREW_COLD inline bool refuse_on_all(const char* operation, int rank, const local_error& found,
                                     status& error) noexcept {
  constexpr const char* names[] = {"data",   "indices", "updates",       "output",  "mask",
                                   "source", "value",   "write_indices", "offsets", "numbers"};
  const auto operand = static_cast<unsigned>(found.operand);
  const char* const name = names[operand < std::size(names) ? operand : 0];
  const std::int64_t a = found.numbers[0];
  const std::int64_t b = found.numbers[1];
  using enum local_error::kind;
  switch (found.what) {
    case wrong_extent:
      return refuse(error, errc::extent_mismatch, operation, name,
                    " of rank {0} does not have the extent {2} on axis {1} that its distribution gives to that rank",
                    {rank, a, b});
    case communicator:
      return refuse(error, errc::unsupported_distribution, operation, name,
                    " of rank {0} has another communicator than data", {rank});
    case repeated:
      return refuse(error, errc::repeated_element, operation, name,
                    " of rank {0} holds some element twice, or strides too contrived to tell that it does not", {rank});
    case overlaps:
    case numbers_overlap:
      return refuse(error, errc::overlap, operation, found.what == overlaps ? "output" : "numbers",
                    " of rank {0} shares memory with {o}, or has strides too contrived to tell that it does not",
                    {rank}, {}, name);
    case too_little_memory:
      return refuse(error, errc::too_little_memory, operation, "workspace",
                    " of rank {0} has {1} bytes, expected at least {2}", {rank, a, b});
    default:
      return refuse(error, errc::mismatched_calls, operation, "call", " is refused by rank {0}", {rank});
  }
}

// Sets the error that the rank `finder` has found, on all ranks; returns false.
inline bool refuse_part(communicator& ranks, const char* operation, int finder, const local_error& own,
                        status& error) noexcept {
  std::int64_t values[] = {static_cast<std::int64_t>(own.what), static_cast<std::int64_t>(own.operand), own.numbers[0],
                           own.numbers[1]};
  if (!ranks.broadcast(values, 4, finder)) return ranks.refuse_failure(operation, error);
  const local_error found{
      static_cast<local_error::kind>(values[0]), static_cast<local_error::of>(values[1]), {values[2], values[3]}};
  return refuse_on_all(operation, finder, found, error);
}

// The first collective call of each operator, the same for all of them, so that a call that differs on some rank is
// found here instead of waiting for messages that nobody sends.
struct agreement {
  static constexpr std::int64_t none = int64_max;
  static constexpr std::int64_t of_indices = std::int64_t{1} << 32;  // below: errors of the rank with that number

  std::int64_t first_error = none;
  std::int64_t bits = 0;          // of the fingerprint
  std::int64_t least_memory = 0;  // on any rank, in the caller's unit

  // Whether all ranks make the same call.
  [[nodiscard]] bool reach(communicator& ranks, const char* operation, status& error) noexcept {
    std::int64_t least[] = {first_error, bits, -bits, least_memory};
    if (!ranks.minimum(least, 4)) return ranks.refuse_failure(operation, error);
    if (least[1] != -least[2]) {
      return refuse(error, errc::mismatched_calls, operation, "call",
                    " differs between the ranks: its operator, types, extents, axes, distributions, reduction, policy "
                    "or value");
    }
    first_error = least[0];
    least_memory = least[3];
    return true;
  }
  // Agrees on an error, and ends with the status of all ranks where there is one: `refused` is what all of them have
  // found, `own` what this one has. Returns true if nothing is left but a bad index, if any.
  [[nodiscard]] bool settle(communicator& ranks, const char* operation, const status& refused, const local_error& own,
                            status& error) noexcept {
    if (!own.ok()) first_error = ranks.rank();
    if (!reach(ranks, operation, error)) return false;
    if (!refused.ok()) {
      error = refused;
      return false;
    }
    return first_error >= of_indices || refuse_part(ranks, operation, static_cast<int>(first_error), own, error);
  }
  // The number of the first bad index; -1 if there is none.
  [[nodiscard]] std::int64_t bad_index() const noexcept { return first_error == none ? -1 : first_error - of_indices; }
};

// Ends a call that this rank refuses before it could compare its operands with those of other ranks.
inline void end_refused_call(MPI_Comm comm, const char* operation, status& error) noexcept {
  communicator ranks(comm);
  if (!ranks.ok()) return;
  fingerprint call;
  call.add(operation);
  call.add(error.message().c_str());
  agreement agreed{.bits = call.bits()};
  status mismatch;
  if (!agreed.reach(ranks, operation, mismatch)) error = mismatch;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_AGREEMENT_HPP
