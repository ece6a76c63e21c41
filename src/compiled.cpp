// SPDX-License-Identifier: Apache-2.0
// The compiled library in one unit, for programs that link all of it. strew::compiled itself has a unit for each family
// of operators, so that programs link what they call.
#define STREW_BUILDS_LIBRARY 1

#include "compiled/any_scatter.cpp"
#include "compiled/caches.cpp"
#include "compiled/elements_assigns.cpp"
#include "compiled/elements_reduces.cpp"
#include "compiled/elements_sums.cpp"
#include "compiled/index_loops.cpp"
#include "compiled/masks.cpp"
#include "compiled/multi_indices_assigns.cpp"
#include "compiled/multi_indices_reduces.cpp"
#include "compiled/multi_indices_sums.cpp"
#include "compiled/numbers_assigns.cpp"
#include "compiled/numbers_sums.cpp"
#include "compiled/parts.cpp"
#include "compiled/rows_assigns.cpp"
#include "compiled/rows_reduces.cpp"
#include "compiled/rows_sums.cpp"
#include "compiled/schedules.cpp"
#include "compiled/segments.cpp"
#include "compiled/slices.cpp"
#include "compiled/tensors_assigns.cpp"
#include "compiled/tensors_sums.cpp"
#include "compiled/texts.cpp"
#include "compiled/trace.cpp"
