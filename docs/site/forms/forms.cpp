// SPDX-License-Identifier: Apache-2.0
// Prints for each operator the calls that compile, what may stand in the place of each argument, and the errors that
// its calls report, for hooks.py. Names and defaults are written here; all else is asked of the compiler or of a call.
#include "forms.hpp"

#include "errors.hpp"

namespace {

using namespace forms;

using any_reduction = const strew::reduction::sum_type&;
template <const auto& Object>
using operator_of = typename std::remove_cvref_t<decltype(Object)>::operator_type;
template <const auto& Object>
using options_of = const typename operator_of<Object>::options&;
template <const auto& Object>
using two_indices = const std::tuple<strew::tensor_view<const std::int64_t>, strew::tensor_view<const std::int64_t>>&;

constexpr std::size_t none = 99;
constexpr argument<data_view> output{"output", "the call is in place: data is the output"};
constexpr argument<any_reduction> reduction{"reduction", "none: the last update of a target wins"};
constexpr argument<any_reduction> a_reduction{"reduction"};
constexpr argument<data_view> data{"data"}, updates{"updates"}, source{"source"}, values{"values"};
constexpr argument<index_view> indices{"indices"}, index{"index"};
constexpr argument<mask_view> mask{"mask"};
constexpr argument<const int&> axis{"axis"}, coordinate{"index"}, offset{"offset"}, axis1{"axis1"}, axis2{"axis2"};
constexpr argument<const number&> value{"value"};

template <const auto& Object>
void print_rows_of_pytorch(const char* name) {
  print<operator_of<Object>, 2, 3>(name, data, axis, index, source, output);
}
template <const auto& Object, class Reduction = any_reduction>
void print_multi_indices(const char* name) {
  const argument<Reduction> one{"reduction", reduction.left_out};
  print<operator_of<Object>, 1, 2, Reduction>(name, data, indices, updates, one, output);
}

void print_forms() {
  using namespace strew;
  {
    const argument<options_of<slice_scatter>> slice{"{.start = .., .stop = .., .step = .., .axes = ..}"};
    print<operator_of<slice_scatter>, none, 1>("slice_scatter", data, updates, slice, output);
  }
  print<operator_of<select_scatter>, none, 1>("select_scatter", data, source, axis, coordinate, output);
  print<operator_of<diagonal_scatter>, none, 1>("diagonal_scatter", data, source, offset, axis1, axis2, output);
  {
    const argument<options_of<scatter_update>> axis_option{"axis"};
    print<operator_of<scatter_update>, 1, 2>("scatter_update", data, indices, updates, axis_option, output);
  }
  print_rows_of_pytorch<index_copy>("index_copy");
  {
    const argument<const scaled_by<number>&> factor{"scaled_by{alpha}", "a factor of 1"};
    print<operator_of<index_add>, 2, 3>("index_add", data, axis, index, source, factor, output);
  }
  print<operator_of<index_reduce>, 2, 3, any_reduction>("index_reduce", data, axis, index, source, a_reduction, output);
  print<operator_of<index_fill>, 2, 3>("index_fill", data, axis, index, value, output);
  {
    const argument<options_of<scatter_elements_update>> axis_option{"axis"};
    print<operator_of<scatter_elements_update>, 1, 2>("scatter_elements_update", data, indices, updates, axis_option,
                                                      output);
  }
  print<operator_of<v12::scatter_elements_update>, 1, 2, any_reduction>("v12::scatter_elements_update", data, indices,
                                                                        updates, axis, reduction, output);
  {
    const argument<options_of<onnx::scatter>> axis_option{"axis", "0"};
    print<operator_of<onnx::scatter>, 1, 2>("onnx::scatter", data, indices, updates, axis_option, output);
  }
  {
    const argument<const int&> axis_or_0{"axis", "0"};
    print<operator_of<onnx::scatter_elements>, 1, 2, any_reduction>("onnx::scatter_elements", data, indices, updates,
                                                                    axis_or_0, reduction, output);
  }
  print_rows_of_pytorch<scatter>("scatter");
  print_rows_of_pytorch<scatter_add>("scatter_add");
  print<operator_of<scatter_reduce>, 2, 3, any_reduction>("scatter_reduce", data, axis, index, source, a_reduction,
                                                          output);
  print<operator_of<put_along_axis>, 1, 2>("put_along_axis", data, indices, values, axis, output);
  print_multi_indices<v3::scatter_nd_update, const lambda&>("v3::scatter_nd_update");
  print_multi_indices<v14::scatter_nd_update>("v14::scatter_nd_update");
  print_multi_indices<v15::scatter_nd_update>("v15::scatter_nd_update");
  print_multi_indices<onnx::scatter_nd>("onnx::scatter_nd");
  {
    const argument<two_indices<index_put>> tuple{"std::tuple{i0, i1}"};
    print<operator_of<index_put>, 1, 2, any_reduction>("index_put", data, tuple, values, reduction, output);
  }
  print<operator_of<put>, 1, 2, any_reduction>("put", data, index, source, reduction, output);
  print<operator_of<masked_scatter>, none, 2>("masked_scatter", data, mask, source, output);
  print<operator_of<masked_fill>, none, 2>("masked_fill", data, mask, value, output);
  {
    const argument<data_view> cache{"past_cache"}, update{"update"};
    const argument<index_view> write_indices{"write_indices", "0 for each sample"};
    const argument<options_of<onnx::tensor_scatter>> options{"{.mode = .., .axis = -2}"};
    print<operator_of<onnx::tensor_scatter>, 2, 1>("onnx::tensor_scatter", cache, update, write_indices, options,
                                                   output);
  }
}

}  // namespace

int main() {
  print_forms();
  print_errors();
  return std::cout.flush() ? 0 : 1;
}
