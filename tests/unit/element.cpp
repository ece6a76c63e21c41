// SPDX-License-Identifier: Apache-2.0
// Which elements may be copied as bytes: those whose assignment is trivial and whose bytes are all their own, also
// where they are bases or members of larger objects.
#include "support/catch.hpp"
#include "support/index_types.hpp"

#include <strew/operators/scatter_elements_update.hpp>
#include <strew/operators/scatter_update.hpp>
#include <strew/operators/slice_scatter.hpp>
#include <strew/view/element.hpp>
#include <strew/view/tensor_view.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

using strew::detail::is_bytewise;

namespace {

struct plain {
  double number;
  char letter;
};
struct nested {
  plain first;
  short second;
};
enum class color : unsigned char { red };
union plain_union {
  double number;
  char letters[9];
};

// Classes whose tail padding compilers give to others: not aggregates of C++03.
class with_private_members {
 public:
  with_private_members() = default;
  explicit with_private_members(double number) : number_{number} {}
  [[nodiscard]] double sum() const { return number_ + letter_; }

 private:
  double number_ = 0;
  char letter_ = 0;
};
struct with_initializers {
  double number = 0;
  char letter = 0;
};
struct derived : plain {
  char another;
};
struct sealed final {
  explicit sealed(double n) : number{n} {}
  double number;
  char letter = 0;
};
struct with_bits {
  explicit with_bits(int n) : number{n} {}
  int number;
  int bits : 3;
};
struct alignas(16) over_aligned {
  explicit over_aligned(double n = 0) : number{n} {}
  double number;
};
union union_with_constructor {
  explicit union_with_constructor(double n) : number{n} {}
  double number;
  char letters[9];
};

// Without padding nothing can be reused.
class private_without_padding {
 public:
  explicit private_without_padding(int number) : number_{number} {}
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

struct tag {};
struct tag_of_tags : tag {};

// Chosen for every argument that is not a const v3&.
struct v3 {
  float x[3];

  v3& operator=(const v3&) = default;
  template <class U>
  v3& operator=(U&&) = delete;
};
struct assigned_by_user {
  int number;

  assigned_by_user& operator=(const assigned_by_user&) { return *this; }
};
// Trivially copyable, since one of its assignments is, but not the one from a const lvalue.
struct assigned_by_template {
  int number;

  assigned_by_template(const assigned_by_template&) = default;
  assigned_by_template& operator=(assigned_by_template&) = default;
  template <class U>
  assigned_by_template& operator=(const U&) {
    return *this;
  }
};
struct moved_trivially {
  int number;

  moved_trivially(const moved_trivially&) = default;
  moved_trivially& operator=(const moved_trivially&) { return *this; }
  moved_trivially& operator=(moved_trivially&&) = default;
};

template <class T>
struct as_base : T {
  char next;
};
template <class T>
struct as_member {
  [[no_unique_address]] T element;
  char next;
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("integers are copied as bytes", "[element]", strew::test::index_types) {
  STATIC_REQUIRE(is_bytewise<TestType>);
}

TEMPLATE_TEST_CASE("what has all its bytes to itself is copied as bytes", "[element]", bool, char, float, double,
                   long double, std::byte, color, int*, void (*)(), std::nullptr_t, std::complex<float>,
                   std::complex<double>, std::complex<long double>, plain, nested, plain_union, private_without_padding,
                   v3, (std::array<int, 3>), (std::array<plain, 2>)) {
  STATIC_REQUIRE(strew::element<TestType>);
  STATIC_REQUIRE(is_bytewise<TestType>);
}

TEMPLATE_TEST_CASE("what shares its last bytes with others is assigned", "[element]", with_private_members,
                   with_initializers, derived, sealed, with_bits, over_aligned, union_with_constructor, tag,
                   tag_of_tags) {
  STATIC_REQUIRE(strew::element<TestType>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<TestType>);
  STATIC_REQUIRE_FALSE(is_bytewise<TestType>);
}

TEMPLATE_TEST_CASE("what is not assigned trivially from a const lvalue is assigned", "[element]", std::string,
                   std::vector<int>, assigned_by_user, assigned_by_template, moved_trivially) {
  STATIC_REQUIRE(strew::element<TestType>);
  STATIC_REQUIRE_FALSE(is_bytewise<TestType>);
}

// The law behind the lists above, for what no list foresees.
TEMPLATE_TEST_CASE("bytes of a base or a member that are copied belong to nobody else", "[element]", plain, nested,
                   with_private_members, with_initializers, derived, with_bits, over_aligned, private_without_padding,
                   tag, tag_of_tags, v3, std::complex<float>, std::optional<double>, std::optional<int>) {
  if constexpr (is_bytewise<TestType>) {
    STATIC_REQUIRE(sizeof(as_base<TestType>) > sizeof(TestType));
    STATIC_REQUIRE(sizeof(as_member<TestType>) > sizeof(TestType));
  } else {
#if !defined(_WIN32)  // where g++ reuses bytes behind bits in members only
    STATIC_REQUIRE(sizeof(as_base<TestType>) == sizeof(TestType));
#endif
    STATIC_REQUIRE(sizeof(as_member<TestType>) == sizeof(TestType));
  }
}

TEMPLATE_TEST_CASE("operators write no byte behind an element that is a base", "[element]", with_private_members,
                   over_aligned, tag) {
  using item = as_base<TestType>;
  STATIC_REQUIRE(sizeof(item) == sizeof(TestType));
  std::vector<item> output(6, item{TestType{}, ' '});
  std::vector<item> data = output;
  std::vector<item> updates(3, output[0]);
  const auto letters_of = [](auto& items, char first) {
    std::string letters;
    for (item& each : items) {
      each.next = first++;
      letters += each.next;
    }
    return letters;
  };
  const std::string letters = letters_of(output, 'a');
  static_cast<void>(letters_of(data, 'm'));
  static_cast<void>(letters_of(updates, 'x'));
  const std::array<int, 3> indices{4, 0, 1};
  const strew::tensor_view<TestType> out{output.data(), {6}};
  const strew::tensor_view<const TestType> in{data.data(), {6}};
  const strew::tensor_view<const TestType> up{updates.data(), {3}};
  const strew::tensor_view where{indices.data(), {3}};
  strew::scatter_update(in, where, up, 0, out);
  strew::scatter_elements_update(in, where, up, 0, out);
  strew::slice_scatter(in, up, {.start = 0, .stop = 6, .step = 2}, out);
  strew::scatter_update(out, where, up, 0);
  strew::scatter_elements_update(out, where, up, 0);
  strew::slice_scatter(out, up, {.start = 0, .stop = 6, .step = 2});
  std::string after;
  for (const item& each : output) after += each.next;
  CHECK(after == letters);
}

TEST_CASE("the copy assignment of a base leaves the members behind it alone", "[element]") {
  as_base<with_private_members> item{with_private_members{1.5}, 'c'};
  const with_private_members other{2.5};
  static_cast<with_private_members&>(item) = other;
  CHECK(item.next == 'c');
  as_base<tag> tagged{{}, 'c'};
  const tag another;
  static_cast<tag&>(tagged) = another;
  CHECK(tagged.next == 'c');
  // Their bytes would not.
  CHECK(reinterpret_cast<const char*>(&item.next) <
        reinterpret_cast<const char*>(&item) + sizeof(with_private_members));
  CHECK(reinterpret_cast<const char*>(&tagged.next) < reinterpret_cast<const char*>(&tagged) + sizeof(tag));
}
