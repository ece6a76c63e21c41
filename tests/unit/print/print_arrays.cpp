// SPDX-License-Identifier: Apache-2.0
// Prints arrays that compare_with_numpy.py describes on the standard input, each as a typed view and as a tensor whose
// type is known at run time only. What the two write must be the same.
//
//   <type> <rank> <extents> <strides> <offset> <bytes> <precision> <threshold> <edge items> <line width>
//   <suppress>\n<bytes>
//
// Strides and the offset of coordinate 0 count elements. The answer is the length of the text, a newline and the text.
#include <strew/dynamic.hpp>
#include <strew/print.hpp>
#include <strew/view/tensor_view.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace {

using strew::dynamic::element_kind;
using strew::dynamic::element_type;

struct array {
  std::vector<std::byte> memory;  // as aligned as any element
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  strew::print_options options;
};

std::string print_dynamic(const array& given, const element_type& type) {
  const std::byte* const first = given.memory.data() + given.offset * type.size;
  return strew::dynamic::to_string(strew::dynamic::const_tensor{first, type, given.extents, given.strides},
                                   given.options);
}

template <class T>
std::string print_typed(const array& given, element_kind kind) {
  const T* const first = reinterpret_cast<const T*>(given.memory.data()) + given.offset;
  const strew::tensor_view<const T> view{first, given.extents, given.strides};
  std::string text = strew::to_string(view, given.options);
  if (text != print_dynamic(given, {kind, sizeof(T)})) {
    std::cerr << "the tensor whose type is known at run time is printed in another way:\n" << text << '\n';
    std::exit(1);
  }
  if constexpr (strew::index_integer<T>) {
    const strew::dynamic::index_tensor indices{view};
    if (strew::dynamic::to_string(indices, given.options) != text) {
      std::cerr << "the index tensor is printed in another way:\n" << text << '\n';
      std::exit(1);
    }
  }
  return text;
}

std::string print(const std::string& type, const array& given) {
  using enum element_kind;
  if (type == "bool") return print_typed<bool>(given, boolean);
  if (type == "int8") return print_typed<std::int8_t>(given, signed_integer);
  if (type == "int16") return print_typed<std::int16_t>(given, signed_integer);
  if (type == "int32") return print_typed<std::int32_t>(given, signed_integer);
  if (type == "int64") return print_typed<std::int64_t>(given, signed_integer);
  if (type == "uint8") return print_typed<std::uint8_t>(given, unsigned_integer);
  if (type == "uint16") return print_typed<std::uint16_t>(given, unsigned_integer);
  if (type == "uint32") return print_typed<std::uint32_t>(given, unsigned_integer);
  if (type == "uint64") return print_typed<std::uint64_t>(given, unsigned_integer);
  if (type == "float32") return print_typed<float>(given, floating_point);
  if (type == "float64") return print_typed<double>(given, floating_point);
  if (type == "longdouble") return print_typed<long double>(given, floating_point);
  if (type == "complex64") return print_typed<std::complex<float>>(given, complex);
  if (type == "complex128") return print_typed<std::complex<double>>(given, complex);
  if (type == "clongdouble") return print_typed<std::complex<long double>>(given, complex);
  if (type == "void3") return print_dynamic(given, {opaque, 3});
#if STREW_HAS_FLOAT16
  if (type == "float16") return print_typed<_Float16>(given, floating_point);
#else
  if (type == "float16") return print_dynamic(given, {floating_point, 2});
#endif
  std::cerr << "no such type: " << type << '\n';
  std::exit(2);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string type;
  while (std::cin >> type) {
    array given;
    std::size_t rank = 0;
    std::size_t bytes = 0;
    std::cin >> rank;
    given.extents.resize(rank);
    given.strides.resize(rank);
    for (std::int64_t& extent : given.extents) std::cin >> extent;
    for (std::int64_t& stride : given.strides) std::cin >> stride;
    std::cin >> given.offset >> bytes >> given.options.precision >> given.options.threshold >>
        given.options.edge_items >> given.options.line_width >> given.options.suppress;
    std::cin.get();
    given.memory.resize(bytes);
    std::cin.read(reinterpret_cast<char*>(given.memory.data()), static_cast<std::streamsize>(bytes));
    const std::string text = print(type, given);
    std::cout << text.size() << '\n' << text;
  }
}
