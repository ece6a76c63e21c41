// SPDX-License-Identifier: Apache-2.0
// The address of data is no pointer to elements of the type.
// says: strew: the address of data is a pointer to elements of the type
// with: -DRUN=prepared.run(other, updates, data)
// with: -DRUN=static_cast<void>(prepared.try_run(other, updates, data))
// with: -DRUN=prepared.run(strew::serial, other, updates, data)
// with: -DRUN=prepared.begin(other, updates, data)
// with: -DRUN=prepared.end(other, updates, data)
// with: -DRUN=in_place.run(12345, updates)
// with: -DRUN=in_place.run(const_cast<double*>(other), updates)
#include "run.hpp"
