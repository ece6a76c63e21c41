// SPDX-License-Identifier: Apache-2.0
// The options of each operator, told to CLI11.
#include "command_line.hpp"

#include "shown_name.hpp"
#include "standard_streams.hpp"

#include <strew/config.hpp>

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <vector>

namespace strew_npy {
namespace {

// One whole number in decimal. CLI11 would read 010 as eight and cut off what does not fit in 64 bits.
std::int64_t to_integer(const std::string& option, std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  if (code == std::errc::result_out_of_range) {
    throw CLI::ValidationError(option, "'" + std::string(text) + "' does not fit in 64 bits");
  }
  if (code != std::errc() || rest != end) {
    throw CLI::ValidationError(option, "'" + std::string(text) + "' is not an integer");
  }
  return value;
}

// One number an axis, separated by commas.
std::vector<std::int64_t> to_integers(const std::string& option, std::string_view text) {
  std::vector<std::int64_t> values;
  for (;;) {
    const std::size_t comma = text.find(',');
    values.push_back(to_integer(option, text.substr(0, comma)));
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

CLI::App* add_operator(CLI::App& app, command& result, operation op, const char* name, const char* description) {
  CLI::App* const sub = app.add_subcommand(name, description);
  sub->callback([&result, op, name] {
    result.op = op;
    result.operator_name = name;
  });
  return sub;
}

template <class List>
CLI::Option* add_list(CLI::App& app, List& list, const std::string& name, const char* description) {
  const auto assign = [&list, name](const std::string& text) { list = List(to_integers(name, text)); };
  return app.add_option_function<std::string>(name, assign, description)->type_name("N[,N...]");
}

CLI::Option* add_axis(CLI::App& app, command& result, const char* description) {
  const auto assign = [&result](const std::string& text) { result.axis = to_integer("--axis", text); };
  return app.add_option_function<std::string>("--axis", assign, description)->type_name("N");
}

CLI::Option* add_file(CLI::App& app, std::string& path, const std::string& name, const char* description) {
  const auto check = [](const std::string& text) { return std::string(text.empty() ? "the file name is empty" : ""); };
  return app.add_option(name, path, description)->check(check)->type_name("FILE");
}

void add_data(CLI::App& app, command& result) {
  add_file(app, result.data, "data", "The array to update")->required();
}

void add_indices(CLI::App& app, command& result) {
  add_file(app, result.indices, "indices", "Where the updates go, integers of any type")->required();
}

void add_threads(CLI::App& app, command& result) {
  const auto assign = [&result](const std::string& text) {
    constexpr std::int64_t most = 1024;  // as strew::thread_pool
    const std::int64_t count = to_integer("--threads", text);
    if (count < 0 || count > most) throw CLI::ValidationError("--threads", "'" + text + "' is not in [0, 1024]");
    result.threads = static_cast<unsigned>(count);
  };
  app.add_option_function<std::string>(
         "--threads", assign,
         "How many threads, 0 for one a processor (the default from 4 MiB of work on); the "
         "output is the same")
      ->type_name("N");
}

void add_inflate_limit(CLI::App& app, command& result) {
  const auto assign = [&result](const std::string& text) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const std::int64_t size = to_integer("--inflate-limit", text);
    if (size < 0 || size > most) throw CLI::ValidationError("--inflate-limit", "'" + text + "' is not in [0, 2^30]");
    result.inflate_limit = static_cast<std::size_t>(size) << 20;
  };
  app.add_option_function<std::string>(
         "--inflate-limit", assign, "MiB of memory that a compressed member of an .npz file may take, 4096 if left out")
      ->type_name("MIB");
}

// What comes last in each operator's usage: the updates, where the result goes and how the work is done.
void add_updates_and_output(CLI::App& app, command& result) {
  add_file(app, result.updates, "updates", "The new elements, of data's element type")->required();
  add_file(app, result.output, "-o,--output",
           "Write the result to this .npy file, which may be an input but not read-only");
  app.add_flag("--in-place", result.in_place, "Change data itself, which must not be read-only nor in an archive");
  app.add_flag("--check", result.check,
               "Validate the files and every index; write nothing, print nothing but an error. Needs no -o");
  app.add_flag("--dry-run", result.dry_run,
               "Validate as --check does, write nothing, print the shapes and what would be written where");
  add_threads(app, result);
  app.add_flag("--no-progress", result.no_progress,
               "Show no progress bar; there is one on a terminal only, when work takes more than a second");
  add_inflate_limit(app, result);
  app.add_flag("-q,--quiet", result.quiet, "Print nothing when all went well");
}

void add_slice_scatter(CLI::App& app, command& result) {
  CLI::App& sub =
      *add_operator(app, result, operation::slice_scatter, "slice_scatter", "Replace a slice: data[start:stop:step]");
  add_list(sub, result.slice.start, "--start", "First element of the slice on each axis")->required();
  add_list(sub, result.slice.stop, "--stop", "End of the slice, exclusive; bounds clamp as Python's do")->required();
  add_list(sub, result.slice.step, "--step", "Step, not 0; backwards if negative")->required();
  add_list(sub, result.slice.axes, "--axes", "The axes that are sliced (the first ones if left out)");
  add_data(sub, result);
  add_updates_and_output(sub, result);
}

void add_scatter(CLI::App& app, command& result, operation op, const char* name, const char* description) {
  CLI::App& sub = *add_operator(app, result, op, name, description);
  if (op == operation::onnx_scatter) {
    add_axis(sub, result, "The axis that indices count on, 0 if left out; negative indices count from its end");
  } else {
    add_axis(sub, result, "The axis that indices count on; negative indices are errors")->required();
  }
  add_data(sub, result);
  add_indices(sub, result);
  add_updates_and_output(sub, result);
}

void add_reduction(CLI::App& app, command& result, const char* offered, bool may_omit_init) {
  const auto assign = [&result](const std::string& text) {
    if (!strew::reduction::parse(text, result.reduction)) {
      throw CLI::ValidationError("--reduction", "'" + text + "' is no reduction");
    }
  };
  app.add_option_function<std::string>("--reduction", assign, "What becomes of elements and updates that meet")
      ->type_name(offered);
  if (!may_omit_init) return;
  app.add_flag("--without-init", result.without_init, "Reduce the updates alone, without data's element");
}

// The operators that reduce; elements with negative indices count from the end of their axis.
void add_reducing(CLI::App& app, command& result, operation op, const char* name, const char* description,
                  bool has_axis, const char* offered, bool may_omit_init) {
  CLI::App& sub = *add_operator(app, result, op, name, description);
  if (has_axis) add_axis(sub, result, "The axis that indices count on, 0 if left out");
  add_reduction(sub, result, offered, may_omit_init);
  add_data(sub, result);
  add_indices(sub, result);
  add_updates_and_output(sub, result);
}

void check_target(const command& result) {
  const bool has_output = !result.output.empty();
  const char* const wrong = has_output && result.in_place                   ? "-o and --in-place exclude each other"
                            : result.check && result.dry_run                ? "--check and --dry-run exclude each other"
                            : has_output || result.in_place || result.check ? nullptr
                                                                            : "one of -o and --in-place is required";
  if (wrong != nullptr) throw usage_error(std::string(wrong) + " (see strew-npy " + result.operator_name + " --help)");
}

std::string surplus(const std::vector<std::string>& arguments) {
  std::string text = arguments.size() > 1 ? "these arguments are not expected:" : "this argument is not expected:";
  for (const std::string& argument : arguments) text += ' ' + shown(argument);
  return text;
}

std::string version() {
  return "strew-npy " + std::to_string(STREW_VERSION_MAJOR) + '.' + std::to_string(STREW_VERSION_MINOR) + '.' +
         std::to_string(STREW_VERSION_PATCH);
}

}  // namespace

std::optional<command> parse_command_line(int argc, const char* const* argv) {
  command result;
  CLI::App app("Scatter operators on NumPy's .npy files, without reading them into memory.", "strew-npy");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  app.footer(
      "Files: data, indices and updates are .npy files, or members of .npz archives, named as in a.npz:member. Nobody\n"
      "may change them while strew-npy runs.\n"
      "Exit status: 0 where all went well; 2 on any error, of which one line on standard error tells, with no output\n"
      "written and data as it was; 1 where all is done, but the report could not be written to standard output.\n"
      "Example: strew-npy slice_scatter --start -25 --stop 25 --step 2 --axes 1 data.npy updates.npy -o out.npy\n"
      "Options of an operator: strew-npy OPERATOR --help.");
  add_slice_scatter(app, result);
  add_scatter(app, result, operation::scatter_update, "scatter_update",
              "Replace the rows of one axis that indices name");
  add_scatter(app, result, operation::scatter_elements_update, "scatter_elements_update",
              "Replace the elements that indices name along one axis");
  add_scatter(app, result, operation::onnx_scatter, "onnx_scatter", "As scatter_elements_update, by ONNX's rules");
  add_reducing(app, result, operation::scatter_elements, "scatter_elements",
               "Elements that indices name along one axis meet updates", true, "none|sum|prod|min|max|mean", true);
  add_reducing(app, result, operation::scatter_nd, "scatter_nd", "Slices that tuples of indices name meet updates",
               false, "none|sum|sub|prod|min|max", false);
  add_reducing(app, result, operation::index_reduce, "index_reduce", "Rows of one axis that indices name meet updates",
               true, "sum|prod|min|max|mean", true);
  add_reducing(app, result, operation::put, "put", "Elements that row-major numbers name meet updates", false,
               "none|sum", false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    std::ostringstream text;
    app.exit(wanted, text, text);
    print(text.str());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) {
      throw usage_error(
          "name an operator first: slice_scatter, scatter_update, scatter_elements_update, onnx_scatter, "
          "scatter_elements, scatter_nd, index_reduce or put (see strew-npy --help)");
    }
    const bool is_surplus = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    throw usage_error((is_surplus ? surplus(app.remaining(true)) : escaped(error.what())) + " (see strew-npy " +
                      chosen.front()->get_name() + " --help)");
  }
  check_target(result);
  return result;
}

}  // namespace strew_npy
