// SPDX-License-Identifier: Apache-2.0
// Reductions whose products could be fused with sums, built for a processor that can; see check_fused.py.
#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fused {

// Complex numbers of a user's, with a product of their own.
struct point {
  using value_type = double;

  double x = 0;
  double y = 0;

  [[nodiscard]] double real() const { return x; }
  [[nodiscard]] double imag() const { return y; }
  friend point operator+(const point& a, const point& b) { return {a.x + b.x, a.y + b.y}; }
  friend point operator*(const point& a, const point& b) {
    const double xx = a.x * b.x;
    const double yy = a.y * b.y;
    const double xy = a.x * b.y;
    const double yx = a.y * b.x;
    return {xx - yy, xy + yx};
  }
  friend point operator/(const point& a, const point& b) { return {a.x / b.x, a.y / b.x}; }
};

// A number that is more than its bytes: loops over the type reduce it.
struct counted_number {
  float value = 0;

  counted_number() = default;
  explicit counted_number(float number) noexcept : value{number} {}
  counted_number(const counted_number& other) = default;
  counted_number& operator=(const counted_number& other) noexcept {
    ++assignments;
    value = other.value;
    return *this;
  }
  explicit operator float() const noexcept { return value; }

  static inline std::int64_t assignments = 0;
};

}  // namespace fused

template <>
struct strew::reduction::floating<fused::counted_number> {
  using accumulator = float;
  static constexpr bool is_nan(const fused::counted_number& number) noexcept { return number.value != number.value; }
};

namespace {

template <class T>
strew::status reduce(const strew::tensor_view<T>& data, const strew::tensor_view<const std::int64_t>& rows,
                     const strew::tensor_view<const T>& updates, std::span<std::byte> memory) {
  strew::status found = strew::try_index_add(data, 0, rows, updates, strew::scaled_by{T{3}});
  found = strew::try_index_reduce(data, 0, rows, updates, strew::reduction::prod);
  found = strew::try_index_reduce(data, 0, rows, updates, strew::reduction::mean);
  found = strew::v15::try_scatter_nd_update(strew::workspace{memory}, data, rows, updates, strew::reduction::prod);
  return strew::onnx::try_scatter_elements(data, rows, updates, 0, strew::reduction::prod);
}

}  // namespace

// Something that is fused: without it the test sees nothing.
float multiply_and_add(float a, float b, float c) {
  return a * b + c;
}

strew::status reduce_all(const strew::tensor_view<float>& a, const strew::tensor_view<double>& b,
                         const strew::tensor_view<std::complex<float>>& c,
                         const strew::tensor_view<std::complex<double>>& d, const strew::tensor_view<fused::point>& e,
                         const strew::tensor_view<fused::counted_number>& f,
                         const strew::tensor_view<const std::int64_t>& rows, std::span<std::byte> memory) {
  strew::status found = reduce<float>(a, rows, a, memory);
  found = reduce<double>(b, rows, b, memory);
  found = reduce<std::complex<float>>(c, rows, c, memory);
  found = reduce<std::complex<double>>(d, rows, d, memory);
  found = strew::try_index_add(e, 0, rows, e, strew::scaled_by{fused::point{3, 4}});
  found = strew::try_index_reduce(e, 0, rows, e, strew::reduction::prod);
  return strew::try_index_add(f, 0, rows, f, strew::scaled_by{fused::counted_number{3}});
}
