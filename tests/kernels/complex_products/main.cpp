// SPDX-License-Identifier: Apache-2.0
// Products of std::complex have the bits of its operator* compiled without fused multiply-add, whatever flags the unit
// is built with: all pairs of special values, and a million others of each type.
#include "products.hpp"
#include "support/random_source.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using strew::test::random_source;

template <class V>
using complex_values = std::vector<std::complex<V>>;

template <class V>
std::vector<V> special_values() {
  using limits = std::numeric_limits<V>;
  return {V{0},
          -V{0},
          V{1},
          -V{1},
          limits::infinity(),
          -limits::infinity(),
          limits::quiet_NaN(),
          limits::max(),
          -limits::max(),
          limits::min(),
          limits::denorm_min(),
          -limits::denorm_min(),
          1 + limits::epsilon(),
          std::sqrt(limits::max()),
          V{1} / 3};
}

// Any bits, or a number that a sum of products is likely to round or to cancel.
template <class V>
V draw_part(random_source& random, const std::vector<V>& special) {
  if (random.one_in(8)) return random.pick(special);
  const auto fraction = static_cast<V>((std::int64_t{1} << 61) + random.below(std::int64_t{1} << 61));
  const V sign = random.one_in(2) ? V{1} : V{-1};
  constexpr int most = std::numeric_limits<V>::max_exponent;
  const int exponent = static_cast<int>(random.one_in(2)   ? random.between(-2, 2)
                                        : random.one_in(2) ? random.between(-most / 2 - 30, most / 2 + 2)
                                                           : random.between(-most - 20, most));
  return std::ldexp(sign * fraction, exponent - 62);
}

// NaNs are alike: their signs and payloads are promised to none.
template <class V>
bool is_same(V a, V b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class V>
int compare(const char* type, const char* name, const complex_values<V>& a, const complex_values<V>& b,
            const complex_values<V>& found, const complex_values<V>& expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_same(found[i].real(), expected[i].real()) && is_same(found[i].imag(), expected[i].imag())) continue;
    if (++wrong > 3) continue;
    const auto wide = [](V value) { return static_cast<long double>(value); };
    std::printf("%s, %s: (%La, %La) * (%La, %La) = (%La, %La), not (%La, %La)\n", type, name, wide(a[i].real()),
                wide(a[i].imag()), wide(b[i].real()), wide(b[i].imag()), wide(expected[i].real()),
                wide(expected[i].imag()), wide(found[i].real()), wide(found[i].imag()));
  }
  if (wrong > 0) std::printf("%s, %s: %zu of %zu products are wrong\n", type, name, wrong, found.size());
  return wrong > 0 ? 1 : 0;
}

template <class V>
int check(const char* type) {
  random_source random(11);
  const std::vector<V> special = special_values<V>();
  complex_values<V> values;
  for (const V& real : special) {
    for (const V& imag : special) values.emplace_back(real, imag);
  }
  complex_values<V> a;
  complex_values<V> b;
  for (const auto& left : values) {
    for (const auto& right : values) {
      a.push_back(left);
      b.push_back(right);
    }
  }
  while (a.size() < 1200000) {
    a.emplace_back(draw_part(random, special), draw_part(random, special));
    b.emplace_back(draw_part(random, special), draw_part(random, special));
  }
  complex_values<V> expected(a.size());
  multiply<V>(a, b, expected);
  complex_values<V> found(a.size());
  int wrong = 0;
  for (std::size_t way = 0; way < ways(); ++way) {
    const char* const name = multiply_by_strew<V>(way, a, b, found);
    wrong += compare(type, name, a, b, found, expected);
  }
  complex_values<V> factors = values;
  for (int i = 0; i < 300; ++i) factors.emplace_back(draw_part(random, special), draw_part(random, special));
  complex_values<V> source(b.end() - 2000, b.end());
  source.insert(source.end(), values.begin(), values.end());
  expected.resize(source.size());
  found.resize(source.size());
  for (const auto& factor : factors) {
    const complex_values<V> factor_again(source.size(), factor);
    multiply<V>(factor_again, source, expected);
    scale_by_strew<V>(factor, source, found);
    if (compare(type, "a scaled sum", factor_again, source, found, expected) != 0) return wrong + 1;
  }
  return wrong;
}

bool can_run() {
#if defined(STREW_TEST_FUSED)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

}  // namespace

int main() {
  if (!can_run()) {
    std::puts("not tested: the processor has no fused multiply-add");
    return 0;
  }
  const int wrong = check<float>("float") + check<double>("double") + check<long double>("long double");
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
