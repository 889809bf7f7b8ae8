#include "motet/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <ostream>

#include "motet/app/registry.h"
#include "motet/cli/progress.h"

namespace motet {
namespace {

// One verb as CLI11 sees it: texts are collected while parsing and set afterwards.
struct Command {
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

std::string flag_of(const std::string& field) {
  std::string flag = "--" + field;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string help_of(const Field& field) {
  std::string notes;
  if (!field.range.empty()) notes = field.range;
  if (!field.is_flag && !field.default_text.empty()) {
    notes += fmt::format("{}default {}", notes.empty() ? "" : "; ", field.default_text);
  }
  return notes.empty() ? field.help : fmt::format("{} ({})", field.help, notes);
}

void add_field(Command& command, const Field& field) {
  auto text = std::make_unique<std::string>();
  CLI::Option* option = nullptr;
  if (field.is_flag) {
    const std::string help = help_of(field);
    option = command.app->add_flag(flag_of(field.name), help);
  } else {
    option = command.app->add_option(flag_of(field.name), *text, help_of(field));
    option->type_name(field.shape);
  }
  command.given.push_back({option, &field, std::move(text)});
}

std::unique_ptr<Command> add_verb(CLI::App& parent, const Verb& verb) {
  auto command = std::make_unique<Command>();
  command->job = verb.start();
  command->app = parent.add_subcommand(std::string(verb.name), std::string(verb.purpose));
  for (const Argument& argument : verb.arguments) {
    command->files.push_back(std::make_unique<std::vector<std::string>>());
    CLI::Option* option =
        command->app->add_option(std::string(argument.name), *command->files.back(), std::string(argument.help));
    option->type_name("");
    option->expected(static_cast<int>(std::max<std::size_t>(argument.at_least, 1)), static_cast<int>(argument.at_most));
    if (argument.at_least > 0) option->required();
  }
  command->common_fields = fields_of(command->common);
  for (const Field& field : command->job.fields) add_field(*command, field);
  for (const Field& field : command->common_fields) add_field(*command, field);
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

std::string one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string run_command(Command& command, const Console& console) {
  for (const Command::Given& given : command.given) {
    if (given.option->count() > 0) given.field->set(given.field->is_flag ? "true" : *given.text);
  }
  VerbContext context;
  context.common = command.common;
  for (const auto& files : command.files) context.files.insert(context.files.end(), files->begin(), files->end());
  context.run.seed = Seed{command.common.seed};
  context.run.threads.count = static_cast<unsigned>(command.common.threads);
  context.run.cancel = console.cancel;
  ProgressPrinter printer(console.err, console.err_is_terminal);
  if (!command.common.quiet) context.run.observer = [&](const Progress& progress) { printer.show(progress); };
  return deliver(command.job.run(context), command.common);
}

struct Program {
  CLI::App app{"Learning from labels that are not one certain label an item.", "motet"};
  std::vector<std::unique_ptr<Command>> commands;

  explicit Program(std::span<const Verb> verbs) {
    app.set_version_flag("--version", std::string("motet ") + MOTET_VERSION);
    app.require_subcommand(1);
    app.footer("motet <task> --help lists the verbs of a task, motet <task> <verb> --help its options.");
    for (const Verb& verb : verbs) commands.push_back(add_verb(verb.task.empty() ? app : task(verb.task), verb));
  }

  CLI::App& task(std::string_view name) {
    for (CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (known->get_name() == name) return *known;
    }
    CLI::App* added = app.add_subcommand(std::string(name), std::string(purpose_of_task(name)));
    added->require_subcommand(1);
    return *added;
  }

  Command& chosen() {
    for (const auto& command : commands) {
      if (command->app->parsed()) return *command;
    }
    fail(ErrorKind::usage, "a verb is needed; see motet --help");
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
    try {
      std::vector<std::string> reversed(args.rbegin(), args.rend());
      program.app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
      console.out << program.app.help();
      return 0;
    } catch (const CLI::CallForVersion& version) {
      console.out << version.what() << "\n";
      return 0;
    } catch (const CLI::ParseError& error) {
      return tell(fmt::format("{}; see motet --help", one_line(error.what())), 2);
    }
    console.out << run_command(program.chosen(), console);
    console.out.flush();
    if (!console.out) return tell("standard output cannot be written", 5);
    return 0;
  } catch (const Error& error) {
    return tell(error.what(), exit_code(error.kind(), console.cancel));
  } catch (const std::bad_alloc&) {
    return tell("not enough memory", 5);
  } catch (const std::exception& error) {
    return tell(fmt::format("a defect of motet: {}; please report it", error.what()), 1);
  }
}

}  // namespace motet
