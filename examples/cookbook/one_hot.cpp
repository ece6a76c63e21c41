// SPDX-License-Identifier: Apache-2.0
// One-hot rows of labels. The labels are the notes of a melody, one for every eighth, so the matrix printed with time
// from left to right is its score. Rests have the label -1, which is dropped: their rows stay zero.
#include "../help.hpp"

#include <strew/operators/index_policy.hpp>
#include <strew/operators/scatter_elements_update.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  constexpr example_help help{
      "One-hot rows of labels (scatter_elements_update): the notes of a melody, printed as its score."};
  if (const auto status = answer_arguments(argc, argv, help)) return *status;
  constexpr std::string_view classes = "Gcdefga";  // from low to high
  constexpr std::string_view melody = "c.d.e.c.c.d.e.c.e.f.ggg.e.f.ggg.gagfe.c.gagfe.c.c.G.ccc.c.G.ccc.";
  constexpr std::size_t eighths_per_bar = 8;

  std::vector<std::int64_t> label;
  for (const char note : melody) {
    const std::size_t found = classes.find(note);
    label.push_back(found == std::string_view::npos ? -1 : static_cast<std::int64_t>(found));
  }

  constexpr auto rows = static_cast<std::int64_t>(melody.size());
  constexpr auto columns = static_cast<std::int64_t>(classes.size());
  std::vector<float> memory(melody.size() * classes.size());
  const float one = 1;

  const strew::tensor_view one_hot{memory.data(), {rows, columns}};
  const strew::tensor_view labels{label.data(), {rows, 1}};
  const strew::tensor_view ones{&one, {rows, 1}, {0, 0}};  // strides of 0: one element for all rows
  strew::scatter_elements_update(one_hot, strew::drop(labels), ones, 1);

  bool right = true;
  for (std::size_t k = classes.size(); k-- > 0;) {
    std::printf("%c ", classes[k]);
    for (std::size_t t = 0; t < melody.size(); ++t) {
      const bool hot = memory[t * classes.size() + k] == 1;
      right = right && memory[t * classes.size() + k] == (melody[t] == classes[k] ? 1.0f : 0.0f);
      std::printf("%s%s", t % eighths_per_bar == 0 ? "|" : "", hot ? "█" : "·");
    }
    std::printf("|\n");
  }
  std::printf("the matrix is %s\n", right ? "as by plain loops" : "WRONG");
  return right ? 0 : 1;
}
