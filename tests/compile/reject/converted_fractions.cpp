// SPDX-License-Identifier: Apache-2.0
// Updates that have no conversion to the elements of data.
// says first: strew: these updates become no elements of data
// with: -DCOMPLEX
// with: -DSTRINGS
#include <strew/strew.hpp>

#include <complex>
#include <string>

#if defined(COMPLEX)
using element = double;
using update = std::complex<double>;
#elif defined(STRINGS)
using element = std::string;
using update = double;
#else
using element = long;
using update = float;
#endif

void f(strew::tensor_view<element> data, strew::tensor_view<const int> indices,
       strew::tensor_view<const update> updates) {
  strew::index_copy(data, 0, indices, strew::converted(updates));
}
