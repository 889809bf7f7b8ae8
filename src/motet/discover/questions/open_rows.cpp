#include "motet/discover/questions/open_rows.h"

#include <algorithm>

#include "motet/discover/answers.h"

namespace motet::discover {

OpenRows::OpenRows(const Features& features, const Discovery& discovery, std::size_t g) : features_(features), g_(g) {
  const HeldAnswers held = held_answers(discovery);
  closed_ = rows_within(features.starts, sure_rows(held), g_);
  turn_.assign(features.rows(), Turn::ordinary);
  for (std::size_t n = 0; n < discovery.isolated.size(); ++n) {
    if (discovery.isolated[n] != 0) turn_[n] = Turn::noise;
  }
  for (std::size_t n = 0; n < discovery.known.size(); ++n) {
    if (discovery.known[n] != 0) turn_[n] = Turn::known;
  }
  for (const auto& [row, of_class] : held) {
    if (of_class < 0) turn_[row] = Turn::unsure;
  }
}

bool OpenRows::has_any(Turn turn) const {
  for (std::size_t n = 0; n < closed_.size(); ++n) {
    if (may_ask(n, turn)) return true;
  }
  return false;
}

void OpenRows::ask(std::size_t row) {
  const auto [begin, end] = rows_around(features_.starts, row, g_);
  std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(begin), closed_.begin() + static_cast<std::ptrdiff_t>(end),
            std::uint8_t{1});
}

}  // namespace motet::discover
