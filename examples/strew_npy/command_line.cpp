// SPDX-License-Identifier: Apache-2.0
// The options of each operator, for CLI11.
#include "command_line.hpp"

#include "nearest_names.hpp"
#include "shown_name.hpp"
#include "standard_streams.hpp"

#include <strew/config.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace strew_npy {
namespace {

// A decimal integer. CLI11 would read 010 as eight and truncate numbers to 64 bits.
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

// One integer for each axis, separated by commas.
std::vector<std::int64_t> to_integers(const std::string& option, std::string_view text) {
  std::vector<std::int64_t> values;
  for (;;) {
    const std::size_t comma = text.find(',');
    values.push_back(to_integer(option, text.substr(0, comma)));
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

template <class List>
CLI::Option* add_list(CLI::App& app, List& list, const std::string& name, const char* description) {
  const auto assign = [&list, name](const std::string& text) { list = List(to_integers(name, text)); };
  return app.add_option_function<std::string>(name, assign, description)->type_name("N[,N...]");
}

CLI::Option* add_number(CLI::App& app, std::int64_t& number, const std::string& name, const std::string& description) {
  const auto assign = [&number, name](const std::string& text) { number = to_integer(name, text); };
  return app.add_option_function<std::string>(name, assign, description)->type_name("N");
}

// An option whose value is one of some names; set(text) returns whether it is one.
template <class Set>
CLI::Option* add_choice(CLI::App& app, const std::string& name, const std::string& offered, const Set& set,
                        const std::string& wrong, const char* description) {
  const auto assign = [set, name, wrong](const std::string& text) {
    if (!set(text)) throw CLI::ValidationError(name, "'" + text + "' is no " + wrong);
  };
  return app.add_option_function<std::string>(name, assign, description)->type_name(offered);
}

void add_axis(CLI::App& app, command& result, const operator_entry& op) {
  if (!op.has_axis) return;
  std::string description = op.takes_indices()                      ? "The axis that indices count on"
                            : op.places == placed_by::write_indices ? "The axis that positions count on"
                                                                    : "The axis that the index counts on";
  description += ", " + std::to_string(op.default_axis) + " if left out";
  if (op.takes_indices()) {
    description += op.counts_from_end ? "; negative indices count from its end" : "; negative indices are errors";
  }
  add_number(app, result.axis, "--axis", description);
}

CLI::Option* as_file(CLI::Option* option) {
  const auto check = [](const std::string& text) { return std::string(text.empty() ? "the file name is empty" : ""); };
  return option->check(check)->type_name("FILE");
}

CLI::Option* add_file(CLI::App& app, std::string& path, const std::string& name, const char* description) {
  return as_file(app.add_option(name, path, description));
}

// Several files and then one, unless a value takes its place: CLI11 assigns all to the first operand, which passes on
// the last.
void add_files_of_indices(CLI::App& app, command& result) {
  const auto assign = [&app, &result](const std::vector<std::string>& files) {
    result.indices = files;
    if (files.size() < 2 || app.count("--value") > 0) return;
    app.get_option("updates")->add_result(files.back());
    result.indices.pop_back();
  };
  as_file(app.add_option_function<std::vector<std::string>>(
              "indices", assign, "Where the updates go, a file for each axis from the first on, integers of any type"))
      ->required();
}

void add_operands(CLI::App& app, command& result, const operator_entry& op) {
  const auto assign_indices = [&result](const std::string& file) { result.indices = {file}; };
  add_file(app, result.data, "data", "The array to update")->required();
  if (op.places == placed_by::several_indices) add_files_of_indices(app, result);
  if (op.places == placed_by::indices) {
    as_file(
        app.add_option_function<std::string>("indices", assign_indices, "Where the updates go, integers of any type"))
        ->required();
  }
  if (op.places == placed_by::mask) {
    add_file(app, result.mask, "mask", "Which elements are selected, of type bool and data's shape")->required();
  }
  if (op.writes == written::value) {
    add_file(app, result.updates, "value", "One element of data's type, of rank 0; --value may take its place");
  } else {
    add_file(app, result.updates, "updates",
             op.writes == written::updates ? "The new elements, of data's element type"
                                           : "The new elements, of data's element type; --value may take their place")
        ->required(op.writes == written::updates);
  }
  if (op.places == placed_by::write_indices) {
    as_file(app.add_option_function<std::string>(
        "write_indices", assign_indices, "The first position of each sample, integers of any type; all 0 if left out"));
  }
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

// The options for the output and for the work, which are last in each operator's usage.
void add_output(CLI::App& app, command& result) {
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

void add_reduction(CLI::App& app, command& result, const strew::reduction_set& reductions) {
  using enum strew::reduction_kind;
  std::string offered;
  for (const strew::reduction_kind kind : {none, sum, sub, prod, min, max, mean}) {
    if (reductions.contains(kind))
      offered += (offered.empty() ? "" : "|") + std::string(strew::reduction::name_of(kind));
  }
  const auto set = [&result](const std::string& text) { return strew::reduction::parse(text, result.reduction); };
  add_choice(app, "--reduction", offered, set, "reduction", "How updates are combined with elements")
      ->required(!reductions.has_none);
  if (!reductions.may_omit_init) return;
  app.add_flag("--without-init", result.without_init, "Reduce the updates alone, without data's element");
}

constexpr strew::index_policy offered_policies[] = {strew::index_policy::error, strew::index_policy::drop,
                                                    strew::index_policy::clip, strew::index_policy::wrap};

void add_bad_indices(CLI::App& app, command& result) {
  const auto set = [&result](const std::string& text) {
    for (const strew::index_policy policy : offered_policies) {
      if (text != name_of(policy)) continue;
      result.bad_indices = policy;
      return true;
    }
    return false;
  };
  std::string offered;
  for (const strew::index_policy policy : offered_policies)
    offered += (offered.empty() ? "" : "|") + std::string(name_of(policy));
  add_choice(app, "--bad-indices", offered, set, "way with bad indices",
             "What an index out of range does: error (if left out), drop its update, clip it or wrap it round");
}

void add_options_of_its_own(CLI::App& app, command& result, const operator_entry& op) {
  switch (op.which) {
    case operation::slice_scatter:
      add_list(app, result.slice.start, "--start",
               "First element of the slice on each axis; may be left out, as in data[:stop:step]");
      add_list(app, result.slice.stop, "--stop",
               "End of the slice, exclusive; bounds clamp as Python's do; may be left out, as in data[start::step]");
      add_list(app, result.slice.step, "--step", "Step, not 0; backwards if negative; 1 if left out");
      add_list(app, result.slice.axes, "--axes", "The axes that are sliced; the first ones if left out");
      break;
    case operation::select_scatter:
      add_number(app, result.index, "--index", "The index on that axis; a negative one counts from its end")
          ->required();
      break;
    case operation::diagonal_scatter:
      add_number(app, result.offset, "--offset", "The diagonal: above the main one if positive, 0 if left out");
      add_number(app, result.axis1, "--axis1", "The axis of its rows, 0 if left out");
      add_number(app, result.axis2, "--axis2", "The axis of its columns, 1 if left out");
      break;
    case operation::index_add:
      app.add_option("--alpha", result.alpha, "Multiply the updates by this element before they are added")
          ->type_name("ELEMENT");
      break;
    case operation::onnx_tensor_scatter: {
      const auto set = [&result](const std::string& text) {
        result.mode = text == "circular" ? strew::onnx::cache_mode::circular : strew::onnx::cache_mode::linear;
        return text == "linear" || text == "circular";
      };
      add_choice(app, "--mode", "linear|circular", set, "mode",
                 "Whether positions beyond the end are errors (if left out) or go on at the beginning");
      break;
    }
    default:
      break;
  }
}

// The text at the end of every help.
std::string notes() {
  return "Files: all operands are .npy files, or members of .npz archives, named as in a.npz:member. They must not "
         "change\n"
         "while strew-npy runs.\n"
         "Exit status: 0 without an error; 2 on an error, with one line on standard error, no output written and data "
         "as it\n"
         "was; 1 where all is done, but the report could not be written to standard output.\n";
}

std::string example_line(const operator_entry& op, std::string_view arguments) {
  return std::string("strew-npy ") + op.name + ' ' + std::string(arguments);
}

std::string examples_of(const operator_entry& op) {
  std::string text = "\nExamples:";
  for (const std::string_view arguments : op.examples) {
    if (!arguments.empty()) text += "\n  " + example_line(op, arguments);
  }
  return text;
}

void add_operator(CLI::App& app, command& result, const operator_entry& op) {
  CLI::App& sub = *app.add_subcommand(op.name, op.summary);
  sub.callback([&sub, &result, &op] {
    result.op = &op;
    if (op.has_axis && sub.count("--axis") == 0) result.axis = op.default_axis;
    if (op.implied_reduction != strew::reduction_kind::none) result.reduction = op.implied_reduction;
  });
  add_axis(sub, result, op);
  add_options_of_its_own(sub, result, op);
  if (op.reductions != nullptr) add_reduction(sub, result, *op.reductions);
  if (op.takes_indices()) add_bad_indices(sub, result);
  if (op.writes != written::updates) {
    sub.add_option("--value", result.value,
                   op.writes == written::value
                       ? "The value, in the place of a file: a number, of complex ones RE[,IM]"
                       : "One element for all updates, in the place of their file: a number, of complex ones RE[,IM]")
        ->type_name("ELEMENT");
  }
  add_operands(sub, result, op);
  add_output(sub, result);
  sub.footer(notes() + examples_of(op));
}

void check_combination(const command& result) {
  const bool has_output = !result.output.empty();
  const char* wrong = has_output && result.in_place                   ? "-o and --in-place exclude each other"
                      : result.check && result.dry_run                ? "--check and --dry-run exclude each other"
                      : has_output || result.in_place || result.check ? nullptr
                                                                      : "one of -o and --in-place is required";
  const bool fills = result.op->writes == written::value;
  const bool has_both = result.value && !result.updates.empty();
  const bool has_none = !result.value && result.updates.empty();
  if (has_both) wrong = fills ? "value and --value exclude each other" : "updates and --value exclude each other";
  if (has_none) wrong = fills ? "one of value and --value is required" : "one of updates and --value is required";
  if (wrong != nullptr) throw usage_error(std::string(wrong) + " (see strew-npy " + result.op->name + " --help)");
}

std::string joined(const std::vector<std::string>& parts, const char* last_separator) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : &part == &parts.back() ? last_separator : ", ") + part;
  }
  return text;
}

std::vector<std::string> names_of_operators() {
  std::vector<std::string> names;
  for (const operator_entry& op : all_operators()) names.emplace_back(op.name);
  return names;
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && argument.front() == '-';
}

bool is_in(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The suggestion for an unknown option, from the options of an operator or of the program; may be empty. Operands have
// names too, but are not suggested.
std::string nearest_option(const CLI::App& app, std::string_view argument) {
  const std::string_view given = argument.substr(0, argument.find('='));
  const std::string_view name_given = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  std::vector<std::string> options;
  std::vector<std::string> operands;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back(name);
    if (!option->nonpositional()) operands.push_back(option->get_name(true));
  }
  std::vector<std::string_view> names(options.begin(), options.end());
  for (const std::string& operand : operands) {
    if (!is_in(options, operand)) names.push_back(operand);
  }
  std::vector<std::string> nearest;
  for (const std::string_view name : nearest_names(name_given, names)) {
    const std::string written = "--" + std::string(name);
    if (!is_in(options, name)) {
      nearest.push_back(std::string(name) + ", whose file stands alone, without " + written);
    } else if (written != given) {  // otherwise it is in the wrong place
      nearest.push_back(written);
    }
  }
  return joined(nearest, " or ");
}

// The error for unexpected arguments. If names of options are misspelt it only lists these, as what follows may be
// their values.
std::string surplus(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> options;
  std::vector<std::string> meant;
  for (const std::string& argument : arguments) {
    if (!is_option(argument)) continue;
    options.push_back(argument);
    std::string nearest = nearest_option(app, argument);
    if (!nearest.empty()) meant.push_back(std::move(nearest));
  }
  const std::vector<std::string>& listed = meant.empty() ? arguments : options;
  std::string text = listed.size() > 1 ? "these arguments are not expected:" : "this argument is not expected:";
  for (const std::string& argument : listed) text += ' ' + shown(argument);
  if (!meant.empty()) text += "; did you mean " + joined(meant, " and ") + '?';
  return text;
}

// The error if no operator is given.
std::string no_operator(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = names_of_operators();
  if (arguments.empty()) return "name an operator first: " + joined(names, " or ");
  const std::string& first = arguments.front();
  if (is_option(first)) {
    const std::string meant = nearest_option(app, first);
    if (!meant.empty()) return surplus(app, {first});
    return "name an operator first: " + joined(names, " or ");
  }
  std::vector<std::string> nearest;
  for (const std::string_view name : nearest_names(first, {names.begin(), names.end()})) nearest.emplace_back(name);
  return "no operator is called " + shown(first) +
         (nearest.empty() ? ": name " + joined(names, " or ") : "; did you mean " + joined(nearest, " or ") + '?');
}

// Throws the usage error for an error of CLI11.
[[noreturn]] void throw_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  const std::vector<const CLI::App*> chosen = app.get_subcommands([](const CLI::App* sub) { return sub->parsed(); });
  if (chosen.empty()) throw usage_error(no_operator(app, unexpected) + " (see strew-npy --help)");
  // An operand or an option may seem missing because its name is misspelt.
  const bool is_surplus = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                          (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                           std::any_of(unexpected.begin(), unexpected.end(), is_option));
  const CLI::App& op = *chosen.front();
  throw usage_error((is_surplus ? surplus(op, unexpected) : escaped(error.what())) + " (see strew-npy " +
                    op.get_name() + " --help)");
}

std::string version() {
  return "strew-npy " + std::to_string(STREW_VERSION_MAJOR) + '.' + std::to_string(STREW_VERSION_MINOR) + '.' +
         std::to_string(STREW_VERSION_PATCH);
}

}  // namespace

const char* name_of(strew::index_policy policy) noexcept {
  return policy == strew::index_policy::drop   ? "drop"
         : policy == strew::index_policy::clip ? "clip"
         : policy == strew::index_policy::wrap ? "wrap"
                                               : "error";
}

std::optional<command> parse_command_line(const std::vector<std::string>& words) {
  command result;
  CLI::App app("Scatter operators on NumPy's .npy files, without reading them into memory.", "strew-npy");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  const operator_entry& first = all_operators().front();
  app.footer(notes() + "Axis: " + axis_rule() + "\nExample: " + example_line(first, first.examples.front()) +
             "\nOptions of an operator: strew-npy OPERATOR --help.");
  for (const operator_entry& op : all_operators()) add_operator(app, result, op);
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    app.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::Success& wanted) {
    if (app.get_subcommands().empty() && !app.remaining().empty()) throw_usage_error(app, wanted);
    std::ostringstream text;
    app.exit(wanted, text, text);
    print(text.str());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw_usage_error(app, error);
  }
  check_combination(result);
  return result;
}

}  // namespace strew_npy
