#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers as OSS-Fuzz asks for: sources in $SRC/strew, the compilers $CC and $CXX with $CXXFLAGS, which have
# the sanitizers, the engine $LIB_FUZZING_ENGINE, programs in $OUT. Works without OSS-Fuzz's image too.
set -euo pipefail

work=${WORK:-$(mktemp --directory)}/strew
# One compiler takes up to 2 GB.
cmake -S "$SRC/strew" -B "$work" -G Ninja -D CMAKE_BUILD_TYPE= -D STREW_BUILD_FUZZ=ON -D STREW_BUILD_TESTS=OFF \
  -D STREW_BUILD_EXAMPLES=OFF -D STREW_INSTALL=OFF -D STREW_FUZZ_FLAGS= -D STREW_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -D ZLIB_USE_STATIC_LIBS=ON
cmake --build "$work" --target strew_fuzzers
mkdir -p "$OUT"
for program in "$work"/tests/fuzz/strew_fuzz_*; do
  if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
  cp "$program" "$OUT/"
  printf '[libfuzzer]\nmax_len = 512\n' >"$OUT/$(basename "$program").options"
done
