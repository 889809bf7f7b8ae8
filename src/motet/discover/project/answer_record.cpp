#include "motet/discover/project/answer_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "motet/base/fields.h"

namespace motet::discover {
namespace {

constexpr std::array<std::string_view, 5> kind_words = {"class", "nothing", "not sure", "rename", "merge"};
constexpr std::size_t first_change = 3;

}  // namespace

std::string_view kind_word(const AnswerEntry& entry) {
  if (entry.change) return kind_words[first_change + (entry.change->is_merge ? 1 : 0)];
  return kind_words[static_cast<std::size_t>(entry.answer.kind)];
}

std::string class_text(const AnswerEntry& entry) {
  if (!entry.change) return entry.answer.class_name;
  return fmt::format("{}:{}{}", entry.change->from.size(), entry.change->from, entry.change->into);
}

std::string_view read_said(std::string_view kind, std::size_t row, std::string_view text, AnswerEntry& entry) {
  const auto number =
      static_cast<std::size_t>(std::find(kind_words.begin(), kind_words.end(), kind) - kind_words.begin());
  if (number == kind_words.size()) return "an answer is of no kind";
  if (number < first_change) {
    entry.answer = {row, static_cast<AnswerKind>(number), std::string(text)};
    return "";
  }
  const std::size_t colon = text.find(':');
  const Result<std::size_t> size = parse_size(text.substr(0, colon));
  if (colon == std::string_view::npos || !size || size.value() > text.size() - colon - 1) {
    return "a change of classes has no two names";
  }
  text.remove_prefix(colon + 1);
  entry.change = ClassChange{number > first_change, std::string(text.substr(0, size.value())),
                             std::string(text.substr(size.value()))};
  return "";
}

}  // namespace motet::discover
