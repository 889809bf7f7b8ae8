#include "motet/discover/spread/spread.h"

#include <algorithm>
#include <cmath>

#include "motet/discover/answers.h"
#include "motet/discover/spread/carry.h"
#include "motet/engine/cross_fit.h"

namespace motet::discover {
namespace {

constexpr std::size_t most_parts = 10;

// A model of some of the answers.
SpreadModel model_of(const WhitenedRows& whitened, const Features& features, const Discovery& discovery,
                     HeldAnswers held, std::span<const std::string> names, const RunContext& run) {
  SpreadModel model{whitened, features, discovery.options.radius, std::move(held), {}, {}};
  model.examples = examples_of(whitened, features, model.held, model.radius);
  add_carried(whitened, discovery.carried, names, model.examples);
  model.scores = fit_class_scores(whitened, features, model.examples, names.size() - 1, model.radius, run);
  return model;
}

// What a model that has not seen an answer says where it was given: a stretch, right or wrong, or nothing.
void try_answer(const SpreadModel& model, std::span<const double> rivals, std::size_t row, std::int32_t truth,
                std::vector<Tried>& tried) {
  const RowRange around = rows_around(model.cut.starts, row, 3 * model.radius + 1);
  for (SpreadStretch& stretch : spread_stretches(model, around, Threads{1})) {
    if (stretch.begin > row || stretch.end <= row || stretch.is_answered) continue;
    set_rivals(rivals, stretch);
    tried.push_back({log_odds_of(stretch.evidence), stretch.of_class == truth});
  }
}

std::vector<Tried> tried_answers(const WhitenedRows& whitened, const Features& features, const Discovery& discovery,
                                 const HeldAnswers& held, std::span<const std::string> names,
                                 std::span<const double> rivals, const RunContext& run) {
  std::vector<std::size_t> rows = sure_rows(held);
  if (rows.empty()) return {};
  Parts parts;
  parts.count = std::min(most_parts, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) parts.of_row.push_back(static_cast<std::uint32_t>(i % parts.count));
  std::vector<std::vector<Tried>> of_part(parts.count);
  CrossFitRule rule;
  rule.at_a_time = parts.count;
  cross_fit(parts, rule, unheard(run), [&](const HeldOutPart& part, const RunContext& own) {
    HeldAnswers seen = held;
    for (const std::uint32_t i : part.unseen) seen.erase(rows[i]);
    const SpreadModel model = model_of(whitened, features, discovery, std::move(seen), names, own);
    for (const std::uint32_t i : part.unseen) try_answer(model, rivals, rows[i], held.at(rows[i]), of_part[part.part]);
  });
  std::vector<Tried> tried;
  for (const std::vector<Tried>& some : of_part) tried.insert(tried.end(), some.begin(), some.end());
  return tried;
}

}  // namespace

Spread spread_answers(const Features& features, const Discovery& discovery, const RunContext& run, ChanceRule rule) {
  return spread_answers(whitened_rows(features, discovery.options.radius, run.threads), features, discovery, run, rule);
}

Spread spread_answers(const WhitenedRows& whitened, const Features& features, const Discovery& discovery,
                      const RunContext& run, ChanceRule rule) {
  Spread spread;
  spread.classes = with_carried(discovery.mixture.classes, discovery.carried);
  const std::size_t classes = spread.classes.size() - 1;
  if (classes == 0) return spread;
  const HeldAnswers held = held_answers(discovery);
  const SpreadModel model = model_of(whitened, features, discovery, held, spread.classes, run);
  spread.stretches = spread_stretches(model, {0, features.rows()}, run.threads);
  const std::vector<double> rivals = rivals_of(spread.stretches, classes);
  for (SpreadStretch& stretch : spread.stretches) set_rivals(rivals, stretch);
  if (rule == ChanceRule::corrected) {
    const std::vector<Tried> tried = tried_answers(whitened, features, discovery, held, spread.classes, rivals, run);
    spread.tried = tried.size();
    spread.correction = corrected_by(tried, run);
  }
  for (SpreadStretch& stretch : spread.stretches) {
    stretch.probability = stretch.is_answered ? 1.0 : chance_of(stretch.evidence, spread.correction);
  }
  return spread;
}

Propagation rows_of_stretches(const Spread& spread, std::size_t rows, double threshold) {
  Propagation result{std::vector<std::int32_t>(rows, 0), std::vector<double>(rows, 1.0), spread.classes};
  for (const SpreadStretch& stretch : spread.stretches) {
    if (stretch.probability < threshold && !stretch.is_answered) continue;
    for (std::size_t n = stretch.begin; n < stretch.end; ++n) {
      result.of_class[n] = stretch.of_class;
      result.probability[n] = stretch.probability;
    }
  }
  return result;
}

}  // namespace motet::discover
