// SPDX-License-Identifier: Apache-2.0
// strew-npy: whole runs on .npy files and members of .npz archives, stored and deflated, in both orders of axes and of
// bytes, beside the oracle; and headers and archives with some bytes changed, between guard pages: each is read as what
// it is or refused with an error of the program's own.
#include "cases.hpp"

#include "command_line.hpp"
#include "file_error.hpp"
#include "npy_header.hpp"
#include "operators.hpp"
#include "run.hpp"
#include "standard_streams.hpp"
#include "zip_archive.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// In the place of the one that writes to standard output.
void strew_npy::print(const std::string&) {}

namespace {

using namespace attack;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 0xFFU);
  return text;
}

// ---- Files

struct file_form {
  bool is_fortran = false;
  bool is_swapped = false;
};

std::string type_name(element of) {
  const char letter = of.is == kind::boolean            ? 'b'
                      : of.is == kind::signed_integer   ? 'i'
                      : of.is == kind::unsigned_integer ? 'u'
                      : of.is == kind::floating         ? 'f'
                                                        : 'c';
  return letter + std::to_string(of.size);
}

// The bytes of an element as the file has them, or back.
void copy_element(element of, bool is_swapped, const byte* from, byte* to) {
  const auto size = static_cast<std::size_t>(of.size);
  std::memcpy(to, from, size);
  if (!is_swapped) return;
  const std::size_t part = of.is == kind::complex ? size / 2 : size;
  for (std::size_t begin = 0; begin < size; begin += part) std::reverse(to + begin, to + begin + part);
}

// An operand whose axes are in the order of the file.
operand in_file_order(const operand& of, bool is_fortran) {
  operand result = of;
  if (!is_fortran) return result;
  std::reverse(result.shape.at, result.shape.at + result.shape.rank);
  std::reverse(result.strides, result.strides + result.shape.rank);
  return result;
}

std::string npy_file(draws& random, const operand& of, element type, const file_form& as) {
  std::string shape = "(";
  for (int k = 0; k < of.shape.rank; ++k) shape += std::to_string(of.shape.at[k]) + ",";
  std::string text = std::string("{'descr': '") +
                     (type.size == 1  ? '|'
                      : as.is_swapped ? '>'
                                      : '<') +
                     type_name(type) + "', 'fortran_order': " + (as.is_fortran ? "True" : "False") +
                     ", 'shape': " + shape + "), }";
  const std::int64_t version = random.between(1, 3);
  // Elements at any address, or at one that is a multiple of 64.
  const std::size_t before = version == 1 ? 10 : 12;
  if (random.one_in(4)) {
    text += std::string(static_cast<std::size_t>(random.below(16)), ' ');
  } else {
    text += std::string(63 - (before + text.size()) % 64, ' ');
  }
  text += '\n';
  std::string file = "\x93NUMPY" + number(static_cast<std::uint64_t>(version), 1) + number(0, 1) +
                     number(text.size(), version == 1 ? 2 : 4) + text;
  const std::size_t header = file.size();
  file.resize(header + static_cast<std::size_t>(of.shape.size() * type.size));
  auto* to = reinterpret_cast<byte*>(file.data() + header);
  for_each_element(in_file_order(of, as.is_fortran), [&](const std::int64_t*, const byte* from) {
    copy_element(type, as.is_swapped, from, to);
    to += type.size;
  });
  return file;
}

std::string deflated(const std::string& contents) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string result(contents.size() + contents.size() / 512 + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

struct member {
  std::string name;
  std::string contents;
};

std::string zip_file(draws& random, const std::vector<member>& members) {
  std::string file;
  std::string directory;
  for (const member& one : members) {
    const bool is_deflated = random.one_in(2);
    const std::string packed = is_deflated ? deflated(one.contents) : one.contents;
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(one.contents.data()), static_cast<uInt>(one.contents.size()));
    const std::string common = number(20, 2) + number(0, 2) + number(is_deflated ? 8 : 0, 2) + number(0, 4) +
                               number(crc, 4) + number(packed.size(), 4) + number(one.contents.size(), 4) +
                               number(one.name.size(), 2);
    // The extra field moves the elements to any address.
    const std::string extra = random.one_in(3) ? number(0x4646, 2) + number(3, 2) + std::string(3, 'x') : std::string();
    directory += "PK\x01\x02" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                 number(0, 4) + number(file.size(), 4) + one.name;
    file += "PK\x03\x04" + common + number(extra.size(), 2) + one.name + extra + packed;
  }
  const std::uint64_t begin = file.size();
  file += directory;
  return file + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) + number(members.size(), 2) +
         number(directory.size(), 4) + number(begin, 4) + number(0, 2);
}

// ---- Bytes that may be damaged, between guard pages

bool damage(draws& random, std::string& bytes) {
  if (random.one_in(3) || bytes.empty()) return false;
  for (std::int64_t k = random.between(1, 4); k > 0; --k) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())));
    bytes[at] = static_cast<char>(random.one_in(2) ? random.next() : static_cast<unsigned char>(bytes[at]) + 1U);
  }
  if (random.one_in(8)) bytes.resize(static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size()))));
  return true;
}

std::span<std::byte> place(draws& random, guarded_slot& slot, const std::string& bytes) {
  byte* const at = slot.place(bytes.size(), random.one_in(3) ? flush::front : flush::back);
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return {reinterpret_cast<std::byte*>(at), bytes.size()};
}

void check_header(draws& random, guarded_slot& slot, std::string file, std::size_t data_size) {
  set_step("a header");
  const std::size_t data_offset = file.size() - data_size;
  const bool is_damaged = damage(random, file);
  const std::span<std::byte> bytes = place(random, slot, file);
  try {
    const strew_npy::npy_header header = strew_npy::parse_npy_header(bytes);
    count_call();
    if (header.data_offset > file.size() ||
        static_cast<std::size_t>(header.layout.size()) * header.element.width != file.size() - header.data_offset) {
      fail("a header of other elements than the file has");
    }
    if (!is_damaged && header.data_offset != data_offset) fail("the elements begin elsewhere");
  } catch (const strew_npy::header_error&) {
    count_call(true);
    if (!is_damaged) fail("a legal header is refused");
  }
}

void check_archive(draws& random, guarded_slot& slot, std::string file, const std::vector<member>& members) {
  set_step("an archive");
  const bool is_damaged = damage(random, file);
  const std::span<std::byte> bytes = place(random, slot, file);
  const member& wanted = members[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(members.size())))];
  try {
    const strew_npy::zip_archive archive(bytes);
    const strew_npy::zip_member found = archive.find(wanted.name);
    std::vector<std::byte> contents(found.bytes.begin(), found.bytes.end());
    if (found.is_deflated) {
      strew_npy::check_size(found, std::size_t{1} << 24);
      contents = std::vector<std::byte>(found.size);
      strew_npy::inflate(found, contents);
    }
    strew_npy::check_crc(found, contents);
    count_call();
    // Damage that the checksum of 32 bits does not see is one in 2^32.
    const bool is_same =
        contents.size() == wanted.contents.size() &&
        (contents.empty() || std::memcmp(contents.data(), wanted.contents.data(), contents.size()) == 0);
    if (!is_same) fail("other contents");
  } catch (const strew_npy::zip_error& error) {
    count_call(true);
    if (!is_damaged) fail(std::string("a legal archive is refused: ") + error.what());
  }
}

// ---- Runs

constexpr const char* names[] = {"slice_scatter",
                                 "select_scatter",
                                 "diagonal_scatter",
                                 "onnx_tensor_scatter",
                                 "masked_scatter",
                                 "masked_fill",
                                 "scatter_update",
                                 "index_copy",
                                 "index_add",
                                 "index_reduce",
                                 "index_fill",
                                 "scatter_elements_update",
                                 "scatter_elements",
                                 "onnx_scatter",
                                 "onnx_scatter_elements",
                                 "scatter",
                                 "scatter_add",
                                 "scatter_reduce",
                                 "put_along_axis",
                                 "scatter_nd_update",
                                 "scatter_nd",
                                 "onnx_scatter_nd",
                                 "index_put",
                                 "put"};

strew::index_list list_of(const extents& from) {
  strew::index_list result;
  for (int k = 0; k < from.rank; ++k) result.push_back(from.at[k]);
  return result;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void run(std::uint64_t seed, std::uint64_t number_of_case, slots& in, const std::string& folder) {
  set_case("archives", seed, number_of_case);
  draws random(seed, number_of_case);
  drawing how;
  draw_size(random, how);
  if (how.elements > (1 << 22)) how.elements = 1 << 24;
  call_case c;
  do {
    draw_kinds(random, c);
  } while (c.of.is == kind::opaque || c.of.is == kind::brain || c.skips_nan);
  draw_case(random, in, how, c);
  // Files have no views: each element is one of its own.
  if (c.has == fault::repeated || c.how == policy::assume_valid || (c.which == op::index_put && c.index_count == 0))
    return;
  expect(c);

  // Arithmetic is native; elements that are only moved have any order of bytes.
  const bool is_moved = c.by == reduce::none && !has_indices(c.which);
  const file_form of_elements{random.one_in(3), is_moved && random.one_in(4)};
  const element of_indices{is_signed(c.index) ? kind::signed_integer : kind::unsigned_integer, size_of(c.index)};
  std::vector<member> files;
  files.push_back({"data", npy_file(random, c.data, c.of, of_elements)});
  const bool has_mask = c.which == op::masked_scatter || c.which == op::masked_fill;
  const element of_mask{kind::boolean, 1};
  for (int j = 0; j < c.index_count; ++j) {
    // Masks of a byte that is neither 0 nor 1 are legal, too.
    files.push_back({"indices" + std::to_string(j), npy_file(random, c.indices[j], has_mask ? of_mask : of_indices,
                                                             {random.one_in(3), !has_mask && random.one_in(6)})});
  }
  files.push_back({"updates", npy_file(random, c.updates, c.of, {random.one_in(3), of_elements.is_swapped})});
  const bool has_archive = random.one_in(4);
  const std::string archive = has_archive ? zip_file(random, files) : std::string();
  if (how.elements <= 4096) {
    for (int turn = 0; turn < 8; ++turn) {
      check_header(random, in.memory, files[0].contents, static_cast<std::size_t>(c.data.shape.size() * c.of.size));
      if (has_archive) check_archive(random, in.memory, archive, files);
    }
  }

  set_step("a run");
  strew_npy::command what;
  for (const strew_npy::operator_entry& entry : strew_npy::all_operators()) {
    if (std::string_view(entry.name) == names[static_cast<int>(c.which)]) what.op = &entry;
  }
  if (what.op == nullptr) fail("an operator that strew-npy lacks");
  what.axis = what.axis1 = c.axis;
  what.axis2 = c.axis2;
  what.index = what.offset = c.number;
  what.mode = c.is_circular ? strew::onnx::cache_mode::circular : strew::onnx::cache_mode::linear;
  what.reduction = static_cast<strew::reduction_kind>(c.by);
  what.without_init = !c.with_init;
  what.bad_indices = static_cast<strew::index_policy>(c.how);
  if (c.has_start) what.slice.start = list_of(c.slice_start);
  if (c.has_stop) what.slice.stop = list_of(c.slice_stop);
  if (c.has_step) what.slice.step = list_of(c.slice_step);
  if (c.has_axes) what.slice.axes = list_of(c.slice_axes);
  what.threads = 1;
  what.no_progress = true;
  what.quiet = true;
  what.in_place = random.one_in(2);
  what.output = what.in_place ? "" : folder + "out.npy";
  std::vector<std::string> paths;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const bool is_member = has_archive && (k > 0 || !what.in_place) && random.one_in(2);
    paths.push_back(folder + (is_member ? "all.npz:" : "") + files[k].name + (is_member ? "" : ".npy"));
    if (!is_member) write(paths.back(), files[k].contents);
  }
  if (has_archive) write(folder + "all.npz", archive);
  std::filesystem::remove(folder + "out.npy");
  what.data = paths.front();
  what.updates = paths.back();
  if (has_mask) {
    what.mask = paths[1];
  } else {
    what.indices.assign(paths.begin() + 1, paths.end() - 1);
  }
  std::string error;
  try {
    static_cast<void>(strew_npy::run(what));
  } catch (const strew_npy::file_error& refused) {
    error = refused.what();
  }
  count_call(!error.empty());
  if (error.empty() == c.is_error) {
    fail(std::string(what.op->name) + (c.is_error ? ": no error" : ": " + error) + ", fault " +
         std::to_string(static_cast<int>(c.has)));
  }
  for (std::size_t k = 1; k < files.size(); ++k) {
    if (paths[k].find(".npz:") == std::string::npos && read(paths[k]) != files[k].contents) fail("an input is changed");
  }
  if (!what.in_place && paths[0].find(".npz:") == std::string::npos && read(paths[0]) != files[0].contents) {
    fail("data is changed");
  }
  if (c.is_error) {
    if (std::filesystem::exists(folder + "out.npy")) fail("an output in spite of an error");
    if (what.in_place && read(paths[0]) != files[0].contents) fail("data is changed in spite of an error");
    return;
  }
  const std::string result = read(what.in_place ? paths[0] : what.output);
  const auto data_size = static_cast<std::size_t>(c.data.shape.size() * c.of.size);
  const std::size_t header = files[0].contents.size() - data_size;
  if (result.size() != files[0].contents.size() || result.compare(0, header, files[0].contents, 0, header) != 0) {
    fail("another header of the output");
  }
  // The oracle's output has its own layout.
  const auto* from = reinterpret_cast<const byte*>(result.data() + header);
  for_each_element(in_file_order(c.output, of_elements.is_fortran), [&](const std::int64_t*, const byte* at) {
    byte element[16];
    copy_element(c.of, of_elements.is_swapped, from, element);
    from += c.of.size;
    if (!are_equal(c.of, element, c.output.slot->expected(at))) {
      fail(std::string(what.op->name) + ": an element is wrong");
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const options chosen = read_options(argc, argv, 2000);
  // In memory, where the system has such a folder.
  const std::filesystem::path parent =
      std::filesystem::exists("/dev/shm") ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
  const std::filesystem::path folder = parent / ("strew-attack-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  slots in;
  for (std::uint64_t k = 0; k < chosen.cases; ++k) {
    run(chosen.seed, chosen.first + k, in, folder.string() + "/");
  }
  std::filesystem::remove_all(folder);
  return finish("archives");
}
