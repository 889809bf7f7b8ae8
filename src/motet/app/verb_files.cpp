#include "motet/app/verb_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/io/destination.h"
#include "motet/io/file.h"

namespace motet {
namespace {

void require_name(const NamedFile& file) {
  if (!file.is_given || !file.path.empty()) return;
  if (file.field == nullptr) fail(ErrorKind::usage, fmt::format("{}: the name of the file is empty", file.name));
  fail(ErrorKind::usage,
       fmt::format("{0}: the name of the file is empty; name one, or leave out {0}", flag_of(file.name)));
}

void require_one_reader(const std::vector<NamedFile>& inputs) {
  const auto is_standard = [](const NamedFile& input) {
    return !input.path.empty() && destination_of(input.path, Direction::in).descriptor == STDIN_FILENO;
  };
  if (std::count_if(inputs.begin(), inputs.end(), is_standard) > 1) {
    fail(ErrorKind::usage, "-: standard input can be read only once; name a file for the other input");
  }
}

void add_output(const NamedFile& output, VerbContext& context) {
  std::string path = output.path;
  if (destination_of(path, Direction::out).descriptor == STDOUT_FILENO) path = "-";
  for (const std::string& other : context.outputs) {
    if (path == "-" && other == "-") {
      fail(ErrorKind::usage, "-: standard output can take only one output; name a file for the other");
    }
    if (same_output(path, other)) fail(ErrorKind::usage, fmt::format("{}: is named for two outputs", output.path));
  }
  if (path == "-") {
    context.writes_standard_output = true;
    output.field->set(path);
  }
  context.outputs.push_back(std::move(path));
}

}  // namespace

void check_files(const VerbFiles& files, VerbContext& context) {
  for (const auto* list : {&files.inputs, &files.outputs}) {
    for (const NamedFile& file : *list) require_name(file);
  }
  require_one_reader(files.inputs);
  for (const NamedFile& output : files.outputs) {
    if (!output.path.empty()) add_output(output, context);
  }
  for (const NamedFile& input : files.inputs) keep_input(context, input.path);
  for (const std::string& output : context.outputs) {
    if (!context.writes_standard_output && replaces_standard_output(output)) {
      fail(ErrorKind::usage, fmt::format("{}: standard output goes to this file too; choose another name", output));
    }
    require_writable(output);
  }
}

void keep_input(const VerbContext& context, const std::string& input) {
  if (input.empty()) return;
  for (const std::string& output : context.outputs) {
    if (same_file(input, output)) {
      fail(ErrorKind::usage, fmt::format("{}: would overwrite an input; choose another name", output));
    }
  }
}

}  // namespace motet
