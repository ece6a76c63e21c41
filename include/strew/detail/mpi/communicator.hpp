// SPDX-License-Identifier: Apache-2.0
// The calls of MPI that the distributed operators make. Counts are those of items, whose type may be of any size.
#ifndef STREW_DETAIL_MPI_COMMUNICATOR_HPP
#define STREW_DETAIL_MPI_COMMUNICATOR_HPP

#include <strew/config.hpp>
#include <strew/status.hpp>

#include <mpi.h>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A type of `bytes` bytes, which may be more than an int can count.
class bytes_type {
 public:
  explicit bytes_type(std::int64_t bytes) noexcept {
    constexpr std::int64_t chunk = std::int64_t{1} << 30;
    const auto rest = static_cast<int>(bytes % chunk);
    if (bytes < chunk) {
      code_ = MPI_Type_contiguous(rest, MPI_BYTE, &type_);
    } else {
      MPI_Datatype whole = MPI_DATATYPE_NULL;
      code_ = MPI_Type_contiguous(static_cast<int>(chunk), MPI_BYTE, &whole);
      if (code_ == MPI_SUCCESS) {
        const int counts[] = {static_cast<int>(bytes / chunk), rest};
        const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes - rest)};
        const MPI_Datatype types[] = {whole, MPI_BYTE};
        code_ = MPI_Type_create_struct(2, counts, places, types, &type_);
        MPI_Type_free(&whole);
      }
    }
    if (code_ == MPI_SUCCESS) code_ = MPI_Type_commit(&type_);
  }
  bytes_type(const bytes_type&) = delete;
  bytes_type& operator=(const bytes_type&) = delete;
  ~bytes_type() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }

  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }
  // The type, which the caller then frees.
  [[nodiscard]] MPI_Datatype release() noexcept {
    const MPI_Datatype released = type_;
    type_ = MPI_DATATYPE_NULL;
    return released;
  }
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  int code_ = MPI_SUCCESS;
};

// Who sends how many items to whom, and where they begin in the buffers, in items.
struct item_counts {
  int* sent;
  int* sent_begin;
  int* received;
  int* received_begin;
};

// All calls return whether they succeeded; after one that did not, the others do nothing and return false.
class communicator {
 public:
  explicit communicator(MPI_Comm comm) noexcept : comm_{comm} {
    int is_initialized = 0;
    int is_between = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized == 0 || comm == MPI_COMM_NULL) {
      code_ = MPI_ERR_COMM;
      return;
    }
    take(MPI_Comm_test_inter(comm, &is_between));
    if (code_ == MPI_SUCCESS && is_between != 0) code_ = MPI_ERR_COMM;
    if (code_ == MPI_SUCCESS) take(MPI_Comm_rank(comm, &rank_));
    if (code_ == MPI_SUCCESS) take(MPI_Comm_size(comm, &ranks_));
  }

  [[nodiscard]] bool ok() const noexcept { return code_ == MPI_SUCCESS; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  // Whether messages of the other communicator reach the same ranks.
  [[nodiscard]] bool is_like(MPI_Comm other) noexcept {
    int result = MPI_UNEQUAL;
    if (other == MPI_COMM_NULL || !take(MPI_Comm_compare(comm_, other, &result))) return false;
    return result == MPI_IDENT || result == MPI_CONGRUENT;
  }

  // The least of each value on all ranks. (Not of unsigned values, which MPICH 4.0 compares as signed ones.)
  bool minimum(std::int64_t* values, int count) noexcept {
    return take(ok() ? MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MIN, comm_) : code_);
  }
  // One value of each rank, in the order of the ranks.
  bool gather(std::int64_t own, std::int64_t* all) noexcept {
    return take(ok() ? MPI_Allgather(&own, 1, MPI_INT64_T, all, 1, MPI_INT64_T, comm_) : code_);
  }
  bool broadcast(std::int64_t* values, int count, int from) noexcept {
    return take(ok() ? MPI_Bcast(values, count, MPI_INT64_T, from, comm_) : code_);
  }
  bool exchange_counts(const item_counts& counts) noexcept {
    return take(ok() ? MPI_Alltoall(counts.sent, 1, MPI_INT, counts.received, 1, MPI_INT, comm_) : code_);
  }
  // Items arrive in the order of their ranks, whenever they do. With a request they are there after wait().
  bool exchange(const void* sent, void* received, const item_counts& counts, MPI_Datatype type,
                MPI_Request* request = nullptr) noexcept {
    if (!ok()) return false;
    // Where one of the buffers is empty both may have one address, which Open MPI takes for MPI_IN_PLACE in calls with
    // a request: it then sends what the others do not receive.
    if (sent == received) sent = counts.sent;
    return take(request == nullptr ? MPI_Alltoallv(sent, counts.sent, counts.sent_begin, type, received,
                                                   counts.received, counts.received_begin, type, comm_)
                                   : MPI_Ialltoallv(sent, counts.sent, counts.sent_begin, type, received,
                                                    counts.received, counts.received_begin, type, comm_, request));
  }
  bool wait(MPI_Request& request) noexcept { return take(ok() ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code_); }

  // Notes that a call of MPI has failed.
  bool take(int code) noexcept {
    if (code != MPI_SUCCESS && code_ == MPI_SUCCESS) code_ = code;
    return code_ == MPI_SUCCESS;
  }
  // The error that a call of MPI has failed; returns false.
  STREW_COLD bool refuse_failure(const char* operation, status& error) const noexcept {
    int kind = code_;
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized != 0) MPI_Error_class(code_, &kind);
    return refuse(error, errc::communication, operation, "communicator", ": MPI failed with error class {0}", {kind});
  }

 private:
  MPI_Comm comm_;
  int code_ = MPI_SUCCESS;
  int rank_ = 0;
  int ranks_ = 1;
};

// Calls body(ranks) with a communicator, or sets the error that it is none.
template <class Body>
void with_communicator(MPI_Comm comm, const char* operation, status& error, const Body& body) {
  communicator ranks(comm);
  if (ranks.ok()) {
    body(ranks);
  } else {
    ranks.refuse_failure(operation, error);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_COMMUNICATOR_HPP
