#include "motet/discover/discovery.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/discover/answers.h"
#include "motet/discover/model_update.h"
#include "motet/discover/questions/choose.h"
#include "motet/discover/questions/isolation.h"
#include "motet/discover/questions/nndm.h"
#include "motet/discover/questions/nominate.h"

namespace motet::discover {
namespace {

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

}  // namespace

Discovery start_discovery(const Features& features, const DiscoverOptions& options, const RunContext& run) {
  check_discover_options(features, options);
  check_values(features, 0);
  Discovery discovery;
  discovery.options = options;
  discovery.seed = static_cast<std::uint64_t>(run.seed);
  discovery.global = temporal::global_shape(features, options.floor, run.threads);
  choose_and_fit(features, discovery, run);
  discovery.isolated = isolated_rows(features, discovery.options.isolation, discovery.options.radius, 0, run);
  if (options.strategy == Strategy::nndm) discovery.order = nndm_order(features, discovery.options.radius, run);
  bring_states(features, discovery, run.threads);
  discovery.queue = nominate(features, discovery);
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

  const bool is_sure = answer.kind != AnswerKind::not_sure;
  std::erase_if(discovery.queue, [&](const Nomination& nomination) {
    return nomination.row == answer.row || (is_sure && excludes(features, discovery, answer.row, nomination.row));
  });
  if (!discovery.queue.empty()) return;
  update_model(features, discovery, run.threads);
  discovery.queue = nominate(features, discovery);
}

void take_rows(const Features& features, Discovery& discovery, const RunContext& run) {
  const std::size_t before = discovery.states.size();
  if (features.rows() < before) {
    fail(ErrorKind::internal,
         "the search has seen " + std::to_string(before) + " rows and there are " + std::to_string(features.rows()));
  }
  check_values(features, before);
  discovery.global = temporal::global_shape(features, discovery.options.floor, run.threads);
  discovery.densities.clear();
  discovery.states.resize(features.rows(), 0);
  const std::vector<std::uint8_t> isolated =
      isolated_rows(features, discovery.options.isolation, discovery.options.radius, before, run);
  discovery.isolated.insert(discovery.isolated.end(), isolated.begin(), isolated.end());
  if (discovery.options.strategy == Strategy::nndm) {
    discovery.order = nndm_order(features, discovery.options.radius, run);
  }
  take_states(features, discovery, before, run.threads);
  bring_states(features, discovery, run.threads);
  discovery.queue = nominate(features, discovery);
}

}  // namespace motet::discover
