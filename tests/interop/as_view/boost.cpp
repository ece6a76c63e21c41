// SPDX-License-Identifier: Apache-2.0
// as_view on Boost.MultiArray's own types.
#include "support/catch.hpp"

#include <boost/multi_array.hpp>
#include <strew/strew.hpp>
#include <strew/view/as_view.hpp>

#include <array>
#include <type_traits>
#include <vector>

namespace {

using strew::as_view;
using strew::index_list;

TEST_CASE("arrays of either order, with other bases, descending, and views of them") {
  using array = boost::multi_array<float, 2>;
  using extents = array::extent_range;
  array rows(boost::extents[3][4]);
  array columns(boost::extents[3][4], boost::fortran_storage_order());
  array from_one(boost::extents[extents(1, 4)][extents(-1, 3)]);
  const array::size_type ordering[] = {1, 0};
  const bool ascending[] = {false, true};
  array descending(boost::extents[3][4], boost::general_storage_order<2>(ordering, ascending));
  for (array* const each : {&rows, &columns, &from_one, &descending}) {
    const auto view = as_view(*each);
    REQUIRE(view.extents() == index_list{3, 4});
    const auto base = each->index_bases();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) CHECK(&view(i, j) == &(*each)[base[0] + i][base[1] + j]);
    }
  }
  using range = boost::multi_array_types::index_range;
  auto part = rows[boost::indices[range(0, 3, 2)][range(1, 3)]];
  CHECK(as_view(part).extents() == index_list{2, 2});
  CHECK(&as_view(part)(1, 1) == &rows[2][2]);
  auto line = rows[boost::indices[2][range()]];
  CHECK(as_view(line).extents() == index_list{4});
  CHECK(&as_view(line)(3) == &rows[2][3]);
  const array& constant = rows;
  CHECK(std::is_same_v<decltype(as_view(constant)), strew::tensor_view<const float>>);
}

TEST_CASE("Boost's arrays, scattered") {
  boost::multi_array<float, 2> table(boost::extents[3][4]);
  const std::array<int, 1> row{1};
  boost::multi_array<float, 2> updates(boost::extents[1][4]);
  updates[0][2] = 5;
  strew::scatter_update(table, row, updates, 0);
  CHECK(table[1][2] == 5);
  boost::multi_array<float, 2> output(boost::extents[3][4]);
  strew::index_add(table, 0, row, updates, output);
  CHECK(output[1][2] == 10);
}

}  // namespace
