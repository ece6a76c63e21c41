// SPDX-License-Identifier: Apache-2.0
// A histogram of files that all ranks read: each rank reads its share of the bytes of every file and adds one to the
// bin of each byte. The bins are divided among the ranks, too. One value in the place of updates is not sent: only bins
// are.
#include "every_rank.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using strew::mpi::distributed_tensor_view;
using strew::mpi::distribution;

constexpr std::int64_t bins = 256;

std::string text_of_file(int number) {
  std::string text;
  for (int k = 0; k < 5000 + 700 * number; ++k) text.push_back(static_cast<char>('a' + (k * k + number) % 26));
  return text;
}

int run(const rank_of_all& all_ranks) {
  const auto& [rank, ranks] = all_ranks;

  // Three files, which rank 0 writes.
  const std::filesystem::path directory = std::filesystem::temp_directory_path() / "strew_file_histogram";
  std::vector<std::int64_t> expected(bins, 0);
  if (rank == 0) std::filesystem::create_directories(directory);
  for (int number = 0; number < 3; ++number) {
    const std::string text = text_of_file(number);
    for (const char letter : text) expected[static_cast<unsigned char>(letter)] += 1;
    if (rank == 0) std::ofstream(directory / std::to_string(number), std::ios::binary) << text;
  }
  MPI_Barrier(MPI_COMM_WORLD);

  const auto of_bins = distribution::block(bins, ranks);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(of_bins.local_extent(rank)), 0);
  const distributed_tensor_view histogram{strew::tensor_view{counts.data(), {of_bins.local_extent(rank)}}, 0, of_bins,
                                          MPI_COMM_WORLD};
  strew::heap_workspace memory;
  for (int number = 0; number < 3; ++number) {
    const std::filesystem::path path = directory / std::to_string(number);
    const auto of_bytes = distribution::block(static_cast<std::int64_t>(std::filesystem::file_size(path)), ranks);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(of_bytes.local_extent(rank)));
    std::ifstream file(path, std::ios::binary);
    file.seekg(bytes.empty() ? 0 : of_bytes.global_index(rank, 0));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const distributed_tensor_view at{strew::tensor_view{bytes.data(), {of_bytes.local_extent(rank)}}, 0, of_bytes,
                                     MPI_COMM_WORLD};
    strew::mpi::index_add(memory, histogram, 0, at, 1);  // histogram[at[i]] += 1
  }

  bool is_equal = true;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto bin = static_cast<std::size_t>(of_bins.global_index(rank, static_cast<std::int64_t>(k)));
    if (counts[k] != expected[bin]) is_equal = false;
  }
  const int status = all_ranks.finish("3 files", is_equal);
  if (rank == 0) std::filesystem::remove_all(directory);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const example_help help{"Counts the bytes of three files on all ranks of MPI, among which the bins are divided."};
  return run_on_every_rank(argc, argv, help, run);
}
