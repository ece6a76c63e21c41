// SPDX-License-Identifier: Apache-2.0
// Prints the list of operators that the tests walk, for hooks.py to make a table of: lines of fields between tabs. The
// first field says what a line is: form (group, name, page), word (text, meaning), operator (name, document, a cell for
// each form, empty for a tick), or npy (what strew-npy calls an operator that it has).
#include "../../../tests/operators/matrix/list.hpp"

#include <iostream>

int main() {
  using namespace strew::test::matrix;
  for (const form_column& column : forms) {
    std::cout << "form\t" << column.group << '\t' << column.name << '\t' << column.page << '\n';
  }
  for (const word& each : words) std::cout << "word\t" << each.text << '\t' << each.meaning << '\n';
  for (const operator_row& row : operators) {
    std::cout << "operator\t" << row.name << '\t' << row.document;
    for (const form_column& column : forms) std::cout << '\t' << cell(row, column.which);
    std::cout << '\n';
    if (cell(row, form::strew_npy).empty()) {
      std::cout << "npy\t" << (row.npy != nullptr ? row.npy : row.name) << '\n';
    }
  }
  return std::cout.flush() ? 0 : 1;
}
