#include "motet/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <new>
#include <ostream>
#include <system_error>

#include "motet/app/registry.h"
#include "motet/app/verb_files.h"
#include "motet/base/output_closed.h"
#include "motet/cli/progress.h"
#include "motet/report/text_table.h"
#include "motet/version.h"

namespace motet {
namespace {

// One verb as CLI11 sees it: texts are collected while parsing and set afterwards.
struct Command {
  const Verb* verb = nullptr;
  CLI::App* app = nullptr;
  Job job;
  CommonOptions common;
  std::vector<Field> common_fields;
  struct Given {
    CLI::Option* option;
    const Field* field;
    std::unique_ptr<std::string> text;
  };
  std::vector<Given> given;
  std::vector<std::unique_ptr<std::vector<std::string>>> files;
};

constexpr std::size_t help_width = 70;  // beside the column of flags
constexpr std::size_t widest_shape = 90;

std::string wrapped(std::string_view text) {
  std::string lines;
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const bool fits = width + 1 + word.size() <= help_width;
    if (!lines.empty()) lines += fits ? ' ' : '\n';
    width = lines.empty() || !fits ? word.size() : width + 1 + word.size();
    lines += word;
  }
  return lines;
}

void add_field(Command& command, const Field& field, const Verb& verb) {
  auto text = std::make_unique<std::string>();
  const std::string help = wrapped(help_of(field, verb.required));
  CLI::Option* option = nullptr;
  if (field.is_flag) {
    option = command.app->add_flag(flag_of(field), help);
    option->disable_flag_override();
  } else {
    option = command.app->add_option(flag_of(field), *text, help);
    option->type_name(field.shape.size() > widest_shape ? "WORD" : field.shape);  // its help has the words then
  }
  command.given.push_back({option, &field, std::move(text)});
}

std::unique_ptr<Command> add_verb(CLI::App& parent, const Verb& verb) {
  auto command = std::make_unique<Command>();
  command->verb = &verb;
  command->job = verb.start();
  command->app = parent.add_subcommand(std::string(verb.name), wrapped(verb.purpose));
  command->app->footer("");
  for (const Argument& argument : verb.arguments) {
    command->files.push_back(std::make_unique<std::vector<std::string>>());
    CLI::Option* option =
        command->app->add_option(std::string(argument.name), *command->files.back(), wrapped(argument.help));
    option->type_name("");
    option->expected(static_cast<int>(std::max<std::size_t>(argument.at_least, 1)), static_cast<int>(argument.at_most));
    option->allow_extra_args(argument.at_most > 1);
    if (argument.at_least > 0) option->required();
  }
  command->common_fields = fields_of(command->common);
  for (const Field& field : command->job.fields) add_field(*command, field, verb);
  for (const Field& field : command->common_fields) {
    if (verb.has_page || field.name != "report") add_field(*command, field, verb);
  }
  return command;
}

int exit_code(ErrorKind kind, const CancelFlag* cancel) {
  switch (kind) {
    case ErrorKind::internal: return 1;
    case ErrorKind::usage: return 2;
    case ErrorKind::bad_data: return 3;
    case ErrorKind::unanswerable: return 4;
    case ErrorKind::machine_limit: return 5;
    case ErrorKind::interrupted: return 128 + (cancel != nullptr && cancel->is_set() ? cancel->signal() : 2);
  }
  return 1;
}

void write_out(const Console& console, const std::string& text) {
  errno = 0;
  console.out << text << std::flush;
  if (console.out) return;
  if (errno == EPIPE) throw OutputClosed();
  fail(ErrorKind::machine_limit, fmt::format("standard output cannot be written{}{}", errno == 0 ? "" : ": ",
                                             errno == 0 ? "" : std::generic_category().message(errno)));
}

// What the options and arguments of a command say about files.
VerbFiles files_of(const Command& command) {
  VerbFiles files;
  const Verb& verb = *command.verb;
  for (std::size_t i = 0; i < command.files.size(); ++i) {
    if (!verb.arguments[i].is_file) continue;
    const std::string name(verb.arguments[i].name);
    for (const std::string& path : *command.files[i]) files.inputs.push_back({nullptr, name, path, true});
  }
  for (const Command::Given& given : command.given) {
    const Field& field = *given.field;
    NamedFile file{&field, field.name, *given.text, given.option->count() > 0};
    if (field.file == FileUse::written) {
      if (!file.is_given) file.path = field.otherwise.empty() ? field.default_text : field.otherwise;
      files.outputs.push_back(std::move(file));
    } else if (field.file == FileUse::read) {
      files.inputs.push_back(std::move(file));
    }
  }
  return files;
}

void run_command(Command& command, const Console& console) {
  VerbContext context;
  for (const Command::Given& given : command.given) {
    if (given.option->count() == 0) continue;
    const char* const flag = is_on_by_default(*given.field) ? "false" : "true";
    given.field->set(given.field->is_flag ? flag : *given.text);
    if (given.field->is_flag || !given.text->empty()) context.given.push_back(given.field->name);
  }
  check_files(files_of(command), context);
  context.common = command.common;
  for (const auto& files : command.files) context.files.insert(context.files.end(), files->begin(), files->end());
  context.run.seed = Seed{command.common.seed};
  context.run.threads.count = static_cast<unsigned>(command.common.threads);
  context.run.cancel = console.cancel;
  Outcome outcome;
  {
    ProgressPrinter printer(console.err, console.err_is_terminal);
    if (!command.common.quiet) context.run.observer = [&](const Progress& progress) { printer.show(progress); };
    outcome = command.job.run(context);
  }
  const std::string text = deliver(outcome, context.common);
  const bool is_text_told = !context.writes_standard_output && context.common.json != "-";
  if (!context.writes_standard_output || context.common.json == "-") write_out(console, text);
  if (!is_text_told) console.err << warning_lines(outcome.warnings);
  if (outcome.finish) outcome.finish();
}

std::vector<CLI::App*> children_of(CLI::App& parent) {
  return parent.get_subcommands([](const CLI::App*) { return true; });
}

CLI::App* child_of(CLI::App& parent, std::string_view name) {
  for (CLI::App* child : children_of(parent)) {
    if (child->get_name() == name) return child;
  }
  return nullptr;
}

// The parser's complaint about the arguments of `verb`, in our words.
std::string problem_of(const CLI::App& verb, const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    if (text.ends_with("flag override")) return fmt::format("--{} takes no value", text.substr(0, text.find(' ')));
    return text.ends_with("missing") ? option + " needs a value" : option + " is given more than once";
  }
  const std::vector<std::string> extras = verb.remaining();
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || extras.empty()) return text;
  const auto flag = std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with('-'); });
  return flag != extras.end() ? fmt::format("there is no option '{}'", *flag)
                              : fmt::format("'{}' is one argument too many", extras[0]);
}

struct Program {
  CLI::App app{"Learning from labels that are not one certain label per item.", "motet"};
  std::vector<std::unique_ptr<Command>> commands;

  explicit Program(std::span<const Verb> verbs) {
    app.set_version_flag("--version", fmt::format("motet {}", version_text));
    app.require_subcommand(1);
    app.footer("motet <task> --help lists the verbs of a task, motet <task> <verb> --help its options.");
    for (const Verb& verb : verbs) commands.push_back(add_verb(verb.task.empty() ? app : task(verb.task), verb));
  }

  CLI::App& task(std::string_view name) {
    if (CLI::App* known = child_of(app, name)) return *known;
    CLI::App* added = app.add_subcommand(std::string(name), wrapped(purpose_of_task(name)));
    added->footer(fmt::format("motet {} <verb> --help tells the options of a verb.", name));
    added->require_subcommand(1);
    return *added;
  }

  Command& chosen() {
    for (const auto& command : commands) {
      if (command->app->parsed()) return *command;
    }
    fail(ErrorKind::internal, "no verb was chosen");
  }

  // What is wrong with arguments that could not be parsed, and where to read more.
  std::string usage_error(std::span<const std::string> args, const CLI::ParseError& error) {
    CLI::App* at = &app;
    std::string words = "motet";
    while (!args.empty() && child_of(*at, args[0]) != nullptr) {
      at = child_of(*at, args[0]);
      words += " " + args[0];
      args = args.subspan(1);
    }
    std::string choices;
    for (const CLI::App* one : children_of(*at)) choices += (choices.empty() ? "" : ", ") + one->get_name();
    std::string problem = problem_of(*at, error);
    if (!choices.empty() && args.empty()) problem = fmt::format("one of {{{}}} must follow '{}'", choices, words);
    if (!choices.empty() && !args.empty()) {
      problem = args[0].starts_with('-') ? fmt::format("there is no option '{}'", args[0])
                                         : fmt::format("'{}' is not one of {{{}}}", args[0], choices);
    }
    return fmt::format("{}; see {} --help", problem, words);
  }
};

}  // namespace

int run_cli(std::span<const std::string> args, std::span<const Verb> verbs, const Console& console) {
  const auto tell = [&](std::string_view text, int code) {
    console.err << "motet: " << (code > 128 ? "" : "error: ") << one_line(std::string(text)) << "\n";
    return code;
  };
  try {
    Program program(verbs);
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    if (!args.empty() && args[0] == "help") {  // motet help judges: motet judges --help
      args = args.subspan(1);
      reversed.back() = "--help";
      std::rotate(reversed.begin(), reversed.end() - 1, reversed.end());
    }
    try {
      program.app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
      write_out(console, program.app.help());
      return 0;
    } catch (const CLI::CallForVersion& version) {
      write_out(console, fmt::format("{}\n", version.what()));
      return 0;
    } catch (const CLI::ParseError& error) {
      return tell(program.usage_error(args, error), 2);
    }
    run_command(program.chosen(), console);
    return 0;
  } catch (const OutputClosed&) {
    return 0;
  } catch (const Error& error) {
    return tell(error.what(), exit_code(error.kind(), console.cancel));
  } catch (const std::bad_alloc&) {
    return tell("not enough memory", 5);
  } catch (const std::system_error& error) {  // threads that cannot be started, and the like
    return tell(error.what(), 5);
  } catch (const std::exception& error) {
    return tell(fmt::format("a defect of motet: {}; please report it", error.what()), 1);
  }
}

}  // namespace motet
