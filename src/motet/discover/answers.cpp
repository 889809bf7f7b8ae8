#include "motet/discover/answers.h"

#include <algorithm>

namespace motet::discover {
namespace {

std::int32_t class_number(const Discovery& discovery, const Answer& answer) {
  if (answer.kind == AnswerKind::not_sure) return -1;
  if (answer.kind == AnswerKind::nothing) return 0;
  const std::vector<std::string>& classes = discovery.mixture.classes;
  return static_cast<std::int32_t>(std::find(classes.begin(), classes.end(), answer.class_name) - classes.begin());
}

}  // namespace

std::map<std::size_t, const Answer*> standing_answers(const Discovery& discovery) {
  std::map<std::size_t, const Answer*> answers;
  for (const Answer& answer : discovery.answers) answers[answer.row] = &answer;
  return answers;
}

HeldAnswers held_answers(const Discovery& discovery) {
  HeldAnswers held;
  for (const auto& [row, answer] : standing_answers(discovery)) held[row] = class_number(discovery, *answer);
  return held;
}

RowLabels row_labels(const Discovery& discovery, std::size_t rows) {
  RowLabels labels(rows, -1);
  for (const auto& [row, of_class] : held_answers(discovery)) labels[row] = of_class;
  return labels;
}

RowRange rows_around(std::span<const std::size_t> starts, std::size_t row, std::size_t g) {
  const auto after = std::upper_bound(starts.begin(), starts.end(), row);
  return {std::max(*(after - 1), row - std::min(row, g)), std::min(*after, row + g + 1)};
}

std::vector<std::uint8_t> rows_within(std::span<const std::size_t> starts, std::span<const std::size_t> rows,
                                      std::size_t g) {
  std::vector<std::uint8_t> within(starts.back(), 0);
  for (const std::size_t row : rows) {
    const auto [begin, end] = rows_around(starts, row, g);
    std::fill(within.begin() + static_cast<std::ptrdiff_t>(begin), within.begin() + static_cast<std::ptrdiff_t>(end),
              std::uint8_t{1});
  }
  return within;
}

std::vector<std::size_t> sure_rows(const HeldAnswers& held) {
  std::vector<std::size_t> rows;
  for (const auto& [row, of_class] : held) {
    if (of_class >= 0) rows.push_back(row);
  }
  return rows;
}

}  // namespace motet::discover
