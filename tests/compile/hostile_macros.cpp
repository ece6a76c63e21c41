// SPDX-License-Identifier: Apache-2.0
// Macros of other libraries may stand before strew's headers: <windows.h> has min and small, Unreal Engine check,
// Arduino word, R length. That this compiles is the test; it is built with the extensions of GNU on, where <complex.h>
// defines I.
#include <complex.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cmath>
#include <complex>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
#if defined(__x86_64__) && __has_include(<cpuid.h>)
#include <cpuid.h>
#endif

#if defined(_LIBCPP_VERSION)
#define I 1  // its <complex.h> is <complex>
#elif !defined(I)
#error "<complex.h> defines no I here: compile this file with -std=gnu++20"
#endif

// Function-like macros stand for this where a header has their name before a parenthesis, with any number of arguments.
#define OTHERS_MACRO ***the macro of another library***

// Windows, without NOMINMAX
#define min(a, b) OTHERS_MACRO
#define max(a, b) OTHERS_MACRO
#define near
#define far
#define NEAR
#define FAR
#define small char
#define hyper __int64
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define ERROR 0
#define NO_ERROR 0L
#define DELETE (0x00010000L)
#define STRICT 1
#define IGNORE 0
#define INFINITE 0xFFFFFFFF
#define CALLBACK __stdcall
#define DIFFERENCE 11
#define ABSOLUTE 1
#define RELATIVE 2
#define TRUE 1
#define FALSE 0
#define DOMAIN 1
#define OVERFLOW 3
#define UNDERFLOW 4
#define GetObject GetObjectW
#define GetMessage GetMessageW
#define CopyMemory(to, from, bytes) OTHERS_MACRO
#define TEXT(text) OTHERS_MACRO
#define Yield() OTHERS_MACRO

// X11
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define True 1
#define False 0
#define Always 2
#define Below 1
#define Above 0
#define Unsorted 0
#define Complex 0
#define Convex 2
#define Absolute 0
#define Relative 1
#define AllValues 0x000F
#define CurrentTime 0L
#define GrayScale 1

// Qt
#define emit
#define signals public
#define slots
#define forever for (;;)
#define foreach(variable, container) OTHERS_MACRO
#define SIGNAL(signature) OTHERS_MACRO
#define SLOT(signature) OTHERS_MACRO
#define Q_EMIT
#define Q_OBJECT OTHERS_MACRO
#define tr(text) OTHERS_MACRO

// Unreal Engine
#define check(expression) OTHERS_MACRO
#define checkf(expression, ...) OTHERS_MACRO
#define verify(expression) OTHERS_MACRO
#define verifyf(expression, ...) OTHERS_MACRO
#define ensure(expression) OTHERS_MACRO
#define ensureMsgf(expression, ...) OTHERS_MACRO
#define unimplemented() OTHERS_MACRO
#define UPROPERTY(...) OTHERS_MACRO
#define UFUNCTION(...) OTHERS_MACRO
#define PI (3.1415926535897932f)

// AssertMacros.h of Apple, and Objective-C
#define require(assertion, label) OTHERS_MACRO
#define require_noerr(code, label) OTHERS_MACRO
#define nil nullptr
#define Nil nullptr
#define YES 1
#define NO 0

// Arduino
#define abs(x) OTHERS_MACRO
#define round(x) OTHERS_MACRO
#define constrain(x, low, high) OTHERS_MACRO
#define radians(x) OTHERS_MACRO
#define degrees(x) OTHERS_MACRO
#define sq(x) OTHERS_MACRO
#define word(...) OTHERS_MACRO
#define bit(b) OTHERS_MACRO
#define bitRead(value, b) OTHERS_MACRO
#define bitSet(value, b) OTHERS_MACRO
#define bitClear(value, b) OTHERS_MACRO
#define bitWrite(value, b, to) OTHERS_MACRO
#define lowByte(w) OTHERS_MACRO
#define highByte(w) OTHERS_MACRO
#define interrupts() OTHERS_MACRO
#define noInterrupts() OTHERS_MACRO
#define F(text) OTHERS_MACRO
#define _BV(b) OTHERS_MACRO
#define B0 0
#define B1 1
#define B00 0
#define A0 14
#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define CHANGE 1
#define RISING 3
#define FALLING 2
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 3
#define SERIAL 0x0
#define DISPLAY 0x1
#define EULER 2.718281828459045235360287471352
#define DEC 10
#define HEX 16

// R, whose names without Rf_ are macros
#define length Rf_length
#define error Rf_error
#define warning Rf_warning
#define allocVector Rf_allocVector
#define cons Rf_cons
#define duplicate Rf_duplicate
#define eval Rf_eval
#define match Rf_match
#define install Rf_install
#define isArray Rf_isArray
#define isInteger Rf_isInteger
#define isNull Rf_isNull
#define list1 Rf_list1
#define ncols Rf_ncols
#define nrows Rf_nrows
#define protect Rf_protect
#define unprotect Rf_unprotect
#define Free(p) OTHERS_MACRO
#define Calloc(n, t) OTHERS_MACRO
#define Realloc(p, n, t) OTHERS_MACRO
#define Memcpy(p, q, n) OTHERS_MACRO

// newlib's <ctype.h>, of which Arduino, ESP-IDF and Cygwin have these
#define _U 01
#define _L 02
#define _N 04
#define _S 010
#define _P 020
#define _C 040
#define _X 0100
#define _B 0200

// The system's headers: <sys/sysmacros.h>, <termios.h>, Linux's list.h and compiler.h; and names in GNU mode
#define major(device) OTHERS_MACRO
#define minor(device) OTHERS_MACRO
#define makedev(high, low) OTHERS_MACRO
#define B50 0000001
#define ECHO 0000010
#define unix 1
#define linux 1
#define likely(x) OTHERS_MACRO
#define unlikely(x) OTHERS_MACRO
#define list_entry(pointer, type, member) OTHERS_MACRO
#define container_of(pointer, type, member) OTHERS_MACRO
#define clamp(value, low, high) OTHERS_MACRO
#define swap(a, b) OTHERS_MACRO

// Logging, assertions and tests
#define LOG(severity) OTHERS_MACRO
#define CHECK(condition) OTHERS_MACRO
#define DCHECK(condition) OTHERS_MACRO
#define EXPECT(condition) OTHERS_MACRO
#define ASSERT(condition) OTHERS_MACRO
#define REQUIRE(condition) OTHERS_MACRO
#define TEST(...) OTHERS_MACRO
#define FAIL(...) OTHERS_MACRO
#define DEBUG 1
#define VERSION "1.0"
#define OK 0
#define ERR (-1)
#define UNUSED
#define INLINE inline

// One after the other, each with all that it includes.
#include <strew/bound.hpp>
#include <strew/config.hpp>
#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/error_message.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/print.hpp>
#include <strew/runtimes.hpp>
#include <strew/status.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

// Templates break only where they are used.
std::int64_t use_all(float* data, std::uint64_t extent, std::int32_t index) {
  const strew::tensor_view<float> view{data, {extent, extent}};
  const strew::slice_spec spec{.start = index, .stop = index, .step = 1, .axes = {0}};
  const auto part = strew::slice(strew::reverse(strew::permute(view, {1, 0}), 0), 0, 0, index, 2);
  const auto wider = strew::broadcast(strew::transpose(part), {extent, extent, extent});
  strew::thread_pool pool;
  pool(static_cast<std::size_t>(extent), [&](std::size_t k) { view.at(k, index) = view(index, k); });
  return spec.start[0] + strew::normalize_axis(index, 2) +
         strew::normalize_index(index, 5, strew::index_rule::wrapping) +
         strew::resolve_slice(index, index, 1, 5).count + strew::has_distinct_elements(wider.layout()) +
         strew::detail::shares_memory(part.data(), part.layout(), wider.data(), wider.layout());
}

strew::status reduce_all(float* data, const std::int64_t* indices) {
  const strew::tensor_view<float> view{data, {2, 2}};
  const strew::tensor_view<const std::int64_t> at{indices, {2, 2}};
  strew::status found = strew::v12::try_scatter_elements_update(view, strew::drop(at), view, 0, strew::reduction::max);
  found = strew::try_scatter_reduce(view, 0, at, view, strew::reduction::without_init(strew::reduction::min));
  found = strew::try_index_put(view, std::tuple{at}, view, strew::reduction::sum);
  return strew::onnx::try_scatter_nd(view, at, view, strew::reduction::min);
}

strew::status call_all(float* data, const std::int8_t* indices, std::int64_t extent) {
  const strew::tensor_view<float> out{data, {extent, 4}};
  const strew::tensor_view<const std::int8_t> at{indices, {3, 4}};
  const strew::tensor_view<const std::int8_t> at_rows{indices, {3}};
  const strew::tensor_view<const float> up{data + 100, {3, 4}};
  strew::thread_pool pool;
  strew::slice_scatter(pool, out, up, {.start = 0, .stop = 3, .step = 1});
  strew::scatter_update(pool, out, at_rows, up, 0);
  strew::scatter_elements_update(out, at, up, 0);
  return strew::onnx::try_scatter(pool, strew::dynamic::tensor{out}, strew::dynamic::index_tensor{at},
                                  strew::dynamic::const_tensor{up}, 0);
}
