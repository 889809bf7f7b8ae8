#include "motet/app/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "motet/io/file.h"
#include "motet/io/json.h"

namespace motet {

namespace {

// Two names of one ordinary file; /dev/null may be named as often as one likes.
bool are_one_file(const std::string& a, const std::string& b) {
  std::error_code none;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none);
  };
  return (a == b || place(a) == place(b)) && !std::filesystem::is_other(std::filesystem::status(a, none));
}

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!input.empty() && same_file(input, output)) {
      fail(ErrorKind::usage, fmt::format("{}: would overwrite an input; choose another name", output));
    }
  }
  if (output != "-") require_writable(output);
}

}  // namespace

void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& files,
                   const std::vector<std::string>& streams) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1) {
    fail(ErrorKind::usage, "-: standard input can be read only once; name a file for the other input");
  }
  if (std::count(streams.begin(), streams.end(), "-") > 1) {
    fail(ErrorKind::usage, "-: standard output can take only one output; name a file for the other");
  }
  std::vector<std::string> seen;
  for (const auto* list : {&files, &streams}) {
    for (const std::string& output : *list) {
      if (output.empty()) continue;
      if (output == "-" && list == &files) {
        fail(ErrorKind::usage, "-: this output cannot go to standard output; name a file (./- for one called '-')");
      }
      check_output(output, inputs);
      if (output == "-") continue;
      for (const std::string& other : seen) {
        if (are_one_file(output, other)) fail(ErrorKind::usage, fmt::format("{}: is named for two outputs", output));
      }
      seen.push_back(output);
    }
  }
}

bool is_given(const VerbContext& context, std::string_view option) {
  return std::find(context.given.begin(), context.given.end(), option) != context.given.end();
}

void require_given(std::string_view verb, const VerbContext& context, const std::vector<std::string_view>& options) {
  std::vector<std::string> missing;
  for (const std::string_view option : options) {
    if (!is_given(context, option)) missing.push_back(flag_of(option));
  }
  if (missing.empty()) return;
  const std::string last = missing.back();
  missing.pop_back();
  fail(ErrorKind::usage,
       fmt::format("{}: needs {}{}{}", verb, fmt::join(missing, ", "), missing.empty() ? "" : " and ", last));
}

std::string flag_of(std::string_view field) {
  std::string flag = fmt::format("--{}", field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

bool is_on_by_default(const Field& field) { return field.is_flag && field.default_text == "true"; }

std::string flag_of(const Field& field) { return flag_of(is_on_by_default(field) ? "no_" + field.name : field.name); }

std::string help_of(const Field& field) {
  return is_on_by_default(field) ? "turns this off: " + field.help : field.help;
}

std::string deliver(const Outcome& outcome, const CommonOptions& common) {
  if (!common.report.empty()) {
    if (!outcome.page) fail(ErrorKind::usage, "report: this verb has no page to write");
    write_atomically(common.report, to_html(*outcome.page));
  }
  if (common.json.empty()) return outcome.text;
  const std::string json = to_json(outcome.json, 1) + "\n";
  if (common.json == "-") return json;
  write_atomically(common.json, json);
  return outcome.text;
}

char parse_delimiter(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") {
    fail(ErrorKind::usage, fmt::format("delimiter: '{}' is not one character or 'tab'", text));
  }
  return text[0];
}

}  // namespace motet
