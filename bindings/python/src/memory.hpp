// SPDX-License-Identifier: Apache-2.0
// Memory that a call or a binding allocates.
#ifndef STREW_PYTHON_MEMORY_HPP
#define STREW_PYTHON_MEMORY_HPP

#include "errors.hpp"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>

namespace strew_python {

// The bytes of some elements. Raises if they are more than memory can have.
inline std::size_t bytes_of(const operand_name& name, std::int64_t count, std::int64_t size) {
  constexpr std::int64_t most = (std::numeric_limits<std::ptrdiff_t>::max)();
  if (count > most / size) {
    raise(strew::errc::size_overflow, name, " has " + std::to_string(count) + " elements, too many to be copied");
  }
  return static_cast<std::size_t>(count * size);
}

// Memory aligned for 64-bit integers, which is not initialised. Raises MemoryError if there is none.
using byte_memory = std::unique_ptr<std::byte[]>;
inline byte_memory allocate(std::size_t bytes) {
  byte_memory made(new (std::nothrow) std::byte[bytes + 1]);
  if (!made) {
    PyErr_NoMemory();
    throw nanobind::python_error();
  }
  return made;
}

}  // namespace strew_python

#endif  // STREW_PYTHON_MEMORY_HPP
