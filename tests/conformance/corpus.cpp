// SPDX-License-Identifier: Apache-2.0
// Replays corpus.json: calls of every operator, with every element type and index type, and what NumPy made of them.
// make_corpus.py describes the file.
#include <strew/strew.hpp>

#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using json = nlohmann::json;

// The bits of a 16-bit float, which C++20 has no type for.
struct half {
  std::uint16_t bits;
  friend bool operator==(const half&, const half&) = default;
};

// The element with this number; -1 stands for memory that belongs to no tensor.
template <class T>
T element(std::int64_t number) {
  if constexpr (std::is_same_v<T, bool>) {
    return number % 3 == 0;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "the element with the number " + std::to_string(number);  // too long to be held inline
  } else if constexpr (std::is_same_v<T, half>) {
    return half{static_cast<std::uint16_t>(number)};
  } else if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else {
    using part = typename T::value_type;
    return {static_cast<part>(number), static_cast<part>(-number)};
  }
}

// Calls body.operator()<T>() with the element type of this name.
template <class Body>
void with_element_type(const std::string& name, Body&& body) {
  if (name == "bool") return body.template operator()<bool>();
  if (name == "int8") return body.template operator()<std::int8_t>();
  if (name == "int16") return body.template operator()<std::int16_t>();
  if (name == "int32") return body.template operator()<std::int32_t>();
  if (name == "int64") return body.template operator()<std::int64_t>();
  if (name == "uint8") return body.template operator()<std::uint8_t>();
  if (name == "uint16") return body.template operator()<std::uint16_t>();
  if (name == "uint32") return body.template operator()<std::uint32_t>();
  if (name == "uint64") return body.template operator()<std::uint64_t>();
  if (name == "float16") return body.template operator()<half>();
  if (name == "float32") return body.template operator()<float>();
  if (name == "float64") return body.template operator()<double>();
  if (name == "complex64") return body.template operator()<std::complex<float>>();
  if (name == "complex128") return body.template operator()<std::complex<double>>();
  if (name == "string") return body.template operator()<std::string>();
  throw std::runtime_error("corpus: no element type " + name);
}

// Calls body.operator()<I>() with the integer type of this name.
template <class Body>
void with_integer_type(const std::string& name, Body&& body) {
  if (name == "int8") return body.template operator()<std::int8_t>();
  if (name == "int16") return body.template operator()<std::int16_t>();
  if (name == "int32") return body.template operator()<std::int32_t>();
  if (name == "int64") return body.template operator()<std::int64_t>();
  if (name == "uint8") return body.template operator()<std::uint8_t>();
  if (name == "uint16") return body.template operator()<std::uint16_t>();
  if (name == "uint32") return body.template operator()<std::uint32_t>();
  if (name == "uint64") return body.template operator()<std::uint64_t>();
  throw std::runtime_error("corpus: no integer type " + name);
}

strew::errc error_code(const std::string& name) {
  if (name == "rank_mismatch") return strew::errc::rank_mismatch;
  if (name == "extent_mismatch") return strew::errc::extent_mismatch;
  if (name == "count_mismatch") return strew::errc::count_mismatch;
  if (name == "axis_out_of_range") return strew::errc::axis_out_of_range;
  if (name == "repeated_axis") return strew::errc::repeated_axis;
  if (name == "zero_step") return strew::errc::zero_step;
  if (name == "index_out_of_bounds") return strew::errc::index_out_of_bounds;
  throw std::runtime_error("corpus: no error code " + name);
}

// A parameter as a list built from its own integer type.
template <class List>
List list_of(const json& parameter) {
  List list;
  with_integer_type(parameter.at("type"),
                    [&]<class I>() { list = List(parameter.at("values").get<std::vector<I>>()); });
  return list;
}

// A tensor in a block of memory of its own, with a margin at both ends.
template <class T>
class placed {
 public:
  explicit placed(const json& place) {
    extents_ = place.at("extents").get<std::vector<std::int64_t>>();
    count_ = 1;
    for (const std::int64_t extent : extents_) count_ *= extent;
    if (place.contains("strides")) {
      strides_ = place.at("strides").get<std::vector<std::int64_t>>();
      offset_ = place.at("offset").get<std::int64_t>();
      size_ = place.at("span").get<std::int64_t>();
    } else {
      strides_.resize(extents_.size());
      size_ = 1;
      for (std::size_t k = extents_.size(); k-- > 0;) {
        strides_[k] = size_;
        size_ *= std::max(extents_[k], std::int64_t{1});
      }
    }
    offset_ += margin;
    size_ += 2 * margin;
    block_ = std::make_unique<T[]>(static_cast<std::size_t>(size_));
    for (std::int64_t i = 0; i < size_; ++i) (*this)[i] = element<T>(-1);
  }

  [[nodiscard]] strew::tensor_view<T> view() const { return {block_.get() + offset_, extents_, strides_}; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::int64_t i) const { return block_[static_cast<std::size_t>(i)]; }

  // Where in the block the element at a row-major position lies.
  [[nodiscard]] std::int64_t place_of(std::int64_t position) const {
    std::int64_t place = offset_;
    for (std::size_t k = extents_.size(); k-- > 0;) {
      place += position % extents_[k] * strides_[k];
      position /= extents_[k];
    }
    return place;
  }

  // Gives the elements these values. Backwards, so that where a stride is 0 the first value stays.
  template <class ValueAt>
  void fill(ValueAt&& value_at) const {
    for (std::int64_t position = count_; position-- > 0;) (*this)[place_of(position)] = value_at(position);
  }

  [[nodiscard]] bool equals(const placed& other) const {
    for (std::int64_t i = 0; i < size_; ++i) {
      if (!((*this)[i] == other[i])) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t margin = 2;

  std::vector<std::int64_t> extents_, strides_;
  std::int64_t offset_ = 0, count_ = 0, size_ = 0;
  std::unique_ptr<T[]> block_;
};

// Calls the operator with views of data, updates and, unless it works in place, the output.
template <class T>
strew::status call(const json& entry, const strew::tensor_view<T>& data, const strew::tensor_view<T>& updates,
                   const strew::tensor_view<T>* output) {
  const std::string name = entry.at("operator");
  if (name == "slice_scatter") {
    strew::slice_spec slice{.start = list_of<strew::index_list>(entry.at("start")),
                            .stop = list_of<strew::stop_list>(entry.at("stop")),
                            .step = list_of<strew::index_list>(entry.at("step"))};
    if (entry.contains("axes")) slice.axes = list_of<strew::index_list>(entry.at("axes"));
    return output ? strew::try_slice_scatter(data, updates, slice, *output)
                  : strew::try_slice_scatter(data, updates, slice);
  }

  const strew::index_list axis = entry.contains("axis") ? list_of<strew::index_list>(entry.at("axis")) : 0;
  strew::status outcome;
  const auto scatter = [&]<class I>() {
    placed<I> placed_indices(entry.at("indices"));
    const auto values = entry.at("indices").at("values").get<std::vector<I>>();
    placed_indices.fill([&](std::int64_t position) { return values[static_cast<std::size_t>(position)]; });
    const strew::tensor_view<const I> indices = placed_indices.view();
    if (name == "scatter_update") {
      outcome = output ? strew::try_scatter_update(data, indices, updates, axis, *output)
                       : strew::try_scatter_update(data, indices, updates, axis);
    } else if (name == "scatter_elements_update") {
      outcome = output ? strew::try_scatter_elements_update(data, indices, updates, axis, *output)
                       : strew::try_scatter_elements_update(data, indices, updates, axis);
    } else if (name == "onnx_scatter") {
      outcome = output ? strew::onnx::try_scatter(data, indices, updates, axis, *output)
                       : strew::onnx::try_scatter(data, indices, updates, axis);
    } else {
      throw std::runtime_error("corpus: no operator " + name);
    }
  };
  // The corpus pairs float with all index types and all else with std::int64_t: fewer templates to compile.
  if constexpr (std::is_same_v<T, float>) {
    with_integer_type(entry.at("indices").at("type"), scatter);
  } else {
    if (entry.at("indices").at("type") != "int64") throw std::runtime_error("corpus: indices are not int64");
    scatter.template operator()<std::int64_t>();
  }
  return outcome;
}

template <class T>
void replay(const json& entry, std::int64_t first_update) {
  const placed<T> data(entry.at("data"));
  const placed<T> updates(entry.at("updates"));
  data.fill([](std::int64_t position) { return element<T>(position); });
  updates.fill([&](std::int64_t position) { return element<T>(first_update + position); });
  const bool in_place = !entry.contains("output");
  const json& output_place = in_place ? entry.at("data") : entry.at("output");
  const placed<T> own_output(output_place);
  const placed<T>& output = in_place ? data : own_output;

  const bool refused = entry.contains("error");
  const placed<T> expected(output_place);
  if (in_place) expected.fill([](std::int64_t position) { return element<T>(position); });
  if (!refused) {
    // Where a stride of data is 0, NumPy's result tells which elements it repeats.
    expected.fill([](std::int64_t position) { return element<T>(position); });
    for (const json& write : entry.at("writes")) {
      expected[expected.place_of(write.at(0))] = element<T>(write.at(1));
    }
  }

  const strew::tensor_view<T> output_view = output.view();
  const strew::status outcome = call<T>(entry, data.view(), updates.view(), in_place ? nullptr : &output_view);
  INFO("message: " << outcome.message().c_str());
  CHECK(outcome.code() == (refused ? error_code(entry.at("error")) : strew::errc::ok));
  CHECK(output.equals(expected));
}

TEST_CASE("the corpus of NumPy's results is reproduced") {
  std::ifstream file(STREW_CORPUS);
  REQUIRE(file);
  const json corpus = json::parse(file);
  const std::int64_t first_update = corpus.at("first_update");
  REQUIRE(corpus.at("cases").size() >= 2000);
  for (const json& entry : corpus.at("cases")) {
    INFO(entry.dump());
    with_element_type(entry.at("element"), [&]<class T>() { replay<T>(entry, first_update); });
  }
}

}  // namespace
