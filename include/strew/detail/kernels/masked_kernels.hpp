// SPDX-License-Identifier: Apache-2.0
// The kernels of scatters by a mask, on bytes.
#ifndef STREW_DETAIL_KERNELS_MASKED_KERNELS_HPP
#define STREW_DETAIL_KERNELS_MASKED_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/mask_bits.hpp>
#include <strew/detail/kernels/masked_loops.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Runs of elements along the innermost axes, all alike, and the source from the next element on.
template <std::size_t Width>
struct masked_part {
  const bytes_run<Width>& run;
  bytes_reader<Width>& source;

  [[nodiscard]] bool is_short() const noexcept { return run.count < tuning::limits().shortest_copied_run; }
  // Whether the elements of the output and of the mask are contiguous.
  [[nodiscard]] bool is_flat() const noexcept { return run.to_stride == run.elements.size && run.mask_stride == 1; }
  [[nodiscard]] bool has_one_of_mask() const noexcept { return run.mask_stride == 0; }
  template <class Put>
  void for_each_run(const Put& put) const noexcept {
    bytes_run<Width> one = run;
    for (put(one); --one.rows > 0; put(one)) one.next();
  }
};

template <std::size_t Width>
struct masked_short_rows {
  static constexpr const char* name = "masked short rows";

  static bool may(const masked_part<Width>& part) noexcept { return part.has_one_of_mask(); }
  static bool pays(const masked_part<Width>& part) noexcept { return part.is_short(); }
  static bool run(const masked_part<Width>& part) noexcept {
    STREW_RAN("masked short rows", Width);
    put_short<Width, true>(part.run, part.source);
    return true;
  }
};
template <std::size_t Width>
struct masked_rows {
  static constexpr const char* name = "masked rows";

  static bool may(const masked_part<Width>& part) noexcept { return part.has_one_of_mask(); }
  static bool pays(const masked_part<Width>&) noexcept { return true; }
  static bool run(const masked_part<Width>& part) noexcept {
    STREW_RAN("masked rows", Width);
    part.for_each_run([&part](const auto& row) noexcept { put_all_or_none<Width>(row, part.source); });
    return true;
  }
};
template <std::size_t Width>
struct masked_short_runs {
  static constexpr const char* name = "masked short runs";

  static bool may(const masked_part<Width>&) noexcept { return true; }
  static bool pays(const masked_part<Width>& part) noexcept { return part.is_short(); }
  static bool run(const masked_part<Width>& part) noexcept {
    STREW_RAN("masked short runs", Width);
    put_short<Width, false>(part.run, part.source);
    return true;
  }
};
// One value, data and the output are read and written as numbers.
template <std::size_t Width>
struct masked_blend {
  static constexpr const char* name = "masked blend";

  static bool may(const masked_part<Width>& part) noexcept {
    return part.is_flat() && part.run.data != nullptr && part.run.data_stride == part.run.elements.size &&
           part.source.is_one();
  }
  static bool pays(const masked_part<Width>&) noexcept { return true; }
  static bool run(const masked_part<Width>& part) noexcept {
    part.for_each_run([&part](const auto& run) noexcept {
      blend<word_number<Width>>(run.to, run.data, run.mask, part.source.here(), run.count);
    });
    return true;
  }
};
// 64 elements of the mask at a time.
template <std::size_t Width>
struct masked_words : any_other {
  static constexpr const char* name = "masked words";

  static bool run(const masked_part<Width>& part) noexcept {
    STREW_RAN("masked words", Width);
    const bool is_flat = part.is_flat();
    const std::int64_t size = part.run.elements.size;
    part.for_each_run([&part, is_flat, size](const auto& run) noexcept {
      for (std::int64_t i = 0; i < run.count; i += mask_bits) {
        const std::int64_t count = run.count - i < mask_bits ? run.count - i : mask_bits;
        char* const to = run.to + i * run.to_stride;
        if (run.data != nullptr) {
          copy_run<Width>(to, run.to_stride, run.data + i * run.data_stride, run.data_stride, count, size);
        }
        const std::uint64_t bits = load_mask_bits(run.mask + i * run.mask_stride, run.mask_stride, count);
        if (bits != 0) put_word<Width>(run, to, bits, is_flat && count == mask_bits, part.source);
      }
    });
    return true;
  }
};

template <std::size_t Width>
struct kernels_of_masks {
  using table =
      kernel_table<masked_short_rows<Width>, masked_rows<Width>, masked_short_runs<Width>, masked_words<Width>>;
};
template <std::size_t Width>
  requires(Width == 1 || Width == 2 || Width == 4 || Width == 8)
struct kernels_of_masks<Width> {
  using table = kernel_table<masked_short_rows<Width>, masked_rows<Width>, masked_short_runs<Width>,
                             masked_blend<Width>, masked_words<Width>>;
};

template <std::size_t Width>
STREW_INLINE void byte_elements<Width>::put_runs(const masked_run<byte_elements>& run,
                                                 element_reader<byte_elements>& source) noexcept {
  const masked_part<Width> part{run, source};
  kernels_of_masks<Width>::table::run(part);
}

// Checks a call, but not the number of elements that its mask selects.
STREW_NOINLINE inline bool check_masked_request(const erased::request& call, bool& in_place, status& error) noexcept {
  const erased::index_operand& mask = *call.indices;
  shared_memory shared = find_shared(call);
  shared.indices = overlaps_output(call, mask.data, *mask.layout, 1);
  in_place = shared.in_place;
  return check_masked(call.type.rules, {*call.data.layout, *mask.layout, *call.updates.layout, *call.output.layout},
                      shared, error);
}

// Checks and runs a call on elements of a width. The mask is in the place of indices.
template <std::size_t Width>
void run_masked(const execution_context& ctx, const erased::request& call, status& error) {
  STREW_TRACED(ctx, call, nullptr, error, run_masked<Width>(ctx, call, error));
  bool in_place = false;
  if (!check_masked_request(call, in_place, error)) return;
  const masked_layouts at{*call.data.layout, *call.indices->layout, *call.updates.layout, *call.output.layout};
  const std::int64_t size = call.type.element_size;
  const masked_operands<byte_elements<Width>> operands{
      {size, size}, call.indices->data, in_place ? nullptr : call.data.data, call.updates.data, call.output.data};
  put_selected(&ctx, call.type.rules, at, operands, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MASKED_KERNELS_HPP
