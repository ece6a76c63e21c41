// SPDX-License-Identifier: Apache-2.0
// An axis along which the indices are broadcast (stride 0) is looked at once: calls with 2^40 indices that move
// nothing, or that are refused, end at once. A look at each index would take the best part of an hour. Where addresses
// have 32 bits there are no such views, and of the 2^20 taken there only the outcome is tested. An emulator keeps
// account of each page of the address space that is asked for, and gets 2^30.
#include "byte_calls.hpp"
#include "support/catch.hpp"
#include "support/sparse_memory.hpp"

#include <strew/strew.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace strew::test {
namespace {

#if defined(STREW_TEST_EMULATED)
constexpr int wide = 30;
#else
constexpr int wide = 40;
#endif
constexpr std::int64_t many = std::int64_t{1} << (sizeof(void*) >= 8 ? wide : 20);

struct broadcast_case {
  index_list extents;  // of the indices
  index_list strides;
  std::string first_bad;  // the coordinate of the second of three indices
};

const std::vector<broadcast_case>& all_cases() {
  static const std::vector<broadcast_case> cases{
      {{many, 3}, {0, 1}, "[0, 1]"},
      {{3, many}, {1, 0}, "[1, 0]"},
      {{many, 3, 8}, {0, 1, 0}, "[0, 1, 0]"},
      {{2, many, 3, 2}, {0, 0, 1, 0}, "[0, 0, 1, 0]"},
  };
  return cases;
}

std::string text_of(const status& outcome) {
  return std::string(outcome.message().view());
}

// Data without elements, but with three rows, so that all indices are checked and none moves anything.
TEST_CASE("scatter_update looks at broadcast indices once", "[broadcast_indices]") {
  std::int64_t indices[] = {1, 0, 2};
  char element[4] = {};
  for (const std::int64_t threads : {0, 3}) {
    for (const broadcast_case& c : all_cases()) {
      for (const bool rows_come_first : {true, false}) {
        const index_list data = rows_come_first ? index_list{3, 0} : index_list{0, 3};
        const int axis = rows_come_first ? 0 : 1;
        const index_list updates = updates_extents(scatter_update, data, c.extents, axis);
        const auto call = [&] {
          return call_scatter(scatter_kind::update, {threads}, 4, {element, data},
                              {reinterpret_cast<const char*>(indices), index_type::int64, c.extents, c.strides},
                              {element, updates}, axis, {element, data});
        };
        indices[1] = 0;
        CHECK(text_of(call()) == "");
        indices[1] = 7;
        CHECK(text_of(call()) == "scatter_update: indices" + c.first_bad + " = 7 is outside [0, 2] (axis " +
                                     std::to_string(axis) + " has extent 3)");
      }
    }
  }
}

TEST_CASE("scatter_update looks at broadcast indices once for elements that are no plain bytes too",
          "[broadcast_indices]") {
  std::int64_t indices[] = {1, 0, 2};
  std::string element;
  for (const broadcast_case& c : all_cases()) {
    const tensor_view data{&element, {3, 0}};
    const tensor_view at{indices, c.extents, c.strides};
    const tensor_view updates{&element, updates_extents(scatter_update, {3, 0}, c.extents, 0)};
    indices[1] = 0;
    CHECK(text_of(try_scatter_update(data, at, updates, 0)) == "");
    indices[1] = 7;
    CHECK(text_of(try_scatter_update(data, at, updates, 0)) ==
          "scatter_update: indices" + c.first_bad + " = 7 is outside [0, 2] (axis 0 has extent 3)");
  }
}

TEST_CASE("scatters of elements look at no index where an axis is empty", "[broadcast_indices]") {
  const std::int64_t index = 99;
  char element[4] = {};
  for (const scatter_kind kind : {scatter_kind::elements_update, scatter_kind::onnx}) {
    for (const std::int64_t threads : {0, 3}) {
      for (const index_list& extents : {index_list{many, 0}, index_list{0, many}, index_list{2, 0, many}}) {
        const index_list zeros = extents.size() == 2 ? index_list{0, 0} : index_list{0, 0, 0};
        for (int axis = 0; axis < extents.size(); ++axis) {
          CHECK(call_scatter(kind, {threads}, 4, {element, extents},
                             {reinterpret_cast<const char*>(&index), index_type::int64, extents, zeros},
                             {element, extents}, axis, {element, extents})
                    .ok());
        }
      }
    }
  }
}

// The output must have elements of its own, so it takes address space; no byte of it is touched.
TEST_CASE("scatters of elements look at broadcast indices once before they refuse them", "[broadcast_indices]") {
  std::int64_t indices[] = {1, 0, 2};
  char update = 1;
  for (const broadcast_case& c : all_cases()) {
    index_list extents;  // of data, at least three on each axis
    index_list zeros;
    std::int64_t size = 1;
    for (const std::int64_t extent : c.extents) {
      extents.push_back(extent < 3 ? 3 : extent);
      zeros.push_back(0);
      size *= extent < 3 ? 3 : extent;
    }
    const sparse_memory memory(size);
    if (!memory.available()) {
      WARN("skipped: the system lends no " << size << " bytes of address space");
      continue;
    }
    const byte_tensor data{reinterpret_cast<char*>(memory.data()), extents};
    for (const std::int64_t threads : {0, 3}) {
      for (const std::int64_t bad : {many, -many - 1}) {
        indices[1] = bad;
        for (const scatter_kind kind : {scatter_kind::elements_update, scatter_kind::onnx}) {
          const int axis = extents.size() - 1;
          const std::int64_t extent = extents[axis];
          const bool is_onnx = kind == scatter_kind::onnx;
          const status refused =
              call_scatter(kind, {threads}, 1, data,
                           {reinterpret_cast<const char*>(indices), index_type::int64, c.extents, c.strides},
                           {&update, c.extents, zeros}, axis, data);
          CHECK(text_of(refused) == std::string(is_onnx ? "onnx::scatter" : "scatter_elements_update") + ": indices" +
                                        c.first_bad + " = " + std::to_string(bad) + " is outside [" +
                                        std::to_string(is_onnx ? -extent : 0) + ", " + std::to_string(extent - 1) +
                                        "] (axis " + std::to_string(axis) + " has extent " + std::to_string(extent) +
                                        ")");
        }
      }
    }
  }
}

}  // namespace
}  // namespace strew::test
