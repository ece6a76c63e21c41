// SPDX-License-Identifier: Apache-2.0
// The first program of the README: amounts are added to the days that they belong to.
#include <strew/strew.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<int> sales(4);
  const std::vector<int> days{2, 0, 2}, amounts{5, 7, 1};
  strew::index_add(sales, 0, days, amounts);  // NumPy: np.add.at(sales, days, amounts)
  std::printf("%d %d %d %d\n", sales[0], sales[1], sales[2], sales[3]);
}
