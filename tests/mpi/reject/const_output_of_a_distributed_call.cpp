// SPDX-License-Identifier: Apache-2.0
// The output of a prepared distributed call is const.
// says: strew: output is written, so its elements must not be const
// with: -DRUN=prepared.run(data, updates, updates)
// with: -DRUN=static_cast<void>(prepared.try_begin(strew::serial, data, updates, updates))
#include "run.hpp"
