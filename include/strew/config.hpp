// SPDX-License-Identifier: Apache-2.0
// Version, largest rank and build switches of strew. The only header that defines macros.
#ifndef STREW_CONFIG_HPP
#define STREW_CONFIG_HPP

// Every header includes this one before all else, so that an older language has one error in the place of a thousand.
// g++ and clang++ go on after #error, but not after a file that they do not find.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#if defined(_MSC_VER) && !defined(__clang__)
#error strew needs C++20: add /std:c++20
#else
#include "strew needs C++20: add -std=c++20 (MSVC: /std:c++20)"
#endif
#endif

#include <cassert>
#include <cstdint>

// The version is defined here only; CMake reads these three lines.
#define STREW_VERSION_MAJOR 0
#define STREW_VERSION_MINOR 1
#define STREW_VERSION_PATCH 0

// The largest rank of a view and the longest list of bounds or axes, 1 to 64: views, lists and plans hold this many
// entries inline. To change it, define it before the first include, to the same value in the whole program.
#ifndef STREW_MAX_RANK
#define STREW_MAX_RANK 16
#endif

// Checks the preconditions of unchecked calls such as view(i, j). Define it before the first include to use your own.
#ifndef STREW_ASSERT
#if defined(__MINGW32__) && !defined(NDEBUG)
// MinGW does not declare that a failed assert ends the program, so g++ would warn of the code after it
// (-Warray-bounds).
#define STREW_ASSERT(condition) ((condition) ? static_cast<void>(0) : (assert(condition), __builtin_trap()))
#else
#define STREW_ASSERT(condition) assert(condition)
#endif
#endif

// 1 if the back end is the compiled library; the CMake target strew::compiled defines it.
#ifndef STREW_COMPILED
#define STREW_COMPILED 0
#endif

// 1 to have each call print a line on standard error: its operands, the kernels that were asked to run it and the time;
// see strew/trace.hpp. Calls of such a unit use the headers in a program with the compiled library, too.
#ifndef STREW_TRACE
#define STREW_TRACE 0
#endif

// 1 in strew's own test builds, in which tests set the thresholds that choose a kernel, and each kernel asserts its
// preconditions and counts its runs (detail/tuning.hpp, detail/kernel_counter.hpp).
#ifndef STREW_TEST_BUILD
#define STREW_TEST_BUILD 0
#endif

// 1 in the units of the compiled library itself, whose calls are traced if the environment asks for it (src/compiled).
#if !defined(STREW_BUILDS_LIBRARY) || STREW_TEST_BUILD
#undef STREW_BUILDS_LIBRARY
#define STREW_BUILDS_LIBRARY 0
#endif
#if STREW_BUILDS_LIBRARY
#undef STREW_TRACE
#define STREW_TRACE 0
#elif STREW_TRACE
#undef STREW_COMPILED
#define STREW_COMPILED 0
#endif

// Whether calls can note which kernels run them and why (detail/kernel_notes.hpp). STREW_TRACED is at the beginning of
// the functions that run a request: `again` is the call of that function, and `validate` checks a scatter by indices,
// or is null.
#if STREW_TRACE || STREW_TEST_BUILD || STREW_BUILDS_LIBRARY
#define STREW_NOTES_KERNELS 1
#define STREW_TRACED(ctx, call, validate, error, again)   \
  if (::strew::detail::is_traced_anew(call)) [[unlikely]] \
  return ::strew::detail::trace_call(ctx, call, validate, error, [&] { again; })
#else
#define STREW_NOTES_KERNELS 0
#define STREW_TRACED(ctx, call, validate, error, again) static_cast<void>(0)
#endif

#if STREW_TEST_BUILD
#define STREW_EXPECT(condition) \
  ((condition) ? static_cast<void>(0) : ::strew::detail::precondition_failed(#condition, __FILE__, __LINE__))
#define STREW_RAN(...) ::strew::detail::kernel_counter<__VA_ARGS__>::count()
#else
#define STREW_EXPECT(condition) static_cast<void>(0)
#define STREW_RAN(...) static_cast<void>(0)
#endif

// With -fno-exceptions the throwing forms end the program on an error; use the try_ forms there.
#if defined(__cpp_exceptions)
#define STREW_HAS_EXCEPTIONS 1
#else
#define STREW_HAS_EXCEPTIONS 0
#endif

// Exports a function of the compiled library, which is built with hidden visibility.
#if defined(__GNUC__)
#define STREW_EXPORT [[gnu::visibility("default")]]
#else
#define STREW_EXPORT
#endif

// Keeps error paths out of the callers' instruction stream.
#if defined(__GNUC__)
#define STREW_COLD [[gnu::cold, gnu::noinline]]
#define STREW_NOINLINE [[gnu::noinline]]
#elif defined(_MSC_VER)
#define STREW_COLD [[msvc::noinline]]
#define STREW_NOINLINE [[msvc::noinline]]
#else
#define STREW_COLD
#define STREW_NOINLINE
#endif

// Has GCC compile for size what runs once for many updates. Unlike with STREW_COLD the functions that only this one
// calls are not, as GCC infers otherwise: it would then copy by `rep movs` in them.
#if defined(__GNUC__) && !defined(__clang__)
#define STREW_SMALL [[gnu::optimize("Os"), gnu::noinline]]
#else
#define STREW_SMALL STREW_NOINLINE
#endif

// Has GCC vectorise an innermost loop at -O2 too, with which most programs are built; by default it does so from -O3
// on. (Without, a reversed copy of bytes takes 5 times as long.)
#if defined(__GNUC__) && !defined(__clang__)
#define STREW_VECTORISED [[gnu::optimize("O3")]]
#else
#define STREW_VECTORISED
#endif

// Keeps a product from being fused with a sum (FMA), which would omit a rounding. GCC fuses wherever the processor can;
// clang does so across statements only with -ffp-contract=fast.
#if defined(__clang__) && defined(__SSE2__)
#define STREW_ROUND(product) __asm__("" : "+x"(product))
#elif defined(__clang__) && defined(__aarch64__)
#define STREW_ROUND(product) __asm__("" : "+w"(product))
#elif defined(__GNUC__) && !defined(__clang__)
#define STREW_ROUND(product) product = __builtin_assoc_barrier(product)
#else
#define STREW_ROUND(product) static_cast<void>(product)
#endif

// Keeps a value, a floating-point number or a vector, in a vector register.
#if defined(__GNUC__) && defined(__x86_64__) && defined(__SSE2__)
#define STREW_IN_VECTOR(value) __asm__("" : "+x"(value))
#else
#define STREW_IN_VECTOR(value) static_cast<void>(value)
#endif

// A function in which GCC fuses no product. Its SLP vectoriser ignores the first option, so it is off.
#if defined(__GNUC__) && !defined(__clang__)
#define STREW_NOT_FUSED [[gnu::optimize("fp-contract=off", "no-tree-slp-vectorize"), gnu::noinline]]
#else
#define STREW_NOT_FUSED
#endif

// Whether kernels may use intrinsics of x86-64: non-temporal stores, and AVX2 where the processor has it. Define it as
// 0 for portable code only; the results are the same.
#ifndef STREW_USE_INTRINSICS
#if defined(__x86_64__) && defined(__GNUC__)
#define STREW_USE_INTRINSICS 1
#else
#define STREW_USE_INTRINSICS 0
#endif
#endif

// Loops that shuffle are twice as fast with AVX2, which most x86-64 processors have but compilers do not use by
// default. Without -mavx2 they are compiled both ways and chosen at run time.
#if STREW_USE_INTRINSICS && !defined(__AVX2__)
#define STREW_CHOOSES_AVX2 1
#if defined(__clang__)
#define STREW_VECTORISED_AVX2 [[gnu::target("avx2")]]
#else
#define STREW_VECTORISED_AVX2 [[gnu::optimize("O3"), gnu::target("avx2")]]
#endif
#else
#define STREW_CHOOSES_AVX2 0
#define STREW_VECTORISED_AVX2 STREW_VECTORISED
#endif
// Whether there may be functions of AVX2, chosen or not.
#if STREW_CHOOSES_AVX2 || (STREW_USE_INTRINSICS && defined(__AVX2__))
#define STREW_HAS_AVX2 1
#else
#define STREW_HAS_AVX2 0
#endif
// Conversions of float16 by F16C: compiled with -mf16c, or both ways and chosen at run time. clang cannot ask for the
// extension at run time; loops of integers for AVX2 are its other way.
#if STREW_USE_INTRINSICS && defined(__F16C__)
#define STREW_HAS_F16C 1
#define STREW_CHOOSES_F16C 0
#define STREW_F16C
#elif STREW_USE_INTRINSICS && !defined(__clang__) && __GNUC__ >= 11
#define STREW_HAS_F16C 1
#define STREW_CHOOSES_F16C 1
#define STREW_F16C [[gnu::target("f16c")]]
#else
#define STREW_HAS_F16C 0
#define STREW_CHOOSES_F16C 0
#define STREW_F16C
#endif
// STREW_HAS_SHUFFLES: whether the compiler has __builtin_shufflevector. STREW_SHUFFLES_WELL: whether it becomes a few
// instructions, with g++ from SSE4 on.
#if defined(__x86_64__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define STREW_HAS_SHUFFLES 1
#endif
#endif
#ifndef STREW_HAS_SHUFFLES
#define STREW_HAS_SHUFFLES 0
#endif
#if STREW_HAS_SHUFFLES && (defined(__clang__) || defined(__SSE4_2__))
#define STREW_SHUFFLES_WELL 1
#else
#define STREW_SHUFFLES_WELL 0
#endif

#if defined(__GNUC__)
#define STREW_INLINE [[gnu::always_inline]] inline
#elif defined(_MSC_VER)
#define STREW_INLINE [[msvc::forceinline]] inline
#else
#define STREW_INLINE inline
#endif

// A member that takes no space if it is empty. By the ABI of Windows compilers ignore the standard's attribute.
#if defined(_MSC_VER)
#define STREW_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define STREW_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

// Whether std::atomic::wait is reliable. libstdc++ has the system's own wait on Linux alone; elsewhere, at least up to
// g++ 12, it compares the number before it takes a lock, and so may sleep through a notification.
#ifndef STREW_HAS_ATOMIC_WAIT
#if defined(__GLIBCXX__) && !defined(__linux__)
#define STREW_HAS_ATOMIC_WAIT 0
#else
#define STREW_HAS_ATOMIC_WAIT 1
#endif
#endif

// Whether std::to_chars writes a long double as what it is. libc++ writes the double nearest to it, and its version 14
// no more than 64 bits of an integer.
#if defined(_LIBCPP_VERSION)
#define STREW_HAS_WIDE_TO_CHARS 0
#else
#define STREW_HAS_WIDE_TO_CHARS 1
#endif

// Whether the compiler has _Float16 in C++. On AArch64 g++ 12 defines the macro, but only g++ 13 has the type.
#if defined(__FLT16_MANT_DIG__) && (defined(__SSE2__) || defined(__clang__) || __GNUC__ >= 13)
#define STREW_HAS_FLOAT16 1
#else
#define STREW_HAS_FLOAT16 0
#endif
// Whether it converts one by an instruction and not by a call of its run-time library.
#if STREW_HAS_FLOAT16 && (defined(__F16C__) || defined(__aarch64__))
#define STREW_CONVERTS_FLOAT16 1
#else
#define STREW_CONVERTS_FLOAT16 0
#endif

// ---- One definition rule
//
// Translation units of one program may be built with different flags. Public types, which pass between units, are in an
// inline namespace named after the version and the largest rank. Code that depends on a switch, an instruction set,
// assertions or exceptions is in one named after these (STREW_CODE), or has them in its symbol (STREW_KEYED), so that
// the linker never replaces a function by one that was compiled for AVX2. The values of the switches are part of a
// name, so they must be 0 or 1. A STREW_ASSERT of your own is not part of it: define it in the same way in the whole
// program.
//
// Compilers print these namespaces in every name, so they are short: v0_1r16, and c with a digit for the instruction
// set and an octal digit for each three switches, in the order of STREW_CODE. c0046 is x86-64 without extensions (00),
// intrinsics (4), assertions and exceptions (6). With STREW_TRACE it ends with a t, in the compiled library with an l.
#if defined(__AVX512FP16__)
#define STREW_VECTORS 5
#elif defined(__AVX512F__)
#define STREW_VECTORS 4
#elif defined(__AVX2__)
#define STREW_VECTORS 3
#elif defined(__AVX__)
#define STREW_VECTORS 2
#elif defined(__SSE4_2__)
#define STREW_VECTORS 1
#else
#define STREW_VECTORS 0
#endif
#if defined(__F16C__)
#define STREW_WITH_F16C 1
#else
#define STREW_WITH_F16C 0
#endif
#if defined(__AVX512BW__)
#define STREW_WITH_AVX512BW 1
#else
#define STREW_WITH_AVX512BW 0
#endif
#if defined(__AVX512VL__)
#define STREW_WITH_AVX512VL 1
#else
#define STREW_WITH_AVX512VL 0
#endif
#if defined(__FMA__)
#define STREW_FUSES 1
#else
#define STREW_FUSES 0
#endif
#if defined(NDEBUG)
#define STREW_ASSERTS 0
#else
#define STREW_ASSERTS 1
#endif
#define STREW_OCTAL_000 0
#define STREW_OCTAL_001 1
#define STREW_OCTAL_010 2
#define STREW_OCTAL_011 3
#define STREW_OCTAL_100 4
#define STREW_OCTAL_101 5
#define STREW_OCTAL_110 6
#define STREW_OCTAL_111 7
#define STREW_NAME_OCTAL(a, b, c) STREW_OCTAL_##a##b##c
#define STREW_MAKE_OCTAL(a, b, c) STREW_NAME_OCTAL(a, b, c)
#define STREW_NAME_ABI(major, minor, rank) v##major##_##minor##r##rank
#define STREW_MAKE_ABI(major, minor, rank) STREW_NAME_ABI(major, minor, rank)
#define STREW_ABI STREW_MAKE_ABI(STREW_VERSION_MAJOR, STREW_VERSION_MINOR, STREW_MAX_RANK)
#if STREW_TRACE
#define STREW_TRACING t
#elif STREW_BUILDS_LIBRARY
#define STREW_TRACING l
#else
#define STREW_TRACING
#endif
#define STREW_NAME_CODE(vectors, extensions, high, low, tracing) c##vectors##extensions##high##low##tracing
#define STREW_MAKE_CODE(vectors, extensions, high, low, tracing) \
  STREW_NAME_CODE(vectors, extensions, high, low, tracing)
#define STREW_CODE                                                                                            \
  STREW_MAKE_CODE(STREW_VECTORS, STREW_MAKE_OCTAL(STREW_WITH_F16C, STREW_WITH_AVX512BW, STREW_WITH_AVX512VL), \
                  STREW_MAKE_OCTAL(STREW_USE_INTRINSICS, STREW_FUSES, STREW_TEST_BUILD),                      \
                  STREW_MAKE_OCTAL(STREW_ASSERTS, STREW_HAS_EXCEPTIONS, STREW_COMPILED), STREW_TRACING)
#define STREW_QUOTE_NAME(name) #name
#define STREW_QUOTE(name) STREW_QUOTE_NAME(name)
#if defined(__GNUC__)
#define STREW_KEYED [[gnu::abi_tag(STREW_QUOTE(STREW_CODE))]]
#else
#define STREW_KEYED
#endif

namespace strew::inline STREW_ABI {

// The largest rank of a view.
inline constexpr int max_rank = STREW_MAX_RANK;
static_assert(max_rank >= 1 && max_rank <= 64, "STREW_MAX_RANK must be in [1, 64]");

}  // namespace strew

#endif  // STREW_CONFIG_HPP
