// SPDX-License-Identifier: Apache-2.0
// dynamic.hpp: tensors whose types are known at run time. Here they are run-time values too, so thousands of
// combinations compile each call once.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_buffer.hpp"
#include "support/oracle.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using oracle::shape;
using strew::errc;
using strew::index_list;
using strew::index_type;
using strew::status;
using strew::dynamic::const_tensor;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;
using strew::dynamic::index_tensor;
using strew::dynamic::tensor;
using strew::test::arrangement;
using strew::test::backwards;
using strew::test::for_each_coordinate;
using strew::test::placement;
using strew::test::random_source;

const std::vector<std::int64_t> widths{1, 2, 3, 4, 8, 12, 16, 24, 32};
const std::vector<index_type> index_types{index_type::int8,   index_type::int16, index_type::int32,
                                          index_type::int64,  index_type::uint8, index_type::uint16,
                                          index_type::uint32, index_type::uint64};
const std::vector<arrangement> arrangements{arrangement::contiguous, arrangement::padded,      arrangement::permuted,
                                            arrangement::reversed,   arrangement::interleaved, arrangement::mixed};

bool is_signed(index_type type) {
  return type < index_type::uint8;
}

// Memory of random bytes with a tensor somewhere in it, `misalignment` bytes beyond an address that suits all types.
class block {
 public:
  block(std::int64_t width, const placement& where, std::int64_t misalignment, random_source& random)
      : width_{width}, where_{where}, first_{misalignment + width * (guard + where.first)} {
    bytes_.resize(static_cast<std::size_t>(misalignment + width * (where.span + 2 * guard)));
    for (char& byte : bytes_) byte = static_cast<char>(random.below(256));
  }

  [[nodiscard]] char* at(const shape& coordinate) {
    return bytes_.data() + first_ + width_ * strew::test::offset_of(coordinate, where_.strides);
  }
  [[nodiscard]] char* first() { return bytes_.data() + first_; }
  [[nodiscard]] const shape& extents() const { return where_.extents; }
  [[nodiscard]] const shape& strides() const { return where_.strides; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] shape byte_strides() const {
    shape result = where_.strides;
    for (std::int64_t& stride : result) stride *= width_;
    return result;
  }
  [[nodiscard]] friend bool operator==(const block& a, const block& b) { return a.bytes_ == b.bytes_; }

 private:
  static constexpr std::int64_t guard = 2;  // elements on either side

  std::int64_t width_;
  placement where_;
  std::int64_t first_;
  std::vector<char> bytes_;
};

// The values of signed and unsigned integers that fit both have the same bytes.
void store_index(char* to, index_type type, std::int64_t value) {
  const auto as_int8 = static_cast<std::int8_t>(value);
  const auto as_int16 = static_cast<std::int16_t>(value);
  const auto as_int32 = static_cast<std::int32_t>(value);
  switch (strew::dynamic::size_of(type)) {
    case 1:
      std::memcpy(to, &as_int8, 1);
      break;
    case 2:
      std::memcpy(to, &as_int16, 2);
      break;
    case 4:
      std::memcpy(to, &as_int32, 4);
      break;
    default:
      std::memcpy(to, &value, 8);
  }
}

enum class operation { slice_scatter, scatter_update, scatter_elements_update, onnx_scatter };
const std::vector<operation> operations{operation::slice_scatter, operation::scatter_update,
                                        operation::scatter_elements_update, operation::onnx_scatter};

enum class form { throwing, attempted, in_parts, throwing_in_place, attempted_in_place, in_parts_in_place };
const std::vector<form> forms{form::throwing,          form::attempted,          form::in_parts,
                              form::throwing_in_place, form::attempted_in_place, form::in_parts_in_place};

bool is_in_place(form how) {
  return how >= form::throwing_in_place;
}

// All that an operator is given; each uses what it takes.
struct arguments {
  const_tensor data;
  tensor output;  // data itself when in place
  index_tensor indices;
  const_tensor updates;
  index_list axis;
  strew::slice_spec slice;
};

// Calls body(operator's objects: throwing, try_; arguments..).
template <class Body>
status with_operator(operation which, const arguments& on, const Body& body) {
  switch (which) {
    case operation::slice_scatter:
      return body(strew::slice_scatter, strew::try_slice_scatter, on.updates, on.slice);
    case operation::scatter_update:
      return body(strew::scatter_update, strew::try_scatter_update, on.indices, on.updates, on.axis);
    case operation::scatter_elements_update:
      return body(strew::scatter_elements_update, strew::try_scatter_elements_update, on.indices, on.updates, on.axis);
    default:
      return body(strew::onnx::scatter, strew::onnx::try_scatter, on.indices, on.updates, on.axis);
  }
}

status call(operation which, form how, const arguments& on) {
  try {
    return with_operator(which, on, [&](const auto& throwing, const auto& attempt, const auto&... rest) -> status {
      switch (how) {
        case form::throwing:
          throwing(on.data, rest..., on.output);
          return {};
        case form::attempted:
          return attempt(on.data, rest..., on.output);
        case form::in_parts:
          return attempt(backwards{}, on.data, rest..., on.output);
        case form::throwing_in_place:
          throwing(on.output, rest...);
          return {};
        case form::attempted_in_place:
          return attempt(on.output, rest...);
        default:
          return attempt(backwards{}, on.output, rest...);
      }
    });
  } catch (const strew::scatter_error& error) {
    REQUIRE(error.what() == std::string(error.status().message().view()));
    return error.status();
  }
}

// A call with the memory of its operands.
struct scene {
  operation which;
  block data;
  block indices;
  block updates;
  block output;
  index_type type;
  std::int64_t axis;
  oracle::slice slice;
  oracle::provenance expected;
};

strew::slice_spec spec_of(const oracle::slice& slice) {
  return {.start = static_cast<std::int64_t>(slice.start),
          .stop = static_cast<std::int64_t>(slice.stop),
          .step = static_cast<std::int64_t>(slice.step),
          .axes = slice.axis};
}

// Random extents, of small tensors and now and then of one beyond the calls that have no plan.
shape draw_extents(random_source& random) {
  shape extents;
  for (std::int64_t rank = random.between(1, 3); rank > 0; --rank) extents.push_back(random.between(1, 5));
  if (random.one_in(4)) extents.back() = random.between(60, 100);
  return extents;
}

shape draw_extents_of_indices(operation which, const shape& data, std::size_t axis, random_source& random) {
  if (which == operation::slice_scatter) return {0};
  if (which == operation::scatter_update) return {random.between(0, 3), random.between(1, 3)};
  shape extents = data;
  for (std::int64_t& extent : extents) extent = random.between(extent > 1 ? 1 : 0, extent);
  if (which == operation::onnx_scatter && random.one_in(3)) extents[axis] += 3;
  return extents;
}

scene draw_scene(operation which, std::int64_t width, index_type type, random_source& random) {
  const shape extents = draw_extents(random);
  const std::int64_t axis = random.below(static_cast<std::int64_t>(extents.size()));
  const auto a = static_cast<std::size_t>(axis);
  const oracle::slice slice{random.between(-6, 6), random.between(-6, 6), random.one_in(2) ? -1 : 2, axis};
  const shape index_extents = draw_extents_of_indices(which, extents, a, random);
  const bool wraps = which == operation::onnx_scatter && is_signed(type);
  std::vector<std::int64_t> values;
  for (std::int64_t n = oracle::count_of(index_extents); n > 0; --n) {
    values.push_back(random.between(wraps ? -extents[a] : 0, extents[a] - 1));
  }
  const bool by_rows = which == operation::scatter_update;
  const bool by_slice = which == operation::slice_scatter;
  const shape update_extents = by_slice  ? oracle::slice_scatter_updates(extents, {slice})
                               : by_rows ? oracle::scatter_update_updates(extents, index_extents, axis)
                                         : index_extents;
  const auto draw = [&](std::int64_t size, const shape& of, bool is_input) {
    const bool repeats = is_input && random.one_in(4);
    const arrangement kind = repeats ? arrangement::broadcast : random.pick(arrangements);
    return block{size, strew::test::place(kind, of, random), random.below(8), random};
  };
  scene result{which,
               draw(width, extents, false),
               block{strew::dynamic::size_of(type),
                     strew::test::place(random.pick(arrangements), index_extents, random), random.below(8), random},
               draw(width, update_extents, true),
               draw(width, extents, false),
               type,
               axis,
               slice,
               by_slice  ? oracle::slice_scatter(extents, {slice})
               : by_rows ? oracle::scatter_update(extents, index_extents, values, axis)
                         : oracle::scatter_elements(extents, index_extents, values, axis)};
  std::size_t position = 0;
  for_each_coordinate(index_extents,
                      [&](const shape& at) { store_index(result.indices.at(at), type, values[position++]); });
  return result;
}

arguments arguments_of(scene& of, form how, bool in_bytes) {
  const element_type type{element_kind::opaque, of.data.width()};
  const auto make = [&](block& b) {
    return in_bytes ? tensor::from_byte_strides(b.first(), type, b.extents(), b.byte_strides())
                    : tensor{b.first(), type, b.extents(), b.strides()};
  };
  block& i = of.indices;
  const tensor data = make(of.data);
  return {data,
          is_in_place(how) ? data : make(of.output),
          in_bytes ? index_tensor::from_byte_strides(i.first(), of.type, i.extents(), i.byte_strides())
                   : index_tensor{i.first(), of.type, i.extents(), i.strides()},
          make(of.updates),
          of.axis,
          spec_of(of.slice)};
}

// What the memory of the written tensor must be, every byte around its elements included.
block expected_block(const scene& before, form how) {
  block data = before.data;
  block updates = before.updates;
  block result = is_in_place(how) ? before.data : before.output;
  std::vector<shape> update_at;
  for_each_coordinate(updates.extents(), [&](const shape& at) { update_at.push_back(at); });
  std::size_t position = 0;
  for_each_coordinate(data.extents(), [&](const shape& at) {
    const std::int64_t from = before.expected[position++];
    const char* const source =
        from == oracle::kept ? data.at(at) : updates.at(update_at[static_cast<std::size_t>(from)]);
    std::memmove(result.at(at), source, static_cast<std::size_t>(data.width()));
  });
  return result;
}

void require_result(const scene& before, form how, bool in_bytes) {
  INFO("operation " << int(before.which) << ", form " << int(how) << ", element size " << before.data.width()
                    << ", index type " << int(before.type));
  scene after = before;
  const status outcome = call(after.which, how, arguments_of(after, how, in_bytes));
  REQUIRE(std::string(outcome.message().view()) == "");
  const block expected = expected_block(before, how);
  REQUIRE(((is_in_place(how) ? after.data : after.output) == expected));
  REQUIRE((is_in_place(how) || after.data == before.data));
  REQUIRE(((after.indices == before.indices) && (after.updates == before.updates)));
}

}  // namespace

TEST_CASE("Every element size and index type gives what naive loops give, at any address and with any strides") {
  random_source random{20260221};
  for (const std::int64_t width : widths) {
    for (const index_type type : index_types) {
      for (const operation which : operations) {
        for (int round = 0; round < 6; ++round) {
          const scene before = draw_scene(which, width, type, random);
          for (const form how : forms) require_result(before, how, random.one_in(2));
        }
      }
    }
  }
}

TEST_CASE("Elements wider than any leaf are moved whole") {
  random_source random{5};
  for (const std::int64_t width : {72, 200, 1000}) {
    for (const operation which : operations) {
      const scene before = draw_scene(which, width, index_type::int32, random);
      for (const form how : forms) require_result(before, how, false);
    }
  }
}

namespace {

struct pixel {
  unsigned char red, green, blue;
};

// The same four calls on typed views and on tensors of run-time types that those convert to.
template <class T, class I>
struct typed_pair {
  std::array<T, 12> data{};
  std::array<T, 12> output{};
  std::array<T, 4> updates{};
  std::array<I, 4> indices{};

  typed_pair() {
    unsigned char next = 1;
    const auto fill = [&](auto& values) {
      auto* const bytes = reinterpret_cast<unsigned char*>(values.data());
      for (std::size_t k = 0; k < sizeof values; ++k) bytes[k] = next++;
    };
    fill(data);
    fill(updates);
  }

  // {3, 4} elements, of which {2, 2} or two rows of the second axis, {3, 2}, are updated.
  template <bool Dynamic>
  status run(operation which) {
    using data_operand = std::conditional_t<Dynamic, const_tensor, strew::tensor_view<const T>>;
    using output_operand = std::conditional_t<Dynamic, tensor, strew::tensor_view<T>>;
    using index_operand = std::conditional_t<Dynamic, index_tensor, strew::tensor_view<const I>>;
    const data_operand from = strew::tensor_view<const T>{data.data(), {3, 4}};
    const data_operand block_of_updates = strew::tensor_view<const T>{updates.data(), {2, 2}};
    const data_operand rows = strew::tensor_view<const T>{updates.data(), {3, 2}, {1, 1}};
    const index_operand block_of_indices = strew::tensor_view<const I>{indices.data(), {2, 2}};
    const index_operand two = strew::tensor_view<const I>{indices.data(), {2}};
    const output_operand to = strew::tensor_view<T>{output.data(), {3, 4}};
    switch (which) {
      case operation::slice_scatter:
        return strew::try_slice_scatter(from, block_of_updates, {.start = {0, -1}, .stop = {3, -5}, .step = {2, -2}},
                                        to);
      case operation::scatter_update:
        return strew::try_scatter_update(from, two, rows, 1, to);
      case operation::scatter_elements_update:
        return strew::try_scatter_elements_update(from, block_of_indices, block_of_updates, 1, to);
      default:
        return strew::onnx::try_scatter(from, block_of_indices, block_of_updates, 1, to);
    }
  }
};

template <class T, class I>
void require_same_as_typed(const std::array<I, 4>& indices) {
  for (const operation which : operations) {
    typed_pair<T, I> typed;
    typed.indices = indices;
    typed_pair<T, I> dynamic = typed;
    const status typed_outcome = typed.template run<false>(which);
    const status dynamic_outcome = dynamic.template run<true>(which);
    INFO(typed_outcome.message().c_str());
    REQUIRE(dynamic_outcome.code() == typed_outcome.code());
    REQUIRE(std::string(dynamic_outcome.message().view()) == std::string(typed_outcome.message().view()));
    REQUIRE(dynamic_outcome.coordinate() == typed_outcome.coordinate());
    REQUIRE(std::memcmp(&dynamic.output, &typed.output, sizeof typed.output) == 0);
    if (!typed_outcome.ok()) REQUIRE(std::memcmp(&dynamic, &typed, sizeof typed) == 0);
  }
}

}  // namespace

TEST_CASE("Results and messages are those of typed views") {
  for (const std::array<std::int64_t, 4>& indices :
       {std::array<std::int64_t, 4>{0, 3, 3, 1}, std::array<std::int64_t, 4>{1, 1, 1, 1},
        std::array<std::int64_t, 4>{0, 4, -1, 5}, std::array<std::int64_t, 4>{-1, -4, 3, -5},
        std::array<std::int64_t, 4>{2, std::numeric_limits<std::int64_t>::max(), 0, 0},
        std::array<std::int64_t, 4>{2, std::numeric_limits<std::int64_t>::min(), 0, 0}}) {
    require_same_as_typed<float, std::int64_t>(indices);
  }
  for (const std::array<std::uint8_t, 4>& indices :
       {std::array<std::uint8_t, 4>{0, 3, 3, 1}, std::array<std::uint8_t, 4>{0, 1, 2, 255}}) {
    require_same_as_typed<pixel, std::uint8_t>(indices);
  }
}

TEST_CASE("A bad index is named as it was given, in every index type") {
  for (const index_type type : index_types) {
    // -1 is the largest value of an unsigned type.
    std::array<char, 17> indices{};
    const auto size = static_cast<std::size_t>(strew::dynamic::size_of(type));
    store_index(indices.data() + 1 + size, type, -1);
    const std::string value = is_signed(type) ? "-1"
                              : size == 1     ? "255"
                              : size == 2     ? "65535"
                              : size == 4     ? "4294967295"
                                              : "18446744073709551615";
    std::array<char, 5> data{'a', 'b', 'c', 'd', 'e'};
    const tensor on{data.data(), {}, {5}};
    const index_tensor at{indices.data() + 1, type, {2}};
    const status outcome = strew::try_scatter_update(on, at, const_tensor{"xy", {}, {2}}, 0);
    REQUIRE(std::string(outcome.message().view()) ==
            "scatter_update: indices[1] = " + value + " is outside [0, 4] (axis 0 has extent 5)");
    REQUIRE(data == std::array<char, 5>{'a', 'b', 'c', 'd', 'e'});
  }
}

TEST_CASE("Operands of one call have one element size and kind, and opaque goes with any kind") {
  std::array<char, 64> memory{};
  const auto make = [&](element_kind kind, std::int64_t size) { return tensor{memory.data(), {kind, size}, {0}}; };
  const element_kind all[] = {element_kind::opaque,         element_kind::boolean,
                              element_kind::signed_integer, element_kind::unsigned_integer,
                              element_kind::floating_point, element_kind::brain_float,
                              element_kind::complex};
  const index_tensor indices{memory.data(), index_type::int8, {0}};
  for (const operation which : operations) {
    const auto outcome_of = [&](const tensor& data, const tensor& updates, const tensor& output) {
      return call(which, form::attempted, {data, output, indices, updates, 0, {.start = 0, .stop = 0, .step = 1}});
    };
    for (const element_kind a : all) {
      for (const element_kind b : all) {
        const bool agree = a == b || a == element_kind::opaque || b == element_kind::opaque;
        const errc expected = agree ? errc::ok : errc::type_mismatch;
        REQUIRE(outcome_of(make(a, 4), make(b, 4), make(a, 4)).code() == expected);
        REQUIRE(outcome_of(make(a, 4), make(a, 4), make(b, 4)).code() == expected);
        REQUIRE(outcome_of(make(a, 4), make(b, 8), make(a, 4)).code() == errc::type_mismatch);
        REQUIRE(outcome_of(make(a, 4), make(a, 4), make(b, 2)).code() == errc::type_mismatch);
      }
    }
  }
  const auto message_of = [&](const tensor& data, const tensor& updates, const tensor& output) {
    return std::string(strew::try_scatter_update(data, indices, updates, 0, output).message().view());
  };
  const tensor real = make(element_kind::floating_point, 4);
  REQUIRE(message_of(real, make(element_kind::floating_point, 8), real) ==
          "scatter_update: updates has elements of 8 bytes, expected 4 as data has");
  REQUIRE(message_of(real, real, make(element_kind::signed_integer, 4)) ==
          "scatter_update: output has elements of another kind than data (of 4 bytes both)");
}

TEST_CASE("A refused type leaves the output alone in the throwing form too") {
  std::array<float, 2> data{1, 2};
  const std::array<int, 1> updates{7};
  const std::array<int, 1> indices{0};
  REQUIRE_THROWS_AS(strew::scatter_update(tensor{strew::tensor_view{data.data(), {2}}},
                                          index_tensor{strew::tensor_view{indices.data(), {1}}},
                                          const_tensor{strew::tensor_view{updates.data(), {1}}}, 0),
                    strew::scatter_error);
  REQUIRE(data == std::array<float, 2>{1, 2});
}

TEST_CASE("A tensor is refused by the rules of views, and the result of a try_ form stays as it was") {
  std::array<char, 64> memory{};
  const index_list long_list(std::vector<std::int64_t>(strew::max_rank + 1, 1));
  tensor kept{memory.data(), {element_kind::complex, 8}, {2, 3}};
  index_tensor kept_indices{memory.data(), index_type::uint16, {2, 3}};
  const auto require_refused = [&](const status& outcome, errc code) {
    REQUIRE(outcome.code() == code);
    REQUIRE(outcome.operation() ==
            std::string(code == errc::null_data || code == errc::type_mismatch || code == errc::misaligned_stride
                            ? "dynamic::tensor"
                            : "tensor_view"));
    REQUIRE((kept.type() == element_type{element_kind::complex, 8}));
    REQUIRE(kept.data() == memory.data());
    REQUIRE(kept.extents() == index_list{2, 3});
    REQUIRE(kept_indices.type() == index_type::uint16);
    REQUIRE(kept_indices.extents() == index_list{2, 3});
  };
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
    const element_type type{element_kind::opaque, size};
    require_refused(tensor::try_make(memory.data(), type, {2}, kept), errc::type_mismatch);
    require_refused(tensor::try_make(memory.data(), type, {2}, {1}, kept), errc::type_mismatch);
    require_refused(tensor::try_make_from_byte_strides(memory.data(), type, {2}, {1}, kept), errc::type_mismatch);
    REQUIRE_THROWS_AS((tensor{memory.data(), type, {2}}), strew::scatter_error);
    REQUIRE_THROWS_AS((tensor{memory.data(), type, {2}, {1}}), strew::scatter_error);
    REQUIRE_THROWS_AS((tensor::from_byte_strides(memory.data(), type, {2}, {1})), strew::scatter_error);
  }
  const element_type four{element_kind::opaque, 4};
  require_refused(tensor::try_make(nullptr, four, {2}, kept), errc::null_data);
  require_refused(tensor::try_make(memory.data(), four, {2, -1}, kept), errc::negative_extent);
  require_refused(tensor::try_make(memory.data(), four, {2}, {1, 1}, kept), errc::rank_mismatch);
  require_refused(tensor::try_make_from_byte_strides(memory.data(), four, {2}, {4, 4}, kept), errc::rank_mismatch);
  require_refused(tensor::try_make(memory.data(), four, long_list, kept), errc::too_many_axes);
  require_refused(tensor::try_make(memory.data(), four, {std::int64_t{1} << 61}, kept), errc::size_overflow);
  for (const std::int64_t size : {std::numeric_limits<std::int64_t>::max(), (std::int64_t{1} << 62) + 1}) {
    const element_type vast{element_kind::opaque, size};
    REQUIRE(tensor::try_make(memory.data(), vast, {2}, kept).code() == errc::size_overflow);
    REQUIRE(tensor::try_make_from_byte_strides(memory.data(), vast, {2}, {size}, kept).code() == errc::size_overflow);
  }
  require_refused(index_tensor::try_make(nullptr, index_type::int8, {2}, kept_indices), errc::null_data);
  require_refused(index_tensor::try_make(memory.data(), index_type::int8, {2}, {1, 1}, kept_indices),
                  errc::rank_mismatch);
  require_refused(index_tensor::try_make_from_byte_strides(memory.data(), index_type::int32, {2}, {2}, kept_indices),
                  errc::misaligned_stride);
  REQUIRE_THROWS_AS((index_tensor{nullptr, index_type::int8, {2}}), strew::scatter_error);
  REQUIRE_THROWS_AS((index_tensor::from_byte_strides(memory.data(), index_type::int64, {2}, {7})),
                    strew::scatter_error);
  REQUIRE(tensor{nullptr, four, {3, 0}}.size() == 0);
}

TEST_CASE("Strides in bytes are multiples of the element size, except where no step is taken") {
  std::array<char, 64> memory{};
  const element_type three{element_kind::opaque, 3};
  const tensor good = tensor::from_byte_strides(memory.data() + 30, three, {2, 4, 1}, {-12, 3, 7});
  REQUIRE(good.strides() == index_list{-4, 1, 0});
  tensor ignored;
  const auto outcome_of = [&](const index_list& extents, const index_list& byte_strides) {
    return tensor::try_make_from_byte_strides(memory.data() + 30, three, extents, byte_strides, ignored);
  };
  REQUIRE(std::string(outcome_of({2, 4}, {12, 4}).message().view()) ==
          "dynamic::tensor: byte_strides[1] = 4 is no multiple of the element size, 3 bytes");
  REQUIRE(outcome_of({2, 4}, {-13, 3}).code() == errc::misaligned_stride);
  REQUIRE(outcome_of({2, 4}, {0, 0}).ok());
  REQUIRE(outcome_of({1, 1}, {std::numeric_limits<std::int64_t>::min(), 1}).ok());
  REQUIRE(outcome_of({0, 1}, {7, 8}).ok());
}

static_assert(std::is_trivially_copyable_v<element_type>);
static_assert(std::is_copy_constructible_v<tensor> && std::is_copy_assignable_v<tensor>);
static_assert(std::is_convertible_v<tensor, const_tensor> && !std::is_constructible_v<tensor, const_tensor>);
static_assert(!std::is_constructible_v<tensor, strew::tensor_view<const int>>);
static_assert(!std::is_constructible_v<tensor, strew::tensor_view<std::string>>);
static_assert(!std::is_constructible_v<index_tensor, strew::tensor_view<float>>);

TEST_CASE("Typed views convert, and say what their elements are") {
  using strew::dynamic::element_type_of;
  REQUIRE((element_type_of<bool> == element_type{element_kind::boolean, 1}));
  REQUIRE((element_type_of<const double> == element_type{element_kind::floating_point, 8}));
  REQUIRE((element_type_of<std::int16_t> == element_type{element_kind::signed_integer, 2}));
  REQUIRE((element_type_of<std::uint64_t> == element_type{element_kind::unsigned_integer, 8}));
  REQUIRE((element_type_of<pixel> == element_type{element_kind::opaque, 3}));

  std::array<double, 6> numbers{};
  const tensor writable = strew::tensor_view{numbers.data(), {3, 2}, {1, 3}};
  REQUIRE((writable.data() == numbers.data() && writable.rank() == 2 && writable.size() == 6));
  REQUIRE(writable.strides() == index_list{1, 3});
  const const_tensor readable = writable;
  REQUIRE((readable.data() == numbers.data() && readable.type() == writable.type()));
  REQUIRE(readable.extents() == index_list{3, 2});
  const std::array<unsigned short, 2> indices{};
  REQUIRE(index_tensor{strew::tensor_view{indices.data(), {2}}}.type() == index_type::uint16);
  REQUIRE(tensor{}.size() == 0);
  REQUIRE(index_tensor{}.size() == 0);
}

TEST_CASE("Outputs that share memory with an input are refused, data itself is not") {
  std::array<char, 24> memory{};
  const element_type four{element_kind::opaque, 4};
  const tensor data{memory.data(), four, {4}};
  const tensor shifted{memory.data() + 1, four, {4}};
  const const_tensor updates{"wxyz", four, {1}};
  const strew::slice_spec slice{.start = 1, .stop = 2, .step = 1};
  REQUIRE(strew::try_slice_scatter(data, updates, slice, shifted).code() == errc::overlap);
  REQUIRE(strew::try_slice_scatter(data, updates, slice, data).ok());
  REQUIRE(std::memcmp(memory.data(), "\0\0\0\0wxyz\0\0\0\0", 12) == 0);
}
