// The tables of options in docs/ are made here, from the fields the program itself uses.
//
// A page holds a table between two comments:
//   <!-- options judges estimate -->
//   ...
//   <!-- end -->
// Each verb of a task is on the page docs/TASK.md; the options that every verb has stand
// once, under "options common". Set MOTET_UPDATE_GOLDEN=1 to rewrite the pages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "motet/app/registry.h"
#include "motet/app/verb.h"
#include "support/texts.h"

namespace motet::docs_options_test {
namespace {

constexpr std::string_view end_marker = "<!-- end -->";
constexpr std::string_view common_page = "judges";

std::string path_of(std::string_view page) { return fmt::format("{}/../docs/{}.md", MOTET_TEST_DIR, page); }

std::string read_page(std::string_view page) {
  std::ifstream file(path_of(page), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string cell(const std::string& text) { return replaced(text, "|", "\\|"); }
std::string code(const std::string& text) { return "`" + cell(text) + "`"; }

// An option without which the verb does not run has no default, whatever its field holds.
std::string default_of(const Field& field, const std::vector<Required>& required) {
  const auto is_own = [&](const Required& need) { return need.option == field.name && need.when == Required{}.when; };
  if (!field.default_text.empty() && std::any_of(required.begin(), required.end(), is_own)) return "required";
  if (field.is_flag) return "off";  // also of a flag that turns something off
  return field.default_text.empty() ? "" : code(field.default_text);
}

std::string allowed_of(const Field& field) {
  if (field.is_flag) return "flag";
  if (!field.range.empty()) return field.range;
  if (field.shape.find('|') != std::string::npos) return code(replaced(field.shape, "|", "`, `"));
  return field.shape;
}

std::string table_of(const std::vector<Field>& fields, const std::vector<Required>& required = {}) {
  std::string table = "| option | default | range or choices | meaning |\n|---|---|---|---|\n";
  for (const Field& field : fields) {
    table += fmt::format("| {} | {} | {} | {} |\n", code(flag_of(field)), default_of(field, required),
                         allowed_of(field), cell(help_of(field)));
  }
  return table;
}

// The place of a table on its page: [begin, end), or nothing when a marker is missing.
struct Place {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  bool is_there() const { return begin != std::string::npos && end != std::string::npos; }
};

Place place_of(const std::string& page, const std::string& marker) {
  Place place;
  const std::size_t at = page.find(marker);
  if (at == std::string::npos) return place;
  place.begin = at + marker.size();
  place.end = page.find(end_marker, place.begin);
  return place;
}

void check_table(std::string_view page, const std::string& what, const std::vector<Field>& fields,
                 const std::vector<Required>& required = {}) {
  const std::string marker = fmt::format("<!-- options {} -->\n", what);
  std::string text = read_page(page);
  const Place place = place_of(text, marker);
  ASSERT_TRUE(place.is_there()) << path_of(page) << " lacks '" << marker.substr(0, marker.size() - 1) << "' or '"
                                << end_marker << "' after it";
  const std::string table = table_of(fields, required);
  if (std::getenv("MOTET_UPDATE_GOLDEN") != nullptr) {
    text.replace(place.begin, place.end - place.begin, table);
    std::ofstream(path_of(page), std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text.substr(place.begin, place.end - place.begin), table)
      << path_of(page) << ": MOTET_UPDATE_GOLDEN=1 rewrites it";
}

TEST(DocsOptions, EveryVerbOfATaskHasItsTable) {
  for (const Verb& verb : all_verbs()) {
    if (verb.task.empty()) continue;
    check_table(verb.task, fmt::format("{} {}", verb.task, verb.name), verb.start().fields, verb.required);
  }
}

TEST(DocsOptions, CommonOptionsStandOnce) {
  CommonOptions common;
  check_table(common_page, "common", fields_of(common));
}

TEST(DocsOptions, ATableShowsWhatAReaderNeeds) {
  struct Sample {
    double size = 0.5;
    bool dry_run = false;
    bool keep_all = true;
    std::string file;
    enum class Kind { plain, fancy } kind = Kind::fancy;
  } sample;
  FieldLister lister;
  lister("size", sample.size, Range<double>{0.0, 1.0}, "how large");
  lister("dry_run", sample.dry_run, "a | b");
  lister("keep_all", sample.keep_all, "keep them");
  lister("file", sample.file, Text{"FILE"}, "where");
  lister("kind", sample.kind, Choices{{"plain", "fancy"}}, "which");
  expect_in(table_of(lister.fields, {{"size"}, {"file"}}), {"| `--size` | required | 0 to 1 |"});
  EXPECT_EQ(table_of(lister.fields),
            "| option | default | range or choices | meaning |\n"
            "|---|---|---|---|\n"
            "| `--size` | `0.5` | 0 to 1 | how large |\n"
            "| `--dry-run` | off | flag | a \\| b |\n"
            "| `--no-keep-all` | off | flag | turns this off: keep them |\n"
            "| `--file` |  | FILE | where |\n"
            "| `--kind` | `fancy` | `plain`, `fancy` | which |\n");
}

}  // namespace
}  // namespace motet::docs_options_test
