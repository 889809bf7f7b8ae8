#include "motet/app/verb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "motet/io/file.h"
#include "motet/io/json.h"

namespace motet {

void check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& output = outputs[i];
    if (output.empty() || output == "-") continue;
    for (const std::string& input : inputs) {
      if (!input.empty() && same_file(input, output)) {
        fail(ErrorKind::usage, fmt::format("{}: would overwrite an input; choose another name", output));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j] == output) fail(ErrorKind::usage, fmt::format("{}: is named for two outputs", output));
    }
    const std::filesystem::path folder = std::filesystem::path(output).parent_path();
    const std::string place = folder.empty() ? "." : folder.string();
    if (access(place.c_str(), W_OK) != 0) {
      fail(ErrorKind::machine_limit, fmt::format("{}: cannot be written: {}", output, std::strerror(errno)));
    }
    if (std::filesystem::is_directory(output)) {
      fail(ErrorKind::machine_limit, fmt::format("{}: cannot be written: Is a directory", output));
    }
  }
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
  if (text.size() != 1 || text == "\"" || text == "\n") {
    fail(ErrorKind::usage, fmt::format("delimiter: '{}' is not one character or 'tab'", text));
  }
  return text[0];
}

}  // namespace motet
