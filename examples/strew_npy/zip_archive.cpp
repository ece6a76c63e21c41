// SPDX-License-Identifier: Apache-2.0
// A strict reader of archives. Libraries read members through their own buffers: none returns the position of a stored
// member, so that it can be mapped, and none detects members that overlap. Inflating is done by zlib.
#include "zip_archive.hpp"

#include "shown_name.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

namespace strew_npy {
namespace {

// The sizes of headers without names and comments, and their signatures.
constexpr std::uint64_t local_size = 30;
constexpr std::uint64_t central_size = 46;
constexpr std::uint64_t end_size = 22;
constexpr std::uint64_t end64_size = 56;
constexpr std::uint64_t locator64_size = 20;
constexpr std::string_view local_begin = "PK\x03\x04";
constexpr std::string_view descriptor_begin = "PK\x07\x08";
constexpr std::string_view central_begin = "PK\x01\x02";
constexpr std::string_view end_begin = "PK\x05\x06";
constexpr std::string_view end64_begin = "PK\x06\x06";
constexpr std::string_view locator64_begin = "PK\x06\x07";

constexpr unsigned encrypted = 1;
constexpr unsigned sizes_follow = 1 << 3;
constexpr unsigned strongly_encrypted = 1 << 6;
constexpr unsigned masked_headers = 1 << 13;
constexpr unsigned stored = 0;
constexpr unsigned deflated = 8;

[[noreturn]] void fail(const std::string& reason) {
  throw zip_error(reason);
}

// A little-endian number at an offset, which must be inside.
template <class Number>
Number number_at(std::string_view bytes, std::uint64_t at) {
  std::uint64_t value = 0;
  for (std::size_t k = sizeof(Number); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return static_cast<Number>(value);
}
std::uint16_t u16(std::string_view bytes, std::uint64_t at) {
  return number_at<std::uint16_t>(bytes, at);
}
std::uint32_t u32(std::string_view bytes, std::uint64_t at) {
  return number_at<std::uint32_t>(bytes, at);
}
std::uint64_t u64(std::string_view bytes, std::uint64_t at) {
  return number_at<std::uint64_t>(bytes, at);
}

constexpr std::uint32_t in_zip64 = 0xFFFF'FFFF;
constexpr std::uint16_t count_in_zip64 = 0xFFFF;

// Reads the 64-bit numbers of an extra field: in order, those that are 0xFFFFFFFF in the header.
class zip64_reader {
 public:
  explicit zip64_reader(std::string_view extra) {
    while (extra.size() >= 4) {
      const std::size_t size = u16(extra, 2);
      if (size > extra.size() - 4) fail("has an extra field that ends outside its header");
      if (u16(extra, 0) == 1) {
        if (is_there_) fail("has two zip64 fields");
        field_ = extra.substr(4, size);
        is_there_ = true;
      }
      extra.remove_prefix(4 + size);
    }
  }

  std::uint64_t widen(std::uint32_t number) {
    if (number != in_zip64) return number;
    if (field_.size() < 8) fail("has no zip64 field for what does not fit in 32 bits");
    const std::uint64_t wide = u64(field_, 0);
    field_.remove_prefix(8);
    return wide;
  }

 private:
  std::string_view field_;
  bool is_there_ = false;
};

// The fields of the end record, or of its zip64 form, about the central directory.
struct end_record {
  std::uint64_t disks;
  std::uint64_t count;
  std::uint64_t size;
  std::uint64_t begin;
};

// The offset of the end record. It is followed by a comment and the end of the file.
std::uint64_t end_record_of(std::string_view file) {
  constexpr std::uint64_t longest_comment = 0xFFFF;
  for (std::uint64_t comment = 0; comment <= longest_comment && comment + end_size <= file.size(); ++comment) {
    const std::uint64_t at = file.size() - end_size - comment;
    if (file.substr(at).starts_with(end_begin) && u16(file, at + 20) == comment) return at;
  }
  fail("is not a whole .npz archive: its central directory has no end");
}

end_record read_end(std::string_view file, std::uint64_t at) {
  return {u16(file, at + 4) | std::uint64_t{u16(file, at + 6)}, u16(file, at + 10), u32(file, at + 12),
          u32(file, at + 16)};
}

end_record read_end64(std::string_view file, std::uint64_t at) {
  return {u32(file, at + 16) | std::uint64_t{u32(file, at + 20)}, u64(file, at + 32), u64(file, at + 40),
          u64(file, at + 48)};
}

// Whether each field of `narrow` is that of `wide`, or refers to it.
bool agree(const end_record& narrow, const end_record& wide) noexcept {
  const auto same = [](std::uint64_t number, std::uint64_t wide_number, std::uint64_t in_wide) {
    return number == in_wide || number == wide_number;
  };
  return same(narrow.count, wide.count, count_in_zip64) && same(narrow.size, wide.size, in_zip64) &&
         same(narrow.begin, wide.begin, in_zip64);
}

// Shortens a long name, at a character boundary.
std::string shown_in_list(std::string_view name) {
  constexpr std::size_t longest = 60;
  if (name.size() <= longest) return shown(name);
  std::size_t size = longest;
  while (size > longest - 3 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80) --size;
  return shown(name.substr(0, size)) + "...";
}

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// zlib's counts have 32 bits.
std::uint32_t piece_of(std::size_t size) noexcept {
  return static_cast<std::uint32_t>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

// A raw inflating stream of zlib, as in archives.
class inflater {
 public:
  inflater() {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) fail("not enough memory to inflate it");
  }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { inflateEnd(&stream_); }

  // Inflates until the stream, `from` or `to` ends; returns the bytes left in `to`. Throws zip_error.
  std::size_t run(std::string_view& from, std::byte* to, std::size_t room) {
    std::byte none{};
    if (to == nullptr) to = &none;  // zlib refuses a null address even for no bytes
    int code = Z_OK;
    while (code == Z_OK) {
      const std::uint32_t input = piece_of(from.size());
      const std::uint32_t output = piece_of(room);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
      stream_.avail_in = input;
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = output;
      code = ::inflate(&stream_, Z_NO_FLUSH);
      from.remove_prefix(input - stream_.avail_in);
      to += output - stream_.avail_out;
      room -= output - stream_.avail_out;
    }
    if (code == Z_MEM_ERROR) fail("not enough memory to inflate it");
    if (code != Z_STREAM_END && code != Z_BUF_ERROR) fail("its compressed bytes are damaged");
    has_ended_ = code == Z_STREAM_END;
    return room;
  }
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }

 private:
  z_stream stream_ = {};
  bool has_ended_ = false;
};

}  // namespace

// A member, by the central directory and its local header, which agree.
struct zip_archive::entry {
  std::uint64_t record;  // in the central directory
  std::string_view name;
  unsigned flags;
  unsigned method;
  std::uint32_t crc;
  std::uint64_t packed_size;
  std::uint64_t size;
  std::uint64_t begin;  // of its local header
  std::uint64_t contents;
  std::uint64_t end;  // of its contents and, where there is one, its data descriptor
};

bool looks_like_zip(std::span<const std::byte> file) noexcept {
  const std::string_view text = as_text(file);
  return text.starts_with(local_begin) || text.starts_with(end_begin);
}

zip_archive::zip_archive(std::span<std::byte> file) : file_(file), text_(as_text(file)), directory_(locate(text_)) {
  check_members();
}

zip_archive::directory zip_archive::locate(std::string_view file) {
  std::uint64_t end = end_record_of(file);
  end_record found = read_end(file, end);
  if (end >= locator64_size && file.substr(end - locator64_size).starts_with(locator64_begin)) {
    const std::uint64_t at = u64(file, end - locator64_size + 8);
    end -= locator64_size;
    if (at > end || end - at < end64_size || !file.substr(at).starts_with(end64_begin) ||
        u64(file, at + 4) != end - at - 12) {
      fail("is a damaged archive: its zip64 record is not where it should be");
    }
    end = at;
    const end_record wide = read_end64(file, end);
    // Readers differ in when they use this record; all must find the same directory.
    if (!agree(found, wide)) fail("is a damaged archive: its zip64 record names another central directory");
    found = wide;
  }
  if (found.disks != 0) fail("is an archive in several files, of which this is one");
  if (found.begin > end || end - found.begin != found.size || found.count > found.size / central_size) {
    fail("is a damaged archive: its central directory is not where it should be");
  }
  return {found.begin, end, found.count};
}

zip_archive::entry zip_archive::read_entry(std::uint64_t& at) const {
  const auto damaged = [] { fail("is a damaged archive: an entry of its central directory is malformed"); };
  if (directory_.end - at < central_size || !text_.substr(at).starts_with(central_begin)) damaged();
  const std::uint64_t name_size = u16(text_, at + 28);
  const std::uint64_t extra_size = u16(text_, at + 30);
  const std::uint64_t size = central_size + name_size + extra_size + u16(text_, at + 32);
  if (size > directory_.end - at) damaged();
  entry found{};
  found.record = at;
  found.name = text_.substr(at + central_size, name_size);
  try {
    read_numbers(found, text_.substr(at + central_size + name_size, extra_size));
    read_local_header(found);
  } catch (const zip_error& error) {
    fail("is a damaged archive: member " + shown_in_list(found.name) + ' ' + error.what());
  }
  at += size;
  return found;
}

// Reads the numbers of an entry from the central directory.
void zip_archive::read_numbers(entry& of, std::string_view extra) const {
  zip64_reader wide(extra);
  of.flags = u16(text_, of.record + 8);
  of.method = u16(text_, of.record + 10);
  of.crc = u32(text_, of.record + 16);
  of.size = wide.widen(u32(text_, of.record + 24));
  of.packed_size = wide.widen(u32(text_, of.record + 20));
  of.begin = wide.widen(u32(text_, of.record + 42));
}

// Finds the beginning of the contents: the extra field may differ from that in the central directory.
void zip_archive::read_local_header(entry& of) const {
  const std::uint64_t room = directory_.begin;
  if (of.begin > room || room - of.begin < local_size) fail("ends outside it");
  const std::string_view header = text_.substr(of.begin, local_size);
  if (!header.starts_with(local_begin)) fail("has no local header");
  const std::uint64_t name_size = u16(header, 26);
  const std::uint64_t extra_size = u16(header, 28);
  of.contents = of.begin + local_size + name_size + extra_size;
  if (of.contents > room || of.packed_size > room - of.contents) fail("ends outside it");
  of.end = of.contents + of.packed_size;

  const bool follow = (of.flags & sizes_follow) != 0;
  // Numbers that follow in a data descriptor may be in the header too.
  const auto agree = [follow](std::uint64_t local, std::uint64_t central) {
    return local == central || (follow && local == 0);
  };
  zip64_reader wide(text_.substr(of.contents - extra_size, extra_size));
  const std::uint64_t size = wide.widen(u32(header, 22));
  const std::uint64_t packed_size = wide.widen(u32(header, 18));
  if (text_.substr(of.begin + local_size, name_size) != of.name || u16(header, 8) != of.method ||
      ((u16(header, 6) ^ of.flags) & (encrypted | sizes_follow)) != 0 || !agree(size, of.size) ||
      !agree(packed_size, of.packed_size) || !agree(u32(header, 14), of.crc)) {
    fail("has a local header that disagrees with the central directory");
  }
  // Otherwise readers that use one size would find another end than those that use the other.
  if (of.method == stored && (of.flags & encrypted) == 0 && of.size != of.packed_size) {
    fail("is stored in " + std::to_string(of.packed_size) + " bytes, but declares " + std::to_string(of.size));
  }
  if (follow) of.end += descriptor_size(of);
}

// The sizes in the data descriptor have 64 or 32 bits, and a signature may precede it; the format does not tell these
// apart. So it is the longest form that agrees with the central directory.
std::uint64_t zip_archive::descriptor_size(const entry& of) const {
  const std::string_view rest = text_.substr(of.end, directory_.begin - of.end);
  for (const bool is_wide : {true, false}) {
    for (const std::string_view signature : {descriptor_begin, std::string_view()}) {
      const std::uint64_t size = signature.size() + (is_wide ? 20 : 12);
      if (rest.size() < size || !rest.starts_with(signature)) continue;
      const std::string_view numbers = rest.substr(signature.size());
      if (u32(numbers, 0) == of.crc && of.packed_size == (is_wide ? u64(numbers, 4) : u32(numbers, 4)) &&
          of.size == (is_wide ? u64(numbers, 12) : u32(numbers, 8))) {
        return size;
      }
    }
  }
  fail("has no data descriptor that agrees with the central directory");
}

template <class Body>
void zip_archive::for_each_entry(const Body& body) const {
  std::uint64_t at = directory_.begin;
  for (std::uint64_t k = 0; k < directory_.count; ++k) body(read_entry(at));
}

void zip_archive::check_members() const {
  // If the members read so far have more bytes than the archive, two of them overlap, and no more are read. This many
  // entries for one long header do not take long.
  const std::uint64_t room = directory_.begin;
  std::uint64_t taken = 0;
  std::uint64_t count = 0;
  std::uint64_t at = directory_.begin;
  bool follow_each_other = true;
  for (entry before{}; count < directory_.count && taken <= room; ++count) {
    const entry one = read_entry(at);
    taken += one.end - one.begin;
    follow_each_other = follow_each_other && one.begin >= before.end;
    before = one;
  }
  if (!follow_each_other) check_disjoint(count);
  if (at != directory_.end) fail("is a damaged archive: its central directory has more than its entries");
}

// Checks the first `count` members. Sorted by their beginnings, if any overlap then some neighbours do.
void zip_archive::check_disjoint(std::uint64_t count) const {
  struct place {
    std::uint64_t begin;
    std::uint64_t record;
  };
  std::vector<place> places;
  try {
    places.reserve(count);
  } catch (const std::bad_alloc&) {
    fail("not enough memory to see whether the " + std::to_string(count) + " members of its archive overlap");
  }
  std::uint64_t at = directory_.begin;
  while (places.size() < count) {
    const entry one = read_entry(at);
    places.push_back({one.begin, one.record});
  }
  std::sort(places.begin(), places.end(), [](const place& a, const place& b) { return a.begin < b.begin; });
  entry before{};
  for (place next : places) {
    const entry one = read_entry(next.record);
    if (one.begin < before.end) {
      fail("is a damaged archive: member " + shown_in_list(one.name) + " overlaps member " +
           shown_in_list(before.name));
    }
    before = one;
  }
}

// "a, b, c and 7 more".
std::string zip_archive::names() const {
  constexpr std::uint64_t most = 12;
  std::string text;
  std::uint64_t at = directory_.begin;
  for (std::uint64_t k = 0; k < std::min(most, directory_.count); ++k) {
    text += (k == 0 ? "" : ", ") + shown_in_list(read_entry(at).name);
  }
  if (directory_.count > most) text += " and " + std::to_string(directory_.count - most) + " more";
  return text.empty() ? "nothing" : text;
}

zip_member zip_archive::find(std::string_view name) const {
  entry found{};
  std::uint64_t count = 0;
  for (const std::string& wanted : {std::string(name), std::string(name) + ".npy"}) {
    for_each_entry([&](const entry& one) {
      if (one.name != wanted) return;
      found = one;
      ++count;
    });
    if (count > 0) break;
  }
  if (count == 0) fail("is not in the archive, which holds " + names());
  if (count > 1) fail("is in the archive " + std::to_string(count) + " times");
  return open(found);
}

zip_member zip_archive::open(const entry& of) const {
  if ((of.flags & (encrypted | strongly_encrypted | masked_headers)) != 0) fail("is encrypted");
  if (of.method != stored && of.method != deflated) {
    fail("is compressed by method " + std::to_string(of.method) + "; stored and deflated members are read");
  }
  return {file_.subspan(of.contents, of.packed_size), of.size, of.crc, of.method == deflated};
}

void check_crc(const zip_member& member, std::span<const std::byte> contents) {
  uLong crc = crc32(0, nullptr, 0);
  while (!contents.empty()) {
    const std::uint32_t piece = piece_of(contents.size());
    crc = crc32(crc, reinterpret_cast<const Bytef*>(contents.data()), piece);
    contents = contents.subspan(piece);
  }
  if (crc != member.crc) fail("is damaged: its checksum (CRC-32) is another one than its archive says");
}

void check_size(const zip_member& member, std::size_t limit) {
  // Deflate expands 2 bits to at most 258 bytes.
  constexpr std::size_t most_a_byte = 1032;
  const std::string declared = std::to_string(member.size) + " bytes";
  if (member.size / most_a_byte > member.bytes.size()) {
    fail("declares " + declared + ", more than its " + std::to_string(member.bytes.size()) + " bytes can hold");
  }
  if (member.size > limit) {
    fail("takes " + declared + " of memory to inflate, more than the limit of " + std::to_string(limit) +
         " (see --inflate-limit)");
  }
}

void inflate(const zip_member& member, std::span<std::byte> contents) {
  const std::string declared = std::to_string(member.size) + " bytes";
  inflater stream;
  std::string_view from = as_text(member.bytes);
  const std::size_t missing = stream.run(from, contents.data(), contents.size());
  if (missing > 0) fail("is damaged: it inflates to fewer bytes than the " + declared + " it declares");
  std::byte more{};
  if (!stream.has_ended() && (stream.run(from, &more, 1) == 0 || !stream.has_ended())) {
    fail("is damaged: it inflates to more than the " + declared + " it declares, or does not end");
  }
  if (!from.empty()) fail("is damaged: its compressed bytes go on after their end");
  check_crc(member, contents);
}

}  // namespace strew_npy
