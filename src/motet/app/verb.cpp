#include "motet/app/verb.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/io/file.h"
#include "motet/io/json.h"

namespace motet {

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

void require_all(const Verb& verb, const VerbContext& context) {
  std::vector<std::string_view> options;
  for (const Required& one : verb.required) {
    if (one.when != Required{}.when) return;
    options.push_back(one.option);
  }
  require_given(verb.name, context, options);
}

bool is_on_by_default(const Field& field) { return field.is_flag && field.default_text == "true"; }

std::string flag_of(const Field& field) { return flag_of(is_on_by_default(field) ? "no_" + field.name : field.name); }

std::string help_of(const Field& field) {
  return is_on_by_default(field) ? "turns this off: " + field.help : field.help;
}

std::string help_of(const Field& field, const std::vector<Required>& required) {
  std::string notes = field.range;
  const auto need = std::find_if(required.begin(), required.end(),
                                 [&](const Required& candidate) { return candidate.option == field.name; });
  if (need != required.end()) {
    notes += fmt::format("{}{}", notes.empty() ? "" : "; ", need->when);
  } else if (!field.is_flag && !field.default_text.empty()) {
    notes += fmt::format("{}default {}", notes.empty() ? "" : "; ", field.default_text);
  }
  return notes.empty() ? help_of(field) : fmt::format("{} ({})", help_of(field), notes);
}

std::string deliver(const Outcome& outcome, const CommonOptions& common) {
  if (!common.report.empty()) {
    if (!outcome.page) fail(ErrorKind::usage, "--report: this verb has no page to write");
    write_atomically(common.report, to_html(*outcome.page));
  }
  if (common.json.empty()) return outcome.text;
  std::string json = to_json(outcome.json, 1) + "\n";
  if (common.json == "-") return json;
  write_atomically(common.json, json);
  return outcome.text;
}

char parse_delimiter(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") {
    fail(ErrorKind::usage, fmt::format("--delimiter: '{}' is not one character or 'tab'", text));
  }
  return text[0];
}

}  // namespace motet
