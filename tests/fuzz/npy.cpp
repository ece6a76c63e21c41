// SPDX-License-Identifier: Apache-2.0
// What strew-npy reads: headers of .npy files, members of .npz archives, arguments, and whole runs on such files. Files
// that are written by the rules must be read as what they are; of others, and of those with some bytes changed, every
// error is one of the program's own, nothing outside the file is read, and data stays as it was.
#include "fail.hpp"
#include "support/random_source.hpp"

#include "command_line.hpp"
#include "elements.hpp"
#include "file_error.hpp"
#include "npy_header.hpp"
#include "operators.hpp"
#include "run.hpp"
#include "standard_streams.hpp"
#include "zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// In the place of the one that writes to standard output.
void strew_npy::print(const std::string& text) {
  if (text.empty()) strew::test::fail("an empty text is printed");
}

namespace strew::test {
namespace {

using strew_npy::npy_header;
using strew_npy::zip_error;
using strew_npy::zip_member;

// Memory of exactly these bytes, so that the address sanitizer sees accesses beside them.
class exact_bytes {
 public:
  explicit exact_bytes(const std::string& text) : size_(text.size()), bytes_(new std::byte[text.size()]) {
    std::memcpy(bytes_.get(), text.data(), size_);
  }
  [[nodiscard]] std::span<std::byte> span() const { return {bytes_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

std::string draw_text(random_source& random, std::int64_t most) {
  std::string text;
  for (std::int64_t k = random.between(0, most); k > 0; --k) text += static_cast<char>(random.below(256));
  return text;
}
// Some bytes changed, and perhaps some removed at the end.
bool damage(random_source& random, std::string& bytes) {
  const std::int64_t count = random.one_in(2) ? 0 : random.between(1, 4);
  for (std::int64_t k = 0; k < count && !bytes.empty(); ++k) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())));
    bytes[at] = static_cast<char>(random.one_in(2) ? random.below(256) : bytes[at] ^ (1 << random.below(8)));
  }
  const bool is_cut = random.one_in(16);
  if (is_cut) bytes.resize(static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size()) + 1)));
  return count > 0 || is_cut;
}

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 0xFFU);
  return text;
}

// ---- Headers

const std::vector<std::string> types{"|b1", "|i1", "<i2", "<i4", ">i8", "|u1",  "<u2", ">u4",
                                     "<u8", "<f2", "<f4", ">f8", "<c8", "<c16", ">c16"};

struct written_array {
  std::string descr;
  bool is_fortran = false;
  std::vector<std::int64_t> extents;
  std::string file;
  [[nodiscard]] std::size_t width() const { return std::strtoull(descr.c_str() + 2, nullptr, 10); }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 1;
    for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
    return count * width();
  }
};

std::vector<std::int64_t> draw_extents(random_source& random) {
  std::vector<std::int64_t> extents;
  for (std::int64_t rank = random.one_in(16) ? random.below(66) : random.below(4); rank > 0; --rank) {
    extents.push_back(extents.size() > 4 ? 1 : random.one_in(16) ? 0 : random.between(1, 4));
  }
  return extents;
}
written_array write_array(random_source& random, const std::string& descr, const std::vector<std::int64_t>& extents) {
  written_array result{descr, random.one_in(4), extents, {}};
  const std::string quote = random.one_in(8) ? "\"" : "'";
  std::string shape = "(";
  for (const std::int64_t extent : extents) {
    shape += std::to_string(extent) + (&extent == &extents.back() && extents.size() > 1 ? "" : ", ");
  }
  std::vector<std::string> entries{quote + "descr" + quote + ": '" + descr + "'",
                                   "'fortran_order': " + std::string(result.is_fortran ? "True" : "False"),
                                   "'shape': " + shape + ")"};
  std::string text = "{";
  for (const std::size_t k : random.order(entries.size())) text += entries[k] + ", ";
  text += "}" + std::string(static_cast<std::size_t>(random.below(70)), ' ') + "\n";
  const std::int64_t version = random.between(1, 3);
  result.file = "\x93NUMPY" + number(static_cast<std::uint64_t>(version), 1) + number(0, 1) +
                number(text.size(), version == 1 ? 2 : 4) + text;
  const std::string contents = draw_text(random, 16) + '\1';
  for (std::size_t k = 0; k < result.size(); ++k) result.file += contents[k % contents.size()];
  return result;
}
written_array write_array(random_source& random) {
  const std::string& descr = random.pick(types);
  return write_array(random, descr, draw_extents(random));
}

std::optional<npy_header> parse(const std::string& file) {
  const exact_bytes bytes(file);
  try {
    const npy_header header = strew_npy::parse_npy_header(bytes.span());
    if (static_cast<std::size_t>(header.layout.size()) * header.element.width + header.data_offset != file.size()) {
      fail("a header that is not that of the whole file");
    }
    const std::int64_t span = header.layout.highest_offset() - header.layout.lowest_offset() + 1;
    if (!header.layout.empty() && (header.layout.lowest_offset() != 0 || span != header.layout.size())) {
      fail("a layout that is not dense");
    }
    return header;
  } catch (const strew_npy::header_error& error) {
    if (error.what()[0] == '\0') fail("an error without a text");
    return std::nullopt;
  }
}

void check_headers(random_source& random) {
  if (random.one_in(8)) {
    const std::string rest = draw_text(random, 200);
    static_cast<void>(parse(random.one_in(2) ? rest : "\x93NUMPY\1" + number(0, 1) + number(rest.size(), 2) + rest));
    return;
  }
  written_array array = write_array(random);
  const bool is_damaged = damage(random, array.file);
  const std::optional<npy_header> found = parse(array.file);
  if (is_damaged) return;
  if (array.extents.size() > 64) {
    if (found) fail("more axes than there may be");
    return;
  }
  if (!found) fail("a header by the rules is refused");
  const char order = array.descr[0];
  const std::endian expected = order == '>'   ? std::endian::big
                               : order == '<' ? std::endian::little
                                              : std::endian::native;
  if (found->element.width != array.width() || found->element.order != expected ||
      !(found->layout.extents() == index_list(array.extents))) {
    fail("another type or shape");
  }
  std::int64_t stride = 1;
  for (std::size_t k = 0; k < array.extents.size(); ++k) {
    const std::size_t axis = array.is_fortran ? k : array.extents.size() - 1 - k;
    if (array.extents[axis] > 1 && found->layout.stride(static_cast<int>(axis)) != stride) fail("another order");
    stride *= std::max<std::int64_t>(array.extents[axis], 1);
  }
}

// ---- Archives

std::string deflated(const std::string& contents) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string result(contents.size() + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

struct written_member {
  std::string name;
  std::string contents;
};

// is_honest becomes false if a number is not what it should be, in all places that have it.
std::string write_archive(random_source& random, std::vector<written_member>& members, bool& is_honest) {
  std::string file = random.one_in(8) ? draw_text(random, 8) : "";
  std::string directory;
  for (std::int64_t count = random.between(0, 3); count > 0; --count) {
    written_member member{random.pick<std::string>({"a", "b.npy", "c", ""}), {}};
    if (random.one_in(2)) {
      member.contents = draw_text(random, 40);
      member.contents.append(static_cast<std::size_t>(random.below(400)), 'x');
    } else {
      member.contents = write_array(random).file;
    }
    const bool is_deflated = random.one_in(2);
    const bool follow = random.one_in(4);
    const bool is_wide = random.one_in(4);
    const std::string packed = is_deflated ? deflated(member.contents) : member.contents;
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(member.contents.data()), static_cast<uInt>(member.contents.size()));
    std::uint64_t numbers[] = {packed.size(), member.contents.size(), file.size()};
    if (random.one_in(12)) {
      std::uint64_t& changed = numbers[random.below(3)];
      changed += static_cast<std::uint64_t>(random.one_in(4) ? random.any() : random.between(-60, 60));
      is_honest = false;
    }
    const auto [packed_size, size, offset] = numbers;
    const std::string sizes =
        is_wide ? number(0xFFFFFFFFU, 4) + number(0xFFFFFFFFU, 4) : number(packed_size, 4) + number(size, 4);
    const std::string extra = is_wide ? number(1, 2) + number(16, 2) + number(size, 8) + number(packed_size, 8) : "";
    const std::string flags_and_method = number(follow ? 8 : 0, 2) + number(is_deflated ? 8 : 0, 2) + number(0, 4);
    const std::string lengths = number(member.name.size(), 2) + number(extra.size(), 2);
    directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + flags_and_method + number(crc, 4) + sizes + lengths +
                 number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(offset, 4) + member.name + extra;
    file += "PK\x03\x04" + number(20, 2) + flags_and_method + number(crc, 4) + sizes + lengths + member.name + extra +
            packed;
    if (follow) {
      const int bytes = is_wide ? 8 : 4;
      file += std::string(random.one_in(2) ? "PK\x07\x08" : "") + number(crc, 4) + number(packed_size, bytes) +
              number(size, bytes);
    }
    members.push_back(member);
  }
  const std::uint64_t begin = file.size();
  file += directory;
  const bool is_wide = random.one_in(4);
  if (is_wide) {
    const std::uint64_t at = file.size();
    file += "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 4) + number(0, 4) +
            number(members.size(), 8) + number(members.size(), 8) + number(directory.size(), 8) + number(begin, 8);
    file += "PK\x06\x07" + number(0, 4) + number(at, 8) + number(1, 4);
  }
  file += "PK\x05\x06" + number(0, 4) + number(members.size(), 2) + number(members.size(), 2) +
          number(is_wide ? 0xFFFFFFFFU : directory.size(), 4) + number(is_wide ? 0xFFFFFFFFU : begin, 4);
  const std::string comment = random.one_in(4) ? std::string(static_cast<std::size_t>(random.below(9)), 'c') : "";
  return file + number(comment.size(), 2) + comment;
}

void check_archives(random_source& random) {
  std::vector<written_member> members;
  bool is_honest = true;
  std::string file = random.one_in(16) ? draw_text(random, 200) : write_archive(random, members, is_honest);
  const bool is_damaged = damage(random, file) || !is_honest;
  const std::string name = members.empty() ? "a" : random.pick(members).name;
  const exact_bytes bytes(file);
  try {
    const strew_npy::zip_archive archive(bytes.span());
    const zip_member found = archive.find(name);
    const std::byte* const begin = bytes.span().data();
    if (found.bytes.data() < begin || found.bytes.data() + found.bytes.size() > begin + file.size()) {
      fail("a member that is outside its archive");
    }
    std::vector<std::byte> contents(found.bytes.begin(), found.bytes.end());
    if (found.is_deflated) {
      strew_npy::check_size(found, 1 << 16);
      contents = std::vector<std::byte>(found.size);
      strew_npy::inflate(found, contents);
    } else {
      strew_npy::check_crc(found, contents);
    }
    const auto crc = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(contents.data()),
                           static_cast<uInt>(contents.size()));
    if (crc != found.crc || contents.size() != found.size) fail("damaged contents");
    if (is_damaged) return;
    const bool is_right = std::any_of(members.begin(), members.end(), [&](const written_member& each) {
      return (each.name == name || each.name == name + ".npy") && each.contents.size() == contents.size() &&
             std::equal(contents.begin(), contents.end(), each.contents.begin(),
                        [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
    });
    if (!is_right) fail("other contents");
  } catch (const zip_error& error) {
    if (error.what()[0] == '\0') fail("an error without a text");
    const auto count =
        std::count_if(members.begin(), members.end(), [&](const written_member& each) { return each.name == name; });
    if (!is_damaged && count == 1) fail(std::string("an archive by the rules is refused: ") + error.what());
  }
}

// ---- Arguments and runs

// A folder of its own, removed at the end.
class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "strew-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::optional<strew_npy::command> parse(const std::vector<std::string>& words) {
  try {
    return strew_npy::parse_command_line(words);
  } catch (const strew_npy::usage_error& error) {
    if (error.what()[0] == '\0') fail("an error without a text");
    return std::nullopt;
  }
}

const std::vector<std::string> options{"--axis",        "--axis=1",        "--axis=-1",   "--start",   "--stop",
                                       "--step",        "--axes",          "--index",     "--offset",  "--axis1",
                                       "--axis2",       "--reduction",     "--alpha",     "--mode",    "--value",
                                       "--value=1",     "--bad-indices",   "--threads=1", "--quiet",   "--without-init",
                                       "--no-progress", "--inflate-limit", "--help",      "--version", "--"};
const std::vector<std::string> values{"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "0,1",
                                      "1,-1",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "sum",
                                      "mean",
                                      "drop",
                                      "clip",
                                      "wrap",
                                      "circular",
                                      "1e400",
                                      "nan",
                                      "1,2",
                                      "true",
                                      "",
                                      "-",
                                      "99999999999999999999"};

std::string draw_operator(random_source& random) {
  const auto all = strew_npy::all_operators();
  return all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())))].name;
}
void append_options(random_source& random, std::vector<std::string>& words) {
  for (std::int64_t count = random.below(4); count > 0; --count) {
    words.push_back(random.pick(options));
    if (words.back().find('=') == std::string::npos || random.one_in(8)) words.push_back(random.pick(values));
  }
}

void check_arguments(random_source& random) {
  std::vector<std::string> words{"strew-npy"};
  if (!random.one_in(8)) words.push_back(draw_operator(random));
  append_options(random, words);
  for (std::int64_t count = random.below(6); count > 0; --count) {
    std::string word = random.one_in(2) ? "file" : draw_text(random, 8);
    word.erase(std::remove(word.begin(), word.end(), '\0'), word.end());
    words.push_back(random.one_in(4) ? random.pick(options) + word : word);
  }
  if (random.one_in(2)) words.push_back("--in-place");
  static_cast<void>(parse(words));
  const std::string& type = random.pick(types);
  const npy_header header = *parse(write_array(random, type, {}).file);
  const std::string text = random.one_in(2) ? random.pick(values) : draw_text(random, 12);
  const auto element = strew_npy::parse_element(text, header.element);
  if (element && element->size() != header.element.width) fail("an element of another size");
}

// Runs a command; whether it succeeded.
bool succeeds(const strew_npy::command& what) {
  try {
    static_cast<void>(strew_npy::run(what));
    return true;
  } catch (const strew_npy::file_error& error) {
    if (error.what()[0] == '\0') fail("an error without a text");
    return false;
  }
}

void check_runs(random_source& random) {
  static const folder in;
  const std::string type = random.pick(types);
  const std::vector<std::int64_t> extents = draw_extents(random);
  std::vector<std::int64_t> of_indices = random.one_in(2) ? extents : draw_extents(random);
  std::vector<std::int64_t> of_updates = random.one_in(2) ? of_indices : extents;
  if (random.one_in(4) && !of_updates.empty()) of_updates.erase(of_updates.begin());
  std::string data = write_array(random, type, extents).file;
  const std::string index_type = random.pick<std::string>({"<i8", ">i4", "|u1", "|i1", "|b1"});
  written_array indices = write_array(random, index_type, of_indices);
  if (!random.one_in(4)) {  // legal, many of them
    std::fill(indices.file.end() - static_cast<std::ptrdiff_t>(indices.size()), indices.file.end(),
              static_cast<char>(random.below(2)));
    if (indices.descr == "<i8" || indices.descr == ">i4") {
      std::fill(indices.file.end() - static_cast<std::ptrdiff_t>(indices.size()), indices.file.end(), '\0');
    }
  }
  const std::string type_of_updates = random.one_in(8) ? random.pick(types) : type;
  std::string updates = write_array(random, type_of_updates, of_updates).file;
  for (std::string* const file : {&data, &indices.file, &updates}) {
    if (random.one_in(8)) damage(random, *file);
  }
  write(in / "data.npy", data);
  write(in / "indices.npy", indices.file);
  write(in / "updates.npy", updates);
  std::vector<written_member> members;
  const bool has_archive = random.one_in(4);
  bool is_honest = true;
  if (has_archive) write(in / "all.npz", write_archive(random, members, is_honest));
  std::filesystem::remove(in / "out.npy");

  std::vector<std::string> words{"strew-npy", draw_operator(random)};
  append_options(random, words);
  words.push_back(in / "data.npy");
  const std::int64_t operands = random.between(1, 3);
  if (operands > 1)
    words.push_back(has_archive && !members.empty() ? in / ("all.npz:" + members[0].name) : in / "indices.npy");
  if (operands > 2 || random.one_in(2)) words.push_back(in / "updates.npy");
  words.push_back("--threads=1");
  const bool in_place = random.one_in(2);
  if (in_place) {
    words.push_back("--in-place");
  } else {
    words.insert(words.end(), {"-o", in / "out.npy"});
  }
  std::optional<strew_npy::command> command = parse(words);
  if (!command) return;
  strew_npy::command rehearsal = *command;
  rehearsal.dry_run = !rehearsal.check;
  const bool is_legal = succeeds(rehearsal);
  if (read(in / "data.npy") != data || std::filesystem::exists(in / "out.npy")) fail("a rehearsal writes");
  const bool has_run = succeeds(*command);
  if (is_legal != has_run && !command->check && !command->dry_run) fail("a run ends as no rehearsal does");
  const std::string result = read(in / (in_place ? "data.npy" : "out.npy"));
  if (!has_run || !in_place) {
    if (read(in / "data.npy") != data) fail("data is changed");
  }
  if (!has_run && std::filesystem::exists(in / "out.npy")) fail("an output in spite of an error");
  if (has_run && !command->check && !command->dry_run) {
    const std::size_t header = parse(data)->data_offset;
    if (result.size() != data.size() || result.substr(0, header) != data.substr(0, header)) fail("another header");
  }
  if (read(in / "updates.npy") != updates || read(in / "indices.npy") != indices.file) fail("an input is changed");
}

}  // namespace
}  // namespace strew::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace strew::test;
  random_source random(std::span(bytes, size));
  switch (random.below(32)) {  // arguments take a hundred times as long as headers
    case 0:
      check_arguments(random);
      break;
    case 1:
      check_runs(random);
      break;
    default:
      if (random.one_in(2)) {
        check_archives(random);
      } else {
        check_headers(random);
      }
      break;
  }
  return 0;
}
