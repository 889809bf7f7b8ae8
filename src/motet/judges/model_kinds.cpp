#include "motet/judges/model_kinds.h"

#include <fmt/format.h>

#include "motet/judges/ability/glad.h"

namespace motet::judges {

const std::vector<JudgeModelKind>& judge_model_kinds() {
  static const std::vector<JudgeModelKind> kinds = {
      {"symmetric", "one accuracy per judge with errors spread evenly", {}},
      {"confusion", "a full table of who says what when", {}},
      glad_kind(),
  };
  return kinds;
}

std::vector<std::string_view> judge_model_names() {
  std::vector<std::string_view> names;
  for (const JudgeModelKind& kind : judge_model_kinds()) names.push_back(kind.name);
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
  return text;
}

}  // namespace motet::judges
