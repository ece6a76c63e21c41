// SPDX-License-Identifier: Apache-2.0
#include "scatter_call.hpp"

#include <nanobind/stl/string.h>

#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace strew_python {

namespace {

std::string_view text_view(nb::handle object) {
  Py_ssize_t length = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object.ptr(), &length);
  if (text == nullptr) {  // surrogates, which no name has
    PyErr_Clear();
    return "?";
  }
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

index_mode mode_of(const char* operation, nb::handle mode) {
  static const nb::handle usual = PyUnicode_InternFromString("raise");  // the default is this object
  if (mode.is(usual)) return index_mode::raise;
  const operand_name name{operation, "mode"};
  if (PyUnicode_Check(mode.ptr()) == 0) {
    raise(strew::errc::type_mismatch, name, " is " + kind_of(mode) + ", expected raise, drop, clip or wrap");
  }
  const std::string_view text = text_view(mode);
  if (text == "raise") return index_mode::raise;
  if (text == "drop") return index_mode::drop;
  if (text == "clip") return index_mode::clip;
  if (text == "wrap") return index_mode::wrap;
  raise(strew::errc::value_out_of_range, name, " = '" + text_of(mode) + "', expected raise, drop, clip or wrap");
}

bool is_true(const operand_name& name, nb::handle flag) {
  if (flag.is(Py_False)) return false;  // the most frequent
  if (is_numpy_bool(flag)) return PyObject_IsTrue(flag.ptr()) > 0;
  if (PyBool_Check(flag.ptr()) == 0) {
    raise(strew::errc::type_mismatch, name, " is " + kind_of(flag) + ", expected a bool");
  }
  return flag.is(Py_True);
}

strew::dynamic::reduction_without_nan reduction_of(const char* operation, nb::handle reduction, nb::handle skipna,
                                                   bool include_init) {
  const operand_name name{operation, "reduction"};
  const bool skips_nan = is_true({operation, "skipna"}, skipna);
  const std::string_view operation_name = operation;
  const bool is_bool = PyBool_Check(reduction.ptr()) != 0 || is_numpy_bool(reduction);
  if (is_bool && (operation_name == "put" || operation_name == "index_put")) {  // PyTorch's accumulate
    const bool is_sum = PyObject_IsTrue(reduction.ptr()) > 0;
    return {is_sum ? strew::reduction_kind::sum : strew::reduction_kind::none, include_init, skips_nan};
  }
  if (PyUnicode_Check(reduction.ptr()) == 0) {
    const bool is_put = operation_name == "put" || operation_name == "index_put";
    raise(strew::errc::type_mismatch, name,
          " is " + kind_of(reduction) + ", expected " +
              (is_put ? "a bool or a name: none or sum" : "a name: none, sum, sub, prod, min, max or mean"));
  }
  strew::dynamic::reduction_without_nan found{strew::reduction_kind::none, include_init, skips_nan};
  if (!strew::reduction::parse(text_view(reduction), found.kind)) {
    raise(strew::errc::unsupported_reduction, name,
          " = '" + text_of(reduction) + "', expected none, sum, sub, prod, min, max or mean");
  }
  return found;
}

nb::object make_output(const operand_name& name, const operand& data) {
  const nb::handle like = data.object();
  switch (data.from()) {
    case source::numpy:
      return new_numpy_array(name, like);
    case source::torch: {
      const nb::module_ torch = nb::module_::import_("torch");
      return torch.attr("empty_like")(like, nb::arg("memory_format") = torch.attr("preserve_format"));
    }
    case source::jax: {
      const nb::module_ numpy = nb::module_::import_("numpy");
      return numpy.attr("empty")(like.attr("shape"), like.attr("dtype"));
    }
    case source::buffer: {
      nb::object view = nb::steal(PyMemoryView_FromObject(like.ptr()));
      if (!view.is_valid()) throw nb::python_error();
      const nb::object bytes =
          nb::steal(PyByteArray_FromStringAndSize(nullptr, nb::cast<Py_ssize_t>(view.attr("nbytes"))));
      if (!bytes.is_valid()) throw nb::python_error();
      const nb::object flat = nb::steal(PyMemoryView_FromObject(bytes.ptr()));
      try {
        // memoryview has no empty arrays of several axes.
        return flat.attr("cast")(view.attr("format"), view.attr("shape"));
      } catch (nb::python_error&) {
        raise(strew::errc::type_mismatch, name, " is " + kind_of(like) + ", of which no new one can be made: pass out");
      }
    }
    default:
      raise(strew::errc::type_mismatch, name, " is " + kind_of(like) + ", of which no new one can be made: pass out");
  }
}

nb::object as_result(const operand& data, nb::object output) {
  if (data.from() != source::jax) return output;
  const nb::object as_array = nb::module_::import_("jax.numpy").attr("asarray");
  nb::object result = as_array(output);
  if (!result.attr("dtype").equal(output.attr("dtype"))) {
    // JAX makes 32 bits of 64, unless told otherwise.
    const nb::object wide = nb::module_::import_("jax").attr("enable_x64")(true);
    wide.attr("__enter__")();
    try {
      result = as_array(output);
    } catch (nb::python_error&) {
      wide.attr("__exit__")(nb::none(), nb::none(), nb::none());
      throw;
    }
    wide.attr("__exit__")(nb::none(), nb::none(), nb::none());
  }
  return result;
}

scatter_call::scatter_call(const char* operation, const char* name_of_data, nb::handle data,
                           const call_options& options)
    : operation_{operation},
      data_({operation, name_of_data}, data, options.out.is(data) ? access::write : access::read),
      threads_{count_of_threads(operation, options.threads)},
      converts_{is_true({operation, "cast"}, options.cast)},
      is_new_{options.out.is_none()} {
  if (options.out.is(data)) {
    output_ = nb::borrow(data);
    written_ = &data_.writable();
  } else {
    const operand_name name{operation, "out"};
    output_ = is_new_ ? make_output({operation, name_of_data}, data_) : nb::borrow(options.out);
    out_.emplace(name, output_, access::write);
    require_same_type(name, *out_, data_);
    written_ = &out_->writable();
  }
  elements_ = data_.elements();
  has_memory_ = data_.has_memory() && (!out_ || out_->has_memory());
  if (moves_references()) number_elements(operation);
  is_small_ = moves_references() || written_->size() <= small_bytes / written_->type().size;
}

won_positions::won_positions(const char* operation, const scatter_call& call, const call_options& options,
                             bool has_segments)
    : data_{&call.data()} {
  if (!is_true({operation, "return_positions"}, options.return_positions)) return;
  call.require_unconverted("return_positions", " takes");
  if (has_segments) raise(strew::errc::type_mismatch, {operation, "return_positions"}, " is not for segments");
  are_wanted_ = true;
  if (!call.has_memory()) {
    static std::int64_t nothing = 0;  // never used
    numbers_ = {&nothing, strew::dynamic::element_type_of<std::int64_t>, call.output().extents()};
    return;
  }
  nb::list extents;
  for (int k = 0; k < call.output().rank(); ++k) extents.append(call.output().extents()[k]);
  const bool is_torch = data_->from() == source::torch;
  const nb::module_ library = nb::module_::import_(is_torch ? "torch" : "numpy");
  object_ = library.attr("empty")(nb::tuple(extents), nb::arg("dtype") = library.attr("int64"));
  array_.emplace(operand_name{operation, "numbers"}, object_, access::write);
  numbers_ = array_->writable();
}

nb::object won_positions::with(nb::object output) const {
  if (!array_) return output;
  return nb::make_tuple(output, as_result(*data_, object_));
}

namespace {

// Numbers are bytes: no reduction may combine them.
constexpr strew::dynamic::element_type type_of_numbers{strew::dynamic::element_kind::opaque, 8};

strew::dynamic::tensor number(byte_memory& numbers, std::int64_t first, const strew::index_list& extents) {
  std::int64_t count = 1;  // that of an array, so the product does not overflow
  for (const std::int64_t extent : extents) count *= extent;
  numbers = allocate(bytes_of({"strew", "data"}, count, sizeof(std::int64_t)));
  auto* const made = reinterpret_cast<std::int64_t*>(numbers.get());
  std::iota(made, made + count, first);
  return {made, type_of_numbers, extents};
}

}  // namespace

void scatter_call::require_unconverted(const char* argument, const char* before) const {
  if (!has_converted_) return;
  raise(strew::errc::type_mismatch, {operation_, argument},
        std::string(before) + " no elements that cast=True converts");
}

void scatter_call::require_no_mode(index_mode mode) const {
  if (mode == index_mode::raise) return;
  raise(strew::errc::value_out_of_range, {operation_, "mode"}, " must be raise for segments, whose offsets are legal");
}

void scatter_call::number_elements(const char* operation) {
  if (data_.from() != source::numpy) {
    raise(strew::errc::type_mismatch, {"strew", "data"}, " holds references, which arrays of NumPy alone may");
  }
  // The operator sees numbers; what it would find wrong with the arrays is found here.
  strew::status error;
  const bool is_in_place = written_->data() == elements_.data() && written_->layout() == elements_.layout();
  const auto size = static_cast<std::uint64_t>(written_->type().size);
  strew::detail::shared_memory shared{is_in_place};
  if (!is_in_place && has_memory_) {
    shared.data = strew::detail::find_shared(strew::detail::distance_between(written_->data(), elements_.data()),
                                             written_->layout(), size, elements_.layout(), size);
  }
  if (elements_.rank() > 0 &&
      !strew::detail::check_output(operation, elements_.layout(), written_->layout(), shared, error)) {
    raise(error);
  }
  target_ = *written_;
  numbered_ = number(numbers_, 0, elements_.extents());
  written_ = &numbered_;
  elements_ = numbered_;
}

void scatter_call::fail(const strew::status& error) const {
  raise(error, {operation_, error.operand()}, large_);
}

void scatter_call::require_unchanged() const {
  data_.require_unchanged();
  if (out_) out_->require_unchanged();
  for (std::size_t k = 0; k < count_of_watched_; ++k) watched_[k]->require_unchanged();
}

void scatter_call::require_memory() const {
  if (!has_memory_) raise(strew::errc::null_data, {"strew", "operands"}, " are layouts, which have no elements");
}

nb::object scatter_call::finish(const strew::status& outcome) {
  if (!outcome.ok()) fail(outcome);
  if (moves_references()) {
    const auto* const first = reinterpret_cast<const char*>(numbers_.get());
    const nb::bytes numbers(first, static_cast<std::size_t>(written_->size()) * sizeof(std::int64_t));
    nb::module_::import_("strew._references").attr("move")(data_.object(), updates_, numbers, output_);
    return output_;
  }
  (out_ ? *out_ : data_).note_write();
  return is_new_ ? as_result(data_, output_) : output_;
}

void scatter_call::require_apart(const operand_name& name, const strew::dynamic::const_tensor& updates) const {
  if (!has_memory_) return;
  const auto size = static_cast<std::uint64_t>(target_.type().size);
  const auto shared = strew::detail::find_shared(strew::detail::distance_between(target_.data(), updates.data()),
                                                 target_.layout(), size, updates.layout(), size);
  strew::status error;
  if (!strew::detail::check_apart(name.operation, shared, "updates", error)) raise(error);
}

array_of_updates::array_of_updates(const strew::detail::call_form& form, const operand_name& name, scatter_call& call,
                                   nb::handle object) {
  if (is_list(object) && !call.moves_references()) {
    updates_ = listed_.emplace(form, name, object, call.data()).elements();
    call.note_updates(updates_);
    return;
  }
  array_.emplace(name, object, access::read);
  updates_ = array_->elements();
  if (updates_.rank() == 0 && !has_same_type(*array_, call.data())) {
    if (!array_->has_memory() && !array_->identity().is_valid() && !call.data().identity().is_valid()) {
      call.note_layout();  // its value is converted when there is one
      updates_ = repeated(updates_.data(), call.data().type(), {});
      return;
    }
    if (const nb::object number = one_value_of(name, object); number.is_valid()) {
      updates_ = value_.emplace(form, name, number, call.data()).repeated({});
      return;
    }
  }
  const conversion with_cast = call.converts() ? conversion::wanted : conversion::possible;
  require_same_type(name, *array_, call.data(), form.has_updates ? with_cast : conversion::never);
  if (array_->type() != call.data().type()) call.note_conversion();
  call.watch(*array_);
  if (updates_.rank() > 0) call.note_updates(updates_);
  if (!array_->has_memory()) call.note_layout();
  if (!call.moves_references()) return;
  call.require_apart(name, updates_);
  updates_ = number(numbers_, call.elements().size(), updates_.extents());
  call.set_updates(nb::borrow(object));
}

void updates_operand::repeat(const strew::detail::call_form& form, scatter_call& call, nb::handle object,
                             const strew::index_list& extents) {
  is_repeated_ = true;
  const nb::object kind =
      call.moves_references() ? nb::getattr(call.data().identity(), "kind", nb::none()) : nb::object();
  if (kind.is_valid() && text_of(kind) == "V") {
    // NumPy would convert numbers to fields.
    const operand_name name{form.name, form.name_of_updates()};
    require_same_type(name, operand(name, object, access::read), call.data());
  }
  if (!call.moves_references()) {
    value_.emplace(form, operand_name{form.name, form.name_of_updates()}, object, call.data());
    updates_ = value_->repeated(extents);
    return;
  }
  number_ = call.elements().size();
  updates_ = repeated(&number_, type_of_numbers, extents);
  call.set_updates(nb::borrow(object));
}

}  // namespace strew_python
