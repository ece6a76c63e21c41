// SPDX-License-Identifier: Apache-2.0
// Numbers of one type as elements of another: updates that are converted. The rules are those of docs/extensions.md.
#ifndef STREW_DETAIL_FRONT_CONVERSION_HPP
#define STREW_DETAIL_FRONT_CONVERSION_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/element_value.hpp>
#include <strew/detail/half_formats.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/half_loops.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/operators/floating.hpp>
#include <strew/view/element.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether a type has conversions: those of users by an accumulator that is built in.
template <class T>
constexpr bool is_converted_number() noexcept {
  if constexpr (has_accumulator<T>) {
    return built_in_floating<accumulator_of<T>>;
  } else {
    return number_element<T>;
  }
}
// Whether numbers U become elements T: no floating-point number becomes an integer, and no complex one a real one.
template <class T, class U>
constexpr bool converts_to() noexcept {
  if constexpr (std::is_same_v<T, U>) {
    return true;
  } else if constexpr (!is_converted_number<T>() || !is_converted_number<U>() ||
                       sizeof(T) > largest_converted_element) {
    return false;
  } else if constexpr (complex_element<U>) {
    return complex_element<T>;
  } else {
    return std::is_same_v<T, bool> || !built_in_integer<T> || built_in_integer<U>;
  }
}

// A double as a half, rounded once: as a float whose last bit is 1 where it is not exact.
template <half_element T, converted How>
STREW_INLINE constexpr T half_of_double(double value) {
  constexpr std::uint64_t kept = ~std::uint64_t{0} << 29;  // the bits of a float
  if constexpr (half_format_of<T> == half_format::bfloat16) {
    // Floats of fewer bits.
    bool fits = true;
    if (-0x1p-126 < value && value < 0x1p-126) return to_element<T>(value, fits);
  }
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t odd = (bits & kept) | (static_cast<std::uint64_t>((bits & ~kept) != 0) << 29);
  const auto rounded = std::bit_cast<double>(odd);
  const bool is_beyond = rounded > 0x1p127 * (2 - 0x1p-23) || rounded < -0x1p127 * (2 - 0x1p-23);
  const double infinity =
      rounded < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  return narrow_to_half<T, How>(static_cast<float>(is_beyond ? infinity : rounded));
}
// An integer as a double, whose last bit is 1 where it is not exact.
template <class U>
STREW_INLINE constexpr double odd_double(U value) noexcept {
  if constexpr (sizeof(U) * 8 <= 53) {
    return static_cast<double>(value);
  } else {
    constexpr U most = U{1} << 53;
    const bool is_exact = value <= most && (std::is_unsigned_v<U> || value >= static_cast<U>(-most));
    const U odd = static_cast<U>((value >> 11) | static_cast<U>((value & U{0x7ff}) != 0));
    return is_exact ? static_cast<double>(value) : static_cast<double>(odd) * 0x1p11;
  }
}

// A number as an element. How: whether the loops around it are to be vectorised.
template <class T, class U, converted How = converted::one>
STREW_INLINE constexpr T convert_number(const U& value) {
  if constexpr (std::is_same_v<T, U>) {
    return value;
  } else if constexpr (complex_element<T> && complex_element<U>) {
    using part = typename T::value_type;
    using from = typename U::value_type;
    return T(convert_number<part, from, How>(value.real()), convert_number<part, from, How>(value.imag()));
  } else if constexpr (complex_element<T>) {
    using part = typename T::value_type;
    return T(convert_number<part, U, How>(value), part{});
  } else if constexpr (std::is_same_v<U, bool>) {
    return convert_number<T, unsigned char, How>(is_true(value) ? 1 : 0);
  } else if constexpr (half_element<U>) {
    return convert_number<T, float, How>(widen_half<U, How>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    if constexpr (has_accumulator<U>) {
      return !(widen(value) == accumulator_of<U>{});
    } else {
      return value != U{};
    }
  } else if constexpr (built_in_integer<T>) {
    return static_cast<T>(value);
  } else if constexpr (half_element<T> && (std::is_same_v<U, float> || (built_in_integer<U> && sizeof(U) <= 2))) {
    return narrow_to_half<T, How>(static_cast<float>(value));
  } else if constexpr (half_element<T> && std::is_same_v<U, double>) {
    return half_of_double<T, How>(value);
  } else if constexpr (half_element<T> && built_in_integer<U> && sizeof(U) <= 8) {
    return half_of_double<T, How>(odd_double(value));
  } else {
    // As IEC 60559 says, where it holds: in constants compilers refuse what is beyond the largest.
    constexpr bool is_one_instruction = std::is_same_v<T, float> || std::is_same_v<T, double>;
    if constexpr (is_one_instruction && built_in_number<U> && std::numeric_limits<T>::is_iec559) {
      if (!is_constant_evaluated()) return static_cast<T>(value);
    }
    bool fits = true;
    if constexpr (has_accumulator<U>) {
      return convert_number<T, accumulator_of<U>, How>(widen(value));
    } else {
      const T result = to_element<T>(value, fits);
      if (fits) return result;
      using wide = std::conditional_t<built_in_number<T>, T, float>;
      return static_cast<T>(value < U{} ? -std::numeric_limits<wide>::infinity()
                                        : std::numeric_limits<wide>::infinity());
    }
  }
}

// ---- Loops

template <class T, class U, converted How>
STREW_INLINE T convert_at(const char* from) noexcept {
  if constexpr (std::is_same_v<U, bool>) {
    return convert_number<T, unsigned char, How>(*from != 0 ? 1 : 0);
  } else {
    U value;
    std::memcpy(&value, from, sizeof(U));
    return convert_number<T, U, How>(value);
  }
}
// Complex numbers part by part, since as a whole g++ copies them through the stack.
template <class T>
STREW_INLINE void store_converted(char* to, const T& value) noexcept {
  if constexpr (complex_element<T>) {
    using part = typename T::value_type;
    store_converted<part>(to, value.real());
    store_converted<part>(to + sizeof(part), value.imag());
  } else {
    std::memcpy(to, &value, sizeof(T));
  }
}
template <class T, class U>
STREW_INLINE void convert_contiguous(char* __restrict to, const char* __restrict from, std::int64_t count) noexcept {
  for (std::int64_t i = 0; i < count; ++i) {
    store_converted(to + i * static_cast<std::int64_t>(sizeof(T)),
                    convert_at<T, U, converted::many>(from + i * static_cast<std::int64_t>(sizeof(U))));
  }
}
template <class T, class U>
STREW_NOINLINE STREW_VECTORISED void convert_plain(char* to, const char* from, std::int64_t count) noexcept {
  convert_contiguous<T, U>(to, from, count);
}
#if STREW_CHOOSES_AVX2
template <class T, class U>
STREW_NOINLINE STREW_VECTORISED_AVX2 void convert_avx2(char* to, const char* from, std::int64_t count) noexcept {
  convert_contiguous<T, U>(to, from, count);
}
#endif

#if STREW_HAS_F16C
// As float_to_float16 and float16_to_float, eight numbers at a time; the last ones anew with some before them.
template <bool Widens>
STREW_F16C STREW_INLINE void convert_eight(char* to, const char* from) noexcept {
  using halves __attribute__((vector_size(16))) = short;
  using floats __attribute__((vector_size(32))) = float;
  halves narrow;
  floats wide;
  if constexpr (Widens) {
    std::memcpy(&narrow, from, sizeof narrow);
    wide = __builtin_ia32_vcvtph2ps256(narrow);
    std::memcpy(to, &wide, sizeof wide);
  } else {
    std::memcpy(&wide, from, sizeof wide);
    narrow = __builtin_ia32_vcvtps2ph256(wide, 0);
    std::memcpy(to, &narrow, sizeof narrow);
  }
}
template <bool Widens>
STREW_NOINLINE STREW_F16C void convert_f16c(char* to, const char* from, std::int64_t count) noexcept {
  constexpr std::int64_t size = Widens ? 4 : 2;
  constexpr std::int64_t from_size = 6 - size;
  for (std::int64_t i = 0; i < count; i += 8) {
    const std::int64_t first = count - i < 8 ? count - 8 : i;
    convert_eight<Widens>(to + first * size, from + first * from_size);
  }
}
template <class T, class U>
inline constexpr bool converts_by_f16c = (std::is_same_v<T, float> && half_format_of<U> == half_format::float16) ||
                                         (std::is_same_v<U, float> && half_format_of<T> == half_format::float16);
#endif

// Conversions of halves are vectorised from and to float alone.
template <class T, class U>
inline constexpr bool is_vectorised_conversion = half_element<T>   ? std::is_same_v<U, float>
                                                 : half_element<U> ? std::is_same_v<T, float>
                                                                   : true;
// Converts `count` updates, each `from_stride` bytes after the one before, to contiguous elements.
template <class T, class U>
void convert_run(char* to, const char* from, std::int64_t from_stride, std::int64_t count) noexcept {
  if constexpr (is_vectorised_conversion<T, U>) {
    if (from_stride == static_cast<std::int64_t>(sizeof(U))) {
      STREW_RAN("convert contiguous updates", type_name<T>, type_name<U>);
#if STREW_HAS_F16C
      if constexpr (converts_by_f16c<T, U>) {
        if (count >= 8 && count >= tuning::limits().half_count && has_f16c()) {
          return convert_f16c<std::is_same_v<T, float>>(to, from, count);
        }
      }
#endif
#if STREW_CHOOSES_AVX2
      if constexpr (half_element<T> || half_element<U>) {  // of others SSE2 keeps pace with memory
        if (count >= tuning::limits().vector_count && has_avx2()) return convert_avx2<T, U>(to, from, count);
      }
#endif
      return convert_plain<T, U>(to, from, count);
    }
  }
  STREW_RAN("convert updates one by one", type_name<T>, type_name<U>);
  for (std::int64_t i = 0; i < count; ++i) {
    store_converted(to + i * static_cast<std::int64_t>(sizeof(T)),
                    convert_at<T, U, converted::one>(from + i * from_stride));
  }
}

template <class T, class U>
inline constexpr conversion conversion_of{convert_run<T, U>};

// That of types which are known at run time only; null if there is none.
inline const conversion* choose_conversion(dynamic::element_type to, dynamic::element_type from) noexcept {
  const conversion* found = nullptr;
  with_element_type(to, [&]<class T>() {
    return with_element_type(from, [&]<class U>() {
      if constexpr (converts_to<T, U>() && !std::is_same_v<T, U>) found = &conversion_of<T, U>;
      return true;
    });
  });
  return found;
}
inline const conversion* find_conversion(dynamic::element_type to, dynamic::element_type from) noexcept {
#if STREW_COMPILED
  return erased::find_conversion(to, from);
#else
  return choose_conversion(to, from);
#endif
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_CONVERSION_HPP
