// SPDX-License-Identifier: Apache-2.0
// A tensor of elements of so many bytes in memory of its own, in any placement and at any address.
#ifndef STREW_TESTS_SUPPORT_PLACED_BYTES_HPP
#define STREW_TESTS_SUPPORT_PLACED_BYTES_HPP

#include "oracle.hpp"
#include "placement.hpp"

#include <strew/view/tensor_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace strew::test {

class placed_bytes {
 public:
  // `guard` bytes precede and follow the elements, the first of which lies `shift` bytes behind a cache line and these.
  placed_bytes(placement where, std::int64_t width, std::int64_t guard, std::int64_t shift)
      : where_(std::move(where)), width_(width), size_(where_.span * width + 2 * guard + shift) {
    memory_.reset(static_cast<char*>(::operator new(static_cast<std::size_t>(size_), line)));
    std::fill_n(memory_.get(), size_, untouched);
    const std::int64_t origin = guard + shift + where_.first * width;
    offsets_ = {origin};  // axis by axis: a walk of coordinates took a tenth of the time of all random cases
    for (std::size_t axis = 0; axis < where_.extents.size(); ++axis) {
      std::vector<std::int64_t> with_axis;
      with_axis.reserve(offsets_.size() * static_cast<std::size_t>(where_.extents[axis]));
      for (const std::int64_t offset : offsets_) {
        for (std::int64_t k = 0; k < where_.extents[axis]; ++k) {
          with_axis.push_back(offset + k * where_.strides[axis] * width_);
        }
      }
      offsets_ = std::move(with_axis);
    }
    origin_ = where_.span == 0 ? nullptr : memory_.get() + origin;
  }

  [[nodiscard]] char* origin() const { return origin_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] const shape& extents() const { return where_.extents; }
  [[nodiscard]] const shape& strides() const { return where_.strides; }
  [[nodiscard]] std::size_t size() const { return offsets_.size(); }
  // Element number i in row-major order.
  [[nodiscard]] char* element(std::size_t i) const { return memory_.get() + offsets_[i]; }

  // All memory, guards and gaps included.
  [[nodiscard]] std::vector<char> image() const { return {memory_.get(), memory_.get() + size_}; }
  void restore(const std::vector<char>& image) const { std::copy(image.begin(), image.end(), memory_.get()); }
  [[nodiscard]] bool is_like(const std::vector<char>& image) const {
    return image.empty() || std::memcmp(memory_.get(), image.data(), image.size()) == 0;
  }
  [[nodiscard]] char* in_image(std::vector<char>& image, std::size_t i) const { return image.data() + offsets_[i]; }
  [[nodiscard]] const char* in_image(const std::vector<char>& image, std::size_t i) const {
    return image.data() + offsets_[i];
  }

 private:
  static constexpr char untouched = '\x5a';
  static constexpr std::align_val_t line{64};
  struct line_delete {
    void operator()(char* memory) const noexcept { ::operator delete(memory, line); }
  };

  placement where_;
  std::int64_t width_;
  std::int64_t size_;
  std::unique_ptr<char, line_delete> memory_;
  std::vector<std::int64_t> offsets_;
  char* origin_ = nullptr;
};

// For operands that have a type: they are aligned.
template <class T>
tensor_view<T> view_of(const placed_bytes& from) {
  return {reinterpret_cast<T*>(from.origin()), index_list(from.extents()), index_list(from.strides())};
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_PLACED_BYTES_HPP
