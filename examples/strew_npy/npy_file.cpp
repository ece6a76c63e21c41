// SPDX-License-Identifier: Apache-2.0
// Opens a mapped file, or a member of it, and reads its header.
#include "npy_file.hpp"

#include "file_error.hpp"
#if STREW_NPY_READS_ARCHIVES
#include "zip_archive.hpp"
#endif

#include <string_view>

namespace strew_npy {
namespace {

npy_header header_of(const std::string& name, std::span<const std::byte> bytes) {
  try {
    return parse_npy_header(bytes);
  } catch (const header_error& error) {
    throw file_error(name, error.what());
  }
}

const std::string& check_mode(const std::string& name, access mode) {
  if (mode != access::read && array_name(name).is_member()) {
    throw file_error(name, "is in an archive, which is not changed in place: write to a .npy file, with -o");
  }
  return name;
}

}  // namespace

array_name::array_name(const std::string& text) : file(text) {
  constexpr std::string_view separator = ".npz:";
  const std::size_t at = text.find(separator);
  if (at == std::string::npos || at + separator.size() == text.size()) return;
  file = text.substr(0, at + separator.size() - 1);
  member = text.substr(at + separator.size());
}

npy_file::npy_file(const std::string& name, access mode, std::size_t inflate_limit)
    : name_(check_mode(name, mode)),
      file_(array_name(name).file, mode),
      bytes_(open_member(array_name(name).member, inflate_limit)),
      header_(header_of(name_, bytes_)) {}

#if STREW_NPY_READS_ARCHIVES

std::span<std::byte> npy_file::open_member(const std::string& member, std::size_t inflate_limit) {
  const std::span<std::byte> file = file_.bytes();
  if (member.empty()) {
    if (looks_like_zip(file)) throw file_error(name_, "is an archive: name a member of it, as in a.npz:member");
    return file;
  }
  try {
    const zip_member found = zip_archive(file).find(member);
    if (found.is_deflated) {
      check_size(found, inflate_limit);
      inflated_ = private_memory(found.size);
      if (inflated_.bytes().size() != found.size) throw file_error(name_, "not enough memory to inflate it");
      inflate(found, inflated_.bytes());
      inflated_.make_read_only();
      return inflated_.bytes();
    }
    check_crc(found, found.bytes);
    return found.bytes;
  } catch (const zip_error& error) {
    throw file_error(name_, error.what());
  }
}

#else

std::span<std::byte> npy_file::open_member(const std::string& member, std::size_t) {
  if (!member.empty()) throw file_error(name_, "this strew-npy was built without zlib and reads no archives");
  return file_.bytes();
}

#endif

}  // namespace strew_npy
