// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

namespace attack {

namespace {

__extension__ using wide = __int128;

struct boolean {
  byte value;
};
// 16-bit floats, computed as float.
struct half {
  std::uint16_t bits;
};
struct brain_half {
  std::uint16_t bits;
};

float widen(half from) noexcept {
  const int exponent = (from.bits >> 10) & 31;
  const int fraction = from.bits & 1023;
  float value = exponent == 31  ? (fraction == 0 ? HUGE_VALF : NAN)
                : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (from.bits & 0x8000) != 0 ? -value : value;
}
float widen(brain_half from) noexcept {
  const std::uint32_t bits = std::uint32_t{from.bits} << 16;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
// To the nearest, ties to even.
void narrow(float from, half& to) noexcept {
  const bool is_negative = std::signbit(from);
  const auto sign = static_cast<std::uint16_t>(is_negative ? 0x8000 : 0);
  const double magnitude = std::fabs(static_cast<double>(from));
  if (std::isnan(from)) {
    to.bits = static_cast<std::uint16_t>(sign | 0x7E00);
    return;
  }
  if (magnitude >= 65520) {
    to.bits = static_cast<std::uint16_t>(sign | 0x7C00);
    return;
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = exponent - 11 < -24 ? -24 : exponent - 11;
  auto count = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));  // at most 2048
  int biased = unit + 24;                                                       // 0 for subnormals
  if (count == 2048) {
    count = 1024;
    biased += 1;
  }
  to.bits = static_cast<std::uint16_t>(sign | (count < 1024 ? count : ((biased + 1) << 10) + count - 1024));
}
void narrow(float from, brain_half& to) noexcept {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &from, sizeof bits);
  to.bits =
      static_cast<std::uint16_t>(std::isnan(from) ? (bits >> 16) | 64U : (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

template <class T>
inline constexpr bool is_half = std::is_same_v<T, half> || std::is_same_v<T, brain_half>;
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
struct part_of {
  using type = T;
};
template <class T>
struct part_of<std::complex<T>> {
  using type = T;
};

template <class Body>
bool with_type(element of, const Body& body) noexcept {
  const auto call = [&]<class T>(T* none) {
    body(none);
    return true;
  };
  switch (of.is) {
    case kind::boolean:
      return of.size == 1 && call(static_cast<boolean*>(nullptr));
    case kind::signed_integer:
      switch (of.size) {
        case 1:
          return call(static_cast<std::int8_t*>(nullptr));
        case 2:
          return call(static_cast<std::int16_t*>(nullptr));
        case 4:
          return call(static_cast<std::int32_t*>(nullptr));
        case 8:
          return call(static_cast<std::int64_t*>(nullptr));
        default:
          return false;
      }
    case kind::unsigned_integer:
      switch (of.size) {
        case 1:
          return call(static_cast<std::uint8_t*>(nullptr));
        case 2:
          return call(static_cast<std::uint16_t*>(nullptr));
        case 4:
          return call(static_cast<std::uint32_t*>(nullptr));
        case 8:
          return call(static_cast<std::uint64_t*>(nullptr));
        default:
          return false;
      }
    case kind::floating:
      switch (of.size) {
        case 2:
          return call(static_cast<half*>(nullptr));
        case 4:
          return call(static_cast<float*>(nullptr));
        case 8:
          return call(static_cast<double*>(nullptr));
        default:
          return false;
      }
    case kind::brain:
      return of.size == 2 && call(static_cast<brain_half*>(nullptr));
    case kind::complex:
      switch (of.size) {
        case 8:
          return call(static_cast<std::complex<float>*>(nullptr));
        case 16:
          return call(static_cast<std::complex<double>*>(nullptr));
        default:
          return false;
      }
    default:
      return false;
  }
}

template <class T>
T load(const byte* from) noexcept {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}
template <class T>
void store(byte* to, const T& value) noexcept {
  std::memcpy(to, &value, sizeof(T));
}

template <class T>
bool is_nan(T value) noexcept {
  if constexpr (is_half<T>) {
    return std::isnan(widen(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else if constexpr (is_complex<T>) {
    return std::isnan(value.real()) || std::isnan(value.imag());
  } else {
    return false;
  }
}
template <class T>
bool is_less(T a, T b) noexcept {
  if constexpr (is_half<T>) {
    return widen(a) < widen(b);
  } else {
    return a < b;
  }
}

template <class T>
void combine_as(reduce by, byte* to, const byte* with) noexcept {
  const T a = load<T>(to);
  const T b = load<T>(with);
  if (by == reduce::none) {
    std::memcpy(to, with, sizeof(T));
    return;
  }
  if constexpr (std::is_same_v<T, boolean>) {
    const bool x = a.value != 0;
    const bool y = b.value != 0;
    const bool result = by == reduce::sum || by == reduce::max ? x || y : by == reduce::sub ? x != y : x && y;
    *to = result ? 1 : 0;
  } else {
    if constexpr (!is_complex<T>) {
      if (by == reduce::min || by == reduce::max) {
        const bool takes_b = !is_nan(a) && (is_nan(b) || (by == reduce::min ? is_less(b, a) : is_less(a, b)));
        if (takes_b) std::memcpy(to, with, sizeof(T));
        return;
      }
    }
    if constexpr (is_half<T>) {
      const float x = widen(a);
      const float y = widen(b);
      T result{};
      narrow(by == reduce::sum ? x + y : by == reduce::sub ? x - y : x * y, result);
      store(to, result);
    } else if constexpr (std::is_integral_v<T>) {
      const auto x = static_cast<std::uint64_t>(a);
      const auto y = static_cast<std::uint64_t>(b);
      store(to, static_cast<T>(by == reduce::sum ? x + y : by == reduce::sub ? x - y : x * y));
    } else {
      store(to, by == reduce::sum ? T(a + b) : by == reduce::sub ? T(a - b) : T(a * b));
    }
  }
}

}  // namespace

bool is_number(element of) noexcept {
  return with_type(of, [](auto*) {});
}
bool takes(element of, reduce by) noexcept {
  if (by == reduce::none) return true;
  if (!is_number(of)) return false;
  if (of.is == kind::boolean) return by != reduce::mean;
  return of.is != kind::complex || (by != reduce::min && by != reduce::max);
}

bool is_nan(element of, const byte* value) noexcept {
  bool result = false;
  with_type(of, [&]<class T>(T*) { result = is_nan(load<T>(value)); });
  return result;
}

void combine(element of, reduce by, byte* to, const byte* with) noexcept {
  if (by == reduce::none) {
    std::memcpy(to, with, static_cast<std::size_t>(of.size));
    return;
  }
  with_type(of, [&]<class T>(T*) { combine_as<T>(by, to, with); });
}

void mean_state::add(element of, const byte* value) noexcept {
  const bool is_first = count_++ == 0;
  with_type(of, [&]<class T>(T*) {
    if constexpr (std::is_integral_v<T>) {
      store(sum_, load<wide>(sum_) + static_cast<wide>(load<T>(value)));
    } else if constexpr (is_half<T>) {
      const float next = widen(load<T>(value));
      store(sum_, is_first ? next : load<float>(sum_) + next);
    } else if constexpr (!std::is_same_v<T, boolean>) {
      store(sum_, is_first ? load<T>(value) : T(load<T>(sum_) + load<T>(value)));
    }
  });
}
void mean_state::finish(element of, byte* to) const noexcept {
  with_type(of, [&]<class T>(T*) {
    if constexpr (std::is_integral_v<T>) {
      const wide sum = load<wide>(sum_);
      wide quotient = sum / count_;
      if (quotient * count_ != sum && sum < 0) quotient -= 1;
      store(to, static_cast<T>(quotient));
    } else if constexpr (is_half<T>) {
      T result{};
      narrow(load<float>(sum_) / static_cast<float>(count_), result);
      store(to, result);
    } else if constexpr (is_complex<T>) {
      store(to, load<T>(sum_) / static_cast<typename T::value_type>(count_));
    } else if constexpr (!std::is_same_v<T, boolean>) {
      store(to, static_cast<T>(load<T>(sum_) / static_cast<T>(count_)));
    }
  });
}

bool are_equal(element of, const byte* a, const byte* b) noexcept {
  if (std::memcmp(a, b, static_cast<std::size_t>(of.size)) == 0) return true;
  bool result = false;
  with_type(of, [&]<class T>(T*) {
    if constexpr (is_complex<T>) {
      using part = typename T::value_type;
      const auto equal = [](part x, part y) {
        return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
      };
      const T x = load<T>(a);
      const T y = load<T>(b);
      result = equal(x.real(), y.real()) && equal(x.imag(), y.imag());
    } else {
      result = is_nan(load<T>(a)) && is_nan(load<T>(b));
    }
  });
  return result;
}

void draw_elements(draws& random, element of, byte* first, std::int64_t count, std::int64_t stride) noexcept {
  const bool has_any_bits = random.one_in(3) || !is_number(of);
  const auto size = static_cast<std::size_t>(of.size);
  if (has_any_bits) {
    const bool is_plain_bool = of.is == kind::boolean && !random.one_in(8);
    for (std::int64_t k = 0; k < count; ++k) {
      byte* const to = first + k * stride;
      for (std::size_t done = 0; done < size; done += 8) {
        const std::uint64_t bits = is_plain_bool ? random.next() & 1U : random.next();
        std::memcpy(to + done, &bits, size - done < 8 ? size - done : 8);
      }
    }
    return;
  }
  with_type(of, [&]<class T>(T*) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::uint64_t bits = random.next();
      const auto small = static_cast<int>(bits & 255U) - 128;
      const bool is_special = (bits >> 8 & 63U) == 0;
      byte* const to = first + k * stride;
      if constexpr (std::is_same_v<T, boolean>) {
        *to = bits & 1U;
      } else if constexpr (std::is_integral_v<T>) {
        store(to, is_special ? static_cast<T>(bits >> 16) : static_cast<T>(small));
      } else if constexpr (is_half<T>) {
        T value{};
        narrow(static_cast<float>(small) / 7, value);
        if (is_special) value.bits = static_cast<std::uint16_t>(bits >> 16);
        store(to, value);
      } else {
        using part = typename part_of<T>::type;
        const auto draw_one = [&](std::uint64_t from) {
          const double special[] = {-0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e20, -1e20, 1e-300, 0.5};
          return static_cast<part>(is_special ? special[from >> 16 & 7U]
                                              : static_cast<double>(static_cast<int>(from & 255U) - 128) / 7);
        };
        if constexpr (is_complex<T>) {
          store(to, T(draw_one(bits), draw_one(random.next())));
        } else {
          store(to, draw_one(bits));
        }
      }
    }
  });
}

}  // namespace attack
