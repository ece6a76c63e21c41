// SPDX-License-Identifier: Apache-2.0
// The check of whole tensors of indices: for any strides, the first bad index by name, and what is learned on the way.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/guarded_buffer.hpp"
#include "support/index_kinds.hpp"
#include "support/random_source.hpp"

#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/check_indices.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace strew::test {
namespace {

using strew::detail::index_analysis;

// The extent of the largest axis that there is.
constexpr std::int64_t largest = (std::numeric_limits<std::ptrdiff_t>::max)();

// A tensor of indices and where its first one lies, from the lowest.
struct index_tensor {
  const index_kind& kind;
  std::vector<wide> memory;
  placement where;

  [[nodiscard]] wide at(const coordinate& coordinate) const {
    return memory[static_cast<std::size_t>(where.first + offset_of(coordinate, where.strides))];
  }
};

index_tensor contiguous(const index_kind& kind, const std::vector<wide>& values) {
  return {kind, values, place_contiguous({static_cast<std::int64_t>(values.size())})};
}

constexpr strided_layout row_major_layout(std::int64_t extent) {
  strided_layout layout;
  static_cast<void>(strided_layout::try_make(extent, 1, layout));
  return layout;
}

struct outcome {
  status error;
  index_analysis facts{.seeks_own = true};
};

// Whether parts of a check are run by an executor of three threads.
enum class helpers { none, two };

outcome check(const index_tensor& indices, std::int64_t extent, index_rule rule, helpers who = helpers::none) {
  const std::int64_t size = indices.kind.size;
  // At an odd address.
  const std::vector<char> bytes =
      indices.kind.array(indices.memory, size, 1, 1 + size * static_cast<std::int64_t>(indices.memory.size()));
  strided_layout layout;
  const auto& [extents, strides, first, span] = indices.where;
  if (!strided_layout::try_make(extents, strides, static_cast<std::size_t>(size), layout).ok()) FAIL("no layout");
  const backwards ex;
  const executor_ref serially = strew::detail::refer_to(serial);
  const executor_ref in_pieces = strew::detail::refer_to(ex);
  const strew::detail::execution_context alone{serially, nullptr};
  const strew::detail::execution_context several{in_pieces, &strew::detail::hooks_of_executor};
  // The indices choose on axis 3 of an output of that many elements there.
  strided_layout output;
  if (!strided_layout::try_make({1, 1, 1, extent}, {0, 0, 0, 0}, 1, output).ok()) FAIL("no layout");
  const strew::detail::operation_rules rules{"test", strew::detail::addressing::rows, rule};
  const strew::erased::index_operand operand{bytes.data() + 1 + size * first, &layout, &indices.kind.loops(rule)};
  outcome result;
  const bool ok =
      strew::detail::check_indices(who == helpers::none ? alone : several, {rules, index_policy::error, {3, 1}, output},
                                   &operand, result.facts, result.error);
  if (ok != result.error.ok()) FAIL("the check and its status disagree");
  return result;
}

std::string text_of(wide value) {
  return value < 0 ? "-" + std::to_string(static_cast<std::uint64_t>(-value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

// What the check says of an index at a coordinate.
std::string message_of(const coordinate& at, wide index, std::int64_t extent, index_rule rule) {
  std::string place;
  for (const std::int64_t k : at) place += (place.empty() ? "" : ", ") + std::to_string(k);
  if (!at.empty()) place = "[" + place + "]";
  const std::string axis = "(axis 3 has extent " + std::to_string(extent) + ")";
  if (extent == 0) return "test: indices" + place + " = " + text_of(index) + " names no element " + axis;
  return "test: indices" + place + " = " + text_of(index) + " is outside [" +
         std::to_string(rule == index_rule::strict ? 0 : -extent) + ", " + std::to_string(extent - 1) + "] " + axis;
}

// Index tensors of small values, most of them legal, in any arrangement, broadcast ones among them.
void check_random_tensors(const index_kind& kind, int count) {
  random_source random(2026);
  int accepted = 0;
  int refused = 0;
  for (int trial = 0; trial < count; ++trial) {
    const index_rule rule = index_rules[random.below(2)];
    const std::int64_t extent = random.between(1, 9);
    coordinate extents;
    for (std::int64_t rank = random.between(0, 4); rank > 0; --rank) {
      extents.push_back(random.one_in(20) ? 0 : random.between(1, 4));
    }
    index_tensor indices{kind, {}, place(static_cast<arrangement>(random.below(7)), extents, random)};
    indices.memory.resize(static_cast<std::size_t>(indices.where.span));
    for (wide& index : indices.memory) index = random.below(extent);
    for (std::int64_t bad = random.between(0, 6); bad > 0 && !indices.memory.empty(); --bad) {
      const std::int64_t at = random.below(static_cast<std::int64_t>(indices.memory.size()));
      indices.memory[static_cast<std::size_t>(at)] = random.between(kind.lowest < 0 ? -12 : 0, 12);
    }
    std::string expected;
    coordinate first_bad;
    bool any_negative = false;
    for_each_coordinate(extents, [&](const coordinate& at) {
      const wide index = indices.at(at);
      any_negative = any_negative || index < 0;
      if (!expected.empty() || is_legal(index, extent, rule)) return;
      first_bad = at;
      expected = message_of(at, index, extent, rule);
    });
    for (const helpers who : {helpers::none, helpers::two}) {
      const auto [error, facts] = check(indices, extent, rule, who);
      CAPTURE(extents, indices.where.strides);
      CHECK(std::string(error.message().view()) == expected);
      if (!expected.empty()) {
        CHECK(error.code() == errc::index_out_of_bounds);
        CHECK(error.coordinate() == index_list(first_bad));
      } else {
        CHECK(facts.wraps == any_negative);
      }
    }
    ++(expected.empty() ? accepted : refused);
  }
  CHECK(accepted > count / 10);
  CHECK(refused > count / 10);
}

const index_kind& kind_called(const char* name) {
  return *std::find_if(index_kinds().begin(), index_kinds().end(),
                       [&](const auto& kind) { return std::string_view(kind.name) == name; });
}

TEST_CASE("of several bad indices the first in row-major order is named", "[check_indices]") {
  for (const index_kind& kind : index_kinds()) {
    CAPTURE(kind.name);
    check_random_tensors(kind, 1000);
  }
}

TEST_CASE("bad indices are printed as what they are", "[check_indices]") {
  const auto message = [](const char* kind, wide value, std::int64_t extent, index_rule rule) {
    return std::string(check(contiguous(kind_called(kind), {value}), extent, rule).error.message().view());
  };
  using enum index_rule;
  CHECK(message("uint64", wide{1} << 63, 4, strict) ==
        "test: indices[0] = 9223372036854775808 is outside [0, 3] (axis 3 has extent 4)");
  const std::string of_the_largest = "[-" + std::to_string(largest) + ", " + std::to_string(largest - 1) +
                                     "] (axis 3 has extent " + std::to_string(largest) + ")";
  CHECK(message("uint64", (wide{1} << 64) - 1, largest, wrapping) ==
        "test: indices[0] = 18446744073709551615 is outside " + of_the_largest);
  CHECK(message("int64", int64_min, largest, wrapping) ==
        "test: indices[0] = -9223372036854775808 is outside " + of_the_largest);
  CHECK(message("uint8", 200, 100, wrapping) == "test: indices[0] = 200 is outside [-100, 99] (axis 3 has extent 100)");
  CHECK(message("int8", -128, 127, wrapping) ==
        "test: indices[0] = -128 is outside [-127, 126] (axis 3 has extent 127)");
  CHECK(message("uint32", 4294967295, 4, wrapping) ==
        "test: indices[0] = 4294967295 is outside [-4, 3] (axis 3 has extent 4)");
  CHECK(message("int64", wide{1} << 32, 4, strict) ==
        "test: indices[0] = 4294967296 is outside [0, 3] (axis 3 has extent 4)");
  CHECK(message("int32", 0, 0, strict) == "test: indices[0] = 0 names no element (axis 3 has extent 0)");
  CHECK(message("int32", -1, 0, wrapping) == "test: indices[0] = -1 names no element (axis 3 has extent 0)");
}

// Differences of such indices overflow.
TEST_CASE("runs of the extreme values of 64 bits are judged one by one", "[check_indices]") {
  for (const char* name : {"int64", "uint64"}) {
    const index_kind& kind = kind_called(name);
    const std::vector<wide> values = kind.notable_values();
    for (const index_rule rule : index_rules) {
      for (const std::int64_t extent : {std::int64_t{3}, largest / 2 + 2, largest}) {
        for_each_coordinate(coordinate(3, static_cast<std::int64_t>(values.size())), [&](const coordinate& chosen) {
          std::vector<wide> run;
          bool ok = true;
          for (const std::int64_t choice : chosen) {
            run.push_back(values[static_cast<std::size_t>(choice)]);
            ok = ok && is_legal(run.back(), extent, rule);
          }
          const auto [error, facts] = check(contiguous(kind, run), extent, rule);
          const bool is_slice =
              ok && run[0] != run[1] && run[1] - run[0] == run[2] - run[1] && (run[0] < 0) == (run[2] < 0);
          if (error.ok() == ok && (!facts.is_slice || is_slice || !ok)) return;
          CAPTURE(name, extent, static_cast<int>(rule), text_of(run[0]), text_of(run[1]), text_of(run[2]));
          FAIL("the run was judged otherwise");
        });
      }
    }
  }
}

TEST_CASE("empty tensors of indices are fine on every axis, without memory too", "[check_indices]") {
  for (const coordinate& extents : {coordinate{0}, coordinate{2, 0}, coordinate{0, 5, 3}}) {
    for (const std::int64_t extent : {std::int64_t{0}, std::int64_t{1}, largest}) {
      for (const helpers who : {helpers::none, helpers::two}) {
        const index_tensor none{kind_called("int32"), {}, place_contiguous(extents)};
        CHECK(check(none, extent, index_rule::strict, who).error.ok());
      }
    }
  }
}

TEST_CASE("a tensor of indices of the largest rank", "[check_indices]") {
  const coordinate twos(static_cast<std::size_t>(max_rank), 2);
  index_tensor indices{kind_called("int32"), {}, place_contiguous(twos)};
  indices.memory.assign(std::size_t{1} << max_rank, 1);
  CHECK(check(indices, 2, index_rule::strict).error.ok());
  indices.memory[1 + 4] = 2;
  indices.memory[8] = -1;
  coordinate named(twos.size(), 0);
  named[twos.size() - 3] = named[twos.size() - 1] = 1;
  CHECK(check(indices, 2, index_rule::strict).error.coordinate() == index_list(named));
  std::reverse(indices.where.strides.begin(), indices.where.strides.end());
  named.assign(twos.size(), 0);
  named[3] = 1;
  CHECK(check(indices, 2, index_rule::strict).error.coordinate() == index_list(named));
}

TEST_CASE("indices that form a slice are recognised, and no others", "[check_indices]") {
  for (const index_kind& kind : index_kinds()) {
    for (const index_rule rule : index_rules) {
      const bool may_wrap = kind.lowest < 0 && rule == index_rule::wrapping;
      for (const std::int64_t extent : {1, 5, 100}) {
        for (std::int64_t first = may_wrap ? -extent : 0; first < extent; ++first) {
          for (const std::int64_t step : {-7, -2, -1, 0, 1, 3}) {
            std::vector<wide> run;
            const bool wraps = first < 0;
            for (std::int64_t at = first; at >= (wraps ? -extent : 0) && at < (wraps ? 0 : extent); at += step) {
              run.push_back(at);
              if (step == 0 && run.size() == 3) break;
            }
            const index_analysis facts = check(contiguous(kind, run), extent, rule).facts;
            const bool is_slice = run.size() > 1 && step != 0;
            bool right = facts.wraps == wraps && facts.is_slice == is_slice;
            if (is_slice) right = right && facts.first == (wraps ? first + extent : first) && facts.step == step;
            for (std::size_t k = 0; k < run.size() && is_slice && run.size() > 2; ++k) {
              std::vector<wide> bent = run;
              bent[k] = bent[k == 0 ? 1 : 0];
              right = right && !check(contiguous(kind, bent), extent, rule).facts.is_slice;
            }
            if (!right) {
              CAPTURE(kind.name, static_cast<int>(rule), extent, first, step);
              FAIL("a slice was taken for none, or for another");
            }
          }
        }
      }
    }
  }
}

// Longer than the blocks in which indices are looked at.
TEST_CASE("one index out of line anywhere makes a long run no slice", "[check_indices]") {
  for (const char* name : {"int64", "int32", "uint16"}) {
    std::vector<wide> run;
    for (int i = 0; i < 1300; ++i) run.push_back(7 + 3 * i);
    for (const helpers who : {helpers::none, helpers::two}) {
      CHECK(check(contiguous(kind_called(name), run), 4000, index_rule::strict, who).facts.is_slice);
      for (const std::size_t at : {0U, 1U, 2U, 3U, 511U, 512U, 513U, 1023U, 1024U, 1298U, 1299U}) {
        std::vector<wide> bent = run;
        bent[at] += 1;
        CAPTURE(name, at, who == helpers::two);
        CHECK(!check(contiguous(kind_called(name), bent), 4000, index_rule::strict, who).facts.is_slice);
      }
    }
  }
}

TEST_CASE("indices on both sides of 0 are no slice", "[check_indices]") {
  const index_analysis facts = check(contiguous(kind_called("int32"), {-1, 0, 1}), 5, index_rule::wrapping).facts;
  CHECK(!facts.is_slice);
  CHECK(facts.wraps);
}

TEST_CASE("all short runs that ascend are known to, where several threads can use it, and no others",
          "[check_indices]") {
  for (const char* name : {"int64", "int32", "uint8"}) {
    for (std::int64_t length = 2; length <= 5; ++length) {
      for_each_coordinate(coordinate(static_cast<std::size_t>(length), 4), [&](const coordinate& values) {
        const std::vector<wide> run(values.begin(), values.end());
        const index_tensor indices = contiguous(kind_called(name), run);
        const index_analysis facts = check(indices, 4, index_rule::wrapping, helpers::two).facts;
        const bool ascends = std::is_sorted(run.begin(), run.end());
        if (facts.ascends() == ascends && !check(indices, 4, index_rule::wrapping).facts.ascends()) return;
        CAPTURE(name, values);
        FAIL("the run was taken for another");
      });
    }
  }
  // Counted from the end they do not ascend through the axis.
  CHECK(
      !check(contiguous(kind_called("int32"), {-4, -4, 1, 3}), 4, index_rule::wrapping, helpers::two).facts.ascends());
}

TEST_CASE("one index less than the last anywhere makes a long run none that ascends", "[check_indices]") {
  for (const char* name : {"int64", "int32", "uint16"}) {
    std::vector<wide> run;
    for (int i = 0; i < 1300; ++i) run.push_back(i / 3 + 1);
    CHECK(check(contiguous(kind_called(name), run), 500, index_rule::strict, helpers::two).facts.ascends());
    for (std::size_t at = 1; at < run.size(); at += at % 512 < 2 || at % 512 > 509 ? 1 : 17) {
      std::vector<wide> bent = run;
      bent[at] = bent[at - 1] - 1;
      CAPTURE(name, at);
      CHECK(!check(contiguous(kind_called(name), bent), 500, index_rule::strict, helpers::two).facts.ascends());
    }
  }
}

TEST_CASE("indices checked in pieces are checked all", "[check_indices]") {
  for (const std::size_t count : {1U, 2U, 3U, 4U, 7U, 100U}) {
    std::vector<wide> run;
    for (std::size_t k = 0; k < count; ++k) run.push_back(static_cast<wide>(k * k % 5));
    for (std::size_t bad = 0; bad < count; ++bad) {
      std::vector<wide> bent = run;
      bent[bad] = -1;
      const index_tensor indices = contiguous(kind_called("int64"), bent);
      const coordinate at{static_cast<std::int64_t>(bad)};
      CHECK(check(indices, 5, index_rule::strict, helpers::two).error.coordinate() == index_list(at));
      const auto [error, facts] = check(indices, 5, index_rule::wrapping, helpers::two);
      CHECK(error.ok());
      CHECK(facts.wraps);
    }
  }
}

constexpr std::int64_t long_extent = std::int64_t{1} << (sizeof(std::ptrdiff_t) < 8 ? 24 : 40);

// A look at each coordinate would take days; seconds on 32 bits, where tensors have fewer elements.
TEST_CASE("an axis of stride 0 is looked at once, however long it is", "[check_indices]") {
  for (const index_kind& kind : index_kinds()) {
    struct arranged {
      coordinate extents;
      coordinate strides;
      coordinate bad;
    };
    // Of the three indices the one in the middle is bad.
    for (const arranged& a : {arranged{{long_extent, 3}, {0, 1}, {0, 1}}, arranged{{3, long_extent}, {1, 0}, {1, 0}},
                              arranged{{2, long_extent, 3, long_extent >> 20}, {0, 0, 1, 0}, {0, 0, 1, 0}},
                              arranged{{long_extent, 3, 2}, {0, -1, 0}, {0, 1, 0}}}) {
      placement where = place({3}, {1});
      where.extents = a.extents;
      where.strides = a.strides;
      const bool falls = std::count(a.strides.begin(), a.strides.end(), -1) > 0;
      where.first = falls ? 2 : 0;
      CAPTURE(kind.name, a.extents, a.strides);
      for (const helpers who : {helpers::none, helpers::two}) {
        CHECK(check({kind, {1, 0, 2}, where}, 3, index_rule::strict, who).error.ok());
        const status error = check({kind, {1, 5, 2}, where}, 3, index_rule::strict, who).error;
        CHECK(std::string(error.message().view()) == message_of(a.bad, 5, 3, index_rule::strict));
      }
    }
  }
}

TEST_CASE("index tensors in constant evaluation", "[check_indices]") {
  constify([](auto& expect) {
    const std::int8_t indices[] = {0, 1, -1, 3, -4, 4};
    const auto check_typed = [](const tensor_view<const std::int8_t>& view, index_rule rule) {
      const strew::detail::operation_rules rules{"test", strew::detail::addressing::rows, rule, false,
                                                 false,  strew::detail::texts_of_axis};
      const strided_layout output = row_major_layout(4);
      status error;
      static_cast<void>(strew::detail::typed::check_indices({rules, index_policy::error, {0, 1}, output},
                                                            strew::detail::source_of(view), error));
      return error;
    };
    expect(check_typed({indices, {2}}, index_rule::strict).ok());
    expect(!check_typed({indices, {3}}, index_rule::strict).ok());
    expect(check_typed({indices, {5}}, index_rule::wrapping).ok());
    expect(!check_typed({indices, {6}}, index_rule::wrapping).ok());
    expect(check_typed({indices, {2}, {3}}, index_rule::strict).ok());
    expect(check_typed({indices, {0}}, index_rule::strict).ok());
    const status error = check_typed({indices, {2, 3}, {1, 2}}, index_rule::wrapping);
    expect(error.coordinate() == index_list{1, 2});
    expect(error.message().view() == "test: indices[1, 2] = 4 is outside [-4, 3] (axis 0 has extent 4)");
    expect(check_typed({indices, {2, long_extent}, {3, 0}}, index_rule::strict).ok());
    expect(check_typed({indices, {long_extent, 3}, {0, 1}}, index_rule::strict).coordinate() == index_list{0, 2});
  });
}

}  // namespace
}  // namespace strew::test
