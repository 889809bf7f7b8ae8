#include "motet/discover/discovery.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/model_update.h"
#include "motet/discover/questions/choose.h"
#include "motet/discover/questions/isolation.h"
#include "motet/discover/questions/nndm.h"
#include "motet/discover/questions/nominate.h"
#include "motet/discover/spread/known_rows.h"

namespace motet::discover {
namespace {

constexpr double usual_floor = 1e-3;
constexpr double published_floor = 1e-9;  // none is published; this one only keeps silence from failing

void check_values(const Features& features, std::size_t first_row) {
  const std::size_t dimensions = features.dimensions();
  for (std::size_t i = first_row * dimensions; i < features.values.size(); ++i) {
    if (std::isfinite(features.values[i])) continue;
    fail(ErrorKind::bad_data, "item " + item_name(features, i / dimensions) + ", column " +
                                  features.columns[i % dimensions] + " = " + to_text(features.values[i]) +
                                  " is not a finite number");
  }
}

bool excludes(const Features& features, const Discovery& discovery, std::size_t answered, std::size_t row) {
  const std::size_t apart = answered > row ? answered - row : row - answered;
  return apart <= static_cast<std::size_t>(discovery.options.exclusion) &&
         sequence_of(features, answered) == sequence_of(features, row);
}

// Of the strategies whose questions no answer changes.
void fix_order(const Features& features, Discovery& discovery, const RunContext& run) {
  const Strategy strategy = discovery.options.strategy;
  if (strategy == Strategy::nndm) discovery.order = nndm_order(features, discovery.options.radius, run);
  if (strategy == Strategy::grid) {
    discovery.order = grid_order(features, static_cast<std::size_t>(discovery.options.exclusion), Seed{discovery.seed});
  }
}

// What the next questions go by.
void bring_model(const Features& features, Discovery& discovery, Threads threads) {
  if (askers_of(discovery.options).empty()) {
    bring_states(features, discovery, threads);
  } else {
    bring_scout(features, discovery, threads);
  }
}

// What was taken along from another project tells of these rows.
void bring_known(const Features& features, Discovery& discovery, const RunContext& run) {
  if (discovery.carried.examples.empty()) return;
  const Spread spread = spread_answers(features, discovery, run, ChanceRule::as_learned);
  discovery.known = rows_taken_as_known(features, discovery, spread);
}

// What the way of asking that chose this row has to show for it.
void credit(Discovery& discovery, std::size_t row, bool is_new) {
  for (const Nomination& nomination : discovery.queue) {
    if (nomination.row != row || nomination.asker < 0) continue;
    AskerCount& count = discovery.askers[static_cast<std::size_t>(nomination.asker)];
    ++count.asked;
    count.found += is_new ? 1 : 0;
  }
}

}  // namespace

Discovery start_discovery(const Features& features, const DiscoverOptions& options, const RunContext& run,
                          Carried carried) {
  check_discover_options(features, options);
  check_values(features, 0);
  Discovery discovery;
  discovery.options = options;
  discovery.carried = std::move(carried);
  discovery.seed = static_cast<std::uint64_t>(run.seed);
  discovery.options.floor = options.floor.value_or(is_as_published(options.strategy) ? published_floor : usual_floor);
  discovery.global = temporal::global_shape(features, *discovery.options.floor, run.threads);
  choose_and_fit(features, discovery, run);
  discovery.isolated = isolated_rows(features, discovery.options.isolation, discovery.options.radius, 0, run);
  fix_order(features, discovery, run);
  bring_model(features, discovery, run.threads);
  bring_known(features, discovery, run);
  discovery.queue = nominate(features, discovery, run.threads);
  return discovery;
}

void take_answer(const Features& features, Discovery& discovery, const Answer& given, const RunContext& run) {
  Answer answer = given;
  if (answer.row >= features.rows()) {
    fail(ErrorKind::usage, "row " + std::to_string(answer.row + 1) + " is not there; the rows are 1 to " +
                               std::to_string(features.rows()));
  }
  if (answer.kind == AnswerKind::of_class && answer.class_name.empty()) {
    fail(ErrorKind::usage, "item " + item_name(features, answer.row) + ": the class has no name");
  }
  if (answer.class_name == background_name) answer.kind = AnswerKind::nothing;
  if (answer.kind != AnswerKind::of_class) answer.class_name.clear();

  const std::vector<std::string>& classes = discovery.mixture.classes;
  const bool is_new = answer.kind == AnswerKind::of_class &&
                      std::find(classes.begin(), classes.end(), answer.class_name) == classes.end();
  const bool is_changed = std::any_of(discovery.answers.begin(), discovery.answers.end(),
                                      [&](const Answer& earlier) { return earlier.row == answer.row; });
  if (is_new) add_class(features, discovery, answer.class_name, answer.row, run.threads);
  discovery.answers.push_back(answer);
  if (is_changed) drop_unanswered_classes(features, discovery);

  credit(discovery, answer.row, is_new);
  const bool is_sure = answer.kind != AnswerKind::not_sure;
  std::erase_if(discovery.queue, [&](const Nomination& nomination) {
    return nomination.row == answer.row || (is_sure && excludes(features, discovery, answer.row, nomination.row));
  });
  if (!discovery.queue.empty()) return;
  update_model(features, discovery, run.threads);
  bring_known(features, discovery, run);
  discovery.queue = nominate(features, discovery, run.threads);
}

void take_rows(const Features& features, Discovery& discovery, const RunContext& run) {
  const std::size_t before = discovery.states.size();
  if (features.rows() < before) {
    fail(ErrorKind::internal,
         "the search has seen " + std::to_string(before) + " rows and there are " + std::to_string(features.rows()));
  }
  check_values(features, before);
  discovery.global = temporal::global_shape(features, *discovery.options.floor, run.threads);
  discovery.densities.clear();
  discovery.states.resize(features.rows(), 0);
  const std::vector<std::uint8_t> isolated =
      isolated_rows(features, discovery.options.isolation, discovery.options.radius, before, run);
  discovery.isolated.insert(discovery.isolated.end(), isolated.begin(), isolated.end());
  fix_order(features, discovery, run);
  take_states(features, discovery, before, run.threads);
  discovery.scout = {};
  bring_model(features, discovery, run.threads);
  bring_known(features, discovery, run);
  discovery.queue = nominate(features, discovery, run.threads);
}

}  // namespace motet::discover
