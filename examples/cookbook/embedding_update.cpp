// SPDX-License-Identifier: Apache-2.0
// A step of a sparse optimizer: Adagrad on an embedding table, which reads and writes only the rows that a batch used.
// The rows are the coordinates of cities, learned from the distances between them. Four are known; their rows do not
// change.
#include "../help.hpp"

#include <strew/operators/index_add.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

using place = std::array<float, 2>;  // km to the east and to the north

struct city {
  const char* name;
  place true_place;
};
constexpr std::array cities{
    city{"Lisbon", {64, 300}},      city{"Helsinki", {2495, 2691}},  city{"Athens", {2409, 222}},
    city{"Dublin", {268, 1929}},    city{"London", {708, 1724}},     city{"Paris", {883, 1434}},
    city{"Madrid", {450, 489}},     city{"Rome", {1608, 656}},       city{"Berlin", {1673, 1835}},
    city{"Oslo", {1483, 2658}},     city{"Stockholm", {2009, 2591}}, city{"Warsaw", {2216, 1801}},
    city{"Vienna", {1887, 1357}},   city{"Istanbul", {2788, 556}},   city{"Kyiv", {2895, 1607}},
    city{"Bucharest", {2580, 934}}, city{"Milan", {1372, 1056}},     city{"Riga", {2437, 2330}},
    city{"Bergen", {1094, 2713}},   city{"Barcelona", {872, 600}},   city{"Copenhagen", {1615, 2191}},
    city{"Edinburgh", {486, 2218}}};
constexpr std::int64_t rows = cities.size();
constexpr std::int64_t known = 4;

using table = std::array<place, cities.size()>;

struct model {
  table places{};
  table squares{};  // Adagrad's sums of squared gradients

  friend bool operator==(const model&, const model&) = default;
};

struct batch {
  static constexpr std::size_t size = 8;
  std::array<std::int64_t, size> used;  // pairs of rows: first and second, third and fourth
  std::array<place, size> gradients;
};

void adagrad(float gradient, float& square, float& number) {
  square += gradient * gradient;
  number -= 300 * gradient / (std::sqrt(square) + 1e-3f);
}

strew::tensor_view<float> view(place* first, std::int64_t count) {
  return {first->data(), {count, 2}};
}

void update_by_scatter(model& m, batch b) {
  // A row that occurs twice in the batch gets the sum of both gradients.
  std::vector<std::int64_t> distinct(b.used.begin(), b.used.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::array<std::int64_t, batch::size> slots{};
  for (std::size_t i = 0; i < batch::size; ++i) {
    slots[i] = std::lower_bound(distinct.begin(), distinct.end(), b.used[i]) - distinct.begin();
  }
  std::array<place, batch::size> sums{};
  const auto count = static_cast<std::int64_t>(distinct.size());
  strew::index_add(view(sums.data(), count), 0, strew::tensor_view{slots.data(), {batch::size}},
                   view(b.gradients.data(), batch::size));

  std::array<place, batch::size> new_squares{};
  std::array<place, batch::size> new_places{};
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const auto row = static_cast<std::size_t>(distinct[i]);
    new_squares[i] = m.squares[row];
    new_places[i] = m.places[row];
    for (std::size_t d = 0; d < 2; ++d) adagrad(sums[i][d], new_squares[i][d], new_places[i][d]);
    if (distinct[i] < known) distinct[i] = -1;
  }
  const auto trained = strew::drop(strew::tensor_view{distinct.data(), {count}});  // -1, a known row, is dropped
  strew::scatter_update(view(m.squares.data(), rows), trained, view(new_squares.data(), count), 0);
  strew::scatter_update(view(m.places.data(), rows), trained, view(new_places.data(), count), 0);
}

void update_by_plain_loops(model& m, const batch& b) {
  for (std::size_t row = known; row < cities.size(); ++row) {
    if (std::find(b.used.begin(), b.used.end(), row) == b.used.end()) continue;
    for (std::size_t d = 0; d < 2; ++d) {
      float sum = 0;
      for (std::size_t i = 0; i < batch::size; ++i)
        sum += static_cast<std::size_t>(b.used[i]) == row ? b.gradients[i][d] : 0;
      adagrad(sum, m.squares[row][d], m.places[row][d]);
    }
  }
}

float distance(const place& a, const place& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

// Trains on random pairs. The loss of a pair is half the square of the error of its distance.
template <class Update>
model learned(int steps, const Update& update) {
  std::mt19937 random{1};
  model m;
  for (std::size_t c = 0; c < cities.size(); ++c) {
    for (float& number : m.places[c]) number = static_cast<float>(1400 + random() % 200);  // all in the middle
    if (c < known) m.places[c] = cities[c].true_place;
  }
  for (int i = 0; i < steps; ++i) {
    batch b{};
    for (std::size_t k = 0; k < batch::size; k += 2) {
      const std::size_t from = random() % cities.size();
      const std::size_t to = (from + 1 + random() % (cities.size() - 1)) % cities.size();
      const float now = distance(m.places[from], m.places[to]);
      const float error = (now - distance(cities[from].true_place, cities[to].true_place)) / now;
      b.used[k] = static_cast<std::int64_t>(from);
      b.used[k + 1] = static_cast<std::int64_t>(to);
      for (std::size_t d = 0; d < 2; ++d) {
        b.gradients[k][d] = error * (m.places[from][d] - m.places[to][d]);
        b.gradients[k + 1][d] = -b.gradients[k][d];
      }
    }
    update(m, b);
  }
  return m;
}

void print_map(const table& places) {
  std::vector<std::string> map(22, std::string(69, ' '));
  for (std::size_t c = 0; c < cities.size(); ++c) {
    const auto column = static_cast<std::size_t>(std::clamp(places[c][0] / 50, 0.0f, 58.0f));
    const auto line = static_cast<std::size_t>(std::clamp(22 - places[c][1] / 125, 0.0f, 21.0f));
    map[line].replace(column, 1 + std::string{cities[c].name}.size(), std::string{"*"} + cities[c].name);
  }
  for (std::string& line : map) {
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr example_help help{
      "A step of a sparse optimizer on an embedding table: it reads and writes only the rows that a batch\n"
      "used. The rows are the places of cities, learned from the distances between them."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  constexpr int steps = 10'000;
  const model m = learned(steps, update_by_scatter);
  print_map(m.places);
  float largest_error = 0;
  for (std::size_t c = 0; c < cities.size(); ++c) {
    largest_error = std::max(largest_error, distance(m.places[c], cities[c].true_place));
  }
  const bool right = m == learned(steps, update_by_plain_loops) && largest_error < 1;
  std::printf("after %d steps all are in their places to a kilometre, %s\n", steps,
              right ? "and the table is as by plain loops" : "which is WRONG");
  return right ? 0 : 1;
}
