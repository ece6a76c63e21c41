// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace site {
namespace {

constexpr int cell_height = 34;
constexpr int title_height = 20;
constexpr int numbers_height = 20;
constexpr int numbers_width = 18;
constexpr int steps_height = 26;  // of the arcs that show a slice's steps
constexpr int between_panels = 22;
constexpr int between_lines = 30;
constexpr int above_output = 52;  // between updates and the output, for the arrows
constexpr int margin = 8;
constexpr int room_for_curves = 42;
constexpr int beside_value = 14;  // from a number to the border of its cell: room for an arrow
constexpr int beside_below = 6;   // from the smaller line to it
constexpr double head_length = 7;
constexpr double head_half = 3.5;
constexpr double gap = 2;             // between the border of a cell and an arrow
constexpr double inset = 5;           // of an arrow that passes a cell, from its border
constexpr double between_arrows = 8;  // so that their heads do not touch
constexpr double clearance = 4.5;     // between an arrow and a text

struct place {
  int x = 0;  // of the first cell
  int y = 0;
};

struct point {
  double x;
  double y;
};

struct written_text {
  std::string style;
  double x;
  double y;  // of the baseline
  std::string anchor;
  std::string text;
};

// Where a text is, an upper bound of it: fonts differ.
struct box {
  double left;
  double top;
  double right;
  double bottom;
};

bool overlap(const box& a, const box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// The width of a character in the widest usual fonts, DejaVu Sans and Verdana, as a part of the font's size.
double width_of(char c) {
  if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U) return 0;  // the rest of a character in UTF-8
  if (c == 'm') return 0.98;
  if (std::string_view{"+=w"}.find(c) != std::string_view::npos || static_cast<unsigned char>(c) > 0x7fU) return 0.84;
  if (std::string_view{".,: ijl"}.find(c) != std::string_view::npos) return 0.37;
  if (std::string_view{"()frt"}.find(c) != std::string_view::npos) return 0.46;
  return 0.65;
}

int size_of(const std::string& style) {
  return style == "below" || style.starts_with("number") ? 11 : style == "name" ? 12 : 14;
}

double width_of(const std::string& style, const std::string& text) {
  double width = 0;
  for (const char c : text) width += width_of(c);
  return width * size_of(style) * (style.ends_with("picked") ? 1.12 : 1);  // which is bold
}

box box_of(const written_text& t) {
  const double width = width_of(t.style, t.text);
  const double left = t.anchor == "start" ? t.x : t.x - width / 2;
  return {left, t.y - 0.76 * size_of(t.style), left + width, t.y + 1};
}

// A line of an arrow as a path of SVG and as points close to each other.
class line {
 public:
  explicit line(point start) {
    points_.push_back(start);
    path_ << 'M' << start.x << ' ' << start.y;
  }
  void to(point end) {
    const point start = points_.back();
    const double length = std::max(std::abs(end.x - start.x), std::abs(end.y - start.y));
    const int count = static_cast<int>(length) + 1;
    for (int k = 1; k <= count; ++k) {
      const double t = static_cast<double>(k) / count;
      points_.push_back({start.x + t * (end.x - start.x), start.y + t * (end.y - start.y)});
    }
    path_ << " L" << end.x << ' ' << end.y;
  }
  void bend(point first, point second, point end) {
    const point start = points_.back();
    constexpr int count = 100;
    for (int k = 1; k <= count; ++k) {
      const double t = static_cast<double>(k) / count;
      const double u = 1 - t;
      const auto at = [&](double a, double b, double c, double d) {
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
      };
      points_.push_back({at(start.x, first.x, second.x, end.x), at(start.y, first.y, second.y, end.y)});
    }
    path_ << " C" << first.x << ' ' << first.y << ' ' << second.x << ' ' << second.y << ' ' << end.x << ' ' << end.y;
  }
  [[nodiscard]] std::string path() const { return path_.str(); }
  [[nodiscard]] const std::vector<point>& points() const { return points_; }

 private:
  std::vector<point> points_;
  std::ostringstream path_;
};

// An arrow that comes from the direction (dx, dy), a unit along one axis, and ends in a tip.
struct arrow {
  std::string style;  // of the line and of the head, without their first class
  std::string path;
  std::vector<point> points;
  point tip = {};
  int dx = 0;
  int dy = 0;
};

arrow make_arrow(const std::string& style, const line& drawn, point tip, int dx, int dy) {
  arrow result{style, drawn.path(), drawn.points(), tip, dx, dy};
  // The sides of the head.
  for (const double side : {-1.0, 0.0, 1.0}) {
    for (int k = 0; k <= static_cast<int>(head_length); ++k) {
      const double off = side * head_half * k / head_length;
      result.points.push_back({tip.x + dx * k + dy * off, tip.y + dy * k + dx * off});
    }
  }
  return result;
}

// The number of texts that an arrow touches.
int texts_under(const arrow& a, const std::vector<box>& texts) {
  return static_cast<int>(std::count_if(texts.begin(), texts.end(), [&](const box& b) {
    return std::any_of(a.points.begin(), a.points.end(), [&](const point& p) {
      return overlap({p.x - clearance, p.y - clearance / 2, p.x + clearance, p.y + clearance / 2}, b);
    });
  }));
}

// How much of an arrow lies on or beside another one.
int points_beside(const arrow& a, const arrow& other) {
  constexpr std::size_t stride = 3;
  int count = 0;
  for (std::size_t k = 0; k < a.points.size(); k += stride) {
    for (std::size_t l = 0; l < other.points.size(); l += stride) {
      if (std::abs(a.points[k].x - other.points[l].x) < between_arrows &&
          std::abs(a.points[k].y - other.points[l].y) < between_arrows) {
        ++count;
        break;
      }
    }
  }
  return count;
}

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

bool are_indices(const panel& p) {
  return !p.cells.empty() && p.cells[0].appearance == look::index;
}

int left_of_cells(const panel& p) {
  return (p.has_row_numbers ? numbers_width : 0) + (p.picked_rows.empty() ? 0 : steps_height);
}
// Or of the title, if that is wider.
int width_of_cells(const panel& p) {
  return std::max(p.columns * p.cell_width, static_cast<int>(std::ceil(width_of("name", p.title))));
}
// The least width of cells with room for their texts.
int cell_width_of(const panel& p) {
  double width = p.cell_width;
  for (const cell& c : p.cells) {
    width = std::max({width, width_of("value", c.text) + 2 * beside_value,
                      c.below.empty() ? 0 : width_of("below", c.below) + 2 * beside_below});
  }
  return static_cast<int>(std::ceil(width));
}
int above_cells(const panel& p) {
  return (p.has_title_below ? 0 : title_height) + (p.has_column_numbers ? numbers_height : 0);
}
int below_cells(const panel& p) {
  return (p.has_title_below ? title_height : 0) + (p.picked_columns.empty() ? 0 : steps_height);
}

class writer {
 public:
  explicit writer(picture drawn) : drawn_{std::move(drawn)}, places_(drawn_.panels.size()) {}

  // Throws std::logic_error where texts overlap or leave their cells, or where an arrow touches a text.
  std::string run() {
    size_cells();
    lay_out();
    for (std::size_t p = 0; p < drawn_.panels.size(); ++p) add_texts(drawn_.panels[p], places_[p]);
    require_apart();
    for (std::size_t p = 0; p < drawn_.panels.size(); ++p) add_steps(drawn_.panels[p], places_[p]);
    add_arrows();

    const std::string id = "picture-" + drawn_.name;
    out_ << "<svg class=\"picture\" role=\"img\" aria-labelledby=\"" << id << "-title " << id
         << "-text\" viewBox=\"0 0 " << width_ << ' ' << height_ << "\" style=\"--width:" << width_
         << "\" xmlns=\"http://www.w3.org/2000/svg\">\n"
         << "<title id=\"" << id << "-title\">" << escaped(drawn_.title) << "</title>\n<desc id=\"" << id << "-text\">"
         << escaped(drawn_.description) << "</desc>\n";
    for (std::size_t p = 0; p < drawn_.panels.size(); ++p) write_cells(drawn_.panels[p], places_[p]);
    for (const arrow& a : steps_) write_arrow(a, "step", "step-head");
    // Lost updates first, so that the others' arrows lie above them.
    for (const bool is_lost : {true, false}) {
      for (std::size_t k = 0; k < arrows_.size(); ++k) {
        if (drawn_.curves[k].is_lost == is_lost) write_arrow(arrows_[k], "curve", "head");
      }
    }
    for (const written_text& t : texts_) {
      out_ << "<text class=\"" << t.style << "\" x=\"" << t.x << "\" y=\"" << t.y << "\" text-anchor=\"" << t.anchor
           << "\">" << escaped(t.text) << "</text>\n";
    }
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  // Indices that stand above their updates.
  [[nodiscard]] bool is_close(const std::vector<std::size_t>& line) const {
    return line.size() == 1 && are_indices(drawn_.panels[line[0]]);
  }

  void size_cells() {
    for (panel& p : drawn_.panels) p.cell_width = cell_width_of(p);
    // Indices and the updates below them are as wide.
    const auto& lines = drawn_.lines;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      if (!is_close(lines[l])) continue;
      int& below = drawn_.panels[lines[l + 1][0]].cell_width;
      below = std::max(below, drawn_.panels[lines[l][0]].cell_width);
    }
    for (std::size_t l = lines.size(); l-- > 0;) {
      if (is_close(lines[l])) drawn_.panels[lines[l][0]].cell_width = drawn_.panels[lines[l + 1][0]].cell_width;
    }
  }

  void lay_out() {
    int y = margin;
    int right = 0;
    // Panels of several lines beside others stand in columns.
    std::vector<int> lefts;
    std::vector<int> widths;
    for (const std::vector<std::size_t>& panels : drawn_.lines) {
      if (panels.size() == 1) continue;
      lefts.resize(std::max(lefts.size(), panels.size()));
      widths.resize(lefts.size());
      for (std::size_t k = 0; k < panels.size(); ++k) {
        lefts[k] = std::max(lefts[k], left_of_cells(drawn_.panels[panels[k]]));
        widths[k] = std::max(widths[k], width_of_cells(drawn_.panels[panels[k]]));
      }
    }
    bottoms_.resize(drawn_.panels.size());
    for (std::size_t l = 0; l < drawn_.lines.size(); ++l) {
      const std::vector<std::size_t>& panels = drawn_.lines[l];
      int x = margin;
      int above = 0;
      int cells = 0;
      int below = 0;
      for (const std::size_t p : panels) {
        const panel& shown = drawn_.panels[p];
        above = std::max(above, above_cells(shown));
        cells = std::max(cells, shown.rows * cell_height);
        below = std::max(below, shown.rows * cell_height + below_cells(shown));
      }
      for (std::size_t k = 0; k < panels.size(); ++k) {
        const std::size_t p = panels[k];
        const bool is_alone = panels.size() == 1;
        const int width = width_of_cells(drawn_.panels[p]);
        x += is_alone ? left_of_cells(drawn_.panels[p]) : lefts[k];
        // Indices stand close to their updates, which follow.
        places_[p] = {x + (!is_alone && are_indices(drawn_.panels[p]) ? widths[k] - width : 0), y + above};
        bottoms_[p] = y + above + cells;
        right = std::max(right, x + width);
        x += (is_alone ? 0 : widths[k]) + between_panels;
      }
      const bool is_last = l + 1 == drawn_.lines.size();
      const bool is_above_output = l + 2 == drawn_.lines.size();
      y += above + below + (is_last ? margin : is_above_output ? above_output : is_close(panels) ? 4 : between_lines);
    }
    const bool has_side = std::any_of(drawn_.curves.begin(), drawn_.curves.end(),
                                      [](const curve& c) { return c.way == route::along_the_right; });
    width_ = right + (has_side ? room_for_curves : margin);
    height_ = y;
  }

  void add_text(double x, double y, const char* style, const std::string& text, const char* anchor = "middle") {
    texts_.push_back({style, x, y, anchor, text});
    boxes_.push_back(box_of(texts_.back()));
  }

  void require_apart() const {
    for (std::size_t k = 0; k < boxes_.size(); ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        if (overlap(boxes_[l], boxes_[k]))
          throw std::logic_error(drawn_.name + ": texts overlap: " + texts_[l].text + ", " + texts_[k].text);
      }
    }
  }

  void add_texts(const panel& p, const place& at) {
    const int title_y = p.has_title_below ? p.rows * cell_height + below_cells(p) - 5
                                          : -(p.has_column_numbers ? numbers_height : 0) - 7;
    add_text(at.x, at.y + title_y, "name", p.title, "start");
    if (p.has_column_numbers) {
      for (int j = 0; j < p.columns; ++j) {
        const char* style = is_among(j, p.picked_columns) ? "number picked" : "number";
        add_text(at.x + (j + 0.5) * p.cell_width, at.y - 8, style, std::to_string(j));
      }
    }
    if (p.has_row_numbers) {
      for (int i = 0; i < p.rows; ++i) {
        const char* style = is_among(i, p.picked_rows) ? "number picked" : "number";
        add_text(at.x - 9, at.y + (i + 0.5) * cell_height + 4, style, std::to_string(i));
      }
    }
    for (int i = 0; i < p.rows * p.columns; ++i) {
      const cell& c = p.cells[static_cast<std::size_t>(i)];
      const double x = at.x + (i % p.columns + 0.5) * p.cell_width;
      const int y = at.y + i / p.columns * cell_height;
      const char* style = c.appearance == look::kept   ? "value kept"
                          : c.appearance == look::lost ? "value lost"
                                                       : "value";
      const auto add = [&](int baseline, const char* of_style, const std::string& text) {
        add_text(x, y + baseline, of_style, text);
        constexpr int least = 3;  // between a text and the border
        const box& b = boxes_.back();
        if (b.left < x - p.cell_width / 2.0 + least || b.right > x + p.cell_width / 2.0 - least || b.top < y + least ||
            b.bottom > y + cell_height - least)
          throw std::logic_error(drawn_.name + ": a text leaves its cell: " + text);
      };
      add(c.below.empty() ? 22 : 16, style, c.text);
      if (!c.below.empty()) add(29, "below", c.below);
    }
  }

  // The arcs that show the steps of a slice.
  void add_steps(const panel& p, const place& at) {
    const auto add = [&](point start, point end, int bend_x, int bend_y) {
      const int dx = bend_x == 0 ? 0 : -1;
      const int dy = bend_y == 0 ? 0 : 1;
      line drawn{start};
      drawn.bend({start.x + bend_x, start.y + bend_y}, {end.x + bend_x, end.y + bend_y},
                 {end.x + dx * (head_length - 1), end.y + dy * (head_length - 1)});
      steps_.push_back(make_arrow("", drawn, end, dx, dy));
      require_clear(steps_.back());
    };
    for (std::size_t k = 1; k < p.picked_columns.size(); ++k) {
      const double y = at.y + p.rows * cell_height + gap;
      const double off = p.picked_columns[k] < p.picked_columns[k - 1] ? -inset : inset;
      add({at.x + (p.picked_columns[k - 1] + 0.5) * p.cell_width + off, y},
          {at.x + (p.picked_columns[k] + 0.5) * p.cell_width - off, y}, 0, 20);
    }
    for (std::size_t k = 1; k < p.picked_rows.size(); ++k) {
      const double x = at.x - numbers_width - 1;
      add({x, at.y + (p.picked_rows[k - 1] + 0.5) * cell_height}, {x, at.y + (p.picked_rows[k] + 0.5) * cell_height},
          -20, 0);
    }
  }

  void require_clear(const arrow& a) const {
    if (texts_under(a, boxes_) != 0) throw std::logic_error(drawn_.name + ": an arrow touches a text: " + a.path);
  }

  // Of the ways that an arrow may take, the one that touches no text and least beside other arrows. Two rounds, since
  // the first arrows of the first round know of no others.
  void add_arrows() {
    arrows_.resize(drawn_.curves.size());
    for (int round = 0; round < 2; ++round) {
      for (std::size_t k = 0; k < arrows_.size(); ++k) {
        double least = std::numeric_limits<double>::max();
        arrow best;
        for (const arrow& a : ways_of(k)) {
          double cost = 1000.0 * texts_under(a, boxes_) + 0.05 * std::abs(a.tip.x - a.points.front().x);
          for (std::size_t other = 0; other < arrows_.size(); ++other) {
            if (other != k) cost += points_beside(a, arrows_[other]);
          }
          if (cost < least) {
            least = cost;
            best = a;
          }
        }
        arrows_[k] = best;
      }
    }
    for (const arrow& a : arrows_) require_clear(a);
  }

  // Where an arrow may cross the border of a cell.
  static std::array<double, 9> across(double width) {
    constexpr double second = inset + between_arrows;
    return {width / 4, width / 2,      3 * width / 4, inset,       width - inset,
            second,    width - second, 0.35 * width,  0.65 * width};
  }

  // Candidates for the arrow of a curve. Between the numbers of a grid an arrow runs straight down, near the borders of
  // the columns; it bends below the updates and above the output.
  [[nodiscard]] std::vector<arrow> ways_of(std::size_t number) const {
    const curve& c = drawn_.curves[number];
    const panel& from = drawn_.panels[c.from_panel];
    const panel& to = drawn_.panels[c.to_panel];
    const int from_row = c.from_cell / from.columns;
    const double from_x = places_[c.from_panel].x + c.from_cell % from.columns * from.cell_width;
    const double from_y = places_[c.from_panel].y + from_row * cell_height;
    const double to_x = places_[c.to_panel].x + c.to_cell % to.columns * to.cell_width;
    const double to_y = places_[c.to_panel].y + c.to_cell / to.columns * cell_height;
    const std::string style = " c" + std::to_string(c.colour) + (c.is_lost ? " lost" : "");

    std::vector<arrow> result;
    if (c.way == route::along_the_right) {
      const double x = places_[c.from_panel].x + from.columns * from.cell_width + gap;
      const double end_x = places_[c.to_panel].x + to.columns * to.cell_width + gap;
      const double y = from_y + cell_height / 2.0;
      const double turn_y = places_[c.to_panel].y;
      for (const double out : {16.0, 25.0, 34.0}) {
        const double turn_x = std::max(x, end_x) + out;
        for (const int up : {0, -8, 8}) {
          const double end_y = to_y + cell_height / 2.0 + up;
          line drawn{{x, y}};
          drawn.bend({(x + turn_x) / 2, y}, {turn_x, y + (turn_y - y) / 3}, {turn_x, turn_y});
          drawn.bend({turn_x, (turn_y + end_y) / 2}, {turn_x, end_y}, {end_x + head_length - 1, end_y});
          result.push_back(make_arrow(style, drawn, {end_x, end_y}, 1, 0));
        }
      }
      return result;
    }

    const double tip_y = to_y - gap;
    const double above = std::max<double>(to.has_column_numbers ? numbers_height : 0, gap + head_length);
    const double bend_end = places_[c.to_panel].y - above;
    const auto down = [&](line& drawn, double end_x) {
      drawn.to({end_x, tip_y + 1 - head_length});
      result.push_back(make_arrow(style, drawn, {end_x, tip_y}, 0, -1));
    };
    for (const double end : across(to.cell_width)) {
      const double end_x = to_x + end;
      if (c.way == route::from_the_right) {
        const point start{places_[c.from_panel].x + from.columns * from.cell_width + gap, from_y + cell_height / 2.0};
        line drawn{start};
        drawn.bend({std::max(end_x, start.x + 20), start.y}, {end_x, (start.y + bend_end) / 2}, {end_x, bend_end});
        down(drawn, end_x);
        continue;
      }
      const double bend_start = bottoms_[c.from_panel] + gap;
      const double bend = (bend_end - bend_start) / 2;
      for (const double start : across(from.cell_width)) {
        const double x = from_x + start;
        line drawn{{x, from_y + cell_height + gap}};
        if (bend_start > from_y + cell_height + gap) drawn.to({x, bend_start});
        drawn.bend({x, bend_start + bend}, {end_x, bend_end - bend}, {end_x, bend_end});
        down(drawn, end_x);
      }
    }
    return result;
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
  }

  void write_arrow(const arrow& a, const char* line_class, const char* head_class) {
    out_ << "<path class=\"" << line_class << a.style << "\" d=\"" << a.path << "\"/>\n<path class=\"" << head_class
         << a.style << "\" d=\"M" << a.tip.x << ' ' << a.tip.y << " L"
         << a.tip.x + a.dx * head_length + a.dy * head_half << ' ' << a.tip.y + a.dy * head_length + a.dx * head_half
         << " L" << a.tip.x + a.dx * head_length - a.dy * head_half << ' '
         << a.tip.y + a.dy * head_length - a.dx * head_half << " Z\"/>\n";
  }

  picture drawn_;
  std::vector<place> places_;
  std::vector<int> bottoms_;  // of the cells of all panels beside each one
  std::vector<written_text> texts_;
  std::vector<box> boxes_;  // of the texts
  std::vector<arrow> steps_;
  std::vector<arrow> arrows_;  // one for each curve
  int width_ = 0;
  int height_ = 0;
  std::ostringstream out_;
};

}  // namespace

std::string to_svg(const picture& drawn) {
  return writer(drawn).run();
}

}  // namespace site
