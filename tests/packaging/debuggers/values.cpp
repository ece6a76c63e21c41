// SPDX-License-Identifier: Apache-2.0
// Values for debuggers to show: gdb stops where `look` is called. Built with -g -O0, whatever the other tests are.
#include <strew/dynamic.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

void look();
void look() {}

namespace {

template <class... T>
void keep(const T&...) {}

struct point {
  float x;
  float y;
};

// Makes of an object what memory holds where there is none.
template <class T, class Number>
void overwrite(T& object, std::size_t place, const Number& number) {
  std::memcpy(reinterpret_cast<char*>(std::addressof(object)) + place, &number, sizeof number);
}
template <class T>
std::size_t place_of(const T& object, const void* member) {
  return static_cast<std::size_t>(static_cast<const char*>(member) -
                                  reinterpret_cast<const char*>(std::addressof(object)));
}

}  // namespace

int main() {
  float numbers[24];
  for (int k = 0; k < 24; ++k) numbers[k] = static_cast<float>(k) / 2;
  const strew::tensor_view matrix{numbers, {2, 3}};
  const strew::tensor_view<const float> cube{numbers, {2, 2, 3}};
  const strew::tensor_view columns{numbers + 5, {3, 2}, {-1, -3}};
  const strew::tensor_view large{numbers, {1000, 1000, 1000}, {0, 0, 0}};
  const strew::tensor_view wide{numbers, {300}, {0}};
  const strew::tensor_view scalar{numbers + 3, {}};
  [[maybe_unused]] const strew::tensor_view<int> none;
  const point corner{1, -2};
  const strew::tensor_view points{&corner, {1}};
  const double pair[] = {1, -2};
  [[maybe_unused]] const strew::tensor_view lost{reinterpret_cast<const int*>(16), {2, 2}};
  const strew::tensor_view<const float>& reference = cube;

  const strew::strided_layout layout = matrix.layout();
  [[maybe_unused]] const strew::index_list list{3, -1, strew::int64_max};
  [[maybe_unused]] const strew::index_list cut{std::uint64_t{1} << 63};
  const strew::index_list many = std::array<int, 17>{};
  const strew::slice_spec slice{.start = {0, -1}, .stop = {4, 0}, .step = {1, -1}};
  const strew::slice_spec rest{.start = 2};
  const std::int64_t rows_memory[] = {5};
  const strew::tensor_view rows{rows_memory, {1}};
  const auto dropped = strew::drop(rows);

  const strew::dynamic::tensor dynamic{matrix};
  const strew::dynamic::const_tensor read_only{cube};
  const strew::dynamic::index_tensor dynamic_rows{rows};
  const std::uint16_t halves_memory[] = {0x3C00, 0xC100};
  const strew::dynamic::const_tensor halves{halves_memory, {strew::dynamic::element_kind::floating_point, 2}, {2}};
  const strew::dynamic::const_tensor brains{halves_memory, {strew::dynamic::element_kind::brain_float, 2}, {2}};
  const strew::dynamic::const_tensor complexes{pair, {strew::dynamic::element_kind::complex, 16}, {1}};
  const strew::dynamic::const_tensor bytes{halves_memory, {strew::dynamic::element_kind::opaque, 3}, {1}};
  const strew::dynamic::element_type type{strew::dynamic::element_kind::unsigned_integer, 4};

  [[maybe_unused]] const strew::status fine;
  const strew::status refused = strew::try_scatter_update(matrix, rows, strew::tensor_view{numbers + 12, {1, 3}}, 0);
  strew::tensor_view<float> unmade;
  const strew::status huge = strew::tensor_view<float>::try_make(numbers, std::uint64_t{1} << 63, unmade);
  const strew::scatter_error thrown{refused};
  const auto message = refused.message();

  const strew::index_list& extents = matrix.extents();
  strew::tensor_view<float> rank_99 = matrix;
  strew::tensor_view<float> negative = matrix;
  strew::tensor_view<float> resized = matrix;
  strew::tensor_view<float> null = matrix;
  strew::status bad_code = refused;
  strew::status bad_text = refused;
  overwrite(rank_99, place_of(matrix, extents.data() + strew::max_rank), 99);
  overwrite(negative, place_of(matrix, extents.data()), std::int64_t{-2});
  overwrite(resized, place_of(matrix, extents.data()), std::int64_t{5000});
  overwrite(null, 0, static_cast<const float*>(nullptr));
  overwrite(bad_code, 0, static_cast<unsigned char>(200));
  overwrite(bad_text, sizeof(const char*), reinterpret_cast<const char*>(24));

  look();
  keep(reference, layout, many, huge, slice, rest, dropped, type, message);
}
