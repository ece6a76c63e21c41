// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace site {
namespace {

constexpr int cell_height = 32;
constexpr int title_height = 20;
constexpr int numbers_height = 16;
constexpr int numbers_width = 18;
constexpr int steps_height = 26;  // of the arcs that show a slice's steps
constexpr int between_panels = 22;
constexpr int between_lines = 30;
constexpr int margin = 8;
constexpr int room_for_curves = 46;

struct place {
  int x = 0;  // of the first cell
  int y = 0;
};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

bool is_among(int coordinate, const std::vector<int>& picked) {
  return std::find(picked.begin(), picked.end(), coordinate) != picked.end();
}

int left_of_cells(const panel& p) {
  return (p.has_row_numbers ? numbers_width : 0) + (p.picked_rows.empty() ? 0 : steps_height);
}
int width_of(const panel& p) {
  return left_of_cells(p) + p.columns * p.cell_width;
}
int above_cells(const panel& p) {
  return title_height + (p.has_column_numbers ? numbers_height : 0);
}
int height_of(const panel& p) {
  return above_cells(p) + p.rows * cell_height + (p.picked_columns.empty() ? 0 : steps_height);
}

class writer {
 public:
  explicit writer(const picture& drawn) : drawn_{drawn}, places_(drawn.panels.size()) {}

  std::string run() {
    lay_out();
    const std::string id = "picture-" + drawn_.name;
    out_ << "<svg class=\"picture\" role=\"img\" aria-labelledby=\"" << id << "-title " << id
         << "-text\" viewBox=\"0 0 " << width_ << ' ' << height_ << "\" style=\"--width:" << width_
         << "\" xmlns=\"http://www.w3.org/2000/svg\">\n"
         << "<title id=\"" << id << "-title\">" << escaped(drawn_.title) << "</title>\n<desc id=\"" << id << "-text\">"
         << escaped(drawn_.description) << "</desc>\n";
    for (std::size_t p = 0; p < drawn_.panels.size(); ++p) write_cells(drawn_.panels[p], places_[p]);
    // Lost updates first, so that the others' curves lie above them.
    for (const bool is_lost : {true, false}) {
      for (const curve& c : drawn_.curves) {
        if (c.is_lost == is_lost) write_curve(c);
      }
    }
    for (std::size_t p = 0; p < drawn_.panels.size(); ++p) write_texts(drawn_.panels[p], places_[p]);
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  // Indices that stand above their updates.
  [[nodiscard]] bool is_close(const std::vector<std::size_t>& line) const {
    return line.size() == 1 && !drawn_.panels[line[0]].cells.empty() &&
           drawn_.panels[line[0]].cells[0].appearance == look::index;
  }

  void lay_out() {
    int y = margin;
    int right = 0;
    for (const auto& line : drawn_.lines) {
      int x = margin;
      int above = 0;
      int below = 0;
      for (const std::size_t p : line) above = std::max(above, above_cells(drawn_.panels[p]));
      for (const std::size_t p : line) {
        const panel& shown = drawn_.panels[p];
        places_[p] = {x + left_of_cells(shown), y + above};
        x += width_of(shown) + between_panels;
        below = std::max(below, height_of(shown) - above_cells(shown));
      }
      right = std::max(right, x - between_panels);
      y += above + below + (&line == &drawn_.lines.back() ? margin : is_close(line) ? 4 : between_lines);
    }
    const bool has_side = std::any_of(drawn_.curves.begin(), drawn_.curves.end(),
                                      [](const curve& c) { return c.way == route::along_the_right; });
    width_ = right + (has_side ? room_for_curves : margin);
    height_ = y;
  }

  void write_text(double x, double y, const char* style, const std::string& text, const char* anchor = "middle") {
    out_ << "<text class=\"" << style << "\" x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">"
         << escaped(text) << "</text>\n";
  }

  void write_cells(const panel& p, const place& at) {
    static constexpr const char* names[] = {"kept", "index", "update", "update lost", "update written"};
    for (int i = 0; i < p.rows * p.columns; ++i) {
      const cell& c = p.cells[static_cast<std::size_t>(i)];
      out_ << "<rect class=\"cell " << names[static_cast<int>(c.appearance)];
      if (c.appearance != look::kept && c.appearance != look::index) out_ << " c" << c.colour;
      out_ << "\" x=\"" << at.x + i % p.columns * p.cell_width << "\" y=\"" << at.y + i / p.columns * cell_height
           << "\" width=\"" << p.cell_width << "\" height=\"" << cell_height << "\"/>\n";
    }
    for (std::size_t k = 1; k < p.picked_columns.size(); ++k) {
      const int y = at.y + p.rows * cell_height + 3;
      write_step(at.x + (p.picked_columns[k - 1] + 0.5) * p.cell_width, y,
                 at.x + (p.picked_columns[k] + 0.5) * p.cell_width, y, 0, 20);
    }
    for (std::size_t k = 1; k < p.picked_rows.size(); ++k) {
      const int x = at.x - numbers_width - 1;
      write_step(x, at.y + (p.picked_rows[k - 1] + 0.5) * cell_height, x, at.y + (p.picked_rows[k] + 0.5) * cell_height,
                 -20, 0);
    }
  }

  // After the curves, above which they lie.
  void write_texts(const panel& p, const place& at) {
    write_text(at.x, at.y - (p.has_column_numbers ? numbers_height : 0) - 7, "name", p.title, "start");
    if (p.has_column_numbers) {
      for (int j = 0; j < p.columns; ++j) {
        const char* style = is_among(j, p.picked_columns) ? "number picked" : "number";
        write_text(at.x + (j + 0.5) * p.cell_width, at.y - 5, style, std::to_string(j));
      }
    }
    if (p.has_row_numbers) {
      for (int i = 0; i < p.rows; ++i) {
        const char* style = is_among(i, p.picked_rows) ? "number picked" : "number";
        write_text(at.x - 9, at.y + (i + 0.5) * cell_height + 4, style, std::to_string(i));
      }
    }
    for (int i = 0; i < p.rows * p.columns; ++i) {
      const cell& c = p.cells[static_cast<std::size_t>(i)];
      const double x = at.x + (i % p.columns + 0.5) * p.cell_width;
      const int y = at.y + i / p.columns * cell_height;
      const char* style = c.appearance == look::kept   ? "value kept"
                          : c.appearance == look::lost ? "value lost"
                                                       : "value";
      write_text(x, y + (c.below.empty() ? 21 : 15), style, c.text);
      if (!c.below.empty()) write_text(x, y + 27, "below", c.below);
    }
  }

  void write_path(const std::string& style, double x1, double y1, double x2, double y2, double x3, double y3, double x4,
                  double y4) {
    out_ << "<path class=\"" << style << "\" d=\"M" << x1 << ' ' << y1 << " C" << x2 << ' ' << y2 << ' ' << x3 << ' '
         << y3 << ' ' << x4 << ' ' << y4 << "\"/>\n";
  }

  // The head of an arrow at (x, y) that comes from the direction (dx, dy), a unit along one axis.
  void write_head(const std::string& style, double x, double y, int dx, int dy) {
    constexpr double length = 7;
    constexpr double half = 3.5;
    out_ << "<path class=\"" << style << "\" d=\"M" << x << ' ' << y << " L" << x + dx * length + dy * half << ' '
         << y + dy * length + dx * half << " L" << x + dx * length - dy * half << ' ' << y + dy * length - dx * half
         << " Z\"/>\n";
  }

  void write_step(double x1, double y1, double x2, double y2, int bend_x, int bend_y) {
    write_path("step", x1, y1, x1 + bend_x, y1 + bend_y, x2 + bend_x, y2 + bend_y, x2, y2);
    write_head("step-head", x2, y2, bend_x == 0 ? 0 : -1, bend_y == 0 ? 0 : 1);
  }

  void write_curve(const curve& c) {
    const panel& from = drawn_.panels[c.from_panel];
    const panel& to = drawn_.panels[c.to_panel];
    const place& start = places_[c.from_panel];
    const place& end = places_[c.to_panel];
    const std::string colour = " c" + std::to_string(c.colour) + (c.is_lost ? " lost" : "");
    if (c.way == route::along_the_right) {
      const double x1 = start.x + from.columns * from.cell_width + 1;
      const double x4 = end.x + to.columns * to.cell_width + 1;
      const double y1 = start.y + (c.from_cell / from.columns + 0.5) * cell_height;
      const double y4 = end.y + (c.to_cell / to.columns + 0.5) * cell_height + (c.is_lost ? -7 : 0);
      const double reach = std::max(x1, x4) + room_for_curves - 4.0;
      write_path("curve" + colour, x1, y1, reach, y1, reach, y4, x4 + 6, y4);
      write_head("head" + colour, x4, y4, 1, 0);
      return;
    }
    // To the left of the numbers in the cells that lie in between, from the right of those.
    const double x4 = end.x + c.to_cell % to.columns * to.cell_width + (c.is_lost ? 4 : 9);
    const double y4 = end.y + c.to_cell / to.columns * cell_height + 1;
    if (c.way == route::from_the_right) {
      const double x1 = start.x + from.columns * from.cell_width + 1;
      const double y1 = start.y + (c.from_cell / from.columns + 0.5) * cell_height;
      write_path("curve" + colour, x1, y1, std::max(x4, x1 + 20), y1, x4, (y1 + y4) / 2, x4, y4 - 6);
    } else {
      const bool is_last_row = c.from_cell / from.columns == from.rows - 1;
      const double x1 =
          start.x + (c.from_cell % from.columns + 1) * from.cell_width - (is_last_row ? from.cell_width / 2.0 : 5.0);
      const double y1 = start.y + (c.from_cell / from.columns + 1) * cell_height;
      const double bend = std::max(22.0, (y4 - y1) / 2.5);
      write_path("curve" + colour, x1, y1, x1, y1 + bend, x4, y4 - bend, x4, y4 - 6);
    }
    write_head("head" + colour, x4, y4, 0, -1);
  }

  const picture& drawn_;
  std::vector<place> places_;
  int width_ = 0;
  int height_ = 0;
  std::ostringstream out_;
};

}  // namespace

std::string to_svg(const picture& drawn) {
  return writer(drawn).run();
}

}  // namespace site
