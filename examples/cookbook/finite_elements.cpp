// SPDX-License-Identifier: Apache-2.0
// Finite-element assembly: each triangle adds its 3 x 3 matrix to the values of a sparse matrix in CSR, at positions
// that are computed once for the mesh. It solves Poisson's equation: a membrane, fixed at its rim and at a hole, under
// a uniform load.
#include "../help.hpp"
#include "picture.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t around = 80;  // nodes on a ring
constexpr std::size_t rings = 19;   // from the hole to the rim

struct point {
  double x, y;
};
using triangle = std::array<std::size_t, 3>;

struct mesh {
  std::vector<point> nodes;
  std::vector<triangle> triangles;
};

// Compressed sparse rows, and the position in `values` of each entry of each element's matrix.
struct sparse_matrix {
  std::vector<std::size_t> row_begin;
  std::vector<std::size_t> columns;
  std::vector<std::int32_t> places;  // [triangles, 3, 3]
  std::vector<double> values;
};

double cross(const point& a, const point& b, const point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The stiffness matrix of linear elements: the products of the gradients of its nodes' hat functions, times its area.
std::array<double, 9> element_matrix(const mesh& m, const triangle& t) {
  std::array<double, 9> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const point &i1 = m.nodes[t[(i + 1) % 3]], &i2 = m.nodes[t[(i + 2) % 3]];
      const point &j1 = m.nodes[t[(j + 1) % 3]], &j2 = m.nodes[t[(j + 2) % 3]];
      result[3 * i + j] = ((i2.x - i1.x) * (j2.x - j1.x) + (i2.y - i1.y) * (j2.y - j1.y)) /
                          (2 * cross(m.nodes[t[0]], m.nodes[t[1]], m.nodes[t[2]]));
    }
  }
  return result;
}

void assemble(const mesh& m, sparse_matrix& matrix) {
  std::vector<std::array<double, 9>> elements;
  for (const triangle& t : m.triangles) elements.push_back(element_matrix(m, t));
  const auto triangles = static_cast<std::int64_t>(elements.size());

  const strew::tensor_view values{matrix.values.data(), static_cast<std::int64_t>(matrix.values.size())};
  const strew::tensor_view places{matrix.places.data(), {triangles, 3, 3}};
  const strew::tensor_view matrices{elements.data()->data(), {triangles, 3, 3}};
  strew::index_add(values, 0, places, matrices);  // values[places[e, i, j]] += matrices[e, i, j]
}

// ---- The rest: the mesh, the pattern of its matrix, the check, the solver, the drawing.

mesh drum() {
  mesh result;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    for (std::size_t k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / around;
      const double part = static_cast<double>(ring) / (rings - 1);
      const double rim = 1 + 0.13 * std::cos(5 * angle);
      const point inner{0.3 + 0.16 * std::cos(angle), 0.18 + 0.16 * std::sin(angle)};
      const point outer{rim * std::cos(angle), rim * std::sin(angle)};
      result.nodes.push_back({std::lerp(inner.x, outer.x, part), std::lerp(inner.y, outer.y, part)});
      if (ring == 0) continue;
      const std::size_t next = (k + 1) % around;
      const std::size_t a = (ring - 1) * around + k, b = (ring - 1) * around + next;
      const std::size_t c = ring * around + next, d = ring * around + k;
      result.triangles.push_back({a, c, b});
      result.triangles.push_back({a, d, c});
    }
  }
  return result;
}

bool is_held(std::size_t node) {
  return node < around || node >= (rings - 1) * around;
}

sparse_matrix pattern_of(const mesh& m) {
  std::map<std::pair<std::size_t, std::size_t>, std::int32_t> place;
  for (const triangle& t : m.triangles) {
    for (const std::size_t i : t) {
      for (const std::size_t j : t) place[{i, j}] = 0;
    }
  }
  sparse_matrix result;
  result.row_begin.resize(m.nodes.size() + 1);
  for (auto& [at, number] : place) {
    number = static_cast<std::int32_t>(result.columns.size());
    result.columns.push_back(at.second);
    result.row_begin[at.first + 1] = result.columns.size();
  }
  for (const triangle& t : m.triangles) {
    for (const std::size_t i : t) {
      for (const std::size_t j : t) result.places.push_back(place[{i, j}]);
    }
  }
  result.values.resize(result.columns.size());
  return result;
}

bool is_as_by_plain_loops(const mesh& m, const sparse_matrix& matrix) {
  std::map<std::pair<std::size_t, std::size_t>, double> sums;
  for (const triangle& t : m.triangles) {
    const std::array<double, 9> element = element_matrix(m, t);
    for (std::size_t i = 0; i < 9; ++i) sums[{t[i / 3], t[i % 3]}] += element[i];
  }
  return std::equal(sums.begin(), sums.end(), matrix.values.begin(), matrix.values.end(),
                    [](const auto& sum, double value) { return sum.second == value; });
}

// Conjugate gradients; fixed nodes stay 0.
std::vector<double> solved(const sparse_matrix& matrix, const std::vector<double>& load) {
  const std::size_t n = load.size();
  std::vector<double> u(n), r = load, p = load, ap(n);
  const auto dot = [n](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  double rr = dot(r, r);
  const double enough = 1e-20 * rr;
  for (int iteration = 0; rr > enough && iteration < 1000; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) {
      ap[i] = 0;
      for (std::size_t k = matrix.row_begin[i]; k < matrix.row_begin[i + 1] && !is_held(i); ++k) {
        ap[i] += matrix.values[k] * p[matrix.columns[k]];
      }
    }
    const double alpha = rr / dot(p, ap);
    for (std::size_t i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    const double last = rr;
    rr = dot(r, r);
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + rr / last * p[i];
  }
  return u;
}

// Colours and contour lines of the solution, which is linear in each triangle, and the mesh.
picture drawn(const mesh& m, const std::vector<double>& u) {
  constexpr std::array scale{pixel{38, 20, 71, 255}, pixel{120, 28, 109, 255}, pixel{207, 68, 70, 255},
                             pixel{251, 155, 6, 255}, pixel{252, 255, 164, 255}};
  constexpr std::int64_t side = 400;
  constexpr double pixels_per_unit = 170;
  constexpr double contours = 10;
  const double highest = *std::max_element(u.begin(), u.end());
  picture result(side, side);
  for (const triangle& t : m.triangles) {
    std::array<point, 3> corner{};
    for (std::size_t i = 0; i < 3; ++i) {
      corner[i] = {side / 2 + pixels_per_unit * m.nodes[t[i]].x, side / 2 + pixels_per_unit * m.nodes[t[i]].y};
    }
    const double area = cross(corner[0], corner[1], corner[2]);
    std::array<double, 3> edge{};
    point slope{};
    for (std::size_t i = 0; i < 3; ++i) {
      const point &a = corner[(i + 1) % 3], &b = corner[(i + 2) % 3];
      edge[i] = std::hypot(b.x - a.x, b.y - a.y);
      slope.x += (a.y - b.y) / area * u[t[i]] / highest;
      slope.y += (b.x - a.x) / area * u[t[i]] / highest;
    }
    const auto [left, right] = std::minmax({corner[0].x, corner[1].x, corner[2].x});
    const auto [top, bottom] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
    for (auto y = static_cast<std::int64_t>(top); y <= static_cast<std::int64_t>(bottom); ++y) {
      for (auto x = static_cast<std::int64_t>(left); x <= static_cast<std::int64_t>(right); ++x) {
        const point at{static_cast<double>(x), static_cast<double>(y)};
        double value = 0, to_edge = side;
        for (std::size_t i = 0; i < 3; ++i) {
          const double twice_area = cross(at, corner[(i + 1) % 3], corner[(i + 2) % 3]);
          value += twice_area / area * u[t[i]] / highest;
          to_edge = std::min(to_edge, twice_area / edge[i]);
        }
        if (to_edge < 0) continue;
        const double to_contour =
            std::abs(value - std::round(value * contours) / contours) / std::hypot(slope.x, slope.y);
        const pixel meshed =
            mixed(on_scale(scale, std::round(value * 40) / 40), {0, 0, 0, 255}, to_edge < 0.5 ? 0.2 : 0);
        result(y, x) = mixed(meshed, {255, 255, 255, 255}, to_contour < 0.4 ? 0.9 : to_contour < 0.9 ? 0.45 : 0);
      }
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "Finite-element assembly: triangles add their matrices to a sparse one (index_add). The solution, a\n"
      "drum's skin under a load, is drawn into finite_elements.png in the current directory."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  const mesh m = drum();
  sparse_matrix matrix = pattern_of(m);
  assemble(m, matrix);
  std::vector<double> load(m.nodes.size());
  for (const triangle& t : m.triangles) {
    for (const std::size_t i : t) load[i] += is_held(i) ? 0 : cross(m.nodes[t[0]], m.nodes[t[1]], m.nodes[t[2]]) / 6;
  }
  const std::vector<double> u = solved(matrix, load);
  const bool right = is_as_by_plain_loops(m, matrix);
  const std::string error = write_png("finite_elements.png", drawn(m, u));
  std::printf("%zu triangles in %zu values of a matrix of %zu rows: %s\n", m.triangles.size(), matrix.values.size(),
              m.nodes.size(), right ? "as by plain loops" : "WRONG");
  std::printf("finite_elements.png: %s\n", error.empty() ? "written" : error.c_str());
  return right && error.empty() ? 0 : 1;
}
