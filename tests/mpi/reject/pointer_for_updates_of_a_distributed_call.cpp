// SPDX-License-Identifier: Apache-2.0
// The address of updates is no pointer to elements of the type.
// says: strew: the address of updates is a pointer to elements of the type
// with: -DRUN=prepared.run(data, other, data)
// with: -DRUN=static_cast<void>(prepared.try_begin(data, other, data))
// with: -DRUN=static_cast<void>(prepared.try_end(data, other, data))
// with: -DRUN=in_place.run(strew::serial, data, other)
// with: -DRUN=in_place.run(data, 0)
// with: -DRUN=in_place.run(data, &updates)
// with: -DRUN=converted.run(data, updates)
#include "run.hpp"
