// SPDX-License-Identifier: Apache-2.0
// A picture of grids of numbers and of the curves between them, written as SVG. Colours are classes of the site's
// stylesheet, so that one file serves light and dark.
#ifndef STREW_SITE_PICTURE_HPP
#define STREW_SITE_PICTURE_HPP

#include <string>
#include <vector>

namespace site {

enum class look { kept, index, update, lost, written };

struct cell {
  std::string text = {};
  std::string below = {};  // a second, smaller line
  look appearance = look::kept;
  int colour = 0;
};

// A grid under or above its title. Coordinates are printed above its columns and left of its rows where asked for.
struct panel {
  std::string title;
  int rows;
  int columns;
  std::vector<cell> cells = {};  // row-major
  bool has_title_below = false;  // where arrows come from above
  bool has_row_numbers = false;
  bool has_column_numbers = false;
  int cell_width = 40;                // at least: cells have room for their texts
  std::vector<int> picked_rows = {};  // the coordinates that a slice takes, in its order
  std::vector<int> picked_columns = {};
};

// How an arrow reaches its cell: from the bottom or the right of the update to the cell's top, or, for whole rows, from
// the right to the right.
enum class route { from_above, from_the_right, along_the_right };

// From a cell of one panel to a cell of another.
struct curve {
  std::size_t from_panel;
  int from_cell;
  std::size_t to_panel;
  int to_cell;
  int colour;
  bool is_lost;  // a later update takes its place
  route way;
};

struct picture {
  std::string name;
  std::string title;
  std::string description;
  std::vector<panel> panels;
  std::vector<std::vector<std::size_t>> lines;  // the panels beside each other, from top to bottom
  std::vector<curve> curves;
};

// Throws std::logic_error where texts overlap or leave their cells, or where an arrow would touch a text.
[[nodiscard]] std::string to_svg(const picture& drawn);

}  // namespace site

#endif  // STREW_SITE_PICTURE_HPP
