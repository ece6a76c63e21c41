// SPDX-License-Identifier: Apache-2.0
// The pictures of the operators: pictures <directory> writes one SVG each. Where an update lands, which of several
// stays and how a reduction combines them is what calls of the library did.
#include "picture.hpp"
#include "trace.hpp"

#include <strew/mpi/distribution.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace site {
namespace {

namespace reduction = strew::reduction;
using strew::tensor_view;

constexpr int colour_count = 6;

std::string printed(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  std::string result = text.str();
  if (result[0] == '-') result.replace(0, 1, "\u2212");
  return result;
}

std::vector<double> numbered(std::size_t count, double first = 0) {
  std::vector<double> result(count);
  for (double& value : result) value = first++;
  return result;
}

int rows_of(const strew::index_list& extents) {
  return extents.size() < 2 ? 1 : static_cast<int>(extents[0]);
}
int columns_of(const strew::index_list& extents) {
  return extents.empty() ? 1 : static_cast<int>(extents[extents.size() - 1]);
}

std::string coordinate(int element, const strew::index_list& extents) {
  const int columns = columns_of(extents);
  if (extents.size() < 2) return "[" + std::to_string(element) + "]";
  return "[" + std::to_string(element / columns) + ", " + std::to_string(element % columns) + "]";
}

// The indices of a call as they are drawn; `below` says what they come to where that is not what they are.
struct index_panel {
  std::string title = "indices";
  int rows = 0;
  int columns = 0;
  std::vector<std::string> values;
  std::vector<std::string> below = {};
};

template <class Integer>
index_panel shown(const std::vector<Integer>& indices, int rows, int columns, std::int64_t extent = 0) {
  index_panel result{.rows = rows, .columns = columns, .values = {}};
  for (const Integer index : indices) {
    result.values.push_back(printed(static_cast<double>(index)));
    result.below.push_back(index < 0 && extent > 0 ? "= " + std::to_string(index + extent) : "");
  }
  return result;
}

struct settings {
  std::string name;
  std::string title;
  grid data;
  std::vector<index_panel> indices;
  grid updates;
  std::string updates_title = "updates";
  std::function<int(int)> colour = {};  // of an update, by its row-major number; its own number if left out
  bool curves_of_rows = false;          // one curve for each row of the updates
  bool is_wide = false;                 // data stands above, and not beside the output
  bool has_column_of_updates = false;   // updates of rank 1 are drawn as a column, as tuples are
  bool has_numbers = true;
  std::vector<int> picked_rows = {};
  std::vector<int> picked_columns = {};
  std::string sign = "";         // between the terms of an output: "+", "max", "mean"
  bool starts_from_data = true;  // whether what was there is a term
};

std::string terms(const settings& s, std::size_t element, const std::vector<int>& met) {
  std::vector<std::string> parts;
  if (s.starts_from_data) parts.push_back(printed(s.data.values[element]));
  for (const int update : met) parts.push_back(printed(s.updates.values[static_cast<std::size_t>(update)]));
  const bool is_function = std::isalpha(static_cast<unsigned char>(s.sign[0])) != 0;
  std::string result = is_function ? s.sign + "(" : "";
  for (std::size_t k = 0; k < parts.size(); ++k) result += (k == 0 ? "" : is_function ? "," : s.sign) + parts[k];
  return is_function ? result + ")" : result;
}

// Throws std::logic_error where an element is not what its terms, as they are drawn, come to.
void check_terms(const settings& s, const traced& seen) {
  for (std::size_t e = 0; e < seen.met.size(); ++e) {
    if (s.sign.empty() || seen.met[e].empty()) continue;
    std::vector<double> values;
    if (s.starts_from_data) values.push_back(s.data.values[e]);
    for (const int update : seen.met[e]) values.push_back(s.updates.values[static_cast<std::size_t>(update)]);
    double expected = values[0];
    for (std::size_t k = 1; k < values.size(); ++k) {
      expected = s.sign == "max" ? std::max(expected, values[k]) : expected + values[k];
    }
    if (s.sign == "mean") expected /= static_cast<double>(values.size());
    if (seen.output[e] != expected) throw std::logic_error(s.name + ": an element is not " + terms(s, e, seen.met[e]));
  }
}

template <class Reduction, class Call>
picture draw(const settings& s, Reduction how, const Call& call) {
  const traced seen = trace(s.data, s.updates, how, call);
  check_terms(s, seen);
  const auto colour_of = [&](int update) { return (s.colour ? s.colour(update) : update) % colour_count; };
  const bool is_reduced = !s.sign.empty();

  picture result{.name = s.name, .title = s.title, .description = "", .panels = {}, .lines = {}, .curves = {}};
  std::set<int> landed;
  std::set<int> stays;
  for (const std::vector<int>& met : seen.met) {
    landed.insert(met.begin(), met.end());
    if (!met.empty()) stays.insert(met.back());
    if (is_reduced) stays.insert(met.begin(), met.end());
  }

  panel data{"data", rows_of(s.data.extents), columns_of(s.data.extents), {}};
  for (const double value : s.data.values) data.cells.push_back({.text = printed(value)});
  panel updates{s.updates_title, rows_of(s.updates.extents), columns_of(s.updates.extents), {}};
  if (s.has_column_of_updates) std::swap(updates.rows, updates.columns);
  for (int u = 0; u < static_cast<int>(s.updates.values.size()); ++u) {
    updates.cells.push_back({.text = printed(s.updates.values[static_cast<std::size_t>(u)]),
                             .appearance = stays.count(u) != 0 ? look::update : look::lost,
                             .colour = colour_of(u)});
  }
  panel output{.title = "output",
               .rows = data.rows,
               .columns = data.columns,
               .cells = {},
               .has_title_below = true,
               .has_row_numbers = s.has_numbers && s.data.extents.size() > 1,
               .has_column_numbers = s.has_numbers,
               .picked_rows = s.picked_rows,
               .picked_columns = s.picked_columns};
  for (std::size_t e = 0; e < seen.output.size(); ++e) {
    const std::vector<int>& met = seen.met[e];
    cell drawn{.text = printed(seen.output[e])};
    if (!met.empty()) {
      drawn.appearance = look::written;
      drawn.colour = colour_of(met.back());
      if (is_reduced) drawn.below = terms(s, e, met);
    }
    output.cells.push_back(drawn);
  }

  std::vector<std::size_t> first;
  const auto add = [&](panel added) {
    result.panels.push_back(std::move(added));
    return result.panels.size() - 1;
  };
  const std::size_t data_at = add(data);
  for (const index_panel& given : s.indices) {
    panel drawn{given.title, given.rows, given.columns, {}};
    for (std::size_t k = 0; k < given.values.size(); ++k) {
      drawn.cells.push_back(
          {.text = given.values[k], .below = k < given.below.size() ? given.below[k] : "", .appearance = look::index});
    }
    first.push_back(add(std::move(drawn)));
  }
  const std::size_t updates_at = add(updates);
  first.push_back(updates_at);
  const std::size_t output_at = add(output);
  if (s.is_wide && updates.rows == 1) {
    result.lines = {{data_at}};
    bool is_above = true;  // indices that are a line of numbers stand above their updates
    for (const std::size_t p : first) is_above = is_above && result.panels[p].rows == 1;
    if (is_above) {
      for (const std::size_t p : first) result.lines.push_back({p});
    } else {
      result.lines.push_back(first);
    }
    result.lines.push_back({output_at});
  } else if (s.is_wide) {
    result.lines = {{data_at}, first, {output_at}};
  } else {
    result.lines = {first, {data_at, output_at}};
  }

  const route way = s.curves_of_rows                           ? route::along_the_right
                    : updates.rows > 1 && updates.columns == 1 ? route::from_the_right
                                                               : route::from_above;
  for (std::size_t e = 0; e < seen.met.size(); ++e) {
    for (const int update : seen.met[e]) {
      const bool is_lost = !is_reduced && update != seen.met[e].back();
      result.description += "Update " + printed(s.updates.values[static_cast<std::size_t>(update)]) + " at " +
                            coordinate(update, s.updates.extents) + (is_lost ? " is replaced at " : " lands at ") +
                            coordinate(static_cast<int>(e), s.data.extents) + ". ";
      if (s.curves_of_rows && static_cast<int>(e) % output.columns != output.columns - 1) continue;
      result.curves.push_back({updates_at, update, output_at, static_cast<int>(e), colour_of(update), is_lost, way});
    }
  }
  for (int u = 0; u < static_cast<int>(s.updates.values.size()); ++u) {
    if (landed.count(u) == 0) {
      result.description += "Update " + printed(s.updates.values[static_cast<std::size_t>(u)]) + " lands nowhere. ";
    }
  }
  return result;
}

// ---- The pictures

const auto by_row_of = [](int columns) { return [columns](int update) { return update / columns; }; };

std::vector<picture> slices() {
  const auto call = [](const strew::slice_spec& slice) {
    return [slice](auto, const auto& data, const auto& updates, const auto&... output) {
      strew::slice_scatter(data, updates, slice, output...);
    };
  };
  return {
      draw({.name = "slice_scatter",
            .title = "slice_scatter with [0:4:2, -1:0:-2]",
            .data = {std::vector<double>(24), {4, 6}},
            .indices = {},
            .updates = {numbered(6, 1), {2, 3}},
            .is_wide = true,
            .picked_rows = {0, 2},
            .picked_columns = {5, 3, 1}},
           reduction::none, call({.start = {0, -1}, .stop = {4, 0}, .step = {2, -2}})),
      draw({.name = "slice_scatter_clamped",
            .title = "slice_scatter with [-25:25:2] on the last axis: the bounds clamp to the axis",
            .data = {numbered(10), {2, 5}},
            .indices = {},
            .updates = {{10, 20, 30, 40, 50, 60}, {2, 3}},
            .is_wide = true,
            .picked_columns = {0, 2, 4}},
           reduction::none, call({.start = -25, .stop = 25, .step = 2, .axes = 1})),
  };
}

std::vector<picture> rows() {
  const std::vector<int> duplicates{3, 1, 3};
  const tensor_view indices{duplicates.data(), {3}};
  const std::vector<int> ends{1, -1};
  const tensor_view from_the_end{ends.data(), {2}};
  const grid table{{0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40}, {5, 3}};
  const grid lines{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3}};
  const std::vector<int> columns{4, 0};
  const tensor_view last_axis{columns.data(), {2}};
  return {
      draw({.name = "scatter_update",
            .title = "scatter_update on axis 0: of two updates of row 3 the last stays",
            .data = table,
            .indices = {shown(duplicates, 3, 1)},
            .updates = lines,
            .colour = by_row_of(3),
            .curves_of_rows = true},
           reduction::none,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::scatter_update(data, indices, updates, 0, output...);
           }),
      draw({.name = "scatter_update_axis_1",
            .title = "scatter_update on axis 1: whole columns",
            .data = {numbered(10), {2, 5}},
            .indices = {shown(columns, 1, 2)},
            .updates = {{11, 12, 13, 14}, {2, 2}},
            .colour = [](int update) { return update % 2; },
            .is_wide = true},
           reduction::none,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::scatter_update(data, last_axis, updates, 1, output...);
           }),
      draw({.name = "index_add",
            .title = "index_add on axis 0: both updates of row 3 are added",
            .data = table,
            .indices = {shown(duplicates, 3, 1)},
            .updates = lines,
            .updates_title = "source",
            .colour = by_row_of(3),
            .curves_of_rows = true,
            .sign = "+"},
           reduction::sum,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::index_add(data, 0, indices, updates, output...);
           }),
      draw({.name = "index_fill",
            .title = "index_fill on axis 0: a negative index counts from the end",
            .data = table,
            .indices = {shown(ends, 2, 1, 5)},
            .updates = {{7}, {}},
            .updates_title = "value",
            .colour = [](int) { return 1; },
            .curves_of_rows = true},
           reduction::none,
           [&](auto, const auto& data, const auto& value, const auto&... output) {
             strew::index_fill(data, 0, from_the_end, value, output...);
           }),
  };
}

std::vector<picture> elements() {
  const std::vector<int> strict{1, 2, 0, 3};
  const tensor_view of_version_3{strict.data(), {2, 2}};
  const std::vector<int> wrapping{0, -1, 0, 1, 1, -2};
  const tensor_view of_version_12{wrapping.data(), {2, 3}};
  const std::vector<int> down{1, 0, 2, 0, 2, 1};
  const tensor_view of_axis_0{down.data(), {2, 3}};
  const std::vector<int> maxima{2, -1, 0};
  const tensor_view of_maxima{maxima.data(), {3, 1}};
  const std::vector<int> meeting{0, 1, 0, 1, 2, 1};
  const tensor_view of_meeting{meeting.data(), {6}};
  const grid four{{1, 2, 3, 4}, {4}};
  const grid six{{1, 2, 3, 4, 5, 6}, {6}};
  const auto reduce = [&](const auto how) {
    return [&, how](auto traced_as, const auto& data, const auto& updates, const auto&... output) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(data.data()[0])>, double>) {
        strew::scatter_reduce(data, 0, of_meeting, updates, how, output...);
      } else {
        strew::scatter_reduce(data, 0, of_meeting, updates, traced_as, output...);
      }
    };
  };
  const auto by_target = [&](int update) { return meeting[static_cast<std::size_t>(update)]; };
  return {
      draw({.name = "scatter_elements_update",
            .title = "scatter_elements_update on axis 1: each index names a column of its own row",
            .data = {std::vector<double>(12), {3, 4}},
            .indices = {shown(strict, 2, 2)},
            .updates = {{11, 12, 13, 14}, {2, 2}}},
           reduction::none,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::scatter_elements_update(data, of_version_3, updates, 1, output...);
           }),
      draw({.name = "scatter_elements_update_sum",
            .title = "v12::scatter_elements_update on axis 1 with sum: a negative index counts from the end",
            .data = {{100, 200, 300, 400, 500, 600}, {2, 3}},
            .indices = {shown(wrapping, 2, 3, 3)},
            .updates = {{1, 2, 3, 4, 5, 6}, {2, 3}},
            .is_wide = true,
            .sign = "+"},
           reduction::sum,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::v12::scatter_elements_update(data, of_version_12, updates, 1, how, output...);
           }),
      draw({.name = "scatter_elements",
            .title = "onnx::scatter_elements on axis 0: each index selects a row of its own column",
            .data = {std::vector<double>(9), {3, 3}},
            .indices = {shown(down, 2, 3)},
            .updates = {{1, 1.1, 1.2, 2, 2.1, 2.2}, {2, 3}}},
           reduction::none,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::onnx::scatter_elements(data, of_axis_0, updates, 0, how, output...);
           }),
      draw({.name = "put_along_axis",
            .title = "put_along_axis on axis 1: one column of each row, the last by -1",
            .data = {{10, 30, 20, 60, 40, 50, 90, 80, 70}, {3, 3}},
            .indices = {shown(maxima, 3, 1, 3)},
            .updates = {{1, 2, 3}, {3, 1}},
            .updates_title = "values"},
           reduction::none,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::put_along_axis(data, of_maxima, updates, 1, output...);
           }),
      draw({.name = "scatter_add",
            .title = "scatter_add: all updates of an element are added, in their order",
            .data = four,
            .indices = {shown(meeting, 1, 6)},
            .updates = six,
            .updates_title = "source",
            .colour = by_target,
            .is_wide = true,
            .sign = "+"},
           reduction::sum,
           [&](auto, const auto& data, const auto& updates, const auto&... output) {
             strew::scatter_add(data, 0, of_meeting, updates, output...);
           }),
      draw({.name = "scatter_reduce_max",
            .title = "scatter_reduce with max",
            .data = four,
            .indices = {shown(meeting, 1, 6)},
            .updates = six,
            .updates_title = "source",
            .colour = by_target,
            .is_wide = true,
            .sign = "max"},
           reduction::max, reduce(reduction::max)),
      draw({.name = "scatter_reduce_mean",
            .title = "scatter_reduce with without_init(mean): what was there is left out",
            .data = four,
            .indices = {shown(meeting, 1, 6)},
            .updates = six,
            .updates_title = "source",
            .colour = by_target,
            .is_wide = true,
            .sign = "mean",
            .starts_from_data = false},
           reduction::without_init(reduction::mean), reduce(reduction::without_init(reduction::mean))),
  };
}

std::vector<picture> tuples() {
  const std::vector<int> pairs{0, 1, 2, -1, 0, 1};
  const tensor_view of_elements{pairs.data(), {3, 2}};
  const std::vector<int> singles{2, 0};
  const tensor_view of_rows{singles.data(), {2, 1}};
  const std::vector<int> negative{0, 2, -3, -3, 0};
  const tensor_view of_numbers{negative.data(), {5, 1}};
  const std::vector<int> first{0, 2, 0};
  const std::vector<int> second{3, -1, 3};
  const std::tuple both{tensor_view{first.data(), {3}}, tensor_view{second.data(), {3}}};
  const std::vector<int> flat{1, 6, -1};
  const tensor_view of_flat{flat.data(), {3}};
  const auto by_number = [&](int update) { return (negative[static_cast<std::size_t>(update)] + 4) % 4; };
  index_panel tuple_panel = shown(pairs, 3, 2);
  tuple_panel.below = {"", "", "", "= 3", "", ""};
  return {
      draw({.name = "scatter_nd",
            .title = "scatter_nd with tuples of two: each names an element, and the last of two equal ones stays",
            .data = {numbered(12), {3, 4}},
            .indices = {tuple_panel},
            .updates = {{21, 22, 23}, {3}},
            .has_column_of_updates = true},
           reduction::none,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::onnx::scatter_nd(data, of_elements, updates, how, output...);
           }),
      draw({.name = "scatter_nd_rows",
            .title = "scatter_nd with tuples of one: each names a row",
            .data = {numbered(12), {3, 4}},
            .indices = {shown(singles, 2, 1)},
            .updates = {{21, 22, 23, 24, 31, 32, 33, 34}, {2, 4}},
            .colour = by_row_of(4),
            .curves_of_rows = true,
            .is_wide = true},
           reduction::none,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::onnx::scatter_nd(data, of_rows, updates, how, output...);
           }),
      draw({.name = "scatter_nd_sum",
            .title = "scatter_nd_update with sum: every update is applied, in order",
            .data = {{1, 2, 3, 4}, {4}},
            .indices = {shown(negative, 1, 5, 4)},
            .updates = {{10, 20, 30, 40, 50}, {5}},
            .colour = by_number,
            .is_wide = true,
            .sign = "+"},
           reduction::sum,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::v15::scatter_nd_update(data, of_numbers, updates, how, output...);
           }),
      draw({.name = "index_put",
            .title = "index_put: rows and columns from a tensor each",
            .data = {numbered(12), {3, 4}},
            .indices =
                {{.title = "i0", .rows = 1, .columns = 3, .values = {"0", "2", "0"}},
                 {.title = "i1", .rows = 1, .columns = 3, .values = {"3", "\u22121", "3"}, .below = {"", "= 3", ""}}},
            .updates = {{21, 22, 23}, {3}},
            .updates_title = "values",
            .is_wide = true},
           reduction::none,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::index_put(data, both, updates, how, output...);
           }),
      draw({.name = "put",
            .title = "put: indices are row-major numbers of elements",
            .data = {numbered(12), {3, 4}},
            .indices = {shown(flat, 1, 3, 12)},
            .updates = {{21, 22, 23}, {3}},
            .updates_title = "source",
            .is_wide = true},
           reduction::none,
           [&](auto how, const auto& data, const auto& updates, const auto&... output) {
             strew::put(data, of_flat, updates, how, output...);
           }),
  };
}

std::vector<picture> parts() {
  // A mask as the call takes it, and as it is drawn.
  static constexpr std::array<bool, 8> chosen{false, true, false, true, true, false, false, true};
  const tensor_view mask{chosen.data(), {2, 4}};
  index_panel mask_panel{.title = "mask", .rows = 2, .columns = 4, .values = {}};
  for (const bool is_chosen : chosen) mask_panel.values.emplace_back(is_chosen ? "yes" : "\u00b7");
  return {
      draw({.name = "select_scatter",
            .title = "select_scatter on axis 0 with index -1: the last row",
            .data = {numbered(6), {2, 3}},
            .indices = {},
            .updates = {{7, 8, 9}, {3}},
            .updates_title = "source",
            .is_wide = true},
           reduction::none,
           [](auto, const auto& data, const auto& source, const auto&... output) {
             strew::select_scatter(data, source, 0, -1, output...);
           }),
      draw({.name = "diagonal_scatter",
            .title = "diagonal_scatter with offset 1",
            .data = {numbered(12), {3, 4}},
            .indices = {},
            .updates = {{21, 22, 23}, {3}},
            .updates_title = "source",
            .is_wide = true},
           reduction::none,
           [](auto, const auto& data, const auto& source, const auto&... output) {
             strew::diagonal_scatter(data, source, 1, 0, 1, output...);
           }),
      draw({.name = "diagonal_scatter_below",
            .title = "diagonal_scatter with offset -1: the diagonal below",
            .data = {numbered(12), {3, 4}},
            .indices = {},
            .updates = {{21, 22}, {2}},
            .updates_title = "source",
            .is_wide = true},
           reduction::none,
           [](auto, const auto& data, const auto& source, const auto&... output) {
             strew::diagonal_scatter(data, source, -1, 0, 1, output...);
           }),
      draw({.name = "masked_scatter",
            .title = "masked_scatter: the elements selected take the source's, both in row-major order",
            .data = {numbered(8), {2, 4}},
            .indices = {mask_panel},
            .updates = {{21, 22, 23, 24, 25}, {5}},
            .updates_title = "source",
            .is_wide = true},
           reduction::none,
           [&](auto, const auto& data, const auto& source, const auto&... output) {
             strew::masked_scatter(data, mask, source, output...);
           }),
      draw({.name = "masked_fill",
            .title = "masked_fill: the elements selected take one value",
            .data = {numbered(8), {2, 4}},
            .indices = {mask_panel},
            .updates = {{9}, {}},
            .updates_title = "value",
            .colour = [](int) { return 1; },
            .is_wide = true},
           reduction::none,
           [&](auto, const auto& data, const auto& value, const auto&... output) {
             strew::masked_fill(data, mask, value, output...);
           }),
  };
}

std::vector<picture> caches() {
  using strew::onnx::cache_mode;
  const std::vector<int> linear{1, 2};
  const std::vector<int> circular{3, 2};
  const grid cache{std::vector<double>(8), {2, 4}};
  const grid update{{1, 2, 3, 4}, {2, 2}};
  const auto call = [](const std::vector<int>& positions, cache_mode mode) {
    return [&positions, mode](auto, const auto& data, const auto& updates, const auto&... output) {
      strew::onnx::tensor_scatter(data, updates, tensor_view{positions.data(), {2}}, {.mode = mode, .axis = 1},
                                  output...);
    };
  };
  const auto positions = [](const std::vector<int>& values) {
    index_panel panel = shown(values, 2, 1);
    panel.title = "write_indices";
    return panel;
  };
  return {
      draw({.name = "tensor_scatter",
            .title = "tensor_scatter, linear: each sample from a position of its own",
            .data = cache,
            .indices = {positions(linear)},
            .updates = update,
            .updates_title = "update",
            .is_wide = true},
           reduction::none, call(linear, cache_mode::linear)),
      draw({.name = "tensor_scatter_circular",
            .title = "tensor_scatter, circular: past the end comes the beginning",
            .data = cache,
            .indices = {positions(circular)},
            .updates = update,
            .updates_title = "update",
            .is_wide = true},
           reduction::none, call(circular, cache_mode::circular)),
  };
}

std::vector<picture> policies() {
  const std::vector<int> bad{-1, 9, 2};
  const tensor_view indices{bad.data(), {3}};
  const auto given = [&](std::vector<std::string> below) {
    index_panel panel = shown(bad, 1, 3);
    panel.below = std::move(below);
    return panel;
  };
  const auto drawn = [&](const std::string& name, std::vector<std::string> below, const auto& policy) {
    return draw({.name = name,
                 .title = "scatter_update with strew::" + name + "(indices)",
                 .data = {{1, 2, 3, 4}, {4}},
                 .indices = {given(std::move(below))},
                 .updates = {{10, 20, 30}, {3}},
                 .is_wide = true},
                reduction::none, [&](auto, const auto& data, const auto& updates, const auto&... output) {
                  strew::scatter_update(data, policy(indices), updates, 0, output...);
                });
  };
  return {
      drawn("drop", {"dropped", "dropped", ""}, [](const auto& i) { return strew::drop(i); }),
      drawn("clip", {"0", "3", ""}, [](const auto& i) { return strew::clip(i); }),
      drawn("wrap", {"3", "1", ""}, [](const auto& i) { return strew::wrap(i); }),
  };
}

// Six updates on two ranks, which travel to the owners of their rows.
std::vector<picture> distributed() {
  constexpr std::array<std::int64_t, 6> indices{1, 6, 1, 2, 4, 6};
  const auto rows = strew::mpi::distribution::block(8, 2);
  const auto positions = strew::mpi::distribution::block(6, 2);
  picture result;
  result.name = "distributed";
  result.title = "index_add on two ranks: updates travel to the owners of their rows";
  result.description =
      "Each rank has three indices with their updates, and four rows of the table. Arrows lead from each update to its "
      "row, which is on the other rank for two of them.";
  result.lines = {{0, 1}, {2, 3}};
  std::array<std::string, 8> applied;
  for (std::int64_t k = 0; k < 6; ++k) {
    std::string& list = applied[static_cast<std::size_t>(indices[static_cast<std::size_t>(k)])];
    list += (list.empty() ? "" : " ") + std::string(1, static_cast<char>('a' + k));
  }
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    panel given{.title = "rank " + std::to_string(rank) + ": indices, updates", .rows = 1, .columns = 3};
    for (std::int64_t i = 0; i < 3; ++i) {
      const std::int64_t k = positions.global_index(rank, i);
      given.cells.push_back({std::to_string(indices[static_cast<std::size_t>(k)]),
                             std::string(1, static_cast<char>('a' + k)), look::update, static_cast<int>(k)});
    }
    result.panels.push_back(given);
  }
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    panel part;
    part.title = "rank " + std::to_string(rank) + ": rows of the table";
    part.rows = 1;
    part.columns = 4;
    part.has_title_below = true;
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::int64_t row = rows.global_index(rank, i);
      const std::string& list = applied[static_cast<std::size_t>(row)];
      part.cells.push_back({std::to_string(row), list, list.empty() ? look::kept : look::written});
    }
    result.panels.push_back(part);
  }
  for (std::int64_t k = 0; k < 6; ++k) {
    const strew::mpi::place from = positions.locate(k);
    const strew::mpi::place to = rows.locate(indices[static_cast<std::size_t>(k)]);
    result.curves.push_back({static_cast<std::size_t>(from.rank), static_cast<int>(from.local),
                             2 + static_cast<std::size_t>(to.rank), static_cast<int>(to.local), static_cast<int>(k),
                             false, route::from_above});
  }
  return {result};
}

void write(const std::filesystem::path& directory) {
  for (const auto& make : {slices, rows, elements, tuples, parts, caches, policies, distributed}) {
    for (const picture& drawn : make()) {
      std::ofstream file(directory / (drawn.name + ".svg"));
      file << to_svg(drawn);
      file.close();
      if (!file) throw std::runtime_error("cannot write " + drawn.name + ".svg");
    }
  }
}

}  // namespace
}  // namespace site

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: pictures <directory>\n");
    return 2;
  }
  try {
    site::write(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pictures: %s\n", error.what());
    return 1;
  }
}
