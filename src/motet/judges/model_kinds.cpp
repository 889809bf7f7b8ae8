#include "motet/judges/model_kinds.h"

#include <fmt/format.h>

#include "motet/judges/ability/glad.h"

namespace motet::judges {

const std::vector<JudgeModelKind>& judge_model_kinds() {
  static const std::vector<JudgeModelKind> kinds = {
      {"symmetric", "one accuracy per judge with errors spread evenly", {}},
      {"confusion", "a full table of who says what when", {}},
      glad_kind(),
      {"shared",
       "a table per judge around what judges have in common, and items that are hard for all",
       {},
       nullptr,
       nullptr,
       true},
      {"subtypes", "such a table for each of several kinds of items within a class", {}, nullptr, nullptr, true},
  };
  return kinds;
}

std::vector<std::string_view> judge_model_names() {
  std::vector<std::string_view> names;
  for (const JudgeModelKind& kind : judge_model_kinds()) names.push_back(kind.name);
  return names;
}

std::vector<std::string_view> judge_noise_names() {
  std::vector<std::string_view> names = judge_model_names();
  names.emplace_back("auto");
  return names;
}

std::string models_of_items() {
  std::string names;
  for (const JudgeModelKind& kind : judge_model_kinds()) {
    if (kind.fit != nullptr) names += (names.empty() ? "" : " or ") + std::string(kind.name);
  }
  return names;
}

std::string judge_model_help() {
  std::string text = "how judges err: ";
  for (const JudgeModelKind& kind : judge_model_kinds()) {
    text += fmt::format("{}{} ({})", &kind == judge_model_kinds().data() ? "" : ", ", kind.name, kind.meaning);
  }
  return text + ", auto (the way that best foresees votes it was not shown)";
}

}  // namespace motet::judges
