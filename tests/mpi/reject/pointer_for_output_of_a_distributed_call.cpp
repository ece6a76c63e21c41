// SPDX-License-Identifier: Apache-2.0
// The address of the output is no pointer to elements of the type.
// says: strew: the address of output is a pointer to elements of the type
// with: -DRUN=prepared.run(data, updates, const_cast<double*>(other))
// with: -DRUN=static_cast<void>(prepared.try_end(data, updates, other))
// with: -DRUN=prepared.run(data, updates, static_cast<void*>(data))
#include "run.hpp"
